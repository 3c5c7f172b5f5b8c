/**
 * The door: the only file that knows Fastify. Binds the wire's routes to functions, speaks both dialects, and turns
 * every way a request can be wrong into an answer of the catalogue. protocol.md §1, chat.md §8.
 */
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import type { IncomingMessage, Server } from 'node:http'
import path from 'node:path'
import multipart from '@fastify/multipart'
import fastifyStatic from '@fastify/static'
import { Failure, type FailureName, fail, failures, isFrameworkFailure } from '@guildhall/wire/failure.ts'
import { failureText, type Language } from '@guildhall/wire/failureText.ts'
import type { UserId } from '@guildhall/wire/id.ts'
import { BODY_MAX_BYTES } from '@guildhall/wire/limit.ts'
import type { AnswerOf, Dialect, InputOf, Route } from '@guildhall/wire/route.ts'
import { MINUTE_MS, SECOND_MS } from '@guildhall/wire/unit.ts'
import {
  type FastifyError,
  type FastifyReply,
  type FastifyRequest,
  fastify,
  type RouteHandlerMethod,
} from 'fastify'
import { type ChurnItem, ChurnSet } from './churnCollections.ts'
import { isUnavailable } from './db.ts'
import { planFile, type Servable } from './file.ts'
import { openNames } from './ids.ts'
import type { Log } from './log.ts'
import type { Metrics } from './metrics.ts'
import { memoryRateLimiter, type RateLimiter } from './rateLimit.ts'
import { networkOf } from './rateLimitDatabase.ts'
import type { Received, Spool } from './spool.ts'
import { door } from './text.ts'

/** A request under way, and since when, ms; one that may take its time since never. */
interface Stay extends ChurnItem {
  readonly raw: IncomingMessage
  since: number
}

declare module 'fastify' {
  interface FastifyRequest {
    /** None for a request whose address cannot be read: that is answered before anything is looked at. */
    stay: Stay | undefined
  }
}

/** Who calls, proven by a session. */
export interface Caller {
  readonly userId: UserId
  /** A program of the public protocol. It speaks by `Authorization: Bot TOKEN` and to v3 alone. protocol.md §1.2. */
  readonly isBot: boolean
  readonly sessionId: string
  /** What they proved it with. */
  readonly token: string
}

/** What a bound function may know about a request beside its input. */
export interface Context<C extends Caller | null = Caller | null> {
  readonly caller: C
  readonly language: Language
  /** One place on the network: see `placeOf`. */
  readonly place: string
  /** The address people use, without a trailing slash. */
  readonly origin: string
}

/** A route with its function. Made by `bind`, `bindUser` and `bindUpload`, listed by `app.ts`. */
export interface Binding {
  readonly route: Route
  readonly run: (context: Context, input: unknown, file: Received | null) => Promise<unknown>
  /** For a route that takes a file: the largest one this caller may send now, bytes. Asked before anything is read. */
  readonly admit?: (context: Context) => Promise<number>
  /** The refusal of a larger one; without, `asset.too_large`. */
  readonly tooLarge?: (most: number) => Failure
}

/** Binds a route that anyone may call; `caller` is null for guests and for tokens that no longer count. */
export function bind<R extends Route>(
  route: R,
  run: (context: Context, input: InputOf<R>) => Promise<AnswerOf<R>>,
): Binding {
  if (route.who !== 'anyone') throw new Error(`${route.path} is for users: bind it with bindUser`)
  return { route, run: (context, input) => run(context, input as InputOf<R>) }
}

/** Binds a route that needs a session. Without one it is refused with not_logged_in before `run`. */
export function bindUser<R extends Route>(
  route: R,
  run: (context: Context<Caller>, input: InputOf<R>) => Promise<AnswerOf<R>>,
): Binding {
  if (route.who !== 'user') throw new Error(`${route.path} is for anyone: bind it with bind`)
  return {
    route,
    async run(context, input) {
      if (!context.caller) throw fail('not_logged_in')
      return run({ ...context, caller: context.caller }, input as InputOf<R>)
    },
  }
}

/**
 * Binds a route that takes a file in a form. `admit` says how large it may be, or refuses; the file is on the disk of
 * this machine while `run` runs, and removed after it unless `run` took it away.
 */
