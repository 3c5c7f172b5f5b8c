/** A text whose found parts are drawn otherwise. Pure. */
import type { Mark } from '@guildhall/wire/search/search.ts'
import { withoutOverrides } from '@guildhall/wire/visible.ts'

export interface Piece {
  /** Where it begins in the text. */
  readonly from: number
  readonly text: string
  readonly isFound: boolean
}

/** The text from one place to another in pieces, those that were found apart. */
export function piecesOf(text: string, marks: readonly Mark[], from = 0, to = text.length): Piece[] {
  const pieces: Piece[] = []
  let at = from
  const add = (end: number, isFound: boolean) => {
    const piece = withoutOverrides(text.slice(at, end))
    if (piece !== '') pieces.push({ from: at, text: piece, isFound })
    at = Math.max(at, end)
  }
  for (const mark of marks) {
    if (mark.from >= to) break
    add(mark.from, false)
    add(Math.min(mark.to, to), true)
  }
  add(to, false)
  return pieces
}
