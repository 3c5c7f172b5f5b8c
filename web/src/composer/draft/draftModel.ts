/**
 * Draft model: a text with picked tokens that it shows as names. `@小满` is shown and `(met)7(met)` is sent;
 * `:加油:` is shown and `(emj)加油(emj)[10/x]` is sent. A pick whose text is edited becomes plain text, so nobody
 * is mentioned who was not picked. Decisions 23 and 28.
 */
import { type KmNode, normalized, parse } from '@guildhall/wire/kmarkdown/kmarkdown.ts'
import type { EmojiNode, LeafNode } from '@guildhall/wire/kmarkdown/node.ts'

/** A range of the text, UTF-16 units, that stands for a token. */
export interface DraftToken {
  readonly start: number
  readonly end: number
  /** The token that is sent. protocol.md §6.1. */
  readonly token: string
  /** Of a person: their name in messages, without the sign. */
  readonly name?: string
}

/** `picks` are in the order of the text and never overlap. */
export interface Draft {
  readonly text: string
  readonly picks: readonly DraftToken[]
}

/** A search for something to pick: the text between the sign and the caret. */
export interface Trigger {
  readonly sign: '@' | '#' | ':'
  /** The index of the sign. */
  readonly start: number
  readonly search: string
}

const shared = (a: string, b: string): number => {
  const most = Math.min(a.length, b.length)
  let length = 0
  while (length < most && a[length] === b[length]) length += 1
  return length
}
const reversed = (text: string): string => text.split('').reverse().join('')

/**
 * The range of `before` that an edit replaced. An edit ends at the caret, which distinguishes equal names
 * next to each other apart; if the caret does not fit, the range covers everything the edit may have touched.
 */
function touched(before: string, after: string, caret: number | null): { from: number; to: number } {
  if (caret !== null) {
    const to = before.length - (after.length - caret)
    if (to >= 0 && before.slice(to) === after.slice(caret))
      return { from: shared(before.slice(0, to), after.slice(0, caret)), to }
  }
  const least = Math.min(before.length, after.length)
  const head = shared(before, after)
  const tail = shared(reversed(before), reversed(after))
  if (head + tail <= least) return { from: head, to: before.length - tail }
  return { from: least - tail, to: before.length - least + head }
}

/** Custom emoji are deleted as a whole: half of a name means nothing. */
export const isEmojiPick = ({ token }: DraftToken): boolean => token.startsWith('(emj)')

/** A draft and its caret, or what is chosen, from `from` up to the caret. */
export interface DraftWithCaret {
  readonly written: Draft
  readonly from?: number
  readonly caret: number
}

/** The draft with `what` in place of the range; picks outside of the range and those of `what` remain. */
export function withFragment({ text, picks }: Draft, from: number, to: number, what: Draft): DraftWithCaret {
  const by = from + what.text.length - to
  const moved = (pick: DraftToken, way: number) => ({
    ...pick,
    start: pick.start + way,
    end: pick.end + way,
  })
  return {
    written: {
      text: text.slice(0, from) + what.text + text.slice(to),
      picks: [
        ...picks.filter((it) => it.end <= from),
        ...what.picks.map((it) => moved(it, from)),
        ...picks.filter((it) => it.start >= to).map((it) => moved(it, by)),
      ],
    },
    caret: from + what.text.length,
  }
}

/** The range as a draft of its own. */
export const fragmentOf = ({ text, picks }: Draft, from: number, to: number): Draft => ({
  text: text.slice(from, to),
  picks: picks.flatMap((it) =>
    it.start >= from && it.end <= to ? { ...it, start: it.start - from, end: it.end - from } : [],
  ),
})

const NOTHING: Draft = { text: '', picks: [] }

/** The draft without the range; a custom emoji that it touches is removed as a whole. */
export function withoutRange(before: Draft, from: number, to: number): DraftWithCaret {
  const cut = before.picks.filter((it) => isEmojiPick(it) && it.start < to && from < it.end)
  const first = Math.min(from, ...cut.map(({ start }) => start))
  const last = Math.max(to, ...cut.map(({ end }) => end))
  return withFragment(before, first, last, NOTHING)
}

