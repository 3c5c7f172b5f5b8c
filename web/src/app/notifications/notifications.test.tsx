import { userState } from '@guildhall/wire/auth/userState.ts'
import { unreadChats } from '@guildhall/wire/chat/page.ts'
import { listFriends } from '@guildhall/wire/friend/friend.ts'
import { type EventData, SYSTEM_EVENT } from '@guildhall/wire/gateway/frame.ts'
import { listGuilds } from '@guildhall/wire/guild/guild.ts'
import { eventOf } from '@guildhall/wire/message/event.ts'
import type { Message } from '@guildhall/wire/message/message.ts'
import { notifyType } from '@guildhall/wire/message/notify.ts'
import { listWaiting, type Waiting } from '@guildhall/wire/message/readMark.ts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Stored, writeStored } from '../../kit/browser/storage.ts'
import { setLocale } from '../../kit/i18n.ts'
import { cache, queryKeyOf } from '../../kit/routeQuery.ts'
import { fakeNotifications } from '../../testing/fakeNotification.ts'
import { fakeServer } from '../../testing/fakeServer.ts'
import { friendsOf, guildOf, sessionOf } from '../../testing/fixtures.ts'
import { messageLike } from '../../testing/messages.ts'
import { roomStore } from '../composition.ts'
import { EventDispatcher } from '../events.ts'
import './follow.ts'

const sounds = vi.hoisted(() => ({ count: 0 }))
vi.mock('../../kit/browser/quietSound.ts', () => ({
  playQuietSound: () => {
    sounds.count += 1
  },
}))

const CHAT = '0123456789abcdef0123456789abcdef'
const events = new EventDispatcher(roomStore)
let browser: ReturnType<typeof fakeNotifications>
let server: ReturnType<typeof fakeServer>
let isFocused = false
let seq = 0
let waiting: Partial<Waiting> = {}

/** Another account wrote to the channel 闲聊 of 星海公会. */
function hear(more: Partial<Message> = {}, visibleOnly: string | null = null): Message {
  seq += 1
  const message = messageLike(seq, { content: '今晚开黑吗', ...more })
  const data = eventOf(message, { name: '闲聊', type: 1 }, 'specification', visibleOnly as never)
  events.dispatch({ s: 0, sn: seq, d: data })
  return message
}

/** 安 wrote in a private conversation. */
function hearPrivately(author = messageLike(1).author): void {
  seq += 1
  const message = messageLike(seq, { content: '在吗', guild_id: '' as never, author })
  const { extra, ...data } = eventOf(message, { name: '', type: 1 }, 'specification')
  events.dispatch({
    s: 0,
    sn: seq,
    d: { ...data, channel_type: 'PERSON', target_id: '7', extra: { ...extra, code: CHAT } },
  })
}

function hearSystem(type: string, body: object): void {
  const d = { channel_type: 'GROUP', type: SYSTEM_EVENT, target_id: '10', extra: { type, body } }
  events.dispatch({ s: 0, sn: 1, d: d as unknown as EventData })
}

const choose = (more: Stored['notifications'] = {}) => writeStored('notifications', { on: true, ...more })

const isPrivate = (words: string) => words.endsWith('在吗')

/** What decides is loaded with the first message, and asks the server. */
async function loaded(): Promise<void> {
  await vi.dynamicImportSettled()
  await expect.poll(() => cache.isFetching()).toBe(0)
}

/** What is shown once all that was heard before is decided, as is a later message that always calls. */
async function decided(): Promise<string[]> {
  await loaded()
  hearPrivately()
  await expect.poll(() => browser.open().filter(isPrivate).length).toBe(1)
  return browser.open().filter((it) => !isPrivate(it))
}

