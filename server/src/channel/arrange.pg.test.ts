import { viewGuild } from '@guildhall/wire/channel/channel.ts'
import {
  copyChannel,
  createChannel,
  deleteChannel,
  moveChannel,
  updateChannel,
  viewChannelV3,
} from '@guildhall/wire/channel/publicChannel.ts'
import type { ChannelId, GuildId } from '@guildhall/wire/id.ts'
import { permission } from '@guildhall/wire/permission/permission.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { PersonName } from '../demo/world.ts'
import { commit } from '../kit/events/events.ts'
import { openWorld, type TestWorld } from '../testing/world.ts'
import { setRule } from './channel.ts'

const { view_channel: VIEW, send_message: SEND, manage_channel: MANAGE } = permission

let world: TestWorld
let guild_id: GuildId
let parent_id: string
let one: string
let two: string
let three: string
beforeAll(async () => {
  world = await openWorld()
  guild_id = world.guilds[0]?.id as GuildId
})
afterAll(() => world.close())

const make = async (name: string, more: object = {}) =>
  (await world.as('owner').call(createChannel, { guild_id, name, ...more })).id
beforeEach(async () => {
  parent_id = await make('分组', { is_category: true })
  one = await make('一', { parent_id })
  two = await make('二', { parent_id })
  three = await make('三', { parent_id })
})
const rule = (channelId: string, input: Parameters<typeof setRule>[3]) =>
  commit(world.app.appContext, (tx, emit) => setRule(tx, emit, channelId as ChannelId, input))
const refusal = (name: PersonName | null, input: object) => world.as(name).refusal(moveChannel, input)
const move = (channel_id: string, before_id = '', more: object = {}) =>
  world.as('owner').call(moveChannel, { channel_id, before_id, ...more })
const treeOf = async (name: PersonName = 'owner') =>
  (await world.as(name).call(viewGuild, { id: guild_id })).channels
const inside = async (id = parent_id, name: PersonName = 'owner') =>
  (await treeOf(name)).find((it) => it.id === id)?.channels.map((it) => it.name)
const events = async (since: number) =>
  (
    await sql<{ kind: string; channel_id: string; body: Record<string, unknown> }>`
      select kind, channel_id, body from event_log
      where guild_id = ${guild_id} and seq > ${since} order by seq`.execute(world.database.db)
  ).rows
const lastSeq = async () =>
  (
    await sql<{ seq: number }>`
      select event_seq::float8 as seq from guild_counter where guild_id = ${guild_id}`.execute(
      world.database.db,
    )
  ).rows[0]!.seq

describe('channels are not moved', () => {
  it('by guests, outsiders, and members without the right where they are and where they go', async () => {
    expect(await refusal(null, { channel_id: one })).toBe('not_logged_in')
    expect(await refusal('outsider', { channel_id: one })).toBe('forbidden')
    expect(await refusal('member', { channel_id: one })).toBe('channel.no_right')
    expect(await refusal('member', { channel_id: world.backstage.id })).toBe('forbidden')
    await rule(one, { user_id: world.idOf('member'), allow: MANAGE, deny: 0 })
    expect(await refusal('member', { channel_id: one })).toBe('none')
    expect(await refusal('member', { channel_id: one, parent_id: '0' })).toBe('channel.no_right')
  })

  it('before what is elsewhere, is gone, cannot be seen or is the channel itself', async () => {
    await rule(one, { user_id: world.idOf('member'), allow: MANAGE, deny: 0 })
    await rule(two, { role_id: 0, allow: 0, deny: VIEW })
    for (const before_id of [world.main.id, one, parent_id, '9999999'])
      expect([before_id, await refusal('owner', { channel_id: one, before_id })]).toEqual([
        before_id,
        'channel.unknown',
      ])
    expect(await refusal('member', { channel_id: one, before_id: two })).toBe('channel.unknown')
    await world.as('owner').call(deleteChannel, { channel_id: three })
    expect(await refusal('owner', { channel_id: one, before_id: three })).toBe('channel.unknown')
  })

  it('into what is no category; and a category into none', async () => {
    const elsewhere = world.channels.find((each) => each.guild_id !== guild_id)!
    for (const parent of [world.main.id, elsewhere.id])
      expect(await refusal('owner', { channel_id: one, parent_id: parent })).toBe('channel.unknown')
    const other = await make('另一组', { is_category: true })
    expect(await refusal('owner', { channel_id: other, parent_id })).toBe('channel.unknown')
    expect(await refusal('owner', { channel_id: other, before_id: one })).toBe('channel.unknown')
  })
})

