/** The formats that KMarkdown knows, put around what is chosen of a draft, and taken away again. Pure. */
import { type Draft, type DraftWithCaret, withFragment } from '../draft/draftModel.ts'
import type { Caret } from '../editing.ts'

/** In the order of the bar. */
export const MARKS = ['bold', 'italic', 'strike', 'spoiler', 'link', 'quote', 'code'] as const
export type Mark = (typeof MARKS)[number]

/** The keys of the formats, each with the key of commands. */
export const MARK_KEYS: readonly {
  readonly mark: Mark
  readonly key: string
  readonly withShift: boolean
}[] = [
  { mark: 'bold', key: 'b', withShift: false },
  { mark: 'italic', key: 'i', withShift: false },
  { mark: 'strike', key: 'x', withShift: true },
  { mark: 'spoiler', key: 's', withShift: true },
  { mark: 'link', key: 'u', withShift: true },
  { mark: 'quote', key: '9', withShift: true },
  { mark: 'code', key: 'e', withShift: false },
]

/** What stands on both sides of the text. */
const AROUND = { bold: '**', italic: '*', strike: '~~', spoiler: '(spl)', code: '`' } as const

const FENCE = '```'
const QUOTE = '> '
/** Where the address of a new link is to be written. */
const ADDRESS = 'https://'

/** The draft with the format around the selection, or without it where it was; what is chosen then. */
export function marked(written: Draft, chosen: Caret, mark: Mark): DraftWithCaret {
  if (mark === 'quote') return quoted(written, chosen)
  const [from, to] = withoutEdges(written, chosen)
  const inside = written.text.slice(from, to)
  if (mark === 'link') return linked(written, from, to)
  if (mark === 'code' && /[\n`]/.test(inside)) return fenced(written, from, to)
  const sign = AROUND[mark]
  if (isAround(written.text, from, to, sign)) {
    const less = replaced(replaced(written, to, to + sign.length, ''), from - sign.length, from, '')
    return selected(less, from - sign.length, to - sign.length)
  }
  if (inside.length >= 2 * sign.length && isAround(inside, sign.length, inside.length - sign.length, sign)) {
    const less = replaced(replaced(written, to - sign.length, to, ''), from, from + sign.length, '')
    return selected(less, from, to - 2 * sign.length)
  }
  const more = replaced(replaced(written, to, to, sign), from, from, sign)
  return selected(more, from + sign.length, to + sign.length)
}

const replaced = (written: Draft, from: number, to: number, text: string): Draft =>
  withFragment(written, from, to, { text, picks: [] }).written

const selected = (written: Draft, from: number, caret: number): DraftWithCaret => ({ written, from, caret })

/** The selection without the spaces at its ends, and with the whole of each picked name that it touches. */
function withoutEdges({ text, picks }: Draft, [start, end]: Caret): Caret {
  const inside = text.slice(start, end)
  const blank = inside.length - inside.trimStart().length
  if (blank === inside.length) return [start, end]
  const from = start + blank
  const to = start + inside.trimEnd().length
  const touched = picks.filter((it) => it.start < to && from < it.end)
  return [Math.min(from, ...touched.map((it) => it.start)), Math.max(to, ...touched.map((it) => it.end))]
}

/** Whether the range stands between two signs. Of `***` one star is italic and two are bold. */
function isAround(text: string, from: number, to: number, sign: string): boolean {
  if (!sign.startsWith('*')) return text.slice(0, from).endsWith(sign) && text.startsWith(sign, to)
  const before = /\**$/.exec(text.slice(0, from))?.[0].length ?? 0
  const behind = /^\**/.exec(text.slice(to))?.[0].length ?? 0
  const stars = Math.min(before, behind)
  return sign === '*' ? stars % 2 === 1 : stars >= 2
}

/** `[what is chosen](where)`: whichever of the two is missing is chosen then. */
function linked(written: Draft, from: number, to: number): DraftWithCaret {
  const inside = written.text.slice(from, to)
  const isAddress = /^https?:\/\/\S+$/.test(inside)
  const target = isAddress ? inside : ADDRESS
  const label = isAddress ? '' : inside
  // Only the signs are new: names that were picked stay picked.
  const more = isAddress
    ? replaced(replaced(written, to, to, ')'), from, from, '[](')
    : replaced(replaced(written, to, to, `](${target})`), from, from, '[')
  const at = from + 1
  if (label === '') return selected(more, at, at)
  return selected(more, at + label.length + 2, at + label.length + 2 + target.length)
}

/** Several lines of code, or code with backticks. */
function fenced(written: Draft, from: number, to: number): DraftWithCaret {
  const { text } = written
  const open = `${from > 0 && text[from - 1] !== '\n' ? '\n' : ''}${FENCE}\n`
  const close = `\n${FENCE}${to < text.length && text[to] !== '\n' ? '\n' : ''}`
  const more = replaced(replaced(written, to, to, close), from, from, open)
  return selected(more, from + open.length, to + open.length)
}

/** Every line that is touched begins with the sign of quotes, or none does any more. */
function quoted(written: Draft, [from, to]: Caret): DraftWithCaret {
  const { text } = written
  const start = text.lastIndexOf('\n', from - 1) + 1
  const found = text.indexOf('\n', to)
  const end = found === -1 ? text.length : found
  const starts = [...text.slice(start, end).matchAll(/^/gm)].map(({ index }) => start + index)
  const isQuote = starts.every((at) => text.startsWith(QUOTE, at))
  // From the last line on, so that the positions before stay true.
  const lines = starts.reverse()
  if (isQuote) {
    const less = lines.reduce((draft, at) => replaced(draft, at, at + QUOTE.length, ''), written)
    const caret = end - lines.length * QUOTE.length
    return selected(less, from === to ? caret : start, caret)
  }
  // A quote goes on up to an empty line.
  const isFollowed = end + 1 < text.length && text[end + 1] !== '\n'
  const ended = isFollowed ? replaced(written, end, end, '\n') : written
  const more = lines.reduce((draft, at) => replaced(draft, at, at, QUOTE), ended)
  const caret = end + lines.length * QUOTE.length
  return selected(more, from === to ? caret : start, caret)
}