beforeEach(() => {
  localStorage.clear()
  setLocale('zh-CN')
  history.replaceState(null, '', '/account')
  isFocused = false
  sounds.count = 0
  waiting = {}
  vi.spyOn(document, 'hasFocus').mockImplementation(() => isFocused)
  browser = fakeNotifications('granted')
  server = fakeServer()
  server.on(listFriends, () => friendsOf([]))
  server.on(listGuilds, () => [guildOf('10', '星海公会')])
  server.on(unreadChats, () => ({ count: 0 }))
  server.on(listWaiting, () => [
    { guild_id: '10' as never, is_unread: false, last_seq: 0, mention_count: 0, ...waiting },
  ])
  cache.clear()
  cache.setQueryData(queryKeyOf(userState, {}), sessionOf())
  choose()
})
afterEach(() => {
  dispatchEvent(new Event('focus'))
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

test('where they are off, or the browser took them back, nothing is shown', async () => {
  writeStored('notifications', {})
  hear()
  choose({ has_sound: true })
  browser.allow('denied')
  hear()
  await loaded()
  browser.allow('granted')
  choose()
  expect(await decided()).toEqual([])
  expect(sounds.count).toBe(0)
})

test('nothing is shown to who looks at the page', async () => {
  isFocused = true
  hear()
  isFocused = false
  expect(await decided()).toEqual([])
})

test('nothing is shown of one’s own messages, of blocked people, and of what is for one person alone', async () => {
  server.on(listFriends, () => ({
    ...friendsOf([]),
    blocked: friendsOf([{ id: '4', username: '吵' }]).friend,
  }))
  const by = (id: string) => ({ author: { ...messageLike(1).author, id: id as never } })
  hear(by('7'))
  hear(by('4'))
  hear({}, '7')
  hearPrivately(by('7').author)
  hearPrivately(by('4').author)
  expect(await decided()).toEqual([])
})

test('in quiet hours nothing is shown and nothing sounds', async () => {
  vi.useFakeTimers({ now: new Date('2026-11-26T23:30:00'), toFake: ['Date'] })
  choose({ quiet: { from: '22:00', to: '08:00' }, has_sound: true })
  hear()
  hearPrivately()
  choose()
  vi.useRealTimers()
  expect(await decided()).toEqual([])
  expect(sounds.count).toBe(0)
})

const calls = { mention: ['7' as never] }
test.each<[string, Partial<Waiting>, Partial<Message>, boolean]>([
  ['nothing, a mention', { notify_type: notifyType.none }, calls, false],
  ['mentions, any message', { notify_type: notifyType.mentions }, {}, false],
  ['mentions, a mention', { notify_type: notifyType.mentions }, calls, true],
  ['all, any message', { notify_type: notifyType.all }, {}, true],
  [
    'all but nothing of this channel, a mention',
    { notify_channels: [{ channel_id: '20' as never, notify_type: notifyType.none }] },
    calls,
    false,
  ],
  [
    'nothing but all of this channel, any message',
    {
      notify_type: notifyType.none,
      notify_channels: [{ channel_id: '20' as never, notify_type: notifyType.all }],
    },
    {},
    true,
  ],
])('of a guild that notifies of %s calls: %#', async (_, levels, message, isShown) => {
  waiting = levels
  hear(message)
  expect((await decided()).length).toBe(isShown ? 1 : 0)
})

test('a level that another device set holds from its event on', async () => {
  hear()
  await expect.poll(browser.open).toEqual(['Ann · 星海公会 #闲聊: 今晚开黑吗'])
  waiting = { notify_type: notifyType.none }
  hearSystem('updated_notify_type', { guild_id: '10', channel_id: '0', notify_type: 3 })
  hear({ content: '还在吗' })
  expect(await decided()).toEqual(['Ann · 星海公会 #闲聊: 今晚开黑吗'])
})

test('it says who, where and what; a spoiler stays hidden, and names are written out', async () => {
  hear({ content: '凶手是 (spl)管家(spl)' })
  await expect.poll(browser.open).toEqual(['Ann · 星海公会 #闲聊: 凶手是 ▇▇▇'])
  expect(browser.shown[0]).toMatchObject({ tag: '20', silent: true, icon: '/icon-192.png' })
})

test('of two messages at once the later one stays, also where the first has to ask for more', async () => {
  const answer = server.waits(listWaiting)
  hear({ content: '第一句' })
  await expect.poll(() => server.received(listWaiting).length).toBe(1)
  hearPrivately()
  // Time enough to be first.
  await vi.dynamicImportSettled()
  answer([{ guild_id: '10' as never, is_unread: false, last_seq: 0, mention_count: 0 }])
  await expect.poll(() => browser.shown.map(({ tag }) => tag)).toEqual(['20', CHAT])
})

test('without words it says nothing of who, where and what', async () => {
  choose({ is_bare: true })
  hear({ author: { ...messageLike(1).author, avatar: 'https://a.example/face.png' } })
  await expect.poll(browser.open).toEqual(['公会厅: 有新消息'])
  expect(browser.shown[0]?.icon).toBe('/icon-192.png')
})

test('a tap leads to the message, and in a private conversation to it', async () => {
  const message = hear()
  hearPrivately()
  await expect.poll(() => browser.shown.length).toBe(2)
  const focused = vi.spyOn(window, 'focus').mockImplementation(() => undefined)
  const moves: string[] = []
  const note = () => moves.push(location.pathname + location.search)
  addEventListener('popstate', note)
  for (const it of browser.shown.toSorted((a, b) => a.tag.length - b.tag.length)) it.onclick?.()
  removeEventListener('popstate', note)
  expect(moves).toEqual([`/channels/10/20?m=${message.id}`, `/chats/${CHAT}`])
  expect(focused).toHaveBeenCalledTimes(2)
  expect(browser.open()).toEqual([])
})

test('the sound is off until it is chosen', async () => {
  hear()
  await expect.poll(() => browser.open().length).toBe(1)
  expect(sounds.count).toBe(0)
  choose({ has_sound: true })
  hear()
  await expect.poll(() => sounds.count).toBe(1)
})

test('it goes when its room is read elsewhere, when its message is deleted, and when the page is looked at', async () => {
  const shownAgain = async () => {
    const message = hear()
    await expect.poll(() => browser.open().length).toBe(1)
    return message
  }
  await shownAgain()
  hearSystem('updated_read_mark', { guild_id: '10', channel_id: '21', read_seq: seq })
  hearSystem('updated_read_mark', { guild_id: '10', channel_id: '20', read_seq: seq - 1 })
  expect(browser.open().length).toBe(1)
  hearSystem('updated_read_mark', { guild_id: '10', channel_id: '20', read_seq: seq })
  expect(browser.open()).toEqual([])
  const { id } = await shownAgain()
  hearSystem('deleted_message', { channel_id: '20', msg_id: id, seq })
  expect(browser.open()).toEqual([])
  await shownAgain()
  isFocused = true
  dispatchEvent(new Event('focus'))
  expect(browser.open()).toEqual([])
})

test('it stays while its room, open in a window without focus, marks itself as read', async () => {
  history.replaceState(null, '', '/channels/10/20')
  hear()
  await expect.poll(() => browser.open().length).toBe(1)
  hearSystem('updated_read_mark', { guild_id: '10', channel_id: '20', read_seq: seq })
  expect(browser.open().length).toBe(1)
})

/** The browser's locks, of which other tabs hold some. */
function tabsHold(...names: string[]): Set<string> {
  const held = new Set(names)
  const request = async (name: string, _: object, act: (lock: object | null) => Promise<unknown>) => {
    if (held.has(name)) return act(null)
    held.add(name)
    await act({ name })
  }
  const query = async () => ({ held: [...held].map((name) => ({ name })) })
  const tab = Object.create(navigator, { locks: { value: { request, query } } })
  vi.stubGlobal('navigator', tab)
  return held
}

test('another tab that is looked at, or that was first, leaves nothing to show', async () => {
  const held = tabsHold('looked at')
  hear()
  await loaded()
  held.clear()
  held.add(`notified ${messageLike(seq + 1).id}`)
  hear()
  expect(await decided()).toEqual([])
})
