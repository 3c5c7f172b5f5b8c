import { viewGuild } from '@guildhall/wire/channel/channel.ts'
import { deleteGuild, listDeletedGuilds, restoreGuild } from '@guildhall/wire/guild/deletion.ts'
import { GUILD_RESTORABLE_MS, listGuilds } from '@guildhall/wire/guild/guild.ts'
import { GUILDS_OWNED_MAX } from '@guildhall/wire/guild/ownGuild.ts'
import type { GuildId } from '@guildhall/wire/id.ts'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { PersonName } from '../../demo/world.ts'
import { replaceClock } from '../../kit/clock.ts'
import type { LiveEvent } from '../../kit/events/bus.ts'
import { commit } from '../../kit/events/events.ts'
import { createGuild, join } from '../../member/member.ts'
import { openWorld, type TestWorld } from '../../testing/world.ts'
import { closeGuild, setBoosts } from '../guild.ts'

const NOON = Date.parse('2026-11-24T04:00:00Z')
let world: TestWorld
let guild_id: GuildId
let now = NOON
let stopClock: () => void
let received: LiveEvent[] = []

const setLevel = (level: number) =>
  commit(world.app.appContext, (tx, emit) => setBoosts(tx, emit, guild_id, { boost_num: 0, level }))
const isThereFor = async (who: PersonName) =>
  (await world.as(who).call(listGuilds)).some(({ id }) => id === guild_id)
const deleted = async (who: PersonName) => (await world.as(who).call(listDeletedGuilds)).items

beforeAll(async () => {
  world = await openWorld()
  for (const name of ['owner', 'member', 'outsider'] as const) await world.tokenOf(name)
  world.app.appContext.bus.subscribe((event) => void received.push(event))
})
afterAll(() => world.close())
beforeEach(async () => {
  now = Date.now()
  stopClock = replaceClock(() => now)
  guild_id = await commit(world.app.appContext, async (tx, emit) => {
    await sql`update guild set deleted_level = null where deleted_level is not null`.execute(tx)
    const id = await createGuild(tx, emit, { name: '重来', ownerId: world.people.owner.id })
    await join(tx, emit, id, world.people.member.id)
    return id
  })
  await setLevel(3)
  await world.app.appContext.bus.settled()
  received = []
})
afterEach(() => stopClock())

describe('a guild is not', () => {
  test('deleted by others than its owner', async () => {
    expect(await world.as('outsider').refusal(deleteGuild, { guild_id })).toBe('forbidden')
    expect(await world.as('member').refusal(deleteGuild, { guild_id })).toBe('guild.not_owner')
    expect(await isThereFor('member')).toBe(true)
  })

  test('restored by others, when it is there, twice, or when staff closed it', async () => {
    expect(await world.as('owner').refusal(restoreGuild, { guild_id })).toBe('guild.not_closed')
    await world.as('owner').call(deleteGuild, { guild_id })
    expect(await world.as('member').refusal(restoreGuild, { guild_id })).toBe('guild.not_closed')
    const twice = await Promise.all([1, 2].map(() => world.as('owner').refusal(restoreGuild, { guild_id })))
    expect(twice.sort()).toEqual(['guild.not_closed', 'none'])
    await commit(world.app.appContext, (tx, emit) => closeGuild(tx, emit, guild_id))
    expect(await world.as('owner').refusal(restoreGuild, { guild_id })).toBe('guild.not_closed')
    expect(await deleted('owner')).toEqual([])
  })

  test('restored when its level had no such right, even if it rises later', async () => {
    await setLevel(2)
    await world.as('owner').call(deleteGuild, { guild_id })
    expect(await deleted('owner')).toMatchObject([{ id: guild_id, can_restore: false }])
    await setLevel(3)
    expect(await world.as('owner').refusal(restoreGuild, { guild_id })).toBe('guild.level')
  })

  test('restored after thirty days', async () => {
    await world.as('owner').call(deleteGuild, { guild_id })
    now += GUILD_RESTORABLE_MS
    expect(await deleted('owner')).toEqual([])
    expect(await world.as('owner').refusal(restoreGuild, { guild_id })).toBe('guild.not_closed')
  })

  test('restored by somebody who owns as many as one may', async () => {
    await world.as('owner').call(deleteGuild, { guild_id })
    await sql`insert into guild (name, user_id, created_at)
      select '满', ${world.people.owner.id}::bigint, 0 from generate_series(1, ${GUILDS_OWNED_MAX}::int)`.execute(
      world.database.db,
    )
    expect(await world.as('owner').refusal(restoreGuild, { guild_id })).toBe('guild.owns_too_many')
    await sql`delete from guild where name = '满'`.execute(world.database.db)
    expect(await world.as('owner').refusal(restoreGuild, { guild_id })).toBe('none')
  })
})

test('a deleted guild is gone for all; restored up to the last moment of thirty days, it is as it was', async () => {
  const before = await world.as('member').call(viewGuild, { id: guild_id })
  await world.as('owner').call(deleteGuild, { guild_id })
  await world.app.appContext.bus.settled()
  expect(received.map(({ kind }) => kind)).toEqual(['deleted_guild'])
  expect([await isThereFor('owner'), await isThereFor('member')]).toEqual([false, false])
  expect(await world.as('owner').refusal(deleteGuild, { guild_id })).toBe('forbidden')
  expect(await deleted('owner')).toEqual([
    {
      id: guild_id,
      name: '重来',
      icon: '',
      deleted_at: now,
      can_restore: true,
      restorable_until: now + GUILD_RESTORABLE_MS,
    },
  ])
  expect(await deleted('member')).toEqual([])
  now += GUILD_RESTORABLE_MS - 1
  received = []
  await world.as('owner').call(restoreGuild, { guild_id })
  await world.app.appContext.bus.settled()
  const heard = received.filter(({ kind }) => kind === 'self_joined_guild')
  expect(heard.flatMap((it) => (it.to === 'person' ? it.userId : [])).sort()).toEqual(
    [world.people.owner.id, world.people.member.id].sort(),
  )
  expect(await world.as('member').call(viewGuild, { id: guild_id })).toEqual(before)
  expect(await deleted('owner')).toEqual([])
})
