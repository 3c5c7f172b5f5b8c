import { useMemo, useState } from 'react'
import { useLocale, useText } from '../kit/i18n.ts'
import { text } from '../kit/text.ts'
import styles from './CountryPicker.module.css'
import { type Country, countries, findCountries } from './country.ts'
import { Field } from './Field.tsx'
import { Sheet } from './Sheet.tsx'

/** The list of countries in a sheet, searched by name, abbreviation or dialling code. Loaded when first opened. */
export default function CountryPicker(props: {
  chosen: string
  onChoose: (country: Country) => void
  onClose: () => void
}) {
  const t = useText(text)
  const locale = useLocale()
  const all = useMemo(() => countries(locale), [locale])
  const [query, setQuery] = useState('')
  const matches = findCountries(all, query)
  return (
    <Sheet title={t.country} onClose={props.onClose}>
      <Field label={t.countrySearch} name="country-search" type="search" value={query} onChange={setQuery} />
      {matches.length === 0 && <p className={styles.none}>{t.countryNone}</p>}
      <div className={styles.list} role="listbox" aria-label={t.country}>
        {matches.map((country) => (
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
        ))}
      </div>
    </Sheet>
  )
}
