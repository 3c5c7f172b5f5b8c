import { mobileLogin, sendCode } from '@guildhall/wire/auth/auth.ts'
import { fail } from '@guildhall/wire/failure.ts'
import { viewReferral } from '@guildhall/wire/invite/referral.ts'
import { latestVersion, siteInfo } from '@guildhall/wire/site/site.ts'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { MemoryRouter, Route, Routes } from 'react-router'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { readStored, writeStored } from '../kit/browser/storage.ts'
import { forgetNativeApp } from '../native/openApp/openApp.ts'
import { forgetCodesSent } from '../testing/cookies.ts'
import { fakeServer } from '../testing/fakeServer.ts'
import { sessionOf, siteOf } from '../testing/fixtures.ts'
import { press, type } from '../testing/hands.ts'
import UserInviteScreen from './UserInviteScreen.tsx'

const CODE = 'K7P2W9XM'
let server: ReturnType<typeof fakeServer>
const referralOf = (username = '小满') => ({
  inviter: { username, identify_num: '0001', avatar: '' },
  user_invite_code: CODE as never,
})
const show = (code = CODE) =>
  render(
    <MemoryRouter initialEntries={[`/user-invite/${code}`]}>
      <Routes>
        <Route path="/user-invite/:code" element={<UserInviteScreen />} />
        <Route path="/channels/" element={<p>channels</p>} />
      </Routes>
    </MemoryRouter>,
  )
const boot = (data: object) => {
  const script = document.createElement('script')
  script.id = 'boot'
  script.type = 'application/json'
  script.textContent = JSON.stringify(data)
  document.body.append(script)
}
const opened = async (username?: string) => {
  server.on(viewReferral, () => referralOf(username))
  show()
  await screen.findByRole('button', { name: '接受邀请' })
}

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
  forgetCodesSent()
  server = fakeServer()
  server.on(sendCode, () => ({}))
  server.on(latestVersion, () => ({ url: '', version: '' }))
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  document.getElementById('boot')?.remove()
})

describe('the look-up', () => {
  test('of a code that cannot be one is not made, and a way on is offered', async () => {
    show('a b')
    expect(screen.getByRole('heading', { name: '邀请无效' })).toBeTruthy()
    expect(screen.getByRole('link', { name: '不用邀请，直接注册' }).getAttribute('href')).toBe('/login')
    expect(server.received(viewReferral)).toEqual([])
  })

  test('waits 500 ms', async () => {
    vi.useFakeTimers()
    server.on(viewReferral, () => referralOf())
    show()
    await vi.advanceTimersByTimeAsync(499)
    expect(server.received(viewReferral)).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(server.received(viewReferral)).toEqual([{ code: CODE }])
  })

  test('of nobody’s code says that the invite is invalid', async () => {
    server.on(viewReferral, () => fail('referral.invalid'))
    show()
    expect(await screen.findByRole('heading', { name: '邀请无效' })).toBeTruthy()
    expect(screen.getByText('该邀请可能已过期或已被关闭')).toBeTruthy()
    expect(screen.getByRole('link', { name: '不用邀请，直接注册' }).getAttribute('href')).toBe('/login')
    expect(document.documentElement.dataset.theme).toBe('dark')
  })

  test('that the network did not carry can be repeated', async () => {
    let down = true
    server.on(viewReferral, () => {
      if (down) throw new TypeError('down')
      return referralOf()
    })
    show()
    expect(await screen.findByText('网络错误')).toBeTruthy()
    down = false
    press('重试')
    expect(await screen.findByRole('heading', { name: '小满 邀请你使用公会厅' })).toBeTruthy()
  })

  test('is not waited for when the server wrote its result into the page', async () => {
    boot({ code: CODE, referral: referralOf() })
    server.on(viewReferral, () => {
      throw new TypeError('down')
    })
    show()
    expect(screen.getByRole('heading', { name: '小满 邀请你使用公会厅' })).toBeTruthy()
    await waitFor(() => expect(server.received(viewReferral)).toHaveLength(1))
    expect(screen.getByRole('heading', { name: '小满 邀请你使用公会厅' })).toBeTruthy()
    cleanup()
    document.getElementById('boot')?.remove()
    boot({ code: CODE, failure: 'referral.invalid' })
    show()
    expect(screen.getByRole('heading', { name: '邀请无效' })).toBeTruthy()
  })
})

