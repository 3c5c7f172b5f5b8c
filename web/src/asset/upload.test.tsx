import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { readStored, writeStored } from '../kit/browser/storage.ts'
import { onSessionEnded } from '../kit/call.ts'
import { upload } from './asset.ts'

/** The upload's answer, as the browser's request has it. */
let answer = { status: 0, responseText: '' }

class Request {
  readonly upload = {}
  status = 0
  responseText = ''
  onload = () => {}
  onerror = () => {}
  open(): void {}
  setRequestHeader(): void {}
  abort(): void {}
  send(): void {
    Object.assign(this, answer)
    if (answer.status === 0) this.onerror()
    else this.onload()
  }
}

const ended = vi.fn()
let stop = () => {}
const failureOf = () =>
  upload(new File(['x'], 'x.txt'), {
    onProgress: () => undefined,
    signal: new AbortController().signal,
  }).then(
    () => null,
    (error: unknown) => error,
  )

beforeEach(() => {
  localStorage.clear()
  writeStored('authorization', 'token')
  vi.stubGlobal('XMLHttpRequest', Request)
  ended.mockReset()
  stop = onSessionEnded(ended)
})
afterEach(() => {
  stop()
  vi.unstubAllGlobals()
})

test('an upload that is refused for its session ends it, as calls do', async () => {
  answer = { status: 401, responseText: '{"code":401,"message":"x","data":{"error":"not_logged_in"}}' }
  expect(await failureOf()).toMatchObject({ name: 'not_logged_in', message: '未登录' })
  expect([readStored('authorization'), ended.mock.calls.length]).toEqual([null, 1])
})

test.each([
  ['without an answer', { status: 0, responseText: '' }],
  ['answered by a page of a proxy', { status: 200, responseText: '<html>' }],
  ['refused by a proxy', { status: 401, responseText: '<html>' }],
])('an upload %s is a network error and ends no session', async (_what, it) => {
  answer = it
  expect(await failureOf()).toMatchObject({ name: 'network', message: '网络错误' })
  expect([readStored('authorization'), ended.mock.calls.length]).toEqual(['token', 0])
})
