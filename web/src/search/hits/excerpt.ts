/** The words of a message around what was found in it. Pure. */
import { type KmNode, type Names, parse, plain } from '@guildhall/wire/kmarkdown/kmarkdown.ts'
import type { Mark } from '@guildhall/wire/search/search.ts'
import { withoutOverrides } from '@guildhall/wire/visible.ts'

export interface Piece {
  readonly text: string
  readonly isFound: boolean
}

/** Characters before the first mark, and in all, UTF-16 units. */
const BEFORE = 24
const LENGTH = 160

/** The text in pieces, those that were found apart, from shortly before the first of them. */
export function excerptOf(raw: string, marks: readonly Mark[]): Piece[] {
  const first = marks[0]?.from ?? 0
  const from = first > BEFORE * 2 ? wholeAt(raw, first - BEFORE) : 0
  const to = wholeAt(raw, Math.min(raw.length, Math.max(from + LENGTH, (marks[0]?.to ?? 0) + BEFORE)))
  const pieces: Piece[] = []
  let at = from
  const add = (end: number, isFound: boolean) => {
    const text = withoutOverrides(raw.slice(at, end)).replace(/\s+/g, ' ')
    if (text !== '') pieces.push({ text, isFound })
    at = end
  }
  for (const mark of marks) {
    if (mark.from >= to) break
    add(mark.from, false)
    add(Math.min(mark.to, to), true)
  }
  add(to, false)
  if (from > 0) pieces.unshift({ text: '…', isFound: false })
  if (to < raw.length) pieces.push({ text: '…', isFound: false })
  return pieces
}

/** The same place, or the one before it where a character of two units stands there. */
const wholeAt = (text: string, at: number): number =>
  /[\udc00-\udfff]/.test(text.charAt(at)) && at > 0 ? at - 1 : at

/**
 * The text of a message as `raw_content` has it, with blocks of the same length for what is hidden in it, so
 * that the marks fit.
 */
export function shownText(message: { readonly content: string }, raw: string, names: Names): string {
  if (!message.content.includes('(spl)')) return raw
  const hide = (node: KmNode): KmNode => {
    if (node.type === 'text' || !('children' in node)) return node
    if (node.tagName === 'spl') return { type: 'text', content: plain([node], names).replace(/\S/g, '▇') }
    return { ...node, children: node.children.map(hide) }
  }
  return plain(parse(message.content, { origin: location.origin }).map(hide), names)
}
