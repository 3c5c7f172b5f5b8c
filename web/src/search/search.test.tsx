import { listRooms } from '@guildhall/wire/channel/rooms.ts'
import { listChats } from '@guildhall/wire/chat/chat.ts'
import { chatHistory } from '@guildhall/wire/chat/page.ts'
import { Failure } from '@guildhall/wire/failure.ts'
import { failureText } from '@guildhall/wire/failureText.ts'
import { listFriends } from '@guildhall/wire/friend/friend.ts'
import { listGuilds } from '@guildhall/wire/guild/guild.ts'
import { findCallable } from '@guildhall/wire/message/mention.ts'
import { history } from '@guildhall/wire/message/message.ts'
import { searchFiles, searchMessages } from '@guildhall/wire/search/search.ts'
import { onlineManager } from '@tanstack/react-query'
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { useLocation, useNavigate } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { clearUserStorage, readStored, writeStored } from '../kit/browser/storage.ts'
import { fakeServer } from '../testing/fakeServer.ts'
import { guildOf, sessionOf } from '../testing/fixtures.ts'
import { fill, press, pressSoon } from '../testing/hands.ts'
import { callableLike, chatHitOf, hitLike, hitsLike, messageLike } from '../testing/messages.ts'
import { renderAt } from '../testing/renderAt.tsx'
import SearchScreen from './SearchScreen.tsx'

let server: ReturnType<typeof fakeServer>
/** What is seen of the page's end: a call of it is the end coming near. */
let reachEnd: () => void

beforeEach(() => {
  localStorage.clear()
  server = fakeServer()
  server.on(listGuilds, () => [guildOf('10', '星海公会')])
  server.on(
    listRooms,
    () =>
      [
        { id: '20', guild_id: '10', name: '闲聊', spelling: 'xian liao' },
        { id: '21', guild_id: '10', name: 'two words', spelling: '' },
      ] as never,
  )
  server.on(findCallable, () => ({
    items: [callableLike('3', 'ann', ''), callableLike('4', '南枝', 'nan zhi')],
  }))
  reachEnd = () => undefined
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(of: (seen: { isIntersecting: boolean }[]) => void) {
        reachEnd = () => of([{ isIntersecting: true }])
      }
      observe() {}
      disconnect() {}
    },
  )
})
afterEach(cleanup)

const show = (address: string) => renderAt(address, '/search', <SearchScreen />, sessionOf().user)
const field = () => screen.getByRole<HTMLInputElement>('combobox', { name: '搜索' })
const typeIn = (value: string) => fill(field(), { value })
const hits = () => screen.findAllByRole('link')

test('nothing is asked before anything is typed, and it is said what can be', () => {
  show('/search')
  expect(screen.getByRole('heading', { name: '想找什么？' })).toBeTruthy()
  expect(server.received(searchMessages)).toEqual([])
})

test('nothing found says what to try, and searches everywhere from a narrow place', async () => {
  server.on(searchMessages, ({ guild_id }) =>
    guild_id ? hitsLike([]) : hitsLike([hitLike(1, '夜空', [[0, 2]])]),
  )
  show('/search?q=夜空&guild=10')
  expect(await screen.findByText('没有找到“夜空”')).toBeTruthy()
  press('搜索全部')
  expect((await hits()).length).toBe(1)
})

test('too many searches are said as such, and one more can be tried', async () => {
  server.on(searchMessages, () => new Failure('too_many'))
  show('/search?q=夜空')
  expect(await screen.findByText('搜索得太快了')).toBeTruthy()
  server.on(searchMessages, () => hitsLike([hitLike(1, '夜空', [[0, 2]])]))
  press('重试')
  expect((await hits()).length).toBe(1)
})

test('what the server says, such as that the search is prepared, is shown, and can be tried again', async () => {
  server.on(searchMessages, () => new Failure('search.not_ready'))
  show('/search?q=夜空')
  const said = await screen.findByRole('alert')
  expect(said.textContent).toContain(failureText('search.not_ready', 'zh-CN'))
  server.on(searchMessages, () => hitsLike([hitLike(1, '夜空', [[0, 2]])]))
  press('重试')
  expect((await hits()).length).toBe(1)
})

