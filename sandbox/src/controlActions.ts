/** What a control does, in the store and to the server. */

import { clock } from '@guildhall/server/kit/clock.ts'
import { ids } from '@guildhall/server/kit/ids.ts'
import type { PayData } from '@guildhall/server/outside/payment/payProvider.ts'
import type { PayWay } from '@guildhall/wire/payWay.ts'
import { SECOND_MS } from '@guildhall/wire/unit.ts'
import type { Contract, ContractDelivery } from './contractStore.ts'
import { type ControlAnswer, type ControlInput, ControlRefused } from './control.ts'
import type { Dialogue, DialogueDeps } from './dialogue.ts'
import type { Notifier, Sent } from './notifier.ts'
import type { ProviderFaults } from './providerFaults.ts'
import { StoreRefused, type Tamper, type Trade, type TradeDelivery } from './tradeStore.ts'

export interface ActDeps extends Pick<DialogueDeps, 'store' | 'contracts' | 'cashier' | 'contractPage'> {
  readonly notifier: Notifier<Trade, Pick<TradeDelivery, 'refundNo'>>
  readonly contractNotifier: Notifier<Contract, Pick<ContractDelivery, 'says'>>
  readonly faults: ProviderFaults
  readonly dialogues: readonly Dialogue[]
  readonly dialogueOf: (way: PayWay) => Dialogue
}

/** Resolves when the server was told and has answered. @throws ControlRefused */
export async function act(deps: ActDeps, input: ControlInput): Promise<ControlAnswer> {
  const { store, faults, cashier } = deps
  if (input.calls) faults.set(input.calls)
  if (input.refundsWait !== undefined) faults.refundsWait = input.refundsWait
  if (input.charges !== undefined) faults.charges = input.charges
  if (input.noticesFail !== undefined) faults.noticesFail = input.noticesFail
  if (input.newKeys) await changeKeys(deps, input.newKeys)
  if (input.contract) return actOnContract(deps, input, input.contract)
  if (input.tradeNo === undefined && input.open === undefined)
    return { trade: null, contract: null, cashier: '', told: [], answered: [] }
  const found = find(deps, input)
  const sent = await actOnTrade(deps, found, input)
  const trade = store.find(found)
  return {
    trade,
    contract: contractOf(deps, found),
    cashier: cashier(found),
    told: sent.map(({ message }) => message),
    answered: sent.map(({ answered }) => answered),
  }
}

/** The contract that a trade signs. */
const contractOf = ({ contracts }: ActDeps, { way, more }: Trade): Contract | null =>
  more.contractNo === undefined ? null : contracts.find(way, more.contractNo)

async function actOnContract(
  deps: ActDeps,
  input: ControlInput,
  wanted: NonNullable<ControlInput['contract']>,
): Promise<ControlAnswer> {
  const found = deps.contracts
    .all()
    .findLast(
      (it) =>
        (wanted.contractNo === undefined || it.contractNo === wanted.contractNo) &&
        (input.way === undefined || it.way === input.way),
    )
  if (!found) throw new ControlRefused('there is no such contract')
  const sent = await changeContract(deps, found, input, wanted)
  return {
    trade: null,
    contract: deps.contracts.find(found.way, found.contractNo),
    cashier: deps.contractPage(found),
    told: sent.map(({ message }) => message),
    answered: sent.map(({ answered }) => answered),
  }
}

/**
 * When it returns, the contract is changed; its promise is of what the server was told. @throws
 * ControlRefused
 */
export function changeContract(
  deps: ActDeps,
  contract: Contract,
  input: ControlInput,
  it: NonNullable<ControlInput['contract']>,
): Promise<readonly Sent[]> {
  if (it.do === 'look') return Promise.resolve([])
  if (it.do === 'tell') return notifyContract(deps, contract, it.says ?? 'signed', input)
  if (it.do === 'sign' && contract.state !== 'offered') throw new ControlRefused('it was signed before')
  if (it.do === 'end' && contract.state !== 'signed') throw new ControlRefused('it is not signed')
  const changed = it.do === 'sign' ? deps.contracts.sign(contract) : deps.contracts.end(contract)
  return notifyContract(deps, changed, it.do === 'sign' ? 'signed' : 'ended', input)
}

function notifyContract(
  { contractNotifier }: ActDeps,
  contract: Contract,
  says: 'signed' | 'ended',
  input: ControlInput,
): Promise<readonly Sent[]> {
  const { lost = false, lateSeconds = 0, times = 1 } = input
  const lateMs = lateSeconds * SECOND_MS
  const sending = { isLost: lost, lateMs }
  const delivery = contractNotifier.add(contract, { says, tamper: tamperOf(input) }, sending)
  return lost || lateMs > 0 ? Promise.resolve([]) : contractNotifier.notify(contract, delivery, times)
}

async function changeKeys({ dialogueOf }: ActDeps, way: PayWay): Promise<void> {
  const dialogue = dialogueOf(way)
  if (!dialogue.changeKeys) throw new ControlRefused(`${way} does not change its keys`)
  await dialogue.changeKeys()
}

