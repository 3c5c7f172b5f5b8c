import { viewGuild } from '@guildhall/wire/channel/channel.ts'
import { createChannel, updateChannel } from '@guildhall/wire/channel/publicChannel.ts'
import { listGuilds } from '@guildhall/wire/guild/guild.ts'
import { amountAt, rightsAt } from '@guildhall/wire/guild/levelRights.ts'
import type { GuildId } from '@guildhall/wire/id.ts'
import { joinGuild } from '@guildhall/wire/invite/invite.ts'
import { createRole } from '@guildhall/wire/role/role.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createInvite } from '../invite/invite.ts'
import { commit } from '../kit/events/events.ts'
import { createGuild } from '../member/member.ts'
import type { Refused } from '../testing/calls.ts'
import { openWorld, type TestWorld } from '../testing/world.ts'
import { setBoosts } from './guild.ts'

let world: TestWorld
let guild_id: GuildId
let code: string

beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())
beforeEach(async () => {
  await commit(world.app.appContext, async (tx, emit) => {
    guild_id = await createGuild(tx, emit, { name: '等级', ownerId: world.people.owner.id })
    const invite = { guildId: guild_id, channelId: null, userId: world.people.owner.id }
    code = (await createInvite(tx, { ...invite, expiresInMs: null, uses: null })).code
  })
})

const setLevel = (level: number) =>
  commit(world.app.appContext, (tx, emit) => setBoosts(tx, emit, guild_id, { boost_num: 0, level }))
/** What a refusal says of itself. */
const refused = (call: Promise<unknown>) =>
  call.then(
    () => null,
    (error: Refused) => ({ failure: error.failure, ...error.body.data?.extra }),
  )

/** People who did not join by a call, so that a guild is nearly full. */
const fill = (members: number) =>
  sql`
    with person as (
      insert into "user" (username, identify_num, avatar, bot, mobile_prefix, mobile, mobile_verified, created_at)
      select 'crowd', lpad(n::text, 6, '0'), '', false, '', '', false, 0
      from generate_series(1, ${members}::int) n
      on conflict do nothing returning id
    ), everybody as (
      select id from person union select id from "user" where username = 'crowd'
    )
    insert into membership (guild_id, user_id, joined_at)
    select ${guild_id}::bigint, id, 0 from everybody order by id limit ${members}`.execute(world.database.db)

describe('members', () => {
  test('do not join a guild that is full for its level, whoever comes last; those who are in it stay', async () => {
    // With the owner, one place is left.
    await fill(amountAt('max_members', 0) - 2)
    const last = await Promise.all(
      (['member', 'admin'] as const).map((who) => world.as(who).refusal(joinGuild, { id: code })),
    )
    expect(last.sort()).toEqual(['guild.full', 'none'])
    expect(await refused(world.as('outsider').call(joinGuild, { id: code }))).toMatchObject({
      failure: 'guild.full',
      most: amountAt('max_members', 0),
    })
    await setLevel(1)
    expect(await world.as('outsider').refusal(joinGuild, { id: code })).toBe('none')
    await setLevel(0)
    expect(await world.as('outsider').refusal(joinGuild, { id: code })).toBe('none')
    expect((await world.as('outsider').call(listGuilds)).some(({ id }) => id === guild_id)).toBe(true)
    expect(await world.as('muted').refusal(joinGuild, { id: code })).toBe('guild.full')
  })
})

describe('roles', () => {
  test('are made up to the number of the level; a guild that dropped a level keeps them and gets no more', async () => {
    await setLevel(1)
    await sql`insert into role (guild_id, name, position)
      select ${guild_id}, 'bulk', 100 + n from generate_series(1, ${amountAt('max_role_num', 1)} - 2) n`.execute(
      world.database.db,
    )
    expect(await world.as('owner').refusal(createRole, { guild_id })).toBe('none')
    expect(await refused(world.as('owner').call(createRole, { guild_id }))).toMatchObject({
      failure: 'role.full',
      most: amountAt('max_role_num', 1),
    })
    await setLevel(0)
    expect((await world.as('owner').call(viewGuild, { id: guild_id })).roles).toHaveLength(
      amountAt('max_role_num', 1),
    )
    expect(await world.as('owner').refusal(createRole, { guild_id })).toBe('role.full')
    await setLevel(2)
    expect(await world.as('owner').refusal(createRole, { guild_id })).toBe('none')
  })
})

describe('the quality of a voice channel', () => {
  test('is at most that of the level; a channel keeps what it has', async () => {
    const voice = { guild_id, name: '语音', type: 2 }
    expect(
      await refused(world.as('owner').call(createChannel, { ...voice, voice_quality: 4 })),
    ).toMatchObject({
      failure: 'guild.level',
      level: 1,
      right: 'max_voice_quality',
    })
    const { id } = await world.as('owner').call(createChannel, { ...voice, voice_quality: 3 })
    await setLevel(5)
    await world.as('owner').call(updateChannel, { channel_id: id, voice_quality: 7 })
    await setLevel(0)
    expect(
      await world.as('owner').call(updateChannel, { channel_id: id, name: '开黑', voice_quality: 7 }),
    ).toMatchObject({
      name: '开黑',
      voice_quality: '7',
    })
    expect(
      await refused(world.as('owner').call(updateChannel, { channel_id: id, voice_quality: 6 })),
    ).toMatchObject({
      failure: 'guild.level',
      level: 4,
    })
  })
})

test('a guild says in each of its views what its level brings', async () => {
  await setLevel(3)
  const inList = (await world.as('owner').call(listGuilds)).find(({ id }) => id === guild_id)
  expect(inList?.rights).toEqual(rightsAt(3))
  expect((await world.as('owner').call(viewGuild, { id: guild_id })).rights).toMatchObject({
    max_members: 100_000,
    restore_delete_guild: true,
    custom_id: false,
  })
})
