/**
 * Convergence for every kind of event: the caches of a page that received the events of a change equal what a
 * page opened afterwards reads. The server, the connection and the page's stores are the real ones; only the
 * screens are missing.
 */

import { renameSelf } from '@guildhall/wire/auth/owner.ts'
import { loginEnded, userState } from '@guildhall/wire/auth/userState.ts'
import { viewChannel, viewGuild } from '@guildhall/wire/channel/channel.ts'
import { updateOverwrite } from '@guildhall/wire/channel/overwrite.ts'
import {
  copyChannel,
  createChannel,
  deleteChannel,
  moveChannel,
  restoreChannel,
  updateChannel,
} from '@guildhall/wire/channel/publicChannel.ts'
import {
  addPrivateReaction,
  createChat,
  createPrivate,
  deletePrivate,
  deletePrivateReaction,
  listPrivate,
  updatePrivate,
} from '@guildhall/wire/chat/chat.ts'
import { chatHistory } from '@guildhall/wire/chat/page.ts'
import { listGuildEmoji } from '@guildhall/wire/emoji/emoji.ts'
import { createGuildEmoji, deleteGuildEmoji, updateGuildEmoji } from '@guildhall/wire/emoji/manage.ts'
import type { BodyOf, EventKind } from '@guildhall/wire/event.ts'
import { events } from '@guildhall/wire/events.ts'
import { listFriends, requestFriend } from '@guildhall/wire/friend/friend.ts'
import { writePersonNote } from '@guildhall/wire/friend/personNote.ts'
import { guildUpdated, listGuilds } from '@guildhall/wire/guild/guild.ts'
import { guildTransferred } from '@guildhall/wire/guild/transfer.ts'
import type { ChannelId, GuildId } from '@guildhall/wire/id.ts'
import { memberExited, memberOffline, memberOnline, selfExited } from '@guildhall/wire/member/event.ts'
import { createBan, createMute, deleteBan, deleteMute } from '@guildhall/wire/member/moderation.ts'
import { createNote } from '@guildhall/wire/member/note.ts'
import {
  addReaction,
  deleteMessage,
  deleteReaction,
  pinMessage,
  unpinMessage,
  updateMessage,
} from '@guildhall/wire/message/action.ts'
import { viewActivity } from '@guildhall/wire/message/activity.ts'
import { buttonClicked } from '@guildhall/wire/message/card.ts'
import type { Message } from '@guildhall/wire/message/message.ts'
import { createMessage } from '@guildhall/wire/message/message.ts'
import { clearUnread, listUnread, listWaiting } from '@guildhall/wire/message/readMark.ts'
import { setNotifyType } from '@guildhall/wire/message/setNotify.ts'
import { heldChanged } from '@guildhall/wire/moderation/event.ts'
import { acceptRules, chooseRole, updateOnboarding } from '@guildhall/wire/onboarding/onboarding.ts'
import { giftReceived, orderUpdated } from '@guildhall/wire/order/order.ts'
import { permission } from '@guildhall/wire/permission/permission.ts'
import { guildReviewed } from '@guildhall/wire/profile/profile.ts'
import { updateGuildSettings } from '@guildhall/wire/profile/settings.ts'
import { renewalUpdated } from '@guildhall/wire/renewal/renewal.ts'
import {
  createRole,
  deleteRole,
  grantRole,
  moveRole,
  restoreRole,
  updateRole,
} from '@guildhall/wire/role/role.ts'
import type { Route } from '@guildhall/wire/route.ts'
import { contentReviewed } from '@guildhall/wire/screening/screening.ts'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fileNamed } from '../server/src/testing/calls.ts'
import { openTestServer, type TestServer } from '../server/src/testing/server.ts'
import { openTestWebServer, pageWith, type TestWebServer } from '../server/src/testing/web.ts'
import { openWorldEdits, type WorldEdits } from '../server/src/testing/worldEdits.ts'
import { type HeadlessPage, openHeadlessPage } from '../web/src/testing/headlessPage.ts'

let web: TestWebServer
let server: TestServer
let fixture: WorldEdits
let page: HeadlessPage
let demo: GuildId
let main: ChannelId
let side: ChannelId
let room: Awaited<ReturnType<HeadlessPage['open']>>
const reader = () => server.idOf('member')
const owner = <R extends Route>(route: R, input: object) => server.as('owner').call(route, input)
const member = <R extends Route>(route: R, input: object) => server.as('member').call(route, input)

