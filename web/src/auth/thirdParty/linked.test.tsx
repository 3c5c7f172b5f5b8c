/** Accounts at third parties are linked where they are listed. */
import { linkThirdParty, listThirdParties } from '@guildhall/wire/auth/linked.ts'
import { thirdPartLogin } from '@guildhall/wire/auth/thirdParty.ts'
import { userState } from '@guildhall/wire/auth/userState.ts'
import { type FailureName, fail } from '@guildhall/wire/failure.ts'
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { acceptInvite } from '../../invite/invite.ts'
import { readStored, writeStored } from '../../kit/browser/storage.ts'
import { fakeServer } from '../../testing/fakeServer.ts'
import { sessionOf } from '../../testing/fixtures.ts'
import { press, pressSoon, typeSoon } from '../../testing/hands.ts'
import { renderAt } from '../../testing/renderAt.tsx'
import LoginScreen from '../LoginScreen.tsx'
import LinkedScreen from './LinkedScreen.tsx'
import type { ThirdPartyAnswer } from './thirdPartyReturn.ts'

let server: ReturnType<typeof fakeServer>
const offer = (names: string) => {
  // biome-ignore lint/suspicious/noDocumentCookie: as the server sets it
  document.cookie = `logins=${names}; path=/`
}
beforeEach(() => {
  localStorage.clear()
  writeStored('authorization', 'tok')
  offer('qq.weixin')
  server = fakeServer()
  server.on(listThirdParties, () => ({ items: [{ token_type: 'weixin' as const, created_at: 1 }] }))
  server.on(userState, () => ({ ...sessionOf(), has_password: true }))
})
afterEach(() => {
  cleanup()
  offer('')
  vi.unstubAllGlobals()
})

const ANSWER: ThirdPartyAnswer = { provider: 'qq', state: 'qqlogin.n1', code: 'c1', isError: false }
const open = (returned?: Partial<ThirdPartyAnswer>) =>
  renderAt(
    { pathname: '/account/linked', state: returned ? { returned: { ...ANSWER, ...returned } } : null },
    '/account/linked',
    <LinkedScreen />,
    sessionOf().user,
  )
const prove = async () => {
  await typeSoon('当前密码', 'secret1')
  press('绑定 QQ')
}

test('what is not linked begins its dialogue from its row, and what is linked can be unlinked', async () => {
  open()
  const link = await screen.findByRole('link', { name: '绑定 QQ' })
  expect(link.getAttribute('href')).toBe('/api/v2/auth/third-part/qq')
  link.addEventListener('click', (event) => event.preventDefault())
  fireEvent.click(link)
  expect(readStored('login_redir')).toBe('/account/linked')
  expect(screen.getByRole('button', { name: '解绑微信' })).toBeTruthy()
  expect(screen.queryByRole('link', { name: '绑定微信' })).toBeNull()
})

test('the answer of a dialogue that began there goes back there, and logs nobody in', async () => {
  writeStored('login_redir', '/account/linked')
  history.replaceState(null, '', '/login?code=c1&state=qqlogin.n1')
  renderAt('/login', '/login', <LoginScreen acceptInvite={acceptInvite} />)
  expect(await screen.findByText('at /account/linked')).toBeTruthy()
  expect(server.received(thirdPartLogin)).toEqual([])
  expect(readStored('login_redir')).toBeNull()
})

test.each([
  [{ code: '' }, '已取消绑定 QQ'],
  [{ isError: true }, 'QQ 没有完成授权，请重试'],
])('a dialogue that brought nothing says so: %j', async (returned, words) => {
  open(returned)
  expect((await screen.findByRole('alert')).textContent).toBe(words)
  expect(server.received(linkThirdParty)).toEqual([])
})

test('an answer is linked once its owner is proven', async () => {
  server.on(linkThirdParty, () => ({}))
  open({})
  await prove()
  expect(await screen.findByText('已绑定')).toBeTruthy()
  expect(await screen.findByRole('button', { name: '解绑微信' })).toBeTruthy()
  expect(server.received(linkThirdParty)).toEqual([
    {
      token_type: 'qq',
      auth_code: 'c1',
      state: 'qqlogin.n1',
      owner: { password: 'secret1', code: '' },
    },
  ])
})

test('a wrong proof is said under its field, and may be typed again', async () => {
  server.on(linkThirdParty, () => fail('auth.password_wrong'))
  open({})
  await prove()
  expect(await screen.findByText('当前密码错误')).toBeTruthy()
  server.on(linkThirdParty, () => ({}))
  await prove()
  expect(await screen.findByText('已绑定')).toBeTruthy()
})

test.each<[FailureName, string]>([
  ['auth.third_part_taken', '这个第三方账号已绑定其他用户'],
  ['auth.bind_other', '这个账号已绑定另一个 QQ 账号，请先解绑'],
  ['auth.third_part_state', '绑定未完成或已失效，请重新绑定'],
  ['auth.third_part_refused', 'QQ 没有完成授权，请重试'],
  ['auth.third_part_failed', '第三方登录暂时不可用，请稍后再试'],
])('a refusal that no proof changes leads back to the list, which says why: %s', async (name, words) => {
  server.on(linkThirdParty, () => fail(name))
  open({})
  await prove()
  await waitFor(() => expect(screen.getByRole('alert').textContent).toBe(words))
  expect(screen.getByRole('link', { name: '绑定 QQ' })).toBeTruthy()
})

test('who gives up at the proof finds the list', async () => {
  open({})
  await screen.findByLabelText('当前密码')
  await pressSoon('返回')
  expect(await screen.findByRole('link', { name: '绑定 QQ' })).toBeTruthy()
  expect(screen.queryByRole('alert')).toBeNull()
})

test('a second try of what was linked already, whose answer was lost, shows it as linked', async () => {
  open({})
  server.on(linkThirdParty, () => {
    server.on(listThirdParties, () => ({ items: [{ token_type: 'qq' as const, created_at: 1 }] }))
    return fail('auth.third_part_state')
  })
  await prove()
  expect(await screen.findByRole('button', { name: '解绑 QQ' })).toBeTruthy()
  expect(screen.queryByRole('alert')).toBeNull()
})
