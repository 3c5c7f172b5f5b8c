import { listGuildEmoji } from '@guildhall/wire/emoji/emoji.ts'
import { fail } from '@guildhall/wire/failure.ts'
import { indexGuilds, toPublicGuild } from '@guildhall/wire/guild/publicGuild.ts'
import { emojiId } from '@guildhall/wire/message/emoji.ts'
import type { Emoji } from '@guildhall/wire/message/message.ts'
import { act, cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { setLocale } from '../kit/i18n.ts'
import { cache } from '../kit/routeQuery.ts'
import { fakeServer } from '../testing/fakeServer.ts'
import { guildOf, sessionOf } from '../testing/fixtures.ts'
import { fill } from '../testing/hands.ts'
import { renderAt } from '../testing/renderAt.tsx'
import { EmojiBoard } from './emoji.tsx'
import { addRecentEmoji, RECENT_MAX, recentEmoji } from './recentEmoji.ts'

let server: ReturnType<typeof fakeServer>
let picked: Emoji[]
let isClosed: boolean
const own = (hash: string, name: string) => ({
  id: `10/${hash}`,
  name,
  emoji_type: 1,
  uses: 0,
  user_info: {
    id: '7' as never,
    username: '小满',
    identify_num: '0007',
    avatar: '',
    vip_avatar: '',
    is_vip: false,
    bot: false,
    online: true,
    status: 0,
  },
})
const listed = (items: ReturnType<typeof own>[]) => ({
  items,
  meta: { page: 1, page_total: 1, page_size: 100, total: items.length },
  sort: {},
})

beforeEach(() => {
  localStorage.clear()
  setLocale('zh-CN')
  cache.clear()
  picked = []
  isClosed = false
  // The grid draws the rows that fit on the screen, and the test environment has no layout.
  for (const side of ['clientHeight', 'offsetHeight'] as const)
    vi.spyOn(HTMLElement.prototype, side, 'get').mockReturnValue(300)
  for (const side of ['clientWidth', 'offsetWidth'] as const)
    vi.spyOn(HTMLElement.prototype, side, 'get').mockReturnValue(390)
  server = fakeServer()
  server.on(listGuildEmoji, () => listed([own('a', '加油'), own('b', '开饭')]))
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

const show = (is_vip = false) =>
  renderAt(
    '/x',
    '/x',
    <EmojiBoard
      guildId={'10' as never}
      guildName="星海公会"
      onPick={(it) => picked.push(it)}
      onErase={() => undefined}
      onClose={() => {
        isClosed = true
      }}
    />,
    sessionOf({ is_vip }).user,
  )
const field = () => screen.findByRole('searchbox', { name: '搜索表情' })
const cell = (name: string) => screen.findByRole('gridcell', { name })
const search = async (text: string) => fill(await field(), { value: text })
const titles = () => screen.getAllByRole('rowheader').map((it) => it.textContent)

describe('a failed or empty load', () => {
  test('custom emoji that fail to load show an error, and Unicode emoji are still shown', async () => {
    server.on(listGuildEmoji, () => fail('internal'))
    show()
    expect((await screen.findByRole('alert')).textContent).toContain('公会表情加载失败')
    expect(await cell('嘿嘿')).toBeTruthy()
    server.on(listGuildEmoji, () => listed([own('a', '加油')]))
    fireEvent.click(screen.getByRole('button', { name: '重试' }))
    expect(await cell('加油')).toBeTruthy()
    expect(screen.queryByRole('alert')).toBeNull()
  })

  test('a search without results shows an empty state; clearing it shows all emoji', async () => {
    show()
    await search('没有这样的表情')
    expect(await screen.findByText('没有找到相关表情')).toBeTruthy()
    fireEvent.click(screen.getByRole('button', { name: '清空' }))
    expect(await cell('嘿嘿')).toBeTruthy()
    expect(document.activeElement).toBe(await field())
  })

  test('invalid entries among the recent emoji are ignored', () => {
    for (const broken of ['{', '7', '{"a":1}', '[null,1,{"id":1},{"id":"x"}]']) {
      localStorage.setItem('recent_emoji', broken)
      expect(recentEmoji()).toEqual([])
    }
  })
})

test('custom emoji are listed before Unicode emoji and picked with their id', async () => {
  show()
  fireEvent.click(await cell('加油'))
  fireEvent.click(await cell('嘿嘿'))
  expect(titles().slice(0, 2)).toEqual(['星海公会', '笑脸与情感'])
  expect(picked).toEqual([
    { id: '10/a', name: '加油' },
    { id: emojiId('😀'), name: '😀' },
  ])
})

test('members of BUFF pick from all of their guilds, each under its name; others from this one', async () => {
  const guilds = [
    { id: '10', name: '星海公会', emojis: [own('a', '加油')] },
    { id: '11', name: '像素画廊', emojis: [{ id: '11/c', name: '画笔', emoji_type: 2 }] },
    { id: '12', name: '没有表情', emojis: [] },
  ]
  server.on(indexGuilds, () =>
    guilds.map(({ id, name, emojis }) => {
      const { roles, channels, permissions, user_config, ...summary } = guildOf(id, name)
      return { ...toPublicGuild(summary, ''), my_nickname: '', emojis }
    }),
  )
  show()
  await cell('加油')
  expect(titles().slice(0, 2)).toEqual(['星海公会', '笑脸与情感'])
  expect(server.received(indexGuilds)).toEqual([])
  cleanup()
  show(true)
  fireEvent.click(await cell('画笔'))
  expect(titles().slice(0, 3)).toEqual(['星海公会', '像素画廊', '笑脸与情感'])
  expect(picked).toEqual([{ id: '11/c', name: '画笔' }])
  expect(screen.getByRole('button', { name: '像素画廊' }).textContent).toBe('像')
})

test.each([
  ['笑哭', '笑哭了', '😂'],
  ['tada', '拉炮彩带', '🎉'],
  [':+1:', '拇指向上', '👍'],
  ['开', '开饭', '开饭'],
])('a search for %s finds %s', async (text, label, name) => {
  show()
  await search(text)
  await screen.findByText('搜索结果')
  fireEvent.click(await cell(label))
  expect(picked.map((it) => it.name)).toEqual([name])
})

test('names are English in the English locale', async () => {
  setLocale('en')
  show()
  expect(await screen.findByRole('gridcell', { name: 'grinning face' })).toBeTruthy()
})

test('a picked emoji is the first recent one when the picker is opened again, not before', async () => {
  addRecentEmoji({ id: emojiId('🎉'), name: '🎉' })
  addRecentEmoji({ id: '10/gone', name: '没了' })
  addRecentEmoji({ id: '10/b', name: '旧名' })
  const first = show()
  await cell('加油')
  const recent = () =>
    within(screen.getAllByRole('row')[1] as HTMLElement)
      .getAllByRole('gridcell')
      .map((it) => it.getAttribute('aria-label'))
  expect(recent()).toEqual(['开饭', '拉炮彩带'])
  fireEvent.click(await cell('嘿嘿'))
  expect(recent()).toEqual(['开饭', '拉炮彩带'])
  first.unmount()
  show()
  await screen.findByText('最近使用')
  expect(recent()).toEqual(['嘿嘿', '开饭', '拉炮彩带'])
})

test('the recent emoji are limited and contain each emoji once', () => {
  for (let i = 0; i < RECENT_MAX + 8; i += 1) addRecentEmoji({ id: `[#${i};]`, name: String(i) })
  addRecentEmoji({ id: '[#20;]', name: '20' })
  expect(recentEmoji()).toHaveLength(RECENT_MAX)
  expect(
    recentEmoji()
      .slice(0, 2)
      .map((it) => it.name),
  ).toEqual(['20', String(RECENT_MAX + 7)])
  expect(new Set(recentEmoji().map((it) => it.id)).size).toBe(RECENT_MAX)
})

test('the focus moves from the search into the grid, by arrows across titles, and Escape closes', async () => {
  show()
  const box = await field()
  await cell('加油')
  fireEvent.keyDown(box, { key: 'ArrowDown' })
  const here = () => document.activeElement?.getAttribute('aria-label')
  const press = (key: string) => fireEvent.keyDown(document.activeElement as Element, { key })
  expect(here()).toBe('加油')
  press('ArrowRight')
  expect(here()).toBe('开饭')
  press('ArrowDown')
  expect(here()).toBe('哈哈')
  press('ArrowLeft')
  expect(here()).toBe('嘿嘿')
  press('ArrowUp')
  expect(here()).toBe('加油')
  expect(document.querySelectorAll('[data-at][tabindex="0"]')).toHaveLength(1)
  press('Escape')
  expect(isClosed).toBe(true)
})

test('the menu key shows the skin tones of an emoji, and Escape returns the focus to it', async () => {
  show()
  await search('挥手')
  const wave = await cell('挥手')
  fireEvent.contextMenu(wave)
  const tones = screen.getByRole('group', { name: '挥手 选择肤色' })
  expect(document.activeElement).toBe(within(tones).getByRole('button', { name: '挥手 默认肤色' }))
  fireEvent.keyDown(document.activeElement as Element, { key: 'Escape' })
  expect(isClosed).toBe(false)
  expect(document.activeElement).toBe(wave)
  fireEvent.contextMenu(wave)
  fireEvent.click(screen.getByRole('button', { name: '挥手 较深肤色' }))
  expect(picked).toEqual([{ id: emojiId('👋🏿'), name: '👋🏿' }])
})

test('the delete key repeats while it is held', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  let erased = 0
  renderAt(
    '/x',
    '/x',
    <EmojiBoard
      guildId={'10' as never}
      guildName="星海公会"
      onPick={() => undefined}
      onErase={() => (erased += 1)}
    />,
    sessionOf().user,
  )
  const key = await screen.findByRole('button', { name: '删除' })
  fireEvent.click(key)
  expect(erased).toBe(1)
  fireEvent.pointerDown(key)
  act(() => void vi.advanceTimersByTime(1_000))
  fireEvent.pointerUp(key)
  fireEvent.click(key)
  const held = erased
  expect(held).toBeGreaterThan(4)
  act(() => void vi.advanceTimersByTime(1_000))
  expect(erased).toBe(held)
  vi.useRealTimers()
})
