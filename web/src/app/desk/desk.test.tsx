import { viewGuild } from '@guildhall/wire/channel/channel.ts'
import { listGuilds } from '@guildhall/wire/guild/guild.ts'
import { listMembers } from '@guildhall/wire/member/member.ts'
import { listUnread, listWaiting } from '@guildhall/wire/message/readMark.ts'
import { cleanup, fireEvent, screen, within } from '@testing-library/react'
import { use } from 'react'
import { Link, Route, Routes, useLocation } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { replyOf, saveReply } from '../../composer/draft/replyDraft.ts'
import { readStored, writeStored } from '../../kit/browser/storage.ts'
import { fakeServer } from '../../testing/fakeServer.ts'
import { channelOf, guildOf, sessionOf } from '../../testing/fixtures.ts'
import { fill } from '../../testing/hands.ts'
import { renderAt } from '../../testing/renderAt.tsx'
import { DeskContext } from '../../ui/page/desk.ts'
import DeskFrame from './DeskFrame.tsx'
import { WIDTH_MAX, WIDTH_MIN } from './useColumns.ts'

const hidden = channelOf('19', '后台', { permissions: 0 })
const tree = [
  hidden,
  channelOf('40', '大厅', {
    type: 0,
    is_category: true,
    channels: [channelOf('24', '开黑房', { type: 2 }), channelOf('20', '闲聊'), channelOf('21', '夜宵')],
  }),
]
let server: ReturnType<typeof fakeServer>

/** In place of the screens: it says where it is, and has a room's button for the members. */
function Page() {
  const desk = use(DeskContext)
  return (
    <main>
      <p>at {useLocation().pathname}</p>
      <button type="button" aria-pressed={desk?.hasMembers} onClick={desk?.toggleMembers}>
        成员
      </button>
      <Link to="/channels/10">公会</Link>
      <textarea data-part="composer-input" aria-label="写" />
    </main>
  )
}

const show = (address: string) =>
  renderAt(
    address,
    '/*',
    <Routes>
      <Route element={<DeskFrame PersonSheet={() => null} />}>
        <Route path="*" element={<Page />} />
      </Route>
    </Routes>,
    sessionOf().user,
  )

const columns = () => screen.queryAllByRole('separator').map((it) => it.getAttribute('aria-label'))

