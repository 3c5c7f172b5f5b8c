import { fail } from '@guildhall/wire/failure.ts'
import type { GuildId } from '@guildhall/wire/id.ts'
import { type Discoverable, joinDiscoverable, listDiscoverables } from '@guildhall/wire/profile/discovery.ts'
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fakeServer } from '../../testing/fakeServer.ts'
import { fill } from '../../testing/hands.ts'
import { renderAt } from '../../testing/renderAt.tsx'
import DiscoverPart from './DiscoverPart.tsx'

const guild = (
  id: string,
  name: string,
  is_member = false,
  more: Partial<Discoverable> = {},
): Discoverable => ({
  id: id as GuildId,
  name,
  icon: '',
  desc: `${name}的介绍`,
  banner: '',
  category: '',
  level: 2,
  members: 12,
  online: 3,
  is_member,
  ...more,
})
const page = (items: Discoverable[], page = 1, page_total = 1) => ({
  items,
  categories: [...new Set(items.map(({ category }) => category))].filter((it) => it !== ''),
  meta: { page, page_total, page_size: 50, total: items.length },
  sort: {},
})

let server: ReturnType<typeof fakeServer>
beforeEach(() => {
  server = fakeServer()
  server.on(listDiscoverables, () => page([guild('1', '像素工坊'), guild('2', '清晨电台', true)]))
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})
const open = (at = '/discover') => renderAt(at, '/discover', <DiscoverPart />)
const search = (value: string) => fill(screen.getByLabelText('搜索公会'), { value })

test('guilds that could not be loaded say so, and are loaded again', async () => {
  server.on(listDiscoverables, () => fail('too_many'))
  open()
  expect(await screen.findByText('公会加载失败')).toBeTruthy()
  server.on(listDiscoverables, () => page([guild('1', '像素工坊')]))
  fireEvent.click(screen.getByRole('button', { name: '重试' }))
  expect(await screen.findByRole('article', { name: '像素工坊' })).toBeTruthy()
})

test('who is refused stays on the page and learns why', async () => {
  server.on(joinDiscoverable, () => fail('guild.full'))
  open()
  fireEvent.click(await screen.findByRole('button', { name: '加入公会「像素工坊」' }))
  expect(await screen.findByRole('status')).toBeTruthy()
  await waitFor(() => expect(screen.getByRole('status').textContent).not.toBe(''))
  expect(screen.getByRole('article', { name: '像素工坊' })).toBeTruthy()
})

test('one joins a guild and is led into it; into one’s own without joining', async () => {
  server.on(joinDiscoverable, ({ guild_id }) => ({ guild_id }))
  open()
  fireEvent.click(await screen.findByRole('button', { name: '加入公会「像素工坊」' }))
  expect(await screen.findByText('at /channels/1')).toBeTruthy()
  expect(server.received(joinDiscoverable)).toEqual([{ guild_id: '1' }])
  cleanup()
  open()
  fireEvent.click(await screen.findByRole('button', { name: '进入公会「清晨电台」' }))
  expect(await screen.findByText('at /channels/2')).toBeTruthy()
  expect(server.received(joinDiscoverable)).toHaveLength(1)
})

test('where no guild is recommended, the page says what to do instead', async () => {
  server.on(listDiscoverables, () => page([]))
  open()
  expect(await screen.findByText('还没有可以浏览的公会')).toBeTruthy()
  expect(screen.getByRole('link', { name: '回到我的公会' })).toBeTruthy()
})

test('a search is sent once when typing pauses, and what was found before stays until then', async () => {
  let answer: (() => void) | undefined
  open()
  await screen.findByRole('article', { name: '像素工坊' })
  server.on(listDiscoverables, ({ search: wanted }) =>
    wanted === ''
      ? page([guild('1', '像素工坊')])
      : new Promise((done) => (answer = () => done(page([guild('3', '电台')])))),
  )
  for (const typed of ['电', '电台']) search(typed)
  await waitFor(() => expect(answer).toBeDefined())
  expect(screen.getByRole('article', { name: '像素工坊' })).toBeTruthy()
  expect(screen.getByRole('list').getAttribute('aria-busy')).toBe('true')
  answer?.()
  expect(await screen.findByRole('article', { name: '电台' })).toBeTruthy()
  expect(server.received(listDiscoverables).map(({ search }) => search)).toEqual(['', '电台'])
})

