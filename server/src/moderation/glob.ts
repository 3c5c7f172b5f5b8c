/**
 * Patterns in which `*` is anything and `?` one character, looked for anywhere in a line. No regular
 * expressions: whatever the pattern, the work is at most its length times that of the line.
 */

/** A pattern, folded as texts are: what has to follow one another. Null in a part: any one character. */
export type Glob = readonly (readonly (number | null)[])[]

const STAR = 0x2a
const QUESTION = 0x3f

export const globOf = (codes: readonly number[]): Glob => {
  const parts: (number | null)[][] = [[]]
  for (const code of codes) {
    if (code === STAR) parts.push([])
    else parts.at(-1)!.push(code === QUESTION ? null : code)
  }
  return parts.filter((part) => part.length > 0)
}

/** The leftmost place of each part after the one before it is always good enough. */
export function isIn(glob: Glob, line: readonly number[]): boolean {
  let from = 0
  for (const part of glob) {
    const at = indexOf(part, line, from)
    if (at === -1) return false
    from = at + part.length
  }
  return true
}

function indexOf(part: readonly (number | null)[], line: readonly number[], from: number): number {
  for (let at = from; at + part.length <= line.length; at += 1)
    if (part.every((code, index) => code === null || code === line[at + index])) return at
  return -1
}
