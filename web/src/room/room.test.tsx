import { viewChannel, viewGuild } from '@guildhall/wire/channel/channel.ts'
import { fail } from '@guildhall/wire/failure.ts'
import {
  addReaction,
  deleteMessage,
  deleteReaction,
  pinMessage,
  updateMessage,
} from '@guildhall/wire/message/action.ts'
import type { Message } from '@guildhall/wire/message/message.ts'
import { history, sendBody, sendToChannel } from '@guildhall/wire/message/message.ts'
import { clearUnread, firstUnread, listUnread } from '@guildhall/wire/message/readMark.ts'
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { clearUserState, roomStore } from '../app/composition.ts'
import { setLocale } from '../kit/i18n.ts'
import { onReport, type ReportTarget } from '../kit/report.ts'
import { cache } from '../kit/routeQuery.ts'
import { fakeServer } from '../testing/fakeServer.ts'
import { channelOf, guildOf } from '../testing/fixtures.ts'
import { fill } from '../testing/hands.ts'
import { messageLike } from '../testing/messages.ts'
import { sayWays } from '../testing/sayWays.ts'
import { showRoom } from '../testing/showRoom.tsx'

let server: ReturnType<typeof fakeServer>
let stored: Message[]
const hall = guildOf('10', '星海公会', [channelOf('20', '闲聊')])
const mine = (seq: number, content: string, nonce: string) =>
  messageLike(seq, { content, nonce, author: { ...messageLike(1).author, id: '7' as never } })
const box = (name = '发送消息到 #闲聊') =>
  screen.findByRole('textbox', { name }) as Promise<HTMLTextAreaElement>
const write = async (text: string) => fill(await box(), { value: text })
const press = () => fireEvent.click(screen.getByRole('button', { name: '发送' }))
/** Whether the test runs as a desktop, or as a phone. */
let isDesktop = true

