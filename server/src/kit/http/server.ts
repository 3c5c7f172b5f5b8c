/**
 * The HTTP server: puts calls, endpoints and screens on Fastify; listens, drains and closes. protocol.md §1,
 * chat.md §8.
 */

import type { Server } from 'node:http'
import compress from '@fastify/compress'
import type { Way } from '@guildhall/wire/auth/ways.ts'
import { Failure, type FailureName, fail } from '@guildhall/wire/failure.ts'
import { BODY_MAX_BYTES } from '@guildhall/wire/limit.ts'
import { MINUTE_MS, SECOND_MS } from '@guildhall/wire/unit.ts'
import { type FastifyInstance, type FastifyRequest, fastify } from 'fastify'
import { listed } from '../addresses.ts'
import type { Spool } from '../files/spool.ts'
import { openNames } from '../ids.ts'
import { type NetworkShown, networkOf, shownNetwork } from '../limits/network.ts'
import { Limits, memoryRateLimiter, type RateLimiter } from '../limits/rateLimit.ts'
import type { Log } from '../log.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { Binding, Caller } from './binding.ts'
import { registerCalls, type StaffGate } from './calls.ts'
import {
  type AnswerOptions,
  answer,
  type Endpoint,
  type EndpointReply,
  type EndpointRequest,
  endpointRequest,
  type Reader,
  readerOf,
  registerEndpoints,
} from './endpoints.ts'
import { type InFlight, InFlightRequests, REQUEST_TIMEOUT_MS } from './inFlight.ts'
import { UNKNOWN_PER_NETWORK } from './limit.ts'
import { paceRequests } from './pace.ts'
import { CallRateLimit } from './rateLimit.ts'
import { type Refuse, refuseWith } from './refusal.ts'
import { mediaTypes } from './reply.ts'
import { contextOf, cookieOf, isMediaType, publicOrigin, type RequestSources } from './request.ts'
import {
  type Dress,
  inlineScriptSources,
  isFollowed,
  isOpened,
  type Passes,
  pageForUnknown,
  registerScreens,
  type Screens,
} from './screens.ts'
import { securityHeaders } from './securityHeaders.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Absent for a request whose address cannot be parsed: that is refused before any hook. */
    inFlight: InFlight | undefined
    /** The name of the failure it is refused with. */
    failure: FailureName | undefined
    /** Who calls; absent for a guest, and before they are known. */
    caller: Caller | undefined
  }
}

/** A refused request, for the security log. */
export interface RefusedRequest {
  readonly failure: FailureName
  readonly network: string
  /** Null: there is no such route. */
  readonly route: string | null
  readonly caller: Caller | null
}

export interface PageCookie {
  readonly name: string
  /** Empty: the page has none. */
  readonly value: string
}

const NOBODY_IS_STAFF: StaffGate = {
  async admit() {
    throw fail('forbidden')
  },
  record: async () => undefined,
}

export interface HttpOptions extends RequestSources, AnswerOptions {
  readonly bindings: readonly Binding[]
  readonly endpoints: readonly Endpoint[]
  /** Where uploads are received. Needed as soon as a binding takes a file. */
  readonly spool?: Spool
  readonly screens: Screens
  /** Screens that may lead on at once. */
  readonly passes?: Passes
  /** What is at a path of no endpoint and no screen: a short link; null: nothing. */
  readonly shortLink?: (request: EndpointRequest) => Promise<EndpointReply | null>
  /** Cookies that tell every page something about the server that it can do without. Scripts read them. */
  readonly pageCookies?: (from: Reader) => readonly PageCookie[]
  /** Whether the pages of this server may frame its pages. Only for development: by default nobody may. */
  readonly isFramedByItself?: boolean
  /** The built page; it may be missing. */
  readonly webDir: string
  /** Writes what the operator's is into its pages. */
  readonly dress?: Dress | undefined
  /** Judges calls of staff. Absent: nobody is staff. */
  readonly staff?: StaffGate
  /** Proxies whose X-Forwarded-For is believed. */
  readonly trustedProxies: readonly string[]
  /** Check each answer against its route's schema, and fail loudly when it does not match. */
  readonly checkAnswers: boolean
  /** By what one registers and logs in, as refusals say it; by default by phone. */
  readonly ways?: readonly Way[]
  readonly log: Log
  /** How much of a client's network the log shows; nothing by default. */
  readonly logNetwork?: NetworkShown
  readonly metrics?: Pick<Metrics, 'answered'>
  /** Called for each refused request, also for those of no known route. */
  readonly onRefused?: (input: RefusedRequest) => void
  /** Where calls are counted; by default in this process. */
  readonly windows?: RateLimiter
  /** Multiplies the limits of people and networks; not those of the public protocol. */
  readonly limitScale?: number
}

