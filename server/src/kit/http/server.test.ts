import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { networkInterfaces, tmpdir } from 'node:os'
import path from 'node:path'
import { Writable } from 'node:stream'
import { brotliCompressSync } from 'node:zlib'
import { fail } from '@guildhall/wire/failure.ts'
import type { UserId } from '@guildhall/wire/id.ts'
import { BODY_MAX_BYTES } from '@guildhall/wire/limit.ts'
import { route } from '@guildhall/wire/route.ts'
import { flag, int, text, z } from '@guildhall/wire/schema.ts'
import { SECOND_MS } from '@guildhall/wire/unit.ts'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { replaceClock } from '../clock.ts'
import { Limits, memoryRateLimiter } from '../limits/rateLimit.ts'
import { openLog } from '../log.ts'
import { bind, bindUser } from './binding.ts'
import { RATE_LIMIT } from './rateLimit.ts'
import { type Http, openHttp } from './server.ts'

const echo = {
  input: z.object({ name: text(5, 1), count: z._default(int(0, 9), 1), yes: z.optional(flag()) }),
  answer: z.looseObject({}),
  who: 'anyone' as const,
  fails: [],
}
/** What refuses a read within its work. */
let refuseBy = async (): Promise<void> => undefined
const old = route({ ...echo, method: 'POST', path: '/api/v2/things/:name', dialect: 'v2' })
const fresh = route({ ...echo, method: 'POST', path: '/api/v3/thing/make', dialect: 'v3' })
const read = route({ ...echo, method: 'GET', path: '/api/v3/thing/view', dialect: 'v3' })
const form = route({ ...echo, method: 'POST', path: '/api/v3/auth/form', dialect: 'v3' })
const mine = route({
  method: 'GET',
  path: '/api/v2/mine',
  dialect: 'v2',
  who: 'user',
  input: z.object({}),
  answer: z.object({ id: z.string() }),
  fails: [],
})
const mineV3 = route({ ...mine, path: '/api/v3/mine', dialect: 'v3' })
const broken = route({ ...mine, path: '/api/v3/broken', dialect: 'v3', who: 'anyone' })
const bug = route({ ...mine, path: '/api/v2/bug', dialect: 'v2', who: 'anyone' })
const refusing = route({
  ...echo,
  input: z.object({}),
  method: 'POST',
  path: '/api/v3/auth/no',
  dialect: 'v3',
})
const refusingV2 = route({ ...refusing, path: '/api/v2/auth/no', dialect: 'v2' })

let http: Http
let webDir: string
let logged = ''
beforeAll(async () => {
  webDir = await mkdtemp(path.join(tmpdir(), 'web-'))
  await mkdir(path.join(webDir, 'assets'))
  await writeFile(
    path.join(webDir, 'index.html'),
    '<!doctype html><title>page</title><script>let a = 1</script>',
  )
  await writeFile(path.join(webDir, 'assets/app-abc123.js'), 'let a = 1')
  await writeFile(path.join(webDir, 'assets/app-abc123.js.br'), brotliCompressSync('let a = 1'))
  await writeFile(path.join(webDir, 'logo.svg'), '<svg/>')
  const token = 'a-token-that-is-known-here'
  http = await openHttp({
    bindings: [
      bind(old, async (_context, input) => input),
      bind(fresh, async (_context, input) => input),
      bind(read, async (_context, input) => {
        await refuseBy()
        return input
      }),
      bind(form, async (_context, input) => input),
      bindUser(mine, async ({ caller }) => ({ id: caller.userId })),
      bindUser(mineV3, async ({ caller }) => ({ id: caller.userId })),
      bind(broken, async () => ({ id: 5 }) as never),
      bind(bug, async () => {
        throw new Error('the password is hunter2')
      }),
      bind(refusing, async () => {
        throw fail('auth.code_too_soon', { n: 42 })
      }),
      bind(refusingV2, async () => {
        throw fail('auth.code_too_soon', { n: 42 })
      }),
    ],
    endpoints: [
      {
        method: 'GET',
        path: '/where',
        run: async ({ origin }) => ({ status: 200, type: 'text', body: origin }),
      },
      {
        method: 'GET',
        path: '/whence',
        run: async ({ network }) => ({ status: 200, type: 'text', body: network }),
      },
    ],
    screens: { '/': 'index.html', '/channels': 'index.html', '/channels/*': 'index.html' },
    webDir,
    sessionOf: async (given) =>
      given === token ? { userId: '5' as UserId, isBot: false, sessionId: 's', token } : null,
    publicUrl: null,
    fallbackUrl: 'http://fallback',
    trustedProxies: ['10.1.0.0/16'],
    checkAnswers: true,
    log: openLog(
      'json',
      new Writable({
        write(line, _encoding, done) {
          logged += String(line)
          done()
        },
      }),
    ),
  })
})
afterAll(async () => {
  await http.close()
  await rm(webDir, { recursive: true, force: true })
})

