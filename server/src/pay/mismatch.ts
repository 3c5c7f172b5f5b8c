/**
 * Whether what a provider says of a payment fits what was asked for: merchant, application, currency, sum.
 */
import type { Fen } from '@guildhall/wire/unit.ts'
import type { PaidFact } from '../outside/payment/payProvider.ts'

/** What a payment was begun with, and what the merchant is. */
export interface Expected {
  readonly fee: Fen
  readonly merchant: string
  readonly apps: readonly string[]
}

export const MISMATCHES = ['unknown', 'merchant', 'app', 'currency', 'amount', 'number'] as const
/**
 * What does not fit in what a provider says: a trade that is not ours, another merchant, application,
 * currency, sum, or number.
 */
export type Mismatch = (typeof MISMATCHES)[number]

/** Null: the payment is what was asked for. */
export function mismatchOf(
  fact: PaidFact,
  expected: Expected,
): Exclude<Mismatch, 'unknown' | 'number'> | null {
  if (fact.merchant !== expected.merchant) return 'merchant'
  if (!expected.apps.includes(fact.app)) return 'app'
  if (fact.currency !== 'CNY') return 'currency'
  return fact.fee === expected.fee ? null : 'amount'
}
