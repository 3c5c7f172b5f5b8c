import { latestVersion, siteInfo } from '@guildhall/wire/site/site.ts'
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { fakeServer } from '../../testing/fakeServer.ts'
import { Toasts } from '../../ui/overlay/Toast.tsx'
import { type Shell, setShell } from '../shell.ts'
import { sayOpenInApp } from '../shellPage.ts'
import { isAppOffered } from './appOffer.ts'
import {
  forgetNativeApp,
  loadNativeApp,
  openApp,
  openAppAloud,
  showInShell,
  storeLink,
  WAITS,
} from './openApp.ts'

const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) Mobile/15E148 Safari/604.1'
const PIXEL = 'Mozilla/5.0 (Linux; Android 14; Pixel 8) Chrome/126.0.0.0 Mobile Safari/537.36'
const DESK = 'Mozilla/5.0 (X11; Linux x86_64) Chrome/126.0.0.0 Safari/537.36'
const STORE = 'https://apps.apple.com/app/id1'

let server: ReturnType<typeof fakeServer>
let gone: string[]
const useAgent = (agent: string) => vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(agent)
const setApps = (value: string) => {
  // biome-ignore lint/suspicious/noDocumentCookie: as the server does
  document.cookie = `apps=${value}; path=/`
}
const appOf = (more: object = {}) => ({
  scheme: 'hall',
  version: '',
  ios_url: STORE,
  android_url: '',
  ios_links: false,
  android_package: '',
  wechat_app_id: '',
  ...more,
})
const answer = (app = appOf(), newest = '') => {
  server.on(siteInfo, () => ({ app, contact: '', copyright: '', records: [] }))
  server.on(latestVersion, () => ({ url: newest, version: '' }))
}
const shellOf = (call: (name: string, data: object) => Promise<object>): Shell => ({
  config: { app_plantform: 'IOS', version: '1', calls: [] },
  has: () => true,
  call: call as Shell['call'],
  on: () => () => undefined,
})