const post = (url: string, payload: string | Buffer = '{}', headers: Record<string, string> = {}) =>
  http.inject({ method: 'POST', url, payload, headers: { 'content-type': 'application/json', ...headers } })
const get = (url: string, headers: Record<string, string> = {}) =>
  http.inject({ method: 'GET', url, headers })

describe('the client address of a request', () => {
  const whence = async (remoteAddress: string, forwarded: string) =>
    (
      await http.inject({
        method: 'GET',
        url: '/whence',
        remoteAddress,
        headers: { 'x-forwarded-for': forwarded },
      })
    ).text

  it('is not taken from a header of an untrusted client', async () => {
    expect(await whence('203.0.113.9', '198.51.100.7')).toBe('203.0.113.9')
  })

  it('is the one that a trusted proxy adds, and not the one the client sent to the proxy', async () => {
    expect(await whence('10.1.2.3', '198.51.100.7')).toBe('198.51.100.7')
    expect(await whence('10.1.2.3', '192.0.2.1, 198.51.100.7')).toBe('198.51.100.7')
  })
})

describe('a request is refused for', () => {
  it('text that is no JSON', async () => {
    const reply = await post('/api/v2/things/a', '{"count": ')
    expect([reply.status, JSON.parse(reply.text)]).toMatchObject([400, { code: 40000, error: 'bad_json' }])
  })

  it.each(['[]', '"text"', '5', 'null'])('a body that is no object: %s', async (body) => {
    expect(JSON.parse((await post('/api/v2/things/a', body)).text).error).toBe('bad_input')
  })

  it('each field of the wrong type, by its name and with a reason', async () => {
    const reply = await post('/api/v3/thing/make', '{"name": {}, "count": "many", "yes": 7}')
    expect(reply.status).toBe(200)
    const { code, data, message } = JSON.parse(reply.text)
    expect(code).toBe(40000)
    expect(data.error).toBe('bad_input')
    expect(Object.keys(data.errors).sort()).toEqual(['count', 'name', 'yes'])
    expect(message).toContain('count')
  })

  it('a missing field, named as missing', async () => {
    const reply = await post('/api/v2/things/a', '{}', { 'accept-language': 'en' })
    expect(reply.status).toBe(200)
    const { data } = JSON.parse((await post('/api/v3/thing/make', '{}', { 'accept-language': 'en' })).text)
    expect(data.errors).toEqual({ name: 'is missing' })
  })

  it('invalid fields of a form call, with messages keyed by field', async () => {
    const { message } = JSON.parse((await post('/api/v3/auth/form', '{"name": "too long for it"}')).text)
    expect(message).toEqual({ name: '过长，最多 5' })
  })

  it.each(['/api/v3/auth/no', '/api/v2/auth/no'])(
    '%s: the seconds to wait are in data.extra',
    async (url) => {
      const reply = await post(url)
      const body = JSON.parse(reply.text)
      expect(reply.status).toBe(url.includes('v2') ? 400 : 200)
      expect(body.data).toMatchObject({ error: 'auth.code_too_soon', extra: { n: 42 } })
      expect(body.message).toEqual({ code: '42 秒后重新发送' })
    },
  )

  it('a body larger than the limit, by its announced length, with 413 in both dialects', async () => {
    const large = JSON.stringify({ name: 'a'.repeat(BODY_MAX_BYTES) })
    for (const url of ['/api/v2/things/a', '/api/v3/thing/make']) {
      const reply = await post(url, large)
      expect([reply.status, JSON.parse(reply.text).code]).toEqual([413, 413])
    }
  })

  it('a missing session or an unknown token, with 401', async () => {
    for (const headers of [{}, { authorization: 'not-a-token-of-anyone' }, { authorization: 'Bot x' }]) {
      for (const url of ['/api/v2/mine', '/api/v3/mine']) {
        const reply = await get(url, headers as Record<string, string>)
        expect([reply.status, JSON.parse(reply.text).code]).toEqual([401, 401])
        const content = url.includes('v3') ? '你的用户凭证不正确' : '未登录'
        expect(JSON.parse(reply.text).message).toBe(content)
      }
    }
  })

  it('an unknown call, in the envelope of its dialect', async () => {
    const [older, newer] = [await get('/api/v2/nothing'), await get('/api/v3/nothing')]
    expect([older.status, JSON.parse(older.text).error]).toEqual([404, 'not_found'])
    expect([newer.status, JSON.parse(newer.text).data]).toMatchObject([
      404,
      { name: 'Not Found', status: 404 },
    ])
  })

  it('an unknown page, with the page itself for a browser that opens it, and with words for everything else', async () => {
    const page = await get('/bindmobile?from=x', { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' })
    expect([page.status, page.headers['content-type'], page.headers['cache-control']]).toEqual([
      404,
      'text/html; charset=utf-8',
      'no-store',
    ])
    expect(page.text).toContain('<title>page</title>')
    const file = await get('/assets/gone.js', { accept: '*/*' })
    expect([file.status, file.headers['content-type']]).toEqual([404, 'text/plain; charset=utf-8'])
    const call = await get('/api/v3/nothing', { accept: 'text/html' })
    expect([call.status, call.headers['content-type']]).toEqual([404, 'application/json; charset=utf-8'])
  })

  it('a broken address', async () => {
    expect((await get('/api/v2/%E0%A4%A')).status).toBeLessThan(500)
  })

  it('a bug, without any detail; the log has the error', async () => {
    const reply = await get('/api/v2/bug')
    expect(reply.status).toBe(500)
    expect(JSON.parse(reply.text)).toMatchObject({ code: 500, message: '发生错误', error: 'internal' })
    expect(reply.text).not.toMatch(/hunter2|at |\.ts/)
    expect(logged).toContain(reply.headers['x-request-id'])
  })

  it('an answer that breaks its contract, as a bug', async () => {
    expect((await get('/api/v3/broken')).status).toBe(500)
    expect(logged).toContain('answers what its contract does not say')
  })
})

describe('a request whose body does not arrive', () => {
  it('is cut off after half a minute, while a complete one may take any time to answer', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
    const begun = Promise.withResolvers<void>()
    const finished = Promise.withResolvers<void>()
    const slow = await openHttp({
      bindings: [
        bind(old, async (_context, input) => {
          begun.resolve()
          await finished.promise
          return input
        }),
      ],
      endpoints: [],
      screens: {},
      webDir: '/nowhere',
      sessionOf: async () => null,
      publicUrl: null,
      fallbackUrl: 'http://fallback',
      trustedProxies: [],
      checkAnswers: true,
      log: openLog('quiet'),
    })
    try {
      const port = await slow.listen('127.0.0.1', 0)
      const ask = (body: string) => {
        const socket = connect(port, '127.0.0.1')
        socket.write(`POST /api/v2/things/a HTTP/1.1\r\nhost: h\r\ncontent-length: 2\r\n\r\n${body}`)
        return socket
      }
      const half = ask('{')
      const whole = ask('{}')
      const answer = once(whole, 'data')
      await begun.promise
      vi.advanceTimersByTime(29 * SECOND_MS)
      expect(half.readyState).toBe('open')
      const closed = once(half, 'close')
      vi.advanceTimersByTime(3 * SECOND_MS)
      await closed
      finished.resolve()
      expect(String(await answer)).toContain('200 OK')
      whole.destroy()
    } finally {
      vi.useRealTimers()
      await slow.close()
    }
  })
})

it('a client that leaves in the middle of its request is no error of the server', async () => {
  const content: string[] = []
  const log = openLog(
    'json',
    new Writable({
      write(line, _encoding, done) {
        content.push(String(line))
        done()
      },
    }),
  )
  const left = await openHttp({
    bindings: [bind(old, async (_context, input) => input)],
    endpoints: [],
    screens: {},
    webDir: '/nowhere',
    sessionOf: async () => null,
    publicUrl: null,
    fallbackUrl: 'http://fallback',
    trustedProxies: [],
    checkAnswers: true,
    log,
  })
  try {
    const socket = connect(await left.listen('127.0.0.1', 0), '127.0.0.1')
    socket.write('POST /api/v2/things/a HTTP/1.1\r\nhost: h\r\ncontent-length: 9\r\n\r\n{')
    await expect.poll(() => left.inFlight.size).toBe(1)
    socket.destroy()
    await expect.poll(() => left.inFlight.size).toBe(0)
    await left.inject({ method: 'POST', url: '/api/v2/things/a', payload: '{}' })
    expect(content.map((line) => JSON.parse(line).msg)).toEqual(['answered'])
  } finally {
    await left.close()
  }
})

it('no answer to a call may be kept by a cache, whatever it says', async () => {
  const answers = await Promise.all([
    post('/api/v2/things/a', '{"name": "a"}'),
    post('/api/v3/thing/make', '{"name": {}}'),
    get('/api/v3/mine'),
    get('/api/v3/mine', { authorization: 'Bot a-token-that-is-known-here' }),
    get('/api/v3/nothing'),
    get('/api/v3/broken'),
  ])
  expect(new Set(answers.map(({ headers }) => headers['cache-control']))).toEqual(new Set(['no-store']))
})

describe('a call accepts', () => {
  it('unknown fields, numbers as text and text as numbers', async () => {
    const reply = await post('/api/v3/thing/make', '{"name": 12, "count": "3", "yes": 1, "more": [1]}')
    expect(JSON.parse(reply.text)).toEqual({
      code: 0,
      message: '操作成功',
      data: { name: '12', count: 3, yes: true },
    })
  })

  it('the path before the query, and the query before the body', async () => {
    const reply = await post('/api/v2/things/path?name=query&count=2', '{"name": "body", "count": 3}')
    expect(JSON.parse(reply.text)).toEqual({ name: 'path', count: 2 })
  })

  it.each(['text/plain', 'nonsense', 'application/json;charset=gbk', 'application/x-www-form-urlencoded'])(
    'JSON under the content type %s',
    async (type) => {
      const reply = await post('/api/v2/things/a', '{"count": 4}', { 'content-type': type })
      expect(JSON.parse(reply.text)).toEqual({ name: 'a', count: 4 })
    },
  )

  it('a POST with neither body nor content type', async () => {
    const reply = await http.inject({ method: 'POST', url: '/api/v2/things/a' })
    expect(JSON.parse(reply.text)).toEqual({ name: 'a', count: 1 })
  })

  it('a GET that announces JSON and sends none', async () => {
    const reply = await get('/api/v3/thing/view?name=a', { 'content-type': 'application/json' })
    expect(JSON.parse(reply.text).data).toEqual({ name: 'a', count: 1 })
  })

  it('POST for a v3 read, and a v3 path without its version', async () => {
    expect(JSON.parse((await post('/api/v3/thing/view', '{"name": "b"}')).text).data.name).toBe('b')
    expect(JSON.parse((await get('/api/thing/view?name=c')).text).data.name).toBe('c')
  })

  it('text with NUL and lone surrogates, which are removed', async () => {
    const reply = await post('/api/v3/thing/make', '{"name": "a\\u0000b\\ud800"}')
    expect(JSON.parse(reply.text).data.name).toBe('ab\ufffd')
  })

  it('field names with a meaning in JavaScript', async () => {
    const reply = await post('/api/v2/things/a', '{"__proto__": {"count": 5}, "constructor": 1}')
    expect(JSON.parse(reply.text)).toEqual({ name: 'a', count: 1 })
  })
})

describe('every answer has', () => {
  it('the four rate limit headers on v3, and is 429 past the limit until the window ends', async () => {
    let now = 1_000_000
    const restore = replaceClock(() => now)
    try {
      const ask = () =>
        http.inject({ method: 'GET', url: '/api/v3/thing/view?name=a', remoteAddress: '10.0.0.9' })
      const first = await ask()
      expect(first.headers).toMatchObject({
        'x-rate-limit-limit': String(RATE_LIMIT),
        'x-rate-limit-remaining': String(RATE_LIMIT - 1),
        'x-rate-limit-reset': '60',
        'x-rate-limit-bucket': 'thing/view',
      })
      for (let count = 1; count < RATE_LIMIT; count++) expect((await ask()).status).toBe(200)
      const over = await ask()
      expect([over.status, JSON.parse(over.text).code]).toEqual([429, 429])
      expect(over.headers['x-rate-limit-remaining']).toBe('0')
      now += 60_000
      expect((await ask()).status).toBe(200)
    } finally {
      restore()
    }
  })

  it('the window that refused it in those headers, also where it is one of another kind', async () => {
    const few = { name: 'few', most: 3, windowMs: 10_000 }
    const limits = new Limits(memoryRateLimiter())
    refuseBy = () => limits.use(few, 'somebody')
    const ask = () =>
      http.inject({ method: 'GET', url: '/api/v3/thing/view?name=a', remoteAddress: '10.0.0.8' })
    for (let count = 0; count < 3; count++) expect((await ask()).status).toBe(200)
    const { status, headers } = await ask()
    expect(status).toBe(429)
    expect(headers).toMatchObject({
      'x-rate-limit-limit': '3',
      'x-rate-limit-remaining': '0',
      'x-rate-limit-reset': '10',
      'x-rate-limit-bucket': 'thing/view',
    })
    refuseBy = async () => undefined
  })

  it('the rate limit headers also on refusals', async () => {
    for (const url of ['/api/v3/nothing', '/api/v3/mine']) {
      const { headers } = await get(url)
      expect(headers['x-rate-limit-remaining']).toMatch(/^\d+$/)
      expect(headers['x-rate-limit-bucket']).toBe(url.slice('/api/v3/'.length))
    }
  })

  it('a content policy that runs no inline script but those of the built page, and no guessing of types', async () => {
    const hash = createHash('sha256').update('let a = 1').digest('base64')
    for (const [url, scripts] of [
      ['/', `script-src 'self' 'sha256-${hash}';`],
      ['/nowhere', `script-src 'self' 'sha256-${hash}';`],
      ['/api/v2/mine', "default-src 'none';"],
      ['/api/v3/%', "default-src 'none';"],
    ] as const) {
      const { headers } = await get(url)
      expect(headers['content-security-policy']).toContain(scripts)
      expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
      expect(headers['x-content-type-options']).toBe('nosniff')
    }
  })

  it('nobody who may frame it, but in development the frames of this server itself', async () => {
    const framed = { 'sec-fetch-dest': 'iframe' }
    const { headers } = await get('/', framed)
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
    expect(headers['x-frame-options']).toBe('DENY')
    const open = await openHttp({
      bindings: [],
      endpoints: [],
      screens: {},
      webDir: '/nowhere',
      sessionOf: async () => null,
      publicUrl: null,
      fallbackUrl: 'http://fallback',
      trustedProxies: [],
      checkAnswers: true,
      log: openLog('quiet'),
      isFramedByItself: true,
    })
    const of = async (url: string, more: Record<string, string>) =>
      (await open.inject({ method: 'GET', url, headers: more })).headers
    expect((await of('/', framed))['content-security-policy']).toContain("frame-ancestors 'self';")
    expect((await of('/', framed))['x-frame-options']).toBe('SAMEORIGIN')
    expect((await of('/', {}))['content-security-policy']).toContain("frame-ancestors 'none'")
    expect((await of('/api/v3/user/me', framed))['content-security-policy']).toContain(
      "frame-ancestors 'none'",
    )
    await open.close()
  })

  it('a content policy that loads from and connects to this server alone', async () => {
    const policy = (await get('/')).headers['content-security-policy'] ?? ''
    const sources = policy.split('; ').flatMap((directive) => directive.split(' ').slice(1))
    expect(sources.filter((source) => /^(?:https?|wss?):$|^\*$/.test(source))).toEqual([])
    // Files are under the configured address, by whichever name of this machine the page was opened.
    expect(policy).toContain("img-src 'self' data: blob: http://localhost:80 http://fallback;")
    expect(policy).toContain("media-src 'self' blob: http://localhost:80 http://fallback;")
    expect(policy).toContain("connect-src 'self' http://localhost:80 http://fallback ws://localhost:80;")
    expect((await get('/')).headers['referrer-policy']).toBe('strict-origin-when-cross-origin')
    const direct = (await get('/', { host: 'fallback' })).headers
    expect(direct['content-security-policy']).toContain("img-src 'self' data: blob: http://fallback;")
    expect(direct['referrer-policy']).toBe('same-origin')
  })
})

describe('the built page', () => {
  it('an unknown file is 404, as is a path outside the directory', async () => {
    for (const url of [
      '/assets/none.js',
      '/nowhere',
      '/../package.json',
      '/%2e%2e/package.json',
      '/.vite/x',
    ]) {
      expect((await get(url)).status).toBe(404)
    }
  })

  it('screens answer with the page and are not cached; hashed files are cached for a year', async () => {
    for (const url of ['/', '/channels/', '/channels/1/2']) {
      const page = await get(url)
      expect([page.status, page.headers['cache-control']]).toEqual([200, 'no-cache'])
      expect(page.text).toContain('<title>page</title>')
    }
    const asset = await get('/assets/app-abc123.js', { 'accept-encoding': 'br' })
    expect(asset.headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect(asset.headers['content-encoding']).toBe('br')
    expect(asset.headers['content-type']).toMatch(/javascript/)
    expect((await get('/logo.svg')).headers['cache-control']).toBe('no-cache')
  })
})

it('the public address is the requested one when it is valid, else the configured one', async () => {
  expect((await get('/where', { host: 'LocalHost:8080' })).text).toBe('http://localhost:8080')
  expect((await get('/where', { host: 'evil.example' })).text).toBe('http://fallback')
  expect((await get('/where', { host: '127.0.0.1.evil.example' })).text).toBe('http://fallback')
  for (const { address } of Object.values(networkInterfaces()).flatMap((all) => all ?? []))
    expect((await get('/where', { host: address.includes(':') ? `[${address}]` : address })).text).toContain(
      address,
    )
  expect((await get('/where', { host: 'evil"><script>' })).text).toBe('http://fallback')
})

it('proxy headers are ignored', async () => {
  expect((await get('/where', { host: 'localhost:1', 'x-forwarded-host': 'b.example' })).text).toBe(
    'http://localhost:1',
  )
})

it('a closing server answers the requests in flight and accepts no new ones', async () => {
  let goOn = () => {}
  const waits = new Promise<void>((done) => {
    goOn = done
  })
  let asked = () => {}
  const isAsked = new Promise<void>((done) => {
    asked = done
  })
  const slow = await openHttp({
    bindings: [
      bind(old, async (_context, input) => {
        asked()
        await waits
        return input
      }),
    ],
    endpoints: [],
    screens: {},
    webDir: '/nowhere',
    sessionOf: async () => null,
    publicUrl: null,
    fallbackUrl: 'http://fallback',
    trustedProxies: [],
    checkAnswers: true,
    log: openLog('quiet'),
  })
  const port = await slow.listen('127.0.0.1', 0)
  const post = () => fetch(`http://127.0.0.1:${port}/api/v2/things/tea`, { method: 'POST', body: '{}' })
  const answer = post()
  await isAsked
  const closed = slow.close()
  await expect(post()).rejects.toThrow()
  goOn()
  expect((await answer).status).toBe(200)
  await closed
})
