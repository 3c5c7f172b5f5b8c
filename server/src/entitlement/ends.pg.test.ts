import { randomUUID } from 'node:crypto'
import { viewUser } from '@guildhall/wire/guild/guild.ts'
import { DAY_MS, type Millis } from '@guildhall/wire/unit.ts'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { holderNotifier } from '../account/account.ts'
import { endNotifier, kindsOf } from '../app/payments.ts'
import { giveBuff } from '../buff/buff.ts'
import type { PersonName } from '../demo/world.ts'
import { giveGolive } from '../golive/golive.ts'
import { replaceClock } from '../kit/clock.ts'
import type { LiveEvent } from '../kit/events/bus.ts'
import { commit } from '../kit/events/events.ts'
import { openWorld, type TestWorld } from '../testing/world.ts'
import { notifyEnds } from './entitlement.ts'

let world: TestWorld
let now: Millis
let stopClock: () => void
const received: LiveEvent[] = []
beforeAll(async () => {
  world = await openWorld({}, undefined, { scheduledWork: false })
  world.app.appContext.bus.subscribe((event) => void received.push(event))
})
beforeEach(async () => {
  now = Date.now()
  stopClock = replaceClock(() => now)
  for (const clean of [
    'delete from entitlement_end',
    'delete from entitlement',
    'update "user" set vip_until = 0',
  ])
    await sql.raw(clean).execute(world.database.db)
  await world.app.appContext.bus.settled()
  received.length = 0
})
afterEach(() => stopClock())
afterAll(() => world.close())

const parts = () => ({ appContext: world.app.appContext, jobs: { send: async () => undefined } })
const buff = (name: PersonName, days: number) =>
  commit(world.app.appContext, (tx, emit) =>
    giveBuff({ tx, emit, notify: holderNotifier(parts()) }, world.idOf(name), days),
  )
const pass = async () => {
  await notifyEnds(world.app.appContext, endNotifier(holderNotifier(parts())))
  await world.app.appContext.bus.settled()
}
/**
 * Who was told what since the last look: `self`, `guild`, or another person, and whether it said that they
 * have BUFF.
 */
async function heard(name: PersonName): Promise<string[]> {
  await world.app.appContext.bus.settled()
  const all = received.splice(0).flatMap((event) => {
    const body = event.body as { readonly user_id?: string; readonly is_vip?: boolean }
    if (body.user_id !== world.idOf(name) || body.is_vip === undefined) return []
    const to = event.to === 'guild' ? 'guild' : event.userId === world.idOf(name) ? 'self' : 'other'
    return [`${to} ${body.is_vip}`]
  })
  return all.sort()
}
const waiting = async () =>
  (await sql<{ n: number }>`select count(*)::int as n from entitlement_end`.execute(world.database.db))
    .rows[0]!.n

test('nothing is told before the end, nor when more was given meanwhile', async () => {
  await buff('muted', 1)
  expect(await heard('muted')).toEqual(['guild true', 'self true'])
  await pass()
  now += DAY_MS - 1
  await pass()
  expect(await heard('muted')).toEqual([])
  await buff('muted', 1)
  // Others see no difference.
  expect(await heard('muted')).toEqual(['self true'])
  now += DAY_MS
  await pass()
  expect(await heard('muted')).toEqual([])
  now += 1
  await pass()
  expect(await heard('muted')).toEqual(['guild false', 'self false'])
})

test('an end is told once, also by two nodes at once, and leaves nothing behind', async () => {
  for (const name of ['muted', 'unverified'] as const) await buff(name, 1)
  await heard('muted')
  now += DAY_MS
  expect(await world.as('owner').call(viewUser, { user_id: world.idOf('muted') })).toMatchObject({
    is_vip: false,
  })
  await Promise.all([pass(), pass()])
  await pass()
  const all = [...received]
  expect(await heard('muted')).toEqual(['guild false', 'self false'])
  received.push(...all)
  expect(await heard('unverified')).toEqual(['guild false', 'self false'])
  expect(await waiting()).toBe(0)
})

test('who looks at a member of BUFF learns since when without a gap, and nothing of who is none', async () => {
  const seen = () => world.as('owner').call(viewUser, { user_id: world.idOf('muted') })
  expect(await seen()).not.toHaveProperty('buff_since')
  const began = now
  await buff('muted', 1)
  now += DAY_MS / 2
  await buff('muted', 1)
  const inGuild = await world
    .as('owner')
    .call(viewUser, { user_id: world.idOf('muted'), guild_id: world.guildId })
  expect([(await seen()).buff_since, inGuild.buff_since]).toEqual([began, began])
  now += 2 * DAY_MS
  expect(await seen()).not.toHaveProperty('buff_since')
  await buff('muted', 1)
  expect((await seen()).buff_since).toBe(now)
})

test('an end that comes later than its row says is told then', async () => {
  await buff('muted', 2)
  await sql`update entitlement_end set at = 1`.execute(world.database.db)
  await heard('muted')
  await pass()
  expect(await heard('muted')).toEqual([])
  now += 2 * DAY_MS
  await pass()
  expect(await heard('muted')).toEqual(['guild false', 'self false'])
})

/** A line of a new order of somebody. */
async function lineOf(name: PersonName, details: object) {
  const userId = world.idOf(name)
  const code = randomUUID().replaceAll('-', '')
  const { rows } = await sql<{ id: string }>`
    insert into "order" (code, user_id, key, request, state, pay_fee, created_at, expires_at)
    values (${code}, ${userId}, ${code}, '', 'granted', 1, 1, 1) returning id::text`.execute(
    world.database.db,
  )
  return { orderId: rows[0]!.id, userId, guildId: null, count: 1, details }
}

test.each([
  ['buff', { days: 30 }],
  ['golive', { type: 'normal', days: 30 }],
  ['golive', { type: 'pro', days: 30 }],
] as const)('who gives a refunded %s back has it no more, and may be given one', async (name, details) => {
  const kind = kindsOf(parts()).get(name)!
  const line = await lineOf('muted', details)
  const owners = () => kind.owners(world.database.db, [line.userId], details)
  await commit(world.app.appContext, (tx, emit) => kind.grants(tx, emit, line))
  const had = await kind.endsAt!(world.database.db, line.userId, details)
  expect(had).toBe(now + 30 * DAY_MS)
  await commit(world.app.appContext, (tx, emit) => kind.revokes(tx, emit, line))
  expect(await kind.endsAt!(world.database.db, line.userId, details)).toBeLessThanOrEqual(now)
  expect([...(await owners())]).toEqual([])
})

test('what a refund takes back is told at once, and not again', async () => {
  const kind = kindsOf(parts()).get('buff')!
  const line = await lineOf('member', { days: 30 })
  await commit(world.app.appContext, (tx, emit) => kind.grants(tx, emit, line))
  expect(await heard('member')).toContain('guild true')
  await commit(world.app.appContext, (tx, emit) => kind.revokes(tx, emit, line))
  expect(await heard('member')).toContain('guild false')
  expect(await waiting()).toBe(0)
  now += 40 * DAY_MS
  await pass()
  expect(await heard('member')).toEqual([])
})

test('screen sharing is told to its owner alone', async () => {
  await commit(world.app.appContext, (tx, emit) =>
    giveGolive({ tx, emit, notify: holderNotifier(parts()) }, world.idOf('muted'), { type: 'pro', days: 1 }),
  )
  expect(await heard('muted')).toEqual(['self false'])
  now += DAY_MS
  await pass()
  expect(await heard('muted')).toEqual(['self false'])
})
