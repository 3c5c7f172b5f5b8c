/** From the source of a KMarkdown text to its tree. protocol.md §6. */
import { addressEnd, hasScheme, isWebAddress, schemeAt, targetEnd, URL_MAX, withoutTrailing } from './link.ts'
import { fontThemes, type KmNode, type LeafName, type SpanName } from './node.ts'

/** Deeper nesting than this is drawn as the characters it is made of: it bounds the work for hostile input. */
const DEPTH_MAX = 24
const RIGHT_TO_LEFT = /[\u202E\u200F]/g
const LEAF = /\((met|rol|chn)\)(\d{1,20}|all|here)\(\1\)/y
const EMOJI = /\(emj\)([^()\n]{1,36})\(emj\)\[([\w/]{1,40})\]/y
/** The theme behind coloured words and, rarely, a size. */
const THEME = /\[([a-z]{1,12})\](?:\[(\d{1,3}|small|medium|large)\](?!\())?/y
const LANGUAGE = /([\w+#.-]{0,20})[ \t]{0,8}\n/y
const SHORTCODE = /:([a-z\d_+-]{1,48}):/y

const TAB = 9
const NEWLINE = 10
const SPACE = 32
const PAREN = 40
const PAREN_END = 41
const STAR = 42
const COLON = 58
const GREATER = 62
const BRACKET = 91
const BACKSLASH = 92
const BRACKET_END = 93
const TICK = 96
const H = 104
const TILDE = 126

/** Which of the first 128 characters may begin something; everything else is words. */
const BEGINS = new Uint8Array(128)
for (const code of [NEWLINE, PAREN, STAR, COLON, BRACKET, BACKSLASH, BRACKET_END, TICK, H, TILDE])
  BEGINS[code] = 1

/** Punctuation of ASCII: what a backslash takes the meaning from. protocol.md §6.3. */
const isPunctuation = (code: number): boolean =>
  (code >= 33 && code <= 47) ||
  (code >= 58 && code <= 64) ||
  (code >= 91 && code <= 96) ||
  (code >= 123 && code <= 126)

/** Right-to-left overrides can make a text read as what it is not: they go. chat.md §5. */
export const withoutOverrides = (source: string): string => source.replace(RIGHT_TO_LEFT, '')

/** A source as `parse` reads it: every line break is `\n`, and nothing turns the text around. */
export const settled = (source: string): string => withoutOverrides(source.replace(/\r\n?/g, '\n'))

export interface ParseOptions {
  /** Whether `(font)x(font)[theme]` colours words: in cards only. protocol.md §6.1. */
  readonly font?: boolean
  /** What a `:name:` stands for; null for a name nobody knows. Without it none is looked for. */
  readonly shortcode?: (name: string, at: number) => string | null
  /**
   * Told of each mention, emoji, bare address and piece of code, and where it stands in the source once its line breaks are `\n` and
   * its overrides are gone: from its first character to behind its last, UTF-16 units.
   */
  readonly seen?: (node: KmNode, from: number, to: number) => void
}

type Marker = '*' | '**' | '~~' | '(ins)' | '(spl)' | '(font)' | '[' | '> '

/** A text node that still grows. */
interface Words {
  readonly type: 'text'
  content: string
}

interface Open {
  marker: Marker
  readonly children: KmNode[]
  /** How many links had been made when it opened. */
  readonly links: number
}

const SPANS: Readonly<Record<string, SpanName>> = {
  '*': 'em',
  '**': 'strong',
  '~~': 'del',
  '(ins)': 'ins',
  '(spl)': 'spl',
  '> ': 'blockquote',
}

/** A tree, and how many characters and nodes were looked at on the way to it. */
export interface Reading {
  readonly nodes: KmNode[]
  readonly steps: number
}

/**
 * Source text to nodes. Never throws; whatever is not a construct stands as text; an opener without a closer is
 * literal. Line breaks beside quotes, dividers and code blocks are theirs and not in the tree. Time grows linearly
 * with the text.
 */
export const parse = (source: string, options: ParseOptions = {}): KmNode[] => read(source, options).nodes

/**
 * The same, counting. Linear because: each character is consumed once; the search for a closing character is
 * remembered; nesting is bounded, and what turns out to be no construct moves its children one level up only.
 */
export function read(source: string, options: ParseOptions = {}): Reading {
  const text = (source.includes('\r') ? source.replace(/\r\n?/g, '\n') : source).replace(RIGHT_TO_LEFT, '')
  const { length } = text
  const root: KmNode[] = []
  const stack: Open[] = []
  /** Where the list of nodes being filled is: the innermost open construct's. */
  let list = root
  /** The words at the end of that list, to which more may be added. */
  let tail: Words | null = null
  let links = 0
  let steps = 0
  let at = 0
  /** Words not yet said begin here. */
  let from = 0
  let nextTick = -2
  let nextFence = -2

  const say = (content: string): void => {
    if (content === '') return
    if (tail) tail.content += content
    else {
      tail = { type: 'text', content }
      list.push(tail)
    }
  }
  const put = (node: KmNode): void => {
    tail = null
    list.push(node)
  }
  const leaf = (node: KmNode, start: number, end: number): void => {
    put(node)
    options.seen?.(node, start, end)
  }
  /** Says the words up to `end` and goes on at `next`. */
  const flush = (end: number, next: number): void => {
    if (end > from) say(text.slice(from, end))
    from = at = next
  }
  /** The same in front of a block: the line break before it is the block's. */
  const flushLine = (end: number, next: number): void =>
    flush(end > from && text.charCodeAt(end - 1) === NEWLINE ? end - 1 : end, next)

  const search = (needle: string, start: number): number => {
    const found = text.indexOf(needle, start)
    steps += (found === -1 ? length : found) - start + 1
    return found
  }
  const stale = (known: number, start: number): boolean => known !== -1 && known < start

  const open = (marker: Marker): void => {
    const children: KmNode[] = []
    stack.push({ marker, children, links })
    list = children
    tail = null
  }
  /** The innermost open construct ends here and is taken off; its children are for the caller. */
  const pop = (): Open => {
    const top = stack.pop()!
    list = stack.at(-1)?.children ?? root
    tail = null
    return top
  }
  /** Goes on filling the innermost list; words that follow are added to those at its end. */
  const resume = (): void => {
    list = stack.at(-1)?.children ?? root
    const last = list.at(-1)
    tail = last?.type === 'text' ? (last as Words) : null
  }
  /** Adds nodes to a list, joining words with words. */
  const join = (into: KmNode[], nodes: readonly KmNode[]): void => {
    steps += nodes.length + 1
    const [first, ...rest] = nodes
    const last = into.at(-1)
    if (first?.type === 'text' && last?.type === 'text') {
      into[into.length - 1] = { type: 'text', content: last.content + first.content }
      for (const node of rest) into.push(node)
    } else for (const node of nodes) into.push(node)
  }
  /** An open construct turns out to be plain characters; what is open inside it stays open. */
  const dissolve = (depth: number): void => {
    const [gone] = stack.splice(depth, 1)
    const into = stack[depth - 1]?.children ?? root
    join(into, [{ type: 'text', content: gone!.marker }])
    join(into, gone!.children)
    resume()
  }
  /** Where `marker` is open, seen from here; a quote hides what was opened outside of it. */
  const openAt = (marker: Marker): number => {
    for (let depth = stack.length - 1; depth >= 0; depth -= 1) {
      steps += 1
      const here = stack[depth]!.marker
      if (here === marker) return depth
      if (here === '> ') return -1
    }
    return -1
  }

  /** Opens what `marker` begins, or closes it when it is open; empty content is literal. */
  const toggle = (marker: Marker): void => {
    let depth = openAt(marker)
    if (depth === -1) {
      if (stack.length < DEPTH_MAX) open(marker)
      else say(marker)
      return
    }
    const outer = stack[depth]!
    const inner = stack[depth + 1]
    // `***a** b*`: both were opened by one run, so either may be the outer one.
    if (
      marker === '**' &&
      inner &&
      depth === stack.length - 2 &&
      outer.children.length === 0 &&
      inner.marker === '*'
    ) {
      outer.marker = '*'
      inner.marker = '**'
      depth += 1
    }
    while (stack.length > depth + 1) dissolve(stack.length - 1)
    if (stack[depth]!.children.length === 0) {
      dissolve(depth)
      say(marker)
      return
    }
    const { children } = pop()
    put({ type: 'tag', tagName: SPANS[marker]!, children })
  }

  const quoteDepth = (): number => openAt('> ')
  const closeQuote = (depth: number): void => {
    while (stack.length > depth + 1) dissolve(stack.length - 1)
    if (stack[depth]!.children.length === 0) return dissolve(depth)
    const { children } = pop()
    put({ type: 'tag', tagName: 'blockquote', children })
  }

  /** At the beginning of a line: what belongs to the line as a whole. */
  const startLine = (): void => {
    for (;;) {
      const code = text.charCodeAt(at)
      const depth = code === NEWLINE || code === GREATER ? quoteDepth() : -1
      if (code === NEWLINE && depth !== -1) {
        flushLine(at, at + 1)
        closeQuote(depth)
        continue
      }
      if (code === GREATER) {
        const after = text.charCodeAt(at + 1)
        const isEmpty = Number.isNaN(after) || after === NEWLINE
        if (depth !== -1) {
          if (after === SPACE || isEmpty) flush(at, at + (after === SPACE ? 2 : 1))
        } else if (after === SPACE && at + 2 < length && text.charCodeAt(at + 2) !== NEWLINE) {
          if (stack.length < DEPTH_MAX) {
            flushLine(at, at + 2)
            open('> ')
          }
        }
      }
      if (!text.startsWith('---', at)) return
      let end = at + 3
      while (text.charCodeAt(end) === SPACE || text.charCodeAt(end) === TAB) end += 1
      steps += end - at
      if (end < length && text.charCodeAt(end) !== NEWLINE) return
      flushLine(at, Math.min(end + 1, length))
      put({ type: 'tag', tagName: 'hr' })
      if (at === length) return
    }
  }

  const readTicks = (): void => {
    let run = 1
    while (text.charCodeAt(at + run) === TICK) run += 1
    steps += run
    if (run === 2) {
      at += 2
      return
    }
    if (run === 1) {
      if (stale(nextTick, at + 1)) nextTick = nextLoneTick(at + 1)
      if (nextTick === -1) {
        at += 1
        return
      }
      const start = at
      flush(at, nextTick + 1)
      leaf({ type: 'tag', tagName: 'code', value: text.slice(start + 1, nextTick) }, start, at)
      return
    }
    if (stale(nextFence, at + 3)) nextFence = search('```', at + 3)
    // Six in a row are a fence around nothing, and more are no better.
    if (nextFence === -1 || run >= 6) {
      at += run
      return
    }
    LANGUAGE.lastIndex = at + 3
    const said = LANGUAGE.exec(text)
    const begin = said && LANGUAGE.lastIndex <= nextFence ? LANGUAGE.lastIndex : at + 3
    const lang = begin > at + 3 ? said![1]! : ''
    const value = text.slice(begin, nextFence)
    let end = nextFence + 3
    if (value === '') {
      at = end
      return
    }
    if (text.charCodeAt(end) === NEWLINE) end += 1
    const start = at
    flushLine(at, end)
    leaf({ type: 'tag', tagName: 'codeblock', lang, value }, start, nextFence + 3)
    if (text.charCodeAt(end - 1) === NEWLINE) startLine()
  }
  /** A backtick that stands alone: two or three in a row close nothing. */
  const nextLoneTick = (start: number): number => {
    for (let found = search('`', start); found !== -1; ) {
      let end = found + 1
      while (text.charCodeAt(end) === TICK) end += 1
      if (end === found + 1) return found
      steps += end - found
      found = search('`', end)
    }
    return -1
  }

  const readParen = (): void => {
    const second = text[at + 1]
    if (second === 'm' || second === 'r' || second === 'c') {
      LEAF.lastIndex = at
      const found = LEAF.exec(text)
      if (found && (found[1] === 'met' || /^\d/.test(found[2]!))) {
        flush(at, at + found[0].length)
        leaf({ type: 'tag', tagName: found[1] as LeafName, value: found[2]! }, at - found[0].length, at)
        return
      }
    } else if (second === 'e') {
      EMOJI.lastIndex = at
      const emoji = EMOJI.exec(text)
      steps += 36
      if (emoji) {
        flush(at, at + emoji[0].length)
        leaf({ type: 'tag', tagName: 'emj', name: emoji[1]!, id: emoji[2]! }, at - emoji[0].length, at)
        return
      }
    } else if (second === 'i' || second === 's') {
      const marker = second === 'i' ? '(ins)' : '(spl)'
      if (text.startsWith(marker, at)) {
        flush(at, at + 5)
        toggle(marker)
        return
      }
    } else if (second === 'f' && options.font && text.startsWith('(font)', at)) return readFont()
    at += 1
  }
  const readFont = (): void => {
    const depth = openAt('(font)')
    flush(at, at + 6)
    if (depth === -1 && stack.length < DEPTH_MAX) return open('(font)')
    THEME.lastIndex = at
    const found = depth === -1 ? null : THEME.exec(text)
    const isKnown = found !== null && (fontThemes as readonly string[]).includes(found[1]!)
    const isEmpty = depth === stack.length - 1 && list.length === 0
    if (!isKnown || isEmpty) {
      if (depth !== -1) dissolve(depth)
      return say('(font)')
    }
    while (stack.length > depth + 1) dissolve(stack.length - 1)
    const { children } = pop()
    put({ type: 'tag', tagName: 'font', theme: found[1]!, size: found[2] ?? '', children })
    from = at = at + found[0].length
  }

  const readRun = (code: number): void => {
    let run = 1
    while (text.charCodeAt(at + run) === code) run += 1
    steps += run
    const marker = code === TILDE ? '~~' : '**'
    const isWords = code === TILDE ? run !== 2 && run !== 4 : run > 4
    // Four in a row close one and open the next, when there is one to close.
    if (isWords || (run === 4 && openAt(marker) === -1)) {
      at += run
      return
    }
    flush(at, at + run)
    if (run === 4) {
      toggle(marker)
      toggle(marker)
    } else if (code === TILDE || run === 2) toggle(marker)
    else if (run === 1) toggle('*')
    else {
      // The inner of the two closes first, whichever was opened last.
      const [first, second] = openAt('*') > openAt('**') ? (['*', '**'] as const) : (['**', '*'] as const)
      toggle(first)
      toggle(second)
    }
  }

  /** At `]`: a link when an address follows, else the bracket it closes is one of the words. */
  const readClose = (): void => {
    const depth = openAt('[')
    if (depth === -1) {
      at += 1
      return
    }
    const end = text.charCodeAt(at + 1) === PAREN ? targetEnd(text, at + 2) : at + 2
    steps += end - at
    const isClosed = text.charCodeAt(end) === PAREN_END && end > at + 2
    const href = isClosed ? text.slice(at + 2, end) : ''
    const isWeb = isWebAddress(href)
    if (!isWeb && !hasScheme(href)) {
      flush(at, at)
      dissolve(depth)
      at += 1
      return
    }
    if (at === from && depth === stack.length - 1 && list.length === 0) {
      dissolve(depth)
      at = end + 1
      return
    }
    flush(at, end + 1)
    while (stack.length > depth + 1) dissolve(stack.length - 1)
    const { children, links: before } = pop()
    if (isWeb) {
      put({ type: 'tag', tagName: 'a', href, children: links > before ? unlinked(children) : children })
      links += 1
    } else {
      join(list, children)
      resume()
    }
  }
  /** A link inside a link is its words. */
  const unlinked = (nodes: readonly KmNode[]): KmNode[] => {
    const flat: KmNode[] = []
    for (const node of nodes) {
      if (node.type === 'text' || !('children' in node)) join(flat, [node])
      else if (node.tagName === 'a') join(flat, node.children)
      else join(flat, [{ ...node, children: unlinked(node.children) }])
    }
    return flat
  }

  const readAddress = (): void => {
    const scheme = schemeAt(text, at)
    if (scheme === 0) {
      at += 1
      return
    }
    const whole = addressEnd(text, at + scheme)
    const end = withoutTrailing(text, at + scheme, whole)
    steps += whole - at + (whole - end)
    if (end === at + scheme || end - at > URL_MAX) {
      at = whole
      return
    }
    const href = text.slice(at, end)
    const start = at
    flush(at, end)
    leaf({ type: 'tag', tagName: 'a', href, children: [{ type: 'text', content: href }] }, start, end)
    links += 1
  }

  const readColon = (): void => {
    SHORTCODE.lastIndex = at
    const found = options.shortcode ? SHORTCODE.exec(text) : null
    const character = found && options.shortcode!(found[1]!, at)
    if (options.shortcode) steps += 48
    if (!found || character === null) {
      at += 1
      return
    }
    flush(at, at + found[0].length)
    say(character)
  }

  startLine()
  while (at < length) {
    steps += 1
    const code = text.charCodeAt(at)
    if (code >= 128 || BEGINS[code] === 0) {
      at += 1
      continue
    }
    switch (code) {
      case NEWLINE:
        at += 1
        startLine()
        break
      case BACKSLASH:
        if (isPunctuation(text.charCodeAt(at + 1))) {
          flush(at, at + 1)
          at += 1
        } else at += 1
        break
      case TICK:
        readTicks()
        break
      case PAREN:
        readParen()
        break
      case STAR:
      case TILDE:
        readRun(code)
        break
      case BRACKET:
        if (stack.length < DEPTH_MAX) {
          flush(at, at + 1)
          open('[')
        } else at += 1
        break
      case BRACKET_END:
        readClose()
        break
      case H:
        readAddress()
        break
      case COLON:
        readColon()
        break
    }
  }
  flush(length, length)
  while (stack.length > 0) {
    if (stack.at(-1)!.marker === '> ') closeQuote(stack.length - 1)
    else dissolve(stack.length - 1)
  }
  return { nodes: root, steps }
}

/**
 * The source with every `:name:` that `find` knows replaced by what it stands for; code, addresses and what is
 * escaped stay as they are. protocol.md §6.1 "unicode emoji", §6.4.
 */
export function withShortcodes(source: string, find: (name: string) => string | null): string {
  if (!/:[a-z\d_+-]/.test(source)) return source
  const text = source.replace(/\r\n?/g, '\n').replace(RIGHT_TO_LEFT, '')
  let written = ''
  let from = 0
  read(text, {
    shortcode(name, at) {
      const character = find(name)
      if (character === null) return null
      written += text.slice(from, at) + character
      from = at + name.length + 2
      return character
    },
  })
  return written + text.slice(from)
}
