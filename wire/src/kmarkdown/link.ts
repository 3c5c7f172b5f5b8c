/** Detection of links in texts. protocol.md §6.1 "link", chat.md §5. */

/** Longer addresses are not linked, UTF-16 units. */
export const URL_MAX = 2048

const SPACES =
  ' \t\n\v\f\r\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff'
const SPACE = new Set(SPACES)

/** Of ASCII: what no address contains, and what marks a style or quotes. */
const ENDS = new Set('"\'*<>`')
/** Characters of ASCII that close the sentence and not the address. */
const TRAILING = new Set('.,!?;:')
const LETTER = /^(?!\p{Default_Ignorable_Code_Point})[\p{L}\p{M}\p{N}]$/u
/** Chinese, and what stands beside it without spaces. */
const EAST_ASIAN = /^[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Bopo}\p{scx=Hang}]$/u
/** Constructs in parentheses, which no address contains. protocol.md §6.1. */
const MARKER = /\((?:met|rol|chn|emj|ins|spl|font)\)/y
/** The index of a list in a query, and not the text of a link. */
const INDEX = /\[[\w.-]{0,64}\](?!\()/y
/** Parentheses inside parentheses of an address. More end it, so that a row of them takes linear time. */
const DEEPEST = 3

/** The length of `http://` or `https://` at `at`; 0 when there is neither. */
function schemeAt(text: string, at: number): number {
  if (text.startsWith('http://', at)) return 7
  return text.startsWith('https://', at) ? 8 : 0
}

/** A bare address in a text. */
interface Bare {
  /** Behind its last character; where it begins when there is none. */
  readonly end: number
  /** Where the text goes on. */
  readonly next: number
  /** How many characters were visited. */
  readonly steps: number
}

/**
 * The bare address that may begin at `start`, with `http://` or `https://`. Links of messages, their previews
 * and plain texts of old clients go by this one rule:
 *
 * - The host is everything up to the first `/`, `?` or `#`. It has letters and digits of any script, so it
 *   may be Chinese.
 * - Behind the host an address has letters and digits of any script but Chinese, Japanese and Korean: those
 *   begin the sentence behind it (`https://a.cn/x这个`).
 * - Of ASCII it has everything but white space, quotes, `<>`, `*`, a backtick and `~~`. No other punctuation,
 *   symbol, space or invisible character of Unicode belongs to it: `」`, `…`, `～` and emoji end it.
 * - Parentheses belong to it in pairs (`/wiki/Foo_(bar)`): it ends before one that closes nothing, and before
 *   one that nothing closes. Square brackets belong to it as an index (`?ids[]=1`). In the host there are
 *   none.
 * - `.,!?;:` at its end close the sentence.
 * - No longer one than `URL_MAX` is linked.
 */
export function bareAddress(text: string, start: number): Bare {
  const begin = start + schemeAt(text, start)
  if (begin === start) return { end: start, next: start + 1, steps: 0 }
  const { next, steps } = scan(text, begin)
  let end = next
  while (end > begin && TRAILING.has(text[end - 1]!)) end -= 1
  const isNone = end === begin || end - start > URL_MAX
  return { end: isNone ? start : end, next, steps: steps + next - end + 1 }
}

/** Where the characters of an address that begins at `begin` end, behind its scheme. */
function scan(text: string, begin: number): { readonly next: number; readonly steps: number } {
  const open: number[] = []
  let isHost = true
  let at = begin
  while (at < text.length) {
    const character = String.fromCodePoint(text.codePointAt(at)!)
    if (character === '(') {
      if (isHost || matches(MARKER, text, at) || open.length === DEEPEST) break
      open.push(at)
    } else if (character === ')') {
      if (open.pop() === undefined) break
    } else if (character === '[') {
      const length = isHost ? 0 : matches(INDEX, text, at)
      if (length === 0) break
      at += length
      continue
    } else if (!isOfAddress(character, isHost) || (character === '~' && text[at + 1] === '~')) break
    if (character === '/' || character === '?' || character === '#') isHost = false
    at += character.length
  }
  return { next: open[0] ?? at, steps: at - begin }
}

const isOfAddress = (character: string, isHost: boolean): boolean =>
  character < '\u0080'
    ? character > ' ' && character !== ']' && character !== '\u007f' && !ENDS.has(character)
    : LETTER.test(character) && (isHost || !EAST_ASIAN.test(character))

/** How long what a sticky pattern finds at `at` is; 0: nothing. */
function matches(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0].length ?? 0
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
