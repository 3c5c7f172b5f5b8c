/**
 * The locales of the product, and the shape of its text tables. To add a language, add its locale here; the
 * type checker then names every table that lacks it.
 */
import { withoutOverrides } from './visible.ts'

/** In the spelling of BCP 47, the default first. */
export const locales = ['zh-CN', 'en'] as const
export type Locale = (typeof locales)[number]
export const defaultLocale = locales[0]
type DefaultLocale = typeof defaultLocale

type Entry = string | readonly string[] | ((...parameters: never[]) => string)
/**
 * The keys of the default locale's texts. A plain text may differ between locales, a function keeps its
 * parameters.
 */
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

/**
 * Letters that are written from right to left, and what turns text round. Scripts beyond the first plane by
 * the heads of their pairs.
 */
const TURNS =
  /[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ud802\ud803\ud83a\ud83b\ufb1d-\ufdff\ufe70-\ufefc]/

/**
 * What is put into a text, so that a name written from the right does not reverse the words and numbers
 * beside it.
 */
const isolated = (value: unknown): unknown =>
  typeof value === 'string' && TURNS.test(value) ? `\u2068${withoutOverrides(value)}\u2069` : value

/**
 * Declares a text table. A locale that is missing, or that lacks a key of the default locale, does not
 * compile. Its functions isolate the names they are given.
 */
/* @__NO_SIDE_EFFECTS__ */
export const texts = <T extends Readonly<Record<string, Entry>>>(
  table: Texts<T>,
): Readonly<Record<Locale, SameKeys<T>>> => {
  for (const entries of Object.values<Record<string, Entry>>(table))
    for (const [key, entry] of Object.entries(entries))
      if (typeof entry === 'function') entries[key] = (...given) => entry(...(given.map(isolated) as never[]))
  return table as Readonly<Record<Locale, SameKeys<T>>>
}

/**
 * The locale for an `Accept-Language` header or for `navigator.language`: the most wanted language that the
 * product has, else the default. protocol.md §1.2.
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
