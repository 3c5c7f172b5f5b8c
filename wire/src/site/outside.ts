/**
 * Links to other sites: the page that warns of them, and what it refuses to open. commerce.md §2 "/go-wild".
 */
import { withoutOverrides } from '../visible.ts'

/** Longer addresses are refused, UTF-16 code units. */
export const OUTSIDE_MAX = 4_000

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/
/**
 * Of the encoded address: servers and proxies read 8 KiB of the line with the path, and answer longer ones
 * with a bare error.
 */
const ENCODED_MAX = 8_000

/**
 * The page that warns before an address of another site is opened; it says of an address that fits into no
 * path that it cannot be opened.
 */
export function goWildPath(address: string): string {
  // Half of a character cannot be encoded.
  const encoded = encodeURIComponent(address.replace(/\p{Cs}/gu, '\ufffd'))
  // Never a part of the address: it would be another one.
  return `/go-wild?url=${encoded.length > ENCODED_MAX ? '.' : encoded}`
}

/**
 * An address as the server and the page read it, without the characters that turn the direction of writing;
 * null when it is missing, too long, or has control characters, which browsers leave out and people do not
 * see.
 */
export function cleanAddress(value: string | null | undefined): string | null {
  if (!value || value.length > OUTSIDE_MAX || CONTROL.test(value)) return null
  return withoutOverrides(value).trim() || null
}
