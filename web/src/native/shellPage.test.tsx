import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { fakeShell } from '../testing/fakeShell.ts'
import { Toasts } from '../ui/overlay/Toast.tsx'
import { setShell } from './shell.ts'
import { ShellFailure } from './shellFailure.ts'
import { askShell, closePage, hasNativeBar, openPage } from './shellPage.ts'

afterEach(() => {
  cleanup()
  setShell(null)
  vi.unstubAllGlobals()
})

const buy = { produce_id: '7' }

test.each([
  ['outside of the app', null, '请在 APP 内打开'],
  ['in a version without the call', fakeShell({ calls: [] }), '请在 APP 内使用该功能'],
  ['when the app refuses', answering(new ShellFailure('refused', '余额不足', 'declined')), '余额不足'],
  ['when the app refuses without words', answering(new ShellFailure('refused')), 'APP 拒绝了这次操作'],
  ['when the app does not answer', answering(new ShellFailure('timeout')), 'APP 没有回应，请稍后再试'],
  [
    'when its answer is wrong',
    answering(new ShellFailure('bad_answer', 'status: bad')),
    'APP 没有回应，请稍后再试',
  ],
] as const)('%s a purchase ends with words', async (_, it, text) => {
  setShell(it?.shell ?? null)
  render(<Toasts />)
  await act(async () => expect(await askShell('buy_produce_vip', buy)).toBeNull())
  expect(screen.getByText(text)).toBeTruthy()
})

function answering(failure: ShellFailure) {
  return fakeShell({}, { buy_produce_vip: failure })
}

test('a purchase that was made is answered', async () => {
  setShell(fakeShell({}, { buy_produce_vip: { status: 'success', order_id: '9' } }).shell)
  expect(await askShell('buy_produce_vip', buy)).toEqual({ status: 'success', order_id: '9' })
})

test('a bug of the page is none of the app', async () => {
  setShell(fakeShell({}, { buy_produce_vip: new ShellFailure('bad_data') }).shell)
  await expect(askShell('buy_produce_vip', buy)).rejects.toMatchObject({ name: 'bad_data' })
})

test('a plain page has nothing to close and no bar of the app', async () => {
  expect(await closePage()).toBe(false)
  expect(hasNativeBar()).toBe(false)
})

test('a page opens in a web view of its own with what it is given, and in this one where the app cannot', async () => {
  const it = fakeShell()
  setShell(it.shell)
  expect(hasNativeBar()).toBe(true)
  await openPage('/account/buff', { from: 'boost' })
  expect(it.calls).toEqual([
    ['new_page', { url: `${location.origin}/account/buff`, data: { from: 'boost' } }],
  ])
  setShell(fakeShell({ calls: ['close_webview'] }).shell)
  const assign = vi.fn()
  vi.stubGlobal('location', { origin: location.origin, assign })
  await openPage('/account/buff')
  expect(assign).toHaveBeenCalledWith('/account/buff')
  expect(await closePage()).toBe(true)
})