describe('a channel', () => {
  it('goes before another one, and to the end; where it is, nothing happens', async () => {
    await move(three, one)
    expect(await inside()).toEqual(['三', '一', '二'])
    await move(three)
    expect(await inside()).toEqual(['一', '二', '三'])
    const since = await lastSeq()
    await move(three)
    await move(one, two)
    expect(await events(since)).toEqual([])
  })

  it('that moved tells its viewers the order; one change where there is a sort key free', async () => {
    const since = await lastSeq()
    await move(three, two)
    const told = await events(since)
    expect(told.map((it) => [it.kind, it.channel_id])).toEqual([
      ['updated_channel', three],
      ['sort_channel', three],
    ])
    expect(told[1]?.body).toEqual({ guild_id, channels: [{ id: parent_id, channels: [one, three, two] }] })
  })

  it('finds its position among channels with the same sort key, too', async () => {
    for (const channel_id of [one, two, three])
      await world.as('owner').call(updateChannel, { channel_id, level: 5 })
    await move(three, two)
    expect(await inside()).toEqual(['一', '三', '二'])
    await move(two, one)
    expect(await inside()).toEqual(['二', '一', '三'])
  })

  it('moves to another category with its own overwrites, and follows it not', async () => {
    const other = await make('另一组', { is_category: true })
    await rule(other, { role_id: 0, allow: 0, deny: VIEW })
    const there = await make('那里', { parent_id: other })
    const moved = await move(one, there, { parent_id: other })
    expect(moved).toMatchObject({ parent_id: other, permission_sync: 0, permission_overwrites: [] })
    expect(await inside(other)).toEqual(['一', '那里'])
    expect(await inside()).toEqual(['二', '三'])
    expect(await inside(other, 'member')).toEqual(['一'])
    await move(one, '', { parent_id: '0' })
    expect(await inside(other)).toEqual(['那里'])
  })

  it('keeps all of them in one order when several people move at once', async () => {
    await Promise.all([
      move(three, one),
      move(two, one),
      world.as('admin').call(moveChannel, { channel_id: one }),
    ])
    const seen = await inside()
    expect([...(seen ?? [])].sort()).toEqual(['一', '三', '二'].sort())
    expect(await inside(parent_id, 'member')).toEqual(seen)
  })

  it('that is a category takes its channels along, among categories', async () => {
    const other = await make('另一组', { is_category: true })
    await move(other, parent_id)
    const ids: readonly string[] = (await treeOf()).map(({ id }) => id)
    expect(ids.slice(-2)).toEqual([other, parent_id])
    expect(await inside()).toEqual(['一', '二', '三'])
  })
})

describe('a copy', () => {
  it('is not made by who may not manage channels there, or of what they do not see', async () => {
    const copy = (name: PersonName | null, channel_id = one) =>
      world.as(name).refusal(copyChannel, { channel_id, name: '副本' })
    expect(await copy(null)).toBe('not_logged_in')
    expect(await copy('outsider')).toBe('forbidden')
    expect(await copy('member')).toBe('channel.no_right')
    expect(await copy('member', world.backstage.id)).toBe('forbidden')
    // In the channel they may, in its category they may not.
    await rule(one, { user_id: world.idOf('member'), allow: MANAGE, deny: 0 })
    expect(await copy('member')).toBe('channel.no_right')
    expect(await world.as('owner').refusal(copyChannel, { channel_id: one, name: ' ' })).toBe(
      'channel.name_wrong',
    )
  })

  it('has the settings and overwrites of the channel, and was never open to more people', async () => {
    await world.as('owner').call(updateChannel, { channel_id: one, topic: '话题', slow_mode: 30 })
    await rule(one, { role_id: 0, allow: 0, deny: VIEW })
    await rule(one, { user_id: world.idOf('muted'), allow: VIEW, deny: SEND })
    const since = await lastSeq()
    const made = await world.as('owner').call(copyChannel, { channel_id: one, name: '一 副本' })
    expect(made).toMatchObject({
      name: '一 副本',
      topic: '话题',
      slow_mode: 30_000,
      parent_id,
      permission_sync: 0,
      permission_overwrites: [{ role_id: 0, allow: 0, deny: VIEW }],
      permission_users: [{ allow: VIEW, deny: SEND }],
    })
    expect(await inside()).toEqual(['一', '二', '三', '一 副本'])
    const [added, ...more] = await events(since)
    expect([added?.kind, more.length]).toEqual(['added_channel', 0])
    expect(added?.body).toMatchObject({ permission_overwrites: [{ role_id: 0, allow: 0, deny: VIEW }] })
    expect(await world.as('member').refusal(viewChannelV3, { target_id: made.id })).toBe('forbidden')
  })

  it('follows the category where the channel does; of a category the channels are not copied', async () => {
    const made = await world.as('owner').call(copyChannel, { channel_id: two, name: '二 副本' })
    expect(made.permission_sync).toBe(1)
    const category = await world.as('owner').call(copyChannel, { channel_id: parent_id, name: '分组 副本' })
    expect(category).toMatchObject({ is_category: 1, parent_id: '' })
    expect(await inside(category.id)).toEqual([])
  })
})
