import { viewGuild } from '@guildhall/wire/channel/channel.ts'
import { flat } from '@guildhall/wire/channel/flat.ts'
import {
  createChannel,
  deleteChannel,
  GUILD_CHANNELS_MAX,
  kickVoiceUser,
  listChannelsV3,
  listVoiceUsers,
  moveVoiceUsers,
  slowModeMs,
  updateChannel,
  viewChannelV3,
  viewGuildV3,
} from '@guildhall/wire/channel/publicChannel.ts'
import type { ChannelId, GuildId } from '@guildhall/wire/id.ts'
import { history as historyRoute } from '@guildhall/wire/message/message.ts'
import { permission } from '@guildhall/wire/permission/permission.ts'
import type { Route } from '@guildhall/wire/route.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PersonName } from '../demo/world.ts'
import { commit } from '../kit/events/events.ts'
import { rolesOf } from '../role/role.ts'
import { openWorld, type TestWorld } from '../testing/world.ts'
import { setRule } from './channel.ts'

let world: TestWorld
let guild_id: GuildId
let hosts: number
beforeAll(async () => {
  world = await openWorld()
  guild_id = world.guilds[0]?.id as GuildId
  hosts = (await rolesOf(world.database.db, guild_id))[1]!.role_id
})
afterAll(() => world.close())

const make = (input: object = {}, name: PersonName = 'owner') =>
  world.as(name).call(createChannel, { guild_id, name: '新频道', ...input })
const lastSeq = async () =>
  (
    await sql<{
      seq: string
    }>`select event_seq as seq from guild_counter where guild_id = ${guild_id}`.execute(world.database.db)
  ).rows[0]!.seq
const eventsSince = async (seq: string) =>
  (
    await sql<{ kind: string; channel_id: string | null; body: Record<string, unknown> }>`
      select kind, channel_id, body from event_log where guild_id = ${guild_id} and seq > ${seq} order by seq`.execute(
      world.database.db,
    )
  ).rows
const rule = (channelId: string, input: Parameters<typeof setRule>[3]) =>
  commit(world.app.appContext, (tx, emit) => setRule(tx, emit, channelId as ChannelId, input))
const manage = permission.manage_channel

describe('channels are not changed', () => {
  it('by guests, outsiders, and members without the right to manage channels', async () => {
    const channel_id = world.main.id
    const inputs: [Route, object][] = [
      [createChannel, { guild_id, name: 'x' }],
      [updateChannel, { channel_id, name: 'x' }],
      [deleteChannel, { channel_id }],
    ]
    for (const [route, input] of inputs) {
      expect([route.path, await world.as(null).refusal(route, input)]).toEqual([route.path, 'not_logged_in'])
      expect([route.path, await world.as('outsider').refusal(route, input)]).toEqual([
        route.path,
        'forbidden',
      ])
      expect([route.path, await world.as('member').refusal(route, input)]).toEqual([
        route.path,
        'channel.no_right',
      ])
    }
    for (const route of [updateChannel, deleteChannel, viewChannelV3])
      expect(
        await world.as('member').refusal(route, {
          channel_id: world.backstage.id,
          target_id: world.backstage.id,
          name: 'x',
        }),
      ).toBe('forbidden')
  })

  it('with a name, a topic, a type or a slow mode that cannot be', async () => {
    const channel_id = world.main.id
    for (const name of ['', ' ', 'x'.repeat(101)])
      expect(await world.as('owner').refusal(updateChannel, { channel_id, name })).toBe('channel.name_wrong')
    expect(await world.as('owner').refusal(createChannel, { guild_id, name: '' })).toBe('channel.name_wrong')
    for (const odd of [{ topic: 'x'.repeat(501) }, { slow_mode: 7 }, { slow_mode: 6_000 }, { level: -1 }])
      expect([odd, await world.as('owner').refusal(updateChannel, { channel_id, ...odd })]).toEqual([
        odd,
        'bad_input',
      ])
    for (const type of [0, 3, 4, 9])
      expect([type, await world.as('owner').refusal(createChannel, { guild_id, name: 'x', type })]).toEqual([
        type,
        'channel.type_refused',
      ])
  })

  it('into what is no category, is in another guild, is a category, or cannot be seen', async () => {
    const elsewhere = world.channels.find((each) => each.guild_id !== guild_id)!
    const channel_id = world.main.id
    for (const parent_id of [world.rules.id, elsewhere.id, '9999999'])
      expect(await world.as('owner').refusal(updateChannel, { channel_id, parent_id })).toBe(
        'channel.unknown',
      )
    const [one, two] = [await make({ is_category: 1 }), await make({ is_category: 1 })]
    const nested = { channel_id: one.id, parent_id: two.id }
    expect(await world.as('owner').refusal(updateChannel, nested)).toBe('channel.unknown')
    for (const { id: it } of [one, two]) await world.as('owner').call(deleteChannel, { channel_id: it })
  })

  it('to a place where the member may not manage channels', async () => {
    const mine = await make({ is_category: 1, name: '我的' })
    await rule(mine.id, { user_id: world.idOf('member'), allow: manage, deny: 0 })
    const other = await make({ is_category: 1, name: '别人的' })
    const { id: channel_id } = await make({ parent_id: mine.id }, 'member')
    const move = (parent_id: string) => world.as('member').refusal(updateChannel, { channel_id, parent_id })
    expect(await move(other.id)).toBe('channel.no_right')
    expect(await move('0')).toBe('channel.no_right')
    expect(await world.as('member').refusal(createChannel, { guild_id, name: 'x' })).toBe('channel.no_right')
    expect(await world.as('member').refusal(updateChannel, { channel_id, name: '可以' })).toBe('none')
    for (const it of [channel_id, mine.id, other.id])
      await world.as('owner').call(deleteChannel, { channel_id: it })
  })
})

