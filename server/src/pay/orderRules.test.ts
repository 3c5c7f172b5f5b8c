import {
  afterStep,
  isFinal,
  isPayable,
  type OrderState,
  type OrderStep,
} from '@guildhall/wire/order/state.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Line } from '../ledger/ledger.ts'
import type { PaidFact } from '../outside/payment/payProvider.ts'
import { mismatchOf } from './mismatch.ts'
import {
  afterFailedGrant,
  afterRefund,
  GRANT_TRIES_MAX,
  grantLines,
  payBackLines,
  type RefundCause,
  receive,
  receiveLines,
  refundable,
  refundLines,
  shares,
} from './orderRules.ts'

const fact: PaidFact = {
  tradeNo: 'P1',
  providerNo: '42',
  merchant: '1900',
  app: 'wx1',
  fee: 1500,
  currency: 'CNY',
  paidAt: 1,
}
const expected = { fee: 1500, merchant: '1900', apps: ['wx1', 'wx2'] }

describe('what a provider says', () => {
  test.each([
    ['merchant', { merchant: '1901' }],
    ['app', { app: 'wx3' }],
    ['currency', { currency: 'USD' }],
    ['amount', { fee: 1499 }],
    ['amount', { fee: 1501 }],
  ] as const)('is doubted for its %s', (why, change) => {
    expect(mismatchOf({ ...fact, ...change }, expected)).toBe(why)
  })

  test('is taken when all of it fits', () => {
    expect(mismatchOf(fact, expected)).toBeNull()
    expect(mismatchOf({ ...fact, app: 'wx2' }, expected)).toBeNull()
  })
})

describe('giving back', () => {
  const granted = { state: 'granted', fee: 1000, refunded: 0, returning: 0 } as const

  test('is refused for nothing, for more than is left, and for what was not paid', () => {
    expect(refundable(granted, 0)).toBeNull()
    expect(refundable(granted, -5)).toBeNull()
    expect(refundable(granted, 1001)).toBeNull()
    expect(refundable({ ...granted, refunded: 600, returning: 300 }, 101)).toBeNull()
    for (const state of ['placed', 'paying', 'closed', 'refunding', 'refunded'] as const)
      expect(refundable({ ...granted, state }, null)).toBeNull()
  })

  test('is refused in part before it is granted', () => {
    expect(refundable({ ...granted, state: 'paid' }, 400)).toBeNull()
    expect(refundable({ ...granted, state: 'paid' }, null)).toEqual({
      fee: 1000,
      step: 'refund',
      revokes: false,
    })
  })

  test('takes back what was granted only with the last part', () => {
    expect(refundable(granted, 400)).toEqual({ fee: 400, step: null, revokes: false })
    expect(refundable({ ...granted, refunded: 400 }, null)).toEqual({
      fee: 600,
      step: 'refund',
      revokes: true,
    })
  })

  test('is divided over lines to the fen', () => {
    const sold = fc.array(fc.record({ product: fc.string(), fee: fc.integer({ min: 1, max: 1e7 }) }), {
      minLength: 1,
    })
    fc.assert(
      fc.property(sold, fc.double({ min: 0, max: 1, noNaN: true }), (lines, part) => {
        const total = lines.reduce((sum, { fee }) => sum + fee, 0)
        const sum = Math.floor(total * part)
        const parts = shares(lines, sum)
        expect(parts.reduce((all, { fee }) => all + fee, 0)).toBe(sum)
        parts.forEach(({ fee }, index) => {
          expect(fee).toBeGreaterThanOrEqual(0)
          expect(fee).toBeLessThanOrEqual(lines[index]!.fee)
        })
      }),
      { seed: 7 },
    )
  })
})

/** What the world does; numbers choose which payment or refund it concerns. */
const acts = fc.oneof(
  fc.record({ act: fc.constant('begin') }),
  fc.record({ act: fc.constant('pay'), which: fc.nat(3) }),
  fc.record({ act: fc.constant('notify'), which: fc.nat(3), wrong: fc.boolean() }),
  fc.record({ act: fc.constant('query'), which: fc.nat(3) }),
  fc.record({ act: fc.constant('grant'), fails: fc.boolean() }),
  fc.record({ act: fc.constant('kill') }),
  fc.record({ act: fc.constant('expire') }),
  fc.record({
    act: fc.constant('staff'),
    fee: fc.option(fc.integer({ min: -1, max: 1_200 }), { nil: null }),
  }),
  fc.record({ act: fc.constant('give back'), which: fc.nat(3), refused: fc.boolean() }),
)
type Act = {
  act: string
  which?: number
  wrong?: boolean
  fails?: boolean
  fee?: number | null
  refused?: boolean
}

const FEE = 1_000
const SOLD = [{ product: 'buff', fee: FEE }]

/** One order, its payments at a provider, and its ledger, in memory; every decision is one of `cases.ts`. */
class World {
  state: OrderState = 'placed'
  refunded = 0
  tries = 0
  grants = 0
  payments: { paidThere: boolean; paid: boolean; isMain: boolean }[] = []
  refunds: { payment: number; fee: number; state: 'waiting' | 'done' | 'stuck'; cause: RefundCause }[] = []
  readonly ledger = new Map<string, number>()

  step(step: OrderStep): void {
    const to = afterStep(this.state, step)
    if (to === null) throw new Error(`${step} is no step of ${this.state}`)
    this.state = to
  }

