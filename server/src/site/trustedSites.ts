/** Which addresses the warning of other sites passes on to at once. */
import { cleanAddress } from '@guildhall/wire/site/outside.ts'

export interface TrustedSites {
  /** Host names; `.example.com` means example.com and its subdomains. */
  readonly hosts: readonly string[]
  /** The address that people use for this server. */
  readonly publicUrl: string
}

/**
 * The address that `GET /go-wild?url=` redirects to: one of this server, or of a host that the operator
 * trusts. Null for all others, so that nobody else is ever led to: the page warns of them, or refuses them.
 * It is spelt as the parser read it, so that a browser reads no other host. commerce.md §2.
 */
export function trustedTarget(value: unknown, { hosts, publicUrl }: TrustedSites): string | null {
  const address = typeof value === 'string' ? cleanAddress(value) : null
  if (address === null || !URL.canParse(address)) return null
  const url = new URL(address)
  if (!['http:', 'https:'].includes(url.protocol) || url.username !== '' || url.password !== '') return null
  if (url.origin === new URL(publicUrl).origin) return url.href
  // What listens on another port of a host is another site.
  if (url.port !== '') return null
  return hosts.some((host) => isCovered(url.hostname, host)) ? url.href : null
}

const isCovered = (hostname: string, host: string): boolean =>
  host.startsWith('.') ? hostname === host.slice(1) || hostname.endsWith(host) : hostname === host
