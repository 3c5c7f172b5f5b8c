/** The mark and the moving picture of a member of BUFF, wherever their name stands. */
import { viewChannel, viewGuild } from '@guildhall/wire/channel/channel.ts'
import { type Chat, chat, listChats, viewChat } from '@guildhall/wire/chat/chat.ts'
import { unreadChats } from '@guildhall/wire/chat/page.ts'
import { listFriends } from '@guildhall/wire/friend/friend.ts'
import { viewUser } from '@guildhall/wire/guild/guild.ts'
import type { UserId } from '@guildhall/wire/id.ts'
import { viewPerson } from '@guildhall/wire/member/person.ts'
import { history } from '@guildhall/wire/message/message.ts'
import { clearUnread, listUnread } from '@guildhall/wire/message/readMark.ts'
import { act, cleanup, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ChatList } from '../chat/ChatList.tsx'
import { PartnerSheet } from '../chat/PartnerSheet.tsx'
import FriendsScreen from '../friend/FriendsScreen.tsx'
import { cache } from '../kit/routeQuery.ts'
import { MemberRow } from '../member/MemberRow.tsx'
import { PersonCard } from '../message/menu/PersonSheet.tsx'
import { OutgoingRow } from '../message/OutgoingRow.tsx'
import { fakeServer } from '../testing/fakeServer.ts'
import { channelOf, friendsOf, guildOf, sessionOf } from '../testing/fixtures.ts'
import { memberOf } from '../testing/members.ts'
import { messageLike } from '../testing/messages.ts'
import { renderAt } from '../testing/renderAt.tsx'
import { showRoom } from '../testing/showRoom.tsx'
import { systemEvent } from '../testing/systemEvent.ts'
import { clearUserState, roomStore } from './composition.ts'
import { EventDispatcher } from './events.ts'

const STILL = 'https://example.com/still.png'
const MOVING = 'https://example.com/moving.gif'
const ann = { id: '3' as UserId, username: '阿澈', avatar: STILL, vip_avatar: MOVING }
const chatOf = (is_vip: boolean): Chat =>
  chat.parse({
    code: '0'.repeat(32),
    last_read_time: 0,
    latest_msg_time: 0,
    unread_count: 0,
    is_friend: true,
    is_blocked: false,
    is_target_blocked: false,
    target_info: { ...sessionOf().user, ...ann, is_vip },
    read_seq: 0,
    last_message: null,
  })