beforeEach(() => {
  forgetNativeApp()
  server = fakeServer()
  gone = []
  useAgent(IPHONE)
  vi.spyOn(location, 'assign').mockImplementation((address) => void gone.push(String(address)))
})
afterEach(() => {
  cleanup()
  setShell(null)
  setApps('')
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

describe('the address in the store', () => {
  test.each([
    ['', '', null],
    ['javascript:alert(1)', '', null],
    ['', 'javascript:alert(1)', null],
    [STORE, '', STORE],
    [STORE, 'https://apps.apple.com/app/id2', 'https://apps.apple.com/app/id2'],
    [STORE, 'javascript:alert(1)', STORE],
  ])('of the site %j and of latest-version %j is %s', async (site, newest, link) => {
    answer(appOf({ ios_url: site }), newest)
    expect(await storeLink()).toBe(link)
  })

  test('is none while the server does not answer, and is asked for again', async () => {
    expect(await storeLink()).toBeNull()
    answer()
    expect(await storeLink()).toBe(STORE)
    expect(await storeLink()).toBe(STORE)
    expect(server.received(siteInfo)).toHaveLength(1)
  })

  test('is that of the site when latest-version does not answer', async () => {
    server.on(siteInfo, () => ({ app: appOf(), contact: '', copyright: '', records: [] }))
    expect(await storeLink()).toBe(STORE)
  })
})

describe('opening the app', () => {
  test('leads to its address and, after the wait, to the store', async () => {
    answer()
    await loadNativeApp()
    vi.useFakeTimers()
    const ended = openApp('/channels/10/20')
    await vi.advanceTimersByTimeAsync(0)
    expect(gone).toEqual(['hall://channels/10/20'])
    await vi.advanceTimersByTimeAsync(WAITS.store)
    expect(await ended).toBe('store')
    expect(gone).toEqual(['hall://channels/10/20', STORE])
  })

  test('leads nowhere when the server does not answer', async () => {
    expect(await openApp('/channels/10')).toBe('nothing')
    expect(gone).toEqual([])
  })

  test('in the browser of a chat app points out of it', async () => {
    answer()
    useAgent(`${PIXEL} MicroMessenger/8.0.50`)
    render(<Toasts />)
    expect(await openAppAloud('/channels/10')).toBe('nothing')
    expect(await screen.findByText('请点击右上角，选择「在浏览器中打开」')).toBeTruthy()
    expect(gone).toEqual([])
  })

  test.each([
    ['/channels/', '没有服务器 ID'],
    ['/channels/x', '没有服务器 ID'],
    ['/channels/10', '请在 APP 内打开'],
  ])('says why %s opens nothing: %s', async (path, text) => {
    answer(appOf({ scheme: '', ios_url: '' }))
    render(<Toasts />)
    expect(await openAppAloud(path)).toBe('nothing')
    expect(await screen.findByText(text)).toBeTruthy()
  })

  test.each([IPHONE, PIXEL, DESK])(
    'leads to the reference shell where that is the app: %s',
    async (agent) => {
      setApps('ios.android.shell')
      useAgent(agent)
      const opening = openApp('/channels/1/2')
      window.dispatchEvent(new Event('pagehide'))
      expect(await opening).toBe('opened')
      expect(gone).toEqual(['/dev/shell?login=browser&path=%2Fchannels%2F1%2F2'])
    },
  )

  test('inside its shell jumps to the guild, without an address', async () => {
    const asked: unknown[] = []
    setShell(shellOf(async (...call) => asked.push(call) && {}))
    expect(await openApp('/channels/10/20')).toBe('opened')
    expect(await showInShell('10', '20', true)).toBe(true)
    expect(await openApp('/')).toBe('nothing')
    expect(asked).toEqual([
      ['jump_guild', { guild_id: '10', channel_id: '20' }],
      ['join_audio', { guild_id: '10', channel_id: '20' }],
    ])
    expect(gone).toEqual([])
  })

  test('inside a shell that refuses opens nothing', async () => {
    setShell(shellOf(() => Promise.reject(new Error('refused'))))
    expect(await openApp('/channels/10')).toBe('nothing')
    expect(await showInShell('10', '20', true)).toBe(false)
  })
})

describe('the words that something is done in the app', () => {
  beforeEach(() => void vi.useFakeTimers({ shouldAdvanceTime: true }))
  afterEach(() => void vi.useRealTimers())
  const sayAndWait = async () => {
    sayOpenInApp()
    await vi.dynamicImportSettled()
    await vi.advanceTimersByTimeAsync(WAITS.store)
  }

  test('lead nowhere by themselves', async () => {
    setApps('ios.android')
    render(<Toasts />)
    await sayAndWait()
    expect(screen.getByText('请在 APP 内打开')).toBeTruthy()
    expect(gone).toEqual([])
  })

  test('lead to this page in the reference shell where that is the app', async () => {
    setApps('ios.android.shell')
    history.replaceState(null, '', '/account/buff?from=guild')
    await sayAndWait()
    expect(gone).toEqual(['/dev/shell?login=browser&path=%2Faccount%2Fbuff%3Ffrom%3Dguild'])
  })

  test('leave alone who has gone on meanwhile', async () => {
    setApps('ios.android.shell')
    sayOpenInApp()
    await vi.dynamicImportSettled()
    history.replaceState(null, '', '/account')
    await vi.advanceTimersByTimeAsync(WAITS.store)
    expect(gone).toEqual([])
  })
})

describe('the app is offered', () => {
  test.each([
    [IPHONE, '', false],
    [IPHONE, 'android', false],
    [IPHONE, 'ios', true],
    [PIXEL, 'ios.android', true],
    ['Mozilla/5.0 (X11; Linux x86_64) Chrome/126.0.0.0 Safari/537.36', 'ios.android', false],
  ])('in %s with apps %j: %s', (agent, apps, offered) => {
    useAgent(agent)
    setApps(apps)
    expect(isAppOffered()).toBe(offered)
  })

  test('not inside of itself', () => {
    setApps('ios')
    setShell(shellOf(async () => ({})))
    expect(isAppOffered()).toBe(false)
  })
})
