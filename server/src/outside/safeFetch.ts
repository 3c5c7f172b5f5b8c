/**
 * What stands at public addresses of the web. The way out of the house leads nowhere else: not to this machine, not
 * into the network it stands in, whatever a name or a redirect says. decision 26.
 */
import { Resolver } from 'node:dns/promises'
import http from 'node:http'
import https from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { type Bytes, SECOND_MS } from '@guildhall/wire/unit.ts'
import ipaddr from 'ipaddr.js'

/** Redirects followed; the next one is one too many. */
const REDIRECTS_MAX = 3
/** From asking for the name to the last byte, redirects and all, ms. */
const WITHIN_MS = 5 * SECOND_MS
const RESOLVE_WITHIN_MS = 2 * SECOND_MS
/** Under way at once, in all and for one person; the others wait, so many of them. */
const AT_ONCE = 16
const AT_ONCE_FOR_ONE = 4
const WAITING_MAX = 256
const ADDRESS_MAX = 2_048
const USER_AGENT = 'Guildhall/1.0'
const REDIRECTS = new Set([301, 302, 303, 307, 308])

/**
 * Why nothing came. `address`: not one of the web; `private`: it is not public; `nowhere`: the name names nothing;
 * `status`: there is nothing to be seen; `large`: more came than was asked for; `busy`: too much is under way.
 */
export type WhyUnreachable =
  | 'address'
  | 'private'
  | 'nowhere'
  | 'redirects'
  | 'status'
  | 'large'
  | 'late'
  | 'busy'
  | 'broken'

/** Nothing came of asking. What is elsewhere is nobody's fault here: callers go on without it. */
export class Unreachable extends Error {
  override name = 'Unreachable'
  readonly why: WhyUnreachable
  constructor(why: WhyUnreachable, options?: ErrorOptions) {
    super(why, options)
    this.why = why
  }
}

/** What stands at an address. */
export interface SafeFetchResponse {
  /** Where it stood in the end, after redirects. */
  readonly url: URL
  /** In small letters, without its parameters; `''` when it was not said. */
  readonly mime: string
  /** As the answer's head names it; null when it does not. */
  readonly charset: string | null
  /** Unpacked. Breaks with `Unreachable` when it is too long, late or cut off; letting go of it ends the asking. */
  readonly body: Readable
}

export interface SafeFetchRequest {
  readonly address: string
  /** The person it is done for: nobody takes the way out for themselves alone. */
  readonly onBehalfOf: string
  /** Kinds of content, as HTTP names them. */
  readonly accept: string
  /** Of the body, unpacked. */
  readonly most: Bytes
  /** Gives up earlier than after five seconds. */
  readonly signal?: AbortSignal
}

export interface SafeFetch {
  /**
   * Asks for an address and hands the answer to `take`, whose result it gives back; the answer is over when `take` is.
   * Whole within five seconds, waiting for others aside.
   * @throws Unreachable
   */
  fetch<T>(it: SafeFetchRequest, take: (answer: SafeFetchResponse) => Promise<T>): Promise<T>
  /** Gives up whatever is under way, and asks nothing any more. */
  close(): void
}

/** What differs where the web is a server beside the tests. */
export interface SafeFetchOptions {
  /** The addresses a name stands for; none, or an error, when it names nothing. */
  readonly resolve?: (name: string) => Promise<readonly string[]>
  /** Beyond public addresses with the usual ports: also this one. */
  readonly isAllowed?: (ip: string, port: number) => boolean
}

/** A public unicast address of either family, and no other way of writing a private one. */
export function isPublic(ip: string): boolean {
  if (!ipaddr.isValid(ip)) return false
  const address = ipaddr.parse(ip)
  if (address.range() !== 'unicast') return false
  // Of IPv6 only what is handed out to networks: the rest has no meaning yet, or maps to something else.
  return address.kind() === 'ipv4' || (address as ipaddr.IPv6).match(ipaddr.IPv6.parse('2000::'), 3)
}

/**
 * Names are asked of the DNS alone: what this machine's own files call its neighbours is nobody's business, and a slow
 * answer holds up nothing else here.
 */