export function bindUpload<R extends Route>(
  route: R,
  it: {
    readonly admit: (context: Context<Caller>) => Promise<number>
    readonly tooLarge?: (most: number) => Failure
    readonly run: (context: Context<Caller>, input: InputOf<R>, file: Received) => Promise<AnswerOf<R>>
  },
): Binding {
  if (route.who !== 'user' || !route.form) throw new Error(`${route.path} takes no file of a user's`)
  const known = (context: Context): Context<Caller> => {
    if (!context.caller) throw fail('not_logged_in')
    return { ...context, caller: context.caller }
  }
  return {
    route,
    admit: async (context) => it.admit(known(context)),
    ...(it.tooLarge && { tooLarge: it.tooLarge }),
    async run(context, input, file) {
      if (!file) throw fail('asset.missing')
      return it.run(known(context), input as InputOf<R>, file)
    },
  }
}

/** What a page outside the API answers with. */
export interface PageReply {
  readonly status: number
  readonly type: keyof typeof mediaTypes
  readonly body: string
}

/** Who asks for a page that is not for everybody. */
export interface Reader {
  /** The connection comes from this machine. A proxy on this machine makes everybody look like that. */
  readonly isLocal: boolean
  /** What stands behind `Bearer` in the Authorization header. */
  readonly bearer: string | null
}

/** A plain GET outside the API: health, development aids, pages drawn on the server. */
export interface Page {
  readonly path: string
  /** Who may read it; for everybody else it is not there. Without: anybody. */
  readonly mayRead?: (from: Reader) => boolean
  readonly run: (context: Context, params: Readonly<Record<string, string>>) => Promise<PageReply>
}

export interface HttpOptions {
  readonly bindings: readonly Binding[]
  readonly pages: readonly Page[]
  /** Where files that come in lie meanwhile. Needed as soon as a route takes any. */
  readonly spool?: Spool
  /** Stored files, by the patterns of their paths; `find` gets the whole path and answers null when there is none. */
  readonly files?: { readonly paths: readonly string[]; find(path: string): Promise<Servable | null> }
  /** Paths that answer with the built page, whatever follows them on the client. `/channels/*` covers all below. */
  readonly screens: readonly string[]
  /** The built page; it may be missing. */
  readonly webDir: string
  readonly sessionOf: (token: string) => Promise<Caller | null>
  /** The address people use; null: the one they asked for. */
  readonly publicUrl: string | null
  readonly fallbackUrl: string
  /** Proxies whose word on where a request came from counts. */
  readonly trustedProxies: readonly string[]
  /** Check each answer against its route, and fail loudly when it does not fit. */
  readonly checkAnswers: boolean
  readonly log: Log
  readonly metrics?: Pick<Metrics, 'answered'>
  /** Where calls are counted; without, in this process. */
  readonly windows?: RateLimiter
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

export interface Http {
  /** Node's own server, for what upgrades a connection. */
  readonly server: Server
  /** Resolves with the port it got. */
  listen(host: string, port: number): Promise<number>
  inject(request: Injected): Promise<InjectedReply>
  /** Still answers, and asks each caller to connect anew, which leads elsewhere when there is an elsewhere. */
  drain(): void
  /** Takes no new requests, and waits for those under way as long as they may take. */
  close(): Promise<void>
}

/** v3 calls one session, or one place without a session, may make of one route in a window. protocol.md §1.6. */
export const RATE_LIMIT = 120
export const RATE_WINDOW_MS = 60 * SECOND_MS
/** A request that takes longer to arrive is let go, at the next of these looks. */
const REQUEST_TIMEOUT_MS = 30 * SECOND_MS
const LOOK_EVERY_MS = SECOND_MS
/** Requests under way may take this long when the house closes. */
const CLOSE_WITHIN_MS = 10 * SECOND_MS
/** A file may take as long as this, as long as it never stops for longer than a request may. */
const UPLOAD_TIMEOUT_MS = 15 * MINUTE_MS
/** What a form adds to its file at most, bytes: boundaries, names, the other fields. */
const FORM_BYTES = 16 * 1024
const FORM_FIELDS = 16
const HASHED_ASSET_MAX_AGE_S = 31_536_000

const CONTENT_SECURITY = [
  "default-src 'self'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob: https:",
  "font-src 'self' data:",
  "media-src 'self' blob: https:",
  "connect-src 'self' ws: wss:",
  "manifest-src 'self'",
  "worker-src 'self' blob:",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "frame-src 'none'",
  "base-uri 'none'",
  "object-src 'none'",
].join('; ')

const SECURITY_HEADERS = {
  'content-security-policy': CONTENT_SECURITY,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  // Invite links must not tell other sites where a person came from.
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=()',
}

/** Of an answer to a call, which is data and never a document: nothing may run in it, load or frame it. */
const CALL_HEADERS = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
}

