import { userState } from '@guildhall/wire/auth/userState.ts'
import { fail } from '@guildhall/wire/failure.ts'
import { act, cleanup, render } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { clearUserStorage, readStored, writeStored } from '../../kit/browser/storage.ts'
import { setShell, shell } from '../../native/shell.ts'
import { fakeServer } from '../../testing/fakeServer.ts'
import { sessionOf } from '../../testing/fixtures.ts'
import { press } from '../../testing/hands.ts'
import { enterShell, takeToken } from './enterShell.tsx'

let server: ReturnType<typeof fakeServer>

const leave = (token: string, id: string) => {
  writeStored('authorization', token)
  writeStored('auth', { id, username: 'x', identify_num: '1', avatar: '', mobile_verified: true })
  writeStored('drafts', { '7': 'unsent' })
}

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
  server = fakeServer()
})
afterEach(() => {
  cleanup()
  setShell(null)
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

test('without a token nobody is logged in, and what somebody left is deleted', async () => {
  leave('old', '1')
  expect(await takeToken(null)).toBe(true)
  expect(readStored('authorization')).toBeNull()
  expect(readStored('auth')).toBeNull()
  expect(readStored('drafts')).toBeNull()
})

test('another person than before finds nothing of them', async () => {
  leave('old', '1')
  server.on(userState, () => ({ ...sessionOf({ id: '2' }), authorization: 'new' }))
  expect(await takeToken('new')).toBe(true)
  expect(readStored('authorization')).toBe('new')
  expect(readStored('auth')?.id).toBe('2')
  expect(readStored('drafts')).toBeNull()
})

test('the same person with a new token keeps their drafts', async () => {
  leave('old', '1')
  server.on(userState, () => ({ ...sessionOf({ id: '1' }), authorization: 'new' }))
  expect(await takeToken('new')).toBe(false)
  expect(readStored('authorization')).toBe('new')
  expect(readStored('drafts')).toEqual({ '7': 'unsent' })
})

test('while the server does not say whose token it is, nothing of another person is shown', async () => {
  leave('old', '1')
  await takeToken('new')
  expect(readStored('authorization')).toBe('new')
  expect(readStored('auth')).toBeNull()
  expect(readStored('drafts')).toBeNull()
})

test('a token that the server refuses logs nobody in', async () => {
  leave('old', '1')
  server.on(userState, () => fail('not_logged_in'))
  await takeToken('dead')
  expect(readStored('authorization')).toBeNull()
  expect(readStored('drafts')).toBeNull()
})

test('a logout in the page, or a refusal, lasts until the shell has another token', async () => {
  await takeToken('first')
  expect(readStored('authorization')).toBe('first')
  clearUserStorage()
  await takeToken('first')
  expect(readStored('authorization')).toBeNull()
  await takeToken('second')
  expect(readStored('authorization')).toBe('second')
})

test('where storage is refused, a page that is shown again still takes a login once', async () => {
  vi.stubGlobal('sessionStorage', {
    getItem: () => {
      throw new DOMException('refused')
    },
    setItem: () => {
      throw new DOMException('refused')
    },
  })
  expect(await takeToken('kept by nobody')).toBe(true)
  expect(await takeToken('kept by nobody')).toBe(false)
})

test('a login in the page lasts as long as the shell says the same', async () => {
  await takeToken(null)
  leave('own', '3')
  await takeToken(null)
  expect(readStored('authorization')).toBe('own')
})

/** Web views share the login; what each of them took last is its own. */
function otherWebView(): () => void {
  const own = new Map(Object.entries({ ...sessionStorage }))
  sessionStorage.clear()
  return () => {
    sessionStorage.clear()
    for (const [key, value] of own) sessionStorage.setItem(key, value)
  }
}

test('a login that another web view took ends with the shell’s, also where nobody was logged in before', async () => {
  await takeToken(null)
  const back = otherWebView()
  await takeToken('theirs')
  expect(readStored('authorization')).toBe('theirs')
  back()
  expect(await takeToken(null)).toBe(true)
  expect(readStored('authorization')).toBeNull()
})

test('the shell’s person counts, whoever was logged in in another web view meanwhile', async () => {
  await takeToken('mine')
  const back = otherWebView()
  await takeToken('theirs')
  back()
  await takeToken('mine')
  expect(readStored('authorization')).toBe('mine')
})

test('no token is left behind by a logout', async () => {
  await takeToken('a-secret-token')
  clearUserStorage()
  expect(JSON.stringify([{ ...sessionStorage }, { ...localStorage }])).not.toContain('a-secret-token')
})

/** A shell as Android puts it into a page, which answers the first call with `result`. */
function androidShell(result: unknown) {
  const postMessage = (text: string) => {
    const { id } = JSON.parse(text) as { id: number }
    const { GuildhallBridge } = window as unknown as { GuildhallBridge: { receive(text: string): void } }
    setTimeout(() => GuildhallBridge.receive(JSON.stringify({ id, result })))
  }
  vi.stubGlobal('GuildhallNative', { postMessage })
}

function fixture(served = <p />) {
  const { rerender, container } = render(served)
  return { root: { render: (it: never) => act(() => rerender(it)) } as never, container }
}

test('a shell that does not answer leaves a plain page, after words about the wait', async () => {
  vi.useFakeTimers()
  vi.stubGlobal('GuildhallNative', { postMessage: () => undefined })
  leave('own', '1')
  const { root, container } = fixture()
  let isOver = false
  void enterShell(root).then(() => {
    isOver = true
  })
  await act(() => vi.advanceTimersByTimeAsync(500))
  expect(container.textContent).toContain('正在连接 APP')
  await act(() => vi.advanceTimersByTimeAsync(3_000))
  expect(container.textContent).toContain('APP 还没有回应')
  expect(isOver).toBe(false)
  await act(() => vi.advanceTimersByTimeAsync(6_500))
  expect(isOver).toBe(true)
  expect(shell()).toBeNull()
  expect(readStored('authorization')).toBe('own')
})

/** An invite's landing as the server drew it, in a shell that does not answer. */
function landingInSilence() {
  vi.useFakeTimers()
  vi.stubGlobal('GuildhallNative', { postMessage: () => undefined })
  const { root, container } = fixture(
    <button type="button" className="invite-accept">
      接受邀请
    </button>,
  )
  void enterShell(root)
  return container
}

test('an invite that the server drew keeps its button while the shell is waited for', async () => {
  const container = landingInSilence()
  await act(() => vi.advanceTimersByTimeAsync(8_000))
  expect(container.textContent).toBe('接受邀请')
})

test.each([100, 5_000])('who taps it after %i ms reads what is waited for', async (tappedAt) => {
  const container = landingInSilence()
  await act(() => vi.advanceTimersByTimeAsync(tappedAt))
  press('接受邀请')
  await act(() => vi.advanceTimersByTimeAsync(500))
  expect(container.textContent).toContain('正在连接 APP')
})

test('an invite stays while the server is asked whose token it is', async () => {
  leave('old', '1')
  server.on(userState, () => new Promise<never>(() => undefined))
  androidShell({ token: 'new', app_plantform: 'Android', version: '1.0', calls: [] })
  vi.useFakeTimers()
  const { root, container } = fixture(<button type="button" className="invite-accept" />)
  void enterShell(root)
  await act(() => vi.advanceTimersByTimeAsync(2_000))
  expect(server.received(userState)).toHaveLength(1)
  expect(container.querySelector('.invite-accept')).not.toBeNull()
})

test('theme, language and token of the shell replace what is stored', async () => {
  androidShell({
    token: 'T',
    theme: 'dark',
    language: 'en-GB',
    app_plantform: 'Android',
    version: '1.0',
    calls: [],
  })
  writeStored('theme', 'light')
  const { root, container } = fixture()
  await enterShell(root)
  expect(readStored('theme')).toBe('dark')
  expect(document.documentElement.dataset.theme).toBe('dark')
  expect(document.documentElement.lang).toBe('en')
  expect(readStored('authorization')).toBe('T')
  expect(shell()?.config.app_plantform).toBe('Android')
  expect(container.textContent).not.toContain('APP')
})
