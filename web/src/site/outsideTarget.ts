/** What the warning page reads in an address of another site. commerce.md §2 "/go-wild". */
import { cleanAddress } from '@guildhall/wire/site/outside.ts'
import { toUnicode } from 'punycode/punycode.es6.js'

export interface OutsideSite {
  /** The address as browsers read it. */
  readonly href: string
  /** Its host and port, `xn--` labels as they are. */
  readonly host: string
  /** What a host with `xn--` labels looks like; null for others. */
  readonly looksLike: string | null
  /** The whole address to read: without turning and invisible characters. */
  readonly shown: string
  readonly isEncrypted: boolean
}

export type OutsideTarget =
  | OutsideSite
  /**
   * missing: no address; bad: none that can be opened; login: it has a user name or a password, and leads to
   * `host`.
   */
  | { readonly refused: 'missing' | 'bad' }
  | { readonly refused: 'login'; readonly host: string }

/** Some browsers keep what cannot be in a host, encoded. */
const HOST = /^(?:[a-z\d._-]+|\[[\da-f:.]+\])$/

/** `values`: all values of `url`; there must be one, as the server reads it. */
export function outsideTarget(values: readonly string[]): OutsideTarget {
  if (values.every((it) => it.trim() === '')) return { refused: 'missing' }
  const address = values.length === 1 ? cleanAddress(values[0]) : null
  const url = address === null ? null : parsed(address)
  if (!url || !['http:', 'https:'].includes(url.protocol) || !HOST.test(url.hostname))
    return { refused: 'bad' }
  if (url.username !== '' || url.password !== '') return { refused: 'login', host: url.host }
  return {
    href: url.href,
    host: url.host,
    looksLike: looksLike(url.hostname),
    shown: url.origin + readable(url.href.slice(url.origin.length)),
    isEncrypted: url.protocol === 'https:',
  }
}

/** Browsers of chat apps are older than `URL.canParse`. */
function parsed(address: string): URL | null {
  try {
    return new URL(address)
  } catch {
    return null
  }
}

function looksLike(hostname: string): string | null {
  if (!/(?:^|\.)xn--/.test(hostname)) return null
  try {
    return toUnicode(hostname)
  } catch {
    return null
  }
}

/**
 * Letters that stand in their place: none turns the direction, joins its neighbours or is invisible. Of
 * Hangul whole syllables alone: its script has parts that join, and fillers that nobody sees.
 */
const PLAIN = /^(?:(?=\p{L})[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]|[\uac00-\ud7a3])+$/u

/** Encoded letters of East Asia as letters; all else stays encoded. */
const readable = (rest: string): string =>
  rest.replace(/(?:%[\da-f]{2})+/gi, (encoded) => {
    try {
      const letters = decodeURIComponent(encoded)
      return PLAIN.test(letters) ? letters : encoded
    } catch {
      return encoded
    }
  })
