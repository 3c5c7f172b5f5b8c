import { viewChannel, viewGuild } from '@guildhall/wire/channel/channel.ts'
import { fail } from '@guildhall/wire/failure.ts'
import { viewUser } from '@guildhall/wire/guild/guild.ts'
import { history, type Message } from '@guildhall/wire/message/message.ts'
import { listReactions } from '@guildhall/wire/message/reactors.ts'
import { clearUnread, listUnread } from '@guildhall/wire/message/readMark.ts'
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { clearUserState, roomStore } from '../app/composition.ts'
import { setLocale } from '../kit/i18n.ts'
import { cache } from '../kit/routeQuery.ts'
import { fakeServer } from '../testing/fakeServer.ts'
import { channelOf, guildOf } from '../testing/fixtures.ts'
import { fill } from '../testing/hands.ts'
import { messageLike } from '../testing/messages.ts'
import { showRoom } from '../testing/showRoom.tsx'

let server: ReturnType<typeof fakeServer>
let stored: Message[]
const role = {
  role_id: 4,
  name: '管理员',
  color: 0x1f66d0,
  position: 1,
  hoist: 0,
  mentionable: 0,
  permissions: 0,
}
const guild = {
  ...guildOf('10', '星海公会', [
    channelOf('20', '闲聊'),
    channelOf('21', '夜宵'),
    channelOf('22', '语音', { type: 2 }),
  ]),
  roles: [role as never],
}
const thumb = { id: '[#128077;]', name: '👍' }
const li = { id: '9' as never, username: 'li', full_name: 'li#0009', avatar: '', nickname: '阿黎' }
const mentioning = { ...messageLike(1).kmarkdown, mention_part: [li] }
const hold = (element: Element) => {
  fireEvent.pointerDown(element, { pointerType: 'touch', clientX: 10, clientY: 10 })
  fireEvent.contextMenu(element)
}
/** A tap after the finger was lifted. */
const tap = (element: Element) => {
  fireEvent.pointerUp(element)
  fireEvent.pointerDown(element, { pointerType: 'touch' })
  fireEvent.pointerUp(element)
  fireEvent.click(element)
}
const person = { ...messageLike(1).author, joined_at: 1_790_000_000_000, is_master: false }

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
  HTMLElement.prototype.scrollTo = () => undefined
  server = fakeServer()
  server.on(viewGuild, () => guild)
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
  server.on(history, () => stored)
  server.on(viewUser, ({ user_id }) =>
    user_id === '9'
      ? {
          ...person,
          id: '9' as never,
          username: 'li',
          nickname: '阿黎',
          identify_num: '0009',
          roles: [4 as never],
        }
      : person,
  )
  stored = [messageLike(1)]
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

test.each([
  ['a link', { content: 'https://example.com/a' }, () => screen.getByRole('link')],
  ['a picture', { type: 2, content: '/p.png' }, () => document.querySelector('[data-part=picture] img')!],
  ['a file', { type: 3, content: '/f.pdf' }, () => document.querySelector('[data-part=file]')!],
  ['a mention', { content: '(met)9(met)', kmarkdown: mentioning }, () => screen.getByText('@阿黎')],
] as const)(
  'holding %s opens the menu of its message, and a tap after it does nothing',
  async (_, more, find) => {
    stored = [messageLike(1, more as Partial<Message>)]
    showRoom()
    await waitFor(() => expect(document.querySelector('[data-part=message]')).toBeTruthy())
    const element = find()
    hold(element)
    expect(await screen.findByRole('dialog', { name: 'Ann 的消息' })).toBeTruthy()
    const isFollowed = fireEvent.click(element)
    expect(isFollowed).toBe(false)
    expect(screen.getAllByRole('dialog')).toHaveLength(1)
    fireEvent.pointerUp(element)
  },
)

const rightClick = (element: Element, more = {}) => {
  fireEvent.pointerDown(element, { pointerType: 'mouse', button: 2 })
  return fireEvent.contextMenu(element, more)
}

test('the browser’s menu stays with Shift, on text that is selected, and in a field', async () => {
  stored = [messageLike(1, { content: 'https://example.com/a' })]
  showRoom()
  const link = await screen.findByRole('link')
  expect(rightClick(link, { shiftKey: true })).toBe(true)
  getSelection()!.selectAllChildren(link)
  expect(rightClick(link)).toBe(true)
  getSelection()!.removeAllRanges()
  const written = await screen.findByRole('textbox', { name: '发送消息到 #闲聊' })
  expect(rightClick(written)).toBe(true)
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('the right button on a link offers to open and to copy its own address, beside what a message offers', async () => {
  const copied: string[] = []
  vi.stubGlobal('navigator', {
    userAgent: '',
    clipboard: { writeText: async (text: string) => void copied.push(text) },
  })
  stored = [messageLike(1, { content: 'https://example.com/a' })]
  showRoom()
  expect(rightClick(await screen.findByRole('link'))).toBe(false)
  const menu = await screen.findByRole('dialog', { name: 'Ann 的消息' })
  expect(within(menu).getByRole('button', { name: '打开链接' })).toBeTruthy()
  expect(within(menu).getByRole('button', { name: '回复' })).toBeTruthy()
  expect(within(menu).queryByRole('button', { name: '保存图片' })).toBeNull()
  fireEvent.click(within(menu).getByRole('button', { name: '复制链接' }))
  await expect.poll(() => copied).toEqual(['https://example.com/a'])
})

test('a picture offers to be saved, unless it is of another site', async () => {
  stored = [
    messageLike(1, { type: 2, content: '/p.png' }),
    messageLike(2, { type: 2, content: 'https://else.where/p.png' }),
  ]
  showRoom()
  await expect.poll(() => document.querySelectorAll('[data-part=picture] img')).toHaveLength(2)
  const [own, foreign] = document.querySelectorAll('[data-part=picture] img')
  rightClick(foreign!)
  await screen.findByRole('button', { name: '回复' })
  expect(screen.queryByRole('button', { name: '保存图片' })).toBeNull()
  fireEvent.keyDown(screen.getByRole('dialog'), { key: 'Escape' })
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull()
  const saved: string[] = []
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(`${this.pathname} as ${this.download}`)
  })
  rightClick(own!)
  fireEvent.click(await screen.findByRole('button', { name: '保存图片' }))
  expect(saved).toEqual(['/p.png as p.png'])
})

