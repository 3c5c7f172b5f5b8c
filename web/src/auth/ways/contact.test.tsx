import { listThirdParties } from '@guildhall/wire/auth/linked.ts'
import { thirdPartBindMail } from '@guildhall/wire/auth/mail.ts'
import { userState } from '@guildhall/wire/auth/userState.ts'
import { fail } from '@guildhall/wire/failure.ts'
import type { Self } from '@guildhall/wire/user/user.ts'
import { cleanup, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { acceptInvite } from '../../invite/invite.ts'
import { writeStored } from '../../kit/browser/storage.ts'
import { fakeServer } from '../../testing/fakeServer.ts'
import { sessionOf } from '../../testing/fixtures.ts'
import { press, type } from '../../testing/hands.ts'
import { renderAt } from '../../testing/renderAt.tsx'
import { sayWays } from '../../testing/sayWays.ts'
import AuthenticateScreen from '../AuthenticateScreen.tsx'
import BindMobileScreen from '../change/BindMobileScreen.tsx'
import DeleteAccountScreen from '../change/DeleteAccountScreen.tsx'
import LinkedScreen from '../thirdParty/LinkedScreen.tsx'

let server: ReturnType<typeof fakeServer>
beforeEach(() => {
  localStorage.clear()
  writeStored('authorization', 'tok')
  server = fakeServer()
  server.on(listThirdParties, () => ({ items: [] }))
})
afterEach(() => {
  cleanup()
  sayWays('')
  vi.unstubAllGlobals()
})

const setsPassword = (me: Partial<Self>) => {
  server.on(userState, () => ({ ...sessionOf(me), has_password: false }))
  renderAt('/authenticate', '/authenticate', <AuthenticateScreen keptInviteCode={async () => null} />)
}

test.each([
  ['a number', { mobile: '****0001' }, '下次可以用手机号和密码登录'],
  ['an address', { mobile: '', address: 'a***@example.com' }, '下次可以用邮箱和密码登录'],
  ['a name', { mobile: '', identify_num: '4711' }, '下次可以用 小满#4711 和密码登录'],
])('who sets a password is told what they log in with: %s', async (_what, me, hint) => {
  setsPassword({ username: '小满', mobile_verified: true, ...me })
  expect(await screen.findByText(hint)).toBeTruthy()
})

test.each([
  ['a number', { mobile: '****0001' }, '所有设备会退出登录，手机号可以重新注册', '使用短信验证码'],
  [
    'an address',
    { mobile: '', address: 'a***@a.cn' },
    '所有设备会退出登录，邮箱可以重新注册',
    '使用邮件验证码',
  ],
  ['a name', { mobile: '' }, '所有设备会退出登录', null],
])(
  'deleting an account says what is free again, and where a code would go: %s',
  async (_what, more, fact, byCode) => {
    server.on(userState, () => ({ ...sessionOf(more), has_password: true }))
    const me = sessionOf(more).user
    renderAt('/account/delete', '/account/delete', <DeleteAccountScreen />, me)
    expect(await screen.findByText(fact)).toBeTruthy()
    expect(screen.queryByRole('button', { name: /^使用.*验证码/ })?.textContent ?? null).toBe(byCode)
  },
)

test.each([
  ['', /都可以用你的手机号登录/],
  ['email', /都可以用你的邮箱登录/],
  ['email.sms', /都可以用你的手机号或邮箱登录/],
])('how to link a third party says what is bound to it: %s', async (ways, hint) => {
  sayWays(ways)
  server.on(userState, () => sessionOf())
  renderAt('/account/linked', '/account/linked', <LinkedScreen />)
  expect(await screen.findByText(hint)).toBeTruthy()
})

test('by invites alone nothing says how to link one', async () => {
  sayWays('invite')
  server.on(userState, () => sessionOf())
  server.on(listThirdParties, () => ({ items: [{ token_type: 'qq' as const, created_at: 1 }] }))
  renderAt('/account/linked', '/account/linked', <LinkedScreen />)
  expect(await screen.findByText('QQ')).toBeTruthy()
  expect(screen.queryByText(/都可以用你的/)).toBeNull()
})

test('binding an address that another account of the provider has asks about the address', async () => {
  sayWays('email')
  writeStored('bind_info', { bind_info: 'sealed', token_type: 'qq', nickname: '小满' })
  server.on(thirdPartBindMail, () => fail('auth.bind_other'))
  renderAt('/bindmobile', '/bindmobile', <BindMobileScreen acceptInvite={acceptInvite} />)
  type('邮箱', 'ann@example.com')
  type('验证码', '123456')
  press('绑定并登录')
  expect(await screen.findByText('重新绑定会清除该邮箱原有的第三方登录信息，是否继续？')).toBeTruthy()
})
