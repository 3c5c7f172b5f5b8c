/**
 * The ledger: double entry in whole fen. Entries are written in the transaction of what they explain; the
 * database refuses to change or delete them, and to commit one that does not balance. Debits are positive,
 * credits negative.
 */
import { type PayWay, perWay } from '@guildhall/wire/payWay.ts'
import type { Fen, Millis } from '@guildhall/wire/unit.ts'
import type { Db, Tx } from '../kit/database/db.ts'
import type { Account, Balance, Entry, Line } from './entry.ts'
import * as rows from './sql.ts'

export type { Account, Entry, Line } from './entry.ts'

/** An account, and what it is. The part after the colon is a way to pay or a kind of product. */
export const accounts = {
  /** What a provider holds for us. */
  clearing: (way: PayWay) => ({ name: `clearing:${way}`, kind: 'asset' }),
  /** What we owe buyers: paid and not yet granted, or on its way back. */
  owed: () => ({ name: 'owed', kind: 'liability' }),
  /** What was sold and granted. */
  revenue: (product: string) => ({ name: `revenue:${product}`, kind: 'income' }),
  /** What was given back after it was granted. */
  refunds: (product: string) => ({ name: `refunds:${product}`, kind: 'expense' }),
  /** What a provider keeps of each payment. */
  fees: (way: PayWay) => ({ name: `fees:${way}`, kind: 'expense' }),
  /** What was granted without money: codes, gifts of the operator. */
  vouchers: (product: string) => ({ name: `vouchers:${product}`, kind: 'expense' }),
} as const satisfies Record<string, (of: never) => Account>

/** Moves a sum from one account to another. */
export const moved = (from: Account, to: Account, amount: Fen): readonly Line[] => [
  { account: to, amount },
  { account: from, amount: -amount },
]

/**
 * Writes an entry. Idempotent by kind and ref: false when it was written before.
 * @throws when it does not balance, or moves parts of a fen
 */
export async function post(tx: Tx, entry: Entry): Promise<boolean> {
  const lines = merged(entry.lines)
  if (lines.some(({ amount }) => !Number.isSafeInteger(amount)))
    throw new Error(`${entry.kind} ${entry.ref} moves parts of a fen`)
  if (lines.length === 0 || lines.reduce((sum, { amount }) => sum + amount, 0) !== 0)
    throw new Error(`${entry.kind} ${entry.ref} does not balance`)
  return rows.add(tx, entry, lines)
}

/** The lines with one per account, those that come to nothing left out. */
function merged(lines: readonly Line[]): readonly Line[] {
  const sums = new Map<string, Line>()
  for (const { account, amount } of lines)
    sums.set(account.name, { account, amount: (sums.get(account.name)?.amount ?? 0) + amount })
  return [...sums.values()].filter(({ amount }) => amount !== 0)
}

/** Every account with its balance, by name. */
export const balances = (db: Db): Promise<readonly Balance[]> => rows.balances(db)

/** The lines of the entries of an order, in their order. */
export const entriesOf = rows.ofOrder

/** What providers received and paid back within a time, ms. */
export async function moneyWithin(
  db: Db,
  span: { readonly from: Millis; readonly to: Millis },
): Promise<
  Readonly<Record<PayWay, { readonly gross: Fen; readonly refunds: Fen; readonly orders: number }>>
> {
  const found = await rows.moneyWithin(db, span)
  const of = (way: PayWay) => {
    const one = (kind: 'receive' | 'pay_back') =>
      found.find((it) => it.kind === kind && it.account === accounts.clearing(way).name)
    return {
      gross: one('receive')?.sum ?? 0,
      refunds: one('pay_back')?.sum ?? 0,
      orders: one('receive')?.orders ?? 0,
    }
  }
  return perWay(of)
}

/** What is wrong with the ledger itself, as sentences; none when it balances. */
export async function ledgerFaults(db: Db): Promise<readonly string[]> {
  const total = (await balances(db)).reduce((sum, { balance }) => sum + balance, 0)
  return [
    ...(total === 0 ? [] : [`all accounts together come to ${total} fen instead of 0`]),
    ...(await rows.unbalanced(db)).map(({ id, total }) => `entry ${id} comes to ${total} fen instead of 0`),
  ]
}
