/** What one member of staff may do without another one. */
import { ConfigError } from './configError.ts'
import type { Read } from './variables.ts'

/** Sums are fen. */
export interface StaffBounds {
  /** What a batch of codes may be worth. */
  readonly batchFen: number
  /** What all staff may make within a day of Beijing: codes, and BUFF that is given. */
  readonly dayFen: number
  /** By how much a price may change. */
  readonly pricePercent: number
}

/** Ten million yuan. */
const FEN_MAX = 1_000_000_000
const PERCENT_MAX = 1_000_000

export const readStaffBounds = (read: Read): StaffBounds => ({
  batchFen: readBound('STAFF_BATCH_VALUE_FEN', read, { usual: 50_000, most: FEN_MAX }),
  dayFen: readBound('STAFF_DAILY_VALUE_FEN', read, { usual: 500_000, most: FEN_MAX }),
  pricePercent: readBound('STAFF_PRICE_CHANGE_PERCENT', read, { usual: 20, most: PERCENT_MAX }),
})

/** @throws ConfigError */
function readBound(
  name: 'STAFF_BATCH_VALUE_FEN' | 'STAFF_DAILY_VALUE_FEN' | 'STAFF_PRICE_CHANGE_PERCENT',
  read: Read,
  { usual, most }: { readonly usual: number; readonly most: number },
): number {
  const value = read(name)
  if (value === null) return usual
  if (/^\d{1,10}$/.test(value) && Number(value) <= most) return Number(value)
  throw new ConfigError(`${name} must be a whole number from 0 to ${most}, not "${value}".`)
}
