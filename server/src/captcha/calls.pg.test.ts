import { login } from '@guildhall/wire/auth/login.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestServer, type TestServer } from '../testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await openTestServer({ CAPTCHA: 'always' })
})
afterAll(() => server?.close())

interface Answer {
  readonly code?: number
  readonly message?: unknown
  readonly data: Record<string, unknown>
  readonly sign?: string
}

async function ask(path: string, body?: object, token?: string): Promise<{ status: number; body: Answer }> {
  const response = await fetch(`${server.url}${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { ...(body && { 'content-type': 'application/json' }), ...(token && { authorization: token }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: (await response.json()) as Answer }
}

const number = { mobile: '13500000001', mobile_prefix: '86' }

/** Solves a captcha for a number; returns its pass. */
async function solved(kind: string, who: object = number): Promise<string> {
  const { body } = await ask(`/api/file/captcha?kind=${kind}&refresh=1`)
  const { id } = body.data as { id: string }
  const shown = await fetch(`${server.url}/dev/captcha?id=${id}`)
  const { solution, counter } = (await shown.json()) as { solution: string; counter?: string }
  const checked = await ask('/api/file/check-captcha', { id, captcha: solution, counter, ...who })
  expect(checked.body.code).toBe(0)
  return checked.body.data.sign as string
}

describe('code 1002', () => {
  it('refuses a request for a code in both dialects, with text, name and sign', async () => {
    const v3 = await ask('/api/v3/auth/phone-verification', number)
    expect(v3).toMatchObject({
      status: 200,
      body: { code: 1002, message: '请输入验证码', data: { error: 'captcha.needed', sign: '' } },
    })
    const v2 = await ask('/api/v2/auth/phone-verification', number)
    expect(v2).toMatchObject({ status: 400, body: { code: 1002, message: '请输入验证码', sign: '' } })
  })

  it.each([
    ['/api/v2/auth/login', { password: 'secret123' }],
    ['/api/v2/auth/verify-code-login', { code: '123456' }],
    ['/api/v3/auth/mobile-login', { code: '123456' }],
    ['/api/v2/auth/forgot', { code: '123456', password: 'secret123' }],
    ['/api/v2/auth/third-part-bind-mobile', { code: '123456', bind_info: 'x' }],
  ])('refuses %s before it is tried, and asks for the slider', async (path, more) => {
    const { body } = await ask(path, { ...number, ...more })
    expect(body.code).toBe(1002)
    expect(body.data.sign).toBe('400')
  })

  it('does not come before what is wrong with the number', async () => {
    const { body } = await ask('/api/v3/auth/phone-verification', { mobile: '123' })
    expect(body.data.error).toBe('auth.mobile_wrong')
  })

  it('comes no more with the sign of a solved captcha, once', async () => {
    for (const [kind, path] of [
      ['image', '/api/v3/auth/phone-verification'],
      ['idiom', '/api/v2/auth/login'],
      ['work', '/api/v2/auth/verify-code-login'],
      ['slider', '/api/v3/auth/mobile-login'],
      ['slider', '/api/v2/auth/forgot'],
    ]) {
      const sign = await solved(kind!)
      const call = () => ask(path!, { ...number, password: 'wrong1', code: '000000', sign })
      expect((await call()).body.code).not.toBe(1002)
      expect((await call()).body.code).toBe(1002)
    }
  })
})

it('after a wrong password the slider counts with its proof of work alone', async () => {
  const who = { mobile: '13500000088', mobile_prefix: '86' }
  const wrong = await ask('/api/v2/auth/login', {
    ...who,
    password: 'wrong1',
    sign: await solved('slider', who),
  })
  expect(wrong.body.data.error).toBe('auth.password_wrong')
  const answer = async (isWorked: boolean) => {
    const { body } = await ask('/api/file/captcha?kind=slider')
    const shown = await fetch(`${server.url}/dev/captcha?id=${body.data.id}`)
    const { solution, counter } = (await shown.json()) as { solution: string; counter: string }
    const given = { id: body.data.id, captcha: solution, ...(isWorked && { counter }), ...who }
    return (await ask('/api/file/check-captcha', given)).body
  }
  expect((await answer(false)).data.error).toBe('captcha.wrong')
  expect((await answer(true)).code).toBe(0)
})

it('a code to one’s own number takes a sign that was solved without a number, once', async () => {
  // As the page has it: the prefix of the account, and of its number the last digits alone.
  const it = { mobile: '', mobile_prefix: '86', type: 'confirm' }
  const sign = await solved('image', { mobile_prefix: '86' })
  const { mobile, password } = server.person('member')
  const who = { mobile, mobile_prefix: '86' }
  const { token } = await server.as(null).call(login, { ...who, password, sign: await solved('slider', who) })
  const call = (more: object = {}) => ask('/api/v3/auth/phone-verification', { ...it, ...more }, token)
  expect((await call()).body.code).toBe(1002)
  expect((await call({ sign })).body.code).toBe(0)
  expect((await call({ sign })).body.code).toBe(1002)
})

describe('input', () => {
  it('that is too large, of the wrong kind or missing is refused', async () => {
    const { body } = await ask('/api/file/captcha')
    const { id } = body.data
    for (const input of [
      { id: 'x'.repeat(1025), captcha: '1' },
      { id, captcha: 'x'.repeat(201) },
      { id, captcha: '1', counter: '1'.repeat(21) },
      { id, captcha: '1', counter: [1] },
      { id, captcha: '1', mobile: '1'.repeat(21) },
      { id, captcha: { $ne: '' } },
      { id: [id], captcha: '1' },
      { captcha: '1' },
    ])
      expect((await ask('/api/file/check-captcha', input)).body.data.error, JSON.stringify(input)).toBe(
        'bad_input',
      )
    expect((await ask('/api/file/captcha?kind=audio')).body.data.error).toBe('bad_input')
    const long = await ask('/api/v3/auth/phone-verification', { ...number, sign: 'x'.repeat(4097) })
    expect(long.body.data.error).toBe('bad_input')
  })
})

it('the solution is shown for valid challenges alone', async () => {
  for (const id of ['', 'x', 'A'.repeat(400)])
    expect((await ask(`/dev/captcha?id=${id}`)).status, id).toBe(404)
})

it('metrics count what was asked and solved', async () => {
  await ask('/api/v3/auth/phone-verification', number)
  await solved('work')
  const text = await (await fetch(`${server.url}/metrics`)).text()
  expect(text).toMatch(/guildhall_captchas_total\{kind="image",outcome="asked"\} [1-9]/)
  expect(text).toMatch(/guildhall_captchas_total\{kind="work",outcome="solved"\} [1-9]/)
})
