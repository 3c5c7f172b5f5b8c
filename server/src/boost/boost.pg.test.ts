import {
  boostHistory,
  boostList,
  boostProduct,
  boostTrend,
  unusedBoosts,
  useBoosts,
} from '@guildhall/wire/boost/boost.ts'
import { levelOf, trendOf } from '@guildhall/wire/boost/trend.ts'
import { viewGuild } from '@guildhall/wire/channel/channel.ts'
import type { GuildId } from '@guildhall/wire/id.ts'
import { DAY_MS, MINUTE_MS } from '@guildhall/wire/unit.ts'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { PersonName } from '../demo/world.ts'
import { replaceClock } from '../kit/clock.ts'
import { transaction } from '../kit/database/db.ts'
import type { LiveEvent } from '../kit/events/bus.ts'
import { commit } from '../kit/events/events.ts'
import { createGuild, join } from '../member/member.ts'
import { allProducts, retireProduct } from '../product/product.ts'
import { refusalOf } from '../testing/calls.ts'
import { openWorld, type TestWorld } from '../testing/world.ts'
import { boostKind, givePacks, turnBoosts } from './boost.ts'

/** Noon in Beijing. */
const NOON = Date.parse('2026-11-24T04:00:00Z')

let world: TestWorld
let guildId: GuildId
let now = NOON
let stopClock: () => void
let received: LiveEvent[] = []

const give = (who: PersonName, count: number) =>
  commit(world.app.appContext, (tx, emit) =>
    givePacks(tx, emit, world.people[who].id, { count, orderId: null }),
  )
const use = (who: PersonName, count: number) => world.as(who).call(useBoosts, { guild_id: guildId, count })
const view = async () => {
  const { boost_num, level } = await world.as('owner').call(viewGuild, { id: guildId })
  return { boost_num, level }
}
const marks = async () => {
  const { items, today } = await world.as('owner').call(boostTrend, { guild_id: guildId })
  return trendOf(items, today)
}

beforeAll(async () => {
  world = await openWorld({}, undefined, { scheduledWork: false })
  world.app.appContext.bus.subscribe((event) => void received.push(event))
})
afterAll(() => world.close())
beforeEach(async () => {
  now = NOON
  stopClock = replaceClock(() => now)
  guildId = await commit(world.app.appContext, async (tx, emit) => {
    const id = await createGuild(tx, emit, { name: '助力', ownerId: world.people.owner.id })
    await join(tx, emit, id, world.people.member.id)
    return id
  })
  for (const table of ['boost_turn', 'boost_use', 'boost_pack'])
    await sql`delete from ${sql.table(table)}`.execute(world.database.db)
  received = []
})
afterEach(() => stopClock())

describe('packs are not used', () => {
  test('by who has too few, and none of them is', async () => {
    await give('member', 2)
    expect(await refusalOf(use('member', 3))).toBe('boost.too_few')
    expect(await world.as('member').call(unusedBoosts)).toEqual({ unused_boost_num: 2 })
    expect(await view()).toEqual({ boost_num: 0, level: 0 })
  })
  test('on a guild that one is not in', async () => {
    await give('outsider', 2)
    expect(await refusalOf(use('outsider', 1))).toBe('guild.unknown')
  })
  test.each([0, -1, 1000, 1.5])('in a number of %f', async (count) => {
    await give('member', 10)
    expect(await refusalOf(use('member', count))).toBe('bad_input')
  })
  test('twice, however many taps there are at once', async () => {
    await give('member', 5)
    const taps = await Promise.all(Array.from({ length: 8 }, () => refusalOf(use('member', 2))))
    expect(taps.filter((it) => it === 'none')).toHaveLength(2)
    expect(await world.as('member').call(unusedBoosts)).toEqual({ unused_boost_num: 1 })
    expect((await view()).boost_num).toBe(4)
  })
})

test('used packs count at once, and the level follows; guild and owner of the packs are told', async () => {
  await give('member', 12)
  received = []
  expect(await use('member', 10)).toEqual({ unused_boost_num: 2, boost_num: 10, level: 2 })
  expect(await view()).toEqual({ boost_num: 10, level: 2 })
  expect(received.map(({ kind, body }) => [kind, body])).toEqual(
    expect.arrayContaining([
      ['updated_guild', expect.objectContaining({ boost_num: 10, level: 2 })],
      ['updated_boost_packs', { unused_boost_num: 2 }],
    ]),
  )
  const { items } = await world.as('member').call(boostList)
  expect(items[0]).toMatchObject({ guild_id: guildId, use_boost_num: 10, boost_end_time: NOON + 30 * DAY_MS })
})

