import { viewChannel, viewGuild } from '@guildhall/wire/channel/channel.ts'
import { fail } from '@guildhall/wire/failure.ts'
import { history, type Message, sendBody, sendToChannel } from '@guildhall/wire/message/message.ts'
import { clearUnread, firstUnread, listUnread } from '@guildhall/wire/message/readMark.ts'
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { clearUserState, roomStore } from '../../app/composition.ts'
import { clearReplies } from '../../composer/draft/replyDraft.ts'
import { setLocale } from '../../kit/i18n.ts'
import { cache } from '../../kit/routeQuery.ts'
import { fakeServer } from '../../testing/fakeServer.ts'
import { channelOf, guildOf } from '../../testing/fixtures.ts'
import { fill } from '../../testing/hands.ts'
import { messageLike } from '../../testing/messages.ts'
import { showRoom } from '../../testing/showRoom.tsx'

let server: ReturnType<typeof fakeServer>
let stored: Message[]
const box = () => screen.findByRole('textbox', { name: '发送消息到 #闲聊' }) as Promise<HTMLTextAreaElement>
const write = async (text: string) => fill(await box(), { value: text })
const press = () => fireEvent.click(screen.getByRole('button', { name: '发送' }))
const quoteOf = (seq: number) => ({
  id: messageLike(seq).id,
  rong_id: messageLike(seq).id,
  type: 9,
  content: `**第 ${seq} 条**`,
  create_at: 0,
  author: messageLike(seq).author,
  can_jump: true,
})
const gone = (seq: number) => ({
  name: 'deleted_message' as const,
  body: { msg_id: messageLike(seq).id, channel_id: '20' as never, channel_type: 1, revision: 9, seq },
})

beforeEach(() => {
  localStorage.clear()
  setLocale('zh-CN')
  cache.clear()
  clearUserState()
  roomStore.setConnected(true)
  vi.stubGlobal('matchMedia', () => ({ matches: true }))
  // The list draws the rows that fit on the screen, and the test environment has no layout.
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(6000)
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(390)
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(60)
  HTMLElement.prototype.scrollTo = () => undefined
  server = fakeServer()
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
  server.on(history, ({ msgid, flag }) => {
    const at = stored.findIndex((it) => it.id === msgid)
    if (msgid === undefined) return stored.slice(-50)
    if (at < 0) return fail('message.unknown')
    if (flag === 'after') return stored.slice(at + 1, at + 51)
    if (flag === 'around') return stored.slice(Math.max(0, at - 24), at + 26)
    // Without a layout the list is at its beginning all the time: older messages would lead it away.
    return []
  })
  server.on(sendToChannel, ({ content, nonce }) => {
    const { quote, ...said } = sendBody.parse(JSON.parse(content))
    const author = { ...messageLike(1).author, id: '7' as never }
    const seq = stored.length + 1
    const message = messageLike(seq, {
      content: said.content,
      nonce,
      author,
      quote: quote ? quoteOf(2) : null,
    })
    stored.push(message)
    return { msgId: message.id, msgTimestamp: message.create_at, nonce, message }
  })
  stored = Array.from({ length: 200 }, (_, i) => messageLike(i + 1))
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const replyTo = async (text: string) => {
  fireEvent.contextMenu(await screen.findByText(text))
  fireEvent.click(await screen.findByRole('button', { name: '回复' }))
}

test('the quoted message is shown above the composer, survives a reload, and is removed by its close button', async () => {
  showRoom()
  await replyTo('message 199')
  expect(screen.getByText('回复 Ann')).toBeTruthy()
  const input = await box()
  await waitFor(() => expect(document.activeElement).toBe(input))
  cleanup()
  clearReplies()
  showRoom()
  expect(await screen.findByText('回复 Ann')).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: '取消回复' }))
  expect(screen.queryByText('回复 Ann')).toBeNull()
  await write('没有回复谁')
  press()
  await waitFor(() => expect(server.received(sendToChannel)).toHaveLength(1))
  expect(JSON.parse(server.received(sendToChannel)[0]!.content)).toEqual({ content: '没有回复谁', type: 9 })
})

test('a reply is sent with its quote, shows it at once, and clears the reply bar', async () => {
  showRoom()
  await replyTo('message 199')
  await write('同意')
  press()
  await screen.findByText('同意')
  await waitFor(() => expect(server.received(sendToChannel)).toHaveLength(1))
  expect(JSON.parse(server.received(sendToChannel)[0]!.content)).toMatchObject({ quote: messageLike(199).id })
  expect(screen.queryByText('回复 Ann')).toBeNull()
  expect(localStorage.getItem('replies')).toBe('{}')
})

