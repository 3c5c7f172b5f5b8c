import { fail } from '@guildhall/wire/failure.ts'
import { listFriends } from '@guildhall/wire/friend/friend.ts'
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { setShell } from '../native/shell.ts'
import { ShellFailure } from '../native/shellFailure.ts'
import { fakeServer } from '../testing/fakeServer.ts'
import { fakeShell } from '../testing/fakeShell.ts'
import { friendsOf, sessionOf } from '../testing/fixtures.ts'
import { fill } from '../testing/hands.ts'
import { renderAt } from '../testing/renderAt.tsx'
import SelectFriendScreen from './SelectFriendScreen.tsx'

let server: ReturnType<typeof fakeServer>
const show = (query = '?from=/account/golive&action=present_golive&produce_id=3') =>
  renderAt(`/select-friend${query}`, '/select-friend', <SelectFriendScreen />, sessionOf().user)
const names = () => [...document.querySelectorAll('[data-part=name]')].map(({ textContent }) => textContent)
const pick = async (name: RegExp) => fireEvent.click(await screen.findByRole('button', { name }))
const type = (value: string) => fill(screen.getByRole('searchbox'), { value })

beforeEach(() => {
  server = fakeServer()
  server.on(listFriends, () =>
    friendsOf([
      { id: '9', username: '安然', identify_num: '0009', spelling: 'an ran' },
      { id: '10', username: '重庆', identify_num: '1234', spelling: 'chong,zhong qing', own: true },
      { id: '11', username: 'Bob', identify_num: '0012', spelling: '' },
    ]),
  )
})
afterEach(() => {
  cleanup()
  setShell(null)
  vi.unstubAllGlobals()
})

test('friends who are not loaded can be asked for again; there may be none', async () => {
  server.on(listFriends, () => fail('too_many'))
  show()
  expect(await screen.findByRole('heading', { name: '加载失败' })).toBeTruthy()
  server.on(listFriends, () => friendsOf([]))
  fireEvent.click(screen.getByRole('button', { name: '重试' }))
  expect(await screen.findByRole('heading', { name: '还没有好友' })).toBeTruthy()
})

test('who has it already cannot be picked', async () => {
  show()
  const owner = await screen.findByRole('button', { name: /重庆/ })
  expect(owner.textContent).toContain('已拥有该物品')
  expect((owner as HTMLButtonElement).disabled).toBe(true)
  fireEvent.click(owner)
  expect(screen.queryByText(/^at /)).toBeNull()
  expect(server.received(listFriends)).toEqual([{ type: 'friend', product_id: 3 }])
})

test.each([
  ['anr', ['安然']],
  ['ar', ['安然']],
  ['zhongq', ['重庆']],
  ['重庆#12', ['重庆']],
  ['bob#0012', ['Bob']],
  ['#12', ['重庆']],
  ['谁', []],
])('the search %s finds %j', async (typed, found) => {
  show()
  await screen.findByRole('button', { name: /安然/ })
  type(typed)
  await waitFor(() => expect(names()).toEqual(found))
  if (found.length === 0) expect(screen.getByRole('heading', { name: '没有找到这个好友' })).toBeTruthy()
})

describe('in a browser', () => {
  test.each([
    ['https://evil.example/x', '/account/golive'],
    ['//evil.example', '/account/golive'],
    ['javascript:alert(1)', '/account/golive'],
  ])('nobody is led to %s', async (from, to) => {
    show(`?from=${encodeURIComponent(from)}&action=present_golive&produce_id=3`)
    await pick(/安然/)
    expect(await screen.findByText(`at ${to}?user_id=9&produce_id=3`)).toBeTruthy()
  })

  test('the page that asked learns of the friend and the product', async () => {
    show(`?from=${encodeURIComponent('/account/golive?version=pro')}&action=present_golive&produce_id=3`)
    await pick(/安然/)
    expect(await screen.findByText('at /account/golive?version=pro&user_id=9&produce_id=3')).toBeTruthy()
  })

  test('without a product there is nothing to give', async () => {
    show('?action=buy_produce_vip')
    await pick(/安然/)
    expect(await screen.findByText('没有要赠送的物品')).toBeTruthy()
    // Without a product the answer says who asked for the friendship.
    expect(screen.queryByText('已拥有该物品')).toBeNull()
  })
})

describe('in the app', () => {
  const inApp = (answers: Readonly<Record<string, unknown>>) => {
    const it = fakeShell({}, answers)
    setShell(it.shell)
    return it.calls
  }

  test('a gift that fails or is given up leaves the friends there', async () => {
    inApp({ present_golive: new ShellFailure('refused', '余额不足', 'declined') })
    show()
    await pick(/安然/)
    expect(await screen.findByText('余额不足')).toBeTruthy()
    expect(screen.getByRole('button', { name: /安然/ })).toBeTruthy()
    const calls = inApp({ present_golive: { status: 'cancel' } })
    await waitFor(() => expect(screen.getByRole('button', { name: /安然/ }).ariaDisabled).not.toBe('true'))
    await pick(/安然/)
    await waitFor(() => expect(calls).toHaveLength(1))
    expect(screen.queryByText('赠送成功')).toBeNull()
  })

  test.each([
    ['buy_produce_vip', '', { produce_id: '3', user_id: '9' }],
    ['present_golive', '', { produce_id: '3', user_id: '9' }],
    ['present_pop', '&count=5', { produce_id: '3', user_id: '9', count: 5 }],
  ])('%s asks the app for exactly what it needs, and leads back', async (action, more, payload) => {
    const calls = inApp({ [action]: { status: 'success' } })
    show(`?from=/account&action=${action}&produce_id=3${more}`)
    await pick(/安然/)
    expect(await screen.findByText('赠送成功')).toBeTruthy()
    expect(calls).toEqual([
      [action, payload],
      ['close_webview', {}],
    ])
  })
})
