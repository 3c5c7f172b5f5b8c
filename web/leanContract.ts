import type { Plugin } from 'vite'

const FAILS = /\bfails: /g

/**
 * Leaves out of the built page which failures a call of the contract can answer with: documentation, the contract's lock and the
 * server's tests read it, the page does not. It is some kilobytes on the way to the first screen.
 */
export function leanContract(): Plugin {
  return {
    name: 'lean-contract',
    apply: 'build',
    enforce: 'pre',
    transform(code, id) {
      return /[\\/]wire[\\/]src[\\/]/.test(id) && code.includes('fails: ')
        ? { code: withoutFailures(code), map: null }
        : null
    },
  }
}

/** The source with `fails: []` in place of every list of failures; a name in place of a list stays. */
export function withoutFailures(code: string): string {
  let rest = code
  let done = ''
  for (let match = FAILS.exec(rest); match; match = FAILS.exec(rest)) {
    const begin = match.index + match[0].length
    const end = rest[begin] === '[' ? endOfList(rest, begin) : begin
    done += rest.slice(0, begin) + (end > begin ? '[]' : '')
    rest = rest.slice(end)
    FAILS.lastIndex = 0
  }
  return done + rest
}

/** After the bracket that closes the one at `begin`. */
function endOfList(code: string, begin: number): number {
  let depth = 0
  for (let at = begin; at < code.length; at += 1) {
    if (code[at] === '[') depth += 1
    if (code[at] === ']') depth -= 1
    if (depth === 0) return at + 1
  }
  return begin
}