function find({ store, dialogues }: ActDeps, { tradeNo, way, open }: ControlInput): Trade {
  const wanted = dialogues.filter((it) => way === undefined || it.way === way)
  const found = wanted.map((it) =>
    tradeNo === undefined ? it.open(open as unknown as PayData) : store.find({ way: it.way, tradeNo }),
  )
  const trade = found.find((it) => it !== null)
  if (!trade) throw new ControlRefused('there is no such trade')
  return trade
}

/**
 * When it returns, the store has what happened; its promise is of what the server was told.
 * @throws ControlRefused
 */
export function actOnTrade(deps: ActDeps, trade: Trade, input: ControlInput): Promise<readonly Sent[]> {
  try {
    if (input.bill) return nobodyIsNotified(() => changeBill(deps, trade, input.bill!))
    if (input.settle) {
      const { refundNo, state } = input.settle
      deps.store.settleRefund(trade, refundNo, state)
      return notifyRefund(deps, trade, refundNo, input)
    }
    // The buyer goes away, or the bank refuses: the trade waits on.
    if (input.look || input.cancel || input.fail) return nobodyIsNotified(() => undefined)
    return payAndNotify(deps, trade, input)
  } catch (error) {
    if (error instanceof StoreRefused) throw new ControlRefused(error.message)
    throw error
  }
}

function nobodyIsNotified(act: () => unknown): Promise<readonly Sent[]> {
  act()
  return Promise.resolve([])
}

function changeBill({ store }: ActDeps, trade: Trade, bill: NonNullable<ControlInput['bill']>): void {
  if (!('extra' in bill)) store.differ(trade, bill)
  else
    store.addToBill(trade.way, {
      kind: 'payment',
      refundNo: '',
      charge: 0,
      at: clock.now(),
      providerNo: ids.digits(28),
      ...bill.extra,
    })
}

function payAndNotify(deps: ActDeps, before: Trade, input: ControlInput): Promise<readonly Sent[]> {
  const { store } = deps
  const { refund } = input
  // Who forges a message needs no payment, and what is paid is told again.
  const isForged = input.forge !== undefined || input.probe === true
  const isPaying = before.state !== 'paid' && !isForged
  const trade = isPaying ? store.pay(before, input.anyway) : before
  // Whoever pays has signed.
  const contract = isPaying ? contractOf(deps, trade) : null
  if (contract?.state === 'offered') {
    const paid = () => notifyPayment(deps, trade, input)
    const signed = () => changeContract(deps, contract, input, { do: 'sign' })
    return input.reordered ? oneByOne(signed, paid) : oneByOne(paid, signed)
  }
  if (!refund) return notifyPayment(deps, trade, input)
  store.refund(trade, { ...refund, state: refund.state ?? 'done', notifyUrl: trade.notifyUrl })
  const refundNotified = () =>
    refund.state === 'waiting' ? Promise.resolve([]) : notifyRefund(deps, trade, refund.refundNo, input)
  if (!isPaying && !input.reordered) return refundNotified()
  const paymentNotified = () => notifyPayment(deps, trade, input)
  return input.reordered
    ? oneByOne(refundNotified, paymentNotified)
    : oneByOne(paymentNotified, refundNotified)
}

async function oneByOne(...each: (() => Promise<readonly Sent[]>)[]): Promise<readonly Sent[]> {
  const sent: Sent[] = []
  for (const notify of each) sent.push(...(await notify()))
  return sent
}

function notifyPayment({ notifier }: ActDeps, trade: Trade, input: ControlInput): Promise<readonly Sent[]> {
  const { lost = false, lateSeconds = 0, times = 1 } = input
  const lateMs = lateSeconds * SECOND_MS
  const delivery = notifier.add(trade, { refundNo: '', tamper: tamperOf(input) }, { isLost: lost, lateMs })
  return lost || lateMs > 0 ? Promise.resolve([]) : notifier.notify(trade, delivery, times)
}

async function notifyRefund(
  { store, notifier }: ActDeps,
  trade: Trade,
  refundNo: string,
  input: ControlInput,
): Promise<readonly Sent[]> {
  const { lost = false, times = 1 } = input
  const refund = store.find(trade)?.refunds.find((it) => it.refundNo === refundNo)
  if (!refund || refund.notifyUrl === '') return []
  const delivery = notifier.add(trade, { refundNo, tamper: tamperOf(input) }, { isLost: lost })
  return lost ? [] : notifier.notify(trade, delivery, times)
}

function tamperOf({ forge, probe, fee, merchant, app, currency }: ControlInput): Tamper {
  return {
    ...(forge !== undefined && { forge }),
    ...(probe !== undefined && { probe }),
    ...(fee !== undefined && { fee }),
    ...(merchant !== undefined && { merchant }),
    ...(app !== undefined && { app }),
    ...(currency !== undefined && { currency }),
  }
}
