import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { createGzip, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isPublic, openSafeFetch, type SafeFetchOptions, Unreachable } from './safeFetch.ts'

/** A local web server, which the fetch is allowed to reach under this one address. */
let web: Server
let port: number
const requests: { path: string; headers: IncomingMessage['headers'] }[] = []
let underWay = 0
let mostUnderWay = 0

const pages: Record<string, (response: ServerResponse, request: IncomingMessage) => void> = {
  '/page': (it) => it.setHeader('content-type', 'Text/HTML; charset="gb18030"').end('words'),
  '/packed': (it) => it.setHeader('content-encoding', 'gzip').end(gzipSync('unpacked words')),
  '/teapot': (it) => it.writeHead(418).end('no'),
  '/secret-packing': (it) => it.setHeader('content-encoding', 'zstd').end('x'),
  '/broken-packing': (it) => it.setHeader('content-encoding', 'gzip').end('no gzip at all'),
  '/cut': (it) => {
    it.setHeader('content-length', 100).write('half')
    setImmediate(() => it.destroy())
  },
  '/endless': (it) => {
    const more = () => {
      while (!it.destroyed && it.write(Buffer.alloc(16_384, 'a')));
      if (!it.destroyed) it.once('drain', more)
    }
    more()
  },
  '/bomb': (it) => {
    it.setHeader('content-encoding', 'gzip')
    const packing = createGzip()
    packing.pipe(it)
    packing.end(Buffer.alloc(50_000_000))
  },
  '/silent': () => undefined,
  '/trickle': (it) => {
    const timer = setInterval(() => it.write('a'), 50)
    it.on('close', () => clearInterval(timer))
  },
  '/moment': (it) => {
    underWay += 1
    mostUnderWay = Math.max(mostUnderWay, underWay)
    setTimeout(() => {
      underWay -= 1
      it.end('done')
    }, 30)
  },
}

beforeAll(async () => {
  web = createServer((request, response) => {
    const url = new URL(request.url!, 'http://web')
    requests.push({ path: url.pathname, headers: request.headers })
    const to = url.searchParams.get('to')
    if (url.pathname === '/to') response.writeHead(302, { location: to! }).end()
    else if (url.pathname === '/round') response.writeHead(301, { location: '/round' }).end()
    else if (/^\/hop\d$/.test(url.pathname)) {
      const left = Number(url.pathname.at(-1))
      response.writeHead(307, { location: left > 1 ? `/hop${left - 1}` : '/page' }).end()
    } else (pages[url.pathname] ?? ((it) => it.writeHead(404).end()))(response, request)
  })
  await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve))
  port = (web.address() as AddressInfo).port
})
afterAll(() => {
  web.closeAllConnections()
  web.close()
})

const ways: SafeFetchOptions = {
  isAllowed: (ip, at) => ip === '127.0.0.1' && at === port,
  resolve: async (name) => names[name] ?? [],
}
const names: Record<string, readonly string[]> = {
  'web.example': ['127.0.0.1'],
  'inside.example': ['10.0.0.7'],
  'half-inside.example': ['93.184.215.14', '192.168.1.1'],
  'six-inside.example': ['2606:4700::1', 'fd00::1'],
}

const at = (path: string, host = 'web.example') => `http://${host}:${port}${path}`
const outOf = (safeFetch = openSafeFetch(ways)) => ({
  fetch: (address: string, more: { most?: number; signal?: AbortSignal } = {}) =>
    safeFetch.fetch(
      { address, onBehalfOf: '1', accept: 'text/html', most: more.most ?? 100_000, ...more },
      async ({ body, mime, charset, url }) => ({ words: await text(body), mime, charset, url: url.href }),
    ),
})
const whyNot = (asked: Promise<unknown>) =>
  asked.then(
    () => 'it came',
    (error: unknown) => (error instanceof Unreachable ? error.why : error),
  )

