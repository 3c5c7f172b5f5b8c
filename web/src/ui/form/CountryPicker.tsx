import { useId, useMemo, useState } from 'react'
import { useLocale, useText } from '../../kit/i18n.ts'
import { Sheet } from '../overlay/Sheet.tsx'
import styles from './CountryPicker.module.css'
import { type Country, countries, findCountries, getsCodes } from './country.ts'
import { countryText } from './countryText.ts'
import { Field } from './Field.tsx'

export { chooseNamed } from './country.ts'

/**
 * The list of countries in a sheet, searched by name, abbreviation or dialling code. Those that get no codes
 * come last, under words that say so: a number of theirs may still have a password. Loaded when first opened.
 */
export default function CountryPicker(props: {
  chosen: string
  onChoose: (country: Country) => void
  onClose: () => void
}) {
  const { title, noCodes, search, none } = useText(countryText)
  const locale = useLocale()
  const all = useMemo(() => countries(locale), [locale])
  const lastId = useId()
  const [query, setQuery] = useState('')
  const matches = findCountries(all, query)
  const [first, last] = [matches.filter((it) => getsCodes(it)), matches.filter((it) => !getsCodes(it))]
  const option = (country: Country) => (
    <button
      key={country.abbr}
      type="button"
      role="option"
      className={styles.country}
      aria-selected={country.abbr === props.chosen}
      onClick={() => props.onChoose(country)}
    >
      <span className={styles.name}>{country.name}</span>
      <span className={styles.code}>+{country.code}</span>
    </button>
  )
  return (
    <Sheet title={title} onClose={props.onClose}>
      <Field label={search} name="country-search" type="search" value={query} onChange={setQuery} />
      {matches.length === 0 && <p className={styles.none}>{none}</p>}
      <div className={styles.list} role="listbox" aria-label={title}>
        {first.map(option)}
        {last.length > 0 && (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset is no part of a listbox
          <div role="group" aria-labelledby={lastId}>
            <p className={styles.last} id={lastId}>
              {noCodes}
            </p>
            {last.map(option)}
          </div>
        )}
      </div>
    </Sheet>
  )
}
