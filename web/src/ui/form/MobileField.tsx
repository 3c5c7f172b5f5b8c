import { readMobile } from '@guildhall/wire/auth/mobile.ts'
import { foldCode } from '@guildhall/wire/typed.ts'
import { useEffect, useRef, useState } from 'react'
import { readStored, writeStored } from '../../kit/browser/storage.ts'
import { useText } from '../../kit/i18n.ts'
import { lazy, Suspense } from '../../kit/lazy/lazy.tsx'
import { loadPart } from '../../kit/lazy/lazyPart.ts'
import { text } from '../../kit/text.ts'
import { ChevronIcon } from '../icon/icon.tsx'
import type { TypedMobile } from './country.ts'
import styles from './Field.module.css'
import { Field } from './Field.tsx'

const picker = () => loadPart(() => import('./CountryPicker.tsx'))
const CountryPicker = lazy(picker)

/** The country that was chosen last, at first China, and a function that chooses another. chat.md §3. */
export function useCountry() {
  const [country, setCountry] = useState(() => readStored('country') ?? { abbr: 'CN', code: '86' })
  const choose = ({ abbr, code }: { abbr: string; code: string }) => {
    const country = { abbr, code }
    writeStored('country', country)
    setCountry(country)
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

/** Chooses the country that the number names itself. Returns what is wrong where there is no such one. */
function useNamedCountry(typed: TypedMobile): string | undefined {
  const [unknown, setUnknown] = useState<string>()
  const newest = useRef(typed)
  newest.current = typed
  const { mobile } = typed
  useEffect(() => {
    setUnknown(undefined)
    // The chosen country's own is taken away as it is typed.
    if (/^(?:\+|00)\d/.test(mobile))
      void picker().then(({ chooseNamed }) => setUnknown(chooseNamed(mobile, newest)))
  }, [mobile])
  return unknown
}

/** An input for a phone number and its country. A number that names another country (`+852 …`) chooses it. */
export function MobileField(props: {
  label: string
  typed: TypedMobile
  error: string | undefined
  /** `username` where the number logs in with a password. */
  autoComplete?: string | undefined
}) {
  const { typed } = props
  const unknown = useNamedCountry(typed)
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
        value={typed.mobile}
        read={(next) => readTyped(typed.country.code, next)}
        onChange={typed.setMobile}
        error={unknown ?? props.error}
        before={
          <button
            type="button"
            className={styles.prefix}
            aria-haspopup="dialog"
            aria-label={t.countryChosen(typed.country.abbr, typed.country.code)}
            onClick={() => setOpen(true)}
          >
            +{typed.country.code}
            <ChevronIcon size={18} />
          </button>
        }
      />
      {open && (
        <Suspense fallback={null}>
          <CountryPicker
            chosen={typed.country.abbr}
            onClose={() => setOpen(false)}
            onChoose={(country) => {
              typed.setCountry(country)
              setOpen(false)
            }}
          />
        </Suspense>
      )}
    </>
  )
}