test('a deleted message clears the reply bar; a pending reply shows the reason and can be sent without the quote', async () => {
  showRoom()
  await replyTo('message 199')
  act(() => roomStore.receiveChange('20', gone(199)))
  expect(screen.queryByText('回复 Ann')).toBeNull()

  await replyTo('message 198')
  server.on(sendToChannel, () => fail('message.unknown'))
  await write('同意')
  press()
  expect(await screen.findByText(/发送失败/)).toBeTruthy()
  expect(screen.getByText('原消息已删除')).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: '重新发送' }))
  await waitFor(() => expect(server.received(sendToChannel)).toHaveLength(2))
  expect(JSON.parse(server.received(sendToChannel)[1]!.content)).toEqual({ content: '同意', type: 9 })
  fireEvent.click(await screen.findByRole('button', { name: '删除' }))
  expect(screen.queryByText(/发送失败/)).toBeNull()
})

test('a reply to a deleted message says so and has no link; spoilers stay hidden', async () => {
  stored.push(
    messageLike(201, { content: '回一', quote: { ...quoteOf(2), content: '', can_jump: false } }),
    messageLike(202, { content: '回二', quote: { ...quoteOf(3), content: '结局(spl)都死了(spl)' } }),
    messageLike(203, { content: '回三', quote: { nonsense: 1 } }),
    messageLike(204, { content: '回四', quote: { ...quoteOf(4), type: 2, content: 'https://x/y.png' } }),
  )
  showRoom()
  expect(await screen.findByText('原消息已删除')).toBeTruthy()
  expect(screen.queryByText(/都死了/)).toBeNull()
  expect(screen.getByText('[图片]')).toBeTruthy()
  expect(screen.getAllByRole('button', { name: /^查看所回复的 Ann 的消息/ })).toHaveLength(2)
})

test('a reply to a message with mentions shows their names, above the composer and in the quote', async () => {
  const mention = { id: '9' as never, username: 'li', full_name: 'li#0009', avatar: '', nickname: '阿黎' }
  const kmarkdown = { ...messageLike(1).kmarkdown, mention_part: [mention] }
  const asked = { content: '(met)9(met) 来吗', kmarkdown }
  stored.push(
    messageLike(201, asked),
    messageLike(202, { content: '来', quote: { ...quoteOf(201), ...asked } }),
  )
  showRoom()
  expect(await screen.findByRole('button', { name: /^查看所回复的.*@阿黎 来吗/ })).toBeTruthy()
  fireEvent.contextMenu(screen.getByText('来吗', { exact: false, selector: '[data-part=message-text]' }))
  fireEvent.click(await screen.findByRole('button', { name: '回复' }))
  expect(document.querySelector('[data-part=reply]')?.textContent).toContain('@阿黎 来吗')
  expect(screen.queryByText(/用户不存在/)).toBeNull()
})

test('a jump to a loaded message keeps the list; one far back opens a history window with a button back to the newest', async () => {
  stored.push(
    messageLike(201, { content: '近', quote: quoteOf(199) }),
    messageLike(202, { content: '远', quote: quoteOf(60) }),
  )
  showRoom()
  await screen.findByText('远')
  const jumps = () => screen.getAllByRole('button', { name: /^查看所回复的/ })
  const around = () =>
    server
      .received(history)
      .filter((it) => it.flag === 'around')
      .map((it) => it.msgid)
  fireEvent.click(jumps()[0]!)
  await waitFor(() => expect(document.querySelector('[data-flash]')?.textContent).toContain('message 199'))
  expect(around()).toEqual([])

  fireEvent.click(jumps()[1]!)
  expect(await screen.findByText('message 60')).toBeTruthy()
  expect(server.received(history).some((it) => it.flag === 'around' && it.msgid === messageLike(60).id)).toBe(
    true,
  )
  await waitFor(() => expect(document.querySelector('[data-flash]')?.textContent).toContain('message 60'))
  expect(screen.queryByText('远')).toBeNull()
  act(() => roomStore.receiveMessage(messageLike(203, { content: '刚说的' })))
  expect(document.querySelector('[data-part=message-rows]')?.textContent).not.toContain('刚说的')

  fireEvent.click(screen.getByRole('button', { name: /^回到最新消息/ }))
  expect(await screen.findByText('刚说的')).toBeTruthy()
  expect(screen.queryByText('message 60')).toBeNull()
})

