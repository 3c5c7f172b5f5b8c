// @vitest-environment happy-dom

import { route } from '@guildhall/wire/route.ts'
import { int, z } from '@guildhall/wire/schema.ts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { failureOf } from '../testing/failure.ts'
import { readStored, writeStored } from './browser/storage.ts'
import { call, onCallEnd, onSessionEnded } from './call.ts'
import { setLocale } from './i18n.ts'

const old = route({
  method: 'POST',
  path: '/api/v2/things/:id/part',
  dialect: 'v2',
  who: 'user',
  input: z.object({ id: z.string(), size: int() }),
  answer: z.object({ name: z.string() }),
  fails: [],
})
const young = route({
  method: 'GET',
  path: '/api/v3/thing/view',
  dialect: 'v3',
  who: 'anyone',
  input: z.object({ id: z.string(), page: z.optional(int()) }),
  answer: z.object({ name: z.string() }),
  fails: [],
})

const fetched = vi.fn<(url: string, init: RequestInit) => Promise<Response>>()
const answers = (status: number, body: unknown) =>
  fetched.mockResolvedValueOnce(
    new Response(body === null ? null : typeof body === 'string' ? body : JSON.stringify(body), { status }),
  )

beforeEach(() => {
  localStorage.clear()
  setLocale('zh-CN')
  fetched.mockReset()
  vi.stubGlobal('fetch', fetched)
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

test('a failed fetch is a network failure', async () => {
  fetched.mockRejectedValueOnce(new TypeError('Failed to fetch'))
  expect(await failureOf(call(young, { id: '1' }))).toMatchObject({ name: 'network', message: '网络错误' })
})

test('a query is sent where a browser cannot count its fields', async () => {
  vi.stubGlobal(
    'URLSearchParams',
    class extends URLSearchParams {
      override get size(): number {
        return undefined as never
      }
    },
  )
  answers(200, { code: 0, message: '', data: { name: 'a' } })
  await call(young, { id: '7' })
  expect(fetched.mock.calls[0]?.[0]).toBe('/api/v3/thing/view?id=7')
})

test('a call that takes more than five seconds is aborted', async () => {
  vi.useFakeTimers()
  fetched.mockImplementationOnce(
    (_, init) =>
      new Promise((_resolve, reject) => {
        init.signal?.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')))
      }),
  )
  const failing = failureOf(call(young, { id: '1' }))
  await vi.advanceTimersByTimeAsync(5_000)
  expect((await failing).name).toBe('network')
})

test('every call says whether it was answered; a refusal is an answer, an aborted call says nothing', async () => {
  const heard: boolean[] = []
  const stop = onCallEnd((isAnswered) => heard.push(isAnswered))
  fetched.mockRejectedValueOnce(new TypeError('Failed to fetch'))
  await failureOf(call(young, { id: '1' }))
  answers(403, { code: 403, message: '', data: { error: 'forbidden' } })
  await failureOf(call(young, { id: '1' }))
  answers(200, { code: 0, data: { name: 'a' } })
  await call(young, { id: '1' })
  expect(heard).toEqual([false, true, true])

  const leaving = new AbortController()
  leaving.abort()
  fetched.mockRejectedValueOnce(new DOMException('aborted', 'AbortError'))
  await failureOf(call(young, { id: '1' }, { signal: leaving.signal }))
  stop()
  answers(200, { code: 0, data: { name: 'a' } })
  await call(young, { id: '1' })
  expect(heard).toHaveLength(3)
})

test('a v2 failure keeps its name, its text and its fields', async () => {
  answers(400, {
    code: 40000,
    message: { mobile: '手机号码不正确' },
    error: 'auth.mobile_wrong',
    data: { errors: { mobile: '手机号码不正确' } },
  })
  expect(await failureOf(call(old, { id: '1', size: 2 }))).toMatchObject({
    name: 'auth.mobile_wrong',
    code: 40000,
    message: '手机号码不正确',
    fields: { mobile: '手机号码不正确' },
  })
})

test('a v3 refusal has HTTP 200 and fills its placeholders', async () => {
  answers(200, {
    code: 40000,
    message: { code: '{n} 秒后重新发送' },
    data: { error: 'auth.code_too_soon', extra: { n: 41 } },
  })
  const failure = await failureOf(call(young, { id: '1' }))
  expect(failure).toMatchObject({ name: 'auth.code_too_soon', fields: { code: '41 秒后重新发送' } })
  expect(failure.extra).toEqual({ n: 41 })
})

test.each([
  [403, 'forbidden', '服务器错误：未授权的访问'],
  [404, 'network', '网络错误'],
  [413, 'too_large', '网络错误'],
  [429, 'too_many', '网络错误'],
  [502, 'network', '网络错误'],
])('a bare HTTP %s is %s', async (status, name, message) => {
  answers(status, '<html>gateway</html>')
  expect(await failureOf(call(young, { id: '1' }))).toMatchObject({ name, message })
})

test('an unknown failure name is kept, and its text is shown', async () => {
  answers(400, { code: 1, message: '奇怪', error: 'new.name' })
  expect(await failureOf(call(old, { id: '1', size: 2 }))).toMatchObject({
    name: 'new.name',
    message: '奇怪',
  })
})

test('a refusal without a name is an unspecified error', async () => {
  answers(400, { code: 1, message: '' })
  expect(await failureOf(call(old, { id: '1', size: 2 }))).toMatchObject({
    name: 'internal',
    message: '发生错误',
  })
})

test('an answer that breaks the contract is rejected', async () => {
  answers(200, { code: 0, message: '', data: { name: 7 } })
  expect((await failureOf(call(young, { id: '1' }))).name).toBe('bad_answer')
  answers(200, { nothing: 'that is known' })
  expect((await failureOf(call(old, { id: '1', size: 1 }))).name).toBe('bad_answer')
})

test('a session that the server has ended is deleted, and the page is notified', async () => {
  writeStored('authorization', 'stale')
  const listener = vi.fn()
  const stop = onSessionEnded(listener)
  answers(401, { code: 401, message: '未登录', error: 'not_logged_in' })
  expect((await failureOf(call(old, { id: '1', size: 1 }))).name).toBe('not_logged_in')
  expect(readStored('authorization')).toBeNull()
  expect(listener).toHaveBeenCalledOnce()
  stop()
})

test('a call open to guests is repeated as a guest when the session has ended', async () => {
  writeStored('authorization', 'stale')
  answers(401, { code: 401, message: '未登录' })
  answers(200, { code: 0, message: '', data: { name: 'seen' } })
  expect(await call(young, { id: '1' })).toEqual({ name: 'seen' })
  expect(fetched.mock.calls[1]?.[1].headers).not.toHaveProperty('Authorization')
})

test('a session that was replaced during the call is not deleted', async () => {
  writeStored('authorization', 'stale')
  fetched.mockImplementationOnce(async () => {
    writeStored('authorization', 'fresh')
    return new Response('{}', { status: 401 })
  })
  expect((await failureOf(call(old, { id: '1', size: 1 }))).name).toBe('not_logged_in')
  expect(readStored('authorization')).toBe('fresh')
})

test('path parameters go into the path, the rest into the body or the query', async () => {
  writeStored('authorization', 'tok')
  answers(200, { name: 'a' })
  expect(await call(old, { id: 'a/b', size: 2 })).toEqual({ name: 'a' })
  const [url, init] = fetched.mock.calls[0] ?? []
  expect(url).toBe('/api/v2/things/a%2Fb/part')
  expect(init).toMatchObject({
    method: 'POST',
    body: '{"size":2}',
    headers: { Authorization: 'tok', 'Accept-Language': 'zh', 'Content-Type': 'application/json' },
  })
  setLocale('en')
  answers(200, { code: 0, message: '', data: { name: 'b', more: 1 } })
  expect(await call(young, { id: 'x y', page: undefined })).toEqual({ name: 'b' })
  expect(fetched.mock.calls[1]?.[0]).toBe('/api/v3/thing/view?id=x+y')
  expect(fetched.mock.calls[1]?.[1].headers).toMatchObject({ 'Accept-Language': 'en' })
})