test('offline it is said, and once the network is back the search goes on', async () => {
  server.on(searchMessages, () => hitsLike([hitLike(1, '夜空', [[0, 2]])]))
  onlineManager.setOnline(false)
  show('/search?q=夜空')
  expect(await screen.findByText('你现在离线')).toBeTruthy()
  onlineManager.setOnline(true)
  expect((await hits()).length).toBe(1)
})

test('a place that one may no longer view leads to everything', async () => {
  server.on(searchMessages, ({ channel_id }) =>
    channel_id ? new Failure('forbidden') : hitsLike([hitLike(1, '夜空')]),
  )
  show('/search?q=夜空&guild=10&channel=20')
  expect(await screen.findByText('这里不能搜索')).toBeTruthy()
  press('搜索全部')
  expect((await hits()).length).toBe(1)
})

test('words are marked, what is hidden stays hidden, and hostile text is text', async () => {
  server.on(searchMessages, () =>
    hitsLike([
      hitLike(3, '<img src=x onerror=alert(1)>夜空', [[28, 30]]),
      hitLike(2, '凶手(spl)在夜空下(spl)', [[3, 5]]),
      hitLike(1, '夜空', [[0, 2]]),
    ]),
  )
  show('/search?q=夜空')
  const words = (await hits()).map((it) => it.querySelector('[data-part=hit-words]')!)
  expect(words.map((it) => it.textContent)).toEqual(['<img src=x onerror=alert(1)>夜空', '凶手▇▇▇▇', '夜空'])
  expect(words[0]?.querySelector('mark')?.textContent).toBe('夜空')
  expect(document.querySelector('[data-part=hit] img[src=x]')).toBeNull()
})

test('messages stand under their days, the newest first, with where they are; the best ones without days', async () => {
  const day = 86_400_000
  const now = Date.now()
  server.on(searchMessages, () =>
    hitsLike([
      hitLike(3, '夜空', [], { create_at: now }),
      hitLike(2, '夜空', [], { create_at: now - day }),
      hitLike(1, '夜空', [], { create_at: now - day }),
    ]),
  )
  show('/search?q=夜空')
  await hits()
  const days = screen.getAllByRole('region').map((it) => within(it).getAllByRole('link').length)
  expect(days).toEqual([1, 2])
  expect(screen.getByRole('heading', { name: '昨天' })).toBeTruthy()
  expect(screen.getAllByText('#闲聊').length).toBe(3)
  expect(screen.getByText('3 条消息')).toBeTruthy()
  press('最相关')
  await waitFor(() => expect(screen.queryAllByRole('region')).toEqual([]))
  expect(server.received(searchMessages).at(-1)?.sort).toBe('fit')
})

test('more comes as the end comes near, and after the last page what is older', async () => {
  server.on(searchMessages, ({ page, before }) =>
    before
      ? hitsLike([hitLike(1, '最早')])
      : hitsLike([hitLike(10 - page, `第 ${page} 页`)], { page, page_total: 2, total: 1000, more: true }),
  )
  show('/search?q=页')
  await hits()
  expect(screen.getByText('1000+ 条消息')).toBeTruthy()
  reachEnd()
  reachEnd()
  await screen.findByText('第 2 页')
  reachEnd()
  await screen.findByText('最早')
  expect(screen.getByText('没有更多了')).toBeTruthy()
  expect(server.received(searchMessages).map(({ page, before }) => [page, before?.slice(-1)])).toEqual([
    [1, undefined],
    [2, undefined],
    [1, '8'],
  ])
})

test('a page that does not come leaves the others, and comes when it is asked for again', async () => {
  server.on(searchMessages, ({ page }) =>
    page === 1 ? hitsLike([hitLike(9, '第 1 页')], { page_total: 2, total: 2 }) : new Failure('too_many'),
  )
  show('/search?q=页')
  await hits()
  reachEnd()
  await screen.findByRole('alert')
  expect(screen.getByText('第 1 页')).toBeTruthy()
  server.on(searchMessages, () => hitsLike([hitLike(8, '第 2 页')], { page: 2, page_total: 2, total: 2 }))
  press('重试')
  expect(await screen.findByText('第 2 页')).toBeTruthy()
})

const around = '前后文'
const chatCode = 'c'.repeat(32)

