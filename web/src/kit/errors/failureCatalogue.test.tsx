/** The error catalogue of chat.md §8, line by line, as a call meets it. */

import { route } from '@guildhall/wire/route.ts'
import { nothing, z } from '@guildhall/wire/schema.ts'
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { Toasts, toast } from '../../ui/overlay/Toast.tsx'
import { readStored, writeStored } from '../browser/storage.ts'
import { CallFailure, call, onCaptcha, onSessionEnded } from '../call.ts'
import { setLocale } from '../i18n.ts'

const base = { input: z.object({}), answer: nothing, fails: [] } as const
const v2 = route({ ...base, method: 'POST', path: '/api/v2/thing', dialect: 'v2', who: 'user' })
const v3 = route({ ...base, method: 'GET', path: '/api/v3/thing', dialect: 'v3', who: 'user' })

const fetched = vi.fn<() => Promise<Response>>()
const ended = vi.fn()
let stop = () => {}

const HTML = '<!doctype html><html><body>Welcome to the hotel</body></html>'
const answer = (status: number, body: unknown) =>
  fetched.mockImplementation(
    async () => new Response(typeof body === 'string' ? body : JSON.stringify(body), { status }),
  )

async function failureOf(it = v2 as typeof v2 | typeof v3, options = {}): Promise<CallFailure> {
  const error = await call(it, {}, options).then(
    () => null,
    (reason: unknown) => reason,
  )
  if (!(error instanceof CallFailure)) throw new Error('the call did not fail as calls do')
  return error
}

