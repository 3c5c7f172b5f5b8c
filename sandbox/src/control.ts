/**
 * What a person does with the sandbox by command: what a buyer, an attacker and a bad day do. And a client
 * for it.
 */

import { PAY_WAYS } from '@guildhall/wire/payWay.ts'
import { type Out, z } from '@guildhall/wire/schema.ts'
import type { Contract } from './contractStore.ts'
import { FORGERIES, type Trade } from './tradeStore.ts'

const fen = z.int().check(z.gte(0))
const name = z.string().check(z.minLength(1), z.maxLength(64))

/** Each field is something that happens; without any of them the buyer pays, and the server is told. */
export const controlInput = z.strictObject({
  /**
   * The trade: by its number, or by what the buyer's device has (`PayData`). Its way, where both have the
   * number.
   */
  tradeNo: z.optional(name),
  way: z.optional(z.enum(PAY_WAYS)),
  open: z.optional(z.looseObject({ kind: z.string() })),

  // What the buyer does in place of paying.
  /** Nothing: the trade is answered as it is. */
  look: z.optional(z.boolean()),
  cancel: z.optional(z.boolean()),
  fail: z.optional(z.boolean()),
  /** Pays also what is closed or expired. */
  anyway: z.optional(z.boolean()),

  /**
   * Money is given back in the provider's console, after the payment. `state`: `done`, if nothing is said.
   */
  refund: z.optional(
    z.strictObject({
      refundNo: name,
      fee: fen,
      state: z.optional(z.enum(['waiting', 'done', 'closed', 'failed'])),
    }),
  ),
  /** What becomes of a refund that the server asked for. */
  settle: z.optional(z.strictObject({ refundNo: name, state: z.enum(['done', 'closed', 'failed']) })),
  /** Refunds from now on wait until they are settled. */
  refundsWait: z.optional(z.boolean()),

  // How the server is told.
  times: z.optional(z.int().check(z.gte(1), z.lte(10_000))),
  lateSeconds: z.optional(z.number().check(z.gte(0), z.lte(86_400))),
  lost: z.optional(z.boolean()),
  /** The refund is told before the payment. */
  reordered: z.optional(z.boolean()),
  forge: z.optional(z.enum(FORGERIES)),
  probe: z.optional(z.boolean()),
  fee: z.optional(fen),
  merchant: z.optional(name),
  app: z.optional(name),
  currency: z.optional(name),

  // Contracts.
  /**
   * A person signs one, or ends one in the provider's app; without a number the newest. The server is told as
   * the fields above say.
   */
  contract: z.optional(
    z.strictObject({
      contractNo: z.optional(name),
      do: z.enum(['look', 'sign', 'end', 'tell']),
      says: z.optional(z.enum(['signed', 'ended'])),
    }),
  ),
  /** What becomes of charges by contracts from now on: paid, taken and not paid, or refused. */
  charges: z.optional(z.enum(['pay', 'fail', 'refuse'])),
  /** From now on charges cannot be announced. */
  noticesFail: z.optional(z.boolean()),

  // The provider itself.
  /** The next calls of a way are slow, or answered that the provider is busy, or not at all. */
  calls: z.optional(
    z.strictObject({
      way: z.enum(PAY_WAYS),
      times: z.int().check(z.gte(0), z.lte(10_000)),
      slowMs: z.optional(z.int().check(z.gte(0), z.lte(60_000))),
      end: z.optional(z.enum(['answer', 'busy', 'hang up', 'lost answer'])),
    }),
  ),
  /** WeChat signs with a new certificate from now on. */
  newKeys: z.optional(z.enum(PAY_WAYS)),
  /**
   * The trade's payment is in the bill with another amount, or not at all; or the bill has one that nobody
   * made.
   */
  bill: z.optional(
    z.union([
      z.strictObject({ fee: fen }),
      z.strictObject({ isMissing: z.literal(true) }),
      z.strictObject({ extra: z.strictObject({ tradeNo: name, fee: fen }) }),
    ]),
  ),
})
export type ControlInput = Out<typeof controlInput>

export interface NotifiedMessage {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly at: number
}

/** `status` 0: no answer, or none within five seconds. */
export interface Answered {
  readonly status: number
  readonly body: string
}

export interface ControlAnswer {
  readonly trade: Trade | null
  readonly contract: Contract | null
  /** The cashier of the trade; empty without one. */
  readonly cashier: string
  /** What the server was told at once, and what it answered to each. */
  readonly told: readonly NotifiedMessage[]
  readonly answered: readonly Answered[]
}

/** The sandbox does not do that; `message` is a sentence. */
export class ControlRefused extends Error {
  override name = 'ControlRefused'
}

/** A client of `POST /control`. `token`: the sandbox's own. */
export function openControl({
  url,
  token,
}: {
  readonly url: string
  readonly token: string
}): (input: ControlInput) => Promise<ControlAnswer> {
  return async (input) => {
    const answer = await fetch(`${url}/control`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(input),
    })
    const body = await answer.text()
    if (answer.status !== 200) throw new ControlRefused(`${answer.status}: ${body}`)
    return JSON.parse(body) as ControlAnswer
  }
}
