import { viewChannel, viewGuild } from '@guildhall/wire/channel/channel.ts'
import { listGuildEmoji } from '@guildhall/wire/emoji/emoji.ts'
import { fail } from '@guildhall/wire/failure.ts'
import { updateMessage } from '@guildhall/wire/message/action.ts'
import { type Callable, findCallable } from '@guildhall/wire/message/mention.ts'
import { history, type Message, sendBody, sendToChannel } from '@guildhall/wire/message/message.ts'
import { clearUnread, listUnread } from '@guildhall/wire/message/readMark.ts'
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { clearUserState, roomStore } from '../../app/composition.ts'
import { recentEmoji } from '../../emoji/recentEmoji.ts'
import { writeStored } from '../../kit/browser/storage.ts'
import { setLocale } from '../../kit/i18n.ts'
import { cache } from '../../kit/routeQuery.ts'
import { fakeServer } from '../../testing/fakeServer.ts'
import { channelOf, guildOf } from '../../testing/fixtures.ts'
import { fill } from '../../testing/hands.ts'
import { callableLike, messageLike } from '../../testing/messages.ts'
import { showRoom } from '../../testing/showRoom.tsx'

let server: ReturnType<typeof fakeServer>
let members: Callable[]
let stored: Message[]
let logins = 0
const field = () => screen.findByRole('textbox', { name: '发送消息到 #闲聊' }) as Promise<HTMLTextAreaElement>
/** Types at the end, as a keyboard does. */
const type = async (text: string) => {
  const box = await field()
  box.focus()
  fill(box, { value: text, selectionEnd: text.length, selectionStart: text.length })
  return box
}
const options = () => screen.queryAllByRole('option').map((row) => row.textContent)
const key = (box: HTMLElement, name: string, more = {}) => fireEvent.keyDown(box, { key: name, ...more })

beforeEach(() => {
  localStorage.clear()
  // Search answers are cached per login.
  logins += 1
  writeStored('authorization', `tok${logins}`)
  setLocale('zh-CN')
  cache.clear()
  clearUserState()
  roomStore.setConnected(true)
  vi.stubGlobal('matchMedia', () => ({ matches: true }))
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(600)
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(390)
  server = fakeServer()
  members = [callableLike('8', '小满', 'xiao man'), callableLike('9', '小美', 'xiao mei')]
  stored = [messageLike(1)]
  server.on(viewGuild, () => ({
    ...guildOf('10', '星海公会', [channelOf('20', '闲聊'), channelOf('21', '夜宵')]),
    spellings: [{ name: '夜宵', spelling: 'ye xiao' }],
  }))
  server.on(viewChannel, () => channelOf('20', '闲聊'))
  server.on(history, () => stored)
  server.on(listUnread, () => [])
  server.on(clearUnread, ({ channel_id }) => ({
    channel_id,
    guild_id: '10' as never,
    read_seq: 1,
    last_seq: 1,
    unread_count: 0,
    mention_count: 0,
  }))
  server.on(findCallable, ({ search }) => ({
    items: members.filter(({ nickname }) => search === '' || nickname.includes('小')),
  }))
  server.on(sendToChannel, ({ content, nonce }) => {
    const said = sendBody.parse(JSON.parse(content)).content
    const message = messageLike(stored.length + 1, {
      content: said,
      nonce,
      author: { ...messageLike(1).author, id: '7' as never },
    })
    stored.push(message)
    return { msgId: message.id, msgTimestamp: message.create_at, nonce, message }
  })
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})
const sent = () =>
  server.received(sendToChannel).map(({ content }) => sendBody.parse(JSON.parse(content)).content)

test('a refused search shows an error and a retry; Enter then sends the typed text', async () => {
  let down = true
  server.on(findCallable, () => (down ? fail('too_many') : { items: members }))
  showRoom()
  const box = await type('@x')
  expect(await screen.findByText('搜索失败')).toBeTruthy()
  down = false
  fireEvent.click(screen.getByRole('button', { name: '重试' }))
  await waitFor(() => expect(options()).toHaveLength(2))
  down = true
  await type('@q')
  expect(await screen.findByText('搜索失败')).toBeTruthy()
  key(box, 'Enter')
  await waitFor(() => expect(sent()).toEqual(['@q']))
})

