import { wxSign } from '@guildhall/wire/auth/thirdParty.ts'
import { latestVersion, siteInfo } from '@guildhall/wire/site/site.ts'
import { act, cleanup, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fakeServer } from '../../testing/fakeServer.ts'
import { siteOf } from '../../testing/fixtures.ts'
import { forgetNativeApp } from '../openApp/openApp.ts'
import WeixinOpenApp from './WeixinOpenApp.tsx'

const APP_ID = 'wx0123456789abcdef'
const wx = vi.hoisted(() => ({ answers: 'ready' as 'ready' | 'error' }))
// WeChat's script speaks to WeChat's own browser alone; its answers are what is tested here. The real script:
// e2e/weixin.e2e.ts.
vi.mock('weixin-js-sdk', () => ({
  default: {
    config: () => undefined,
    ready: (done: () => void) => wx.answers === 'ready' && done(),
    error: (done: (it: { errMsg: string }) => void) =>
      wx.answers === 'error' && done({ errMsg: 'config:fail' }),
  },
}))

let server: ReturnType<typeof fakeServer>
beforeEach(() => {
  server = fakeServer()
  forgetNativeApp()
  server.on(latestVersion, () => ({ url: '', version: '' }))
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

function enter({ answers = 'ready' as typeof wx.answers, wechatId = APP_ID, path = '/invite/abcdef' } = {}) {
  wx.answers = answers
  history.replaceState(null, '', `/?${Math.random()}`)
  server.on(siteInfo, () => siteOf({ scheme: 'hall', wechat_app_id: wechatId }))
  server.on(wxSign, () => ({ appId: 'wx1', timestamp: 1, nonceStr: 'n', signature: 's' }))
  return render(<WeixinOpenApp path={path} />)
}
const tag = () => document.querySelector('wx-open-launch-app')

test('without an account of the app at WeChat nothing is drawn, and no signature is asked for', async () => {
  enter({ wechatId: '' })
  await waitFor(() => expect(server.received(siteInfo)).toHaveLength(1))
  await act(async () => undefined)
  expect(tag()).toBeNull()
  expect(server.received(wxSign)).toEqual([])
})

test('a page that WeChat refuses draws nothing', async () => {
  enter({ answers: 'error' })
  await waitFor(() => expect(server.received(wxSign)).toHaveLength(1))
  await act(async () => undefined)
  expect(tag()).toBeNull()
})

test.each([
  ['/invite/abcdef', '/invite/abcdef'],
  ['/channels/10/20', '/channels/10/20'],
  ['/login?token=x', '/'],
])('on %s WeChat draws a button that tells the app %s', async (path, target) => {
  enter({ path })
  await waitFor(() => expect(tag()).not.toBeNull())
  expect(tag()?.getAttribute('appid')).toBe(APP_ID)
  expect(tag()?.getAttribute('extinfo')).toBe(target)
  const template = tag()?.querySelector('script')
  expect(template?.getAttribute('type')).toBe('text/wxtag-template')
  expect(template?.textContent).toContain('打开 APP')
})

test('an app that is not installed is said, and a WeChat without such tags leaves no place for it', async () => {
  const { container } = enter()
  await waitFor(() => expect(tag()).not.toBeNull())
  act(() => void tag()?.dispatchEvent(new CustomEvent('error', { detail: { errMsg: 'launch:fail' } })))
  expect(screen.getByText('APP 没有打开，可能还没有安装')).toBeTruthy()
  act(() => void document.dispatchEvent(new CustomEvent('WeixinOpenTagsError')))
  expect(container.querySelector('[data-part=weixin-open-app]')).toBeNull()
})