beforeAll(async () => {
  web = await openTestWebServer()
  web.serve('/page', pageWith('<title>攻略</title>'))
  server = await openTestServer({}, web.safeFetch)
  fixture = openWorldEdits(server.database, server.url)
  demo = server.guildId
  main = server.channel('闲聊')
  side = server.channel('夜宵')
  page = await openHeadlessPage(server.url, await server.login('member'))
  await page.query(listGuilds, {})
  await page.query(viewGuild, { id: demo })
  await page.query(viewChannel, { id: main })
  await page.query(listUnread, { guild_id: demo })
  await page.query(viewActivity, { guild_id: demo })
  await page.query(listGuildEmoji, { guild_id: demo })
  await page.query(listFriends, {})
  await page.query(listWaiting, {})
  await page.query(userState, {})
  room = await page.open(main)
  page.view(demo)
})
afterAll(async () => {
  page?.close()
  await server?.close()
  await web?.close()
})

const send = (content: string, channelId = main, quote?: string) =>
  server.as('owner').say(channelId, content, { quote })
const newest = () => room.snapshot().room.run.at(-1) as Message
/** A change that no call makes yet: changes the rows and emits the event in one transaction. */
const changeAndEmit = <E extends EventKind>(sql: string, event: E, body: BodyOf<E>, channelId?: ChannelId) =>
  fixture.notify({ guildId: demo, sql, event, body, ...(channelId && { channelId }) })

let direct = { msg_id: '' }

const drawn = sharp({ create: { width: 8, height: 8, channels: 4, background: '#3fd39a' } })
let ownEmoji = ''
const addEmoji = async (name: string): Promise<string> =>
  (
    await server
      .as('owner')
      .call(
        createGuildEmoji,
        { guild_id: demo, name },
        fileNamed(await drawn.clone().png().toBuffer(), 'x.png'),
      )
  ).id

const muteOf = (user_id: string) => ({ guild_id: demo, user_id, type: 3 })
const mute = (userId: string, more: object) => owner(createMute, { ...muteOf(userId), ...more })
const stranger = () => ({ guild_id: demo, target_id: server.idOf('staff') })
const tellSeen = (event: typeof memberOnline | typeof memberOffline) =>
  fixture.notify({
    userId: reader(),
    sql: 'select 1',
    event,
    body: { user_id: server.idOf('owner'), event_time: 1, guilds: [demo] },
  })

let roleId = 0
let channelId = '' as ChannelId
let emoji = { msg_id: '', emoji: '👍' }