describe('a channel', () => {
  it('is created in a category with its overwrites, at the end, and announced to its viewers', async () => {
    const category = await make({ is_category: '1', name: '分组', topic: 'no', type: 2 })
    expect(category).toMatchObject({
      type: 0,
      is_category: 1,
      parent_id: '',
      name: '分组',
      user_id: world.idOf('owner'),
    })
    await rule(category.id, { role_id: hosts, allow: permission.manage_message, deny: 0 })
    const before = await lastSeq()
    const first = await make({ parent_id: category.id, name: '一' })
    const second = await make({ parent_id: category.id, type: '2', limit_amount: '5', voice_quality: '3' })
    expect(first).toMatchObject({
      name: '一',
      type: 1,
      is_category: 0,
      parent_id: category.id,
      permission_sync: 1,
      voice_quality: '2',
      permission_overwrites: [{ role_id: hosts, allow: permission.manage_message, deny: 0 }],
    })
    expect(second).toMatchObject({ type: 2, limit_amount: 5, voice_quality: '3' })
    expect(second.level).toBeGreaterThan(first.level)
    expect((await eventsSince(before)).map(({ kind, channel_id }) => [kind, channel_id])).toEqual([
      ['added_channel', first.id],
      ['added_channel', second.id],
    ])
    const seen = await world.as('member').call(viewChannelV3, { target_id: category.id, need_children: '1' })
    expect(seen.children).toEqual([first.id, second.id])
    for (const it of [first, second, category])
      await world.as('owner').call(deleteChannel, { channel_id: it.id })
  })

  it('changes its name, topic and slow mode, in ms or s; the same again changes nothing', async () => {
    const { id: channel_id } = await make()
    const before = await lastSeq()
    const input = { channel_id, name: '改名', topic: '话题', slow_mode: '30' }
    const changed = await world.as('owner').call(updateChannel, input)
    expect(changed).toMatchObject({ name: '改名', topic: '话题', slow_mode: 30_000, is_category: 0 })
    await world.as('owner').call(updateChannel, { ...input, slow_mode: 30_000 })
    const events = await eventsSince(before)
    expect(events.map(({ kind }) => kind)).toEqual(['updated_channel'])
    expect(events[0]?.body).toMatchObject({ name: '改名', slow_mode: 30_000, is_category: 0 })
    expect(events[0]?.body).not.toHaveProperty('permissions')
    expect([0, 5, 5_000, 21_600, 6].map(slowModeMs)).toEqual([0, 5_000, 5_000, 21_600_000, null])
    await world.as('owner').call(deleteChannel, { channel_id })
  })

  it('moves into a category and out again with its own overwrites, and its viewers get the order', async () => {
    const category = await make({ is_category: 1 })
    await rule(category.id, { role_id: 0, allow: 0, deny: permission.view_channel })
    const { id: channel_id } = await make()
    const before = await lastSeq()
    const moved = await world.as('owner').call(updateChannel, { channel_id, parent_id: category.id })
    expect(moved).toMatchObject({ parent_id: category.id, permission_sync: 0, permission_overwrites: [] })
    expect(await world.as('member').call(viewChannelV3, { target_id: channel_id })).toMatchObject({
      id: channel_id,
    })
    const out = await world.as('owner').call(updateChannel, { channel_id, parent_id: '0', level: 1 })
    expect(out).toMatchObject({ parent_id: '', level: 1 })
    const events = await eventsSince(before)
    expect(events.map(({ kind }) => kind)).toEqual([
      'updated_channel',
      'sort_channel',
      'updated_channel',
      'sort_channel',
    ])
    expect(events[1]?.body).toEqual({ guild_id, channels: [{ id: category.id, channels: [channel_id] }] })
    const order = events[3]?.body as { channels: { id: string; channels: string[] }[] }
    expect(order.channels[0]).toMatchObject({ id: '0' })
    expect(order.channels[0]?.channels[0]).toBe(channel_id)
    expect(order.channels[0]?.channels).not.toContain(world.backstage.id)
    expect(order.channels[0]?.channels).not.toContain(category.id)
    for (const it of [channel_id, category.id])
      await world.as('owner').call(deleteChannel, { channel_id: it })
  })

  it('that is deleted is gone with its messages, and another one is shown first', async () => {
    const guild = await world.as('owner').call(viewGuild, { id: guild_id })
    const { id: channel_id } = await make({ name: '门厅' })
    await sql`update guild set default_channel_id = ${channel_id}, welcome_channel_id = ${channel_id}
      where id = ${guild_id}`.execute(world.database.db)
    const before = await lastSeq()
    await world.as('owner').call(deleteChannel, { channel_id })
    expect(await world.as('owner').refusal(historyRoute, { id: channel_id })).toBe('forbidden')
    expect(await world.as('owner').refusal(viewChannelV3, { target_id: channel_id })).toBe('forbidden')
    expect(await world.as('owner').refusal(deleteChannel, { channel_id })).toBe('forbidden')
    const now = await world.as('owner').call(viewGuild, { id: guild_id })
    expect(now.default_channel_id).not.toBe(channel_id)
    expect(now.default_channel_id).not.toBe('0')
    expect(now.welcome_channel_id).toBe('0')
    const events = await eventsSince(before)
    expect(events.map((it) => [it.kind, it.channel_id])).toEqual([
      ['deleted_channel', channel_id],
      ['updated_guild', null],
      ['updated_guild', null],
    ])
    expect(events[2]?.body).toMatchObject({
      default_channel_id: now.default_channel_id,
      custom_id: '',
      banner: '',
    })
    await sql`update guild set default_channel_id = ${guild.default_channel_id},
      welcome_channel_id = ${guild.welcome_channel_id} where id = ${guild_id}`.execute(world.database.db)
  })

  it('stays when its category is deleted, as it may be viewed', async () => {
    const category = await make({ is_category: 1 })
    await rule(category.id, { role_id: 0, allow: 0, deny: permission.view_channel })
    const child = await make({ parent_id: category.id })
    await world.as('owner').call(deleteChannel, { channel_id: category.id })
    const after = await world.as('owner').call(viewChannelV3, { target_id: child.id })
    expect(after).toMatchObject({ parent_id: '', permission_sync: 0 })
    expect(await world.as('member').refusal(viewChannelV3, { target_id: child.id })).toBe('forbidden')
    await world.as('owner').call(deleteChannel, { channel_id: child.id })
  })

  it('is not made past the limit, also by two calls at once', async () => {
    const { db } = world.database
    await sql`insert into channel (guild_id, user_id, name, type, level, created_at)
      select ${guild_id}, ${world.idOf('owner')}, 'bulk', 1, n, 0
      from generate_series(1, ${GUILD_CHANNELS_MAX} - 1 -
        (select count(*)::int from channel where guild_id = ${guild_id} and deleted_at is null)) n`.execute(
      db,
    )
    const input = { guild_id, name: '最后' }
    const both = await Promise.all(
      ['owner', 'admin'].map((who) => world.as(who as PersonName).refusal(createChannel, input)),
    )
    expect(both.filter((it) => it === 'none')).toHaveLength(1)
    expect(both).toContain('channel.full')
    await sql`delete from channel where name in ('bulk', '最后')`.execute(db)
  })
})