const securityOf = (url: string) => (url.startsWith('/api/') ? CALL_HEADERS : SECURITY_HEADERS)

/** Opens the door; nothing listens before `listen`. */
export async function openHttp(options: HttpOptions): Promise<Http> {
  const { log } = options
  const app = fastify({
    bodyLimit: BODY_MAX_BYTES,
    // Node knows one limit for all. Whatever is no file keeps to its own, below.
    requestTimeout: UPLOAD_TIMEOUT_MS,
    forceCloseConnections: true,
    genReqId: openNames(),
    logger: false,
    // Whoever can reach this port could write such a header: only the named ones are believed.
    trustProxy: options.trustedProxies.length > 0 ? [...options.trustedProxies] : false,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 200 },
    frameworkErrors: (_error, request, reply) => {
      void reply.headers(securityOf(request.url)).header('x-request-id', request.id)
      refuse(request, reply, new Failure('bad_input'))
    },
  })

  app.server.headersTimeout = REQUEST_TIMEOUT_MS

  // What is written on the envelope does not matter, only whether there is JSON inside. protocol.md §1.1.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))

  const underWay = new ChurnSet<Stay>()
  app.decorateRequest('stay')
  let draining = false
  let allDone: (() => void) | null = null
  const leave = (stay: Stay | undefined) => {
    if (stay) underWay.delete(stay)
    if (underWay.size === 0) allDone?.()
  }
  // One look at all of them costs less than a timer each.
  const looking = setInterval(() => {
    const late = performance.now() - REQUEST_TIMEOUT_MS
    for (const { raw, since } of [...underWay]) if (since < late && !raw.complete) raw.destroy()
  }, LOOK_EVERY_MS)
  looking.unref()
  app.addHook('onClose', async () => clearInterval(looking))
  app.addHook('onRequest', (request, reply, done) => {
    const stay = { slot: -1, raw: request.raw, since: performance.now() }
    request.stay = stay
    underWay.add(stay)
    // Also of one whose caller has gone.
    reply.raw.once('close', () => leave(stay))
    if (draining) void reply.header('connection', 'close')
    void reply.headers(securityOf(request.url)).header('x-request-id', request.id)
    const type = request.headers['content-type']
    if (type && !isMediaType(type)) request.headers['content-type'] = 'application/octet-stream'
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    leave(request.stay)
    options.metrics?.answered(
      request.method,
      request.routeOptions.url ?? 'none',
      reply.statusCode,
      reply.elapsedTime / SECOND_MS,
    )
    log.info(
      {
        request: request.id,
        method: request.method,
        route: request.routeOptions.url,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
      },
      'answered',
    )
    done()
  })

  const contextOf = (request: FastifyRequest, caller: Caller | null): Context => ({
    caller,
    language: languageOf(request),
    place: networkOf(request.ip),
    origin: options.publicUrl ?? originOf(request) ?? options.fallbackUrl,
  })

  /** Nobody, when a person's token is shown as a bot's, or a bot's as a person's. */
  async function callerOf(request: FastifyRequest): Promise<Caller | null> {
    const shown = credentialOf(request)
    const caller = shown && (await options.sessionOf(shown.token))
    return caller && caller.isBot === shown.isBot ? caller : null
  }

  const limiter = openLimiter(options.windows ?? memoryRateLimiter())

  app.setNotFoundHandler((request, reply) => {
    // Sending a file that is not there also ends here.
    void reply.removeHeader('cache-control')
    return refuse(request, reply, fail('not_found'))
  })
  app.setErrorHandler((error, request, reply) => refuse(request, reply, error))

  /** A route's handler: who asks, whether they may, what they said, and what is answered. */
  const handlerOf =
    (
      { route }: Binding,
      work: (request: FastifyRequest, context: Context) => Promise<unknown>,
    ): RouteHandlerMethod =>
    async (request, reply) => {
      try {
        const caller = await callerOf(request)
        if (route.dialect === 'v3') {
          const key = caller ? `session ${caller.sessionId}` : `place ${networkOf(request.ip)}`
          if (!(await limiter.take(reply, bucketOf(route.path), key))) throw fail('too_many')
        }
        if (route.who === 'user' && !caller) throw fail('not_logged_in')
        // What the specification adds for people is closed to bots. protocol.md §9.6.
        if (caller?.isBot && route.dialect === 'v2') throw fail('forbidden')
        const context = contextOf(request, caller)
        const answer = await work(request, context)
        if (options.checkAnswers) check(route, answer)
        const done = door[context.language].done
        const body = route.dialect === 'v2' ? answer : { code: 0, message: done, data: answer }
        return sendJson(reply, 200, body)
      } catch (error) {
        return refuse(request, reply, error, route)
      }
    }

  for (const binding of options.bindings.filter((each) => !each.admit)) {
    const { route } = binding
    // Reads may be asked with either method. protocol.md §1.1.
    const method = route.dialect === 'v3' && route.method === 'GET' ? ['GET', 'POST'] : [route.method]
    const handler = handlerOf(binding, (request, context) =>
      binding.run(
        context,
        readInput(route, request, parseBody(request.body, context.language), context),
        null,
      ),
    )
    for (const url of pathsOf(route)) app.route({ method, url, handler })
  }

  // The parser of forms is known to these routes alone: to all others a form is a body like any other.
  await app.register(async (child) => {
    await child.register(multipart, { throwFileSizeLimit: false })
    for (const binding of options.bindings) {
      const { route, admit } = binding
      if (!admit) continue
      const handler = handlerOf(binding, async (request, context) => {
        const most = await admit(context)
        if (request.stay) request.stay.since = Number.POSITIVE_INFINITY
        const { fields, file } = await readForm(request, binding, options.spool, most)
        try {
          return await binding.run(context, readInput(route, request, fields, context), file)
        } finally {
          if (file) await rm(file.path, { force: true })
        }
      })
      for (const url of pathsOf(route)) child.route({ method: route.method, url, handler })
    }
  })

  const { files } = options
  for (const url of files?.paths ?? []) {
    const handler: RouteHandlerMethod = async (request, reply) => {
      try {
        const file = await files!.find(request.url.split('?')[0]!)
        if (!file) throw fail('not_found')
        const { range, 'if-range': ifRange, 'if-none-match': ifNoneMatch } = request.headers
        const plan = planFile(file, { range, ifRange: ifRange as string | undefined, ifNoneMatch })
        // Nobody reads the body of a HEAD: the store is not asked for it.
        const isRead = plan.body !== null && request.method === 'GET'
        const body = isRead ? await file.open(plan.body?.range) : null
        if (isRead && !body) throw fail('not_found')
        void reply.code(plan.status).headers(plan.headers)
        if (body) request.raw.once('close', () => body.destroy())
        return reply.send(body ?? '')
      } catch (error) {
        return refuse(request, reply, error)
      }
    }
    app.route({ method: ['GET', 'HEAD'], url, handler })
  }

  for (const page of options.pages) {
    app.get(page.path, async (request, reply) => {
      try {
        if (page.mayRead && !page.mayRead(readerOf(request))) throw fail('not_found')
        const caller = await callerOf(request)
        const query = request.query as Record<string, unknown>
        const params = Object.fromEntries(
          Object.entries({ ...query, ...(request.params as Record<string, unknown>) })
            .filter((entry): entry is [string, string] => typeof entry[1] === 'string')
            .map(([key, value]) => [key, clean(value)]),
        )
        const { status, type, body } = await page.run(contextOf(request, caller), params)
        void reply.code(status).type(mediaTypes[type]).header('cache-control', 'private, no-store')
        return reply.send(body)
      } catch (error) {
        return refuse(request, reply, error)
      }
    })
  }

  const isBuilt = existsSync(path.join(options.webDir, 'index.html'))
  if (isBuilt) {
    await app.register(fastifyStatic, {
      root: options.webDir,
      // Every file is looked up when asked for, so a rebuilt page is served without a restart.
      wildcard: true,
      index: false,
      preCompressed: true,
      dotfiles: 'ignore',
      cacheControl: false,
      setHeaders(reply, file) {
        const isHashed = path.relative(options.webDir, file).split(path.sep)[0] === 'assets'
        reply.header(
          'cache-control',
          isHashed ? `public, max-age=${HASHED_ASSET_MAX_AGE_S}, immutable` : 'no-cache',
        )
      },
    })
  }
  for (const screen of options.screens) {
    app.get(screen, (request, reply) => {
      if (isBuilt) return reply.sendFile('index.html')
      return reply.code(503).type(mediaTypes.text).send(door[languageOf(request)].notBuilt)
    })
  }

  /** The one place where a thrown thing becomes an answer. */
  function refuse(request: FastifyRequest, reply: FastifyReply, error: unknown, route?: Route): FastifyReply {
    const failure = asFailure(error)
    if (failure.failure === 'internal' || failure.failure === 'unavailable') {
      log.error(
        { err: error, request: request.id, method: request.method, route: request.routeOptions.url },
        'failed',
      )
    }
    const dialect = route?.dialect ?? dialectOf(request.url)
    if (!dialect) {
      const words = failureText(failure.failure, languageOf(request))
      const { status } = failures[failure.failure]
      return reply.code(status).type(mediaTypes.text).header('cache-control', 'no-store').send(words)
    }
    if (dialect === 'v3') limiter.describe(reply, bucketOf(route?.path ?? request.url.split('?')[0]!))
    return sendJson(
      reply,
      statusOf(failure.failure, dialect),
      refusalBody(failure, dialect, languageOf(request), route),
    )
  }

  await app.ready()
  return {
    server: app.server,
    async listen(host, port) {
      await app.listen({ host, port })
      const address = app.server.address()
      return typeof address === 'object' && address ? address.port : port
    },
    async inject({ method, url, headers, payload, remoteAddress }) {
      const reply = await app.inject({
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
    },
    drain() {
      draining = true
    },
    async close() {
      draining = true
      // New connections are refused from here on; closing below would cut those under way.
      app.server.close()
      app.server.closeIdleConnections()
      if (underWay.size > 0)
        await new Promise<void>((resolve) => {
          allDone = resolve
          setTimeout(resolve, CLOSE_WITHIN_MS).unref()
        })
      await app.close()
    },
  }
}

const mediaTypes = {
  html: 'text/html; charset=utf-8',
  json: 'application/json; charset=utf-8',
  text: 'text/plain; charset=utf-8',
  metrics: 'text/plain; version=0.0.4; charset=utf-8',
} as const

function sendJson(reply: FastifyReply, status: number, body: unknown): FastifyReply {
  return reply
    .code(status)
    .type(mediaTypes.json)
    .header('cache-control', 'no-store')
    .send(JSON.stringify(body ?? {}))
}

// --- what a request says

/** `Authorization: TOKEN` of a person, `Authorization: Bot TOKEN` of a bot; other schemes are nobody's. protocol.md §1.2. */
function credentialOf(request: FastifyRequest): { readonly token: string; readonly isBot: boolean } | null {
  const shown = request.headers.authorization?.trim() ?? ''
  if (/^[\w-]{16,128}$/.test(shown)) return { token: shown, isBot: false }
  const token = /^Bot ([\w/+=-]{16,128})$/i.exec(shown)?.[1]
  return token === undefined ? null : { token, isBot: true }
}

function readerOf(request: FastifyRequest): Reader {
  const bearer = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? null
  return { isLocal: /^(?:::ffff:)?127\.|^::1$/.test(request.ip), bearer }
}

/** Browsers say the same few things for as long as they live. */
const languages = new Map<string, Language>()
const LANGUAGES_MAX = 200

/** The first language of Accept-Language that the product speaks; Chinese otherwise. protocol.md §1.2. */
export function languageFrom(header = ''): Language {
  const known = languages.get(header)
  if (known) return known
  const language = readLanguage(header)
  if (languages.size >= LANGUAGES_MAX) languages.clear()
  languages.set(header, language)
  return language
}

function readLanguage(header: string): Language {
  const wanted = header
    .split(',')
    .map((part, index) => {
      const [tag = '', ...parameters] = part.trim().toLowerCase().split(';')
      const quality = parameters.map((each) => /^\s*q=([\d.]+)$/.exec(each)?.[1]).find(Boolean)
      return { language: tag.split('-')[0]!, quality: quality === undefined ? 1 : Number(quality), index }
    })
    .filter(({ language, quality }) => (language === 'zh' || language === 'en') && quality > 0)
    .sort((a, b) => b.quality - a.quality || a.index - b.index)
  return wanted[0]?.language === 'en' ? 'en' : 'zh'
}

const languageOf = (request: FastifyRequest): Language => languageFrom(request.headers['accept-language'])

const HOST =
  /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i

function originOf(request: FastifyRequest): string | null {
  const host = request.headers.host ?? ''
  return host.length <= 255 && HOST.test(host) ? `http://${host.toLowerCase()}` : null
}

const isMediaType = (value: string): boolean => /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+\s*(;|$)/.test(value)

/** The version may be left out and is then 3. protocol.md §1.1. */
const pathsOf = (route: Route): string[] =>
  route.dialect === 'v3' ? [route.path, route.path.replace('/api/v3/', '/api/')] : [route.path]

function dialectOf(url: string): Dialect | null {
  if (/^\/api\/v2(?:[/?]|$)/.test(url)) return 'v2'
  return /^\/api(?:[/?]|$)/.test(url) ? 'v3' : null
}

const fileTooLarge = (most: number): Failure =>
  fail('asset.too_large', { mb: Math.floor(most / 1024 / 1024) })

/**
 * Reads a form to its end, its file onto the disk. What it says about its own length is believed when that is too much.
 * @throws Failure asset.missing, and asset.too_large (detail.mb) or what the route says instead
 */
async function readForm(
  request: FastifyRequest,
  { route, tooLarge: refusal = fileTooLarge }: Binding,
  spool: Spool | undefined,
  most: number,
): Promise<{ fields: Record<string, unknown>; file: Received | null }> {
  if (!spool) throw new Error(`${route.path} takes files, and there is no place for them`)
  const tooLarge = () => refusal(most)
  if (Number(request.headers['content-length']) > most + FORM_BYTES) throw tooLarge()
  if (!request.isMultipart()) throw fail('asset.missing')

  const { raw } = request
  raw.setTimeout(REQUEST_TIMEOUT_MS, () => raw.destroy())
  const fields: Record<string, unknown> = {}
  let file: Received | null = null
  try {
    const limits = {
      fileSize: most + 1,
      files: 1,
      fields: FORM_FIELDS,
      parts: FORM_FIELDS + 1,
      fieldSize: 1_024,
    }
    for await (const part of request.parts({ limits })) {
      if (part.type === 'field') fields[part.fieldname] = part.value
      else if (part.fieldname !== route.form || file) part.file.resume()
      else {
        file = await spool.receive(part.file, part.filename ?? '', most)
        if (!file) throw tooLarge()
      }
    }
    return { fields, file }
  } catch (error) {
    if (file) await rm(file.path, { force: true })
    // Whoever broke off gets no answer, and there is nothing to mend.
    throw raw.destroyed && !raw.complete ? fail('bad_input') : error
  } finally {
    raw.setTimeout(0)
    // What is left of a refused one is thrown away as it comes.
    raw.resume()
  }
}

/** Path before query before body; what is not asked for is not looked at. */
function readInput(
  route: Route,
  request: FastifyRequest,
  body: Readonly<Record<string, unknown>>,
  { language }: Context,
): unknown {
  const merged: Record<string, unknown> = {
    ...body,
    ...(request.query as Record<string, unknown>),
    ...(request.params as Record<string, unknown>),
  }
  for (const [key, value] of Object.entries(merged)) if (typeof value === 'string') merged[key] = clean(value)
  const parsed = route.input.safeParse(merged)
  if (parsed.success) return parsed.data
  const errors: Record<string, string> = {}
  for (const issue of parsed.error.issues) {
    const field = String(issue.path[0] ?? '')
    errors[field] ??= reasonOf(issue, merged[field] === undefined, language)
  }
  throw fail('bad_input', { errors })
}

function parseBody(body: unknown, language: Language): Record<string, unknown> {
  if (!Buffer.isBuffer(body) || body.length === 0) return {}
  const text = body.toString('utf8').trim()
  if (text === '') return {}
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    throw fail('bad_json')
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    throw fail('bad_input', { errors: { body: door[language].notObject } })
  }
  return parsed as Record<string, unknown>
}

