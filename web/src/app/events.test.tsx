import { userState } from '@guildhall/wire/auth/userState.ts'
import { boostList, unusedBoosts } from '@guildhall/wire/boost/boost.ts'
import { vipExpired } from '@guildhall/wire/buff/buff.ts'
import { viewChannel, viewGuild } from '@guildhall/wire/channel/channel.ts'
import { listChats, viewChat } from '@guildhall/wire/chat/chat.ts'
import { unreadChats } from '@guildhall/wire/chat/page.ts'
import { listGuildEmoji } from '@guildhall/wire/emoji/emoji.ts'
import type { SystemEventName } from '@guildhall/wire/events.ts'
import { listFriends } from '@guildhall/wire/friend/friend.ts'
import type { EventFrame } from '@guildhall/wire/gateway/frame.ts'
import { goliveInfo, goliveProducts } from '@guildhall/wire/golive/golive.ts'
import { listGuilds } from '@guildhall/wire/guild/guild.ts'
import type { GuildId } from '@guildhall/wire/id.ts'
import { listBans } from '@guildhall/wire/member/moderation.ts'
import { listNotes } from '@guildhall/wire/member/note.ts'
import { viewPerson } from '@guildhall/wire/member/person.ts'
import { viewActivity } from '@guildhall/wire/message/activity.ts'
import { eventOf } from '@guildhall/wire/message/event.ts'
import { listUnread, listWaiting } from '@guildhall/wire/message/readMark.ts'
import { listGuildHeld, listRules } from '@guildhall/wire/moderation/moderation.ts'
import { listPayments, listUnpaid, viewOrder } from '@guildhall/wire/order/order.ts'
import { viewGuildSettings } from '@guildhall/wire/profile/settings.ts'
import { listRenewals } from '@guildhall/wire/renewal/renewal.ts'
import { countRoleMembers } from '@guildhall/wire/role/role.ts'
import type { Route } from '@guildhall/wire/route.ts'
import { QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { cache, queryKeyOf, queryOf } from '../kit/routeQuery.ts'
import { fakeServer } from '../testing/fakeServer.ts'
import { sessionOf } from '../testing/fixtures.ts'
import { messageLike } from '../testing/messages.ts'
import { systemEvent } from '../testing/systemEvent.ts'
import { roomStore } from './composition.ts'
import { EventDispatcher } from './events.ts'
import { followSettingsEvents } from './guildSettings/settingsEvents.ts'

const GUILD = [viewGuild, viewChannel, listGuilds, listUnread, listWaiting]
const GUILDS = [...GUILD, listGuildEmoji]
const CHATS = [listChats, unreadChats]
const FRIENDS = [...CHATS, viewChat, listFriends, viewPerson]
const RENEWAL = [listRenewals, vipExpired, goliveInfo]
const ORDER = [
  viewOrder,
  listPayments,
  listUnpaid,
  userState,
  goliveProducts,
  unusedBoosts,
  boostList,
  ...RENEWAL,
]

/** What is asked for again after an event that says nothing but that something changed. */
const ASKED_AGAIN: Partial<Record<SystemEventName, readonly Route[]>> = {
  updated_guild: GUILD,
  deleted_guild: GUILDS,
  added_role: GUILD,
  updated_role: GUILD,
  deleted_role: GUILD,
  added_channel: GUILD,
  updated_channel: GUILD,
  deleted_channel: GUILD,
  self_joined_guild: GUILDS,
  self_exited_guild: GUILDS,
  added_emoji: [listGuildEmoji],
  updated_emoji: [listGuildEmoji],
  removed_emoji: [listGuildEmoji],
  deleted_emoji: [listGuildEmoji],
  updated_notify_type: [listUnread, listWaiting],
  updated_friend: FRIENDS,
  updated_person_note: FRIENDS,
  updated_chat_mark: CHATS,
  received_gift: ORDER,
  updated_boost_packs: ORDER,
  updated_order: ORDER,
  updated_renewal: RENEWAL,
}
const ALL = [...new Set([...GUILDS, ...FRIENDS, ...ORDER])]

/** The input under which an answer is kept here: those of a guild are found by it. */
const inputOf = (route: Route) => {
  if (route === viewGuild) return { id: '10' }
  if (route === listUnread || route === listGuildEmoji) return { guild_id: '10' }
  return {}
}
const outdated = () =>
  ALL.filter((route) => cache.getQueryState([route.method, route.path, inputOf(route)])?.isInvalidated)

afterEach(() => void vi.unstubAllGlobals())
beforeEach(() => {
  cache.clear()
  for (const route of ALL) cache.setQueryData([route.method, route.path, inputOf(route)], sessionOf())
  cache.setQueryData(queryKeyOf(viewActivity, { guild_id: '10' as GuildId }), {
    online_count: 1,
    channels: [],
  })
})

const dispatch = (type: string, body: object) =>
  new EventDispatcher(roomStore).dispatch(systemEvent(type, body))

test.each(Object.entries(ASKED_AGAIN))(
  'after %s exactly what it changes is asked for again',
  async (type, routes) => {
    dispatch(type, {})
    const paths = (of: readonly Route[]) => of.map(({ path }) => path).toSorted()
    await expect.poll(() => paths(outdated())).toEqual(paths(routes))
  },
)

test.each([
  ['added_block_list', listBans],
  ['deleted_block_list', listBans],
  ['updated_held', listGuildHeld],
  ['updated_notes', listNotes],
  ['updated_guild', listRules],
  ['updated_guild', viewGuildSettings],
] as const)('after %s a guild’s settings, once they were open, ask again', (type, route) => {
  followSettingsEvents()
  followSettingsEvents()
  const key = [route.method, route.path, { guild_id: '10' }]
  cache.setQueryData(key, { items: [] })
  dispatch(type, {})
  expect(cache.getQueryState(key)?.isInvalidated).toBe(true)
})

test.each([
  ['updated_guild_member', { user_id: '5', nickname: '小满', roles: [3] }],
  ['exited_guild', { user_id: '5', exited_at: 1 }],
])('after %s the members of roles are counted again', (type, body) => {
  cache.clear()
  const key = [countRoleMembers.method, countRoleMembers.path, { guild_id: '10' }]
  cache.setQueryData(key, { items: [] })
  dispatch(type, body)
  expect(cache.getQueryState(key)?.isInvalidated).toBe(true)
})

test('with a new session, the first as well, all that the page knows is asked for again', () => {
  // Pages are kept under keys of their own.
  const pages = ['members', '10']
  cache.setQueryData(pages, {})
  new EventDispatcher(roomStore).resetSession()
  expect(outdated()).toEqual(ALL)
  expect(cache.getQueryState(pages)?.isInvalidated).toBe(true)
})

/** Follows an answer as a screen does. Returns what is shown, and how to stop. */
function follow(route: Route) {
  const observer = new QueryObserver(cache, queryOf(route, {}))
  const stop = observer.subscribe(() => undefined)
  return { shown: () => observer.getCurrentResult().data, stop }
}

test('an answer that was under way while something changed is asked for once more', async () => {
  const server = fakeServer()
  cache.clear()
  const answer = server.waits(unreadChats)
  const { shown, stop } = follow(unreadChats)
  dispatch('updated_chat_mark', {})
  new EventDispatcher(roomStore).resetSession()
  await expect.poll(() => cache.getQueryState(queryKeyOf(unreadChats, {}))?.isInvalidated).toBe(true)
  server.on(unreadChats, () => ({ count: 1 }))
  answer({ count: 0 })
  await expect.poll(shown).toEqual({ count: 1 })
  expect(server.received(unreadChats)).toHaveLength(2)
  stop()
})

const said: EventFrame = {
  s: 0,
  sn: 1,
  d: eventOf(messageLike(5), { name: '闲聊', type: 1 }, 'specification', null),
}
const gone = { msg_id: messageLike(5).id, channel_id: '20', channel_type: 1, revision: 1, seq: 5 }
const nothing = { guild_id: '10' as GuildId, is_unread: false, last_seq: 0, mention_count: 0 }

test.each([
  ['a message comes', said],
  ['one is deleted', systemEvent('deleted_message', gone)],
  [
    'a member changes, who may be the user',
    systemEvent('updated_guild_member', { user_id: '5', roles: [3] }),
  ],
  ['a member is muted, who may be the user', systemEvent('add_guild_mute', { user_id: '5', ends_at: 1 })],
])(
  'before it is known who the user is, answers under way are asked for once more when %s',
  async (_, frame) => {
    const server = fakeServer()
    cache.clear()
    const answer = server.waits(listWaiting)
    const { shown, stop } = follow(listWaiting)
    new EventDispatcher(roomStore).dispatch(frame)
    const now = [{ ...nothing, is_unread: true }]
    server.on(listWaiting, () => now)
    answer([nothing])
    await expect.poll(shown).toEqual(now)
    expect(server.received(listWaiting)).toHaveLength(2)
    stop()
  },
)
