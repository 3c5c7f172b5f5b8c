/** Numbers that name their country. Apart from `mobile.ts`, because the invite does not need it. */
import { foldNumber, type Mobile } from './mobile.ts'

/** An international number: its code, and the rest. No code begins with another one. ITU-T E.164. */
const DIALLED = /^(?:\+|00)(1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|[2-9]\d\d)(\d+)$/

/** A number that names its country, as `+852 6123 4567` and `00852…` do; null for all others. */
export function readAbroad(typed: string): Mobile | null {
  const [, prefix, mobile] = DIALLED.exec(foldNumber(typed)) ?? []
  return prefix && mobile ? { prefix, mobile } : null
}
