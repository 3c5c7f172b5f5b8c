/** The sandbox's own store of trades and refunds, one for both ways. */
import { clock } from '@guildhall/server/kit/clock.ts'
import { ids } from '@guildhall/server/kit/ids.ts'
import type { BillLine, TradeScene } from '@guildhall/server/outside/payment/payProvider.ts'
import { beijingDay, beijingTime } from '@guildhall/wire/beijing.ts'
import type { PayWay } from '@guildhall/wire/payWay.ts'
import type { Fen, Millis } from '@guildhall/wire/unit.ts'
import { JsonLines } from './jsonLines.ts'

export interface NewTrade {
  readonly way: PayWay
  readonly tradeNo: string
  readonly scene: TradeScene
  readonly merchant: string
  readonly app: string
  readonly fee: Fen
  readonly subject: string
  readonly notifyUrl: string
  /** Where the cashier sends the buyer back; empty: the buyer stays. */
  readonly returnUrl: string
  readonly expiresAt: Millis
  /** What else its way keeps, for example WeChat's prepay id. */
  readonly more: Readonly<Record<string, string>>
}

export interface Trade extends NewTrade {
  /** Of the cashier's address. */
  readonly token: string
  readonly madeAt: Millis
  /** `waiting` also after `expiresAt` (`isExpired`); `paid` also after a refund. */
  readonly state: 'waiting' | 'paid' | 'closed'
  /** The provider's number; empty before it is paid. */
  readonly providerNo: string
  readonly paidAt: Millis | null
  readonly refunds: readonly Refund[]
  /** The messages to the server about it, oldest first. */
  readonly deliveries: readonly TradeDelivery[]
}

export interface Refund {
  /** The merchant's number. */
  readonly refundNo: string
  readonly fee: Fen
  /** `failed`: the money cannot be given back this way; `closed`: it is not given back. */
  readonly state: 'waiting' | 'done' | 'closed' | 'failed'
  readonly providerRefundNo: string
  readonly madeAt: Millis
  /** When the money was given back. */
  readonly at: Millis | null
  /** Empty: nobody is told. */
  readonly notifyUrl: string
  readonly reason: string
}

/**
 * How a message is not genuine. `signature`: signed with another key; `body`: changed after it was signed;
 * `serial`: signed by a certificate that nobody knows; `stale`: made ten minutes ago; `secret`: encrypted
 * with another key; `unsigned`: not signed.
 */
export const FORGERIES = ['signature', 'body', 'serial', 'stale', 'secret', 'unsigned'] as const

/** How a message to the server differs from what it should be. */
export interface Tamper {
  readonly forge?: (typeof FORGERIES)[number]
  /** The provider tests whether the server verifies: the signature is wrong on purpose, and marked. */
  readonly probe?: boolean
  // What follows is genuinely signed.
  readonly fee?: Fen
  readonly merchant?: string
  readonly app?: string
  readonly currency?: string
}

/** A message to the server. */
export interface Delivery {
  readonly id: string
  readonly tamper: Tamper
  /** How often it was sent. */
  readonly sent: number
  /** When it is sent next; null: it was taken, or is given up. */
  readonly nextAt: Millis | null
  readonly isTaken: boolean
}

/** A message about a payment or a refund. */
export interface TradeDelivery extends Delivery {
  /** Empty: about the payment. */
  readonly refundNo: string
}

/**
 * How the bill differs from the store in the payment of a trade: by amount, or in that it has no such line.
 */
export type Difference = { readonly fee: Fen } | { readonly isMissing: true }

/** A line of a bill with what it is of; null for a line that only the bill has. */
export interface BillEntry {
  readonly line: BillLine
  readonly trade: Trade | null
  readonly refund: Refund | null
}

export interface Key {
  readonly way: PayWay
  readonly tradeNo: string
}

const REFUSALS = ['unknown', 'paid', 'closed', 'expired', 'not_paid', 'too_much', 'other'] as const

/** What a provider does not do. The ways have a code of their own for each. */
export class StoreRefused extends Error {
  override name = 'StoreRefused'
  readonly code: (typeof REFUSALS)[number]
  constructor(code: (typeof REFUSALS)[number]) {
    super(`the store refuses: ${code}`)
    this.code = code
  }
}

export interface NewRefund {
  readonly refundNo: string
  readonly fee: Fen
  /** `done`, if nothing is said. */
  readonly state?: Refund['state']
  readonly notifyUrl?: string
  readonly reason?: string
}

type Change = Partial<Pick<Trade, 'state' | 'providerNo' | 'paidAt' | 'expiresAt' | 'returnUrl' | 'more'>>

type Entry =
  | { readonly trade: Trade }
  | ({ readonly change: Change } & Key)
  | ({ readonly refund: Refund } & Key)
  | ({ readonly delivery: TradeDelivery } & Key)
  | ({ readonly difference: Difference } & Key)
  | { readonly extra: BillLine; readonly way: PayWay }

export const isExpired = ({ state, expiresAt }: Trade): boolean =>
  state === 'waiting' && clock.now() >= expiresAt

