import { describe, expect, it } from 'vitest'
import { planFile, type Servable } from './file.ts'

const picture: Servable = {
  mime: 'image/png',
  bytes: 1000,
  tag: 'abc',
  name: '合影.png',
  isShown: true,
  cachedForS: 3_600,
  isPrivate: false,
  isForAnySite: false,
  open: async () => null,
}
const ask = (
  wanted: Partial<Parameters<typeof planFile>[1]> = {},
  file: Partial<Servable> = {},
  embedOrigins: readonly string[] = [],
) =>
  planFile(
    { ...picture, ...file },
    { range: undefined, ifRange: undefined, ifNoneMatch: undefined, ...wanted },
    embedOrigins,
  )

describe('a range that cannot be satisfied', () => {
  it.each(['bytes=1000-', 'bytes=5000-6000', 'bytes=-0'])(
    '%s is refused with the length, and not cached',
    (range) => {
      const plan = ask({ range })
      expect(plan.status).toBe(416)
      expect(plan.headers['content-range']).toBe('bytes */1000')
      expect(plan.headers['cache-control']).toBe('no-store')
      expect(plan.body).toBeNull()
    },
  )

  it('of an empty file is refused, and the whole file is empty', () => {
    expect(ask({ range: 'bytes=0-' }, { bytes: 0 }).status).toBe(416)
    expect(ask({}, { bytes: 0 }).headers['content-length']).toBe('0')
  })
})

it.each(['bytes=5-2', 'bytes=-', 'bytes=a-b', 'lines=1-2', 'bytes=0-1,5-9', 'bytes=0-99999999999999999999'])(
  '%s is ignored, and the whole file is the answer',
  (range) => {
    expect(ask({ range })).toMatchObject({ status: 200, headers: { 'content-length': '1000' }, body: {} })
  },
)

it.each([
  ['bytes=0-0', 0, 0],
  ['bytes=10-19', 10, 19],
  ['bytes=990-', 990, 999],
  ['bytes=990-5000', 990, 999],
  ['bytes=-10', 990, 999],
  ['bytes=-5000', 0, 999],
])('%s is bytes %i to %i', (range, first, last) => {
  const plan = ask({ range })
  expect(plan.status).toBe(206)
  expect(plan.body).toEqual({ range: { first, last } })
  expect(plan.headers['content-range']).toBe(`bytes ${first}-${last}/1000`)
  expect(plan.headers['content-length']).toBe(String(last - first + 1))
})

it('a range of a file that has changed is answered with the whole present file', () => {
  expect(ask({ range: 'bytes=0-9', ifRange: '"older"' }).status).toBe(200)
  expect(ask({ range: 'bytes=0-9', ifRange: 'W/"abc"' }).status).toBe(200)
  expect(ask({ range: 'bytes=0-9', ifRange: '"abc"' }).status).toBe(206)
})

it.each(['"abc"', 'W/"abc"', '"x", "abc"', '*'])(
  'a request with the ETag %s is answered as not modified',
  (ifNoneMatch) => {
    expect(ask({ ifNoneMatch })).toMatchObject({ status: 304, body: null, headers: { etag: '"abc"' } })
  },
)

it('a request with another ETag is answered with the file', () => {
  expect(ask({ ifNoneMatch: '"x"' }).status).toBe(200)
})

it('a file that is not shown is a download of unknown type, whatever its own type', () => {
  const { headers } = ask({}, { isShown: false, mime: 'text/html', name: 'a"b\\c\r\nd.html' })
  expect(headers['content-type']).toBe('application/octet-stream')
  expect(headers['content-disposition']).toBe(
    `attachment; filename="a_b_c__d.html"; filename*=UTF-8''a%22b%5Cc%0D%0Ad.html`,
  )
})

it('a file that is shown has its name, and cannot run scripts', () => {
  const { headers } = ask()
  expect(headers['content-type']).toBe('image/png')
  expect(headers['content-disposition']).toBe(
    `inline; filename="__.png"; filename*=UTF-8''%E5%90%88%E5%BD%B1.png`,
  )
  expect(headers['content-security-policy']).toContain('sandbox')
  expect(headers['cache-control']).toBe('public, max-age=3600, immutable')
  expect(ask({}, { isPrivate: true }).headers['cache-control']).toBe('private, max-age=3600, immutable')
})

describe('pages of other sites', () => {
  const policyFor = (from: { origin?: string; referer?: string }, allowed: readonly string[] = []) => {
    const { headers } = ask(from, {}, allowed)
    return [headers['cross-origin-resource-policy'], headers.vary]
  }
  const page = 'https://wiki.example/heroes?of=hall'

  it('may not embed a file, and nothing is asked of who comes without a page', () => {
    expect(policyFor({ referer: page })).toEqual(['same-site', undefined])
    expect(policyFor({ origin: 'https://wiki.example' })).toEqual(['same-site', undefined])
    expect(policyFor({})).toEqual(['same-site', undefined])
    expect(ask({ referer: page, ifNoneMatch: '*' }).headers['cross-origin-resource-policy']).toBe('same-site')
  })

  it('may when the operator names them, and caches tell them apart', () => {
    const allowed = ['https://wiki.example']
    const vary = 'Origin, Referer'
    expect(policyFor({ referer: page }, allowed)).toEqual(['cross-origin', vary])
    expect(policyFor({ origin: 'https://wiki.example' }, allowed)).toEqual(['cross-origin', vary])
    for (const from of [
      'http://wiki.example/',
      'https://wiki.example.evil.example/',
      'https://evil.example/?https://wiki.example',
      'nonsense',
    ])
      expect([from, policyFor({ referer: from }, allowed)]).toEqual([from, ['same-site', vary]])
    // The origin of a page counts before what it says it was opened from.
    expect(policyFor({ origin: 'null', referer: page }, allowed)).toEqual(['same-site', vary])
  })

  it('may embed what is drawn for that', () => {
    expect(ask({ referer: page }, { isForAnySite: true }).headers).toMatchObject({
      'cross-origin-resource-policy': 'cross-origin',
    })
  })
})
