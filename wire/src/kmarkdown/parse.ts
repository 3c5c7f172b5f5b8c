/** KMarkdown parser: source text to a tree of nodes. protocol.md §6. */

import { withoutOverrides } from '../visible.ts'
import { bareAddress, hasScheme, isWebAddress, targetEnd, withOrigin } from './link.ts'
import { fontThemes, type KmNode, type LeafName } from './node.ts'
import { TreeBuilder } from './tree.ts'

const LEAF = /\((met|rol|chn)\)(\d{1,20}|all|here)\(\1\)/y
const EMOJI = /\(emj\)([^()\n]{1,36})\(emj\)\[([\w/]{1,40})\]/y
/** The theme after coloured text and, rarely, a size. */
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

/** Which of the first 128 characters may begin a construct; everything else is text. */
const BEGINS = new Uint8Array(128)
for (const code of [NEWLINE, PAREN, STAR, COLON, BRACKET, BACKSLASH, BRACKET_END, TICK, H, TILDE])
  BEGINS[code] = 1

/** Punctuation of ASCII: what a backslash escapes. protocol.md §6.3. */
const isPunctuation = (code: number): boolean =>
  (code >= 33 && code <= 47) ||
  (code >= 58 && code <= 64) ||
  (code >= 91 && code <= 96) ||
  (code >= 123 && code <= 126)

/** A source as `parse` reads it: every line break is `\n`, and there are no overrides. */
export const normalized = (source: string): string =>
  withoutOverrides(source.includes('\r') ? source.replace(/\r\n?/g, '\n') : source)

export interface ParseOptions {
  /** Whether `(font)x(font)[theme]` colours text: in cards only. protocol.md §6.1. */
  readonly font?: boolean
  /**
   * Where people open the page, `https://guild.example`: the target of a link may begin with its host,
   * `[x](guild.example/…)`. chat.md §5 "Links in markdown".
   */
  readonly origin?: string
  /** The character for a `:name:`; null for an unknown name. Without it no shortcodes are read. */
  readonly shortcode?: (name: string, at: number) => string | null
  /**
   * Called for each mention, emoji, bare address and piece of code with its position in the normalized
   * source: from its first character to behind its last, UTF-16 units.
   */
  readonly onLeaf?: (node: KmNode, from: number, to: number) => void
}

/** A tree, and how many characters and nodes were visited to build it. */
export interface Reading {
  readonly nodes: KmNode[]
  readonly steps: number
}

/**
 * Source text to nodes. Never throws. What is not a construct stays text; an opener without a closer is
 * literal. Line breaks beside quotes, dividers and code blocks belong to those and are not in the tree. Time
 * grows linearly with the text.
 */
export const parse = (source: string, options: ParseOptions = {}): KmNode[] => read(source, options).nodes

/** `parse` with a count of its steps, for the tests of its linear time. */
export const read = (source: string, options: ParseOptions = {}): Reading =>
  new Parser(normalized(source), options).run()

/**
 * One pass over a text. Linear because each character is consumed once, the search for a closing character is
 * remembered, and nesting is bounded.
 */
class Parser {
  readonly #text: string
  readonly #options: ParseOptions
  readonly #tree = new TreeBuilder()
  #steps = 0
  #at = 0
  /** Where the text that is not in the tree yet begins. */
  #from = 0
  /** Where the next closing backtick and the next fence are; -1: there is none, -2: not searched yet. */
  #nextTick = -2
  #nextFence = -2

  constructor(text: string, options: ParseOptions) {
    this.#text = text
    this.#options = options
  }

  run(): Reading {
    const text = this.#text
    const { length } = text
    this.#startLine()
    while (this.#at < length) {
      this.#steps += 1
      const code = text.charCodeAt(this.#at)
      if (code >= 128 || BEGINS[code] === 0) this.#at += 1
      else this.#readConstruct(code)
    }
    this.#flush(length, length)
    this.#tree.finish()
    return { nodes: this.#tree.root, steps: this.#steps + this.#tree.steps }
  }

  #readConstruct(code: number): void {
    switch (code) {
      case NEWLINE:
        this.#at += 1
        return this.#startLine()
      case BACKSLASH:
        if (isPunctuation(this.#text.charCodeAt(this.#at + 1))) this.#flush(this.#at, this.#at + 1)
        this.#at += 1
        return
      case TICK:
        return this.#readTicks()
      case PAREN:
        return this.#readParen()
      case STAR:
      case TILDE:
        return this.#readRun(code)
      case BRACKET:
        if (!this.#tree.canOpen) {
          this.#at += 1
          return
        }
        this.#flush(this.#at, this.#at + 1)
        return this.#tree.open('[')
      case BRACKET_END:
        return this.#readBracketEnd()
      case H:
        return this.#readAddress()
      case COLON:
        return this.#readShortcode()
    }
  }

  /** Adds the text up to `end` to the tree and continues at `next`. */
  #flush(end: number, next: number): void {
    if (end > this.#from) this.#tree.addText(this.#text.slice(this.#from, end))
    this.#from = this.#at = next
  }

  /** The same in front of a block: the line break before it belongs to the block. */
  #flushLine(end: number, next: number): void {
    const isBreak = end > this.#from && this.#text.charCodeAt(end - 1) === NEWLINE
    this.#flush(isBreak ? end - 1 : end, next)
  }

  #addLeaf(node: KmNode, start: number, end: number): void {
    this.#tree.addNode(node)
    this.#options.onLeaf?.(node, start, end)
  }

  #search(needle: string, start: number): number {
    const found = this.#text.indexOf(needle, start)
    this.#steps += (found === -1 ? this.#text.length : found) - start + 1
    return found
  }

