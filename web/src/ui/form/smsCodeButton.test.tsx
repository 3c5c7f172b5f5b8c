import { sendCode } from '@guildhall/wire/auth/auth.ts'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { clearUserStorage } from '../../kit/browser/storage.ts'
import { fakeServer } from '../../testing/fakeServer.ts'
import { SmsCodeButton } from './SmsCodeButton.tsx'

let server: ReturnType<typeof fakeServer>
let number = 0
const show = (page: string, mobile: string) => (
  <SmsCodeButton
    page={page}
    type="login"
    prefix="86"
    mobile={mobile}
    check={() => true}
    onFailure={() => undefined}
  />
)

beforeEach(() => {
  clearUserStorage()
  server = fakeServer()
  server.on(sendCode, () => ({}))
  number += 1
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('who got a code on one page waits on every other, and may ask for another number at once', async () => {
  const [mobile, other] = [`1380000000${number}`, `1380000100${number}`]
  const { unmount } = render(show('login', mobile))
  fireEvent.click(screen.getByRole('button', { name: '获取验证码' }))
  expect(await screen.findByRole('button', { name: /秒后重新发送/ })).toBeTruthy()
  unmount()
  const { rerender } = render(show('forgot', ''))
  expect(screen.getByRole('button', { name: '获取验证码' })).toBeTruthy()
  rerender(show('forgot', mobile))
  expect(screen.getByRole('button', { name: /秒后重新发送/ })).toBeTruthy()
  rerender(show('forgot', other))
  expect(screen.getByRole('button', { name: '获取验证码' })).toBeTruthy()
})

test('who got a code to the number of the account, which is shown masked, waits where it is typed', async () => {
  const { rerender } = render(show('delete', '*******4321'))
  fireEvent.click(screen.getByRole('button', { name: '获取验证码' }))
  expect(await screen.findByRole('button', { name: /秒后重新发送/ })).toBeTruthy()
  expect(server.received(sendCode)).toMatchObject([{ mobile: '' }])
  rerender(show('login', '13800004321'))
  expect(screen.getByRole('button', { name: /秒后重新发送/ })).toBeTruthy()
  rerender(show('login', '13800004322'))
  expect(screen.getByRole('button', { name: '获取验证码' })).toBeTruthy()
})
