/**
 * What the sandbox has of each provider: how it is spoken with. One store, one address, one cashier for all
 * of them.
 */

import type { PayData } from '@guildhall/server/outside/payment/payProvider.ts'
import type { PayWay } from '@guildhall/wire/payWay.ts'
import type { Millis } from '@guildhall/wire/unit.ts'
import type { Contract, ContractStore } from './contractStore.ts'
import type { SandboxKeys } from './keys.ts'
import type { ProviderFaults } from './providerFaults.ts'
import type { Refund, Tamper, Trade, TradeStore } from './tradeStore.ts'

export interface SandboxRequest {
  readonly method: string
  /** Without the query. */
  readonly path: string
  /** With `?`, as it was sent; empty without a query. */
  readonly search: string
  /** Names are in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** The exact bytes. */
  readonly body: Buffer
}

export interface SandboxAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
}

/** A message to the server. */
export interface SandboxMessage {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** What a message is about. Each time that it is sent it is written anew, so that it is fresh. */
export interface PaymentNotification {
  /** Of the message; the same when it is sent again. */
  readonly id: string
  readonly trade: Trade
  /** Null: the payment is told. */
  readonly refund: Refund | null
  readonly tamper: Tamper
}

/** What a message about a contract is about. */
export interface ContractNotification {
  readonly id: string
  readonly contract: Contract
  readonly says: 'signed' | 'ended'
  readonly tamper: Tamper
}

/** The dialogue of a way. */
export interface Dialogue {
  readonly way: PayWay
  /**
   * Whether a path is of this way; the sandbox asks `handle` then. `/`, `/cashier/…` and `/control` are its
   * own.
   */
  isMine(path: string): boolean
  /** Answers a call of the merchant, or of the buyer's browser. */
  handle(request: SandboxRequest): Promise<SandboxAnswer>
  /** What a call is answered when the provider has no time. */
  busy(request: SandboxRequest): SandboxAnswer
  /** How long is waited before a message is sent again, each time, ms. */
  readonly waits: readonly Millis[]
  notificationOf(notification: PaymentNotification): Promise<SandboxMessage>
  contractMessageOf(notification: ContractNotification): Promise<SandboxMessage>
  /** Whether the server needs not be told again. `notification`: what it answers to. */
  wasTaken(status: number, body: string, notification: Pick<SandboxMessage, 'body'>): boolean
  /**
   * A person's browser arrives at the page of a contract; a text: why it may not. Without it the page opens
   * as it is.
   */
  arriveAtContract?(contract: Contract, request: SandboxRequest): Contract | string
  /**
   * What the buyer's app opens with the data of a page or of a native app: a trade, which some ways make only
   * then; null when the app refuses the data.
   */
  open(data: PayData): Trade | null
  /**
   * A buyer's browser arrives at the cashier with this query, which may say where it returns to; null when
   * the address is too old. Without it the cashier opens as it is.
   */
  arrive?(trade: Trade, query: URLSearchParams): Trade | null
  /** New keys, as the provider makes from time to time; the ones before count for a while. */
  changeKeys?(): Promise<void>
}

export interface DialogueDeps {
  readonly store: TradeStore
  readonly keys: SandboxKeys
  readonly contracts: ContractStore
  /** A way asks it whether refunds wait, and what becomes of notices and charges. */
  readonly faults: Pick<ProviderFaults, 'refundsWait' | 'charges' | 'noticesFail'>
  /** The sandbox's own address, without a slash at its end. */
  readonly url: string
  /** The cashier's address of a trade. */
  readonly cashier: (trade: Trade) => string
  /** The address of the page on which a person signs or ends a contract. */
  readonly contractPage: (contract: Contract) => string
  /** Tells the server what became of a refund, or with null of the payment; returns at once. */
  readonly notify: (trade: Trade, refund: Refund | null) => void
  /** Tells the server that a contract was signed, or ended; returns at once. */
  readonly notifyContract: (contract: Contract, says: ContractNotification['says']) => void
}
