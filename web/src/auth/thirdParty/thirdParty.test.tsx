import { CLIENT_SOURCE_HEADER } from '@guildhall/wire/auth/source.ts'
import { thirdPartBindMobile, thirdPartLogin } from '@guildhall/wire/auth/thirdParty.ts'
import { offeredThirdParties } from '@guildhall/wire/auth/thirdPartyNames.ts'
import { fail } from '@guildhall/wire/failure.ts'
import { cleanup, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { acceptInvite } from '../../invite/invite.ts'
import { readStored, writeStored } from '../../kit/browser/storage.ts'
import { fakeServer } from '../../testing/fakeServer.ts'
import { sessionOf } from '../../testing/fixtures.ts'
import { press, type } from '../../testing/hands.ts'
import { renderAt } from '../../testing/renderAt.tsx'
import BindMobileScreen from '../change/BindMobileScreen.tsx'
import LoginScreen from '../LoginScreen.tsx'
import { readReturn } from './thirdPartyReturn.ts'

let server: ReturnType<typeof fakeServer>
const open = (search: string) => {
  history.replaceState(null, '', `/login${search}`)
  renderAt(`/login${search}`, '/login', <LoginScreen acceptInvite={acceptInvite} />)
}
const info = { bind_info: 'sealed', token_type: 'qq' as const, nickname: '小林' }
const openBind = (search = '') => {
  history.replaceState(null, '', `/bindmobile${search}`)
  renderAt(`/bindmobile${search}`, '/bindmobile', <BindMobileScreen acceptInvite={acceptInvite} />)
}

beforeEach(() => {
  localStorage.clear()
  server = fakeServer()
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

describe('an address', () => {
  test.each(['', '?code=x', '?state=qq&code=x', '?state=qqloginx&code=x', '?state=qqlogin.a.b&code=x'])(
    '%j brings no answer of a third party',
    (search) => expect(readReturn(search)).toBeNull(),
  )
  test('brings the answer of one, in both forms of the state', () => {
    expect(readReturn('?state=qqlogin&code=c')).toMatchObject({ provider: 'qq', code: 'c', isError: false })
    expect(readReturn('?code=c&state=wxlogin.n')).toMatchObject({ provider: 'weixin', state: 'wxlogin.n' })
    expect(readReturn('?usercancel=1&state=qqlogin.n')).toMatchObject({ code: '' })
    expect(readReturn('?code=100030&msg=x&state=qqlogin.n')).toMatchObject({ isError: true })
  })
})

test('only what the server says is offered', () => {
  expect(offeredThirdParties('')).toEqual([])
  expect(offeredThirdParties('xlogins=qq; a=b')).toEqual([])
  expect(offeredThirdParties('a=b; logins=weixin.qq.evil; c=d')).toEqual(['qq', 'weixin'])
  open('')
  expect(screen.queryByRole('link', { name: 'QQ 登录' })).toBeNull()
})

describe('a return', () => {
  test('logs in by itself, and says so meanwhile', async () => {
    writeStored('login_redir', '/channels/10/20')
    const answered = Promise.withResolvers<void>()
    server.on(thirdPartLogin, async () => {
      await answered.promise
      return sessionOf()
    })
    open('?code=c1&state=wxlogin.n1')
    expect(await screen.findByText('正在通过微信登录…')).toBeTruthy()
    answered.resolve()
    expect(await screen.findByText('at /channels/')).toBeTruthy()
    expect(server.received(thirdPartLogin)).toEqual([
      { token_type: 'weixin', auth_code: 'c1', state: 'wxlogin.n1', remember: true, type: 'h5' },
    ])
    expect(readStored('login_redir')).toBeNull()
    expect(readStored('authorization')).toBe('tok')
  })

  test('without a user leads to the page that binds', async () => {
    server.on(thirdPartLogin, () => fail('auth.bind_needed', info))
    open('?code=c1&state=qqlogin.n1')
    expect(await screen.findByText('at /bindmobile')).toBeTruthy()
    expect(readStored('bind_info')).toEqual(info)
  })

  test('that is refused shows the form and why, and is not sent again', async () => {
    server.on(thirdPartLogin, () => fail('auth.third_part_state'))
    open('?code=c1&state=qqlogin.n1')
    expect(await screen.findAllByText('登录未完成或已失效，请重新登录')).toBeTruthy()
    expect(screen.getByRole('status').textContent).toBe('登录未完成或已失效，请重新登录')
    expect(screen.getByRole('button', { name: '登录' })).toBeTruthy()
    expect(server.received(thirdPartLogin)).toHaveLength(1)
  })

  test('with an error of the provider is not sent', async () => {
    open('?code=100030&msg=denied&state=qqlogin.n1')
    expect(await screen.findAllByText('QQ 登录失败，请重试')).toBeTruthy()
    expect(server.received(thirdPartLogin)).toEqual([])
  })
})

describe('/bindmobile', () => {
  test('leads to the login without an account to bind', async () => {
    openBind('?redir=%2Fchannels%2F10')
    expect(await screen.findByText('at /login?redir=%2Fchannels%2F10')).toBeTruthy()
  })

  test('asks before it replaces another account, and sends the same again', async () => {
    writeStored('bind_info', info)
    server.on(thirdPartBindMobile, ({ replace }) => (replace ? sessionOf() : fail('auth.bind_other')))
    openBind('?redir=%2Fchannels%2F10%2F20')
    type('手机号', '13800000000')
    type('验证码', '123456')
    press('绑定并登录')
    await screen.findByRole('alertdialog', { name: '账号绑定提示' })
    press('继续绑定')
    expect(await screen.findByText('at /channels/10/20')).toBeTruthy()
    expect(server.received(thirdPartBindMobile).map(({ replace }) => replace)).toEqual([false, true])
    expect(readStored('bind_info')).toBeNull()
  })

  test('says where its user comes from, and refuses in the words of its fields', async () => {
    writeStored('bind_info', info)
    const sent: unknown[] = []
    server.on(thirdPartBindMobile, () => fail('auth.mobile_wrong'))
    const { fetch } = globalThis
    vi.stubGlobal('fetch', (address: string, init: RequestInit) => {
      sent.push((init.headers as Record<string, string>)[CLIENT_SOURCE_HEADER])
      return fetch(address, init)
    })
    openBind()
    type('手机号', '13800000000')
    type('验证码', '123456')
    press('绑定并登录')
    expect(await screen.findByText('手机号格式错误')).toBeTruthy()
    expect(sent).toEqual(['0'])
  })

  test('leads to the login when it came too late', async () => {
    writeStored('bind_info', info)
    server.on(thirdPartBindMobile, () => fail('auth.bind_expired'))
    openBind()
    type('手机号', '13800000000')
    type('验证码', '123456')
    press('绑定并登录')
    expect(await screen.findByText('at /login')).toBeTruthy()
    expect(screen.getByText('绑定已失效，请重新登录')).toBeTruthy()
    expect(readStored('bind_info')).toBeNull()
  })
})