test('what was said around a hit is not asked before it is opened, and a failure can be tried again', async () => {
  server.on(searchMessages, () => hitsLike([hitLike(5, '夜空', [[0, 2]])]))
  server.on(history, () => new Failure('forbidden'))
  show('/search?q=夜空')
  await hits()
  expect(server.received(history)).toEqual([])
  press(new RegExp(around))
  expect((await screen.findByRole('alert')).textContent).toContain(failureText('forbidden', 'zh-CN'))
  server.on(history, () => [messageLike(5)])
  press('重试')
  expect(await screen.findByText('前后没有别的消息')).toBeTruthy()
})

test('the messages before and after a hit lead to their place, without what is hidden in them', async () => {
  server.on(searchMessages, () => hitsLike([hitLike(7, '夜空', [[0, 2]])]))
  server.on(history, () => [messageLike(6, { content: '是(spl)流星(spl)' }), messageLike(7), messageLike(8)])
  show('/search?q=夜空')
  await hits()
  press(new RegExp(around))
  await screen.findByText('上一条')
  const [, before, after] = await hits()
  expect(before?.textContent).toContain('Ann 是▇▇▇')
  expect(after?.textContent).toContain('下一条Ann message 8')
  expect(after?.getAttribute('href')).toBe(`/channels/10/20?m=${messageLike(8).id}`)
  expect(server.received(history)).toMatchObject([
    { id: '20', msgid: messageLike(7).id, flag: 'around', page_size: 3 },
  ])
  press(new RegExp(around))
  expect((await hits()).length).toBe(1)
})

test('around a private message stands what was said in its chat', async () => {
  const hit = hitLike(9, '夜空', [[0, 2]])
  server.on(searchMessages, () => hitsLike([chatHitOf(hit, chatCode)]))
  server.on(chatHistory, () => [messageLike(8), messageLike(9)] as never)
  show('/search?q=夜空&scope=chats')
  expect(await screen.findByText('和 ann 的私信')).toBeTruthy()
  press(new RegExp(around))
  await screen.findByText('上一条')
  expect((await hits()).map((it) => it.getAttribute('href'))).toEqual([
    `/chats/${chatCode}?m=${messageLike(9).id}`,
    `/chats/${chatCode}?m=${messageLike(8).id}`,
  ])
  expect(server.received(searchMessages)[0]).toMatchObject({ q: 'in:chats 夜空' })
})

/** The search, and at any other address a way back. */
function WithBack() {
  const { pathname } = useLocation()
  const navigate = useNavigate()
  if (pathname === '/search') return <SearchScreen />
  return <button type="button" onClick={() => void navigate(-1)}>{`back from ${pathname}`}</button>
}

test('a hit opens in its room, and Back shows the results without asking again', async () => {
  server.on(searchMessages, () => hitsLike([hitLike(1, '夜空', [[0, 2]])]))
  renderAt('/search?q=夜空', '/*', <WithBack />, sessionOf().user)
  const [hit] = await hits()
  expect(hit?.getAttribute('href')).toBe('/channels/10/20?m=00000000-0000-4000-8000-000000000001')
  fireEvent.click(hit!)
  expect(readStored('searches')).toEqual(['夜空'])
  await pressSoon('back from /channels/10/20')
  expect(screen.getByRole('link').textContent).toContain('夜空')
  expect(field().value).toBe('夜空')
  expect(server.received(searchMessages).length).toBe(1)
})

test('results of other words begin at the newest', async () => {
  server.on(searchMessages, ({ q }) => hitsLike([hitLike(1, `${q}一`, [[0, 2]])]))
  show('/search?q=面条')
  await screen.findByText('面条', { selector: 'mark' })
  const list = screen.getByRole('main')
  list.scrollTop = 300
  fireEvent.scroll(list)
  typeIn('烧烤')
  await screen.findByText('烧烤', { selector: 'mark' })
  expect(list.scrollTop).toBe(0)
})

test('what is typed is searched for after a pause, and the address follows', async () => {
  server.on(searchMessages, ({ q }) => hitsLike([hitLike(1, q)]))
  show('/search')
  typeIn('夜')
  typeIn('夜空')
  expect(await screen.findByText('夜空', { selector: '[data-part=hit-words]' })).toBeTruthy()
  typeIn('夜空 来自:')
  typeIn('夜空 来自:小满')
  await screen.findByText('夜空 来自:小满', { selector: '[data-part=hit-words]' })
  expect(server.received(searchMessages).map(({ q }) => q)).toEqual(['夜空', '夜空 来自:小满'])
})

