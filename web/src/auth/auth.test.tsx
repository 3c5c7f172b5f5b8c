import { logout, sendCode } from '@guildhall/wire/auth/auth.ts'
import { login, verifyCodeLogin } from '@guildhall/wire/auth/login.ts'
import { fail } from '@guildhall/wire/failure.ts'
import { joinGuild } from '@guildhall/wire/invite/invite.ts'
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { acceptInvite } from '../invite/invite.ts'
import { readStored, writeStored } from '../kit/browser/storage.ts'
import { FROM_INVITE } from '../kit/paths.ts'
import { fakeServer } from '../testing/fakeServer.ts'
import { sessionOf } from '../testing/fixtures.ts'
import { press, type } from '../testing/hands.ts'
import { renderAt } from '../testing/renderAt.tsx'
import { logOut } from './auth.ts'
import LoginScreen from './LoginScreen.tsx'

let server: ReturnType<typeof fakeServer>
const show = (search = '') => {
  history.replaceState(null, '', `/login${search}`)
  return renderAt(`/login${search}`, '/login', <LoginScreen acceptInvite={acceptInvite} />)
}
const byPassword = () => fireEvent.click(screen.getByRole('tab', { name: '密码登录' }))

beforeEach(() => {
  localStorage.clear()
  server = fakeServer()
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('an empty form shows what is missing', () => {
  show()
  press('登录')
  expect(screen.getByText('请输入手机号')).toBeTruthy()
  expect(screen.getByText('请输入验证码')).toBeTruthy()
  byPassword()
  press('登录')
  expect(screen.getByText('请输入密码')).toBeTruthy()
  expect(server.received(login)).toEqual([])
})

test('who registers is asked for a number and a code alone, and gets to the login with what was asked for', () => {
  show('?register=1&redir=%2Fdiscover')
  expect(screen.getByRole('heading', { name: '注册' })).toBeTruthy()
  expect(screen.queryByRole('tab')).toBeNull()
  press('注册')
  expect(screen.getByText('请输入验证码')).toBeTruthy()
  fireEvent.click(screen.getByRole('link', { name: '已有账号？登录' }))
  expect(screen.getByRole('heading', { name: '登录' })).toBeTruthy()
  expect(screen.getByRole('tab', { name: '密码登录' })).toBeTruthy()
})

test.each(['1380000000', '23800000000', '138000000000'])('%s is not a Chinese mobile number', (number) => {
  show()
  type('手机号', number)
  press('获取验证码')
  expect(screen.getByText('手机号格式错误')).toBeTruthy()
  expect(server.received(sendCode)).toEqual([])
})

test.each([
  '+86 138 0000 0003',
  '0086-138-0000-0003',
  '8613800000003',
  '１３８ ００００ ０００３',
  '电话：+86 13800000003\u200b',
])('%s pasted beside +86 is a number without its country', async (pasted) => {
  server.on(sendCode, () => fail('auth.sms_failed'))
  show()
  type('手机号', pasted)
  expect((screen.getByLabelText('手机号') as HTMLInputElement).value).toBe('13800000003')
  press('获取验证码')
  await expect.poll(() => server.received(sendCode)).toMatchObject([{ mobile: '13800000003' }])
})

test('a number whose country there is not says so, and is not one of China', async () => {
  show()
  type('手机号', '+999 1380 000 0000')
  press('获取验证码')
  expect(await screen.findByText('没有区号为 +999 的国家或地区')).toBeTruthy()
  expect(screen.queryByText('手机号格式错误')).toBeNull()
  expect(server.received(sendCode)).toEqual([])
  type('手机号', '1380')
  expect(screen.queryByText('没有区号为 +999 的国家或地区')).toBeNull()
})

test.each([
  ['+852 6123 4567', 'HK', '852', '61234567'],
  ['00852-6123-4567', 'HK', '852', '61234567'],
  ['+1 212 555 0123', 'US', '1', '2125550123'],
  ['+1 604 555 0123', 'CA', '1', '6045550123'],
  ['+7 912 345-67-89', 'RU', '7', '9123456789'],
])('%s chooses its country, and the number remains', async (pasted, abbr, code, mobile) => {
  server.on(sendCode, () => fail('auth.sms_failed'))
  show()
  type('手机号', pasted)
  expect(await screen.findByRole('button', { name: `国家或地区：${abbr}，+${code}` })).toBeTruthy()
  expect((screen.getByLabelText('手机号') as HTMLInputElement).value).toBe(mobile)
  expect(readStored('country')).toEqual({ abbr, code })
  press('获取验证码')
  await expect.poll(() => server.received(sendCode)).toMatchObject([{ mobile, mobile_prefix: code }])
})

test('a number with its country is also chosen as it is typed, and without a code of the country nothing is', async () => {
  show()
  for (const typed of ['+', '+8', '+85']) type('手机号', typed)
  expect(screen.getByRole('button', { name: '国家或地区：CN，+86' })).toBeTruthy()
  type('手机号', '+8526')
  expect(await screen.findByRole('button', { name: '国家或地区：HK，+852' })).toBeTruthy()
  expect((screen.getByLabelText('手机号') as HTMLInputElement).value).toBe('6')
})

test('of countries that share a code the one that was chosen stays', async () => {
  writeStored('country', { abbr: 'CA', code: '1' })
  show()
  type('手机号', '+1 604 555 0123')
  expect((screen.getByLabelText('手机号') as HTMLInputElement).value).toBe('6045550123')
  expect(screen.getByRole('button', { name: '国家或地区：CA，+1' })).toBeTruthy()
})

test('a pasted code is read before it is cut', () => {
  show()
  const field = screen.getByLabelText('验证码') as HTMLInputElement
  expect(field.maxLength).toBe(-1)
  type('验证码', '【公会厅】 １２３-４５\u200b６７')
  expect(field.value).toBe('123456')
})

test('what an input method composes is read when it is done', () => {
  show()
  const field = screen.getByLabelText('验证码') as HTMLInputElement
  fireEvent.compositionStart(field)
  fireEvent.input(field, { target: { value: '１ ２' }, isComposing: true })
  expect(field.value).toBe('１ ２')
  fireEvent.compositionEnd(field)
  expect(field.value).toBe('12')
})

test('a country that gets no codes is named under the number', async () => {
  server.on(sendCode, () => fail('auth.prefix_refused'))
  show()
  type('手机号', '13800000000')
  press('获取验证码')
  expect(await screen.findByText('暂不支持该国家或地区的手机号')).toBeTruthy()
  expect(screen.getByLabelText('手机号').getAttribute('aria-invalid')).toBe('true')
})

test('a wrong password is shown under the password', async () => {
  server.on(login, () => fail('auth.password_wrong'))
  show()
  byPassword()
  type('手机号', '13800000000')
  type('密码', 'nope')
  press('登录')
  expect(await screen.findByText('手机号或密码错误')).toBeTruthy()
  expect(screen.getByLabelText('密码').getAttribute('aria-invalid')).toBe('true')
})

test.each(['auth.mobile_wrong', 'auth.mobile_required'] as const)(
  'the server’s %s is shown in the words of this form',
  async (name) => {
    server.on(login, () => fail(name))
    show()
    byPassword()
    type('手机号', '13800000000')
    type('密码', 'nope')
    press('登录')
    const text = name === 'auth.mobile_wrong' ? '手机号格式错误' : '请输入手机号'
    expect(await screen.findByText(text)).toBeTruthy()
  },
)

test('whoever has an account comes from an invite to its password', () => {
  const at = { pathname: '/login', state: FROM_INVITE }
  renderAt(at, '/login', <LoginScreen acceptInvite={acceptInvite} />)
  expect(screen.getByRole('tab', { name: '密码登录' }).getAttribute('aria-selected')).toBe('true')
  expect(screen.getByLabelText('密码')).toBeTruthy()
})

test('a forgotten password has its way out, and password managers know the fields', () => {
  show()
  expect(screen.queryByRole('link', { name: '忘记密码？' })).toBeNull()
  byPassword()
  expect(screen.getByRole('link', { name: '忘记密码？' }).getAttribute('href')).toBe('/forgot')
  expect(screen.getByLabelText('手机号').getAttribute('autocomplete')).toBe('username')
  expect(screen.getByLabelText('密码').getAttribute('autocomplete')).toBe('current-password')
})

test('a refusal that belongs to no field is a toast, and stays readable above the button', async () => {
  server.on(login, () => fail('auth.banned'))
  show()
  byPassword()
  type('手机号', '13800000000')
  type('密码', 'x')
  press('登录')
  await waitFor(() => expect(screen.getByRole('status').textContent).toBe('该账号已被封禁'))
  // Announced once, by the toast.
  expect(screen.queryByRole('alert')).toBeNull()
  const [inForm] = screen.getAllByText('该账号已被封禁')
  expect(inForm?.closest('form')).toBeTruthy()
})

test('a password logs in and leads to the guilds', async () => {
  server.on(login, () => sessionOf())
  show()
  byPassword()
  type('手机号', '13800000000')
  type('密码', 'secret1')
  press('登录')
  expect(await screen.findByText('at /channels/')).toBeTruthy()
  expect(server.received(login)).toMatchObject([
    { mobile: '13800000000', mobile_prefix: '86', password: 'secret1', remember: true },
  ])
  expect(readStored('authorization')).toBe('tok')
})

test('after logging in the redirect is followed', async () => {
  server.on(verifyCodeLogin, () => sessionOf())
  show('?redir=%2Fchannels%2F10%2F20')
  type('手机号', '13800000000')
  type('验证码', '123456')
  press('登录')
  expect(await screen.findByText('at /channels/10/20')).toBeTruthy()
})

test.each([
  'https://evil.example/',
  '/.//evil.example',
  '/\\evil.example',
  '/%2f/evil.example',
  '/%',
  '/login',
])('after logging in the redirect %s is not followed, and the guilds are shown', async (redir) => {
  server.on(verifyCodeLogin, () => sessionOf())
  show(`?redir=${encodeURIComponent(redir)}`)
  type('手机号', '13800000000')
  type('验证码', '123456')
  press('登录')
  expect(await screen.findByText('at /channels/')).toBeTruthy()
})

test('an invite accepted before logging in is joined afterwards', async () => {
  writeStored('pending_join', { id: '10', code: 'abcdef' })
  server.on(verifyCodeLogin, () => sessionOf())
  server.on(joinGuild, () => ({
    id: '10' as never,
    guild_id: '10' as never,
    channel_id: '20',
    joined_now: true,
  }))
  show()
  type('手机号', '13800000000')
  type('验证码', '123456')
  press('登录')
  expect(await screen.findByText('at /channels/10')).toBeTruthy()
  expect(server.received(joinGuild)).toEqual([{ code: 'abcdef' }])
  expect(readStored('pending_join')).toBeNull()
})

test('an invite that has become invalid does not block the login', async () => {
  writeStored('pending_join', { id: '10', code: 'abcdef' })
  server.on(verifyCodeLogin, () => sessionOf())
  server.on(joinGuild, () => fail('invite.expired'))
  show()
  type('手机号', '13800000000')
  type('验证码', '123456')
  press('登录')
  expect(await screen.findByText('at /channels/')).toBeTruthy()
  expect(screen.getByText('邀请已过期')).toBeTruthy()
})

test('logging out deletes the stored session even when the server cannot be reached', async () => {
  writeStored('authorization', 'tok')
  server.on(logout, () => {
    throw new TypeError('down')
  })
  await logOut()
  expect(readStored('authorization')).toBeNull()
})
