/**
 * Safe fetch: requests to public addresses of the web only. Names and redirects that lead to this machine or
 * its network are refused (SSRF). Decision 26.
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
/** From resolving the name to the last byte, redirects included, ms. */
const WITHIN_MS = 5 * SECOND_MS
const RESOLVE_WITHIN_MS = 2 * SECOND_MS
/** Concurrent requests, in all and for one person; further ones wait in a queue of this length. */
const CONCURRENT = 16
const CONCURRENT_PER_PERSON = 4
const QUEUE_MAX = 256
const ADDRESS_MAX = 2_048
const USER_AGENT = 'Guildhall/1.0'
const REDIRECTS = new Set([301, 302, 303, 307, 308])

/**
 * Why a fetch failed. `address`: no http or https URL; `private`: not a public address; `nowhere`: the name
 * does not resolve;
 * `status`: not 200; `large`: longer than `most`; `late`: timed out or aborted; `busy`: the queue is full.
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

/** A fetch failed. Callers go on without its result. */
export class Unreachable extends Error {
  override name = 'Unreachable'
  readonly why: WhyUnreachable
  constructor(why: WhyUnreachable, options?: ErrorOptions) {
    super(why, options)
    this.why = why
  }
}

/** The response to a fetch. */
export interface SafeFetchResponse {
  /** After redirects. */
  readonly url: URL
  /** The media type in lower case, without parameters; `''` without one. */
  readonly mime: string
  /** As the Content-Type names it; null without. */
  readonly charset: string | null
  /**
   * Decompressed. Fails with `Unreachable` when it is too long, late or cut off; destroying it ends the
   * request.
   */
  readonly body: Readable
}

export interface SafeFetchRequest {
  readonly address: string
  /** The person it is done for: requests are limited per person. */
  readonly onBehalfOf: string
  /** The Accept header. */
  readonly accept: string
  /** The longest body, decompressed. */
  readonly most: Bytes
  /** Aborts the fetch. */
  readonly signal?: AbortSignal
}

export interface SafeFetch {
  /**
   * Fetches an address and resolves with what `take` makes of the response; the response is closed when
   * `take` is done. Times out after five seconds, without the time in the queue.
   * @throws Unreachable
   */
  fetch<T>(input: SafeFetchRequest, take: (answer: SafeFetchResponse) => Promise<T>): Promise<T>
  /** Aborts all requests and refuses new ones. */
  close(): void
}

/** For tests, whose web is a local server. */
export interface SafeFetchOptions {
  /** The addresses of a name; none, or an error, when it does not resolve. */
  readonly resolve?: (name: string) => Promise<readonly string[]>
  /** Addresses and ports allowed beside public ones with the usual ports. */
  readonly isAllowed?: (ip: string, port: number) => boolean
}

/** Public by its range, but answered inside one provider's networks, with secrets of the machine. */
const PROVIDER_ADDRESSES = new Set(['168.63.129.16'])

/** A public unicast address of either family, and no other way of writing a private one. */
export function isPublic(ip: string): boolean {
  if (!ipaddr.isValid(ip)) return false
  const address = ipaddr.parse(ip)
  if (address.range() !== 'unicast' || PROVIDER_ADDRESSES.has(address.toString())) return false
  // IPv6: only 2000::/3 is assigned to networks; the rest is reserved or maps to other addresses.
  return address.kind() === 'ipv4' || (address as ipaddr.IPv6).match(ipaddr.IPv6.parse('2000::'), 3)
}

/**
 * Resolves by DNS only, not by the hosts file, which names private neighbours; and without the thread pool,
 * which a slow answer would block.
 */
async function resolvePublicly(name: string): Promise<string[]> {
  const resolver = new Resolver({ timeout: RESOLVE_WITHIN_MS, tries: 2 })
  const found = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
  return found.flatMap((it) => (it.status === 'fulfilled' ? it.value : []))
}

export const openSafeFetch = (options: SafeFetchOptions = {}): SafeFetch => new PublicFetch(options)