  /** The length of the run of the current character. */
  #runLength(code: number): number {
    let run = 1
    while (this.#text.charCodeAt(this.#at + run) === code) run += 1
    this.#steps += run
    return run
  }

  /** At the beginning of a line: reads quotes and dividers. */
  #startLine(): void {
    const tree = this.#tree
    for (;;) {
      const code = this.#text.charCodeAt(this.#at)
      const depth = code === NEWLINE || code === GREATER ? tree.openAt('> ') : -1
      if (code === NEWLINE && depth !== -1) {
        this.#flushLine(this.#at, this.#at + 1)
        tree.closeSpan(depth, '> ')
        continue
      }
      if (code === GREATER) this.#readQuoteMark(depth)
      if (!this.#readDivider()) return
    }
  }

  /** At `>`: continues the quote that is open at `depth`, or opens one when `depth` is -1. */
  #readQuoteMark(depth: number): void {
    const after = this.#text.charCodeAt(this.#at + 1)
    const isEmpty = Number.isNaN(after) || after === NEWLINE
    if (depth !== -1) {
      if (after === SPACE || isEmpty) this.#flush(this.#at, this.#at + (after === SPACE ? 2 : 1))
      return
    }
    const content = this.#text.charCodeAt(this.#at + 2)
    if (after !== SPACE || Number.isNaN(content) || content === NEWLINE || !this.#tree.canOpen) return
    this.#flushLine(this.#at, this.#at + 2)
    this.#tree.open('> ')
  }

