import {
  CHANNEL_USERS_MAX,
  createOverwrite,
  deleteOverwrite,
  listOverwrites,
  syncOverwrites,
  updateOverwrite,
} from '@guildhall/wire/channel/overwrite.ts'
import { createChannel, viewChannelV3 } from '@guildhall/wire/channel/publicChannel.ts'
import type { ChannelId, GuildId } from '@guildhall/wire/id.ts'
import { permission } from '@guildhall/wire/permission/permission.ts'
import type { Route } from '@guildhall/wire/route.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { PersonName } from '../demo/world.ts'
import { rolesOf } from '../role/role.ts'
import { Refused } from '../testing/calls.ts'
import { openWorld, type TestWorld } from '../testing/world.ts'

const { view_channel: VIEW, send_message: SEND, manage_role: ROLES, ban_member: BAN } = permission

let world: TestWorld
let guild_id: GuildId
let admins: number
let hosts: number
let muted: number
let category: ChannelId
let channel_id: ChannelId
beforeAll(async () => {
  world = await openWorld()
  guild_id = world.guilds[0]?.id as GuildId
  const all = await rolesOf(world.database.db, guild_id)
  ;[admins, hosts, muted] = all.map(({ role_id }) => role_id) as [number, number, number]
})
afterAll(() => world.close())
beforeEach(async () => {
  category = (await world.as('owner').call(createChannel, { guild_id, name: '分组', is_category: 1 })).id
  channel_id = (await world.as('owner').call(createChannel, { guild_id, name: '频道', parent_id: category }))
    .id
})

const refusal = (name: PersonName | null, route: Route, input: object) =>
  world.as(name).refusal(route, { channel_id, ...input })
const role = (value: number) => ({ type: 'role_id', value })
const set = (name: PersonName, it: object, of: ChannelId = channel_id) =>
  world.as(name).call(updateOverwrite, { channel_id: of, ...it })
const index = (of: ChannelId = channel_id) => world.as('owner').call(listOverwrites, { channel_id: of })
const events = async (of: ChannelId) =>
  (
    await sql<{ kind: string }>`select kind from event_log where channel_id = ${of} order by seq`.execute(
      world.database.db,
    )
  ).rows.map(({ kind }) => kind)

describe('overwrites are not touched', () => {
  it('by guests, outsiders, members without the right, and those who may not view the channel', async () => {
    const routes: [Route, object][] = [
      [listOverwrites, {}],
      [createOverwrite, role(muted)],
      [updateOverwrite, { ...role(muted), allow: SEND }],
      [syncOverwrites, {}],
      [deleteOverwrite, role(muted)],
    ]
    for (const [route, input] of routes) {
      expect([route.path, await refusal(null, route, input)]).toEqual([route.path, 'not_logged_in'])
      for (const name of ['outsider', 'member'] as const)
        expect([route.path, name, await refusal(name, route, input)]).toEqual([route.path, name, 'forbidden'])
    }
  })

  it('of roles and members above or beside the caller', async () => {
    await set('owner', { value: world.idOf('member'), allow: ROLES })
    expect(await refusal('member', updateOverwrite, { ...role(hosts), allow: SEND })).toBe('role.above')
    expect(await refusal('member', updateOverwrite, { ...role(admins), allow: SEND })).toBe('role.above')
    expect(await refusal('admin', deleteOverwrite, role(admins))).toBe('role.above')
    for (const name of ['member', 'admin', 'owner'] as const)
      expect(await refusal('member', updateOverwrite, { value: world.idOf(name), deny: SEND })).toBe(
        'guild.outranked',
      )
    expect(await refusal('member', updateOverwrite, { ...role(muted), deny: SEND })).toBe('none')
    expect(await refusal('member', updateOverwrite, { value: world.idOf('muted'), allow: SEND })).toBe('none')
  })

  it('in bits that the caller lacks there', async () => {
    await set('owner', { value: world.idOf('member'), allow: ROLES })
    expect(await refusal('member', updateOverwrite, { ...role(muted), allow: BAN })).toBe('role.bits')
    expect(await refusal('member', updateOverwrite, { ...role(0), deny: permission.manage_channel })).toBe(
      'role.bits',
    )
    expect(
      await refusal('member', updateOverwrite, { ...role(muted), bits: BAN | SEND, allow: BAN | SEND }),
    ).toBe('role.bits')
    await set('owner', { ...role(muted), allow: permission.manage_message })
    expect(await refusal('member', updateOverwrite, role(muted))).toBe('role.bits')
    expect(await refusal('member', deleteOverwrite, role(muted))).toBe('role.bits')
    // Nor by taking over those of the category.
    await set('owner', { ...role(muted), allow: permission.manage_message }, category)
    await set('owner', { ...role(muted), allow: 0 })
    expect(await refusal('member', syncOverwrites, {})).toMatch(/role.bits|guild.outranked/)
  })

  it('of roles and people that do not exist here, nor of very many people', async () => {
    expect(await refusal('owner', updateOverwrite, role(4_000_000))).toBe('role.unknown')
    expect(await refusal('owner', updateOverwrite, role(4_000_000_000))).toBe('role.unknown')
    expect(await refusal('owner', updateOverwrite, { value: world.idOf('outsider') })).toBe(
      'guild.not_member',
    )
    expect(await refusal('owner', updateOverwrite, { value: 'nobody' })).toBe('bad_input')
    expect(await refusal('owner', updateOverwrite, { value: 0 })).toBe('bad_input')
    await sql`with made as (
        insert into "user" (username, identify_num, created_at, mobile_prefix, mobile)
        select 'u' || n, lpad(n::text, 6, '0'), 0, '86', (13000000000 + n)::text
        from generate_series(1, ${CHANNEL_USERS_MAX}) n returning id)
      insert into channel_user_rule (channel_id, user_id) select ${channel_id}, id from made`.execute(
      world.database.db,
    )
    expect(await refusal('owner', updateOverwrite, { value: world.idOf('member') })).toBe(
      'channel.users_full',
    )
  })
})

