/** What a control does, in the book and to the server. */

import { clock } from '../kit/clock.ts'
import { ids } from '../kit/ids.ts'
import type { PayData, PayWay } from '../outside/payProvider.ts'
import { type Book, BookRefused, type Evil, type Refund, type Trade } from './book.ts'
import { type ControlAnswer, type ControlInput, ControlRefused } from './control.ts'
import type { Dialogue } from './dialogue.ts'
import type { Moods } from './moods.ts'
import type { Sent, Teller } from './teller.ts'

export interface ActDeps {
  readonly book: Book
  readonly teller: Teller
  readonly moods: Moods
  readonly dialogues: readonly Dialogue[]
  readonly dialogueOf: (way: PayWay) => Dialogue
  readonly cashier: (trade: Trade) => string
}

/** @throws ControlRefused */
export async function act(deps: ActDeps, input: ControlInput): Promise<ControlAnswer> {
  if (input.calls) deps.moods.set(input.calls)
  if (input.refundsWait !== undefined) deps.moods.refundsWait = input.refundsWait
  if (input.newKeys) await changeKeys(deps, input.newKeys)
  const isOfTrade = input.tradeNo !== undefined || input.open !== undefined
  if (!isOfTrade) return answer(deps, null, [])
  const trade = find(deps, input)
  try {
    return await actOnTrade(deps, trade, input)
  } catch (error) {
    if (error instanceof BookRefused) throw new ControlRefused(error.message)
    throw error
  }
}

async function changeKeys({ dialogueOf }: ActDeps, way: PayWay): Promise<void> {
  const change = dialogueOf(way).changeKeys
  if (!change) throw new ControlRefused(`${way} does not change its keys`)
  await change()
}

function find({ book, dialogues }: ActDeps, { tradeNo, way, open }: ControlInput): Trade {
  const wanted = dialogues.filter((it) => way === undefined || it.way === way)
  const found =
    tradeNo !== undefined
      ? wanted.map((it) => book.find({ way: it.way, tradeNo }))
      : wanted.map((it) => it.open(open as unknown as PayData))
  const trade = found.find((it) => it !== null)
  if (!trade) throw new ControlRefused('there is no such trade')
  return trade
}

async function actOnTrade(deps: ActDeps, trade: Trade, input: ControlInput): Promise<ControlAnswer> {
  const { book } = deps
  if (input.bill) {
    if ('extra' in input.bill) {
      const { tradeNo, fee } = input.bill.extra
      const line = { kind: 'payment', tradeNo, refundNo: '', fee, charge: 0, at: clock.now() } as const
      book.addToBill(trade.way, { ...line, providerNo: ids.digits(28) })
    } else book.differ(trade, input.bill)
  }
  if (input.settle) {
    const { refundNo, state } = input.settle
    book.settleRefund(trade, refundNo, state)
    return answer(deps, trade, await tellRefund(deps, trade, refundNo, input))
  }
  // The buyer goes away, or the bank refuses: the trade waits on, and nobody is told.
  const isLook = input.look || input.cancel || input.fail || input.bill !== undefined
  if (isLook) return answer(deps, trade, [])
  return answer(deps, trade, await payAndTell(deps, trade, input))
}

async function payAndTell(deps: ActDeps, before: Trade, input: ControlInput): Promise<readonly Sent[]> {
  const { book, teller } = deps
  const evil = evilOf(input)
  // Who forges a message needs no payment, and one that is paid is told again.
  const isPaying = before.state !== 'paid' && evil.forge === undefined && !evil.probe
  const trade = isPaying ? book.pay(before, input.anyway) : before
  const tellPayment = (): Promise<readonly Sent[]> => {
    const { lost, lateSeconds } = input
    const lateMs = lateSeconds === undefined ? undefined : lateSeconds * 1_000
    const note = teller.note(trade, {
      ...{ refund: null, evil, isLost: lost === true },
      ...(lateMs !== undefined && { lateMs }),
    })
    return lost || lateMs !== undefined ? Promise.resolve([]) : teller.tell(trade, note, input.times ?? 1)
  }
  if (!input.refund) return tellPayment()
  const isRefundOnly = !isPaying && evil.forge === undefined
  if (isRefundOnly) return refundAndTell(deps, trade, input)
  if (!input.reordered) return [...(await tellPayment()), ...(await refundAndTell(deps, trade, input))]
  return [...(await refundAndTell(deps, trade, input)), ...(await tellPayment())]
}

async function refundAndTell(deps: ActDeps, trade: Trade, input: ControlInput): Promise<readonly Sent[]> {
  const { refundNo, fee, state = 'done' } = input.refund!
  deps.book.refund(trade, { refundNo, fee, state, notifyUrl: trade.notifyUrl })
  return state === 'waiting' ? [] : tellRefund(deps, trade, refundNo, input)
}

async function tellRefund(
  { book, teller }: ActDeps,
  trade: Trade,
  refundNo: string,
  input: ControlInput,
): Promise<readonly Sent[]> {
  const refund = book.find(trade)?.refunds.find((it): it is Refund => it.refundNo === refundNo)
  if (!refund || refund.notifyUrl === '') return []
  const note = teller.note(trade, { refund, evil: evilOf(input), isLost: input.lost === true })
  return input.lost ? [] : teller.tell(trade, note, input.times ?? 1)
}

function evilOf({ forge, probe, fee, merchant, app, currency }: ControlInput): Evil {
  return {
    ...(forge !== undefined && { forge }),
    ...(probe !== undefined && { probe }),
    ...(fee !== undefined && { fee }),
    ...(merchant !== undefined && { merchant }),
    ...(app !== undefined && { app }),
    ...(currency !== undefined && { currency }),
  }
}

function answer({ book, cashier }: ActDeps, trade: Trade | null, sent: readonly Sent[]): ControlAnswer {
  const now = trade && book.find(trade)
  return {
    ...{ trade: now, cashier: now ? cashier(now) : '' },
    told: sent.map(({ message }) => message),
    answered: sent.map(({ answered }) => answered),
  }
}
