/**
 * HTTP responses with a stored file: whole, a range, not modified, or not satisfiable. RFC 9110 §13 and §14.
 */
import type { Readable } from 'node:stream'

/** A stored file as HTTP serves it. Its address always means the same bytes. */
export interface Servable {
  readonly mime: string
  readonly bytes: number
  /** Strong, without its quotation marks. */
  readonly tag: string
  /** The name under which it is downloaded. */
  readonly name: string
  /** True: a browser shows it; false: a browser offers it as a download. */
  readonly isShown: boolean
  /** How long caches may keep it, s: it stays readable for this long after it was deleted. */
  readonly cachedForS: number
  /** True: only the reader's own cache may. */
  readonly isPrivate: boolean
  /** True: pages of every site may show it, as a guild's badge. */
  readonly isForAnySite: boolean
  /** Null when the file no longer exists. */
  open(range?: { first: number; last: number }): Promise<Readable | null>
}

/** The range and cache headers of a request, and those that tell whose page shows the file. */
export interface Wanted {
  readonly range: string | undefined
  readonly ifRange: string | undefined
  readonly ifNoneMatch: string | undefined
  readonly origin?: string | undefined
  readonly referer?: string | undefined
}

export interface FilePlan {
  readonly status: 200 | 206 | 304 | 416
  readonly headers: Readonly<Record<string, string>>
  /** The body; null: none. Without a range it is the whole file. */
  readonly body: { readonly range?: { readonly first: number; readonly last: number } } | null
}

/**
 * The headers of every response with a file. Their policy forbids scripts, so that an opened upload cannot
 * act.
 */
const fileHeaders = (file: Servable): Record<string, string> => ({
  etag: `"${file.tag}"`,
  'cache-control': `${file.isPrivate ? 'private' : 'public'}, max-age=${file.cachedForS}, immutable`,
  'accept-ranges': 'bytes',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'",
  'content-type': file.isShown ? file.mime : 'application/octet-stream',
  'content-disposition': `${file.isShown ? 'inline' : 'attachment'}; ${nameParameters(file.name)}`,
})

/**
 * Whose pages may show the file: browsers keep those of other sites from it. Who is named by the operator
 * (`embedOrigins`) is known by what the browser says of the page; an address that is opened has no page, and
 * programs do not look at the policy.
 */
function embedding(
  { isForAnySite }: Servable,
  { origin, referer = '' }: Wanted,
  embedOrigins: readonly string[],
): Record<string, string> {
  const name = 'cross-origin-resource-policy'
  if (isForAnySite) return { [name]: 'cross-origin' }
  if (embedOrigins.length === 0) return { [name]: 'same-site' }
  const page = origin ?? (URL.canParse(referer) ? new URL(referer).origin : '')
  return { [name]: embedOrigins.includes(page) ? 'cross-origin' : 'same-site', vary: 'Origin, Referer' }
}

/** The name twice: by RFC 5987, and in ASCII for clients that do not know it. */
function nameParameters(name: string): string {
  const ascii = name.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const encoded = encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `filename="${ascii}"; filename*=UTF-8''${encoded}`
}

/** Plans the response. A request for several ranges gets the whole file, as RFC 9110 allows. */
export function planFile(file: Servable, wanted: Wanted, embedOrigins: readonly string[]): FilePlan {
  const headers = { ...fileHeaders(file), ...embedding(file, wanted, embedOrigins) }
  if (wanted.ifNoneMatch !== undefined && matches(wanted.ifNoneMatch, file.tag))
    return { status: 304, headers, body: null }

  const isSame = wanted.ifRange === undefined || wanted.ifRange.trim() === headers.etag
  const range = wanted.range !== undefined && isSame ? rangeOf(wanted.range, file.bytes) : 'whole'
  if (range === 'whole') return { status: 200, headers: withLength(headers, file.bytes), body: {} }
  if (range === 'none') {
    // Not cacheable: a cache must not store the refusal as the file.
    const { 'cache-control': _, 'content-disposition': __, ...rest } = headers
    return {
      status: 416,
      headers: { ...rest, 'cache-control': 'no-store', 'content-range': `bytes */${file.bytes}` },
      body: null,
    }
  }
  const { first, last } = range
  return {
    status: 206,
    headers: {
      ...withLength(headers, last - first + 1),
      'content-range': `bytes ${first}-${last}/${file.bytes}`,
    },
    body: { range },
  }
}

const withLength = (headers: Record<string, string>, bytes: number) => ({
  ...headers,
  'content-length': String(bytes),
})

const matches = (header: string, tag: string): boolean =>
  header.trim() === '*' || header.split(',').some((each) => each.trim().replace(/^W\//, '') === `"${tag}"`)

function rangeOf(header: string, bytes: number): { first: number; last: number } | 'whole' | 'none' {
  const one = /^\s*bytes\s*=\s*(\d{0,15})\s*-\s*(\d{0,15})\s*$/i.exec(header)
  if (!one || (one[1] === '' && one[2] === '')) return 'whole'
  const [from, to] = [one[1]!, one[2]!]
  if (from === '') {
    const length = Math.min(Number(to), bytes)
    return length === 0 ? 'none' : { first: bytes - length, last: bytes - 1 }
  }
  const first = Number(from)
  const last = to === '' ? bytes - 1 : Math.min(Number(to), bytes - 1)
  if (to !== '' && Number(to) < first) return 'whole'
  return first >= bytes ? 'none' : { first, last }
}
