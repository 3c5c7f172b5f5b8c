import { sendCode } from '@guildhall/wire/auth/auth.ts'
import { type ChangedSelf, forgotPassword, updateSelf, verifyMobile } from '@guildhall/wire/auth/owner.ts'
import { userState } from '@guildhall/wire/auth/userState.ts'
import { type FailureName, fail } from '@guildhall/wire/failure.ts'
import { cleanup, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { readStored, writeStored } from '../../kit/browser/storage.ts'
import { fakeServer } from '../../testing/fakeServer.ts'
import { sessionOf } from '../../testing/fixtures.ts'
import { pressSoon, typeSoon } from '../../testing/hands.ts'
import { renderAt } from '../../testing/renderAt.tsx'
import AuthenticateScreen from '../AuthenticateScreen.tsx'
import ForgotScreen from '../ForgotScreen.tsx'

let server: ReturnType<typeof fakeServer>
let account = { mobile_verified: false, has_password: false }
const state = () => ({ ...sessionOf(account), has_password: account.has_password })
const changed = (more: Partial<typeof account>): ChangedSelf => {
  account = { ...account, ...more }
  const { user, has_password } = state()
  return { ...user, user, has_password }
}
const verify = (search = '', kept: string | null = null) =>
  renderAt(
    `/authenticate${search}`,
    '/authenticate',
    <AuthenticateScreen keptInviteCode={async () => kept} />,
  )
const forgot = () => renderAt('/forgot', '/forgot', <ForgotScreen />)
/** The error of a field, which is tied to it. */
const errorOf = (label: string) => {
  const field = screen.getByLabelText(label)
  return document.getElementById(field.getAttribute('aria-describedby') ?? '')?.textContent
}

beforeEach(() => {
  localStorage.clear()
  writeStored('authorization', 'tok')
  account = { mobile_verified: false, has_password: false }
  server = fakeServer()
  server.on(userState, () => state())
  server.on(verifyMobile, () => changed({ mobile_verified: true }))
  server.on(updateSelf, () => changed({ has_password: true }))
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('somebody who is not logged in is led to the login, and back afterwards', async () => {
  localStorage.clear()
  verify('?redir=%2Fchannels%2F10')
  const back = encodeURIComponent('/authenticate?redir=%2Fchannels%2F10')
  expect(await screen.findByText(`at /login?redir=${back}`)).toBeTruthy()
})

test('step 1 names what is missing or wrong, and the first wrong field has the focus', async () => {
  verify()
  await pressSoon('验证')
  expect(errorOf('手机号')).toBe('请输入手机号')
  expect(errorOf('验证码')).toBe('请输入验证码')
  expect(document.activeElement).toBe(screen.getByLabelText('手机号'))
  await typeSoon('手机号', '1380000000')
  await pressSoon('获取验证码')
  expect(errorOf('手机号')).toBe('手机号格式错误')
  await typeSoon('验证码', '123456')
  await pressSoon('验证')
  expect(errorOf('手机号')).toBe('手机号格式错误')
  expect(server.received(sendCode)).toEqual([])
  expect(server.received(verifyMobile)).toEqual([])
})

test.each<[FailureName, string, string]>([
  ['auth.mobile_wrong', '手机号', '手机号格式错误'],
  ['auth.mobile_taken', '手机号', '该手机号已被其他账号使用'],
  ['auth.code_wrong', '验证码', '验证码错误'],
  ['auth.code_expired', '验证码', '验证码已失效，请重新获取'],
])('step 1 shows %s under its field', async (name, label, text) => {
  server.on(verifyMobile, () => fail(name))
  verify()
  await typeSoon('手机号', '13800000000')
  await typeSoon('验证码', '123456')
  await pressSoon('验证')
  expect(await screen.findByText(text)).toBeTruthy()
  expect(errorOf(label)).toBe(text)
  await expect.poll(() => document.activeElement).toBe(screen.getByLabelText(label))
})

test('step 1 shows what belongs to no field above the button', async () => {
  server.on(verifyMobile, () => fail('auth.too_many_tries'))
  verify()
  await typeSoon('手机号', '13800000000')
  await typeSoon('验证码', '123456')
  await pressSoon('验证')
  expect((await screen.findByText('尝试次数过多，请稍后再试')).getAttribute('role')).toBe('alert')
})

test('step 2 names what is missing or wrong', async () => {
  account.mobile_verified = true
  verify()
  const rule = (await screen.findByLabelText<HTMLInputElement>('设置密码')).placeholder
  expect(rule).toBe('6-30 位字母和数字')
  await pressSoon('完成验证')
  expect(errorOf('设置密码')).toBe('请输入密码')
  await typeSoon('设置密码', 'secret')
  await pressSoon('完成验证')
  expect(errorOf('设置密码')).toBe('6-30 位字母和数字')
  await typeSoon('设置密码', 'secret1')
  await typeSoon('确认密码', 'secret2')
  await pressSoon('完成验证')
  expect(errorOf('确认密码')).toBe('请保持两次密码一致')
  expect(document.activeElement).toBe(screen.getByLabelText('确认密码'))
  expect(server.received(updateSelf)).toEqual([])
})

test('step 2 shows a wrong invite code under its field', async () => {
  account.mobile_verified = true
  server.on(updateSelf, () => fail('referral.invalid'))
  verify()
  await typeSoon('设置密码', 'secret1')
  await typeSoon('确认密码', 'secret1')
  await typeSoon('邀请码（选填）', 'x')
  await pressSoon('完成验证')
  expect(await screen.findByText('邀请码无效')).toBeTruthy()
  expect(errorOf('邀请码（选填）')).toBe('邀请码无效')
})

test('the invite code that the device keeps is filled in', async () => {
  account.mobile_verified = true
  verify('', 'ABCD2345')
  expect(await screen.findByDisplayValue('ABCD2345')).toBe(screen.getByLabelText('邀请码（选填）'))
})

test('both steps lead to the redirect, and the user is verified at once', async () => {
  server.on(sendCode, () => ({}))
  verify('?redir=%2Fchannels%2F10%2F20')
  await typeSoon('手机号', '13800000000')
  await pressSoon('获取验证码')
  expect(await screen.findByText('验证码已发送')).toBeTruthy()
  expect(server.received(sendCode)).toMatchObject([{ mobile: '13800000000', type: 'verify' }])
  await typeSoon('验证码', '123456')
  await pressSoon('验证')
  const password = await screen.findByLabelText('设置密码')
  expect(document.activeElement).toBe(password)
  expect(readStored('auth')?.mobile_verified).toBe(true)
  await typeSoon('设置密码', 'secret1')
  await typeSoon('确认密码', 'secret1')
  await typeSoon('邀请码（选填）', ' abc123 ')
  await pressSoon('完成验证')
  expect(await screen.findByText('at /channels/10/20')).toBeTruthy()
  expect(screen.getByText('验证已完成')).toBeTruthy()
  expect(server.received(verifyMobile)).toMatchObject([
    { mobile: { mobile: '13800000000', code: '123456', mobile_prefix: '86' } },
  ])
  expect(server.received(updateSelf)).toMatchObject([{ password: 'secret1', invite_code: 'abc123' }])
})

test('who is verified and has a password is led on', async () => {
  account = { mobile_verified: true, has_password: true }
  verify('?redir=%2Fchannels%2F10')
  expect(await screen.findByText('at /channels/10')).toBeTruthy()
})

test.each(['https://evil.example/', '/.//evil.example', '/login', '/authenticate'])(
  'the redirect %s is not followed',
  async (redir) => {
    account = { mobile_verified: true, has_password: true }
    verify(`?redir=${encodeURIComponent(redir)}`)
    expect(await screen.findByText('at /channels/')).toBeTruthy()
  },
)

test('password managers and one-time codes know the fields', async () => {
  verify()
  const kindOf = async (label: string) => (await screen.findByLabelText(label)).getAttribute('autocomplete')
  expect(await kindOf('手机号')).toBe('tel-national')
  expect(await kindOf('验证码')).toBe('one-time-code')
  cleanup()
  account.mobile_verified = true
  verify()
  expect(await kindOf('设置密码')).toBe('new-password')
  expect(await kindOf('确认密码')).toBe('new-password')
  expect(document.querySelector('input[autocomplete=username]')).toBeTruthy()
  cleanup()
  forgot()
  expect(await kindOf('手机号')).toBe('username')
})

test('a forgotten password: what is missing or wrong is named', async () => {
  forgot()
  await pressSoon('重设密码')
  expect(errorOf('手机号')).toBe('请输入手机号')
  expect(errorOf('验证码')).toBe('请输入验证码')
  expect(errorOf('设置密码')).toBe('请输入密码')
})

test.each<[FailureName, string, string]>([
  ['auth.no_account', '手机号', '该手机号还没有注册，请使用验证码登录'],
  ['auth.code_wrong', '验证码', '验证码错误'],
  ['auth.password_weak', '设置密码', '6-30 位字母和数字'],
])('a forgotten password: %s is shown under its field', async (name, label, text) => {
  server.on(forgotPassword, () => fail(name))
  forgot()
  await typeSoon('手机号', '13800000000')
  await typeSoon('验证码', '123456')
  await typeSoon('设置密码', 'secret1')
  await typeSoon('确认密码', 'secret1')
  await pressSoon('重设密码')
  expect(await screen.findByText(text)).toBeTruthy()
  expect(errorOf(label)).toBe(text)
})

test('a forgotten password is replaced, and the login page follows', async () => {
  server.on(forgotPassword, () => ({}))
  forgot()
  await typeSoon('手机号', '13800000000')
  await typeSoon('验证码', '123456')
  await typeSoon('设置密码', 'secret1')
  await typeSoon('确认密码', 'secret1')
  await pressSoon('重设密码')
  expect(await screen.findByText('at /login')).toBeTruthy()
  expect(screen.getByText('密码已重设，请用新密码登录')).toBeTruthy()
  expect(server.received(forgotPassword)).toEqual([
    { mobile: '13800000000', mobile_prefix: '86', code: '123456', password: 'secret1' },
  ])
})
