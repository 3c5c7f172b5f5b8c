/** The words of a message around what was found in it. Pure. */
import { type KmNode, type Names, parse, plain } from '@guildhall/wire/kmarkdown/kmarkdown.ts'
import type { Mark } from '@guildhall/wire/search/search.ts'
import { type Piece, piecesOf } from '../../kit/find/pieces.ts'

/** Characters before the first mark, and in all, UTF-16 units. */
const BEFORE = 24
const LENGTH = 160

/** The text in pieces, those that were found apart, from shortly before the first of them. */
export function excerptOf(raw: string, marks: readonly Mark[]): Piece[] {
  const first = marks[0]?.from ?? 0
  const from = first > BEFORE * 2 ? wholeAt(raw, first - BEFORE) : 0
  const to = wholeAt(raw, Math.min(raw.length, Math.max(from + LENGTH, (marks[0]?.to ?? 0) + BEFORE)))
  const pieces = piecesOf(raw, marks, from, to).map((it) => ({ ...it, text: it.text.replace(/\s+/g, ' ') }))
  if (from > 0) pieces.unshift({ from: -1, text: '…', isFound: false })
  if (to < raw.length) pieces.push({ from: to, text: '…', isFound: false })
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
