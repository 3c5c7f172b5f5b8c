import {
  appendFileSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { replaceClock } from '@guildhall/server/kit/clock.ts'
import { DAY_MS, MINUTE_MS } from '@guildhall/wire/unit.ts'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { isExpired, type NewTrade, refundedOf, StoreRefused, TradeStore } from './tradeStore.ts'

const AT = Date.UTC(2026, 7, 1, 4, 0, 0)
let now = AT
const restoreClock = replaceClock(() => now)
const dir = mkdtempSync(path.join(tmpdir(), 'guildhall-store-'))
afterAll(() => {
  restoreClock()
  rmSync(dir, { recursive: true })
})

let count = 0
let file = ''
let store: TradeStore
beforeEach(() => {
  now = AT
  count += 1
  file = path.join(dir, `${count}.jsonl`)
  store = new TradeStore(file)
})

const key = { way: 'wechat', tradeNo: 'G0000001' } as const
const newTrade = (change: Partial<NewTrade> = {}): NewTrade => ({
  ...key,
  scene: 'qr',
  merchant: '1600000000',
  app: 'wx1',
  fee: 1_800,
  subject: 'BUFF 30 天',
  notifyUrl: 'http://127.0.0.1:1/notify',
  returnUrl: '',
  expiresAt: AT + 15 * MINUTE_MS,
  more: {},
  ...change,
})
const whyNot = (act: () => unknown): string => {
  try {
    act()
  } catch (error) {
    if (error instanceof StoreRefused) return error.code
    throw error
  }
  return 'it went well'
}
/** The store as it is after a kill. */
const again = (): TradeStore => new TradeStore(file)

describe('the store refuses', () => {
  it('whatever is not there', () => {
    for (const act of [
      () => store.pay(key),
      () => store.closeTrade(key),
      () => store.refund(key, { refundNo: 'R1', fee: 1 }),
      () => store.change(key, {}),
      () => store.differ(key, { fee: 1 }),
    ])
      expect(whyNot(act)).toBe('unknown')
    expect([store.find(key), store.byToken(''), store.byProviderNo('wechat', '')]).toEqual([null, null, null])
  })

  it('to be paid twice, or after its time', () => {
    store.make(newTrade())
    store.pay(key)
    expect(whyNot(() => store.pay(key))).toBe('paid')
    expect(whyNot(() => store.closeTrade(key))).toBe('paid')
    const other = { ...key, tradeNo: 'G0000002' }
    store.make(newTrade(other))
    now = AT + 15 * MINUTE_MS
    expect(isExpired(store.find(other)!)).toBe(true)
    expect(whyNot(() => store.pay(other))).toBe('expired')
    store.closeTrade(other)
    expect(whyNot(() => store.pay(other))).toBe('closed')
    expect(store.pay(other, true).state).toBe('paid')
  })

  it('to give back what was not paid, or more than it', () => {
    store.make(newTrade())
    expect(whyNot(() => store.refund(key, { refundNo: 'R1', fee: 1 }))).toBe('not_paid')
    store.pay(key)
    expect(whyNot(() => store.refund(key, { refundNo: 'R1', fee: 1_801 }))).toBe('too_much')
    expect(whyNot(() => store.refund(key, { refundNo: 'R1', fee: 0 }))).toBe('too_much')
    store.refund(key, { refundNo: 'R1', fee: 1_000, state: 'waiting' })
    expect(whyNot(() => store.refund(key, { refundNo: 'R2', fee: 801 }))).toBe('too_much')
    expect(whyNot(() => store.refund(key, { refundNo: 'R1', fee: 999 }))).toBe('other')
    expect(whyNot(() => store.settleRefund(key, 'R3', 'done'))).toBe('unknown')
  })
})

describe('a trade', () => {
  it('is made once', () => {
    const made = store.make(newTrade())
    expect(store.make(newTrade({ fee: 1 }))).toEqual(made)
    expect(store.byToken(made.token)).toEqual(made)
    expect([...store.all()]).toEqual([made])
  })

  it('has a number of its own once it is paid, in each way', () => {
    store.make(newTrade())
    store.make(newTrade({ way: 'alipay' }))
    const numbers = [store.pay(key), store.pay({ ...key, way: 'alipay' })].map((it) => it.providerNo)
    expect(numbers[0]).toMatch(/^42000\d{5}20260801\d{10}$/)
    expect(numbers[1]).toMatch(/^2026080122001\d{15}$/)
    expect(store.byProviderNo('wechat', numbers[0]!)?.way).toBe('wechat')
    expect(store.byProviderNo('alipay', numbers[0]!)).toBeNull()
  })

  it('is refunded once by each number, and what failed may be given back again', () => {
    store.make(newTrade())
    store.pay(key)
    const first = store.refund(key, { refundNo: 'R1', fee: 1_800, state: 'waiting' })
    expect(store.refund(key, { refundNo: 'R1', fee: 1_800 })).toMatchObject({
      isNew: false,
      refund: first.refund,
    })
    expect(refundedOf(store.find(key)!)).toBe(1_800)
    store.settleRefund(key, 'R1', 'closed')
    expect(refundedOf(store.find(key)!)).toBe(0)
    expect(store.refund(key, { refundNo: 'R2', fee: 1_800 })).toMatchObject({ isNew: true })
    expect(store.find(key)?.refunds.map(({ state, at }) => [state, at])).toEqual([
      ['closed', null],
      ['done', AT],
    ])
  })
})

describe('after a kill', () => {
  function fill(): void {
    store.make(newTrade({ more: { prepayId: 'wx1' } }))
    store.change(key, { returnUrl: 'https://hall.example/', more: { prepayId: 'wx2' } })
    store.pay(key)
    store.refund(key, { refundNo: 'R1', fee: 300, notifyUrl: 'http://127.0.0.1:1/notify', reason: '退' })
    const delivery = { id: 'n1', refundNo: '', tamper: {}, sent: 0, isTaken: false, nextAt: AT }
    store.deliver(key, delivery)
    store.deliver(key, { ...delivery, sent: 1, isTaken: true, nextAt: null })
    store.deliver(key, { ...delivery, id: 'n2', refundNo: 'R1' })
    store.differ(key, { fee: 1_799 })
    store.make(newTrade({ tradeNo: 'G0000002' }))
  }

  it('everything is there that was', () => {
    fill()
    const [before, after] = [store, again()]
    expect([...after.all()]).toEqual([...before.all()])
    expect(after.pending()).toEqual(before.pending())
    expect(after.pending().map(({ delivery }) => delivery.id)).toEqual(['n2'])
    expect(after.billOf('wechat', '2026-08-01')).toEqual(before.billOf('wechat', '2026-08-01'))
    expect(after.newest(1).map(({ tradeNo }) => tradeNo)).toEqual(['G0000002'])
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  it('of an older sandbox what it was to tell is read by its names of today', () => {
    const it = store.make(newTrade({ subject: 'a "note": and "evil":' }))
    const note = { id: 'n1', refundNo: '', evil: { fee: 1 }, sent: 2, isTaken: false, nextAt: AT }
    const { deliveries: notes, ...trade } = it
    writeFileSync(
      file,
      [{ trade: { ...trade, notes } }, { ...key, note }].map((line) => `${JSON.stringify(line)}\n`).join(''),
    )
    const { id, refundNo, sent, isTaken, nextAt } = note
    const delivery = { id, refundNo, tamper: { fee: 1 }, sent, isTaken, nextAt }
    expect([...again().all()]).toEqual([{ ...it, deliveries: [delivery] }])
    expect(again().pending()).toEqual([{ trade: again().find(key), delivery }])
  })

  it('in the middle of a line that line is not, at each of its bytes', () => {
    fill()
    const bytes = readFileSync(file)
    const lines = bytes.toString('utf8').trimEnd().split('\n')
    const whole = bytes.lastIndexOf('\n', bytes.length - 2) + 1
    for (let end = whole; end < bytes.length; end += 7) {
      truncateSync(file, end)
      const after = again()
      expect(after.newest(1)[0]?.tradeNo).toBe('G0000001')
      // What is written next is a line of its own.
      after.make(newTrade({ tradeNo: 'G0000003' }))
      expect(again().newest(1)[0]?.tradeNo).toBe('G0000003')
      truncateSync(file, whole)
      appendFileSync(file, `${lines.at(-1)}\n`)
    }
    expect(again().newest(1)[0]?.tradeNo).toBe('G0000002')
  })
})

describe('a bill', () => {
  const day = '2026-08-01'
  beforeEach(() => {
    store.make(newTrade())
    store.pay(key)
    now += MINUTE_MS
    store.refund(key, { refundNo: 'R1', fee: 300 })
    store.refund(key, { refundNo: 'R2', fee: 300, state: 'waiting' })
  })
  const lines = () => store.billOf('wechat', day).map(({ line }) => [line.kind, line.fee, line.charge])

  it('has what was paid and given back on its day, and what the provider keeps', () => {
    expect(lines()).toEqual([
      ['payment', 1_800, 11],
      ['refund', 300, -2],
    ])
    expect(store.billOf('wechat', '2026-08-02')).toEqual([])
    expect(store.billOf('alipay', day)).toEqual([])
  })

  it('is of the day of Beijing on which the money moved', () => {
    now = AT + DAY_MS
    store.settleRefund(key, 'R2', 'done')
    expect(store.billOf('wechat', '2026-08-02').map(({ line }) => line.refundNo)).toEqual(['R2'])
  })

  it('may have another amount, a line less, and one more', () => {
    store.differ(key, { fee: 1_799 })
    expect(lines()[0]).toEqual(['payment', 1_799, 11])
    store.differ(key, { isMissing: true })
    expect(lines()).toEqual([['refund', 300, -2]])
    store.addToBill('wechat', {
      kind: 'payment',
      tradeNo: 'G9',
      providerNo: '9',
      refundNo: '',
      fee: 5,
      charge: 0,
      at: AT - 1,
    })
    expect(lines()[0]).toEqual(['payment', 5, 0])
  })
})