/** What of a trade was given back, or is about to be. */
export const refundedOf = ({ refunds }: Trade): Fen =>
  refunds.reduce((sum, { state, fee }) => (state === 'done' || state === 'waiting' ? sum + fee : sum), 0)

/** What a provider keeps of a payment: 0.6 %, which it gives back with a refund. */
const chargeOf = (fee: Fen): Fen => Math.round((fee * 6) / 1000)

export class TradeStore {
  readonly #lines: JsonLines<Entry>
  readonly #trades = new Map<string, Trade>()
  readonly #byToken = new Map<string, string>()
  /** Of the messages that are still to be sent: the trade, by the message's id. */
  readonly #pending = new Map<string, Key>()
  readonly #differences = new Map<string, Difference>()
  readonly #extras: { readonly way: PayWay; readonly line: BillLine }[] = []

  constructor(file: string) {
    this.#lines = new JsonLines(file, (entry) => this.#apply(entry))
  }

  close(): void {
    this.#lines.close()
  }

  find({ way, tradeNo }: Key): Trade | null {
    return this.#trades.get(`${way} ${tradeNo}`) ?? null
  }

  byToken(token: string): Trade | null {
    return this.#trades.get(this.#byToken.get(token) ?? '') ?? null
  }

  byProviderNo(way: PayWay, providerNo: string): Trade | null {
    if (providerNo === '') return null
    return [...this.#trades.values()].find((it) => it.way === way && it.providerNo === providerNo) ?? null
  }

  /** The newest trades, the newest first. */
  newest(count: number): readonly Trade[] {
    return [...this.#trades.values()].slice(-count).reverse()
  }

  all(): Iterable<Trade> {
    return this.#trades.values()
  }

  /** Makes a trade, or returns the one that has its number: the way compares them. */
  make(input: NewTrade): Trade {
    const made = { state: 'waiting', providerNo: '', paidAt: null, refunds: [], deliveries: [] } as const
    return (
      this.find(input) ??
      this.#write({ trade: { ...input, ...made, token: ids.token(), madeAt: clock.now() } }, input)
    )
  }

  /** What a way learns of a trade later. @throws StoreRefused unknown */
  change(key: Key, change: Pick<Change, 'expiresAt' | 'returnUrl' | 'more'>): Trade {
    this.#need(key)
    return this.#write({ ...keyOf(key), change }, key)
  }

  /**
   * The buyer pays. `anyway`: also what is closed or expired, as when a bank takes its time.
   * @throws StoreRefused unknown, paid, closed, expired
   */
  pay(key: Key, anyway = false): Trade {
    const trade = this.#need(key)
    if (trade.state === 'paid') throw new StoreRefused('paid')
    if (trade.state === 'closed' && !anyway) throw new StoreRefused('closed')
    if (isExpired(trade) && !anyway) throw new StoreRefused('expired')
    const change: Change = { state: 'paid', providerNo: numberOf(key.way), paidAt: clock.now() }
    return this.#write({ ...keyOf(key), change }, key)
  }

  /** Nobody can pay it any more. @throws StoreRefused unknown, paid */
  closeTrade(key: Key): Trade {
    const trade = this.#need(key)
    if (trade.state === 'paid') throw new StoreRefused('paid')
    return trade.state === 'closed' ? trade : this.#write({ ...keyOf(key), change: { state: 'closed' } }, key)
  }

  /**
   * Gives money back. The same number again is the same refund.
   * @throws StoreRefused unknown, not_paid, too_much, other (the number is of a refund of another amount)
   */
  refund(
    key: Key,
    input: NewRefund,
  ): { readonly trade: Trade; readonly refund: Refund; readonly isNew: boolean } {
    const trade = this.#need(key)
    const before = trade.refunds.find(({ refundNo }) => refundNo === input.refundNo)
    if (before && before.fee !== input.fee) throw new StoreRefused('other')
    if (before) return { trade, refund: before, isNew: false }
    if (trade.state !== 'paid') throw new StoreRefused('not_paid')
    if (input.fee <= 0 || refundedOf(trade) + input.fee > trade.fee) throw new StoreRefused('too_much')
    const state = input.state ?? 'done'
    const refund: Refund = {
      refundNo: input.refundNo,
      fee: input.fee,
      state,
      providerRefundNo: numberOf(key.way, '5'),
      madeAt: clock.now(),
      at: state === 'done' ? clock.now() : null,
      notifyUrl: input.notifyUrl ?? '',
      reason: input.reason ?? '',
    }
    return { trade: this.#write({ ...keyOf(key), refund }, key), refund, isNew: true }
  }

  /** What becomes of a refund. @throws StoreRefused unknown */
  settleRefund(key: Key, refundNo: string, state: Refund['state']): Trade {
    const refund = this.#need(key).refunds.find((it) => it.refundNo === refundNo)
    if (!refund) throw new StoreRefused('unknown')
    const at = state === 'done' ? (refund.at ?? clock.now()) : null
    return this.#write({ ...keyOf(key), refund: { ...refund, state, at } }, key)
  }

  /** A new message about a trade, or what became of one. @throws StoreRefused unknown */
  deliver(key: Key, delivery: TradeDelivery): Trade {
    this.#need(key)
    return this.#write({ ...keyOf(key), delivery }, key)
  }

  /** The messages that are still to be sent. */
  pending(): readonly { readonly trade: Trade; readonly delivery: TradeDelivery }[] {
    return [...this.#pending].flatMap(([id, key]) => {
      const trade = this.#need(key)
      const delivery = trade.deliveries.find((it) => it.id === id)
      return delivery ? [{ trade, delivery }] : []
    })
  }

  /** From now on bills differ from the store in this trade. @throws StoreRefused unknown */
  differ(key: Key, difference: Difference): Trade {
    this.#need(key)
    return this.#write({ ...keyOf(key), difference }, key)
  }

  /** From now on a bill has a line that is not in the store. */
  addToBill(way: PayWay, extra: BillLine): void {
    this.#append({ extra, way })
  }

  /** The bill of a day of Beijing, by time. */
  billOf(way: PayWay, day: string): readonly BillEntry[] {
    const lines: BillEntry[] = this.#extras
      .filter((it) => it.way === way)
      .map(({ line }) => ({ line, trade: null, refund: null }))
    for (const trade of this.#trades.values()) if (trade.way === way) lines.push(...this.#linesOf(trade))
    return lines.filter(({ line }) => beijingDay(line.at) === day).sort((a, b) => a.line.at - b.line.at)
  }

  #linesOf(trade: Trade): BillEntry[] {
    const { tradeNo, providerNo, paidAt } = trade
    if (paidAt === null) return []
    const difference = this.#differences.get(`${trade.way} ${tradeNo}`)
    const fee = difference && 'fee' in difference ? difference.fee : trade.fee
    const payment: BillLine = {
      kind: 'payment',
      tradeNo,
      providerNo,
      refundNo: '',
      fee,
      charge: chargeOf(fee),
      at: paidAt,
    }
    const isMissing = difference !== undefined && 'isMissing' in difference
    const refunds = trade.refunds.flatMap((refund): BillEntry[] => {
      const { refundNo, at } = refund
      if (at === null) return []
      const charge = chargeOf(refund.fee) === 0 ? 0 : -chargeOf(refund.fee)
      const line: BillLine = {
        kind: 'refund',
        tradeNo,
        providerNo,
        refundNo,
        fee: refund.fee,
        charge,
        at,
      }
      return [{ line, trade, refund }]
    })
    return isMissing ? refunds : [{ line: payment, trade, refund: null }, ...refunds]
  }

  #need(key: Key): Trade {
    const trade = this.find(key)
    if (!trade) throw new StoreRefused('unknown')
    return trade
  }

  #write(entry: Entry, key: Key): Trade {
    this.#append(entry)
    return this.#need(key)
  }

