import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { replaceClock } from '@guildhall/server/kit/clock.ts'
import { DAY_MS, MINUTE_MS } from '@guildhall/wire/unit.ts'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { type Book, BookRefused, isExpired, type NewTrade, openBook, refundedOf } from './book.ts'

const AT = Date.UTC(2026, 7, 1, 4, 0, 0)
let now = AT
const restoreClock = replaceClock(() => now)
const dir = mkdtempSync(path.join(tmpdir(), 'guildhall-book-'))
afterAll(() => {
  restoreClock()
  rmSync(dir, { recursive: true })
})

let count = 0
let file = ''
let book: Book
beforeEach(() => {
  now = AT
  count += 1
  file = path.join(dir, `${count}.jsonl`)
  book = openBook(file)
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
    if (error instanceof BookRefused) return error.code
    throw error
  }
  return 'it went well'
}
/** The book as it is after a kill. */
const again = (): Book => openBook(file)

describe('the book refuses', () => {
  it('whatever is not there', () => {
    for (const act of [
      () => book.pay(key),
      () => book.closeTrade(key),
      () => book.refund(key, { refundNo: 'R1', fee: 1 }),
      () => book.change(key, {}),
      () => book.differ(key, { fee: 1 }),
    ])
      expect(whyNot(act)).toBe('unknown')
    expect([book.find(key), book.byToken(''), book.byProviderNo('wechat', '')]).toEqual([null, null, null])
  })

  it('to be paid twice, or after its time', () => {
    book.make(newTrade())
    book.pay(key)
    expect(whyNot(() => book.pay(key))).toBe('paid')
    expect(whyNot(() => book.closeTrade(key))).toBe('paid')
    const other = { ...key, tradeNo: 'G0000002' }
    book.make(newTrade(other))
    now = AT + 15 * MINUTE_MS
    expect(isExpired(book.find(other)!)).toBe(true)
    expect(whyNot(() => book.pay(other))).toBe('expired')
    book.closeTrade(other)
    expect(whyNot(() => book.pay(other))).toBe('closed')
    expect(book.pay(other, true).state).toBe('paid')
  })

  it('to give back what was not paid, or more than it', () => {
    book.make(newTrade())
    expect(whyNot(() => book.refund(key, { refundNo: 'R1', fee: 1 }))).toBe('not_paid')
    book.pay(key)
    expect(whyNot(() => book.refund(key, { refundNo: 'R1', fee: 1_801 }))).toBe('too_much')
    expect(whyNot(() => book.refund(key, { refundNo: 'R1', fee: 0 }))).toBe('too_much')
    book.refund(key, { refundNo: 'R1', fee: 1_000, state: 'waiting' })
    expect(whyNot(() => book.refund(key, { refundNo: 'R2', fee: 801 }))).toBe('too_much')
    expect(whyNot(() => book.refund(key, { refundNo: 'R1', fee: 999 }))).toBe('other')
    expect(whyNot(() => book.settleRefund(key, 'R3', 'done'))).toBe('unknown')
  })
})

describe('a trade', () => {
  it('is made once', () => {
    const made = book.make(newTrade())
    expect(book.make(newTrade({ fee: 1 }))).toEqual(made)
    expect(book.byToken(made.token)).toEqual(made)
    expect([...book.all()]).toEqual([made])
  })

  it('has a number of its own once it is paid, in each way', () => {
    book.make(newTrade())
    book.make(newTrade({ way: 'alipay' }))
    const numbers = [book.pay(key), book.pay({ ...key, way: 'alipay' })].map((it) => it.providerNo)
    expect(numbers[0]).toMatch(/^42000\d{5}20260801\d{10}$/)
    expect(numbers[1]).toMatch(/^2026080122001\d{15}$/)
    expect(book.byProviderNo('wechat', numbers[0]!)?.way).toBe('wechat')
    expect(book.byProviderNo('alipay', numbers[0]!)).toBeNull()
  })

  it('is refunded once by each number, and what failed may be given back again', () => {
    book.make(newTrade())
    book.pay(key)
    const first = book.refund(key, { refundNo: 'R1', fee: 1_800, state: 'waiting' })
    expect(book.refund(key, { refundNo: 'R1', fee: 1_800 })).toMatchObject({
      isNew: false,
      refund: first.refund,
    })
    expect(refundedOf(book.find(key)!)).toBe(1_800)
    book.settleRefund(key, 'R1', 'closed')
    expect(refundedOf(book.find(key)!)).toBe(0)
    expect(book.refund(key, { refundNo: 'R2', fee: 1_800 })).toMatchObject({ isNew: true })
    expect(book.find(key)?.refunds.map(({ state, at }) => [state, at])).toEqual([
      ['closed', null],
      ['done', AT],
    ])
  })
})

describe('after a kill', () => {
  function fill(): void {
    book.make(newTrade({ more: { prepayId: 'wx1' } }))
    book.change(key, { returnUrl: 'https://hall.example/', more: { prepayId: 'wx2' } })
    book.pay(key)
    book.refund(key, { refundNo: 'R1', fee: 300, notifyUrl: 'http://127.0.0.1:1/notify', reason: '退' })
    const note = { id: 'n1', refundNo: '', evil: {}, sent: 0, isTaken: false, nextAt: AT }
    book.note(key, note)
    book.note(key, { ...note, sent: 1, isTaken: true, nextAt: null })
    book.note(key, { ...note, id: 'n2', refundNo: 'R1' })
    book.differ(key, { fee: 1_799 })
    book.make(newTrade({ tradeNo: 'G0000002' }))
  }

  it('everything is there that was', () => {
    fill()
    const [before, after] = [book, again()]
    expect([...after.all()]).toEqual([...before.all()])
    expect(after.pending()).toEqual(before.pending())
    expect(after.pending().map(({ note }) => note.id)).toEqual(['n2'])
    expect(after.billOf('wechat', '2026-08-01')).toEqual(before.billOf('wechat', '2026-08-01'))
    expect(after.newest(1).map(({ tradeNo }) => tradeNo)).toEqual(['G0000002'])
    expect(statSync(file).mode & 0o777).toBe(0o600)
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
    book.make(newTrade())
    book.pay(key)
    now += MINUTE_MS
    book.refund(key, { refundNo: 'R1', fee: 300 })
    book.refund(key, { refundNo: 'R2', fee: 300, state: 'waiting' })
  })
  const lines = () => book.billOf('wechat', day).map(({ line }) => [line.kind, line.fee, line.charge])

  it('has what was paid and given back on its day, and what the provider keeps', () => {
    expect(lines()).toEqual([
      ['payment', 1_800, 11],
      ['refund', 300, -2],
    ])
    expect(book.billOf('wechat', '2026-08-02')).toEqual([])
    expect(book.billOf('alipay', day)).toEqual([])
  })

  it('is of the day of Beijing on which the money moved', () => {
    now = AT + DAY_MS
    book.settleRefund(key, 'R2', 'done')
    expect(book.billOf('wechat', '2026-08-02').map(({ line }) => line.refundNo)).toEqual(['R2'])
  })

  it('may have another amount, a line less, and one more', () => {
    book.differ(key, { fee: 1_799 })
    expect(lines()[0]).toEqual(['payment', 1_799, 11])
    book.differ(key, { isMissing: true })
    expect(lines()).toEqual([['refund', 300, -2]])
    book.addToBill('wechat', {
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
