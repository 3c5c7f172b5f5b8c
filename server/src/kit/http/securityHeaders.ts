/** The security headers of answers: what pages may load, and who may frame them. */
import { DAY_MS, SECOND_MS } from '@guildhall/wire/unit.ts'

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