beforeEach(() => {
  localStorage.clear()
  server = fakeServer()
  server.on(listUnread, () => [])
  server.on(listWaiting, () => [])
  server.on(listGuilds, () => [guildOf('10', '星海公会', tree), guildOf('11', '空')])
  server.on(viewGuild, ({ id }) => (id === '10' ? guildOf('10', '星海公会', tree) : guildOf('11', '空')))
  server.on(listMembers, () => ({ data: [], online_count: 0, offline_count: 0, groups: [] }))
  vi.stubGlobal('innerWidth', 1280)
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('a guild without a room that one may view says so, beside the rail and its channels', async () => {
  show('/channels/11')
  expect(await screen.findByText('还没有可见的文字频道')).toBeTruthy()
  expect(await screen.findByRole('navigation', { name: '我的公会' })).toBeTruthy()
  expect(await screen.findByRole('heading', { name: '空' })).toBeTruthy()
})

test('a guild opens the first room that one may view, later the one that was open last', async () => {
  show('/channels/10')
  expect(await screen.findByText('at /channels/10/20')).toBeTruthy()
  expect(screen.getByRole('link', { name: /闲聊/ }).getAttribute('aria-current')).toBe('page')
  fireEvent.click(screen.getByRole('link', { name: /夜宵/ }))
  expect(await screen.findByText('at /channels/10/21')).toBeTruthy()
  fireEvent.click(screen.getByRole('link', { name: '公会' }))
  expect(await screen.findByText('at /channels/10/21')).toBeTruthy()
  expect(readStored('last_channels')).toEqual({ '10': '21' })
})

test('a room that one may no longer view is not opened again', async () => {
  writeStored('last_channels', { '10': '19' })
  show('/channels/10')
  expect(await screen.findByText('at /channels/10/20')).toBeTruthy()
})

test('the rail stays on pages that are of no guild, without its channels and members', async () => {
  show('/account')
  expect(await screen.findByText('at /account')).toBeTruthy()
  expect(await screen.findByRole('link', { name: '星海公会' })).toBeTruthy()
  expect(columns()).toEqual([])
})

test('the list of members has the page to itself, beside the channels', async () => {
  show('/channels/userlist/10')
  expect(await screen.findByText('at /channels/userlist/10')).toBeTruthy()
  expect(columns()).toEqual(['频道栏的宽度'])
})

test('members stand beside a room where there is room for them, and stay open or closed as they were left', async () => {
  show('/channels/10/20')
  const named = { name: '成员列表' }
  // Their code is loaded when they are shown.
  expect(await screen.findByRole('complementary', named)).toBeTruthy()
  fireEvent.click(await screen.findByRole('button', { name: '成员', pressed: true }))
  expect(screen.queryByRole('complementary', named)).toBeNull()
  cleanup()
  show('/channels/10/20')
  expect(await screen.findByRole('button', { name: '成员', pressed: false })).toBeTruthy()
  expect(screen.queryByRole('complementary', named)).toBeNull()
  cleanup()
  localStorage.clear()
  vi.stubGlobal('innerWidth', 1000)
  show('/channels/10/20')
  fireEvent.click(await screen.findByRole('button', { name: '成员', pressed: false }))
  const members = await screen.findByRole('complementary', named)
  expect(await within(members).findByRole('searchbox')).toBeTruthy()
})

test('a column is made wider and narrower by keys, within bounds, and stays so', async () => {
  show('/channels/10/20')
  const edge = () => screen.findByRole('separator', { name: '频道栏的宽度' })
  const width = async () => Number((await edge()).getAttribute('aria-valuenow'))
  expect(await width()).toBe(240)
  fireEvent.keyDown(await edge(), { key: 'ArrowRight' })
  expect(await width()).toBe(256)
  for (let press = 0; press < 20; press++) fireEvent.keyDown(await edge(), { key: 'ArrowRight' })
  expect(await width()).toBe(WIDTH_MAX)
  for (let press = 0; press < 20; press++) fireEvent.keyDown(await edge(), { key: 'ArrowLeft' })
  expect(await width()).toBe(WIDTH_MIN)
  // The edge of the members is at their left.
  const members = await screen.findByRole('separator', { name: '成员栏的宽度' })
  fireEvent.keyDown(members, { key: 'ArrowLeft' })
  expect(readStored('desk')).toEqual({ channels: WIDTH_MIN, members: 256 })
})

test('a column follows the pointer that pulls its edge', async () => {
  show('/channels/10/20')
  const edge = await screen.findByRole('separator', { name: '频道栏的宽度' })
  edge.setPointerCapture = () => undefined
  fireEvent.pointerDown(edge, { pointerId: 1, clientX: 312 })
  fireEvent.pointerMove(edge, { pointerId: 1, clientX: 340 })
  expect(edge.getAttribute('aria-valuenow')).toBe('268')
  expect(readStored('desk')).toBeNull()
  fireEvent.pointerUp(edge, { pointerId: 1, clientX: 350 })
  expect(readStored('desk')).toEqual({ channels: 278 })
  fireEvent.pointerMove(edge, { pointerId: 1, clientX: 400 })
  expect(edge.getAttribute('aria-valuenow')).toBe('278')
})

const field = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: '写' })

test('Alt and the arrows lead from room to room, with Shift to unread ones, while nothing is written', async () => {
  server.on(listUnread, () => [
    {
      channel_id: '21' as never,
      guild_id: '10' as never,
      read_seq: 0,
      last_seq: 3,
      unread_count: 3,
      mention_count: 0,
    },
  ])
  show('/channels/10/20')
  await screen.findByText('3 条未读消息')
  fill(field(), { value: '写了一半' })
  fireEvent.keyDown(field(), { key: 'ArrowDown', altKey: true })
  expect(screen.getByText('at /channels/10/20')).toBeTruthy()
  fill(field(), { value: '' })
  fireEvent.keyDown(field(), { key: 'ArrowDown', altKey: true })
  expect(await screen.findByText('at /channels/10/21')).toBeTruthy()
  fireEvent.keyDown(document.body, { key: 'ArrowDown', altKey: true, shiftKey: true })
  expect(screen.getByText('at /channels/10/21')).toBeTruthy()
})

test('what is typed anywhere is written, a space on a button presses it, and F6 leads from column to column', async () => {
  show('/channels/10/20')
  await screen.findByRole('link', { name: /闲聊/ })
  const button = screen.getByRole('button', { name: '成员' })
  button.focus()
  fireEvent.keyDown(button, { key: ' ' })
  expect(document.activeElement).toBe(button)
  fireEvent.keyDown(button, { key: 'c', ctrlKey: true })
  expect(document.activeElement).toBe(button)
  fireEvent.keyDown(button, { key: '好' })
  expect(document.activeElement).toBe(field())
  fireEvent.keyDown(field(), { key: 'F6', shiftKey: true })
  expect(document.activeElement).toBe(screen.getByRole('link', { name: /闲聊/ }))
  fireEvent.keyDown(document.activeElement!, { key: 'F6' })
  expect(document.activeElement).toBe(field())
})