/** The change that causes each event, in an order in which each finds the rows it needs. */
const changes: Readonly<Record<string, () => Promise<unknown>>> = {
  message: () => send(`(met)${reader()}(met) hello`),
  added_reaction: async () => {
    emoji = { ...emoji, msg_id: newest().id }
    await owner(addReaction, emoji)
  },
  deleted_reaction: () => owner(deleteReaction, emoji),
  updated_message: () => owner(updateMessage, { msg_id: newest().id, content: '**other** text' }),
  pinned_message: () => owner(pinMessage, { target_id: main, msg_id: newest().id }),
  unpinned_message: () => owner(unpinMessage, { target_id: main, msg_id: newest().id }),
  embeds_append: () => send(`看 ${web.at('/page')}`),
  deleted_message: async () => {
    const answered = newest()
    await send('an answer', main, answered.id)
    await owner(deleteMessage, { msg_id: answered.id })
  },
  updated_read_mark: async () => {
    const first = await send('one', side)
    await send('two', side)
    await member(clearUnread, { channel_id: side, msgid: first.id })
    await member(clearUnread, { channel_id: main })
  },
  updated_friend: async () => {
    const { username, identify_num } = server.person('member')
    await owner(requestFriend, { user_code: `${username}#${identify_num}` })
  },
  // The rooms show no note; what shows one asks for it anew.
  updated_person_note: () => member(writePersonNote, { user_id: server.idOf('owner'), note: '会长' }),
  updated_notify_type: async () => {
    await send('quiet', side)
    await member(setNotifyType, { guild_id: demo, channel_id: side, notify_type: 3 })
  },
  // What shows orders asks for them anew; the rooms do not show them.
  updated_order: () =>
    fixture.notify({
      userId: reader(),
      sql: 'select 1',
      event: orderUpdated,
      body: { order_id: '100000000001', state: 'granted', pay_fee: 1500, refund_fee: 0 },
    }),
  // What shows what one has asks for it anew; the message of the official account is an event of its own.
  received_gift: () =>
    fixture.notify({
      userId: reader(),
      sql: 'select 1',
      event: giftReceived,
      body: { user_id: server.idOf('owner'), username: '安然', name: 'BUFF 月卡', count: 1 },
    }),
  // What shows contracts asks for them anew.
  updated_renewal: () =>
    fixture.notify({
      userId: reader(),
      sql: 'select 1',
      event: renewalUpdated,
      body: { code: 'N1', what: 'announced', name: 'BUFF 连续包月', fee: 1500, at: Date.now() },
    }),
  // What shows the transfer asks for it anew.
  guild_transfer: () =>
    fixture.notify({
      userId: reader(),
      sql: 'select 1',
      event: guildTransferred,
      body: {
        guild_id: demo,
        name: '公会',
        state: 'offered',
        owner_id: server.idOf('owner'),
        receiver_id: server.idOf('member'),
      },
    }),
  // The message of the official account is an event of its own, and so is what changes of the guild.
  reviewed_guild: () =>
    fixture.notify({
      userId: reader(),
      sql: 'select 1',
      event: guildReviewed,
      body: { guild_id: demo, name: '公会', audit_status: 2, reason: '横幅不清晰' },
    }),
  // The message that passed is an event of its own; what waits is in the send queue.
  reviewed_content: () =>
    fixture.notify({
      userId: reader(),
      sql: 'select 1',
      event: contentReviewed,
      body: { conversation: main, nonce: 'n', state: 'rejected', reason: '广告', msg_id: null },
    }),
  // What shows packs asks for them anew.
  updated_boost_packs: () => server.command(`boost give --user ${reader()} --count 1`),
  // Bots receive it; it changes nothing on a page.
  message_btn_click: () => {
    const { username } = server.person('owner')
    const face = { id: server.idOf('owner'), username, identify_num: '0001' }
    const appearance = { avatar: '', vip_avatar: '', is_vip: false, bot: false, online: true, status: 0 }
    return fixture.notify({
      userId: reader(),
      sql: 'select 1',
      event: buttonClicked,
      body: {
        msg_id: newest().id,
        user_id: face.id,
        value: 'x',
        target_id: main,
        user_info: { ...face, ...appearance },
        channel_type: 'GROUP',
        guild_id: demo,
      },
    })
  },
  added_role: async () => {
    const made = await owner(createRole, { guild_id: demo, name: '新角色' })
    roleId = made.role_id
    const again = { guild_id: demo, role_id: roleId }
    await owner(grantRole, { ...again, user_id: reader() })
    await owner(deleteRole, again)
    await owner(restoreRole, again)
  },
  updated_role: async () => {
    const it = { guild_id: demo, role_id: roleId }
    await owner(updateRole, { ...it, name: '改名', color: 5, hoist: 1 })
    await fixture.setLevel(demo, 4)
    await owner(updateRole, { ...it, color_type: 2, color_map: { color_list: [5, 0xc2255c] } })
    // All others move down.
    await owner(moveRole, { ...it, position: 1 })
  },
  updated_guild_member: async () => {
    // The reader joined since the rules are on, and accepts them.
    await owner(updateOnboarding, { guild_id: demo, rules: [{ title: '友善' }], rules_on: true })
    const told = { id: demo, name: '公会' }
    await changeAndEmit(`update guild set rules_since = 0 where id = ${demo}`, guildUpdated, told)
    await member(acceptRules, { guild_id: demo })
    await owner(updateOnboarding, { guild_id: demo, rules_on: false })
    await owner(updateRole, { guild_id: demo, role_id: roleId, permissions: 0 })
    const questions = [{ title: '在哪个服', several: true, role_ids: [roleId] }]
    await owner(updateOnboarding, { guild_id: demo, questions })
    await member(chooseRole, { guild_id: demo, role_id: roleId, chosen: true })
    await member(chooseRole, { guild_id: demo, role_id: roleId, chosen: false })
    await fixture.setNickname(demo, server.idOf('owner'), '会长大人')
    const ofReader = { guild_id: demo, role_id: roleId, user_id: reader() }
    await owner(grantRole, ofReader)
  },
  // What shows notes and held messages asks for them anew. The reader may read both until the role is gone.
  updated_notes: async () => {
    const permissions = permission.mute_member | permission.manage_message
    await owner(updateRole, { guild_id: demo, role_id: roleId, permissions })
    await owner(createNote, { guild_id: demo, user_id: server.idOf('admin'), content: '看看' })
  },
  updated_held: () => changeAndEmit('select 1', heldChanged, {}, main),
  updated_guild_user: () => owner(renameSelf, { username: '新名字的会长' }),
  user_updated: () => member(renameSelf, { username: '新名字的南枝' }),
  deleted_role: () => owner(deleteRole, { guild_id: demo, role_id: roleId }),
  updated_guild: async () => {
    await changeAndEmit(`update guild set name = '改名公会' where id = ${demo}`, guildUpdated, {
      id: demo,
      name: '改名公会',
    })
    // What members are notified of who chose nothing.
    await owner(updateGuildSettings, { guild_id: demo, notify_type: 2 })
  },
  added_emoji: async () => {
    ownEmoji = await addEmoji('加油')
  },
  updated_emoji: () => owner(updateGuildEmoji, { id: ownEmoji, name: '开心' }),
  removed_emoji: () => owner(deleteGuildEmoji, { id: ownEmoji }),
  // The same removal has a second event name.
  deleted_emoji: async () => owner(deleteGuildEmoji, { id: await addEmoji('再见') }),
  added_channel: async () => {
    const made = await owner(createChannel, { guild_id: demo, name: '新频道' })
    channelId = made.id
    await owner(deleteChannel, { channel_id: channelId })
    await owner(restoreChannel, { channel_id: channelId })
  },
  updated_channel: async () => {
    await owner(updateChannel, { channel_id: channelId, name: '改名频道', topic: '话题', slow_mode: 5 })
    const everyone = { channel_id: channelId, type: 'role_id', value: 0 }
    await owner(updateOverwrite, { ...everyone, deny: 4096 })
    await owner(updateOverwrite, { channel_id: channelId, value: reader(), allow: 4096 })
    // It is hidden from everybody and shown to the reader, then as it was.
    await owner(updateOverwrite, { ...everyone, deny: 2048 })
    await owner(updateOverwrite, { channel_id: channelId, value: reader(), allow: 2048 })
  },
  sort_channel: async () => {
    await owner(updateChannel, { channel_id: channelId, level: 1 })
    const copy = async () => (await owner(copyChannel, { channel_id: channelId, name: '副本' })).id
    const [second, third] = [await copy(), await copy()]
    await owner(updateChannel, { channel_id: second, level: 2 })
    // There is no sort key between the two before it: all of them get new ones.
    await owner(moveChannel, { channel_id: third, before_id: second })
    for (const id of [second, third]) await owner(deleteChannel, { channel_id: id })
  },
  deleted_guild: () => server.command(`guild close --guild ${server.world.guilds[2]?.id} --yes`),
  deleted_channel: () => owner(deleteChannel, { channel_id: channelId }),
  add_guild_mute: () => mute(reader(), { duration: 600 }),
  delete_guild_mute: async () => {
    await mute(server.idOf('admin'), {})
    await owner(deleteMute, muteOf(reader()))
  },
  added_block_list: () => owner(createBan, stranger()),
  deleted_block_list: () => owner(deleteBan, stranger()),
  // Bots receive these; they change nothing on a page.
  guild_member_online: () => tellSeen(memberOnline),
  guild_member_offline: () => tellSeen(memberOffline),
  joined_guild: () => fixture.join(demo, server.idOf('outsider')),
  exited_guild: async () => {
    const user_id = server.idOf('owner')
    await changeAndEmit(
      `delete from membership_role where user_id = ${user_id} and guild_id = ${demo};
       update membership set nickname = '' where user_id = ${user_id} and guild_id = ${demo}`,
      memberExited,
      { user_id, exited_at: 1 },
    )
  },
  private_added_reaction: async () => {
    direct = await owner(createPrivate, { target_id: reader(), content: 'hello', type: 9 })
    await owner(addPrivateReaction, { msg_id: direct.msg_id, emoji: '👍' })
  },
  private_deleted_reaction: () => owner(deletePrivateReaction, { msg_id: direct.msg_id, emoji: '👍' }),
  updated_private_message: () => owner(updatePrivate, { msg_id: direct.msg_id, content: 'other' }),
  deleted_private_message: () => owner(deletePrivate, { msg_id: direct.msg_id }),
  login_ended: () =>
    fixture.notify({
      userId: reader(),
      sql: 'select 1',
      event: loginEnded,
      body: { login_id: '00000000-0000-7000-8000-000000000000' },
    }),
  updated_chat_mark: async () => {
    const { msg_id } = await owner(createPrivate, { target_id: reader(), content: 'read me', type: 9 })
    expect(msg_id).not.toBe('')
    await member(listPrivate, { target_id: server.idOf('owner') })
  },
  self_joined_guild: () => fixture.newGuild('另一个公会', reader()),
  self_exited_guild: async () => {
    const guild_id = await fixture.guildNamed('另一个公会')
    await fixture.notify({
      userId: reader(),
      sql: `delete from membership where user_id = ${reader()} and guild_id = ${guild_id}`,
      event: selfExited,
      body: { guild_id },
    })
  },
}