/** A request made without a network, for tests. */
export interface Injected {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE' | 'PUT' | 'HEAD'
  readonly url: string
  readonly headers?: Record<string, string>
  readonly payload?: string | Buffer
  readonly remoteAddress?: string
}

export interface InjectedReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly text: string
}

/**
 * For answers to calls and drawn pages; the page's own files are compressed when it is built. Bodies are not
 * decompressed.
 */
const COMPRESSION = {
  encodings: ['gzip' as const],
  customTypes: /^(?:application\/json|text\/html)/,
  threshold: 1024,
  zlibOptions: { level: 4 },
  globalDecompression: false,
}
/** Requests in flight may take this long when the server closes. */
const CLOSE_WITHIN_MS = 10 * SECOND_MS
/** The longest time an upload may take; a pause within it is bounded by REQUEST_TIMEOUT_MS. */
const UPLOAD_TIMEOUT_MS = 15 * MINUTE_MS

const PAGE_COOKIE_S = 30 * 86_400

/** Opens the server; nothing listens before `listen`. */
export async function openHttp(options: HttpOptions): Promise<Http> {
  const { log } = options
  const windows = options.windows ?? memoryRateLimiter()
  const rateLimit = new CallRateLimit(windows)
  const limits = new Limits(windows, options.limitScale)
  const refuse = refuseWith(log, rateLimit, options.ways)
  const inlineScripts = inlineScriptSources(options.webDir)
  const app = createApp(options, refuse, inlineScripts)
  paceRequests(app.server, { isExempt: listed(options.trustedProxies), scale: options.limitScale ?? 1 })
  const http = new Http(app)
  addHooks(app, http, options, inlineScripts)
  await app.register(compress, COMPRESSION)
  app.setNotFoundHandler(async (request, reply) => {
    // A static file that vanished also ends here, with the headers of a file.
    void reply.removeHeader('cache-control')
    // Each may cost queries, or a page of its own.
    await limits.use(UNKNOWN_PER_NETWORK, contextOf(request, options).network)
    const found = isFollowed(request) ? await options.shortLink?.(endpointRequest(request, options)) : null
    if (found) return answer(request, reply, found, options)
    if (!isOpened(request)) return refuse(request, reply, fail('not_found'))
    const page = await pageForUnknown(options.webDir, options.dress)
    if (!page) return refuse(request, reply, fail('not_found'))
    request.failure = 'not_found'
    return reply.code(404).type(mediaTypes.html).header('cache-control', 'no-store').send(page)
  })
  app.setErrorHandler((error, request, reply) => refuse(request, reply, error))

  await registerCalls(app, options.bindings, {
    sessionOf: options.sessionOf,
    publicUrl: options.publicUrl,
    fallbackUrl: options.fallbackUrl,
    checkAnswers: options.checkAnswers,
    staff: options.staff ?? NOBODY_IS_STAFF,
    spool: options.spool,
    rateLimit,
    limits,
    refuse,
  })
  registerEndpoints(app, options.endpoints, { ...options, refuse })
  await registerScreens(app, options.screens, options.webDir, options)
  await app.ready()
  return http
}

function createApp(options: HttpOptions, refuse: Refuse, inlineScripts: readonly string[]): FastifyInstance {
  const { trustedProxies } = options
  const app = fastify({
    bodyLimit: BODY_MAX_BYTES,
    // Node has one limit for all requests. Requests without a file have a shorter one: InFlightRequests.
    requestTimeout: UPLOAD_TIMEOUT_MS,
    forceCloseConnections: true,
    genReqId: openNames(),
    logger: false,
    // Anyone who reaches the port can write X-Forwarded-For: only the named proxies are believed.
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 200 },
    frameworkErrors: (_error, request, reply) => {
      void reply.headers(headersOf(request, options, inlineScripts)).header('x-request-id', request.id)
      refuse(request, reply, new Failure('bad_input'))
    },
  })
  app.server.headersTimeout = REQUEST_TIMEOUT_MS
  // The Content-Type of a body does not matter, only whether it is JSON. protocol.md §1.1.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  app.decorateRequest('inFlight')
  app.decorateRequest('failure')
  app.decorateRequest('caller')
  return app
}

