/** What the ledger keeps: entries of balanced lines on accounts. */
import type { Fen } from '@guildhall/wire/unit.ts'

export interface Account {
  readonly name: string
  readonly kind: 'asset' | 'liability' | 'income' | 'expense'
}

export interface Entry {
  /** What happened, with `ref`: an entry of the same two is written once. */
  readonly kind: 'receive' | 'grant' | 'refund' | 'pay_back' | 'fee' | 'voucher'
  readonly ref: string
  readonly orderId: string | null
  /** ms */
  readonly at: number
  readonly lines: readonly Line[]
}

export interface Line {
  readonly account: Account
  readonly amount: Fen
}

export interface Balance {
  readonly account: string
  readonly kind: string
  readonly balance: Fen
}
