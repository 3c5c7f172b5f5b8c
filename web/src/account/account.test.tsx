import { secondFactorState } from '@guildhall/wire/auth/secondFactor.ts'
import { userState } from '@guildhall/wire/auth/userState.ts'
import { viewRealName } from '@guildhall/wire/realname/realname.ts'
import type { Self } from '@guildhall/wire/user/user.ts'
import { cleanup, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fakeServer } from '../testing/fakeServer.ts'
import { sessionOf } from '../testing/fixtures.ts'
import { renderAt } from '../testing/renderAt.tsx'
import { sayWays } from '../testing/sayWays.ts'
import AccountScreen from './AccountScreen.tsx'

beforeEach(() => {
  localStorage.clear()
  const server = fakeServer()
  server.on(userState, () => sessionOf())
  server.on(secondFactorState, () => ({ on: false, since: 0, recovery_codes: 0 }))
  server.on(viewRealName, () => ({ offered: false, verified: false, verified_at: 0, name: '', number: '' }))
})
afterEach(() => {
  cleanup()
  sayWays('')
  vi.unstubAllGlobals()
})

const rowsFor = (ways: string, me: Partial<Self>) => {
  sayWays(ways)
  renderAt('/account', '/account', <AccountScreen />, {
    ...sessionOf().user,
    address: undefined,
    ...me,
  } as Self)
  return screen.getAllByRole('link').map((row) => `${row.textContent} ${row.getAttribute('href')}`)
}
const verify = '/authenticate?redir=%2Faccount'

test.each([
  ['', { mobile_verified: false, mobile: '' }, `手机号去验证 ${verify}`],
  ['email', { mobile_verified: false, mobile: '' }, `邮箱去验证 ${verify}`],
  ['sms.email', { mobile_verified: false, mobile: '' }, `手机号或邮箱去验证 ${verify}`],
  ['sms.email', { mobile_verified: true, mobile: '****0001' }, '手机号****0001 /account/number'],
  ['email', { mobile_verified: true, mobile: '****0001' }, '手机号****0001 /account/number'],
  ['sms', { mobile_verified: true, mobile: '', address: 'a***@a.cn' }, '邮箱a***@a.cn /account/number'],
])('with %s the row names what one has, or what can be verified', (ways, me, row) => {
  expect(rowsFor(ways, me)).toContain(row)
})

test('what renews itself and codes have their rows', () => {
  const rows = rowsFor('', { mobile_verified: false, mobile: '' })
  expect(rows).toContain('续费管理 /renewal/management?type=buff')
  expect(rows).toContain('兑换码 /cdk')
})

test('by invites alone no row asks for anything', () => {
  expect(rowsFor('invite', { mobile_verified: true, mobile: '' }).join()).not.toMatch(
    /手机号|邮箱|authenticate/,
  )
})
