import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { fail } from '@guildhall/wire/failure.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Servable } from '../files/file.ts'
import { openLog } from '../log.ts'
import { type EndpointRequest, fileEndpoints } from './endpoints.ts'
import { type Http, openHttp } from './server.ts'

const BODY_MAX = 1_000
const file: Servable = {
  mime: 'text/plain',
  bytes: 5,
  tag: 'tag',
  name: 'words.txt',
  isShown: false,
  cachedForS: 60,
  isPrivate: false,
  isForAnySite: false,
  open: async () => Readable.from([Buffer.from('words')]),
}
let received: EndpointRequest[] = []
let http: Http
beforeAll(async () => {
  http = await openHttp({
    bindings: [],
    endpoints: [
      {
        method: 'POST',
        path: '/pay/notify/:provider',
        bodyMax: BODY_MAX,
        async run(request) {
          if (request.params.provider === 'unknown') throw fail('not_found')
          received.push(request)
          return { status: 200, type: 'text', body: 'success' }
        },
      },
      {
        method: 'GET',
        path: '/go/:where',
        run: async ({ params, origin }) =>
          params.where === 'later'
            ? { redirect: `${origin}/later`, status: 307 }
            : { redirect: `${origin}/${params.where}` },
      },
      {
        method: 'POST',
        path: '/operator',
        mayRead: ({ bearer }) => bearer === 'secret',
        run: async () => ({ status: 200, type: 'json', body: '{}' }),
      },
      ...fileEndpoints(['/stored/:name'], async (path) => (path === '/stored/here' ? file : null)),
    ],
    screens: {},
    webDir: '/nowhere',
    sessionOf: async () => null,
    publicUrl: 'https://guildhall.example',
    fallbackUrl: 'http://fallback',
    trustedProxies: [],
    checkAnswers: true,
    log: openLog('quiet'),
  })
})
afterAll(() => http.close())
beforeEach(() => {
  received = []
})

const post = (payload: Buffer, headers: Record<string, string> = {}, url = '/pay/notify/wechat') =>
  http.inject({ method: 'POST', url, headers, payload })
const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

it('a server that people come to by https tells browsers to keep to it, in pages and calls alike', async () => {
  for (const url of ['/stored/here', '/api/v2/nothing'])
    expect((await http.inject({ method: 'GET', url })).headers['strict-transport-security']).toBe(
      'max-age=31536000',
    )
})

describe('a raw callback', () => {
  it('is refused when its body is too long, before it runs', async () => {
    expect((await post(Buffer.alloc(BODY_MAX + 1, 'x'))).status).toBe(413)
    expect(received).toEqual([])
  })

  it('answers a failure in plain text, and does not exist for another method', async () => {
    const refused = await post(Buffer.from('x'), {}, '/pay/notify/unknown')
    expect([refused.status, refused.headers['content-type']]).toEqual([404, 'text/plain; charset=utf-8'])
    expect((await http.inject({ method: 'GET', url: '/pay/notify/wechat' })).status).toBe(404)
  })

  it('gets the exact bytes that were sent, whatever their media type', async () => {
    const bodies: [Buffer, Record<string, string>][] = [
      [Buffer.from(' {"a" : 1.0,\r\n "a": "\u0000"}\n'), { 'content-type': 'application/json' }],
      [Buffer.from('a=%20b&a=1+1&sign='), { 'content-type': 'application/x-www-form-urlencoded' }],
      [Buffer.from('<xml><a><![CDATA[1]]></a></xml>'), { 'content-type': 'text/xml' }],
      [Buffer.from([0xff, 0xfe, 0, 0x80, 0xc3, 0x28]), { 'content-type': 'no media type' }],
      [Buffer.from('--x\r\n\r\nnot parsed\r\n--x--'), { 'content-type': 'multipart/form-data; boundary=x' }],
      [Buffer.alloc(0), {}],
      // Alipay's own, and other types that are none.
      ...[
        'application/x-www-form-urlencoded; text/html; charset=utf-8',
        'application/x-www-form-urlencoded;charset=GBK',
        'application/json; charset=',
        'application/json;;',
        'text/xml, text/xml',
        ';',
      ].map((type): [Buffer, Record<string, string>] => [Buffer.from('a=1&b=%BB'), { 'content-type': type }]),
    ]
    for (const [bytes, headers] of bodies) {
      const reply = await post(bytes, { ...headers, 'x-signature': 'abc' })
      expect([reply.status, reply.text, reply.headers['cache-control']]).toEqual([
        200,
        'success',
        'private, no-store',
      ])
      const got = received.pop()!
      expect(digest(got.body)).toBe(digest(bytes))
      expect([got.path, got.params.provider, got.headers['x-signature']]).toEqual([
        '/pay/notify/wechat',
        'wechat',
        'abc',
      ])
    }
  })
})

describe('other endpoints', () => {
  it('do not exist for clients that may not use them', async () => {
    expect((await post(Buffer.from(''), {}, '/operator')).status).toBe(404)
    expect((await post(Buffer.from(''), { authorization: 'Bearer secret' }, '/operator')).status).toBe(200)
  })

  it('redirect, and are not stored by browsers', async () => {
    const { status, headers } = await http.inject({ method: 'GET', url: '/go/there?x=1' })
    expect([status, headers.location, headers['cache-control']]).toEqual([
      302,
      'https://guildhall.example/there',
      'private, no-store',
    ])
    const later = await http.inject({ method: 'GET', url: '/go/later' })
    expect([later.status, later.headers.location]).toEqual([307, 'https://guildhall.example/later'])
  })

  it('send files, only their headers for HEAD, and 404 where there is none', async () => {
    expect((await http.inject({ method: 'GET', url: '/stored/gone' })).status).toBe(404)
    const whole = await http.inject({ method: 'GET', url: '/stored/here?x=1' })
    expect([whole.status, whole.text, whole.headers.etag]).toEqual([200, 'words', '"tag"'])
    const head = await http.inject({ method: 'HEAD', url: '/stored/here' })
    expect([head.status, head.text, head.headers['content-length']]).toEqual([200, '', '5'])
  })
})