/** PostgreSQL stores no NUL, and UTF-8 has no lone surrogates: neither gets past the door. */
export const clean = (text: string): string => text.replaceAll('\0', '').toWellFormed()

interface Issue {
  readonly code?: string | undefined
  readonly expected?: unknown
  readonly origin?: unknown
  readonly maximum?: unknown
  readonly minimum?: unknown
  readonly values?: unknown
}

function reasonOf(issue: Issue, isMissing: boolean, language: Language): string {
  const words = door[language]
  if (isMissing) return words.missing
  if (issue.code === 'invalid_type') return words.wrongType(String(issue.expected))
  if (issue.code === 'too_big') {
    return issue.origin === 'string'
      ? words.tooLong(Number(issue.maximum))
      : words.tooBig(Number(issue.maximum))
  }
  if (issue.code === 'too_small') {
    return issue.origin === 'string'
      ? words.tooShort(Number(issue.minimum))
      : words.tooSmall(Number(issue.minimum))
  }
  if (issue.code === 'invalid_value' && Array.isArray(issue.values))
    return words.choices(issue.values.join(' / '))
  return words.format
}

// --- what an answer says

function check(route: Route, answer: unknown): void {
  const fits = route.answer.safeParse(answer ?? {})
  if (fits.success) return
  const where = fits.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ')
  throw new Error(`${route.method} ${route.path} answers what its contract does not say: ${where}`)
}

