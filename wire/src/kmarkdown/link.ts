/** Detection of links in texts. protocol.md §6.1 "link", chat.md §5. */

/** Longer addresses are not linked, UTF-16 units. */
export const URL_MAX = 2048

const SPACES =
  ' \t\n\v\f\r\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff'
const SPACE = new Set(SPACES)
const STOPS = new Set(`${SPACES}<>()[]\`*"'，。！？；：、（）【】《》“”‘’`)
/** Punctuation that belongs to the sentence and not to the address. */
const TRAILING = new Set('.,!?;:')

/** The length of `http://` or `https://` at `at`; 0 when there is neither. */
export function schemeAt(text: string, at: number): number {
  if (text.startsWith('http://', at)) return 7
  return text.startsWith('https://', at) ? 8 : 0
}

/** Where the address that begins at `at` ends; it holds no marker of a style, and no closing punctuation. */
export function addressEnd(text: string, at: number): number {
  let end = at
  while (end < text.length && !STOPS.has(text[end]!) && !(text[end] === '~' && text[end + 1] === '~'))
    end += 1
  return end
}

/**
 * Where the address inside `](…)` ends: at its `)`, or where it cannot be one. It may contain one pair of
 * parentheses; a second opening one ends the search, so that a row of them takes linear time.
 */
export function targetEnd(text: string, at: number): number {
  const most = Math.min(text.length, at + URL_MAX)
  let isInside = false
  for (let end = at; end < most; end += 1) {
    const character = text[end]!
    if (character === ')') {
      if (!isInside) return end
      isInside = false
    } else if (character === '(') {
      if (isInside) return at
      isInside = true
    } else if (SPACE.has(character)) return at
  }
  return at
}

/** `end` without the punctuation that closes the sentence around an address. */
export function withoutTrailing(text: string, at: number, end: number): number {
  let last = end
  while (last > at && TRAILING.has(text[last - 1]!)) last -= 1
  return last
}

/** Only web addresses become links. */
export const isWebAddress = (href: string): boolean => /^https?:\/\/[^\s]/i.test(href.slice(0, 9))

/** Other schemes, such as `javascript:` and `mailto:`. */
export const hasScheme = (href: string): boolean => /^[a-z][a-z\d+.-]{0,30}:/i.test(href)

/** `guild.example/x` as an address of `origin`, `https://guild.example`; other targets are unchanged. */
export function withOrigin(href: string, origin = ''): string {
  const host = origin.replace(/^https?:\/\//i, '')
  const isOwn = host !== '' && href.toLowerCase().startsWith(`${host.toLowerCase()}/`)
  return isOwn ? origin + href.slice(host.length) : href
}