beforeEach(() => {
  localStorage.clear()
  setLocale('zh-CN')
  vi.stubGlobal('fetch', fetched)
  ended.mockReset()
  stop = onSessionEnded(ended)
  render(<Toasts />)
})
afterEach(() => {
  stop()
  onCaptcha(null)
  cleanup()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

/** Status, body, and what the user reads. */
const lines: readonly (readonly [line: string, status: number, body: unknown, message: string])[] = [
  [
    'HTTP 400 shows the message of its body',
    400,
    { code: 40000, message: '公会不存在', error: 'guild.unknown' },
    '公会不存在',
  ],
  ['HTTP 400 without a message is an error that occurred', 400, { code: 40000 }, '发生错误'],
  ['HTTP 400 with an empty message is one too', 400, { code: 40000, message: '' }, '发生错误'],
  ['HTTP 400 that cannot be parsed is one too', 400, HTML, '发生错误'],
  [
    'HTTP 401 is not logged in, whatever its words',
    401,
    { code: 401, message: '你的用户凭证不正确', data: { error: 'not_logged_in' } },
    '未登录',
  ],
  [
    'HTTP 403 is unauthorized access, whatever its words',
    403,
    { code: 403, message: 'no', error: 'forbidden' },
    '服务器错误：未授权的访问',
  ],
  ['HTTP 403 of a proxy too', 403, HTML, '服务器错误：未授权的访问'],
  ['HTTP 404', 404, { code: 404, message: '找不到资源', error: 'not_found' }, '网络错误'],
  ['HTTP 404 of a proxy', 404, HTML, '网络错误'],
  ['HTTP 409', 409, { message: 'conflict' }, '网络错误'],
  ['HTTP 500', 500, { code: 500, message: 'stack', error: 'internal' }, '网络错误'],
  ['HTTP 502 of a proxy', 502, HTML, '网络错误'],
  ['HTTP 503', 503, { code: 503, message: '服务暂时不可用', error: 'unavailable' }, '网络错误'],
  ['HTTP 504 without a body', 504, '', '网络错误'],
  [
    'a limit says what to do',
    429,
    { code: 429, message: '操作过于频繁，请稍后再试', error: 'too_many' },
    '操作过于频繁，请稍后再试',
  ],
  [
    'a placeholder is filled from data.extra',
    400,
    { message: '{n} 秒后重新发送', data: { error: 'auth.code_too_soon', extra: { n: 41 } } },
    '41 秒后重新发送',
  ],
  ['a placeholder without a value stays', 400, { message: '{n} 秒', data: { extra: {} } }, '{n} 秒'],
  ['a page of a proxy in place of the answer', 200, HTML, '网络错误'],
  ['an answer that was cut off', 200, '{"code":0,"mess', '网络错误'],
  ['an empty answer', 200, '', '网络错误'],
]

describe.each([
  ['v2', v2],
  ['v3', v3],
] as const)('a call of %s', (_dialect, it) => {
  test.each(lines)('%s', async (_line, status, body, message) => {
    answer(status, body)
    expect((await failureOf(it)).message).toBe(message)
  })

  test('without a network', async () => {
    fetched.mockRejectedValue(new TypeError('Failed to fetch'))
    expect(await failureOf(it)).toMatchObject({ name: 'network', message: '网络错误' })
  })

  test('in a browser that knows that it is offline', async () => {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
    fetched.mockRejectedValue(new TypeError('Failed to fetch'))
    expect(await failureOf(it)).toMatchObject({ name: 'network', message: '网络错误：网络已断开' })
    setLocale('en')
    expect((await failureOf(it)).message).toBe('Network error: you are offline')
  })

  test('HTTP 204 is an empty answer', async () => {
    fetched.mockImplementation(async () => new Response(null, { status: 204 }))
    expect(await call(it, {})).toEqual({})
  })
})

describe('a v3 answer with HTTP 200', () => {
  test.each([
    [{ code: 40000, message: '邀请无效', data: { error: 'invite.invalid' } }, 'invite.invalid', '邀请无效'],
    [{ code: 40000, message: '', data: {} }, 'internal', '发生错误'],
    [{ code: 41005, message: '请绑定手机号' }, 'internal', '请绑定手机号'],
  ])('is a rejection by its code: %j', async (body, name, message) => {
    answer(200, body)
    expect(await failureOf(v3)).toMatchObject({ name, message, code: body.code })
  })

  test.each([[{}], [{ message: 'fine' }], [[]], ['"fine"'], [{ code: '0' }]])(
    'is no answer without a code: %j',
    async (body) => {
      answer(200, body)
      expect((await failureOf(v3)).message).toBe('网络错误')
    },
  )
})

describe('the fields of a form', () => {
  test.each([
    ['as the message', { message: { mobile: '手机号码不正确' } }],
    ['as the message, in lists', { message: { mobile: ['手机号码不正确', 'more'] } }],
    ['in data.errors', { message: '手机号码不正确', data: { errors: { mobile: '手机号码不正确' } } }],
    ['in data', { message: '手机号码不正确', data: { mobile: '手机号码不正确' } }],
  ])('are read %s', async (_where, body) => {
    answer(400, { code: 40000, ...body })
    expect(await failureOf()).toMatchObject({
      message: '手机号码不正确',
      fields: { mobile: '手机号码不正确' },
    })
  })

  test('have their placeholders filled', async () => {
    answer(400, { message: { code: '{n} 秒后重新发送' }, data: { extra: { n: 7 } } })
    expect((await failureOf()).fields).toEqual({ code: '7 秒后重新发送' })
  })
})

describe('HTTP 401', () => {
  const refused = { code: 401, message: '未登录', error: 'not_logged_in' }

  test('ends the session and tells the page', async () => {
    writeStored('authorization', 'token')
    answer(401, refused)
    await failureOf()
    expect([readStored('authorization'), ended.mock.calls.length]).toEqual([null, 1])
  })

  test('tells the page also when another tab has logged out', async () => {
    answer(401, refused)
    await failureOf()
    expect(ended).toHaveBeenCalledOnce()
  })

  test('of a proxy ends nothing', async () => {
    writeStored('authorization', 'token')
    answer(401, HTML)
    expect(await failureOf()).toMatchObject({ name: 'network', message: '网络错误' })
    expect([readStored('authorization'), ended.mock.calls.length]).toEqual(['token', 0])
  })
})

describe('code 1002', () => {
  const needed = {
    code: 1002,
    message: '请输入验证码',
    showMsg: true,
    data: { error: 'captcha.needed', sign: '400' },
  }

  test('opens the captcha, repeats the call, and shows no toast', async () => {
    answer(400, needed)
    onCaptcha(async (failure) => {
      expect(failure.message).toBe('请输入验证码')
      answer(200, {})
      return 'solved'
    })
    expect(await call(v2, {}, { showMsg: true })).toEqual({})
    expect(screen.queryByText('请输入验证码')).toBeNull()
    expect(fetched).toHaveBeenCalledTimes(2)
  })

  test('leaves a failure without words when the captcha is closed', async () => {
    answer(400, needed)
    onCaptcha(async () => null)
    expect((await failureOf(v2, { showMsg: true })).message).toBe('')
    expect(screen.getByRole('status').textContent).toBe('')
  })
})

describe('showMsg', () => {
  afterEach(() => toast(' '))

  test('of a call shows its failure as a toast', async () => {
    answer(400, { code: 40000, message: '公会不存在' })
    await failureOf(v2, { showMsg: true })
    expect(await screen.findByText('公会不存在')).toBeTruthy()
  })

  test('of an answer does too', async () => {
    answer(200, { code: 40000, message: '邀请无效', data: { showMsg: true } })
    await failureOf(v3)
    expect(await screen.findByText('邀请无效')).toBeTruthy()
  })

  test('left out shows nothing', async () => {
    answer(400, { code: 40000, message: '表情不存在' })
    await failureOf()
    expect(screen.queryByText('表情不存在')).toBeNull()
  })
})
