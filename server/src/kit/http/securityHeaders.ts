/** The security headers of answers: what pages may load, and who may frame them. */
import { DAY_MS, SECOND_MS } from '@guildhall/wire/unit.ts'

/** Addresses of this server. */
export interface ServerOrigins {
  /** The one that people use. */
  readonly origin: string
  /** The one that stands before the paths of stored files. */
  readonly fileOrigin: string
}

/** What the page may load: files, calls and the gateway of this server. */
function contentSecurity(
  { origin, fileOrigin }: ServerOrigins,
  inlineScripts: readonly string[],
  isFramed: boolean,
): string {
  const files = origin === fileOrigin ? origin : `${origin} ${fileOrigin}`
  const gateway = origin.replace(/^http/, 'ws')
  return [
    "default-src 'self'",
    ["script-src 'self'", ...inlineScripts].join(' '),
    "style-src 'self' 'unsafe-inline'",
    `img-src 'self' data: blob: ${files}`,
    "font-src 'self' data:",
    `media-src 'self' blob: ${files}`,
    `connect-src 'self' ${files} ${gateway}`,
    "manifest-src 'self'",
    "worker-src 'self' blob:",
    "form-action 'self'",
    `frame-ancestors ${isFramed ? "'self'" : "'none'"}`,
    "frame-src 'none'",
    "base-uri 'none'",
    "object-src 'none'",
  ].join('; ')
}

const pageHeaders = (origins: ServerOrigins, inlineScripts: readonly string[], isFramed: boolean) => ({
  'content-security-policy': contentSecurity(origins, inlineScripts, isFramed),
  'x-content-type-options': 'nosniff',
  'x-frame-options': isFramed ? 'SAMEORIGIN' : 'DENY',
  // Invite links must not reveal to other sites where a person came from. Where this machine's browser opened
  // the page by another name than that of the files, their address must know by which: `files/file.ts`.
  'referrer-policy':
    origins.origin === origins.fileOrigin ? 'same-origin' : 'strict-origin-when-cross-origin',
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
 * The security headers of an answer to a URL. `inlineScripts`: the hashes of the scripts that pages may hold;
 * `isFramed`: it is asked for by a frame of this server's own, which is allowed in development.
 * `isSecure`: the operator says that people come by https, and browsers keep to it for a year.
 */
export const securityHeaders = (
  url: string,
  origins: ServerOrigins,
  inlineScripts: readonly string[],
  { isFramed, isSecure }: { readonly isFramed: boolean; readonly isSecure: boolean },
): Readonly<Record<string, string>> => ({
  ...(url.startsWith('/api/') ? CALL_HEADERS : pageHeaders(origins, inlineScripts, isFramed)),
  ...(isSecure && { 'strict-transport-security': HSTS }),
})
