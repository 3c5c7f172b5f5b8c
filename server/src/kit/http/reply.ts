/** Answers: media types, security headers, JSON. */
import type { Route } from '@guildhall/wire/route.ts'
import { DAY_MS, SECOND_MS } from '@guildhall/wire/unit.ts'
import type { FastifyReply } from 'fastify'

export const mediaTypes = {
  html: 'text/html; charset=utf-8',
  json: 'application/json; charset=utf-8',
  text: 'text/plain; charset=utf-8',
  xml: 'text/xml; charset=utf-8',
  metrics: 'text/plain; version=0.0.4; charset=utf-8',
} as const

/** What the page may load: files, calls and the gateway of this server, under the address that people use. */
function contentSecurity(origin: string, inlineScripts: readonly string[], isFramed: boolean): string {
  const gateway = origin.replace(/^http/, 'ws')
  return [
    "default-src 'self'",
    ["script-src 'self'", ...inlineScripts].join(' '),
    "style-src 'self' 'unsafe-inline'",
    `img-src 'self' data: blob: ${origin}`,
    "font-src 'self' data:",
    `media-src 'self' blob: ${origin}`,
    `connect-src 'self' ${origin} ${gateway}`,
    "manifest-src 'self'",
    "worker-src 'self' blob:",
    "form-action 'self'",
    `frame-ancestors ${isFramed ? "'self'" : "'none'"}`,
    "frame-src 'none'",
    "base-uri 'none'",
    "object-src 'none'",
  ].join('; ')
}

const pageHeaders = (origin: string, inlineScripts: readonly string[], isFramed: boolean) => ({
  'content-security-policy': contentSecurity(origin, inlineScripts, isFramed),
  'x-content-type-options': 'nosniff',
  'x-frame-options': isFramed ? 'SAMEORIGIN' : 'DENY',
  // Invite links must not reveal to other sites where a person came from.
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=()',
})

/** For a year. Other names below this host are their operator's. */
const HSTS = `max-age=${(365 * DAY_MS) / SECOND_MS}`

/** An answer to a call is data: a browser must not run, load or frame anything in it. */
const CALL_HEADERS = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
}

/**
 * The security headers of an answer to a URL. `origin`: the public address of the server; `inlineScripts`:
 * the hashes of the scripts that pages may hold; `isFramed`: it is asked for by a frame of this server's own,
 * which is allowed in development. `isSecure`: the operator says that people come by https, and browsers keep
 * to it for a year.
 */
export const securityHeaders = (
  url: string,
  origin: string,
  inlineScripts: readonly string[],
  { isFramed, isSecure }: { readonly isFramed: boolean; readonly isSecure: boolean },
): Readonly<Record<string, string>> => ({
  ...(url.startsWith('/api/') ? CALL_HEADERS : pageHeaders(origin, inlineScripts, isFramed)),
  ...(isSecure && { 'strict-transport-security': HSTS }),
})

export function sendJson(reply: FastifyReply, status: number, body: unknown): FastifyReply {
  return reply
    .code(status)
    .type(mediaTypes.json)
    .header('cache-control', 'no-store')
    .send(JSON.stringify(body ?? {}))
}

/** Throws when an answer does not match its route's schema. */
export function checkAnswer(route: Route, answer: unknown): void {
  const parsed = route.answer.safeParse(answer ?? {})
  if (parsed.success) return
  const where = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ')
  throw new Error(`${route.method} ${route.path} answers what its contract does not say: ${where}`)
}