async function resolvePublicly(name: string): Promise<string[]> {
  const resolver = new Resolver({ timeout: RESOLVE_WITHIN_MS, tries: 2 })
  const found = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
  return found.flatMap((it) => (it.status === 'fulfilled' ? it.value : []))
}

export function openSafeFetch({
  resolve = resolvePublicly,
  isAllowed = () => false,
}: SafeFetchOptions = {}): SafeFetch {
  const closing = new AbortController()
  const turns = openTurns()

  /** Where to connect for an address: every place its name stands for, each of them checked. */
  async function placesOf(url: URL): Promise<readonly string[]> {
    const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
    const port = portOf(url)
    const ips =
      isIP(host) > 0
        ? [host]
        : await resolve(host).catch((cause: unknown) => Promise.reject(new Unreachable('nowhere', { cause })))
    if (ips.length === 0) throw new Unreachable('nowhere')
    const isUsualPort = port === 80 || port === 443
    if (!ips.every((ip) => (isUsualPort && isPublic(ip)) || isAllowed(ip, port)))
      throw new Unreachable('private')
    return ips
  }

  async function follow(
    it: SafeFetchRequest,
    signal: AbortSignal,
  ): Promise<http.IncomingMessage & { at: URL }> {
    let url = addressOf(it.address)
    for (let redirects = 0; ; redirects += 1) {
      const places = await before(signal, placesOf(url))
      const response = await request(url, places, it.accept, signal)
      const { location } = response.headers
      if (!REDIRECTS.has(response.statusCode ?? 0) || location === undefined)
        return Object.assign(response, { at: url })
      response.destroy()
      if (redirects === REDIRECTS_MAX) throw new Unreachable('redirects')
      url = addressOf(location, url.href)
    }
  }

  async function answered<T>(
    it: SafeFetchRequest,
    take: (answer: SafeFetchResponse) => Promise<T>,
  ): Promise<T> {
    const done = new AbortController()
    const late = AbortSignal.timeout(WITHIN_MS)
    const signal = AbortSignal.any([done.signal, closing.signal, late, ...(it.signal ? [it.signal] : [])])
    try {
      const response = await follow(it, signal)
      if (response.statusCode !== 200) throw new Unreachable('status')
      const type = response.headers['content-type'] ?? ''
      const body = Readable.from(bounded(unpacked(response), it.most, signal), { objectMode: false })
      // Whoever stops reading early has no use for what breaks afterwards.
      body.on('error', () => undefined)
      try {
        return await take({
          url: response.at,
          mime: type.split(';', 1)[0]!.trim().toLowerCase(),
          charset: /;\s*charset\s*=\s*"?([\w.:-]{1,40})/i.exec(type)?.[1] ?? null,
          body,
        })
      } finally {
        body.destroy()
      }
    } catch (error) {
      throw signal.aborted && !(error instanceof Unreachable) ? lateBy(signal, error) : error
    } finally {
      done.abort()
    }
  }

  return {
    async fetch(it, take) {
      const leave = await turns.enter(it.onBehalfOf, it.signal)
      try {
        if (closing.signal.aborted) throw new Unreachable('busy')
        return await answered(it, take)
      } finally {
        leave()
      }
    },
    close: () => closing.abort(),
  }
}

const portOf = (url: URL): number => Number(url.port) || (url.protocol === 'https:' ? 443 : 80)

const lateBy = (signal: AbortSignal, cause: unknown): Unreachable =>
  new Unreachable('late', { cause: cause ?? signal.reason })

/** @throws Unreachable address */
function addressOf(text: string, base?: string): URL {
  const url = text.length <= ADDRESS_MAX && URL.canParse(text, base) ? new URL(text, base) : null
  const isWeb = url?.protocol === 'http:' || url?.protocol === 'https:'
  if (!url || !isWeb || url.hostname === '' || url.username !== '' || url.password !== '')
    throw new Unreachable('address')
  return url
}

