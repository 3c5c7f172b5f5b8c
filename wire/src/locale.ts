/**
 * The locales of the product, and the shape of its text tables. To add a language, add its locale here; the type
 * checker then names every table that lacks it.
 */
import { withoutOverrides } from './visible.ts'

/** In the spelling of BCP 47, the default first. */
export const locales = ['zh-CN', 'en'] as const
export type Locale = (typeof locales)[number]
export const defaultLocale = locales[0]
type DefaultLocale = typeof defaultLocale

type Entry = string | readonly string[] | ((...parameters: never[]) => string)
/** The keys of the default locale's texts. A plain text may differ between locales, a function keeps its parameters. */
type SameKeys<T> = {
  readonly [K in keyof T]: T[K] extends string
    ? string
    : T[K] extends readonly string[]
      ? readonly string[]
      : T[K]
}
/** A record by locale. */
export type Texts<T> = { readonly [L in DefaultLocale]: T } & {
  readonly [L in Exclude<Locale, DefaultLocale>]: SameKeys<NoInfer<T>>
}

/** Covers the scripts that are written from right to left, and some others, to which isolation does nothing. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufefc\u{10800}-\u{1efff}]/u

/** What is put into a text, so that a name written from the right does not reverse the words and numbers beside it. */
function isolated(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(isolated)
  if (typeof value !== 'string') return value
  const words = withoutOverrides(value)
  return RIGHT_TO_LEFT.test(words) ? `\u2068${words}\u2069` : words
}

const isolating = (entry: Entry): Entry =>
  typeof entry === 'function' ? (...given) => entry(...(given.map(isolated) as never[])) : entry

/**
 * Declares a text table. A locale that is missing, or that lacks a key of the default locale, does not compile. Its functions isolate the
 * names they are given.
 */
/* @__NO_SIDE_EFFECTS__ */
export const texts = <T extends Readonly<Record<string, Entry>>>(
  table: Texts<T>,
): Readonly<Record<Locale, SameKeys<T>>> => {
  for (const entries of Object.values<Record<string, Entry>>(table))
    for (const key in entries) entries[key] = isolating(entries[key]!)
  return table as Readonly<Record<Locale, SameKeys<T>>>
}

/**
 * The locale for an `Accept-Language` header or for `navigator.language`: the most wanted language that the product
 * has, else the default. protocol.md §1.2.
 */
export function pickLocale(wanted = ''): Locale {
  let [best, bestQuality]: [Locale, number] = [defaultLocale, 0]
  for (const range of wanted.toLowerCase().split(',')) {
    const [, language, quality = 1] = /^\s*([a-z]+)[^;]*(?:;.*?\bq=([\d.]+))?/.exec(range) ?? []
    const locale = locales.find((each) => each.split('-')[0] === language)
    if (locale && +quality > bestQuality) [best, bestQuality] = [locale, +quality]
  }
  return best
}

/** A number with its noun in English: `1 day`, `2 days`. */
/* @__NO_SIDE_EFFECTS__ */
export const counted = (n: number, one: string, many = `${one}s`): string => `${n} ${n === 1 ? one : many}`
