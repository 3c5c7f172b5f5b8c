import { Failure } from '@guildhall/wire/failure.ts'
import { failureText } from '@guildhall/wire/failureText.ts'
import type { ChannelId, GuildId } from '@guildhall/wire/id.ts'
import { searchMessages } from '@guildhall/wire/search/search.ts'
import { cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fakeServer } from '../../testing/fakeServer.ts'
import { sessionOf } from '../../testing/fixtures.ts'
import { fill, press } from '../../testing/hands.ts'
import { hitLike, hitsLike } from '../../testing/messages.ts'
import { renderAt } from '../../testing/renderAt.tsx'
import type { OpenRoom } from '../useOpenRoom.ts'
import { FindWay } from './FindWay.tsx'

let server: ReturnType<typeof fakeServer>
/** The last characters of the messages that were jumped to. */
let jumps: string[]

beforeEach(() => {
  server = fakeServer()
  jumps = []
})
afterEach(cleanup)

const show = (address: string) => {
  const list = { current: { jumpTo: (id: string) => jumps.push(id.slice(-3)), toEnd: () => undefined } }
  const room = { id: '20' as ChannelId, list } as unknown as OpenRoom
  return renderAt(
    address,
    '/channels/:guildId/:channelId',
    <header>
      <h1>闲聊</h1>
      <button type="button">成员列表</button>
      <FindWay room={room} guildId={'10' as GuildId} />
    </header>,
    sessionOf().user,
  )
}

/** A server on which so many messages fit, the newest first. */
const withHits = (total: number) =>
  server.on(searchMessages, ({ page, page_size }) => {
    const left = total - (page - 1) * page_size
    const items = Array.from({ length: Math.min(page_size, left) }, (_, at) => hitLike(left - at, '夜空'))
    return hitsLike(items, { page, page_total: Math.ceil(total / page_size), page_size, total })
  })
const field = () => screen.getByRole<HTMLInputElement>('searchbox', { name: '搜索消息' })
/** It is loaded when it is opened. */
const opened = () => screen.findByRole<HTMLInputElement>('searchbox', { name: '搜索消息' })

test('nothing is asked without words, and a room where nothing fits says so', async () => {
  withHits(0)
  show('/channels/10/20?search=')
  await opened()
  expect(server.received(searchMessages)).toEqual([])
  fill(field(), { value: '夜空' })
  expect(await screen.findByText('无结果')).toBeTruthy()
  fireEvent.keyDown(field(), { key: 'ArrowUp' })
  expect(jumps).toEqual([])
})

test('a failure is said in the words of the server, and can be tried again', async () => {
  server.on(searchMessages, () => new Failure('search.not_ready'))
  show('/channels/10/20?search=夜空')
  expect((await screen.findByRole('alert')).textContent).toContain(failureText('search.not_ready', 'zh-CN'))
  withHits(1)
  press('重试')
  expect(await screen.findByText('1 / 1')).toBeTruthy()
  expect(screen.queryByRole('alert')).toBeNull()
})

test('up leads to what is older, over the end of a page, and down from the newest to the oldest', async () => {
  withHits(51)
  show('/channels/10/20?search=夜空')
  await screen.findByText('1 / 51')
  fireEvent.keyDown(field(), { key: 'ArrowDown' })
  await screen.findByText('51 / 51')
  fireEvent.keyDown(field(), { key: 'Enter', shiftKey: true })
  expect(screen.getByText('50 / 51')).toBeTruthy()
  press('上一条结果')
  press('上一条结果')
  await screen.findByText('1 / 51')
  expect(jumps).toEqual(['051', '001', '002', '001', '051'])
  expect(server.received(searchMessages)[0]).toMatchObject({ q: '夜空', channel_id: '20' })
})

test('it takes the bar for itself, and Escape gives it back', async () => {
  withHits(1)
  show('/channels/10/20')
  press('搜索消息')
  expect(document.activeElement).toBe(await opened())
  expect(screen.queryByRole('button', { name: '成员列表' })).toBeNull()
  fireEvent.keyDown(field(), { key: 'Escape' })
  expect(screen.getByRole('button', { name: '成员列表' })).toBeTruthy()
  expect(screen.queryByRole('searchbox', { name: '搜索消息' })).toBeNull()
})