/**
 * The draft after an edit in the field with the caret at `caret`, and its new caret, as more may be removed.
 */
export function withEditAtCaret(before: Draft, text: string, caret: number | null): DraftWithCaret {
  if (text === before.text) return { written: before, caret: caret ?? text.length }
  const { from, to } = touched(before.text, text, caret)
  const by = text.length - before.text.length
  if (to - from === -by) return withoutRange(before, from, to)
  const picks = before.picks.flatMap((it) => {
    if (it.end <= from) return it
    return it.start >= to ? { ...it, start: it.start + by, end: it.end + by } : []
  })
  return { written: { text, picks }, caret: caret ?? text.length }
}

/** The draft after an edit in the field with the caret at `caret`; untouched picks remain. */
export const withEdit = (before: Draft, text: string, caret: number | null): Draft =>
  withEditAtCaret(before, text, caret).written

/** The draft with a picked name and a space in place of the search, and its caret. */
export function withPick(
  before: Draft,
  range: { readonly start: number; readonly end: number },
  option: { readonly label: string; readonly token: string; readonly name?: string },
): DraftWithCaret {
  const { text } = before
  const space = /^\s/.test(text.slice(range.end)) ? '' : ' '
  const end = option.label.length
  const pick = { start: 0, end, token: option.token, ...(option.name !== undefined && { name: option.name }) }
  const what = { text: option.label + space, picks: [pick] }
  const { written } = withFragment(before, range.start, range.end, what)
  return { written, caret: range.start + end + 1 }
}

/** Tokens of emoji by the typed name, for names that are unambiguous. */
export type EmojiIdsByName = ReadonlyMap<string, string>

const NOBODY: EmojiIdsByName = new Map()
const BY_HAND = /:([\p{L}\p{M}\p{N}_-]{2,32}):/uy

/** The picks, and the typed emoji names as further picks. */
function byHand({ text, picks }: Draft, named: EmojiIdsByName): DraftToken[] {
  const found: DraftToken[] = []
  for (let at = text.indexOf(':'); at !== -1; at = text.indexOf(':', at)) {
    BY_HAND.lastIndex = at
    const name = BY_HAND.exec(text)?.[1] ?? ''
    const token = named.get(name.normalize('NFC'))
    const end = at + name.length + 2
    if (token !== undefined && !picks.some((it) => it.start < end && at < it.end)) {
      found.push({ start: at, end, token })
      at = end
    } else at += 1
  }
  // Names inside addresses and code do not count.
  const taken = found.length === 0 ? [] : leavesOf(text)
  return found.filter((it) => !taken.some(({ from, to }) => it.start < to && from < it.end))
}

/**
 * Encodes a draft as KMarkdown: picks and the typed names of `named` become tokens. Where a token would not
 * be parsed (in code, in an address) the shown name is sent.
 */
export function encodeDraft(written: Draft, named: EmojiIdsByName = NOBODY): string {
  const { text } = written
  const typed = named.size === 0 ? [] : byHand(written, named)
  let picks: readonly DraftToken[] = [...written.picks, ...typed].sort((a, b) => a.start - b.start)
  while (picks.length > 0) {
    let content = ''
    let at = 0
    const starts = picks.map(({ start, end, token }) => {
      content += normalized(text.slice(at, start))
      at = end
      content += token
      return content.length - token.length
    })
    content += normalized(text.slice(at))
    const read = new Map(leavesOf(content).map(({ node, from, to }) => [from, isToken(node) ? to : 0]))
    const standing = picks.filter(({ token }, index) => {
      const start = starts[index] ?? 0
      return read.get(start) === start + token.length
    })
    if (standing.length === picks.length) return content
    // A name that was put back may contain a backtick and turn what follows into code.
    picks = standing
  }
  return normalized(text)
}

interface Leaf {
  readonly node: KmNode
  readonly from: number
  readonly to: number
}