const headersOf = (request: FastifyRequest, options: HttpOptions, inlineScripts: readonly string[]) =>
  securityHeaders(
    request.url,
    { origin: publicOrigin(request, options), fileOrigin: options.publicUrl ?? options.fallbackUrl },
    inlineScripts,
    {
      isFramed: Boolean(options.isFramedByItself) && request.headers['sec-fetch-dest'] === 'iframe',
      isSecure: options.publicUrl?.startsWith('https:') ?? false,
    },
  )

/** Tracks each request, writes the headers common to all answers, logs and measures. */
function addHooks(
  app: FastifyInstance,
  http: Http,
  options: HttpOptions,
  inlineScripts: readonly string[],
): void {
  const { log, metrics, onRefused } = options
  const { inFlight } = http
  app.addHook('onClose', async () => inFlight.close())
  app.addHook('onRequest', (request, reply, done) => {
    const entry = inFlight.add(request.raw)
    request.inFlight = entry
    // Also of a request whose client has gone.
    reply.raw.once('close', () => inFlight.delete(entry))
    if (http.isDraining) void reply.header('connection', 'close')
    void reply.headers(headersOf(request, options, inlineScripts)).header('x-request-id', request.id)
    const type = request.headers['content-type']
    if (type && !isMediaType(type)) request.headers['content-type'] = 'application/octet-stream'
    done()
  })
  const { pageCookies } = options
  if (pageCookies)
    app.addHook('onSend', async (request, reply) => {
      if (!String(reply.getHeader('content-type')).startsWith('text/html')) return
      for (const { name, value } of pageCookies(readerOf(request))) {
        if ((cookieOf(request, name) ?? '') === value) continue
        const kept = value === '' ? 0 : PAGE_COOKIE_S
        void reply.header('set-cookie', `${name}=${value}; Path=/; Max-Age=${kept}; SameSite=Lax`)
      }
    })
  app.addHook('onResponse', (request, reply, done) => {
    inFlight.delete(request.inFlight)
    const { failure } = request
    if (failure) onRefused?.(refusedRequest(request, failure))
    metrics?.answered(
      request.method,
      request.routeOptions.url ?? 'none',
      reply.statusCode,
      reply.elapsedTime / SECOND_MS,
    )
    const network = shownNetwork(networkOf(request.ip), options.logNetwork ?? 'none')
    log.info(
      {
        request: request.id,
        ...(network !== null && { network }),
        method: request.method,
        route: request.routeOptions.url,
        status: reply.statusCode,
        ...(failure && { failure }),
        ms: Math.round(reply.elapsedTime),
      },
      'answered',
    )
    done()
  })
}

const refusedRequest = (request: FastifyRequest, failure: FailureName): RefusedRequest => ({
  failure,
  network: networkOf(request.ip),
  route: request.routeOptions.url ?? null,
  caller: request.caller ?? null,
})

export class Http {
  readonly #app: FastifyInstance
  readonly inFlight = new InFlightRequests()
  isDraining = false

  constructor(app: FastifyInstance) {
    this.#app = app
  }

  /** Node's own server, for what upgrades a connection. */
  get server(): Server {
    return this.#app.server
  }

  /** Resolves with the port. */
  async listen(host: string, port: number): Promise<number> {
    await this.#app.listen({ host, port })
    const address = this.#app.server.address()
    return typeof address === 'object' && address ? address.port : port
  }

  async inject({ method, url, headers, payload, remoteAddress }: Injected): Promise<InjectedReply> {
    const reply = await this.#app.inject({
      method,
      url,
      ...(headers ? { headers } : {}),
      ...(payload === undefined ? {} : { payload }),
      ...(remoteAddress ? { remoteAddress } : {}),
    })
    return {
      status: reply.statusCode,
      headers: Object.fromEntries(
        Object.entries(reply.headers).map(([name, value]) => [
          name,
          value === undefined ? value : String(value),
        ]),
      ),
      text: reply.body,
    }
  }

  /** Still answers, and asks each client to reconnect, which leads to another node where there is one. */
  drain(): void {
    this.isDraining = true
  }

  /** Takes no new requests and waits for those in flight, at most CLOSE_WITHIN_MS. */
  async close(): Promise<void> {
    this.drain()
    // Refuses new connections; closing the application at once would cut the requests in flight.
    this.#app.server.close()
    this.#app.server.closeIdleConnections()
    await this.inFlight.whenEmpty(CLOSE_WITHIN_MS)
    await this.#app.close()
  }
}
