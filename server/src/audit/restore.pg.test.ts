/** Channels and roles that were deleted, and come back within seven days. Decision 114. */
import { listAudit } from '@guildhall/wire/audit/audit.ts'
import { viewGuild } from '@guildhall/wire/channel/channel.ts'
import { listOverwrites } from '@guildhall/wire/channel/overwrite.ts'
import { createChannel, deleteChannel, restoreChannel } from '@guildhall/wire/channel/publicChannel.ts'
import type { ChannelId, GuildId, UserId } from '@guildhall/wire/id.ts'
import { kickOut } from '@guildhall/wire/member/moderation.ts'
import { pinMessage } from '@guildhall/wire/message/action.ts'
import { history } from '@guildhall/wire/message/message.ts'
import { listPins } from '@guildhall/wire/message/pin.ts'
import { permission } from '@guildhall/wire/permission/permission.ts'
import {
  createRole,
  deleteRole,
  grantRole,
  listRoles,
  moveRole,
  restoreRole,
  updateRole,
} from '@guildhall/wire/role/role.ts'
import { DAY_MS } from '@guildhall/wire/unit.ts'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { setRule } from '../channel/channel.ts'
import type { PersonName } from '../demo/world.ts'
import { replaceClock } from '../kit/clock.ts'
import { commit } from '../kit/events/events.ts'
import { memberRoles } from '../role/role.ts'
import { openWorld, type TestWorld } from '../testing/world.ts'

let world: TestWorld
let guild_id: GuildId
const idOf = (name: PersonName): UserId => world.people[name].id
beforeAll(async () => {
  world = await openWorld()
  guild_id = world.guildId
})
afterAll(() => world.close())
afterEach(() => replaceClock(Date.now))
const newest = async () => (await world.as('owner').call(listAudit, { guild_id, page_size: 1 })).items[0]!
const eventsSince = async (seq: string) =>
  (
    await sql<{ kind: string; body: Record<string, unknown> }>`
      select kind, body from event_log where guild_id = ${guild_id} and seq > ${seq} order by seq`.execute(
      world.database.db,
    )
  ).rows
const lastSeq = async () =>
  (
    await sql<{
      seq: string
    }>`select event_seq as seq from guild_counter where guild_id = ${guild_id}`.execute(world.database.db)
  ).rows[0]!.seq