describe('reading channels', () => {
  it('shows each member what they may view, flat and in the order of the tree', async () => {
    const seenBy = async (name: PersonName) => (await world.as(name).call(viewGuildV3, { guild_id })).channels
    const [own, others] = [await seenBy('owner'), await seenBy('member')]
    expect(own.map((it) => it.id)).toContain(world.backstage.id)
    expect(others.map((it) => it.id)).not.toContain(world.backstage.id)
    const { channels: tree } = await world.as('member').call(viewGuild, { id: guild_id })
    expect(others.map((it) => it.id)).toEqual(
      tree.flatMap((it) => [it.id, ...it.channels.map((each) => each.id)]),
    )
    expect(await world.as('outsider').refusal(viewGuildV3, { guild_id })).toBe('forbidden')
    expect(await world.as('outsider').refusal(listChannelsV3, { guild_id })).toBe('forbidden')
  })

  it('lists all channels, or those of a type with the categories, or those of a category, in pages', async () => {
    const all = await world.as('member').call(listChannelsV3, { guild_id })
    const types = (input: typeof all) => new Set(input.items.map(({ type }) => type))
    expect(types(all)).toEqual(new Set([0, 1, 2]))
    expect(types(await world.as('member').call(listChannelsV3, { guild_id, type: '2' }))).toEqual(
      new Set([0, 2]),
    )
    const parent = all.items.find(({ parent_id }) => parent_id !== '')!.parent_id
    const inside = await world.as('member').call(listChannelsV3, { guild_id, parent_id: parent })
    expect(new Set(inside.items.map(({ parent_id }) => parent_id))).toEqual(new Set([parent]))
    const page = await world.as('member').call(listChannelsV3, { guild_id, page: 2, page_size: 1 })
    expect(page.items.map((it) => it.id)).toEqual([all.items[1]?.id])
    expect(page.meta.total).toBe(all.meta.total)
  })

  it('shows the overwrites of single people to those who manage roles; others see their own', async () => {
    const { id: target_id } = await make()
    await rule(target_id, { user_id: world.idOf('member'), allow: permission.send_message, deny: 0 })
    await rule(target_id, { user_id: world.idOf('muted'), allow: 0, deny: permission.send_message })
    const own = {
      allow: permission.send_message,
      deny: 0,
      user: expect.objectContaining({ id: world.idOf('member') }),
    }
    const ofMuted = {
      allow: 0,
      deny: permission.send_message,
      user: expect.objectContaining({ id: world.idOf('muted') }),
    }
    const people = async (name: PersonName) =>
      (await world.as(name).call(viewChannelV3, { target_id })).permission_users
    expect(await people('owner')).toHaveLength(2)
    expect(await people('admin')).toEqual(expect.arrayContaining([own, ofMuted]))
    expect(await people('member')).toEqual([own])
    expect(await people('muted')).toEqual([ofMuted])
    const inTree = async (name: PersonName) => {
      const { channels } = await world.as(name).call(viewGuild, { id: guild_id })
      return flat(channels).find((it) => it.id === target_id)?.permission_users
    }
    expect(await inTree('member')).toEqual([own])
    expect(await inTree('owner')).toHaveLength(2)
    await world.as('owner').call(deleteChannel, { channel_id: target_id })
  })
})

it('nobody is in a voice channel, so nobody is moved or removed', async () => {
  const channel_id = world.voice.id
  expect(await world.as('member').call(listVoiceUsers, { channel_id })).toEqual([])
  expect(await world.as('member').refusal(listVoiceUsers, { channel_id: world.backstage.id })).toBe(
    'forbidden',
  )
  const move = { target_id: channel_id, user_ids: [world.idOf('member')] }
  expect(await world.as('member').refusal(moveVoiceUsers, move)).toBe('channel.no_right')
  expect(await world.as('owner').refusal(moveVoiceUsers, move)).toBe('channel.nobody_there')
  expect(await world.as('owner').refusal(kickVoiceUser, { channel_id, user_id: world.idOf('member') })).toBe(
    'channel.nobody_there',
  )
})