/** The mentions, emoji, bare addresses and code ranges of a normalized text. */
export function leavesOf(content: string): Leaf[] {
  const found: Leaf[] = []
  parse(content, { onLeaf: (node, from, to) => void found.push({ node, from, to }) })
  return found
}

/** The node that a token is parsed as. */
export type TokenNode = EmojiNode | (LeafNode & { readonly tagName: 'met' | 'rol' | 'chn' })
export const isToken = (node: KmNode): node is TokenNode =>
  node.type === 'tag' && ['met', 'rol', 'chn', 'emj'].includes(node.tagName)
const isCode = (node: KmNode): boolean =>
  node.type === 'tag' && (node.tagName === 'code' || node.tagName === 'codeblock')

/** The token of a person. */
export const ID = /^\(met\)(\d+)\(met\)$/

/** The mentioned people by id, with their names for the optimistic row. */
export const mentionedIn = ({ picks }: Draft): Record<string, string> =>
  Object.fromEntries(
    picks.flatMap(({ token, name }) => {
      const id = ID.exec(token)?.[1]
      return id === undefined || name === undefined ? [] : [[id, name]]
    }),
  )

/** Whether each pick still matches the text; drafts saved by another version may not. */
export const isValidDraft = ({ text, picks }: Draft): boolean =>
  picks.every(
    (it, index) =>
      it.start >= (picks[index - 1]?.end ?? 0) &&
      it.end <= text.length &&
      ['@', '#', ':'].includes(text[it.start] ?? ''),
  )

/** Appended to detect code that is still open at the end of the text. */
const MORE = '\n.\n```'

/** Whether the caret is in code: between backticks, or behind an unclosed backtick. */
export function isInCode(text: string, caret: number): boolean {
  if (!text.includes('`')) return false
  const before = text.slice(0, caret)
  const line = before.lastIndexOf('\n') + 1
  const has = (source: string, fits: (leaf: Leaf) => boolean) => leavesOf(source).some(fits)
  return (
    has(text, ({ node, from, to }) => isCode(node) && from < caret && caret < to) ||
    has(before + MORE, ({ node, to }) => isCode(node) && to === caret + MORE.length) ||
    // A backtick inside a word is an accent; one on an earlier line was abandoned.
    has(
      `${before}.\``,
      ({ node, from, to }) =>
        isCode(node) && to === caret + 2 && from >= line && !/\w/.test(before[from - 1] ?? ''),
    )
  )
}

/** Longer than any name: no search any more. */
const SEARCH_MAX = 40
const PERSON = /(?:^|[^\w.@#/-])@([^\s@]*)$/
const CHANNEL = /(?:^|[^\w&@#/-])#([^\s@#]*)$/
/** Two Latin letters, as `:D` is a face; a name of another script, where the colon ends no word of it. */
const EMOJI = /(?:^|[^\w:@#/.-]):([a-z+][\w+-]+)$|(?:^|[^\p{L}\p{N}:]):([^\0-\x7f][^\s:@#]*)$/iu

/**
 * The search at the caret; null: none. The sign begins a word: Chinese has no spaces, so that is behind any
 * character outside of the Latin alphabet. A picked name is not searched again.
 */
export function triggerAt({ text, picks }: Draft, caret: number): Trigger | null {
  const before = text.slice(Math.max(0, caret - SEARCH_MAX - 2), caret)
  for (const [sign, pattern] of [
    ['@', PERSON],
    ['#', CHANNEL],
    [':', EMOJI],
  ] as const) {
    const found = pattern.exec(before)
    const search = found?.[1] ?? found?.[2]
    if (search === undefined || search.length > SEARCH_MAX) continue
    // `@小满#闲` searches a channel after a name; `@小满#0007` searches a person.
    if (sign === '@' && /#(?!\d*$)/.test(search)) continue
    const start = caret - search.length - 1
    if (picks.some((it) => it.start < caret && start < it.end) || isInCode(text, caret)) return null
    return { sign, start, search }
  }
  return null
}