  post(lines: readonly Line[]): void {
    expect(lines.reduce((sum, { amount }) => sum + amount, 0)).toBe(0)
    for (const { account, amount } of lines)
      this.ledger.set(account.name, (this.ledger.get(account.name) ?? 0) + amount)
  }

  start(): void {
    if (!isPayable(this.state)) return
    this.step('begin')
    this.payments.push({ paidThere: false, paid: false, isMain: false })
  }

  settle(index: number, said: PaidFact): void {
    const payment = this.payments[index]
    if (!payment || payment.paid || mismatchOf(said, { ...expected, fee: FEE })) return
    const { isMain, step, refund } = receive(this.state)
    Object.assign(payment, { paid: true, isMain })
    this.post(receiveLines('wechat', FEE))
    if (step) this.step(step)
    if (refund) this.refunds.push({ payment: index, fee: FEE, state: 'waiting', cause: refund })
  }

  refund(fee: number | null, cause: RefundCause): void {
    const main = this.payments.findIndex((it) => it.isMain)
    const returning = this.refunds
      .filter((it) => it.payment === main && it.state !== 'done')
      .reduce((sum, it) => sum + it.fee, 0)
    const it = refundable({ state: this.state, fee: FEE, refunded: this.refunded, returning }, fee)
    if (main < 0 || !it) return
    if (this.state === 'granted') this.post(refundLines(SOLD, it.fee))
    if (it.revokes) this.grants -= 1
    this.refunds.push({ payment: main, fee: it.fee, state: 'waiting', cause })
    if (it.step) this.step(it.step)
  }

  grant(fails: boolean): void {
    if (this.state !== 'paid') return
    if (fails) {
      this.tries += 1
      if (afterFailedGrant(this.tries) === 'refund') this.refund(null, 'failed')
      return
    }
    this.grants += 1
    this.post(grantLines(SOLD))
    this.step('grant')
  }

  giveBack(index: number, refused: boolean): void {
    const refund = this.refunds[index]
    if (refund?.state !== 'waiting') return
    if (refused) {
      refund.state = 'stuck'
      if (afterStep(this.state, 'stick') !== null) this.step('stick')
      return
    }
    refund.state = 'done'
    this.post(payBackLines('wechat', refund.fee))
    if (!this.payments[refund.payment]!.isMain) return
    this.refunded += refund.fee
    const step = afterRefund({ state: this.state, fee: FEE, refunded: this.refunded })
    if (step) this.step(step)
  }

  do(input: Act): void {
    const index = input.which ?? 0
    const payment = this.payments[index]
    const said = { ...fact, fee: FEE, providerNo: String(index) }
    if (input.act === 'begin') this.start()
    // The provider takes money for what was begun, also after we closed the order.
    if (input.act === 'pay' && payment) payment.paidThere = true
    if (input.act === 'notify' && input.wrong) this.settle(index, { ...said, fee: 1 })
    if (input.act === 'notify' && !input.wrong && payment?.paidThere) this.settle(index, said)
    if (input.act === 'query' && payment?.paidThere) this.settle(index, said)
    if (input.act === 'grant') this.grant(input.fails ?? false)
    if (input.act === 'expire' && isPayable(this.state)) this.step('close')
    if (input.act === 'staff') this.refund(input.fee ?? null, 'staff')
    if (input.act === 'give back') this.giveBack(index, input.refused ?? false)
  }

  /** What the poller does until nothing is left to do. */
  end(): void {
    for (const [index, { paidThere }] of this.payments.entries())
      if (paidThere) this.do({ act: 'query', which: index })
    if (isPayable(this.state)) this.step('close')
    for (let tries = 0; tries <= GRANT_TRIES_MAX; tries++) this.grant(false)
    for (const index of this.refunds.keys()) this.giveBack(index, false)
  }

  check(): void {
    const taken = this.payments.filter((it) => it.paid).length * FEE
    const back = this.refunds.filter((it) => it.state === 'done').reduce((sum, { fee }) => sum + fee, 0)
    const returning = this.refunds.filter((it) => it.state !== 'done').reduce((sum, { fee }) => sum + fee, 0)
    const at = (name: string) => this.ledger.get(name) ?? 0
    expect([0, 1]).toContain(this.grants)
    expect(at('clearing:wechat')).toBe(taken - back)
    const ungranted = this.state === 'paid' ? FEE : 0
    expect(at('owed') + ungranted + returning).toBe(0)
    expect([...this.ledger.values()].reduce((sum, it) => sum + it, 0)).toBe(0)
    expect(back).toBeLessThanOrEqual(taken)
    expect(this.payments.filter((it) => it.isMain).length).toBeLessThanOrEqual(1)
  }
}

describe('whatever happens to an order', () => {
  test('money in is grants out, refunds, and what is still owed', { timeout: 120_000 }, () => {
    fc.assert(
      fc.property(fc.array(acts, { maxLength: 24 }), (script) => {
        const world = new World()
        for (const act of script) {
          world.do(act)
          world.check()
        }
        world.end()
        world.check()
        expect(isFinal(world.state) || world.state === 'refunded').toBe(true)
        for (const { paidThere, paid } of world.payments) expect(paid).toBe(paidThere)
        if (world.state === 'granted') expect(world.grants).toBe(1)
        if (world.state === 'refunded' || world.state === 'closed') expect(world.grants).toBe(0)
      }),
      { seed: 20_261_124, numRuns: 20_000 },
    )
  })
})