test('a jump to a deleted message shows an error and does not scroll', async () => {
  stored.push(messageLike(201, { content: '远', quote: quoteOf(60) }))
  stored.splice(59, 1)
  showRoom()
  await screen.findByText('远')
  fireEvent.click(screen.getByRole('button', { name: /^查看所回复的/ }))
  expect(await screen.findByText('原消息已删除')).toBeTruthy()
  expect(screen.getByText('远')).toBeTruthy()
})

test('a bar counts the unread messages and leads to the first of them, far above what is loaded', async () => {
  const waits = { channel_id: '20' as never, guild_id: '10' as never, last_seq: 200, mention_count: 0 }
  server.on(listUnread, () => [{ ...waits, read_seq: 60, unread_count: 100 }])
  server.on(firstUnread, ({ after }) => ({ first: { msg_id: messageLike(after + 1).id, seq: after + 1 } }))
  showRoom()
  fireEvent.click(await screen.findByRole('button', { name: /^99\+ 条新消息/ }))
  await waitFor(() => expect(document.querySelector('[data-flash]')?.textContent).toContain('message 61'))
  expect(screen.getByText('以下为新消息')).toBeTruthy()
})

test('a bar that is put away stays away', async () => {
  const waits = { channel_id: '20' as never, guild_id: '10' as never, last_seq: 200, mention_count: 0 }
  server.on(listUnread, () => [{ ...waits, read_seq: 60, unread_count: 100 }])
  server.on(firstUnread, ({ after }) => ({ first: { msg_id: messageLike(after + 1).id, seq: after + 1 } }))
  showRoom()
  const bar = await screen.findByRole('button', { name: /^99\+ 条新消息/ })
  fireEvent.click(screen.getByRole('button', { name: '不再提示' }))
  expect(bar.isConnected).toBe(false)
  act(() => roomStore.receiveMessage(messageLike(201, { content: '又一条' })))
  await screen.findByText('又一条')
  expect(screen.queryByRole('button', { name: '不再提示' })).toBeNull()
})

test('a room that was never read has its line with its messages, before the first unread one is answered', async () => {
  const waits = { channel_id: '20' as never, guild_id: '10' as never, last_seq: 200, mention_count: 0 }
  server.on(listUnread, () => [{ ...waits, read_seq: 0, unread_count: 2 }])
  server.on(firstUnread, () => new Promise<never>(() => undefined))
  showRoom()
  await screen.findByText('message 200')
  const text = () => document.querySelector('[data-part=message-rows]')?.textContent ?? ''
  await waitFor(() => expect(text()).toMatch(/message 198.*以下为新消息.*message 199/s))
})

test('when the first unread message is deleted, the bar leads to the next one', async () => {
  const waits = { channel_id: '20' as never, guild_id: '10' as never, last_seq: 200, mention_count: 0 }
  server.on(listUnread, () => [{ ...waits, read_seq: 60, unread_count: 100 }])
  let first = 61
  server.on(firstUnread, () => ({ first: { msg_id: messageLike(first).id, seq: first } }))
  showRoom()
  const bar = await screen.findByRole('button', { name: /^99\+ 条新消息/ })
  first = 62
  act(() => roomStore.receiveChange('20', gone(61)))
  await waitFor(() => expect(server.received(firstUnread)).toHaveLength(2))
  // Not by waitFor, which asks again after each change of the page, its own included.
  await expect
    .poll(() => {
      if (bar.isConnected) fireEvent.click(bar)
      return document.querySelector('[data-flash]')?.textContent
    })
    .toContain('message 62')
})

test('without unread messages above the screen there is no bar', async () => {
  const waits = { channel_id: '20' as never, guild_id: '10' as never, last_seq: 200, mention_count: 0 }
  server.on(listUnread, () => [{ ...waits, read_seq: 198, unread_count: 2 }])
  server.on(firstUnread, ({ after }) => ({ first: { msg_id: messageLike(after + 1).id, seq: after + 1 } }))
  showRoom()
  expect(await screen.findByText('以下为新消息')).toBeTruthy()
  expect(document.querySelector('[data-part=unread-bar]')).toBeNull()
})
