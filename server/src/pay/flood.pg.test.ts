import type { Trade } from '@guildhall/sandbox/tradeStore.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PAY_WAYS } from '../outside/payment/payProvider.ts'
import {
  insertBuyers,
  openSigner,
  paidTrades,
  type Shop,
  type SignedNotification,
} from '../testing/pay/payFlood.ts'
import { openPayWorld, type PayWorld, PRICE } from '../testing/pay/payWorld.ts'
import { acceptNotification } from './settle.ts'

/** Of one order, and of as many orders, which each have to be made first. */
const SAME = 1_000
const DIFFERENT = 300

let world: PayWorld
let shop: Shop
let sign: (trade: Trade) => SignedNotification
beforeAll(async () => {
  world = await openPayWorld()
  sign = await openSigner(world.sandboxDir)
  const { deps, control, productId } = world
  shop = { deps, control, productId, buyers: await insertBuyers(world.database.db, 100) }
})
afterAll(() => world?.close())

/** Delivers all of them at once; how many were answered with which status. */
async function deliver(trades: readonly Trade[]): Promise<Record<number, number>> {
  const replies = await Promise.all(
    trades.map((trade) => {
      const { headers, body } = sign(trade)
      const lower = Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
      )
      return acceptNotification(world.deps, trade.way, { headers: lower, body: Buffer.from(body) })
    }),
  )
  const counts: Record<number, number> = {}
  for (const { status } of replies) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

/** Orders that were paid for or granted, what was taken, and days of BUFF that buyers have by it. */
async function whatStands() {
  const { rows } = await sql<{ granted: number; taken: number; periods: number }>`
    select (select count(*)::int from "order" where state = 'granted') as granted,
      (select coalesce(sum(fee), 0)::int from payment where state = 'paid') as taken,
      (select count(*)::int from order_step where step = 'grant') as periods`.execute(world.database.db)
  return rows[0]!
}

describe('genuine notifications by the hundred at once', () => {
  test.each(PAY_WAYS)('of one order, by %s, are all taken, and it is granted once', async (way) => {
    const before = await whatStands()
    const [trade] = await paidTrades(shop, 1, way)
    const counts = await deliver(Array.from({ length: SAME }, () => trade!))
    expect(Object.values(counts)).toEqual([SAME])
    expect(Object.keys(counts)[0]).toMatch(/^20[04]$/)
    await world.work()
    expect(await whatStands()).toEqual({
      granted: before.granted + 1,
      taken: before.taken + PRICE,
      periods: before.periods + 1,
    })
    expect(await world.faults()).toEqual([])
  })

  test('of as many orders are all taken, and each is granted once', async () => {
    const before = await whatStands()
    const counts = await deliver(await paidTrades(shop, DIFFERENT))
    expect(Object.keys(counts).every((status) => /^20[04]$/.test(status))).toBe(true)
    await world.work()
    expect(await whatStands()).toEqual({
      granted: before.granted + DIFFERENT,
      taken: before.taken + DIFFERENT * PRICE,
      periods: before.periods + DIFFERENT,
    })
    expect(world.refusedFor).toEqual([])
    expect(await world.faults()).toEqual([])
  })
})