  /** Written before it counts. */
  #append(entry: Entry): void {
    this.#lines.append(entry)
    this.#apply(entry)
  }

  #apply(entry: Entry): void {
    if ('extra' in entry) {
      this.#extras.push({ way: entry.way, line: entry.extra })
      return
    }
    const { way, tradeNo } = 'trade' in entry ? entry.trade : entry
    const name = `${way} ${tradeNo}`
    if ('difference' in entry) this.#differences.set(name, entry.difference)
    const trade = 'trade' in entry ? entry.trade : this.#trades.get(name)
    if (!trade) return
    if ('delivery' in entry && entry.delivery.nextAt === null) this.#pending.delete(entry.delivery.id)
    else if ('delivery' in entry) this.#pending.set(entry.delivery.id, keyOf(trade))
    this.#trades.set(name, changed(trade, entry))
    this.#byToken.set(trade.token, name)
  }
}

function changed(trade: Trade, entry: Entry): Trade {
  if ('change' in entry) return { ...trade, ...entry.change }
  if ('refund' in entry) {
    const at = trade.refunds.findIndex(({ refundNo }) => refundNo === entry.refund.refundNo)
    return { ...trade, refunds: put(trade.refunds, at, entry.refund) }
  }
  if ('delivery' in entry) {
    const at = trade.deliveries.findIndex(({ id }) => id === entry.delivery.id)
    return { ...trade, deliveries: put(trade.deliveries, at, entry.delivery) }
  }
  return trade
}

/** The list with an item in place of the one at an index; at its end for -1. */
const put = <T>(list: readonly T[], at: number, item: T): readonly T[] =>
  at === -1 ? [...list, item] : list.with(at, item)

const keyOf = ({ way, tradeNo }: Key): Key => ({ way, tradeNo })

/** A number as the providers have them: 28 digits, a day among them. `first`: of a refund, at WeChat. */
function numberOf(way: PayWay, first = '4'): string {
  const day = beijingTime(clock.now()).slice(0, 10).replaceAll('-', '')
  return way === 'wechat'
    ? `${first}2000${ids.digits(5)}${day}${ids.digits(10)}`
    : `${day}22001${ids.digits(15)}`
}
