import { viewGuild } from '@guildhall/wire/channel/channel.ts'
import { listGuilds } from '@guildhall/wire/guild/guild.ts'
import { lastWordsOf, viewActivity } from '@guildhall/wire/message/activity.ts'
import { eventOf } from '@guildhall/wire/message/event.ts'
import type { Message } from '@guildhall/wire/message/message.ts'
import { listUnread, listWaiting } from '@guildhall/wire/message/readMark.ts'
import type { AnswerOf } from '@guildhall/wire/route.ts'
import { cleanup, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { setLocale } from '../../kit/i18n.ts'
import { fakeServer } from '../../testing/fakeServer.ts'
import { channelOf, guildOf, sessionOf } from '../../testing/fixtures.ts'
import { messageLike } from '../../testing/messages.ts'
import { renderAt } from '../../testing/renderAt.tsx'
import { systemEvent } from '../../testing/systemEvent.ts'
import './activity.ts'
import { roomStore } from '../composition.ts'
import { EventDispatcher } from '../events.ts'
import GuildsPage from '../shell/GuildsPage.tsx'

const hall = guildOf('10', '星海公会', [
  channelOf('20', '闲聊', { topic: '随便聊' }),
  channelOf('21', '夜宵', { topic: '吃什么' }),
  channelOf('22', '公告'),
])
const first = said(3, '今晚 **来** 吗')

function said(seq: number, content: string, more: Partial<Message> = {}): Message {
  return messageLike(seq, { content, ...more })
}

let server: ReturnType<typeof fakeServer>
let activity: AnswerOf<typeof viewActivity>
beforeEach(() => {
  localStorage.clear()
  setLocale('zh-CN')
  server = fakeServer()
  server.on(listUnread, () => [])
  server.on(listWaiting, () => [])
  server.on(listGuilds, () => [hall])
  server.on(viewGuild, () => hall)
  const empty = { last_seq: 0, last_words: null }
  activity = {
    online_count: 3,
    channels: [
      { channel_id: '20' as never, last_seq: 3, last_words: lastWordsOf(first) },
      { channel_id: '21' as never, ...empty },
      { channel_id: '22' as never, ...empty },
    ],
  }
  server.on(viewActivity, () => activity)
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const show = () => renderAt('/channels/10', '/channels/:guildId?', <GuildsPage />, sessionOf().user)
const events = new EventDispatcher(roomStore)
const hear = (message: Message, onlyTo: string | null = null) =>
  events.dispatch({
    s: 0,
    sn: 1,
    d: eventOf(message, { name: '闲聊', type: 1 }, 'specification', onlyTo as never),
  })
const change = (type: string, body: object) => events.dispatch(systemEvent(type, body))
/** What the channels say below their names, in their order. */
const lines = () =>
  screen
    .getAllByRole('link')
    .flatMap((link) => link.getAttribute('aria-describedby') ?? [])
    .map((id) => document.getElementById(id)?.textContent)

test('a channel says what was said last and by whom, else its topic, else that there is nothing yet', async () => {
  show()
  await waitFor(() => expect(lines()).toEqual(['Ann：今晚 来 吗', '吃什么', '还没有消息']))
  // The link keeps its name: the words describe it.
  expect(screen.getByRole('link', { name: '文字频道 闲聊' })).toBeTruthy()
})

test('nothing is said before the answer, and without one channels say their topics', async () => {
  const answer = server.waits(viewActivity)
  show()
  await screen.findByRole('link', { name: /闲聊/ })
  expect(lines()).toEqual(['', '', ''])
  answer(activity)
  await waitFor(() => expect(lines()[1]).toBe('吃什么'))
})

test('pictures and cards are called what they are, spoilers stay hidden, a welcome greets', async () => {
  const words = (message: Message, at: number) => ({
    ...activity.channels[at]!,
    last_words: lastWordsOf(message),
  })
  activity.channels = [
    words(said(5, 'https://example.com/a.png', { type: 2 }), 0),
    words(said(6, '结局(spl)都死了(spl)'), 1),
    words(said(7, '', { type: 7 }), 2),
  ]
  show()
  await waitFor(() => expect(lines()).toEqual(['Ann：[图片]', 'Ann：结局▇▇▇', '欢迎 Ann 加入']))
})

test('what is heard replaces it, once and in order; what only one person sees does not', async () => {
  show()
  await waitFor(() => expect(lines()[0]).toBe('Ann：今晚 来 吗'))
  hear(said(5, '来'))
  await waitFor(() => expect(lines()[0]).toBe('Ann：来'))
  hear(said(4, '晚到的'))
  hear(said(6, '悄悄'), '7')
  hear(said(7, '馄饨', { channel_id: '21' as never }))
  await waitFor(() => expect(lines()).toEqual(['Ann：来', 'Ann：馄饨', '还没有消息']))
})

const editOf = (message: Message, content: string, more = {}) => ({
  ...message,
  msg_id: message.id,
  channel_type: 1,
  content,
  updated_at: 1_790_000_009_000,
  ...more,
})

test('an edit changes it, an older edit and one for a single person do not', async () => {
  show()
  await waitFor(() => expect(lines()[0]).toBe('Ann：今晚 来 吗'))
  change('updated_message', editOf(first, '明晚'))
  change('updated_message', editOf(first, '更早的', { updated_at: 1_790_000_008_000 }))
  change('updated_message', editOf(first, '只有你', { updated_at: 1_790_000_010_000, visible_only: '7' }))
  await waitFor(() => expect(lines()[0]).toBe('Ann：明晚'))
})

test('a deletion asks for what stands before it, only where it was the last', async () => {
  show()
  await waitFor(() => expect(lines()[0]).toBe('Ann：今晚 来 吗'))
  change('deleted_message', { msg_id: messageLike(1).id, channel_id: '20' })
  const before = said(2, '之前')
  activity = {
    ...activity,
    channels: activity.channels.map((it) => ({ ...it, last_words: lastWordsOf(before) })),
  }
  expect(server.received(viewActivity)).toHaveLength(1)
  change('deleted_message', { msg_id: first.id, channel_id: '20' })
  await waitFor(() => expect(lines()[0]).toBe('Ann：之前'))
})

test.each([
  ['updated_channel', {}],
  ['updated_role', {}],
  ['updated_guild_member', { user_id: '3', nickname: '安安', roles: [] }],
])('after %s it is asked for again', async (type, body) => {
  show()
  await waitFor(() => expect(lines()[0]).toBe('Ann：今晚 来 吗'))
  const asked = server.received(viewActivity).length
  change('updated_guild_member', { user_id: '99', nickname: '别人', roles: [] })
  expect(server.received(viewActivity)).toHaveLength(asked)
  change(type, body)
  await waitFor(() => expect(server.received(viewActivity).length).toBeGreaterThan(asked))
})
