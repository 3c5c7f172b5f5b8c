import type { GuildId } from '@guildhall/wire/id.ts'
import { clearGuild } from '@guildhall/wire/message/clearGuild.ts'
import { sendToChannel } from '@guildhall/wire/message/message.ts'
import { listUnread, listWaiting } from '@guildhall/wire/message/readMark.ts'
import { setNotifyType } from '@guildhall/wire/message/setNotify.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { joinByInvite } from '../invite/invite.ts'
import type { LiveEvent } from '../kit/events/bus.ts'
import { leaveGuild } from '../member/member.ts'
import { refusalOf } from '../testing/calls.ts'
import { openWorld, type TestWorld } from '../testing/world.ts'

let world: TestWorld
let demo: GuildId
let received: LiveEvent[] = []
beforeAll(async () => {
  world = await openWorld()
  demo = world.guilds[0]?.id as GuildId
  world.app.appContext.bus.subscribe((event) => received.push(event))
})
beforeEach(async () => {
  await world.as('member').call(clearGuild, { guild_id: demo })
  await world.app.appContext.bus.settled()
  received = []
})
afterAll(() => world.close())

const set = (notify_type: number, channel_id?: string) =>
  world.as('member').call(setNotifyType, { guild_id: demo, channel_id, notify_type })
const say = (content: string) => world.as('owner').call(sendToChannel, { id: world.main.id, content })
const call = () => say(JSON.stringify({ content: `(met)${world.people.member.id}(met) 在吗` }))
const rail = async () => (await world.as('member').call(listWaiting)).find((it) => it.guild_id === demo)!
const main = async () =>
  (await world.as('member').call(listUnread, { guild_id: demo })).find(
    (it) => it.channel_id === world.main.id,
  )!

describe('notifications are not set', () => {
  it('by a stranger, nor for a channel that one may not see or of another guild', async () => {
    const as = (who: 'outsider' | 'member' | null) => world.as(who).call
    const input = { guild_id: demo, notify_type: 3 }
    expect(await refusalOf(as(null)(setNotifyType, input))).toBe('not_logged_in')
    expect(await refusalOf(as('outsider')(setNotifyType, input))).toBe('forbidden')
    expect(await refusalOf(as('outsider')(clearGuild, { guild_id: demo }))).toBe('forbidden')
    expect(await refusalOf(set(3, world.backstage.id))).toBe('forbidden')
    const other = world.guilds[1]?.id
    expect(
      await refusalOf(as('member')(setNotifyType, { ...input, guild_id: other, channel_id: world.main.id })),
    ).toBe('forbidden')
    expect(await refusalOf(set(4))).toBe('bad_input')
  })
})

describe('a member is notified', () => {
  it('of everything at first', async () => {
    await say('早')
    expect(await rail()).toMatchObject({
      is_unread: true,
      mention_count: 0,
      notify_type: 1,
      notify_channels: [],
    })
    expect(await main()).toMatchObject({ unread_count: 1, notify_type: 1 })
  })

  it('of mentions alone when the guild says so, unless a channel says otherwise', async () => {
    await set(2)
    await say('早')
    expect(await rail()).toMatchObject({ is_unread: false, mention_count: 0, notify_type: 2 })
    await call()
    expect(await rail()).toMatchObject({ is_unread: true, mention_count: 1 })
    expect(await main()).toMatchObject({ unread_count: 2, mention_count: 1, notify_type: 2 })
    await set(3, world.main.id)
    expect(await rail()).toMatchObject({ is_unread: false, mention_count: 0 })
    await set(1, world.main.id)
    expect(await rail()).toMatchObject({
      is_unread: true,
      notify_channels: [{ channel_id: world.main.id, notify_type: 1 }],
    })
    await set(0, world.main.id)
    expect(await main()).toMatchObject({ notify_type: 2 })
    await set(0)
  })

  it('on all devices alike: each change is told once, and no change is not told', async () => {
    await set(3)
    await set(3)
    await set(0)
    await set(0)
    await world.app.appContext.bus.settled()
    expect(received.filter((it) => it.kind === 'updated_notify_type').map((it) => it.body)).toEqual([
      { guild_id: demo, channel_id: '0', notify_type: 3 },
      { guild_id: demo, channel_id: '0', notify_type: 0 },
    ])
  })

  it('as usual again after leaving and coming back', async () => {
    await set(3)
    await leaveGuild(world.app.appContext, world.people.member.id, demo)
    await joinByInvite(world.app.appContext, world.people.member.id, world.invite)
    expect(await rail()).toMatchObject({ notify_type: 1 })
  })
})

it('a guild that is marked as read has nothing unread, and every device learns it once', async () => {
  await say('一')
  await say('二')
  await world.app.appContext.bus.settled()
  received = []
  const after = await world.as('member').call(clearGuild, { guild_id: demo })
  expect(after.map((it) => it.unread_count + it.mention_count)).toEqual(after.map(() => 0))
  await world.as('member').call(clearGuild, { guild_id: demo })
  await world.app.appContext.bus.settled()
  const marks = received.filter((it) => it.kind === 'updated_read_mark')
  expect(marks.map((it) => it.body)).toEqual([
    expect.objectContaining({ channel_id: world.main.id, guild_id: demo }),
  ])
})
