import { viewChannel, viewGuild } from '@guildhall/wire/channel/channel.ts'
import { history, type Message } from '@guildhall/wire/message/message.ts'
import { clearUnread, listUnread } from '@guildhall/wire/message/readMark.ts'
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { clearUserState, roomStore } from '../app/composition.ts'
import { EventDispatcher } from '../app/events.ts'
import { setLocale } from '../kit/i18n.ts'
import { cache } from '../kit/routeQuery.ts'
import { fakeServer } from '../testing/fakeServer.ts'
import { channelOf, guildOf, sessionOf } from '../testing/fixtures.ts'
import { messageLike } from '../testing/messages.ts'
import { showRoom } from '../testing/showRoom.tsx'

const events = new EventDispatcher(roomStore)
let server: ReturnType<typeof fakeServer>
const first = messageLike(1, { content: '晚上几点开' })
const me = sessionOf().user

/** As the connection delivers it. */
const deliverEphemeral = (message: Message, visible_only: string) => {
  const { author, mention, mention_all, mention_here, mention_roles, kmarkdown, seq } = message
  const extra = {
    type: 9,
    guild_id: '10',
    author,
    mention,
    mention_all,
    mention_here,
    mention_roles,
    kmarkdown,
    seq,
    visible_only,
  }
  const d = {
    channel_type: 'GROUP',
    type: 9,
    target_id: '20',
    author_id: author.id,
    content: message.content,
    msg_id: message.id,
    msg_timestamp: message.create_at,
    nonce: '',
    extra,
  } as const
  act(() => events.dispatch({ s: 0, sn: 1, d }))
}
const showOther = (content: string) => {
  const { id, mention, mention_all, mention_here, mention_roles, kmarkdown } = first
  const body = {
    msg_id: id,
    channel_id: '20',
    channel_type: 1,
    revision: 0,
    content,
    visible_only: me.id,
    mention,
    mention_all,
    mention_here,
    mention_roles,
    kmarkdown,
    quote: null,
    attachments: null,
    updated_at: first.create_at + 1,
  }
  const d = {
    channel_type: 'GROUP',
    type: 255,
    target_id: '10',
    author_id: '1',
    content: '',
    nonce: '',
    msg_id: id,
    msg_timestamp: 1,
    extra: { type: 'updated_message', body },
  } as const
  act(() => events.dispatch({ s: 0, sn: 1, d }))
}
const rowOf = (text: string) => within(screen.getByText(text).closest('article')!)

beforeEach(() => {
  localStorage.clear()
  setLocale('zh-CN')
  cache.clear()
  clearUserState()
  roomStore.setConnected(true)
  vi.stubGlobal('matchMedia', () => ({ matches: true }))
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(600)
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(390)
  server = fakeServer()
  server.on(viewGuild, () => guildOf('10', '星海公会', [channelOf('20', '闲聊')]))
  server.on(viewChannel, () => channelOf('20', '闲聊'))
  server.on(history, () => [first])
  server.on(listUnread, () => [])
  const read = { guild_id: '10' as never, read_seq: 1, last_seq: 1, unread_count: 0, mention_count: 0 }
  server.on(clearUnread, ({ channel_id }) => ({ channel_id, ...read }))
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

test('an ephemeral message has a notice, can only be copied or dismissed, and does not survive a reload', async () => {
  // Delivered before the room is opened.
  deliverEphemeral(messageLike(2, { content: '只说给你听' }), me.id)
  showRoom()
  await screen.findByText('只说给你听')
  expect(rowOf('只说给你听').getByText('只有你能看到')).toBeTruthy()
  expect(rowOf('晚上几点开').queryByText('只有你能看到')).toBeNull()
  fireEvent.click(rowOf('只说给你听').getByRole('button', { name: /更多操作/ }))
  const menu = within(await screen.findByRole('dialog'))
  expect(menu.getAllByRole('button').map((it) => it.textContent)).toEqual(
    expect.arrayContaining(['复制', '隐藏']),
  )
  for (const name of ['回复', '编辑', '删除', '置顶', '更多表情'])
    expect(menu.queryByRole('button', { name })).toBeNull()
  fireEvent.click(menu.getByRole('button', { name: '隐藏' }))
  await waitFor(() => expect(screen.queryByText('只说给你听')).toBeNull())

  deliverEphemeral(messageLike(3, { content: '又一句' }), me.id)
  fireEvent.click(rowOf('又一句').getByRole('button', { name: '隐藏' }))
  expect(screen.queryByText('又一句')).toBeNull()
  deliverEphemeral(messageLike(4, { content: '还有一句' }), me.id)
  cleanup()
  clearUserState()
  showRoom()
  await screen.findByText('晚上几点开')
  expect(screen.queryByText('还有一句')).toBeNull()
})

test('the author of an ephemeral message sees that both can read it', async () => {
  showRoom()
  await screen.findByText('晚上几点开')
  deliverEphemeral(messageLike(2, { content: '只说给他听' }), '8')
  expect(rowOf('只说给他听').getByText('只有你和对方能看到')).toBeTruthy()
})

test('an ephemeral edit replaces the content of the message until it is dismissed', async () => {
  showRoom()
  await screen.findByText('晚上几点开')
  showOther('给你的说法')
  expect(screen.queryByText('晚上几点开')).toBeNull()
  fireEvent.click(rowOf('给你的说法').getByRole('button', { name: '隐藏' }))
  expect(screen.getByText('晚上几点开')).toBeTruthy()
  expect(screen.queryByText('只有你能看到')).toBeNull()
})