describe('the form', () => {
  test('stands below the inviter’s own picture, and below their letters where they have none', async () => {
    const it = referralOf()
    server.on(viewReferral, () => ({ ...it, inviter: { ...it.inviter, avatar: '/assets/2026-11/a.png' } }))
    show()
    await screen.findByRole('button', { name: '接受邀请' })
    const pictures = [...document.querySelectorAll('img')].map((each) => each.getAttribute('src'))
    expect(pictures).toEqual(expect.arrayContaining(['/assets/2026-11/a.png?side=400']))
    cleanup()
    await opened('安然')
    expect(screen.getByText('安').className).toBe('invite-face letters')
  })

  test('has the inviter’s name cut to ten characters', async () => {
    await opened('一二三四五六七八九👨‍👩‍👧十一')
    expect(screen.getByRole('heading', { name: '一二三四五六七八九👨‍👩‍👧 邀请你使用公会厅' })).toBeTruthy()
  })

  test('asks for what is missing or wrong in its own words, before anything is sent', async () => {
    await opened()
    press('获取验证码')
    expect(screen.getByText('请输入手机号码')).toBeTruthy()
    press('接受邀请')
    expect(screen.getByText('请输入手机号码')).toBeTruthy()
    expect(screen.getByText('请输入验证码')).toBeTruthy()
    type('手机号码', '12345')
    press('接受邀请')
    expect(screen.getByText('手机号码不正确')).toBeTruthy()
    expect(document.activeElement).toBe(screen.getByLabelText('手机号码'))
    expect([...server.received(sendCode), ...server.received(mobileLogin)]).toEqual([])
  })

  test.each([
    ['auth.mobile_wrong', '手机号码不正确'],
    ['auth.code_wrong', '验证码错误'],
    ['auth.code_expired', '验证码已失效，请重新获取'],
    ['auth.too_many_tries', '尝试次数过多，请稍后再试'],
    ['auth.banned', '该账号已被封禁'],
  ] as const)('shows the refusal %s', async (name, text) => {
    server.on(mobileLogin, () => fail(name))
    await opened()
    type('手机号码', '13800000000')
    type('验证码', '123456')
    press('接受邀请')
    expect(await screen.findByText(text)).toBeTruthy()
    expect(screen.queryByText('邀请成功')).toBeNull()
  })

  test('links to the terms and the privacy policy', async () => {
    await opened()
    expect(screen.getByRole('link', { name: '用户协议' }).getAttribute('href')).toBe('/terms')
    expect(screen.getByRole('link', { name: '隐私政策' }).getAttribute('href')).toBe('/privacy')
  })
})

describe('after registering', () => {
  test('a dialog says whose invite was accepted, and its button leads into the app', async () => {
    server.on(mobileLogin, () => sessionOf())
    await opened('一二三四五六七八九十百')
    type('手机号码', '13800000000')
    type('验证码', '123456')
    press('接受邀请')
    press('接受邀请')
    expect(await screen.findByRole('alertdialog', { name: '邀请成功' })).toBeTruthy()
    expect(screen.getByText('你已成功接受 一二三四五六七八九十百 的邀请，祝你玩得开心')).toBeTruthy()
    expect(server.received(mobileLogin)).toEqual([
      {
        type: 'invite_reg',
        mobile: '13800000000',
        mobile_prefix: '86',
        code: '123456',
        remember: true,
        invite_code: CODE,
      },
    ])
    expect(readStored('authorization')).not.toBeNull()
    expect(readStored('invite_code')).toBeNull()
    press('进入公会厅')
    expect(await screen.findByText('channels')).toBeTruthy()
  })

  test('where there is an app, a button opens it or its store, and another one leads on', async () => {
    vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue('Mozilla/5.0 (Linux; Android 13) Mobile')
    const gone: string[] = []
    vi.spyOn(location, 'assign').mockImplementation((address) => void gone.push(String(address)))
    // biome-ignore lint/suspicious/noDocumentCookie: as the server does
    document.cookie = 'apps=android; path=/'
    forgetNativeApp()
    server.on(siteInfo, () => siteOf({ scheme: 'hall' }))
    server.on(mobileLogin, () => sessionOf())
    server.on(latestVersion, () => ({ url: 'https://store.test/app', version: '1.0' }))
    await opened()
    type('手机号码', '13800000000')
    type('验证码', '123456')
    press('接受邀请')
    expect(await screen.findByRole('button', { name: '进入公会厅' })).toBeTruthy()
    press('下载 APP')
    expect(await screen.findByText('channels')).toBeTruthy()
    await waitFor(() => expect(gone).toEqual([`hall://user-invite/${CODE}`]))
    await waitFor(() => expect(gone).toEqual([`hall://user-invite/${CODE}`, 'https://store.test/app']))
    // biome-ignore lint/suspicious/noDocumentCookie: as the server does
    document.cookie = 'apps=; path=/'
  })

  test('somebody who is logged in is led on instead of registering again', async () => {
    writeStored('authorization', 'token')
    server.on(viewReferral, () => referralOf())
    show()
    expect(await screen.findByText('你已登录。邀请只用于新用户注册')).toBeTruthy()
    expect(screen.queryByLabelText('手机号码')).toBeNull()
    fireEvent.click(screen.getByRole('link', { name: '进入公会厅' }))
    expect(screen.getByText('channels')).toBeTruthy()
  })
})