test('a chip begins an operator, whose value is completed by keys', async () => {
  server.on(searchMessages, () => hitsLike([]))
  show('/search?guild=10')
  press('来自:')
  expect(field().value).toBe('来自:')
  const options = await screen.findAllByRole('option')
  expect(options.map((it) => it.textContent)).toEqual(['annann#0003', '南枝南枝#0004'])
  fireEvent.keyDown(field(), { key: 'ArrowDown' })
  fireEvent.keyDown(field(), { key: 'ArrowDown' })
  expect(screen.getByRole('option', { selected: true }).textContent).toContain('南枝')
  fireEvent.keyDown(field(), { key: 'Enter' })
  expect(field().value).toBe('来自:南枝#0004 ')
})

test.each([
  ['频道:tw', '频道:"two words" '],
  ['包含:图', '包含:图片 '],
  ['当天:上', '当天:上周 '],
  ['on:2026-11-01', 'on:2026-11-01 '],
  ['频', '频道:'],
])('%s is completed to %s', async (typed, whole) => {
  server.on(searchMessages, () => hitsLike([]))
  show('/search?guild=10')
  field().focus()
  typeIn(typed)
  fireEvent.click((await screen.findAllByRole('option'))[0]!)
  expect(field().value).toBe(whole)
})

test('all private chats are offered where everything is searched, and found by the operator', async () => {
  server.on(searchMessages, () => hitsLike([]))
  show('/search')
  field().focus()
  typeIn('频道:私')
  fireEvent.click((await screen.findAllByRole('option'))[0]!)
  expect(field().value).toBe('频道:私信 ')
})

test('searches are remembered on the device, the last one first, and forgotten one by one, together, and with the login', async () => {
  server.on(searchMessages, () => hitsLike([]))
  writeStored('searches', ['流星', '夜空'])
  show('/search')
  typeIn('银河')
  fireEvent.keyDown(field(), { key: 'Enter' })
  press('清空')
  await pressSoon('删除“夜空”')
  expect(readStored('searches')).toEqual(['银河', '流星'])
  press('流星')
  expect(field().value).toBe('流星')
  press('清空')
  await pressSoon('全部清除')
  expect(screen.getByRole('heading', { name: '想找什么？' })).toBeTruthy()
  writeStored('searches', ['流星'])
  clearUserStorage()
  expect(readStored('searches')).toBeNull()
})

test('pictures are a gallery, all of them without a word', async () => {
  server.on(searchFiles, () =>
    hitsLike([hitLike(1, 'http://localhost/assets/2026-11/aaaaaaaaaa100100.png', [], { type: 2 })]),
  )
  show('/search?kind=pictures&guild=10')
  expect(await screen.findByText('1 个结果')).toBeTruthy()
  expect(screen.getByRole('main').querySelectorAll('[data-part=picture]').length).toBe(1)
  expect(server.received(searchFiles)[0]).toMatchObject({ q: '', kind: 'image', guild_id: '10' })
})

test('people of the guild, channels and guilds are found by their names', async () => {
  show('/search?kind=people&guild=10&q=n')
  expect((await hits()).map((it) => it.getAttribute('href'))).toEqual(['/chats/with/3', '/chats/with/4'])
  press('频道')
  typeIn('xl')
  await waitFor(async () =>
    expect((await hits()).map((it) => it.getAttribute('href'))).toEqual(['/channels/10/20']),
  )
  press('公会')
  typeIn('星海')
  await waitFor(async () =>
    expect((await hits()).map((it) => it.getAttribute('href'))).toEqual(['/channels/10']),
  )
})

test('friends and conversations are found without a guild', async () => {
  server.on(listChats, () => ({
    items: [],
    meta: { page: 1, page_total: 1, page_size: 50, total: 0 },
    sort: {},
  }))
  server.on(listFriends, () => ({
    friend: [],
    request: [],
    block: [],
    blocked: [],
    all_request: [],
    relation: [],
  }))
  show('/search?kind=people&q=n')
  expect(await screen.findByText('没有找到“n”')).toBeTruthy()
})
