import { logClientError } from '@guildhall/wire/site/clientLog.ts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { writeStored } from '../browser/storage.ts'

const fetched = vi.fn<(url: string, init: RequestInit) => Promise<Response>>()
const sent = () => fetched.mock.calls.map(([, init]) => JSON.parse(String(init.body)))
/** A page load of its own. */
async function load() {
  vi.resetModules()
  return (await import('./clientErrorReport.ts')).report
}
const whenIdle = () => expect.poll(() => fetched).toHaveBeenCalled()

beforeEach(() => {
  localStorage.clear()
  fetched.mockReset()
  fetched.mockResolvedValue(new Response('{}'))
  vi.stubGlobal('fetch', fetched)
  vi.stubGlobal('requestIdleCallback', (work: () => void) => setTimeout(work, 0))
})
afterEach(() => vi.unstubAllGlobals())

test('an error is sent with exactly the specified payload, scrubbed, when the page is idle', async () => {
  const report = await load()
  writeStored('auth', { id: '7', username: '我', identify_num: '1234', avatar: '', mobile_verified: true })
  writeStored('authorization', 'token')
  history.replaceState(null, '', '/channels/1/2?q=secret')
  const error = new TypeError('cannot read "我的密码" of 13812345678')
  error.stack = 'TypeError: x\n    at send (https://guild.example/assets/room.js:1:2)'
  report(error, 'https://guild.example/assets/room.js')
  expect(fetched).not.toHaveBeenCalled()
  await whenIdle()
  const [[url, init] = []] = fetched.mock.calls
  expect([url, init?.method, init?.keepalive]).toEqual(['/api/v2/users/log', 'POST', true])
  expect(init?.headers).toMatchObject({ Authorization: 'token' })
  expect(sent()).toEqual([
    {
      user: { id: '7', username: '我' },
      location: '/channels/1/2?q',
      errorEvent: {
        filename: '/assets/room.js',
        error: { name: 'TypeError', message: 'cannot read "…" of #', stack: 'at send (/assets/room.js:1:2)' },
      },
    },
  ])
  expect(logClientError.input.safeParse(sent()[0]).success).toBe(true)
})

test('an error is sent once, and five different ones at most', async () => {
  const report = await load()
  const again = new Error('again')
  for (let i = 0; i < 50; i++) report(again, '')
  for (const message of ['b', 'c', 'd', 'e', 'f', 'g']) report(new Error(message), '')
  await whenIdle()
  expect(sent().map((it) => it.errorEvent.error.message)).toEqual(['again', 'b', 'c', 'd', 'e'])
})

test('failures of calls, aborted work and late frames are not reported; a broken answer is', async () => {
  const report = await load()
  const { CallFailure } = await import('../call.ts')
  report(new CallFailure('network', '网络错误'), '')
  report(new CallFailure('guild.unknown', '公会不存在'), '')
  report(new DOMException('aborted', 'AbortError'), '')
  report(new Error('ResizeObserver loop completed with undelivered notifications.'), '')
  report(new CallFailure('bad_answer', '发生错误'), '')
  await whenIdle()
  expect(sent().map((it) => it.errorEvent.error.name)).toEqual(['bad_answer'])
})

test('what is thrown and is no error is reported without its content', async () => {
  const report = await load()
  report('我的密码', '')
  report(null, '')
  await whenIdle()
  expect(sent().map((it) => it.errorEvent.error)).toEqual([
    { name: 'NonError', message: 'string', stack: '' },
    { name: 'NonError', message: 'object', stack: '' },
  ])
})

test('a report that fails, and an error that cannot be read, cause no error', async () => {
  const report = await load()
  fetched.mockRejectedValue(new TypeError('down'))
  report(new Error('first'), '')
  report(
    new Proxy(new Error('x'), {
      get() {
        throw new Error('reading it throws')
      },
    }),
    '',
  )
  await whenIdle()
  // An unhandled rejection would fail this run.
  await new Promise((done) => setTimeout(done, 5))
  expect(fetched).toHaveBeenCalledOnce()
})
