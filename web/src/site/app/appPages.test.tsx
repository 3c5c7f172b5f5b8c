import { fail } from '@guildhall/wire/failure.ts'
import { viewInvite } from '@guildhall/wire/invite/invite.ts'
import { latestVersion, siteInfo } from '@guildhall/wire/site/site.ts'
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { cache } from '../../kit/routeQuery.ts'
import { forgetNativeApp } from '../../native/openApp/openApp.ts'
import { fakeServer } from '../../testing/fakeServer.ts'
import { inviteOf, sessionOf, siteOf } from '../../testing/fixtures.ts'
import { renderAt } from '../../testing/renderAt.tsx'
import AppPages from './AppPages.tsx'
import DownloadScreen from './DownloadScreen.tsx'
import LandingDownload from './LandingDownload.tsx'
import OpenInAppScreen from './OpenInAppScreen.tsx'

const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1'
const ANDROID = 'Mozilla/5.0 (Linux; Android 14; Pixel 8) Chrome/126.0.0.0 Mobile Safari/537.36'
const WECHAT = `${ANDROID} MicroMessenger/8.0.50`
const DESK = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/126.0.0.0 Safari/537.36'
const STORE = 'https://store.example/1'

let server: ReturnType<typeof fakeServer>
let gone: string[]
const setApps = (value: string) => {
  // biome-ignore lint/suspicious/noDocumentCookie: as the server does
  document.cookie = `apps=${value}; path=/`
}
const offer = (agent: string, { store = STORE, scheme = 'hall' } = {}) => {
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(agent)
  setApps(store || scheme ? 'ios.android' : '')
  server.on(siteInfo, () => siteOf({ scheme, ios_url: store, android_url: store }))
  server.on(latestVersion, () => ({ url: '', version: '' }))
}