beforeEach(() => {
  localStorage.clear()
  setLocale('zh-CN')
  cache.clear()
  clearUserState()
  roomStore.setConnected(true)
  isDesktop = true
  vi.stubGlobal('matchMedia', () => ({ matches: isDesktop }))
  // The list draws the rows that fit on the screen, and the test environment has no layout.
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(600)
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(390)
  server = fakeServer()
  stored = [messageLike(1, { content: '晚上几点开' }), messageLike(2, { content: '八点半' })]
  server.on(viewGuild, () => hall)
  server.on(viewChannel, () => channelOf('20', '闲聊'))
  server.on(history, () => stored)
  server.on(listUnread, () => [])
  server.on(firstUnread, ({ after }) => {
    const it = stored.find(({ seq }) => seq > after)
    return { first: it ? { msg_id: it.id, seq: it.seq } : null }
  })
  server.on(clearUnread, ({ channel_id }) => ({
    channel_id,
    guild_id: '10' as never,
    read_seq: stored.length,
    last_seq: stored.length,
    unread_count: 0,
    mention_count: 0,
  }))
  server.on(sendToChannel, ({ content, nonce }) => {
    const message = mine(stored.length + 1, sendBody.parse(JSON.parse(content)).content, nonce)
    stored.push(message)
    return { msgId: message.id, msgTimestamp: message.create_at, nonce, message }
  })
})
afterEach(() => {
  cleanup()
  sayWays('')
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

test('a channel without access redirects to the landing page', async () => {
  server.on(viewGuild, () => guildOf('10', '星海公会', []))
  server.on(viewChannel, () => fail('forbidden'))
  showRoom()
  expect(await screen.findByText('at /')).toBeTruthy()
})

test('the address of a voice channel leads to the list, whose row says where it opens', async () => {
  const voice = channelOf('20', '开黑房', { type: 2 })
  server.on(viewGuild, () => guildOf('10', '星海公会', [voice]))
  showRoom()
  expect(await screen.findByText('at /channels/10')).toBeTruthy()
  expect(server.received(sendToChannel)).toEqual([])
})

test('messages that cannot be loaded show an error and a retry', async () => {
  let down = true
  server.on(history, () => {
    if (down) throw new TypeError('down')
    return stored
  })
  showRoom()
  expect(await screen.findByText('消息加载失败')).toBeTruthy()
  down = false
  fireEvent.click(screen.getByRole('button', { name: '重试' }))
  expect(await screen.findByText('八点半')).toBeTruthy()
})

test('an unverified user can read, is shown why they cannot send, and where to verify', async () => {
  showRoom({ mobile_verified: false })
  expect(await screen.findByText('未验证用户无法在频道内发送消息')).toBeTruthy()
  expect(await screen.findByText('完成手机验证后即可在频道内发言')).toBeTruthy()
  expect(screen.queryByRole('textbox')).toBeNull()
  const ways = screen.getAllByRole('link', { name: '去验证' })
  expect(ways.map((it) => it.getAttribute('href'))).toEqual(['/authenticate', '/authenticate'])
})

test.each([
  ['email', '完成邮箱验证后即可在频道内发言', 'Verify your email address to talk in channels'],
  [
    'sms.email',
    '完成手机或邮箱验证后即可在频道内发言',
    'Verify your mobile number or email address to talk in channels',
  ],
])('by %s an unverified user is asked for what can be verified', async (ways, chinese, english) => {
  sayWays(ways)
  showRoom({ mobile_verified: false })
  expect(await screen.findByText(chinese)).toBeTruthy()
  act(() => setLocale('en'))
  expect(await screen.findByText(english)).toBeTruthy()
})

test.each([
  ['without the right to send', { permissions: 2048 }],
  ['in a read-only channel', { is_readonly: true }],
])('%s the composer is replaced by the reason', async (_, more) => {
  server.on(viewGuild, () => guildOf('10', '星海公会', [channelOf('20', '闲聊', more)]))
  showRoom()
  const closed = await box('你没有在该频道发送消息的权限')
  expect(closed.disabled).toBe(true)
  expect(closed.placeholder).toBe('你没有在该频道发送消息的权限')
})

test('an empty room shows its start and an invitation to send', async () => {
  stored = []
  showRoom()
  expect(await screen.findByText('欢迎来到 #闲聊')).toBeTruthy()
  expect(screen.getByText('还没有消息，来说第一句话吧')).toBeTruthy()
})

test.each(['\u200b', '\u2800', '\u00ad', '\ufe0f', '**\u200b**'])(
  'nothing that is seen in %j is not sent',
  async (text) => {
    showRoom()
    await write(text)
    expect((screen.getByRole('button', { name: '发送' }) as HTMLButtonElement).disabled).toBe(true)
    press()
    expect(server.received(sendToChannel)).toEqual([])
  },
)

test('neither whitespace nor more than two thousand characters can be sent', async () => {
  showRoom()
  await write('   \n ')
  press()
  await write('字'.repeat(2001))
  expect(screen.getByText('超出 1 字')).toBeTruthy()
  press()
  expect(server.received(sendToChannel)).toEqual([])
  await write('字'.repeat(1950))
  expect(screen.getByText('还可输入 50 字')).toBeTruthy()
})

test('a sent message is shown at once, once, and the field is empty', async () => {
  showRoom()
  await screen.findByText('八点半')
  await write('我来')
  press()
  expect((await box()).value).toBe('')
  expect(await screen.findByText('我来')).toBeTruthy()
  await waitFor(() => expect(stored).toHaveLength(3))
  act(() => roomStore.receiveMessage(stored[2] as Message))
  expect(screen.getAllByText('我来')).toHaveLength(1)
})

test('a refused message shows the reason, and can be retried or discarded', async () => {
  let refuses = true
  server.on(sendToChannel, ({ content, nonce }) => {
    if (refuses) return fail('message.not_allowed')
    const message = mine(stored.length + 1, sendBody.parse(JSON.parse(content)).content, nonce)
    stored.push(message)
    return { msgId: message.id, msgTimestamp: message.create_at, nonce, message }
  })
  showRoom()
  await write('在吗')
  press()
  expect(await screen.findByText(/^发送失败 · /)).toBeTruthy()
  refuses = false
  fireEvent.click(screen.getByRole('button', { name: '重新发送' }))
  await waitFor(() => expect(stored.map((it) => it.content)).toContain('在吗'))
  expect(screen.queryByText(/发送失败/)).toBeNull()
  expect(new Set(server.received(sendToChannel).map((input) => input.nonce)).size).toBe(1)

  refuses = true
  await write('算了')
  press()
  await screen.findByText(/^发送失败 · /)
  fireEvent.click(screen.getByRole('button', { name: '删除' }))
  expect(screen.queryByText('算了')).toBeNull()
})

test('without a connection messages are shown as queued, and are then sent automatically, once and in order', async () => {
  act(() => roomStore.setConnected(false))
  showRoom()
  await screen.findByText('八点半')
  for (const text of ['一', '二']) {
    await write(text)
    press()
  }
  expect(await screen.findAllByText('等待网络')).toHaveLength(2)
  expect(server.received(sendToChannel)).toEqual([])
  act(() => roomStore.setConnected(true))
  await waitFor(() => expect(stored.slice(2).map((it) => it.content)).toEqual(['一', '二']))
  await waitFor(() => expect(screen.queryByText('等待网络')).toBeNull())
})

test('a send without an answer is retried with the same nonce after a reconnect', async () => {
  let down = true
  server.on(sendToChannel, ({ content, nonce }) => {
    if (down) throw new TypeError('down')
    const message = mine(stored.length + 1, sendBody.parse(JSON.parse(content)).content, nonce)
    stored.push(message)
    return { msgId: message.id, msgTimestamp: message.create_at, nonce, message }
  })
  showRoom()
  await write('在吗')
  press()
  await screen.findByText('等待网络')
  down = false
  act(() => {
    roomStore.setConnected(false)
    roomStore.setConnected(true)
  })
  await waitFor(() => expect(stored.map((it) => it.content)).toContain('在吗'))
  expect(new Set(server.received(sendToChannel).map((input) => input.nonce)).size).toBe(1)
})

test('unsent messages are restored, also when the room was closed in between', async () => {
  act(() => roomStore.setConnected(false))
  showRoom()
  await screen.findByText('八点半')
  await write('还没发出去')
  press()
  await screen.findByText('等待网络')
  cleanup()
  clearUserState()
  showRoom()
  await screen.findByText('还没发出去')
  act(() => roomStore.setConnected(true))
  await waitFor(() => expect(stored.map((it) => it.content)).toContain('还没发出去'))
})

test('a received message appears', async () => {
  showRoom()
  await screen.findByText('八点半')
  act(() => roomStore.receiveMessage(messageLike(3, { content: '等等我' })))
  expect(await screen.findByText('等等我')).toBeTruthy()
})

test('Enter sends on a desktop, but not while an input method composes, nor with Shift, nor on a phone', async () => {
  showRoom()
  await screen.findByText('八点半')
  await write('ni')
  fireEvent.keyDown(await box(), { key: 'Enter', isComposing: true })
  fireEvent.keyDown(await box(), { key: 'Enter', keyCode: 229 })
  fireEvent.keyDown(await box(), { key: 'Enter', shiftKey: true })
  isDesktop = false
  fireEvent.keyDown(await box(), { key: 'Enter' })
  expect(server.received(sendToChannel)).toEqual([])
  isDesktop = true
  fireEvent.keyDown(await box(), { key: 'Enter' })
  await waitFor(() => expect(server.received(sendToChannel)).toHaveLength(1))
})

test('the arrow up edits the last own message, and none while the last one is still on its way', async () => {
  stored = [mine(1, '早上说的', 'a')]
  showRoom()
  await screen.findByText('早上说的')
  const edited = async () => {
    fireEvent.keyDown(await box(), { key: 'ArrowUp' })
    return screen.queryByRole('textbox', { name: '编辑消息' }) as HTMLTextAreaElement | null
  }
  await expect.poll(async () => (await edited())?.value).toBe('早上说的')
  fireEvent.keyDown((await edited())!, { key: 'Escape' })
  act(() => roomStore.setConnected(false))
  await write('刚写的')
  press()
  await screen.findByText('等待网络')
  expect(await edited()).toBeNull()
})

test('a draft is restored', async () => {
  showRoom()
  await write('写到一半')
  cleanup()
  showRoom()
  expect((await box()).value).toBe('写到一半')
})

test('mentions show names, one of the reader is highlighted, and markup stays text', async () => {
  stored = [
    messageLike(1, {
      content: '(met)7(met) (met)99(met) (rol)5(rol) (chn)20(chn) (chn)21(chn) (met)all(met)',
      mention: ['7' as never],
      kmarkdown: {
        ...messageLike(1).kmarkdown,
        mention_part: [{ id: '7' as never, username: '小满', full_name: '小满#0007', avatar: '' }],
      },
    }),
    messageLike(2, { content: '<img src=x onerror=alert(1)> [坏](javascript:alert(1))' }),
    messageLike(3, { type: 77, content: '?' }),
  ]
  showRoom()
  expect((await screen.findByText('@小满')).dataset.own).toBe('true')
  for (const text of ['用户不存在', '@已删除角色', '#闲聊', '#频道已删除', '@全体成员'])
    expect(screen.getByText(text)).toBeTruthy()
  expect(screen.getByText('@小满').closest('article')?.dataset.mentioned).toBe('true')
  expect(screen.getByText(/<img src=x onerror/)).toBeTruthy()
  expect(document.querySelector('[data-part=message-rows] a:not([data-part=mention])')).toBeNull()
  expect(screen.getByText('未知消息类型')).toBeTruthy()
})

const opened = async (text: string) => {
  const row = (await screen.findByText(text)).closest('article') as HTMLElement
  fireEvent.contextMenu(row)
  return screen.findByRole('dialog')
}

test('the menu offers what the reader may do: others’ messages can be copied, own ones edited and deleted too', async () => {
  stored = [messageLike(1, { content: '别人的' }), mine(2, '我的', 'n')]
  showRoom()
  const names = () =>
    screen.getAllByRole('button', { name: /^(复制|编辑|置顶|删除)$/ }).map((it) => it.textContent)
  await opened('别人的')
  expect(names()).toEqual(['复制'])
  fireEvent.click(screen.getByRole('button', { name: '关闭' }))
  await opened('我的')
  expect(names()).toEqual(['复制', '编辑', '删除'])
})

test('moderators pin and delete others’ messages, after a confirmation', async () => {
  server.on(viewGuild, () =>
    guildOf('10', '星海公会', [channelOf('20', '闲聊', { permissions: 2 ** 28 - 1 })]),
  )
  server.on(pinMessage, () => ({ revision: 1 }))
  server.on(deleteMessage, () => ({}))
  showRoom()
  await opened('八点半')
  fireEvent.click(screen.getByRole('button', { name: '置顶' }))
  expect(await screen.findByText('已置顶')).toBeTruthy()
  await opened('八点半')
  fireEvent.click(screen.getByRole('button', { name: '删除' }))
  expect(await screen.findByText('确定要删除这条消息吗？')).toBeTruthy()
  expect(server.received(deleteMessage)).toEqual([])
  fireEvent.click(screen.getByRole('button', { name: '删除' }))
  await waitFor(() => expect(screen.queryByText('八点半')).toBeNull())
  expect(server.received(deleteMessage)).toHaveLength(1)
})

test('a reaction is shown at the tap, and taken back with a reason when it is refused', async () => {
  server.on(viewGuild, () =>
    guildOf('10', '星海公会', [channelOf('20', '闲聊', { permissions: 2 ** 28 - 1 })]),
  )
  let answer: (refusal: boolean) => void = () => undefined
  server.on(
    addReaction,
    () =>
      new Promise((resolve, reject) => {
        answer = (isRefused) => (isRefused ? reject(new TypeError('down')) : resolve({ revision: 1 }))
      }),
  )
  server.on(deleteReaction, () => ({ revision: 2 }))
  showRoom()
  const thumb = async () => {
    await opened('八点半')
    fireEvent.click(screen.getByRole('button', { name: '👍' }))
    return screen.findByRole('button', { name: '👍 1 人' })
  }
  expect((await thumb()).getAttribute('aria-pressed')).toBe('true')
  await waitFor(() => expect(server.received(addReaction)).toHaveLength(1))
  answer(true)
  await waitFor(() => expect(screen.queryByRole('button', { name: '👍 1 人' })).toBeNull())
  await thumb()
  await waitFor(() => expect(server.received(addReaction)).toHaveLength(2))
  answer(false)
  fireEvent.click(await screen.findByRole('button', { name: '👍 1 人' }))
  await waitFor(() => expect(screen.queryByRole('button', { name: '👍 1 人' })).toBeNull())
  await waitFor(() => expect(server.received(deleteReaction)).toHaveLength(1))
})

test('an own message is edited in place and marked as edited', async () => {
  stored = [mine(1, '旧的', 'n')]
  server.on(updateMessage, () => ({ revision: 1 }))
  showRoom()
  await opened('旧的')
  fireEvent.click(screen.getByRole('button', { name: '编辑' }))
  const edited = await screen.findByRole('textbox', { name: '编辑消息' })
  fill(edited, { value: '\u200b' })
  expect((screen.getByRole('button', { name: '保存' }) as HTMLButtonElement).disabled).toBe(true)
  fill(edited, { value: '新的' })
  fireEvent.click(screen.getByRole('button', { name: '保存' }))
  expect(await screen.findByText('新的')).toBeTruthy()
  expect(screen.getByText('（已编辑）')).toBeTruthy()
  expect(server.received(updateMessage)).toMatchObject([{ content: '新的' }])
})

test('a line marks the first new message, and the read mark moves to the newest seen', async () => {
  const waits = { channel_id: '20' as never, guild_id: '10' as never, last_seq: 2, mention_count: 0 }
  server.on(listUnread, () => [{ ...waits, read_seq: 1, unread_count: 1 }])
  showRoom()
  const line = await screen.findByText('以下为新消息')
  const [first, second] = [screen.getByText('晚上几点开'), screen.getByText('八点半')]
  expect(first.compareDocumentPosition(line) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy()
  expect(line.compareDocumentPosition(second) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy()
  await waitFor(() => expect(server.received(clearUnread)).toMatchObject([{ msgid: stored[1]?.id }]))
})

test('in a room that was never read the line stands above the first message since joining', async () => {
  const waits = { channel_id: '20' as never, guild_id: '10' as never, last_seq: 2, mention_count: 0 }
  server.on(listUnread, () => [{ ...waits, read_seq: 0, unread_count: 2 }])
  showRoom()
  const line = await screen.findByText('以下为新消息')
  const first = screen.getByText('晚上几点开')
  expect(line.compareDocumentPosition(first) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy()
})

test('the board of all emoji takes the focus of the button that opened it', async () => {
  server.on(viewChannel, () => channelOf('20', '闲聊', { permissions: 2 ** 28 - 1 }))
  showRoom()
  await opened('八点半')
  const more = screen.getByRole('button', { name: '更多表情' })
  more.focus()
  fireEvent.click(more)
  const sheet = await screen.findByRole('dialog', { name: '表情回应' })
  expect(sheet.contains(document.activeElement)).toBe(true)
  expect(document.activeElement).not.toBe(sheet.parentElement)
})

test('a draft that the browser has no space for is said to be lost, once, and stays in the field', async () => {
  showRoom()
  await box()
  const setItem = () => {
    throw new DOMException('full', 'QuotaExceededError')
  }
  vi.stubGlobal('localStorage', { getItem: () => null, removeItem: () => undefined, setItem })
  await write('晚上')
  expect(await screen.findByText('浏览器空间不足，草稿不会保存')).toBeTruthy()
  await write('晚上见')
  expect(screen.getAllByText('浏览器空间不足，草稿不会保存')).toHaveLength(1)
  expect((await box()).value).toBe('晚上见')
  await write('')
})

describe('several messages', () => {
  const marks = () => screen.findAllByRole('checkbox')
  const choose = async (content: string) => {
    await opened(content)
    fireEvent.click(screen.getByRole('button', { name: '多选' }))
    expect(await screen.findByText('已选择 1 条')).toBeTruthy()
  }
  const three = () => {
    stored = [mine(1, '一', 'a'), mine(2, '二', 'b'), mine(3, '三', 'c')]
    showRoom()
  }

  test('of others are not deleted without the right, but copied, with their names', async () => {
    const copied: string[] = []
    vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(async (text) => void copied.push(text))
    stored.push(mine(3, '我也来', 'c'))
    showRoom()
    await choose('八点半')
    fireEvent.click((await marks()).at(-1)!)
    expect(screen.getByText('已选择 2 条')).toBeTruthy()
    expect(screen.queryByRole('button', { name: '删除' })).toBeNull()
    fireEvent.click(screen.getByRole('button', { name: '复制文字' }))
    await expect.poll(() => copied).toEqual(['Ann：message 2\nAnn：message 3'])
  })

  test('are reported together when none of them is one’s own', async () => {
    const reported: ReportTarget[] = []
    onReport((target) => void reported.push(target))
    stored.push(mine(3, '我写的', 'c'))
    showRoom()
    await choose('八点半')
    fireEvent.click(screen.getByRole('button', { name: '举报' }))
    expect(reported.map(({ ids }) => ids)).toEqual([[stored[1]!.id]])
    fireEvent.click((await marks()).at(-1)!)
    expect(screen.queryByRole('button', { name: '举报' })).toBeNull()
  })

  test('are deleted one after another after one question; what is refused stays chosen, and is counted', async () => {
    server.on(deleteMessage, ({ msg_id }) => (msg_id === stored[1]!.id ? fail('message.no_right') : {}))
    three()
    await choose('一')
    fireEvent.click((await marks()).at(-1)!, { shiftKey: true })
    expect(screen.getByText('已选择 3 条')).toBeTruthy()
    fireEvent.click(screen.getByRole('button', { name: '删除' }))
    expect(server.received(deleteMessage)).toEqual([])
    const asked = screen.getByRole('alertdialog', { name: '确定要删除这 3 条消息吗？' })
    fireEvent.click(within(asked).getByRole('button', { name: '删除' }))
    expect(await screen.findByText(/^1 条消息没有删除：/)).toBeTruthy()
    expect(server.received(deleteMessage).map(({ msg_id }) => msg_id)).toEqual(stored.map(({ id }) => id))
    expect(await screen.findByText('已选择 1 条')).toBeTruthy()
  })

  test('are chosen by Shift and the arrows, and Escape leaves', async () => {
    three()
    await screen.findByText('三')
    const [, , last] = document.querySelectorAll<HTMLElement>('[data-part=message]')
    last!.focus()
    await expect
      .poll(() => {
        fireEvent.keyDown(last!, { key: 'ArrowUp', shiftKey: true })
        return screen.queryByText('已选择 2 条')
      })
      .toBeTruthy()
    fireEvent.keyDown(last!, { key: 'Escape' })
    await expect.poll(() => screen.queryByText('已选择 2 条')).toBeNull()
    expect(screen.queryByRole('checkbox')).toBeNull()
  })
})