test('further pages are asked for one by one, and a new search begins with the first', async () => {
  server.on(listDiscoverables, ({ search: wanted, page: n }) =>
    page([guild(String(n), `第${n}页${wanted}`)], n, 2),
  )
  open()
  expect(((await screen.findByRole('button', { name: '上一页' })) as HTMLButtonElement).disabled).toBe(true)
  fireEvent.click(screen.getByRole('button', { name: '下一页' }))
  expect(await screen.findByRole('article', { name: '第2页' })).toBeTruthy()
  search('电')
  expect(await screen.findByRole('article', { name: '第1页电' })).toBeTruthy()
})

test('an order and a category are asked for with what is searched, and a second press takes the category back', async () => {
  server.on(listDiscoverables, () => page([guild('1', '像素工坊', false, { category: 'art' })]))
  open()
  fireEvent.click(await screen.findByRole('button', { name: '绘画与创作' }))
  fireEvent.click(screen.getByRole('button', { name: '人最多' }))
  search('像素')
  const last = () => server.received(listDiscoverables).at(-1)
  await waitFor(() =>
    expect(last()).toMatchObject({ search: '像素', category: 'art', sort: '-members', page: 1 }),
  )
  expect(screen.getByRole('button', { name: '人最多' }).getAttribute('aria-pressed')).toBe('true')
  fireEvent.click(screen.getByRole('button', { name: '绘画与创作' }))
  await waitFor(() => expect(last()).toMatchObject({ category: '', sort: '-members' }))
})

test('where nothing is found, one press leads back to all guilds', async () => {
  server.on(listDiscoverables, ({ search: wanted }) => page(wanted === '' ? [guild('1', '像素工坊')] : []))
  open()
  await screen.findByRole('article', { name: '像素工坊' })
  search('没有这个')
  fireEvent.click(await screen.findByRole('button', { name: '看全部公会' }))
  expect(await screen.findByRole('article', { name: '像素工坊' })).toBeTruthy()
  expect((screen.getByLabelText('搜索公会') as HTMLInputElement).value).toBe('')
})

test('more is typed than a search may have, and its beginning is searched for', async () => {
  open()
  await screen.findByRole('article', { name: '像素工坊' })
  search('像'.repeat(90))
  await waitFor(() => expect(server.received(listDiscoverables).at(-1)?.search).toBe('像'.repeat(60)))
})

test('a card that nobody of is online shows its members alone', async () => {
  server.on(listDiscoverables, () => page([guild('1', '像素工坊', false, { online: 0 })]))
  open()
  const card = await screen.findByRole('article', { name: '像素工坊' })
  expect(card.textContent).toContain('12 位成员')
  expect(card.textContent).not.toContain('在线')
})

test('a banner that does not load is drawn from the icon, and where that does not load either, from the letters', async () => {
  const pictures = { banner: 'https://elsewhere.example/b.png', icon: 'https://elsewhere.example/i.png' }
  server.on(listDiscoverables, () => page([guild('1', '像素工坊', false, pictures)]))
  open()
  const cover = (await screen.findByRole('article', { name: '像素工坊' })).querySelector('[data-part=cover]')!
  const shown = () => cover.querySelector('img')?.getAttribute('src')
  expect(shown()).toBe(pictures.banner)
  fireEvent.error(cover.querySelector('img')!)
  expect(shown()).toBe(pictures.icon)
  fireEvent.error(cover.querySelector('img')!)
  expect(shown()).toBeUndefined()
  expect(cover.textContent).toBe('像')
})

test('a guild that a guest chose at the start page is searched for at once', async () => {
  open(`/discover?search=${encodeURIComponent('像素工坊')}`)
  expect(await screen.findByRole('article', { name: '像素工坊' })).toBeTruthy()
  expect((screen.getByLabelText('搜索公会') as HTMLInputElement).value).toBe('像素工坊')
  expect(server.received(listDiscoverables)[0]).toMatchObject({ search: '像素工坊' })
})
