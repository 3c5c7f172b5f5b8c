/**
 * Real names: what a name and the number of an identity card must look like, and what is shown of them.
 * commerce.md §5.
 */

import { beijingDaySpan } from '../beijing.ts'
import { route } from '../route.ts'
import { type Out, z } from '../schema.ts'
import { foldCode } from '../typed.ts'
import type { Millis } from '../unit.ts'
import { readName } from '../words.ts'

/** Accounts that one person may verify with the same identity card. */
export const REAL_NAME_ACCOUNTS_MAX = 3
export const REAL_NAME_MAX = 6
/** Of a name with dots, which belong to it. Decision 87. */
export const DOTTED_NAME_MAX = 25
export const ID_NUMBER_LENGTH = 18

/** GB/T 2260: provinces; 81 to 83 are residents of Hong Kong, Macao and Taiwan. */
const PROVINCES = new Set(
  '11 12 13 14 15 21 22 23 31 32 33 34 35 36 37 41 42 43 44 45 46 50 51 52 53 54 61 62 63 64 65 71 81 82 83'.split(
    ' ',
  ),
)
/** GB 11643: the weight of each digit, and the last character for each remainder. */
const WEIGHTS = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]
const LAST = '10X98765432'
const FIRST_YEAR = 1900

/** A number as it is stored: its last letter a capital. */
export const readIdNumber = (typed: string): string => foldCode(typed).toUpperCase()

/** A name as it is stored: the dots between its parts are `·`, however they were typed. */
export const readRealName = (typed: string): string => readName(typed).replace(/ ?[·•．] ?/g, '·')

/**
 * Whether a name is Chinese characters, at most six, or parts of them with single dots between, as people of
 * several peoples of China have, 25 characters in all. commerce.md §5, decision 87.
 */
export const isRealName = (name: string): boolean =>
  /^\p{Script=Han}+(?:·\p{Script=Han}+)*$/u.test(name) &&
  [...name].length <= (name.includes('·') ? DOTTED_NAME_MAX : REAL_NAME_MAX)

/**
 * Whether it can be the number of an identity card: province, date of birth until now, check digit. `now` in
 * ms.
 */
export function isIdNumber(number: string, now: Millis): boolean {
  const parts = /^(\d{2})\d{4}(\d{4})(\d{2})(\d{2})\d{3}[\dX]$/.exec(number)
  if (!parts) return false
  const [, province = '', year = '', month = '', day = ''] = parts
  if (!PROVINCES.has(province) || !isBirthday(`${year}-${month}-${day}`, now)) return false
  const sum = WEIGHTS.reduce((all, weight, at) => all + weight * Number(number[at]), 0)
  return LAST[sum % LAST.length] === number.at(-1)
}

/** Whether a day, `YYYY-MM-DD`, has begun in Beijing. */
function isBirthday(day: string, now: Millis): boolean {
  const at = beijingDaySpan(day)?.from ?? Number.POSITIVE_INFINITY
  return Number(day.slice(0, 4)) >= FIRST_YEAR && at <= now
}

/** What is ever shown: the last character of the name, and the last two of the number. */
export const maskName = (name: string): string => `*${[...name].at(-1) ?? ''}`
export const maskIdNumber = (number: string): string =>
  `${'*'.repeat(ID_NUMBER_LENGTH - 2)}${number.slice(-2)}`

/**
 * Whether the caller is verified. `name` and `number` are masked; empty: nobody can read them any more. Ours.
 */
export const viewRealName = route({
  method: 'GET',
  path: '/api/v3/user/real-name',
  dialect: 'v3',
  who: 'person',
  input: z.object({}),
  answer: z.object({
    /** False: nobody can be verified here. */
    offered: z.boolean(),
    verified: z.boolean(),
    /** ms; 0: not verified. */
    verified_at: z.number(),
    name: z.string(),
    number: z.string(),
  }),
  fails: [],
})
export type RealName = Out<(typeof viewRealName)['answer']>
