/** The client of a request: credential, locale, network, origin. protocol.md §1.2. */
import { hostname, networkInterfaces } from 'node:os'
import { CLIENT_SOURCE_HEADER, readClientSource } from '@guildhall/wire/auth/source.ts'
import { type Locale, pickLocale } from '@guildhall/wire/locale.ts'
import { SECOND_MS } from '@guildhall/wire/unit.ts'
import type { FastifyRequest } from 'fastify'
import { clock } from '../clock.ts'
import { networkOf } from '../limits/network.ts'
import type { Caller, RequestContext } from './binding.ts'

/** Answers who a token belongs to; null for a token that is not valid. */
export type SessionLookup = (token: string) => Promise<Caller | null>

/** Where callers and origins are looked up. */
export interface RequestSources {
  readonly sessionOf: SessionLookup
  /** The public address of the server; null: the address of this machine that the request was sent to. */
  readonly publicUrl: string | null
  /** The origin when neither of the two is known. */
  readonly fallbackUrl: string
}

/** The caller of a request; null for a guest, and for a person's token sent as a bot's or the reverse. */
export async function callerOf(request: FastifyRequest, sessionOf: SessionLookup): Promise<Caller | null> {
  const credential = credentialOf(request)
  const caller = credential && (await sessionOf(credential.token))
  return caller && caller.isBot === credential.isBot ? caller : null
}

const AGENT_MAX = 512

/** Locale, network, origin and browser of a request. */
export const contextOf = (request: FastifyRequest, sources: RequestSources): RequestContext => ({
  locale: localeOf(request),
  network: networkOf(request.ip),
  ip: request.ip,
  origin: publicOrigin(request, sources),
  agent: (request.headers['user-agent'] ?? '').slice(0, AGENT_MAX),
  referer: request.headers.referer,
  clientSource: readClientSource(request.headers[CLIENT_SOURCE_HEADER]),
  cookie: (name) => cookieOf(request, name),
})

/** The value of a cookie, as it was sent; null without. Of several with one name the first counts. */
export function cookieOf({ headers }: FastifyRequest, name: string): string | null {
  for (const pair of (headers.cookie ?? '').split(';')) {
    const at = pair.indexOf('=')
    if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim()
  }
  return null
}

/**
 * The address under which people reach the server: the configured one, else the one of this machine that the
 * request was sent to.
 */
export const publicOrigin = (
  request: FastifyRequest,
  { publicUrl, fallbackUrl }: Pick<RequestSources, 'publicUrl' | 'fallbackUrl'>,
): string => publicUrl ?? originOf(request) ?? fallbackUrl

/**
 * `Authorization: TOKEN` of a person, `Authorization: Bot TOKEN` of a bot; other schemes authenticate nobody.
 */
function credentialOf(request: FastifyRequest): { readonly token: string; readonly isBot: boolean } | null {
  const header = request.headers.authorization?.trim() ?? ''
  if (/^[\w-]{16,128}$/.test(header)) return { token: header, isBot: false }
  const token = /^Bot ([\w/+=-]{16,128})$/i.exec(header)?.[1]
  return token === undefined ? null : { token, isBot: true }
}

/** The token of `Authorization: Bearer TOKEN`; null without one. */
export const bearerOf = (request: FastifyRequest): string | null =>
  /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? null

const LOOPBACK = /^(?:::ffff:)?127\.|^::1$/
const LOOPBACK_HOST = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i
const FORWARDED = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
]

/**
 * Whether a request was made on this machine: the connection comes from it, no proxy on it says that it
 * forwards, and the address asked for is one of loopback. The last finds proxies that say nothing, and pages
 * of the web whose name was pointed at this machine. A proxy that names itself as the host asked for is found
 * by its HTTP/1.0, which is nginx's own choice and no browser's.
 */
export const isLocal = ({ ip, socket, headers, raw }: FastifyRequest): boolean =>
  raw.httpVersion !== '1.0' &&
  LOOPBACK.test(socket.remoteAddress ?? '') &&
  LOOPBACK.test(ip) &&
  LOOPBACK_HOST.test(headers.host ?? '') &&
  FORWARDED.every((name) => headers[name] === undefined)

/** Locales by header: clients send few different ones. */
const localeCache = new Map<string, Locale>()
const LOCALE_CACHE_MAX = 200

/** The locale of a request, from its Accept-Language. protocol.md §1.2. */
export function localeOf(request: FastifyRequest): Locale {
  const header = request.headers['accept-language'] ?? ''
  const cached = localeCache.get(header)
  if (cached) return cached
  const locale = pickLocale(header)
  if (localeCache.size >= LOCALE_CACHE_MAX) localeCache.clear()
  localeCache.set(header, locale)
  return locale
}

const HOST =
  /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i

/**
 * The address that a request was sent to, when it is one of this machine. A client writes the Host header as
 * it likes, and the answer becomes part of links and previews that others see.
 */
function originOf(request: FastifyRequest): string | null {
  const host = (request.headers.host ?? '').toLowerCase()
  if (host.length > 255 || !HOST.test(host)) return null
  const name = host.replace(/:\d{1,5}$/, '')
  return LOOPBACK_HOST.test(host) || ownNames().has(name) ? `http://${host}` : null
}

const OWN_NAMES_FOR_MS = 60 * SECOND_MS
let own: { readonly names: ReadonlySet<string>; readonly at: number } | null = null

/**
 * The name and the addresses of this machine, as a Host header has them. A laptop changes networks, so they
 * are read again.
 */
function ownNames(): ReadonlySet<string> {
  if (own && clock.now() - own.at < OWN_NAMES_FOR_MS) return own.names
  const addresses = Object.values(networkInterfaces()).flatMap((all) => all ?? [])
  const name = hostname().toLowerCase()
  const names = new Set([name, `${name}.local`])
  for (const { address, family } of addresses) names.add(family === 'IPv6' ? `[${address}]` : address)
  own = { names, at: clock.now() }
  return names
}

/** Whether a Content-Type header can be parsed. */
export const isMediaType = (value: string): boolean => /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+\s*(;|$)/.test(value)