describe('a fetch is refused', () => {
  it('to an address that is not public, in whatever way it is written', () => {
    for (const ip of [
      '127.0.0.1',
      '127.9.9.9',
      '0.0.0.0',
      '10.1.2.3',
      '172.16.0.1',
      '172.31.255.255',
      '192.168.0.1',
      '169.254.169.254',
      '168.63.129.16',
      '100.100.100.200',
      '100.64.0.1',
      '224.0.0.1',
      '255.255.255.255',
      '240.0.0.1',
      '192.0.2.1',
      '198.51.100.1',
      '203.0.113.9',
      '198.18.0.1',
      '192.0.0.8',
      '192.88.99.1',
      '::',
      '::1',
      'fe80::1',
      'fec0::1',
      'fc00::1',
      'fd12::1',
      'ff02::1',
      '2001:db8::1',
      '100::1',
      '::ffff:127.0.0.1',
      '::ffff:8.8.8.8',
      '::127.0.0.1',
      '64:ff9b::7f00:1',
      '64:ff9b:1::1',
      '2002:7f00:1::',
      '2001::1',
      '3fff::1',
      '5f00::1',
      '4000::1',
      'fe80::1%eth0',
      'localhost',
      '',
    ])
      expect([ip, isPublic(ip)]).toEqual([ip, false])
    for (const ip of ['93.184.215.14', '8.8.8.8', '2606:4700::6810:84e5', '2400:3200::1'])
      expect([ip, isPublic(ip)]).toEqual([ip, true])
  })

  it.each([
    'ftp://web.example/x',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'http://',
    'words',
    '',
    'http://ann@web.example/',
    'http://ann:secret@web.example/',
    `http://web.example/${'x'.repeat(3000)}`,
  ])('by an address that is none of the web: %s', async (address) => {
    expect(await whyNot(outOf().fetch(address))).toBe('address')
  })

  it.each([
    'http://127.0.0.1/',
    'http://localhost.example:1/',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://169.254.169.254/latest/meta-data/',
    'http://inside.example/',
    'http://half-inside.example/',
    'http://six-inside.example/',
    'https://127.0.0.1/',
  ])('inside, directly or by a name: %s', async (address) => {
    names['localhost.example'] = ['127.0.0.1']
    expect(await whyNot(outOf().fetch(address))).toBe('private')
  })

  it('to an unusual port, also of a public address', async () => {
    expect(await whyNot(outOf().fetch('http://93.184.215.14:22/'))).toBe('private')
  })

  it.each([
    'http://169.254.169.254/',
    'http://localhost.example/',
    'http://[::ffff:127.0.0.1]/',
    '//inside.example/',
    'http://half-inside.example/',
    'http://127.0.0.1:22/',
  ])('by a redirect to %s', async (to) => {
    expect(await whyNot(outOf().fetch(at(`/to?to=${encodeURIComponent(to)}`)))).toBe('private')
  })

  it('after a redirect to a private address or an unknown name, or too many redirects', async () => {
    expect(await whyNot(outOf().fetch(at('/to?to=file:///etc/passwd')))).toBe('address')
    expect(await whyNot(outOf().fetch(at('/to?to=http://ann:x@web.example/')))).toBe('address')
    expect(await whyNot(outOf().fetch(at('/to?to=http://nobody.example/')))).toBe('nowhere')
    expect(await whyNot(outOf().fetch(at('/round')))).toBe('redirects')
    expect(await whyNot(outOf().fetch(at('/hop4')))).toBe('redirects')
  })

  it('to a private address of a name that resolves to another one the second time', async () => {
    const answers = [['127.0.0.1'], ['10.0.0.7']]
    let asked = 0
    const changing = openSafeFetch({ ...ways, resolve: async () => answers[asked++] ?? [] })
    expect(await outOf(changing).fetch(at('/page', 'changing.example'))).toMatchObject({ words: 'words' })
    expect(asked).toBe(1)
    expect(await whyNot(outOf(changing).fetch(at('/page', 'changing.example')))).toBe('private')
  })
})

describe('a response is refused', () => {
  it.each([
    ['/teapot', 'status'],
    ['/nothing', 'status'],
    ['/secret-packing', 'broken'],
    ['/broken-packing', 'broken'],
    ['/cut', 'broken'],
    ['/endless', 'large'],
    ['/bomb', 'large'],
  ])('%s: %s', async (path, why) => {
    expect(await whyNot(outOf().fetch(at(path)))).toBe(why)
  })

  it.each(['/silent', '/trickle'])('when it takes too long: %s', async (path) => {
    expect(await whyNot(outOf().fetch(at(path), { signal: AbortSignal.timeout(150) }))).toBe('late')
    const safeFetch = openSafeFetch(ways)
    const asked = whyNot(outOf(safeFetch).fetch(at(path)))
    setTimeout(() => safeFetch.close(), 50)
    expect(await asked).toBe('late')
    expect(await whyNot(outOf(safeFetch).fetch(at('/page')))).toBe('busy')
  })
})

describe('the response to a fetch', () => {
  it('has its media type, decompressed body and address after redirects', async () => {
    expect(await outOf().fetch(at('/hop3'))).toEqual({
      words: 'words',
      mime: 'text/html',
      charset: 'gb18030',
      url: at('/page'),
    })
    expect((await outOf().fetch(at('/packed'))).words).toBe('unpacked words')
    expect(requests.filter(({ path }) => path === '/page').at(-1)?.headers).toEqual({
      host: `web.example:${port}`,
      'user-agent': 'Guildhall/1.0',
      accept: 'text/html',
      'accept-encoding': 'gzip, deflate, br',
      'accept-language': 'zh-CN,zh;q=0.9,en;q=0.5',
      connection: 'close',
    })
  })

  it('may be abandoned in the middle', async () => {
    const safeFetch = openSafeFetch(ways)
    const it = { address: at('/endless'), onBehalfOf: '1', accept: '*/*', most: 1e9 }
    const bytes = await safeFetch.fetch(it, async ({ body }) => {
      for await (const chunk of body) return (chunk as Buffer).length
      return 0
    })
    expect(bytes).toBeGreaterThan(0)
  })

  it('is one of at most four concurrent ones for a person, and all complete', async () => {
    mostUnderWay = 0
    const safeFetch = openSafeFetch(ways)
    const all = await Promise.all(Array.from({ length: 12 }, () => outOf(safeFetch).fetch(at('/moment'))))
    expect(all.map(({ words: content }) => content)).toEqual(Array(12).fill('done'))
    expect(mostUnderWay).toBe(4)
  })

  it('is not requested when the caller aborts in the queue, and the queue continues', async () => {
    const safeFetch = openSafeFetch(ways)
    const first = Array.from({ length: 4 }, () => outOf(safeFetch).fetch(at('/moment')))
    const given = AbortSignal.timeout(1)
    expect(await whyNot(outOf(safeFetch).fetch(at('/moment'), { signal: given }))).toBe('late')
    await Promise.all(first)
    expect((await outOf(safeFetch).fetch(at('/page'))).words).toBe('words')
  })
})