test('packs end after thirty days to the minute; the level stays for the three days of the grace', async () => {
  await give('member', 10)
  await use('member', 10)
  now = NOON + 30 * DAY_MS - 1
  await turnBoosts(world.app.appContext)
  expect(await view()).toEqual({ boost_num: 10, level: 2 })
  now = NOON + 30 * DAY_MS
  await turnBoosts(world.app.appContext)
  expect(await view()).toEqual({ boost_num: 0, level: 2 })
  const inGrace = { kept_level: 2, kept_until: '2026-12-26' }
  expect((await marks())[0]).toMatchObject({ count: 0, level: 0, buffer_index: 0, ...inGrace })
  // The day of the drop and two more.
  now = NOON + 32 * DAY_MS
  await turnBoosts(world.app.appContext)
  expect((await view()).level).toBe(2)
  expect((await marks())[0]).toMatchObject({ buffer_index: 2, ...inGrace })
  now = Date.parse('2026-12-26T16:00:00Z')
  await world.app.appContext.bus.settled()
  received = []
  await turnBoosts(world.app.appContext)
  await world.app.appContext.bus.settled()
  expect(await view()).toEqual({ boost_num: 0, level: 0 })
  expect((await marks())[0]?.buffer_index).toBe(-1)
  expect(received.map(({ kind }) => kind)).toEqual(['updated_guild'])
})

test('a server that was away for a month finds the same as one that was there', async () => {
  await give('member', 25)
  await use('member', 20)
  now += 5 * DAY_MS
  await use('member', 5)
  now += 31 * DAY_MS
  await turnBoosts(world.app.appContext)
  expect(await view()).toEqual({ boost_num: 0, level: 1 })
  now += 5 * DAY_MS
  await turnBoosts(world.app.appContext)
  expect(await view()).toEqual({ boost_num: 0, level: 0 })
  const { rows } = await sql`select 1 from boost_turn where guild_id = ${guildId}`.execute(world.database.db)
  expect(rows).toEqual([])
})

test('the trend shows every day until the last pack ends, and today as it is', async () => {
  await give('member', 13)
  await use('member', 10)
  now += 2 * DAY_MS
  await use('member', 3)
  const trend = await marks()
  expect(trend[0]).toMatchObject({ date: '2026-11-26', count: 13, level: levelOf(13), time_tips: '11/26' })
  expect(trend.map(({ count }) => count)).toEqual([...Array(28).fill(13), 3, 3, 0])
  expect(trend.at(-3)).toMatchObject({ date: '2026-12-24', level: 1, buffer_index: 0 })
  expect(await world.as('outsider').refusal(boostTrend, { guild_id: guildId })).toBe('forbidden')
})

test('a level that is lost later today is kept tomorrow until the day that is said once it is lost', async () => {
  await give('member', 10)
  await use('member', 7)
  now += DAY_MS
  await use('member', 3)
  const kept = { kept_level: 2, kept_until: '2026-12-26' }
  now = NOON + 30 * DAY_MS - 1
  expect(await marks()).toMatchObject([
    { count: 10, kept_level: 2, kept_until: '' },
    { count: 0, ...kept },
  ])
  now = NOON + 30 * DAY_MS
  expect(await marks()).toMatchObject([
    { count: 3, ...kept },
    { count: 0, ...kept },
  ])
})

test('an order’s packs are given once, used on the guild that it names, and taken back with what is left of them', async () => {
  const { rows } = await sql<{ id: string }>`
    insert into "order" (code, user_id, key, request, state, pay_fee, created_at, expires_at)
    values (md5(random()::text), ${world.people.member.id}, 'k' || random(), '', 'paid', 100, 0, 0) returning id::text`.execute(
    world.database.db,
  )
  const line = {
    orderId: rows[0]!.id,
    userId: world.people.member.id,
    guildId,
    count: 4,
    details: { packs: 1 },
  }
  for (let twice = 0; twice < 2; twice++)
    await commit(world.app.appContext, (tx, emit) => boostKind.grants(tx, emit, line))
  expect(await view()).toEqual({ boost_num: 4, level: 1 })
  expect(await boostKind.standing(world.database.db, [line.orderId])).toEqual(new Set([line.orderId]))
  now += MINUTE_MS
  await commit(world.app.appContext, (tx, emit) => boostKind.revokes(tx, emit, line))
  expect(await view()).toEqual({ boost_num: 0, level: 0 })
  expect(await boostKind.standing(world.database.db, [line.orderId])).toEqual(new Set())
})

test('who manages a guild sees who boosted it, a row per pack, in seconds; others do not', async () => {
  await give('member', 2)
  await use('member', 2)
  const { items, meta } = await world.as('owner').call(boostHistory, { guild_id: guildId })
  expect(meta.total).toBe(2)
  expect(items[0]).toMatchObject({
    user_id: world.people.member.id,
    start_time: NOON / 1000,
    end_time: (NOON + 30 * DAY_MS) / 1000,
    user: { username: world.people.member.username },
  })
  expect(await world.as('member').refusal(boostHistory, { guild_id: guildId })).toBe('member.no_right')
  expect(await world.as('outsider').refusal(boostHistory, { guild_id: guildId })).toBe('forbidden')
})

test('the pack on sale is told, and that there is none', async () => {
  expect(await world.as('member').call(boostProduct)).toMatchObject({
    name: '助力包',
    price: 3000,
    browser_ways: [],
  })
  const all = await allProducts(world.database.db)
  for (const { id } of all.filter(({ kind }) => kind === 'boost'))
    await transaction(world.database.db, (tx) => retireProduct(tx, id))
  expect(await world.as('member').refusal(boostProduct)).toBe('boost.no_product')
})
