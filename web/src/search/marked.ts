/** The part of a text around the first words that were found. Pure. */
import type { Mark } from '@guildhall/wire/search/search.ts'

/** A piece of the text; `isFound`: it is what was searched for. */
export interface Piece {
  readonly text: string
  readonly isFound: boolean
}

/** What stands before the first mark, and what is shown in all, UTF-16 units. */
const BEFORE = 24
const MOST = 200

/** Cut where it is long, with an ellipsis; spaces and line ends are one space. */
export function piecesOf(words: string, marks: readonly Mark[]): Piece[] {
  const first = marks[0]?.from ?? 0
  const start = first > BEFORE ? onCharacter(words, first - BEFORE) : 0
  const end = words.length > start + MOST ? onCharacter(words, start + MOST) : words.length
  const pieces: Piece[] = []
  const add = (from: number, to: number, isFound: boolean) => {
    const text = words.slice(from, to).replace(/\s+/g, ' ')
    if (text !== '') pieces.push({ text, isFound })
  }
  let at = start
  for (const { from, to } of marks) {
    if (from >= end) break
    add(at, from, false)
    add(from, Math.min(to, end), true)
    at = Math.min(to, end)
  }
  add(at, end, false)
  const whole = [...pieces]
  if (start > 0) whole.unshift({ text: '…', isFound: false })
  if (end < words.length) whole.push({ text: '…', isFound: false })
  return whole
}

/** Not within a character of two units. */
const onCharacter = (words: string, at: number): number =>
  /[\udc00-\udfff]/.test(words[at] ?? '') ? at - 1 : at