function asFailure(error: unknown): Failure {
  if (error instanceof Failure) return error
  const { code, statusCode } = error as Partial<FastifyError>
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE' || statusCode === 413) return new Failure('too_large')
  if (code?.startsWith('FST_') && statusCode === 400) return new Failure('bad_input')
  if (statusCode === 403 || statusCode === 404) return new Failure('not_found')
  return new Failure(isUnavailable(error) ? 'unavailable' : 'internal')
}

const statusOf = (name: FailureName, dialect: Dialect): number =>
  dialect === 'v2' || isFrameworkFailure(name) ? failures[name].status : 200

const statusNames: Readonly<Record<number, string>> = {
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  413: 'Payload Too Large',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
}

/** A refusal in the words of its dialect. Fields of a form are keyed in `message` on auth calls. chat.md §8. */
function refusalBody(failure: Failure, dialect: Dialect, language: Language, route?: Route): object {
  const name = failure.failure
  const { code, status, field } = failures[name]
  const { errors: reasons, fields, ...extra } = failure.detail
  const words = failureText(name, language, failure.detail)
  // A rule below the door names the fields that do not fit; the door has the words for it.
  const given = Array.isArray(fields)
    ? Object.fromEntries(fields.map((each) => [String(each), door[language].format]))
    : reasons
  const errors = (given ?? (field ? { [field]: words } : undefined)) as Record<string, string> | undefined
  const isForm = errors !== undefined && route !== undefined && /^\/api\/v\d\/auth\//.test(route.path)
  const named =
    errors && given
      ? `${words}: ${Object.entries(errors)
          .map((each) => each.join(' '))
          .join(', ')}`
      : words
  const data = {
    error: name,
    ...(errors ? { errors } : {}),
    ...(Object.keys(extra).length > 0 ? { extra } : {}),
    ...(isFrameworkFailure(name) ? { name: statusNames[status] ?? 'Error', status } : {}),
  }
  const message = isForm ? errors : named
  return dialect === 'v3' ? { code, message, data } : { ...data, code, message, error: name, data }
}

