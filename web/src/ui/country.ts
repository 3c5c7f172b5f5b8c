import { PREFIXES_COOKIE } from '@guildhall/wire/auth/mobile.ts'
import type { Locale } from '@guildhall/wire/locale.ts'
import { getCountries, getCountryCallingCode } from 'libphonenumber-js/min'
import { countryText, regionNames } from './countryText.ts'

export interface Country {
  /** ISO 3166, two letters. */
  abbr: string
  /** Dialling code without plus. */
  code: string
  name: string
}

/** Shown first, in this order: the countries of most users. */
const MOST_USED = ['CN', 'HK', 'MO', 'TW', 'SG', 'MY', 'JP', 'KR', 'US', 'CA', 'GB', 'AU']

/** Every country with a dialling code, the most used ones first, then by name. chat.md §3 "Country prefix". */
export function countries(locale: Locale): Country[] {
  const names = new Intl.DisplayNames([locale], { type: 'region' })
  const order = new Intl.Collator(locale)
  const rank = (abbr: string) => (MOST_USED.includes(abbr) ? MOST_USED.indexOf(abbr) : MOST_USED.length)
  return getCountries()
    .map((abbr) => ({
      abbr,
      code: String(getCountryCallingCode(abbr)),
      name: regionNames[locale][abbr] ?? names.of(abbr) ?? abbr,
    }))
    .sort((a, b) => rank(a.abbr) - rank(b.abbr) || order.compare(a.name, b.name))
}

/** The country that a code chooses, of those that share it the one that is most used; else what is said of the code. */
export const countryOf = (code: string, locale: Locale): Country | string =>
  countries(locale).find((country) => country.code === code) ?? countryText[locale].unknown(code)

/** The countries whose name contains `query`, whose code starts with it, or whose abbreviation equals it. `+852` and `852` find the same. */
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

/** Whether codes are sent to a country's numbers; every country when the server has not told: each of its pages does by a cookie. */
export function getsCodes({ code }: Country, cookies: string = document.cookie): boolean {
  const told = new RegExp(`(?:^|; )${PREFIXES_COOKIE}=([\\d.]+)`).exec(cookies)?.[1]
  return told === undefined || told.split('.').includes(code)
}
