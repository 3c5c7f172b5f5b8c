import { fail } from '@guildhall/wire/failure.ts'
import { closeRenewal, listRenewals, type Renewal } from '@guildhall/wire/renewal/renewal.ts'
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { setShell } from '../native/shell.ts'
import { fakeServer } from '../testing/fakeServer.ts'
import { fakeShell } from '../testing/fakeShell.ts'
import { sessionOf } from '../testing/fixtures.ts'
import { renderAt } from '../testing/renderAt.tsx'
import RenewalScreen from './RenewalScreen.tsx'

const renewal = (change: Partial<Renewal> = {}): Renewal => ({
  code: 'N1',
  expired_time: new Date(2090, 2, 31).getTime(),
  next_time: new Date(2090, 2, 30).getTime(),
  product: { name: 'BUFF 连续包月' },
  pay_info: { platform: 1, pay_text: '微信支付' },
  fee: 1_200,
  is_failed: false,
  ...change,
})

let server: ReturnType<typeof fakeServer>
const show = (type = 'buff') =>
  renderAt(`/renewal/management?type=${type}`, '/renewal/management', <RenewalScreen />, sessionOf().user)

beforeEach(() => {
  server = fakeServer()
})
afterEach(() => {
  cleanup()
  document.body.replaceChildren()
  setShell(null)
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

test('a list that is not loaded can be asked for again', async () => {
  server.on(listRenewals, () => fail('unavailable'))
  show()
  expect(await screen.findByRole('heading', { name: '续费信息加载失败' })).toBeTruthy()
  server.on(listRenewals, () => ({ items: [] }))
  fireEvent.click(screen.getByRole('button', { name: '重试' }))
  expect(await screen.findByRole('heading', { name: '暂无自动续费' })).toBeTruthy()
})

test.each([
  ['buff', 1],
  ['other', 2],
  ['anything', 2],
])('?type=%s asks for the list %d', async (type, wanted) => {
  const asked: number[] = []
  server.on(listRenewals, (input) => {
    asked.push(Number(input.type))
    return { items: [] }
  })
  show(type)
  await screen.findByRole('heading', { name: '暂无自动续费' })
  expect(asked).toEqual([wanted])
})

test('from the one kind one gets to the other, and from an empty list to what renews itself', async () => {
  server.on(listRenewals, () => ({ items: [] }))
  show()
  expect((await screen.findByRole('link', { name: '查看 BUFF 会员' })).getAttribute('href')).toBe(
    '/account/buff',
  )
  fireEvent.click(screen.getByRole('link', { name: '屏幕分享' }))
  expect((await screen.findByRole('link', { name: '查看屏幕分享' })).getAttribute('href')).toBe(
    '/account/golive',
  )
  expect(screen.getByRole('link', { name: '屏幕分享' }).getAttribute('aria-current')).toBe('page')
})

test('who opened the page by its address gets back to the account', async () => {
  server.on(listRenewals, () => ({ items: [] }))
  show()
  fireEvent.click(await screen.findByRole('button', { name: '返回' }))
  expect(await screen.findByText('at /account')).toBeTruthy()
})

test('a contract says when it ends, when it is charged next, and how much', async () => {
  server.on(listRenewals, () => ({ items: [renewal()] }))
  show()
  const row = within(await screen.findByRole('listitem', { name: 'BUFF 连续包月' }))
  expect(row.getByText('微信支付')).toBeTruthy()
  expect(row.getByText('¥12.00')).toBeTruthy()
  expect(row.getByText('2090年3月31日')).toBeTruthy()
  expect(row.getByText('2090年3月30日')).toBeTruthy()
})

test('of a charge that failed it says that nothing was taken', async () => {
  server.on(listRenewals, () => ({ items: [renewal({ is_failed: true, next_time: 0 })] }))
  show()
  expect(await screen.findByText(/上次续费未成功，没有扣款/)).toBeTruthy()
  expect(screen.getByText('本期不再扣款')).toBeTruthy()
})

test('a subscription at Apple has no button, but says where it is closed', async () => {
  const items = [renewal({ pay_info: { platform: 3, pay_text: 'Apple 订阅' }, fee: 0 })]
  server.on(listRenewals, () => ({ items }))
  show()
  expect(await screen.findByText(/设置 > Apple ID > 订阅/)).toBeTruthy()
  expect(screen.queryByRole('button', { name: '关闭自动续费' })).toBeNull()
})

describe('closing', () => {
  const open = async () => fireEvent.click(await screen.findByRole('button', { name: '关闭自动续费' }))
  const dialog = async () => within(await screen.findByRole('alertdialog', { name: '确定关闭自动续费吗？' }))

  test('asks first, and keeps it when one thinks better of it', async () => {
    server.on(listRenewals, () => ({ items: [renewal()] }))
    const close = vi.fn(() => ({}))
    server.on(closeRenewal, close)
    show()
    await open()
    const asked = await dialog()
    expect(asked.getByText(/可以继续使用到 2090年3月31日/)).toBeTruthy()
    fireEvent.click(asked.getByRole('button', { name: '暂不关闭' }))
    expect(close).not.toHaveBeenCalled()
    expect(screen.getByRole('listitem', { name: 'BUFF 连续包月' })).toBeTruthy()
  })

  test('that the server refuses says why, and the contract stays', async () => {
    server.on(listRenewals, () => ({ items: [renewal()] }))
    server.on(closeRenewal, () => fail('renewal.apple'))
    show()
    await open()
    fireEvent.click((await dialog()).getByRole('button', { name: '关闭自动续费' }))
    expect(await screen.findByText('请在 Apple ID 的订阅中关闭')).toBeTruthy()
    expect(screen.getByRole('listitem', { name: 'BUFF 连续包月' })).toBeTruthy()
  })

  test('says so, empties the list, and closes the web view two seconds later', async () => {
    let items = [renewal()]
    server.on(listRenewals, () => ({ items }))
    server.on(closeRenewal, ({ code }) => {
      expect(code).toBe('N1')
      items = []
      return {}
    })
    const shell = fakeShell()
    setShell(shell.shell)
    show()
    await open()
    fireEvent.click((await dialog()).getByRole('button', { name: '关闭自动续费' }))
    expect(await screen.findByText('已关闭自动续费')).toBeTruthy()
    expect(await screen.findByRole('heading', { name: '暂无自动续费' })).toBeTruthy()
    expect(shell.calls.map(([name]) => name)).not.toContain('close_webview')
    await waitFor(() => expect(shell.calls.map(([name]) => name)).toContain('close_webview'), {
      timeout: 4_000,
    })
  })
})