describe('an overwrite', () => {
  it('of a role is created empty, set and deleted; the same again emits nothing', async () => {
    expect(await world.as('owner').call(createOverwrite, { channel_id, ...role(muted) })).toEqual({
      role_id: muted,
      allow: 0,
      deny: 0,
    })
    const wanted = { role_id: muted, allow: SEND, deny: VIEW }
    const input = { type: 'role_id', value: String(muted), allow: String(SEND), deny: VIEW | SEND | 1 }
    expect(await set('owner', input)).toEqual(wanted)
    expect(await set('owner', input)).toEqual(wanted)
    expect(await world.as('owner').call(createOverwrite, { channel_id, ...role(muted) })).toEqual(wanted)
    expect(await index()).toMatchObject({ permission_overwrites: [wanted], permission_sync: 0 })
    await world.as('owner').call(deleteOverwrite, { channel_id, ...role(muted) })
    await world.as('owner').call(deleteOverwrite, { channel_id, ...role(muted) })
    expect((await index()).permission_overwrites).toEqual([])
    expect(await events(channel_id)).toEqual(['added_channel', ...Array(3).fill('updated_channel')])
  })

  it('changes in the bits that are meant alone, so that two people at once both get what they want', async () => {
    const bits = (it: object) => set('owner', { ...role(muted), ...it })
    await bits({ allow: permission.upload_file, deny: SEND })
    await Promise.all([
      bits({ bits: VIEW, deny: VIEW }),
      bits({ bits: SEND, allow: SEND }),
      world.as('admin').call(updateOverwrite, { channel_id, ...role(muted), bits: BAN, deny: BAN }),
    ])
    expect((await index()).permission_overwrites).toEqual([
      { role_id: muted, allow: permission.upload_file | SEND, deny: VIEW | BAN },
    ])
    expect(await bits({ bits: permission.upload_file | VIEW })).toEqual({
      role_id: muted,
      allow: SEND,
      deny: BAN,
    })
  })

  it('of a person carries the person', async () => {
    const made = await world.as('owner').call(createOverwrite, { channel_id, value: world.idOf('member') })
    expect(made).toMatchObject({
      user_id: world.idOf('member'),
      allow: 0,
      deny: 0,
      user: { id: world.idOf('member') },
    })
    expect(await set('owner', { type: 'user_id', value: world.idOf('member'), allow: SEND })).toMatchObject({
      user: { id: world.idOf('member'), nickname: expect.any(String), roles: [hosts], os: '' },
    })
    expect((await index()).permission_users).toMatchObject([
      { user: { id: world.idOf('member') }, allow: SEND, deny: 0 },
    ])
  })

  it('hides a channel at once', async () => {
    await world.as('member').call(viewChannelV3, { target_id: channel_id })
    await set('owner', { ...role(0), deny: VIEW })
    const error = await world
      .as('member')
      .call(viewChannelV3, { target_id: channel_id })
      .catch((it: unknown) => it)
    expect(error instanceof Refused && error.failure).toBe('forbidden')
  })

  it('of a category is set in the channels that follow it alone, and sync makes one follow it again', async () => {
    const { id: apart } = await world
      .as('owner')
      .call(createChannel, { guild_id, name: '单独', parent_id: category })
    await set('owner', { ...role(hosts), allow: SEND }, apart)
    await set('owner', { ...role(muted), deny: SEND }, category)
    await set('owner', { value: world.idOf('member'), allow: SEND }, category)
    const ofCategory = [{ role_id: muted, allow: 0, deny: SEND }]
    expect(await index()).toMatchObject({ permission_overwrites: ofCategory, permission_sync: 1 })
    expect((await index()).permission_users).toHaveLength(1)
    expect((await index(apart)).permission_overwrites).toEqual([{ role_id: hosts, allow: SEND, deny: 0 }])
    const synced = await world.as('owner').call(syncOverwrites, { channel_id: apart })
    expect(synced).toMatchObject({ permission_overwrites: ofCategory, permission_users: [{ allow: SEND }] })
    await world.as('owner').call(deleteOverwrite, { channel_id: category, ...role(muted) })
    expect(await index(apart)).toMatchObject({ permission_overwrites: [], permission_sync: 1 })
    expect(await refusal('owner', syncOverwrites, { channel_id: category })).toBe('channel.no_category')
  })
})