test('a search without results shows an empty state and picks nothing', async () => {
  server.on(findCallable, () => ({ items: [] }))
  showRoom()
  const box = await type('@nobody')
  expect((await screen.findAllByText('没有找到')).length).toBeGreaterThan(0)
  key(box, 'Enter')
  await waitFor(() => expect(sent()).toEqual(['@nobody']))
})

test('Enter neither picks nor sends while an input method composes', async () => {
  showRoom()
  const box = await type('@xm')
  await waitFor(() => expect(options().length).toBe(2))
  key(box, 'Enter', { isComposing: true })
  key(box, 'Enter', { keyCode: 229 })
  expect(box.value).toBe('@xm')
  expect(sent()).toEqual([])
})

test('Enter sends nothing while the first answer is pending', async () => {
  let answer: (it: { items: Callable[] }) => void = () => undefined
  server.on(
    findCallable,
    () =>
      new Promise((resolve) => {
        answer = resolve
      }),
  )
  showRoom()
  const box = await type('@x')
  await waitFor(() => expect(screen.getByRole('listbox').getAttribute('aria-busy')).toBe('true'))
  await waitFor(() => expect(server.received(findCallable).length).toBe(1))
  key(box, 'Enter')
  expect(sent()).toEqual([])
  answer({ items: members })
  await waitFor(() => expect(options()).toHaveLength(2))
})

test('a member picked with the keyboard is shown by name and sent as a mention', async () => {
  showRoom()
  const box = await type('你好 @xm')
  await waitFor(() => expect(options()).toHaveLength(2))
  const first = screen.getAllByRole('option')[0]
  await waitFor(() => expect(box.getAttribute('aria-activedescendant')).toBe(first?.id))
  expect(box.getAttribute('aria-controls')).toBe(screen.getByRole('listbox').id)
  key(box, 'ArrowDown')
  await waitFor(() => expect(box.getAttribute('aria-activedescendant')).not.toBe(first?.id))
  key(box, 'ArrowUp')
  key(box, 'ArrowUp')
  key(box, 'Tab')
  await waitFor(() => expect(box.value).toBe('你好 @小美 '))
  expect(options()).toEqual([])
  key(box, 'Enter')
  await waitFor(() => expect(sent()).toEqual(['你好 (met)9(met)']))
  expect(box.value).toBe('')
})

test('Escape closes the list until the next sign is typed', async () => {
  showRoom()
  const box = await type('@x')
  await waitFor(() => expect(options()).toHaveLength(2))
  key(box, 'Escape')
  await waitFor(() => expect(options()).toEqual([]))
  await type('@xi')
  expect(options()).toEqual([])
  await type('@xi @x')
  await waitFor(() => expect(options()).toHaveLength(2))
})

test('a tap picks a member; typing into the name makes it plain text', async () => {
  showRoom()
  await type('@x')
  await waitFor(() => expect(options()).toHaveLength(2))
  fireEvent.click(screen.getAllByRole('option')[0]!)
  const box = await field()
  await waitFor(() => expect(box.value).toBe('@小满 '))
  fill(box, { value: '@小 ', selectionStart: 2, selectionEnd: 2 })
  key(box, 'Escape')
  key(box, 'Enter')
  await waitFor(() => expect(sent()).toEqual(['@小']))
})

test('channels are found without a call, also by pinyin', async () => {
  showRoom()
  const box = await type('看 #yx')
  await waitFor(() => expect(options()).toEqual(['夜宵']))
  expect(server.received(findCallable)).toEqual([])
  key(box, 'Enter')
  await waitFor(() => expect(box.value).toBe('看 #夜宵 '))
  key(box, 'Enter')
  await waitFor(() => expect(sent()).toEqual(['看 (chn)21(chn)']))
})

test('a stored draft keeps its mentions', async () => {
  const first = showRoom()
  await type('@x')
  await waitFor(() => expect(options()).toHaveLength(2))
  fireEvent.click(screen.getAllByRole('option')[0]!)
  await waitFor(async () => expect((await field()).value).toBe('@小满 '))
  first.unmount()
  showRoom()
  const box = await field()
  expect(box.value).toBe('@小满 ')
  key(box, 'Enter')
  await waitFor(() => expect(sent()).toEqual(['(met)8(met)']))
})