beforeEach(() => {
  localStorage.clear()
  history.replaceState(null, '')
  cache.clear()
  forgetNativeApp()
  gone = []
  server = fakeServer()
  vi.spyOn(location, 'assign').mockImplementation((address) => void gone.push(String(address)))
})
afterEach(() => {
  cleanup()
  setApps('')
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

describe('the download redirect', () => {
  const show = (search: string) =>
    renderAt(`/download${search}`, '/download', <DownloadScreen />, sessionOf().user)
  const goOn = async () => (await screen.findByRole('link', { name: '在浏览器中继续' })).getAttribute('href')

  test.each([
    '?from=https://evil.example/',
    '?from=//evil.example',
    '?from=/%5C/evil.example',
    '?from=javascript:alert(1)',
    '?from=/download?from=/download',
    '',
  ])('leads back to this site alone with %j', async (search) => {
    offer(ANDROID)
    show(search)
    expect(await goOn()).toBe('/')
  })

  test('opens the store, and says how to go on', async () => {
    offer(IPHONE)
    show('?from=/channels/10')
    expect(await goOn()).toBe('/channels/10')
    await waitFor(() => expect(gone).toEqual([STORE]))
    expect(screen.getByRole('link', { name: '没有反应？点这里下载' }).getAttribute('href')).toBe(STORE)
  })

  test('in a chat app on Android points out of it', async () => {
    offer(WECHAT)
    show('?from=/channels/10')
    expect(await screen.findByRole('dialog', { name: '请点击右上角，选择「在浏览器中打开」' })).toBeTruthy()
    expect(gone).toEqual([])
  })

  test.each([ANDROID, DESK])('is no dead end without an app, in %s', async (agent) => {
    offer(agent, { store: '', scheme: '' })
    show('?from=/channels/10')
    expect(await screen.findByRole('heading', { name: '暂时没有可下载的 APP' })).toBeTruthy()
    expect(await goOn()).toBe('/channels/10')
    expect(gone).toEqual([])
  })

  test('on a desk shows the codes of both stores', async () => {
    offer(DESK)
    show('')
    expect(await screen.findByRole('img', { name: 'iOS 下载二维码' })).toBeTruthy()
    expect(screen.getByRole('img', { name: 'Android 下载二维码' })).toBeTruthy()
    expect(gone).toEqual([])
  })

  test('a server that does not answer can be asked again', async () => {
    vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(ANDROID)
    show('')
    expect(await screen.findByRole('heading', { name: '暂时无法打开下载页面' })).toBeTruthy()
    offer(ANDROID)
    fireEvent.click(screen.getByRole('button', { name: '重试' }))
    await waitFor(() => expect(gone).toEqual([STORE]))
  })
})

describe('the page that opens the app', () => {
  const show = (address: string) => renderAt(address, '/oia/*', <OpenInAppScreen />, sessionOf().user)

  test('names the invite, and opens the app there', async () => {
    offer(IPHONE)
    server.on(viewInvite, () => inviteOf())
    show('/oia?invite=abcdef')
    expect(await screen.findByRole('heading', { name: '星海公会' })).toBeTruthy()
    fireEvent.click(screen.getByRole('button', { name: '打开 APP' }))
    await waitFor(() => expect(gone).toEqual(['hall://invite/abcdef']))
    window.dispatchEvent(new Event('pagehide'))
    expect(screen.getByRole('link', { name: '在浏览器中继续' }).getAttribute('href')).toBe(
      '/invite/abcdef?web',
    )
    expect((await screen.findByRole('link', { name: '下载 APP' })).getAttribute('href')).toBe(
      `/download?from=${encodeURIComponent('/invite/abcdef?web')}`,
    )
  })

  test('says that an invite is invalid', async () => {
    offer(IPHONE)
    server.on(viewInvite, () => fail('invite.expired'))
    show('/oia/invite/abcdef')
    expect(await screen.findByRole('heading', { name: '邀请无效' })).toBeTruthy()
  })

  test('works without the network: it names the app alone', async () => {
    offer(IPHONE)
    show('/oia/invite/abcdef')
    expect(await screen.findByRole('heading', { name: '公会厅' }, { timeout: 5_000 })).toBeTruthy()
    expect(screen.getByRole('button', { name: '打开 APP' })).toBeTruthy()
  })

  test('without an app leads on in the browser', async () => {
    offer(IPHONE, { store: '', scheme: '' })
    show('/oia/channels/10/20')
    expect((await screen.findByRole('link', { name: '在浏览器中继续' })).getAttribute('href')).toBe(
      '/channels/10/20',
    )
    expect(screen.queryByRole('button')).toBeNull()
    expect(screen.queryByRole('link', { name: '下载 APP' })).toBeNull()
  })
})

describe('the download of the landing page', () => {
  const show = () => renderAt('/', '/', <LandingDownload />, sessionOf().user)

  test('is not offered without an app', () => {
    offer(ANDROID, { store: '', scheme: '' })
    show()
    expect(screen.queryByText('下载 APP')).toBeNull()
  })

  test('leads to the store', async () => {
    offer(IPHONE)
    show()
    fireEvent.click(screen.getByRole('button', { name: '下载 APP' }))
    await waitFor(() => expect(gone).toEqual([STORE]))
  })

  test('in a chat app on Android points out of it', async () => {
    offer(WECHAT)
    show()
    fireEvent.click(screen.getByRole('button', { name: '下载 APP' }))
    expect(await screen.findByText('请点击右上角，选择「在浏览器中打开」')).toBeTruthy()
    expect(gone).toEqual([])
  })
})

describe('a link that needs the app', () => {
  const show = (address: string) => renderAt(address, '/app/*', <AppPages />, sessionOf().user)

  test.each([
    ['/app/channels/10/20', 'hall://channels/10/20', '/oia/channels/10/20'],
    ['/app//evil.example', 'hall://home', '/oia/'],
    ['/app', 'hall://home', '/oia/'],
  ])('%s opens it at once, and the page offers both ways', async (address, opened, path) => {
    offer(IPHONE)
    show(address)
    expect(await screen.findByText(`at ${path}`)).toBeTruthy()
    await waitFor(() => expect(gone).toEqual([opened]))
    window.dispatchEvent(new Event('pagehide'))
  })

  test.each([
    [DESK, 'hall'],
    [ANDROID, ''],
  ])('leads to the location itself where no app is offered, in %s', async (agent, scheme) => {
    offer(agent, { scheme, store: '' })
    show('/app/channels/10/20')
    expect(await screen.findByText('at /channels/10/20')).toBeTruthy()
    expect(gone).toEqual([])
  })

  test('opens nothing by itself in a chat app', async () => {
    offer(WECHAT)
    show('/app/invite/abcdef')
    expect(await screen.findByText('at /oia/invite/abcdef')).toBeTruthy()
    expect(gone).toEqual([])
  })
})
