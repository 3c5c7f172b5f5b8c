/**
 * The validator, in its small variant for the size of the page, and the coercions of the wire's values. The
 * only file that imports the library.
 */
import * as z from 'zod/mini'

export { z }
export type Schema<T = unknown> = z.ZodMiniType<T>
export type Out<S extends Schema> = z.output<S>

const numberToText = (value: unknown) => (typeof value === 'number' ? String(value) : value)
const textToNumber = (value: unknown) =>
  typeof value === 'string' && /^-?\d{1,15}$/.test(value.trim()) ? Number(value) : value
const textToFlag = (value: unknown) => {
  if (value === 1 || value === '1' || value === 'true') return true
  if (value === 0 || value === '0' || value === 'false') return false
  return value
}

/**
 * Text that may arrive as a number (`"mobile": 13800000000`). protocol.md §1.1. Lengths are in UTF-16 units,
 * of what `read` makes of it: a fold of `typed.ts` where people type it.
 */
/* @__NO_SIDE_EFFECTS__ */
export const text = (max: number, min = 0, read = (typed: string): string => typed) =>
  z.pipe(
    z.transform((value: unknown) => {
      const given = numberToText(value)
      return typeof given === 'string' ? read(given) : given
    }),
    z.string().check(z.minLength(min), z.maxLength(max)),
  )

/** A whole number that may arrive as text. protocol.md §1.1. */
/* @__NO_SIDE_EFFECTS__ */
export const int = (min = 0, max = Number.MAX_SAFE_INTEGER) =>
  z.pipe(z.transform(textToNumber), z.int().check(z.gte(min), z.lte(max)))

/** A boolean that may arrive as 0/1 or as text. protocol.md §1.7. */
/* @__NO_SIDE_EFFECTS__ */
export const flag = () => z.pipe(z.transform(textToFlag), z.boolean())

/** The answer of calls without one: `{}`; other fields are tolerated. */
export const nothing = z.looseObject({})