class PublicFetch implements SafeFetch {
  readonly #resolve: (name: string) => Promise<readonly string[]>
  readonly #isAllowed: (ip: string, port: number) => boolean
  readonly #closing = new AbortController()
  readonly #slots = new FetchSlots()

  constructor({ resolve = resolvePublicly, isAllowed = () => false }: SafeFetchOptions) {
    this.#resolve = resolve
    this.#isAllowed = isAllowed
  }

  async fetch<T>(input: SafeFetchRequest, take: (answer: SafeFetchResponse) => Promise<T>): Promise<T> {
    const leave = await this.#slots.acquire(input.onBehalfOf, input.signal)
    try {
      if (this.#closing.signal.aborted) throw new Unreachable('busy')
      return await this.#fetchOnce(input, take)
    } finally {
      leave()
    }
  }

  close(): void {
    this.#closing.abort()
  }

  async #fetchOnce<T>(input: SafeFetchRequest, take: (answer: SafeFetchResponse) => Promise<T>): Promise<T> {
    const done = new AbortController()
    const signal = AbortSignal.any([
      done.signal,
      this.#closing.signal,
      AbortSignal.timeout(WITHIN_MS),
      ...(input.signal ? [input.signal] : []),
    ])
    try {
      const response = await this.#followRedirects(input, signal)
      if (response.statusCode !== 200) throw new Unreachable('status')
      const type = response.headers['content-type'] ?? ''
      const body = Readable.from(limitBytes(decompressed(response), input.most, signal), {
        objectMode: false,
      })
      // A reader that stops early does not handle later errors.
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
      throw signal.aborted && !(error instanceof Unreachable) ? timeoutError(signal, error) : error
    } finally {
      done.abort()
    }
  }

  async #followRedirects(
    input: SafeFetchRequest,
    signal: AbortSignal,
  ): Promise<http.IncomingMessage & { at: URL }> {
    let url = addressOf(input.address)
    for (let redirects = 0; ; redirects += 1) {
      const ips = await raceAbort(signal, this.#resolveChecked(url))
      const response = await request(url, ips, input.accept, signal)
      const { location } = response.headers
      if (!REDIRECTS.has(response.statusCode ?? 0) || location === undefined)
        return Object.assign(response, { at: url })
      response.destroy()
      if (redirects === REDIRECTS_MAX) throw new Unreachable('redirects')
      url = addressOf(location, url.href)
    }
  }

  /** The checked IP addresses of a URL's host. */
  async #resolveChecked(url: URL): Promise<readonly string[]> {
    const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
    const port = portOf(url)
    const ips = isIP(host) > 0 ? [host] : await this.#addressesOf(host)
    if (ips.length === 0) throw new Unreachable('nowhere')
    const isUsualPort = port === 80 || port === 443
    if (!ips.every((ip) => (isUsualPort && isPublic(ip)) || this.#isAllowed(ip, port)))
      throw new Unreachable('private')
    return ips
  }

  async #addressesOf(name: string): Promise<readonly string[]> {
    try {
      return await this.#resolve(name)
    } catch (cause) {
      throw new Unreachable('nowhere', { cause })
    }
  }
}

const portOf = (url: URL): number => Number(url.port) || (url.protocol === 'https:' ? 443 : 80)

const timeoutError = (signal: AbortSignal, cause: unknown): Unreachable =>
  new Unreachable('late', { cause: cause ?? signal.reason })

/** @throws Unreachable address */
function addressOf(text: string, base?: string): URL {
  const url = text.length <= ADDRESS_MAX && URL.canParse(text, base) ? new URL(text, base) : null
  const isWeb = url?.protocol === 'http:' || url?.protocol === 'https:'
  if (!url || !isWeb || url.hostname === '' || url.username !== '' || url.password !== '')
    throw new Unreachable('address')
  return url
}