// --- how often

const bucketOf = (path: string): string => path.replace(/^\/api(?:\/v\d)?\//, '')

/** Counts v3 calls in fixed windows of a minute. protocol.md §1.6. */
function openLimiter(windows: RateLimiter) {
  function tell(reply: FastifyReply, bucket: string, remaining: number, resetMs: number): void {
    void reply.headers({
      'x-rate-limit-limit': String(RATE_LIMIT),
      'x-rate-limit-remaining': String(remaining),
      'x-rate-limit-reset': String(Math.ceil(resetMs / SECOND_MS)),
      'x-rate-limit-bucket': bucket,
    })
  }

  return {
    /** Spends one call and says what is left; false when there was none. */
    async take(reply: FastifyReply, bucket: string, who: string): Promise<boolean> {
      const { spent, resetMs } = await windows.count(`${bucket} ${who}`, RATE_WINDOW_MS)
      tell(reply, bucket, Math.max(0, RATE_LIMIT - spent), resetMs)
      return spent <= RATE_LIMIT
    },
    /** The headers of an answer that came before any call was counted. */
    describe(reply: FastifyReply, bucket: string): void {
      if (!reply.hasHeader('x-rate-limit-limit')) tell(reply, bucket, RATE_LIMIT, 0)
    },
  }
}
