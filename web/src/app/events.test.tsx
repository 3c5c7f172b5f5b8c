import { userState } from '@guildhall/wire/auth/userState.ts'
import { boostList, unusedBoosts } from '@guildhall/wire/boost/boost.ts'
import { vipExpired } from '@guildhall/wire/buff/buff.ts'
import { viewChannel, viewGuild } from '@guildhall/wire/channel/channel.ts'
import { listChats, viewChat } from '@guildhall/wire/chat/chat.ts'
import { unreadChats } from '@guildhall/wire/chat/page.ts'
import { listGuildEmoji } from '@guildhall/wire/emoji/emoji.ts'
import type { SystemEventName } from '@guildhall/wire/events.ts'
import { listFriends } from '@guildhall/wire/friend/friend.ts'
import { goliveInfo, goliveProducts } from '@guildhall/wire/golive/golive.ts'
import { listGuilds } from '@guildhall/wire/guild/guild.ts'
import type { GuildId } from '@guildhall/wire/id.ts'
import { listBans } from '@guildhall/wire/member/moderation.ts'
import { listNotes } from '@guildhall/wire/member/note.ts'
import { viewPerson } from '@guildhall/wire/member/person.ts'
import { viewActivity } from '@guildhall/wire/message/activity.ts'
import { listUnread, listWaiting } from '@guildhall/wire/message/readMark.ts'
import { listGuildHeld, listRules } from '@guildhall/wire/moderation/moderation.ts'
import { listPayments, listUnpaid, viewOrder } from '@guildhall/wire/order/order.ts'
import { viewGuildSettings } from '@guildhall/wire/profile/settings.ts'
import { listRenewals } from '@guildhall/wire/renewal/renewal.ts'
import { countRoleMembers } from '@guildhall/wire/role/role.ts'
import type { Route } from '@guildhall/wire/route.ts'
import { beforeEach, expect, test } from 'vitest'
import { cache, queryKeyOf } from '../kit/routeQuery.ts'
import { sessionOf } from '../testing/fixtures.ts'
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