/** Resolves like `work`, unless the signal aborts first. */
async function raceAbort<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const aborted = Promise.withResolvers<never>()
  const abort = () => aborted.reject(timeoutError(signal, null))
  if (signal.aborted) abort()
  signal.addEventListener('abort', abort, { once: true })
  try {
    return await Promise.race([work, aborted.promise])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

/**
 * One request to one of `ips`: the name is not resolved again, since it could then lead to another address.
 */
function request(
  url: URL,
  ips: readonly string[],
  accept: string,
  signal: AbortSignal,
): Promise<http.IncomingMessage> {
  const known = ips.map((address) => ({ address, family: isIP(address) }))
  const lookup: LookupFunction = (_name, { all }, done) =>
    all ? done(null, known) : done(null, known[0]!.address, known[0]!.family)
  return new Promise((resolve, reject) => {
    const outgoing = (url.protocol === 'https:' ? https : http).request(
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
    outgoing.on('error', (cause) =>
      reject(signal.aborted ? timeoutError(signal, cause) : new Unreachable('broken', { cause })),
    )
    outgoing.end()
  })
}

function decompressed(response: http.IncomingMessage): Readable {
  const encoding = (response.headers['content-encoding'] ?? 'identity').trim().toLowerCase()
  if (encoding === 'identity' || encoding === '') return response
  const decompress =
    encoding === 'gzip' || encoding === 'x-gzip'
      ? createGunzip()
      : encoding === 'deflate'
        ? createInflate()
        : encoding === 'br'
          ? createBrotliDecompress()
          : null
  if (!decompress) throw new Unreachable('broken')
  response.on('error', (error) => decompress.destroy(error))
  decompress.on('close', () => response.destroy())
  return response.pipe(decompress)
}

async function* limitBytes(source: Readable, most: Bytes, signal: AbortSignal): AsyncGenerator<Buffer> {
  let bytes = 0
  try {
    for await (const chunk of source as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > most) throw new Unreachable('large')
      yield chunk
    }
  } catch (error) {
    if (error instanceof Unreachable) throw error
    throw signal.aborted ? timeoutError(signal, error) : new Unreachable('broken', { cause: error })
  }
}

/**
 * Limits concurrent fetches, in all and for one person. A person's further fetches wait behind those of
 * others.
 */
class FetchSlots {
  readonly #usedBy = new Map<string, number>()
  readonly #queue: { readonly key: string; readonly start: () => void }[] = []
  #used = 0

  /** Resolves with the function that releases the slot, to be called once. */
  async acquire(key: string, signal?: AbortSignal): Promise<() => void> {
    if (signal?.aborted) throw timeoutError(signal, null)
    if (this.#isFree(key)) this.#take(key)
    else await this.#wait(key, signal)
    return () => this.#release(key)
  }

  #isFree(key: string): boolean {
    return this.#used < CONCURRENT && (this.#usedBy.get(key) ?? 0) < CONCURRENT_PER_PERSON
  }

  #take(key: string): void {
    this.#used += 1
    this.#usedBy.set(key, (this.#usedBy.get(key) ?? 0) + 1)
  }

  #wait(key: string, signal?: AbortSignal): Promise<void> {
    if (this.#queue.length >= QUEUE_MAX) throw new Unreachable('busy')
    return new Promise<void>((resolve, reject) => {
      const abort = () => {
        const at = this.#queue.indexOf(entry)
        if (at >= 0) this.#queue.splice(at, 1)
        reject(timeoutError(signal!, null))
      }
      const entry = {
        key,
        start: () => {
          signal?.removeEventListener('abort', abort)
          this.#take(key)
          resolve()
        },
      }
      this.#queue.push(entry)
      signal?.addEventListener('abort', abort, { once: true })
    })
  }

  #release(key: string): void {
    this.#used -= 1
    const left = this.#usedBy.get(key)! - 1
    if (left === 0) this.#usedBy.delete(key)
    else this.#usedBy.set(key, left)
    const next = this.#queue.findIndex((it) => this.#isFree(it.key))
    if (next >= 0) this.#queue.splice(next, 1)[0]!.start()
  }
}