/** Events that carry a whole state without a version: only the order of delivery says which is newest. */
const IN_ORDER = new Set(['updated_guild_member', 'updated_guild_user'])

/** An answer without the gateway's address, which is another one each time. */
const lasting = (answer: unknown): unknown =>
  answer !== null && typeof answer === 'object' && !Array.isArray(answer)
    ? { ...answer, gateway_url: undefined }
    : answer

/**
 * `known`: of an earlier comparison, where only events were repeated since. A call has a limit per minute.
 */
async function expectConverged(known?: Awaited<ReturnType<typeof page.compare>>) {
  await page.refetchInvalidated()
  const compared = await page.compare(known)
  for (const { call, cached, fresh } of compared)
    expect({ call, answer: lasting(cached) }).toEqual({ call, answer: lasting(fresh) })
  const { cached, fresh } = await page.compareRoom(room, main)
  expect(cached).toEqual(fresh)
  return compared
}

describe('a page that received the event equals a page opened afterwards', () => {
  it('every kind of event has a test', () => {
    expect(Object.keys(changes).sort()).toEqual(['message', ...events.keys()].sort())
  })

  it.each(Object.entries(changes))('%s', async (name, change) => {
    const before = page.received.length
    await change()
    await page.waitForEvent(name, before)
    const now = await expectConverged()
    const frames = page.received.slice(before)
    page.replay(frames)
    if (!IN_ORDER.has(name)) page.replay(frames.toReversed())
    await expectConverged(now)
  })
})