test('holding the picture or the name of an author, or the right button on it, opens their card', async () => {
  showRoom()
  const picture = await screen.findByText('message 1').then(() => document.querySelector('[data-part=face]')!)
  hold(picture)
  expect(await screen.findByRole('dialog', { name: '成员资料' })).toBeTruthy()
  fireEvent.keyDown(screen.getByRole('dialog'), { key: 'Escape' })
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull()
  rightClick(document.querySelector('[data-part=author]')!)
  expect(await screen.findByRole('dialog', { name: '成员资料' })).toBeTruthy()
})

test('holding a reaction shows who reacted, by emoji; one of them leads to their card', async () => {
  const party = { id: '[#127881;]', name: '🎉' }
  stored = [
    messageLike(1, {
      reactions: [
        { emoji: thumb, count: 2, me: false },
        { emoji: party, count: 1, me: false },
      ],
    }),
  ]
  server.on(listReactions, ({ emoji }) =>
    (emoji === thumb.id ? ['9', '8'] : ['8']).map((id) => ({
      ...person,
      id: id as never,
      username: id,
      nickname: `人${id}`,
      reaction_time: 1,
    })),
  )
  showRoom()
  hold(await screen.findByRole('button', { name: '👍 2 人' }))
  const sheet = await screen.findByRole('dialog', { name: '表情回应' })
  expect(await within(sheet).findByText('人9')).toBeTruthy()
  expect(within(sheet).getByText('人8')).toBeTruthy()
  tap(within(sheet).getByRole('button', { name: '🎉 1 人' }))
  await waitFor(() => expect(within(sheet).queryByText('人9')).toBeNull())
  tap(await within(sheet).findByText('人8'))
  expect(await screen.findByRole('dialog', { name: '成员资料' })).toBeTruthy()
  expect(screen.queryByRole('dialog', { name: '表情回应' })).toBeNull()
})

test('who reacted is in the menu of the message too', async () => {
  stored = [messageLike(1, { reactions: [{ emoji: thumb, count: 1, me: false }] })]
  server.on(listReactions, () => fail('message.unknown'))
  showRoom()
  fireEvent.contextMenu(await screen.findByText('message 1'))
  fireEvent.click(screen.getByRole('button', { name: '查看表情回应' }))
  expect(await screen.findByText('加载失败')).toBeTruthy()
})

test('a mentioned person opens their card, with number and roles; their mention goes into the draft', async () => {
  stored = [messageLike(1, { content: '(met)9(met) 来吗', kmarkdown: mentioning })]
  showRoom()
  fill(await screen.findByRole('textbox', { name: '发送消息到 #闲聊' }), { value: '问问' })
  fireEvent.click(screen.getByRole('button', { name: '@阿黎' }))
  const card = await screen.findByRole('dialog', { name: '成员资料' })
  expect(within(card).getByText('阿黎')).toBeTruthy()
  expect(within(card).getByText('li#0009')).toBeTruthy()
  expect(await within(card).findByText('管理员')).toBeTruthy()
  fireEvent.click(within(card).getByRole('button', { name: '提及' }))
  const box = (await screen.findByRole('textbox', { name: '发送消息到 #闲聊' })) as HTMLTextAreaElement
  expect(box.value).toBe('问问 @阿黎 ')
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('the name of an author opens their card; one who has left says so', async () => {
  server.on(viewUser, () => fail('user.unknown'))
  showRoom()
  fireEvent.click(await screen.findByRole('button', { name: 'Ann' }))
  const card = await screen.findByRole('dialog', { name: '成员资料' })
  expect(within(card).getByText('ann#0001')).toBeTruthy()
  expect(await within(card).findByText('已不在公会中')).toBeTruthy()
  expect(within(card).queryByRole('button', { name: '提及' })).toBeNull()
})

test('a mentioned text channel is a way there; a voice channel and a deleted one are text', async () => {
  stored = [messageLike(1, { content: '(chn)21(chn) (chn)22(chn) (chn)99(chn)' })]
  showRoom()
  const link = await screen.findByRole('link', { name: '#夜宵' })
  expect(screen.getAllByRole('link')).toHaveLength(1)
  fireEvent.click(link)
  await screen.findByRole('textbox', { name: '发送消息到 #夜宵' })
})

test('inside a link a mention is part of the link', async () => {
  stored = [messageLike(1, { content: '[给 (met)9(met)](https://example.com/a)', kmarkdown: mentioning })]
  showRoom()
  expect((await screen.findByText('@阿黎')).tagName).toBe('SPAN')
})
