import { readMobile } from '@guildhall/wire/auth/mobile.ts'
import { foldCode } from '@guildhall/wire/typed.ts'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { useText } from '../kit/i18n.ts'
import { loadPart } from '../kit/lazyPart.ts'
import { readStored, writeStored } from '../kit/storage.ts'
import { text } from '../kit/text.ts'
import styles from './Field.module.css'
import { Field } from './Field.tsx'
import { ChevronIcon } from './icon.tsx'

const picker = () => loadPart(() => import('./CountryPicker.tsx'))
const CountryPicker = lazy(picker)

/** The country that was chosen last, at first China, and a function that chooses another. chat.md §3. */
export function useCountry() {
  const [country, setCountry] = useState(() => readStored('country') ?? { abbr: 'CN', code: '86' })
  const choose = (next: { abbr: string; code: string }) => {
    writeStored('country', { abbr: next.abbr, code: next.code })
    setCountry({ abbr: next.abbr, code: next.code })
  }
  return [country, choose] as const
}

/**
 * What the field keeps: digits, and the plus of a number that begins with one which is not the chosen
 * country's.
 */
const readTyped = (prefix: string, typed: string): string => {
  const kept = foldCode(typed).replace(/[^\d+]/g, '')
  return readMobile({ prefix, mobile: kept }).mobile
}

/** An input for a phone number and its country. A number that names another country (`+852 …`) chooses it. */
export function MobileField(props: {
  label: string
  value: string
  onChange: (value: string) => void
  country: { abbr: string; code: string }
  onCountry: (country: { abbr: string; code: string }) => void
  error?: string | undefined
  /** `username` where the number logs in with a password. */
  autoComplete?: string
}) {
  const [unknown, setUnknown] = useState<string>()
  const newest = useRef(props)
  newest.current = props
  const { value } = props
  useEffect(() => {
    setUnknown(undefined)
    // The chosen country's own is taken away as it is typed.
    if (/^(?:\+|00)\d/.test(value)) void picker().then((it) => setUnknown(it.chooseNamed(value, newest)))
  }, [value])
  const t = useText(text)
  const [open, setOpen] = useState(false)
  return (
    <>
      <Field
        label={props.label}
        name="mobile"
        type="tel"
        inputMode="tel"
        autoComplete={props.autoComplete ?? 'tel-national'}
        maxLength={20}
        autoFocus
        value={props.value}
        read={(typed) => readTyped(props.country.code, typed)}
        onChange={props.onChange}
        error={unknown ?? props.error}
        before={
          <button
            type="button"
            className={styles.prefix}
            aria-haspopup="dialog"
            aria-label={t.countryChosen(props.country.abbr, props.country.code)}
            onClick={() => setOpen(true)}
          >
            +{props.country.code}
            <ChevronIcon size={18} />
          </button>
        }
      />
      {open && (
        <Suspense fallback={null}>
          <CountryPicker
            chosen={props.country.abbr}
            onClose={() => setOpen(false)}
            onChoose={(country) => {
              props.onCountry(country)
              setOpen(false)
            }}
          />
        </Suspense>
      )}
    </>
  )
}