it('ephemeral messages and edits are added to the stored messages once, also when events are repeated', async () => {
  const before = page.received.length
  await owner(createMessage, { target_id: main, content: 'only you', temp_target_id: reader() })
  await page.waitForEvent('message', before)
  const { id } = await send('to all')
  await owner(updateMessage, { msg_id: id, content: 'yours', temp_target_id: reader() })
  await page.waitForEvent('updated_message', before)
  await expectConverged()
  const frames = page.received.slice(before)
  page.replay(frames)
  page.replay(frames.toReversed())
  await expectConverged()
  const { ephemeral, ephemeralEdits } = room.snapshot().room
  expect(ephemeral.map(({ message, to }) => [message.content, to])).toEqual([['only you', reader()]])
  expect([...ephemeralEdits].map(([msgId, view]) => [msgId, view.content])).toEqual([[id, 'yours']])
})

it('a private conversation that received every change, also twice and backwards, equals one that is read afterwards', async () => {
  const { code } = await owner(createChat, { target_id: reader() })
  const before = page.received.length
  const chat = await page.open(code as unknown as ChannelId)
  const notify = (content: string) => owner(createPrivate, { target_id: reader(), content, type: 9 })
  const [first, second, third] = [await notify('**一**'), await notify('二'), await notify('三')]
  await owner(addPrivateReaction, { msg_id: first.msg_id, emoji: '👍' })
  await owner(updatePrivate, { msg_id: second.msg_id, content: '第二' })
  await owner(addPrivateReaction, { msg_id: second.msg_id, emoji: '🎉' })
  await owner(deletePrivateReaction, { msg_id: first.msg_id, emoji: '👍' })
  await owner(deletePrivate, { msg_id: third.msg_id })
  await page.waitForEvent('deleted_private_message', before)
  // The author's presence is of the moment of each answer.
  const plain = (run: readonly Pick<Message, 'author' | 'embeds' | 'nonce'>[]) =>
    run.map(({ author, embeds: _, nonce: __, ...rest }) => ({ ...rest, author: author.id }))
  const fresh = async () => plain(await member(chatHistory, { code }))
  const expected = await fresh()
  expect(expected.at(-1)).toMatchObject({ content: '第二', reactions: [{ count: 1 }] })
  await expect.poll(() => plain(chat.snapshot().room.run)).toEqual(expected)
  const frames = page.received.slice(before)
  page.replay(frames)
  page.replay(frames.toReversed())
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(plain(chat.snapshot().room.run)).toEqual(await fresh())
})
