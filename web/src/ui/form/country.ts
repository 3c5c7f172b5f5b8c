import { readAbroad } from '@guildhall/wire/auth/abroad.ts'
import { PREFIXES_COOKIE } from '@guildhall/wire/auth/mobile.ts'
import type { Locale } from '@guildhall/wire/locale.ts'
import parsePhoneNumber, {
  type CountryCode,
  getCountries,
  getCountryCallingCode,
} from 'libphonenumber-js/min'
import { currentText } from '../../kit/i18n.ts'
import { countryText, regionNames } from './countryText.ts'

export interface Country {
  /** ISO 3166, two letters. */
  abbr: string
  /** Dialling code without plus. */
  code: string
  name: string
}

/** Shown first, in this order: the countries of most users. */
const MOST_USED: readonly CountryCode[] = [
  'CN',
  'HK',
  'MO',
  'TW',
  'SG',
  'MY',
  'JP',
  'KR',
  'US',
  'CA',
  'GB',
  'AU',
]

/**
 * Every country with a dialling code, the most used ones first, then by name. chat.md §3 "Country prefix".
 */
export function countries(locale: Locale): Country[] {
  const names = new Intl.DisplayNames([locale], { type: 'region' })
  const order = new Intl.Collator(locale)
  const rank = (abbr: CountryCode) => (MOST_USED.includes(abbr) ? MOST_USED.indexOf(abbr) : MOST_USED.length)
  return getCountries()
    .map((abbr) => ({
      abbr,
      code: String(getCountryCallingCode(abbr)),
      name: regionNames[locale][abbr] ?? names.of(abbr) ?? abbr,
    }))
    .sort((a, b) => rank(a.abbr) - rank(b.abbr) || order.compare(a.name, b.name))
}

/** A number in a form, and its country. */
export interface TypedMobile {
  readonly country: { readonly abbr: string; readonly code: string }
  readonly setCountry: (country: { abbr: string; code: string }) => void
  readonly mobile: string
  readonly setMobile: (mobile: string) => void
}

/**
 * Chooses the country that a typed number names itself, and leaves the number after it in the field. Of those
 * that share a code it is the one that has the number, else the most used. Returns what is wrong, where there
 * is no such country. Does nothing when something else was typed meanwhile.
 */
export function chooseNamed(value: string, typed: { readonly current: TypedMobile }): string | undefined {
  const named = typed.current.mobile === value ? readAbroad(value) : null
  if (!named) return
  const { prefix, mobile } = named
  const abbr =
    parsePhoneNumber(`+${prefix}${mobile}`)?.country ??
    [...MOST_USED, ...getCountries()].find((it) => getCountryCallingCode(it) === prefix)
  if (!abbr) return currentText(countryText).unknown(prefix)
  typed.current.setCountry({ abbr, code: prefix })
  typed.current.setMobile(mobile)
}

/**
 * The countries whose name contains `query`, whose code starts with it, or whose abbreviation equals it.
 * `+852` and `852` find the same.
 */
export function findCountries(all: readonly Country[], query: string): Country[] {
  const wanted = query.trim().toLowerCase().replace(/^\+/, '')
  if (wanted === '') return [...all]
  return all.filter(
    (country) =>
      country.name.toLowerCase().includes(wanted) ||
      country.abbr.toLowerCase() === wanted ||
      country.code.startsWith(wanted),
  )
}

/**
 * Whether codes are sent to a country's numbers; every country when the server has not told: each of its
 * pages does by a cookie.
 */
export function getsCodes({ code }: Country, cookies: string = document.cookie): boolean {
  const knownPrefixes = new RegExp(`(?:^|; )${PREFIXES_COOKIE}=([\\d.]+)`).exec(cookies)?.[1]
  return knownPrefixes === undefined || knownPrefixes.split('.').includes(code)
}