  /** At the beginning of a line: reads a divider. True when there was one and another line begins. */
  #readDivider(): boolean {
    const text = this.#text
    if (!text.startsWith('---', this.#at)) return false
    let end = this.#at + 3
    while (text.charCodeAt(end) === SPACE || text.charCodeAt(end) === TAB) end += 1
    this.#steps += end - this.#at
    if (end < text.length && text.charCodeAt(end) !== NEWLINE) return false
    this.#flushLine(this.#at, Math.min(end + 1, text.length))
    this.#tree.addNode({ type: 'tag', tagName: 'hr' })
    return this.#at < text.length
  }

  /** At a backtick: inline code, a code block, or text. */
  #readTicks(): void {
    const run = this.#runLength(TICK)
    if (run === 1) return this.#readInlineCode()
    const isFence = run >= 3 && run < 6
    if (run >= 3 && isStale(this.#nextFence, this.#at + 3))
      this.#nextFence = this.#search('```', this.#at + 3)
    // Two are text. Six in a row are an empty code block, which is text, as are more.
    if (!isFence || this.#nextFence === -1) this.#at += run
    else this.#readCodeBlock(this.#nextFence)
  }

  #readInlineCode(): void {
    if (isStale(this.#nextTick, this.#at + 1)) this.#nextTick = this.#nextLoneTick(this.#at + 1)
    const end = this.#nextTick
    if (end === -1) {
      this.#at += 1
      return
    }
    const start = this.#at
    this.#flush(start, end + 1)
    this.#addLeaf({ type: 'tag', tagName: 'code', value: this.#text.slice(start + 1, end) }, start, end + 1)
  }

  /** At a fence whose closing fence begins at `fence`. */
  #readCodeBlock(fence: number): void {
    const text = this.#text
    const start = this.#at
    LANGUAGE.lastIndex = start + 3
    const found = LANGUAGE.exec(text)
    const begin = found && LANGUAGE.lastIndex <= fence ? LANGUAGE.lastIndex : start + 3
    const lang = begin > start + 3 ? found![1]! : ''
    const value = text.slice(begin, fence)
    let end = fence + 3
    if (value === '') {
      this.#at = end
      return
    }
    if (text.charCodeAt(end) === NEWLINE) end += 1
    this.#flushLine(start, end)
    this.#addLeaf({ type: 'tag', tagName: 'codeblock', lang, value }, start, fence + 3)
    if (text.charCodeAt(end - 1) === NEWLINE) this.#startLine()
  }

  /** A single backtick: two or three in a row close nothing. */
  #nextLoneTick(start: number): number {
    for (let found = this.#search('`', start); found !== -1; ) {
      let end = found + 1
      while (this.#text.charCodeAt(end) === TICK) end += 1
      if (end === found + 1) return found
      this.#steps += end - found
      found = this.#search('`', end)
    }
    return -1
  }

  /** At `(`: a mention, an emoji, a span in parentheses, or text. */
  #readParen(): void {
    const second = this.#text[this.#at + 1]
    if (second === 'm' || second === 'r' || second === 'c') return this.#readMention()
    if (second === 'e') return this.#readEmoji()
    if (second === 'i' || second === 's') {
      const marker = second === 'i' ? '(ins)' : '(spl)'
      if (this.#text.startsWith(marker, this.#at)) {
        this.#flush(this.#at, this.#at + 5)
        return this.#tree.toggle(marker)
      }
    }
    if (second === 'f' && this.#options.font && this.#text.startsWith('(font)', this.#at))
      return this.#readFont()
    this.#at += 1
  }

  #readMention(): void {
    LEAF.lastIndex = this.#at
    const found = LEAF.exec(this.#text)
    if (!found || (found[1] !== 'met' && !/^\d/.test(found[2]!))) {
      this.#at += 1
      return
    }
    const start = this.#at
    this.#flush(start, start + found[0].length)
    this.#addLeaf({ type: 'tag', tagName: found[1] as LeafName, value: found[2]! }, start, this.#at)
  }

  #readEmoji(): void {
    EMOJI.lastIndex = this.#at
    const found = EMOJI.exec(this.#text)
    this.#steps += 36
    if (!found) {
      this.#at += 1
      return
    }
    const start = this.#at
    this.#flush(start, start + found[0].length)
    this.#addLeaf({ type: 'tag', tagName: 'emj', name: found[1]!, id: found[2]! }, start, this.#at)
  }

  /** At `(font)`: opens coloured text, or closes it when a theme follows. */
  #readFont(): void {
    const tree = this.#tree
    const depth = tree.openAt('(font)')
    this.#flush(this.#at, this.#at + 6)
    if (depth === -1) {
      if (tree.canOpen) tree.open('(font)')
      else tree.addText('(font)')
      return
    }
    THEME.lastIndex = this.#at
    const found = THEME.exec(this.#text)
    const isTheme = found !== null && (fontThemes as readonly string[]).includes(found[1]!)
    if (!isTheme || tree.isEmpty(depth)) {
      tree.dissolve(depth)
      return tree.addText('(font)')
    }
    tree.closeFont(depth, found[1]!, found[2] ?? '')
    this.#from = this.#at += found[0].length
  }

  /** At a run of `*` or `~`: opens and closes emphasis, or is text. */
  #readRun(code: number): void {
    const tree = this.#tree
    const run = this.#runLength(code)
    const marker = code === TILDE ? '~~' : '**'
    const isText = code === TILDE ? run !== 2 && run !== 4 : run > 4
    // Four in a row close one and open the next, when there is one to close.
    if (isText || (run === 4 && tree.openAt(marker) === -1)) {
      this.#at += run
      return
    }
    this.#flush(this.#at, this.#at + run)
    if (run === 4) {
      tree.toggle(marker)
      tree.toggle(marker)
    } else if (run === 2) tree.toggle(marker)
    else if (run === 1) tree.toggle('*')
    else {
      // The inner of the two closes first, whichever was opened last.
      const [first, second] =
        tree.openAt('*') > tree.openAt('**') ? (['*', '**'] as const) : (['**', '*'] as const)
      tree.toggle(first)
      tree.toggle(second)
    }
  }

  /** At `]`: a link when an address follows, else the bracket it closes is text. */
  #readBracketEnd(): void {
    const text = this.#text
    const at = this.#at
    const depth = this.#tree.openAt('[')
    if (depth === -1) {
      this.#at += 1
      return
    }
    const end = text.charCodeAt(at + 1) === PAREN ? targetEnd(text, at + 2) : at + 2
    this.#steps += end - at
    const isClosed = text.charCodeAt(end) === PAREN_END && end > at + 2
    const href = withOrigin(isClosed ? text.slice(at + 2, end) : '', this.#options.origin)
    const isWeb = isWebAddress(href)
    if (!isWeb && !hasScheme(href)) {
      this.#flush(at, at)
      this.#tree.dissolve(depth)
      this.#at += 1
      return
    }
    if (at === this.#from && this.#tree.isEmpty(depth)) {
      this.#tree.dissolve(depth)
      this.#at = end + 1
      return
    }
    this.#flush(at, end + 1)
    this.#tree.closeLink(depth, isWeb ? href : null)
  }

  /** At `h`: a bare address. */
  #readAddress(): void {
    const start = this.#at
    const { end, next, steps } = bareAddress(this.#text, start)
    this.#steps += steps
    if (end === start) {
      this.#at = next
      return
    }
    const href = this.#text.slice(start, end)
    this.#flush(start, end)
    const node = this.#tree.addAddress(href)
    this.#options.onLeaf?.(node, start, end)
  }

  #readShortcode(): void {
    const { shortcode } = this.#options
    if (!shortcode) {
      this.#at += 1
      return
    }
    SHORTCODE.lastIndex = this.#at
    const found = SHORTCODE.exec(this.#text)
    this.#steps += 48
    const character = found && shortcode(found[1]!, this.#at)
    if (!found || character === null) {
      this.#at += 1
      return
    }
    this.#flush(this.#at, this.#at + found[0].length)
    this.#tree.addText(character)
  }
}

/** Whether a remembered index is before `start` and has to be searched again. */
const isStale = (known: number, start: number): boolean => known !== -1 && known < start
