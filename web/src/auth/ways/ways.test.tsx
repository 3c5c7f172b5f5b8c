import { mailLogin, sendMailCode } from '@guildhall/wire/auth/mail.ts'
import { nameLogin, registerName } from '@guildhall/wire/auth/name.ts'
import { fail } from '@guildhall/wire/failure.ts'
import type { InviteCode } from '@guildhall/wire/id.ts'
import { cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { acceptInvite } from '../../invite/invite.ts'
import { readStored } from '../../kit/browser/storage.ts'
import { fakeServer } from '../../testing/fakeServer.ts'
import { sessionOf } from '../../testing/fixtures.ts'
import { press, type } from '../../testing/hands.ts'
import { renderAt } from '../../testing/renderAt.tsx'
import { sayWays } from '../../testing/sayWays.ts'
import ForgotScreen from '../ForgotScreen.tsx'
import LoginScreen from '../LoginScreen.tsx'
import WaysRegister from './WaysRegister.tsx'

let server: ReturnType<typeof fakeServer>
const showLogin = (query = '') =>
  renderAt(`/login${query}`, '/login', <LoginScreen acceptInvite={acceptInvite} />)
const register = vi.fn()
const showRegister = () =>
  renderAt(
    '/invite/AbCd1234',
    '/invite/:code',
    <WaysRegister
      code={'AbCd1234' as InviteCode}
      page="invite"
      submit="注册并加入"
      busy={false}
      onRegistered={register}
      sms={<p>用手机号注册</p>}
    />,
  )

beforeEach(() => {
  localStorage.clear()
  server = fakeServer()
  register.mockClear()
})
afterEach(() => {
  cleanup()
  sayWays('')
  vi.unstubAllGlobals()
})

test('by phone alone nothing of other ways is there', () => {
  sayWays('')
  showLogin()
  expect(screen.getByLabelText('手机号')).toBeTruthy()
  expect(screen.queryByLabelText('邮箱')).toBeNull()
})

test('an address that is none, and a missing code, are said under their fields and send nothing', async () => {
  sayWays('email')
  showLogin()
  await screen.findByLabelText('邮箱')
  press('登录')
  expect(screen.getByText('请输入邮箱地址')).toBeTruthy()
  expect(screen.getByText('请输入验证码')).toBeTruthy()
  type('邮箱', 'ann@example')
  press('获取验证码')
  expect(screen.getByText('邮箱格式错误')).toBeTruthy()
  expect([...server.received(sendMailCode), ...server.received(mailLogin)]).toEqual([])
})

test('a mail that was not taken is said under the address', async () => {
  sayWays('email')
  server.on(sendMailCode, () => fail('auth.address_refused'))
  showLogin()
  await screen.findByLabelText('邮箱')
  type('邮箱', 'ann@example.com')
  press('获取验证码')
  expect(await screen.findByText('这个邮箱收不到邮件，请检查地址')).toBeTruthy()
})

test('one logs in with an address by a code, whose button counts down, or by a password', async () => {
  sayWays('email')
  server.on(sendMailCode, () => ({}))
  server.on(mailLogin, () => fail('auth.account_wrong'))
  showLogin()
  await screen.findByLabelText('邮箱')
  type('邮箱', 'ann@example.com')
  press('获取验证码')
  expect(await screen.findByText(/^\d+s|后重发|60/)).toBeTruthy()
  expect(server.received(sendMailCode)).toMatchObject([{ address: 'ann@example.com', type: 'login' }])
  fireEvent.click(screen.getByRole('tab', { name: '密码登录' }))
  type('密码', 'secret2')
  press('登录')
  expect(await screen.findByText('账号或密码错误')).toBeTruthy()
  server.on(mailLogin, () => sessionOf())
  press('登录')
  await expect.poll(() => readStored('authorization')).toBe('tok')
  expect(server.received(mailLogin).at(-1)).toMatchObject({ address: 'ann@example.com', password: 'secret2' })
})

test('with several ways a person chooses one, which the device remembers', async () => {
  sayWays('sms.email.invite')
  showLogin()
  await screen.findByRole('tablist', { name: '登录账号' })
  const names = screen.getAllByRole('tab').map(({ textContent }) => textContent)
  expect(names).toEqual(['手机号', '邮箱', '用户名', '验证码登录', '密码登录'])
  fireEvent.click(screen.getByRole('tab', { name: '用户名' }))
  expect(screen.getByLabelText('用户名和编号')).toBeTruthy()
  expect(screen.getByText('忘记密码请联系管理员重设')).toBeTruthy()
  cleanup()
  showLogin()
  expect(await screen.findByLabelText('用户名和编号')).toBeTruthy()
})

test.each(['email', 'email.invite'])(
  'who registers by %s is asked for an address and a code alone',
  async (ways) => {
    localStorage.setItem('way', '"invite"')
    sayWays(ways)
    server.on(mailLogin, () => sessionOf())
    showLogin('?register=1')
    await screen.findByLabelText('邮箱')
    expect(screen.queryAllByRole('tab')).toEqual([])
    expect(screen.queryByRole('button', { name: '登录' })).toBeNull()
    expect(screen.getByText('新邮箱验证后会自动注册')).toBeTruthy()
    type('邮箱', 'ann@example.com')
    type('验证码', '123456')
    press('注册')
    await expect.poll(() => readStored('authorization')).toBe('tok')
  },
)

test('who registers chooses between a number and an address where both are on', async () => {
  sayWays('sms.email.invite')
  showLogin('?register=1')
  await screen.findByRole('tablist', { name: '注册方式' })
  expect(screen.getAllByRole('tab').map(({ textContent }) => textContent)).toEqual(['手机号', '邮箱'])
  expect(screen.getByRole('button', { name: '注册' })).toBeTruthy()
  fireEvent.click(screen.getByRole('tab', { name: '邮箱' }))
  expect(screen.getByRole('textbox', { name: '邮箱' })).toBeTruthy()
  expect(screen.getByRole('button', { name: '注册' })).toBeTruthy()
})

test('where one registers by invites alone the address of registering shows the login', async () => {
  sayWays('invite')
  showLogin('?register=1')
  await screen.findByLabelText('用户名和编号')
  expect(screen.getByRole('heading', { name: '登录' })).toBeTruthy()
})

test('one logs in by a name with its digits, and a name without says so', async () => {
  sayWays('invite')
  server.on(nameLogin, () => sessionOf())
  showLogin()
  await screen.findByLabelText('用户名和编号')
  type('用户名和编号', '小满')
  type('密码', 'secret1')
  press('登录')
  expect(screen.getByText('请输入用户名和编号，例如 小满#1234')).toBeTruthy()
  type('用户名和编号', '小满#1234')
  press('登录')
  await expect.poll(() => readStored('authorization')).toBe('tok')
  expect(server.received(nameLogin)).toMatchObject([{ name: '小满#1234', password: 'secret1' }])
})

test('who registers by a name is told what they log in with, before they go on', async () => {
  sayWays('invite')
  server.on(registerName, () => sessionOf({ username: '新人', identify_num: '4711' }))
  showRegister()
  press('注册并加入')
  expect(screen.getByText('请输入用户名')).toBeTruthy()
  type('用户名', '新人')
  type('设置密码', 'secret1')
  type('确认密码', 'secret1')
  press('注册并加入')
  expect(await screen.findByText('新人#4711')).toBeTruthy()
  expect(register).not.toHaveBeenCalled()
  press('继续')
  expect(register).toHaveBeenCalledOnce()
  expect(server.received(registerName)).toMatchObject([{ username: '新人', invite_code: 'AbCd1234' }])
})

test('who registers by an address goes on at once, and a second tap repeats only what follows', async () => {
  sayWays('email')
  server.on(mailLogin, () => sessionOf())
  showRegister()
  type('邮箱', 'ann@example.com')
  type('验证码', '123456')
  press('注册并加入')
  await expect.poll(() => register.mock.calls.length).toBe(1)
  press('注册并加入')
  await expect.poll(() => register.mock.calls.length).toBe(2)
  expect(server.received(mailLogin)).toMatchObject([{ address: 'ann@example.com', invite_code: 'AbCd1234' }])
})

test('a forgotten password is for the administrator where nothing can be sent', () => {
  sayWays('invite')
  renderAt('/forgot', '/forgot', <ForgotScreen />)
  expect(screen.getByRole('heading', { name: '忘记密码请联系管理员重设' })).toBeTruthy()
  expect(screen.queryByRole('button', { name: '重设密码' })).toBeNull()
})