describe('a channel', () => {
  let channel_id: ChannelId
  beforeEach(async () => {
    channel_id = (await world.as('owner').call(createChannel, { guild_id, name: '旧事', type: 1 })).id
  })
  const tree = async () => (await world.as('member').call(viewGuild, { id: guild_id })).channels
  const isShown = async () => (await tree()).some(({ id }) => id === channel_id)

  it('is not restored by who may not delete it, nor one that is there, nor one that never was', async () => {
    const refused = (name: PersonName | null, id = channel_id) =>
      world.as(name).refusal(restoreChannel, { channel_id: id })
    expect(await refused('owner')).toBe('forbidden')
    await world.as('owner').call(deleteChannel, { channel_id })
    expect([await refused(null), await refused('outsider'), await refused('member')]).toEqual([
      'not_logged_in',
      'forbidden',
      'channel.no_right',
    ])
    expect(await refused('owner', '999' as ChannelId)).toBe('forbidden')
    expect(await isShown()).toBe(false)
  })

  it('is not restored after seven days, or when the guild is full', async () => {
    await world.as('owner').call(deleteChannel, { channel_id })
    replaceClock(() => Date.now() + 7 * DAY_MS)
    const refused = () => world.as('owner').refusal(restoreChannel, { channel_id })
    expect(await refused()).toBe('channel.not_restorable')
    replaceClock(Date.now)
    await sql`insert into channel (guild_id, user_id, name, type, created_at)
      select ${guild_id}, ${idOf('owner')}, 'x', 2, 1 from generate_series(1, 500)`.execute(world.database.db)
    expect(await refused()).toBe('channel.full')
    await sql`delete from channel where name = 'x'`.execute(world.database.db)
    expect(await isShown()).toBe(false)
  })

  it('comes back with its messages, pins and overwrites, and its viewers are told', async () => {
    const { id } = await world.as('member').say(channel_id, '还在')
    await world.as('owner').call(pinMessage, { target_id: channel_id, msg_id: id })
    await commit(world.app.appContext, (tx, emit) =>
      setRule(tx, emit, channel_id, { user_id: idOf('muted'), allow: 0, deny: permission.send_message }),
    )
    await world.as('owner').call(deleteChannel, { channel_id })
    expect(await world.as('member').refusal(history, { id: channel_id })).toBe('forbidden')
    const seq = await lastSeq()
    expect((await world.as('owner').call(restoreChannel, { channel_id })).name).toBe('旧事')
    expect((await eventsSince(seq)).map(({ kind }) => kind)).toEqual(['added_channel'])
    expect(await isShown()).toBe(true)
    const messages = await world.as('member').call(history, { id: channel_id })
    expect(JSON.stringify(messages)).toContain('还在')
    expect(await world.as('member').call(listPins, { id: channel_id })).toHaveLength(1)
    const { permission_users } = await world.as('owner').call(listOverwrites, { channel_id })
    expect(permission_users).toHaveLength(1)
    expect(await newest()).toMatchObject({
      type: 'channel_restored',
      target: { id: channel_id, name: '旧事' },
    })
  })

  it('comes back once, when two restore it at once', async () => {
    await world.as('owner').call(deleteChannel, { channel_id })
    const restore = (name: PersonName) => world.as(name).refusal(restoreChannel, { channel_id })
    expect((await Promise.all([restore('owner'), restore('admin')])).toSorted()).toEqual([
      'forbidden',
      'none',
    ])
    const { items } = await world.as('owner').call(listAudit, { guild_id, type: 'channel_restored' })
    expect(items.filter(({ target }) => target.id === channel_id)).toHaveLength(1)
  })

  it('stands at the top when its category is gone, and does not follow it', async () => {
    const as = world.as('owner')
    const category = await as.call(createChannel, { guild_id, name: '旧组', is_category: true })
    const inside = await as.call(createChannel, { guild_id, name: '里面', type: 1, parent_id: category.id })
    await as.call(deleteChannel, { channel_id: inside.id })
    await as.call(deleteChannel, { channel_id: category.id })
    const restored = await as.call(restoreChannel, { channel_id: inside.id })
    expect(restored).toMatchObject({ parent_id: '', permission_sync: 0 })
  })
})