test('a queued message shows mentions by name', async () => {
  server.on(sendToChannel, () => new Promise(() => undefined))
  showRoom()
  const box = await type('@x')
  await waitFor(() => expect(options()).toHaveLength(2))
  key(box, 'Enter')
  await waitFor(() => expect(box.value).toBe('@小满 '))
  key(box, 'Enter')
  expect(await screen.findByText('@小满', { selector: '[data-part=mention]' })).toBeTruthy()
})

test('a member with a nickname is shown by it in the draft and in the send queue', async () => {
  members = [{ ...callableLike('8', '小满', 'xiao man'), nickname: '小船' }]
  server.on(sendToChannel, () => new Promise(() => undefined))
  showRoom()
  const box = await type('@x')
  await waitFor(() => expect(options()).toHaveLength(1))
  key(box, 'Enter')
  await waitFor(() => expect(box.value).toBe('@小船 '))
  key(box, 'Enter')
  expect(await screen.findByText('@小船', { selector: '[data-part=mention]' })).toBeTruthy()
})

test('an edited message shows names and keeps its mentions', async () => {
  stored = [
    messageLike(1, {
      content: '(met)8(met) 在吗',
      author: { ...messageLike(1).author, id: '7' as never },
      kmarkdown: {
        ...messageLike(1).kmarkdown,
        mention_part: [
          { id: '8' as never, username: '小满', full_name: '小满#0008', avatar: '', nickname: '夜航船' },
        ],
      },
    }),
  ]
  server.on(updateMessage, () => fail('forbidden'))
  showRoom()
  fireEvent.click(await screen.findByRole('button', { name: 'Ann 的消息：更多操作' }))
  expect(screen.getByText('@夜航船', { selector: '[data-part=mention]' })).toBeTruthy()
  fireEvent.click(await screen.findByRole('button', { name: '编辑' }))
  const box = (await screen.findByRole('textbox', { name: '编辑消息' })) as HTMLTextAreaElement
  expect(box.value).toBe('@夜航船 在吗')
  box.focus()
  fill(box, { value: '@夜航船 在吗 @x', selectionStart: 10, selectionEnd: 10 })
  await waitFor(() => expect(options()).toHaveLength(2))
  // The first Escape closes the list, the next one the field.
  key(box, 'Escape')
  await waitFor(() => expect(options()).toEqual([]))
  expect(box.isConnected).toBe(true)
  fill(box, { value: '@夜航船 在不在', selectionStart: 8, selectionEnd: 8 })
  fireEvent.click(screen.getByRole('button', { name: '保存' }))
  await waitFor(() =>
    expect(server.received(updateMessage).map(({ content }) => content)).toEqual(['(met)8(met) 在不在']),
  )
})

const emojiOf = (hash: string, name: string) => ({
  id: `10/${hash}`,
  name,
  emoji_type: 1,
  uses: 0,
  user_info: { ...messageLike(1).author, vip_avatar: '' } as never,
})
const listed = (...items: ReturnType<typeof emojiOf>[]) => ({
  items,
  meta: { page: 1, page_total: 1, page_size: 100, total: items.length },
  sort: {},
})

test('where no emoji has such a name Enter sends what is written', async () => {
  server.on(listGuildEmoji, () => listed())
  showRoom()
  const box = await type(':没有这个')
  await waitFor(() => expect(server.received(listGuildEmoji).length).toBeGreaterThan(0))
  key(box, 'Enter')
  await waitFor(() => expect(sent()).toEqual([':没有这个']))
})

test('an emoji is picked by its name in either language, or by its shortcode, and those of the guild first', async () => {
  server.on(listGuildEmoji, () => listed(emojiOf('a', '开心')))
  showRoom()
  const box = await type('走 :开心')
  await expect.poll(() => options()[0], { timeout: 5_000 }).toContain('开心')
  key(box, 'Enter')
  await waitFor(() => expect(box.value).toBe('走 :开心:'))
  expect(options()).toEqual([])
  await type('走 :rocket')
  await expect.poll(options).toContain('🚀火箭')
  await type('走 :火箭')
  await expect.poll(options).toContain('🚀火箭')
  key(box, 'Tab')
  await waitFor(() => expect(box.value).toBe('走 🚀'))
  key(box, 'Enter')
  await waitFor(() => expect(sent()).toEqual(['走 🚀']))
  expect(recentEmoji()[0]?.name).toBe('🚀')
})