let server: ReturnType<typeof fakeServer>
let wantsLessMovement: boolean
beforeEach(() => {
  cache.clear()
  clearUserState()
  roomStore.setConnected(true)
  wantsLessMovement = false
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: query.includes('reduced-motion') && wantsLessMovement,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }))
  // The list draws the rows that fit on the screen, and the test environment has no layout.
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(6000)
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(390)
  HTMLElement.prototype.scrollTo = () => undefined
  server = fakeServer()
  server.on(unreadChats, () => ({ count: 0 }))
  server.on(viewGuild, () => guildOf('10', '星海公会', [channelOf('20', '闲聊')]))
  server.on(viewChannel, () => channelOf('20', '闲聊'))
  server.on(listUnread, () => [])
  server.on(clearUnread, ({ channel_id }) => ({
    channel_id,
    guild_id: '10' as never,
    read_seq: 0,
    last_seq: 0,
    unread_count: 0,
    mention_count: 0,
  }))
  server.on(viewPerson, () => ({
    note: '',
    guilds: { total: 0, items: [] },
    friends: { total: 0, items: [] },
  }))
})
afterEach(() => {
  cleanup()
  // A sheet that closes leaves its picture for the moment that it fades.
  document.body.replaceChildren()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const me = sessionOf().user
const member = (is_vip: boolean) => ({ ...memberOf('3', ann.username), ...ann, is_vip })
/** Shows the place of a name, of somebody who is a member of BUFF or is not. */
const WHERE: readonly (readonly [where: string, show: (isMember: boolean) => void])[] = [
  [
    'the head of a group of messages',
    (is_vip) => {
      const { author } = messageLike(1)
      server.on(history, () => [messageLike(1, { author: { ...author, ...ann, nickname: '', is_vip } })])
      showRoom()
    },
  ],
  [
    'the list of members',
    (is_vip) => {
      renderAt('/', '/', <MemberRow member={member(is_vip) as never} row={0} onOpen={() => undefined} />, me)
    },
  ],
  [
    'the card of a person',
    (is_vip) => {
      server.on(viewUser, () => member(is_vip))
      const guild = guildOf('10', '夜航')
      const more = { guild, guildId: guild.id, meId: me.id, onMention: null }
      renderAt('/', '/', <PersonCard userId="3" known={null} {...more} />, me)
    },
  ],
  [
    'friends',
    (is_vip) => {
      const lists = friendsOf([{ id: '3', username: ann.username }])
      const friend = lists.friend.map((entry) => ({
        ...entry,
        friend_info: { ...entry.friend_info, ...ann, is_vip },
      }))
      server.on(listFriends, () => ({ ...lists, friend }))
      renderAt('/', '/', <FriendsScreen />, me)
    },
  ],
  [
    'private chats',
    (is_vip) => {
      const meta = { page: 1, page_total: 1, page_size: 50, total: 1 }
      server.on(listChats, () => ({ items: [chatOf(is_vip)], meta, sort: {} }))
      renderAt('/', '/', <ChatList openCode={null} isAlone />, me)
    },
  ],
  [
    'the card of a chat',
    (is_vip) => {
      server.on(viewChat, () => chatOf(is_vip))
      renderAt('/', '/', <PartnerSheet chat={chatOf(is_vip)} onClose={() => undefined} />, me)
    },
  ],
]

const mark = () => screen.queryByRole('img', { name: 'BUFF 会员' })
const pictures = () => [...document.querySelectorAll('img')].map(({ src }) => src)

test.each(WHERE)('without BUFF there is no mark in %s', async (_, show) => {
  show(false)
  await screen.findAllByText(ann.username)
  expect(mark()).toBeNull()
})

test.each(WHERE)('a member of BUFF has the mark in %s, and a picture that moves', async (_, show) => {
  show(true)
  await screen.findAllByText(ann.username)
  expect(mark()).toBeTruthy()
  expect(pictures()).toEqual([MOVING])
})

test('one’s own words have the mark already while they are sent', () => {
  const outgoing = { nonce: 'n', content: '来了', at: Date.now(), state: 'sending', why: '' } as const
  const words = (is_vip: boolean) => (
    <OutgoingRow
      head
      now={Date.now()}
      outgoing={outgoing}
      context={{ me: { ...me, is_vip }, guild: null }}
      isWaiting={false}
      onRetry={() => undefined}
      onDiscard={() => undefined}
    />
  )
  renderAt('/', '/', words(false), me)
  expect(mark()).toBeNull()
  cleanup()
  renderAt('/', '/', words(true), me)
  expect(mark()).toBeTruthy()
})

test.each(WHERE)('who wants less movement sees the picture still in %s', async (_, show) => {
  wantsLessMovement = true
  show(true)
  await screen.findAllByText(ann.username)
  expect(pictures()).toEqual([STILL])
})

test.each([
  ['begins', false, true],
  ['ends', true, false],
])('a membership that %s is seen in an open room', async (_, before, after) => {
  WHERE[0]![1](before)
  const message = (await screen.findByText(ann.username)).closest('article')!
  const identity = { ...ann, user_id: ann.id, identify_num: '0001', is_vip: after, nickname: '' }
  act(() => new EventDispatcher(roomStore).dispatch(systemEvent('updated_guild_user', identity)))
  await expect.poll(() => within(message).queryByRole('img', { name: 'BUFF 会员' }) !== null).toBe(after)
})