describe('a role', () => {
  let role_id: number
  const held = async (name: PersonName) =>
    (await memberRoles(world.database.db, guild_id, idOf(name)))?.includes(role_id)
  const positionOf = async () =>
    (await world.as('owner').call(listRoles, { guild_id })).items.find((it) => it.role_id === role_id)
      ?.position
  beforeEach(async () => {
    const as = world.as('owner')
    role_id = (await as.call(createRole, { guild_id, name: '老友' })).role_id
    await as.call(updateRole, { guild_id, role_id, permissions: permission.mention_everyone, color: 9 })
    await as.call(grantRole, { guild_id, role_id, user_id: idOf('member') })
  })

  it('is not restored by who may not delete it, nor one that is there or never was', async () => {
    const refused = (name: PersonName | null, id = role_id) =>
      world.as(name).refusal(restoreRole, { guild_id, role_id: id })
    expect([await refused('owner'), await refused('owner', 4_000_000)]).toEqual([
      'role.not_restorable',
      'role.not_restorable',
    ])
    await world.as('owner').call(deleteRole, { guild_id, role_id })
    expect([await refused(null), await refused('outsider'), await refused('member')]).toEqual([
      'not_logged_in',
      'forbidden',
      'forbidden',
    ])
  })

  it('is not restored after seven days', async () => {
    await world.as('owner').call(deleteRole, { guild_id, role_id })
    replaceClock(() => Date.now() + 7 * DAY_MS)
    expect(await world.as('owner').refusal(restoreRole, { guild_id, role_id })).toBe('role.not_restorable')
  })

  it('that stood above the caller, or has what they lack, is not theirs to restore', async () => {
    const as = world.as('owner')
    const manager = (await as.call(createRole, { guild_id, name: '管角色' })).role_id
    await as.call(updateRole, { guild_id, role_id: manager, permissions: permission.manage_role })
    await as.call(grantRole, { guild_id, role_id: manager, user_id: idOf('unverified') })
    const refused = () => world.as('unverified').refusal(restoreRole, { guild_id, role_id })
    await as.call(deleteRole, { guild_id, role_id })
    expect(await refused()).toBe('role.above')
    await as.call(moveRole, { guild_id, role_id: manager, position: 1 })
    expect(await refused()).toBe('role.bits')
    await as.call(deleteRole, { guild_id, role_id: manager })
  })

  it('comes back as it was, where it stood, to those who are still members, and the guild is told', async () => {
    const as = world.as('owner')
    await commit(world.app.appContext, (tx, emit) =>
      setRule(tx, emit, world.main.id, { role_id, allow: permission.mention_everyone, deny: 0 }),
    )
    await as.call(grantRole, { guild_id, role_id, user_id: idOf('muted') })
    await as.call(moveRole, { guild_id, role_id, position: 2 })
    await as.call(deleteRole, { guild_id, role_id })
    await as.call(kickOut, { guild_id, target_id: idOf('muted') })
    expect(await held('member')).toBe(false)
    const seq = await lastSeq()
    expect(await as.call(restoreRole, { guild_id, role_id })).toMatchObject({
      name: '老友',
      color: 9,
      permissions: permission.mention_everyone,
      position: 2,
    })
    expect([await held('member'), await held('muted')]).toEqual([true, undefined])
    expect(await positionOf()).toBe(2)
    const { permission_overwrites } = await as.call(listOverwrites, { channel_id: world.main.id })
    expect(permission_overwrites).toContainEqual({ role_id, allow: permission.mention_everyone, deny: 0 })
    const kinds = (await eventsSince(seq)).map(({ kind }) => kind)
    expect(kinds.filter((kind) => kind !== 'updated_role')).toEqual([
      'added_role',
      'updated_channel',
      'updated_guild_member',
    ])
    expect(await newest()).toMatchObject({ type: 'role_restored', target: { name: '老友' } })
    expect(await as.refusal(restoreRole, { guild_id, role_id })).toBe('role.not_restorable')
  })

  it('comes back once, when two restore it at once', async () => {
    await world.as('owner').call(deleteRole, { guild_id, role_id })
    const restore = (name: PersonName) => world.as(name).refusal(restoreRole, { guild_id, role_id })
    const both = await Promise.all([restore('owner'), restore('owner')])
    expect(both.toSorted()).toEqual(['none', 'role.not_restorable'])
  })

  it('is not given to whoever restores it, unless the guild is theirs', async () => {
    await world.as('owner').call(grantRole, { guild_id, role_id, user_id: idOf('admin') })
    await world.as('owner').call(deleteRole, { guild_id, role_id })
    await world.as('admin').call(restoreRole, { guild_id, role_id })
    expect([await held('admin'), await held('member')]).toEqual([false, true])
  })

  it('comes back to many members soon after, and again after a second deletion', async () => {
    const as = world.as('owner')
    await sql`
      with people as (
        insert into "user" (username, identify_num, created_at, bot)
        select '众' || n, lpad(n::text, 4, '0'), 1, true from generate_series(1, 250) n returning id),
      inside as (insert into membership (guild_id, user_id, joined_at) select ${guild_id}, id, 1 from people returning user_id)
      insert into membership_role (guild_id, user_id, role_id) select ${guild_id}, user_id, ${role_id}::int from inside`.execute(
      world.database.db,
    )
    const holders = async () =>
      (
        await sql<{ n: number }>`
          select count(*)::int as n from membership_role where guild_id = ${guild_id} and role_id = ${role_id}`.execute(
          world.database.db,
        )
      ).rows[0]!.n
    const all = await holders()
    expect(all).toBeGreaterThan(250)
    for (const _time of [1, 2]) {
      await as.call(deleteRole, { guild_id, role_id })
      expect(await holders()).toBe(0)
      await as.call(restoreRole, { guild_id, role_id })
      await expect.poll(holders, { timeout: 30_000 }).toBe(all)
    }
  })
})