/** What `work` comes to, unless the signal is given first. */
async function before<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const given = Promise.withResolvers<never>()
  const give = () => given.reject(lateBy(signal, null))
  if (signal.aborted) give()
  signal.addEventListener('abort', give, { once: true })
  try {
    return await Promise.race([work, given.promise])
  } finally {
    signal.removeEventListener('abort', give)
  }
}

/** One request, to one of `places` and no other: the name is not asked for again. */
function request(
  url: URL,
  places: readonly string[],
  accept: string,
  signal: AbortSignal,
): Promise<http.IncomingMessage> {
  const known = places.map((address) => ({ address, family: isIP(address) }))
  const lookup: LookupFunction = (_name, { all }, done) =>
    all ? done(null, known) : done(null, known[0]!.address, known[0]!.family)
  return new Promise((resolve, reject) => {
    const asking = (url.protocol === 'https:' ? https : http).request(
      {
        host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
        port: portOf(url),
        path: url.pathname + url.search,
        agent: false,
        lookup,
        signal,
        headers: {
          host: url.host,
          'user-agent': USER_AGENT,
          accept,
          'accept-encoding': 'gzip, deflate, br',
          'accept-language': 'zh-CN,zh;q=0.9,en;q=0.5',
        },
      },
      resolve,
    )
    asking.on('error', (cause) =>
      reject(signal.aborted ? lateBy(signal, cause) : new Unreachable('broken', { cause })),
    )
    asking.end()
  })
}

function unpacked(response: http.IncomingMessage): Readable {
  const encoding = (response.headers['content-encoding'] ?? 'identity').trim().toLowerCase()
  if (encoding === 'identity' || encoding === '') return response
  const unpack =
    encoding === 'gzip' || encoding === 'x-gzip'
      ? createGunzip()
      : encoding === 'deflate'
        ? createInflate()
        : encoding === 'br'
          ? createBrotliDecompress()
          : null
  if (!unpack) throw new Unreachable('broken')
  response.on('error', (error) => unpack.destroy(error))
  unpack.on('close', () => response.destroy())
  return response.pipe(unpack)
}

async function* bounded(source: Readable, most: Bytes, signal: AbortSignal): AsyncGenerator<Buffer> {
  let bytes = 0
  try {
    for await (const chunk of source as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > most) throw new Unreachable('large')
      yield chunk
    }
  } catch (error) {
    if (error instanceof Unreachable) throw error
    throw signal.aborted ? lateBy(signal, error) : new Unreachable('broken', { cause: error })
  }
}

/** Lets so many in at once, and of one person fewer: one who asks for much waits behind those who ask for little. */
function openTurns() {
  const inside = new Map<string, number>()
  const waiting: { readonly key: string; readonly enter: () => void }[] = []
  let all = 0
  const fits = (key: string) => all < AT_ONCE && (inside.get(key) ?? 0) < AT_ONCE_FOR_ONE
  const take = (key: string) => {
    all += 1
    inside.set(key, (inside.get(key) ?? 0) + 1)
  }
  const leave = (key: string) => {
    all -= 1
    const left = inside.get(key)! - 1
    if (left === 0) inside.delete(key)
    else inside.set(key, left)
    const next = waiting.findIndex((it) => fits(it.key))
    if (next >= 0) waiting.splice(next, 1)[0]!.enter()
  }
  return {
    /** Resolves with the way out, to be taken once. */
    async enter(key: string, signal?: AbortSignal): Promise<() => void> {
      if (signal?.aborted) throw lateBy(signal, null)
      if (fits(key)) take(key)
      else {
        if (waiting.length >= WAITING_MAX) throw new Unreachable('busy')
        await new Promise<void>((resolve, reject) => {
          const give = () => {
            const at = waiting.indexOf(mine)
            if (at >= 0) waiting.splice(at, 1)
            reject(lateBy(signal!, null))
          }
          const mine = {
            key,
            enter() {
              signal?.removeEventListener('abort', give)
              take(key)
              resolve()
            },
          }
          waiting.push(mine)
          signal?.addEventListener('abort', give, { once: true })
        })
      }
      return () => leave(key)
    },
  }
}
