/** The screen of friends: the list first, requests as rows, adding behind a plus. */
import { fail } from '@guildhall/wire/failure.ts'
import { type FriendEntry, handleRequest, listFriends, requestFriend } from '@guildhall/wire/friend/friend.ts'
import { cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fakeServer } from '../testing/fakeServer.ts'
import { friendsOf, sessionOf } from '../testing/fixtures.ts'
import { press, pressSoon, type, typeSoon } from '../testing/hands.ts'
import { renderAt } from '../testing/renderAt.tsx'
import FriendsScreen from './FriendsScreen.tsx'

let server: ReturnType<typeof fakeServer>
beforeEach(() => {
  server = fakeServer()
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const entry = (id: number, username: string, more: Partial<FriendEntry> = {}): FriendEntry => ({
  ...friendsOf([{ id: String(id), username }]).friend[0]!,
  ...more,
})
const lists = (friend: FriendEntry[], all_request: FriendEntry[] = []) =>
  server.on(listFriends, () => ({ ...friendsOf([]), friend, all_request }))
const show = () => renderAt('/friends', '/friends', <FriendsScreen />, sessionOf().user)
const headings = () => screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)

test('without friends it says what to do, and a refusal of the form stays under its field', async () => {
  lists([])
  server.on(requestFriend, () => fail('friend.self'))
  show()
  await screen.findByText('还没有好友')
  expect(screen.queryByRole('textbox')).toBeNull()
  fireEvent.click(screen.getAllByRole('button', { name: '添加好友' }).at(-1)!)
  await typeSoon('对方的名字和数字', '小满#1234')
  press('发送申请')
  expect(await screen.findByText('不能对自己这样做')).toBeTruthy()
  server.on(requestFriend, () => ({}))
  press('发送申请')
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull()
})

test('requests that wait are counted apart from those one sent, each answered in its row', async () => {
  lists(
    [],
    [entry(1, '小满', { type: 'request', own: false }), entry(2, '阿澈', { type: 'request', own: true })],
  )
  server.on(handleRequest, () => true)
  show()
  await screen.findByText('小满')
  expect(headings()).toEqual(['好友申请 (1)', '已发送 (1)'])
  await pressSoon('接受 小满 的好友申请')
  await expect.poll(() => server.received(handleRequest)).toEqual([{ id: 1, accept: 1 }])
})

test('a friend’s row leads to the conversation, and many are searched', async () => {
  lists(Array.from({ length: 8 }, (_, n) => entry(n + 1, `好友${n}`)))
  show()
  expect((await screen.findByRole('link', { name: /好友3/ })).getAttribute('href')).toMatch(
    /^\/chats\/with\//,
  )
  type('搜索好友', '友5')
  await expect.poll(() => screen.queryAllByRole('link').length).toBe(1)
  type('搜索好友', '没有这个人')
  expect(await screen.findByText('没有找到这个好友')).toBeTruthy()
})