test('Escape takes back the reply of the room', async () => {
  const author = { ...sessionOf().user, nickname: '', roles: [] }
  saveReply('20', { id: 'm', rong_id: 'm', type: 9, content: '问', create_at: 0, author } as never)
  show('/channels/10/20')
  await screen.findByRole('link', { name: /闲聊/ })
  fireEvent.keyDown(field(), { key: 'Escape' })
  expect(replyOf('20')).toBeNull()
})

test('Ctrl and / list the keys; under a sheet and switched off they do nothing', async () => {
  show('/channels/10/20')
  await screen.findByRole('link', { name: /闲聊/ })
  fireEvent.keyDown(document.body, { key: '/', ctrlKey: true })
  const list = await screen.findByRole('dialog', { name: '键盘快捷键' })
  fireEvent.keyDown(list, { key: 'ArrowDown', altKey: true })
  expect(screen.getByText('at /channels/10/20')).toBeTruthy()
  fireEvent.keyDown(list, { key: 'Escape' })
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull()
  writeStored('keys', 'off')
  fireEvent.keyDown(document.body, { key: 'ArrowDown', altKey: true })
  expect(screen.getByText('at /channels/10/20')).toBeTruthy()
})

/** What Tab leads to, in the list of channels. */
const stops = () =>
  [...document.querySelectorAll<HTMLElement>('[data-side=channels] nav :is(a,button)')]
    .filter((it) => it.tabIndex === 0)
    .map((it) => it.textContent)

test('the channels are one stop of Tab, the open one; arrows, Home and End move in them, and Enter is the link’s', async () => {
  show('/channels/10/20')
  const open = await screen.findByRole('link', { name: /闲聊/ })
  await expect.poll(stops).toEqual([expect.stringContaining('闲聊')])
  open.focus()
  fireEvent.keyDown(open, { key: 'ArrowDown' })
  expect(document.activeElement).toBe(screen.getByRole('link', { name: /夜宵/ }))
  expect(stops()).toEqual([expect.stringContaining('夜宵')])
  fireEvent.keyDown(document.activeElement!, { key: 'ArrowDown' })
  expect(document.activeElement).toBe(screen.getByRole('link', { name: /夜宵/ }))
  fireEvent.keyDown(document.activeElement!, { key: 'Home' })
  await expect.poll(() => document.activeElement?.textContent).toContain('后台')
  expect(fireEvent.keyDown(document.activeElement!, { key: 'Enter' })).toBe(true)
  fireEvent.keyDown(document.activeElement!, { key: 'End' })
  await expect.poll(() => document.activeElement?.textContent).toContain('夜宵')
})

test('the arrows to the sides close and open a category, and lead to the menu of a channel and back', async () => {
  show('/channels/10/20')
  const head = await screen.findByRole('button', { name: '大厅' })
  head.focus()
  fireEvent.keyDown(head, { key: 'ArrowLeft' })
  expect(head.getAttribute('aria-expanded')).toBe('false')
  fireEvent.keyDown(head, { key: 'ArrowLeft' })
  expect(head.getAttribute('aria-expanded')).toBe('false')
  fireEvent.keyDown(head, { key: 'ArrowRight' })
  expect(head.getAttribute('aria-expanded')).toBe('true')
  const link = await screen.findByRole('link', { name: /夜宵/ })
  link.focus()
  fireEvent.keyDown(link, { key: 'ArrowRight' })
  expect(document.activeElement).toBe(screen.getByRole('button', { name: /夜宵.*菜单|菜单.*夜宵|夜宵/ }))
  fireEvent.keyDown(document.activeElement!, { key: 'ArrowLeft' })
  expect(document.activeElement).toBe(link)
})

test('a row that goes while it has the focus gives it to its neighbour; switched off everything is a stop again', async () => {
  show('/channels/10/20')
  const link = await screen.findByRole('link', { name: /夜宵/ })
  link.focus()
  link.closest('li')!.remove()
  await expect.poll(() => document.activeElement?.textContent).toContain('闲聊')
  writeStored('keys', 'off')
  document.body.append(document.createElement('i'))
  await expect.poll(() => stops().length).toBeGreaterThan(2)
})
