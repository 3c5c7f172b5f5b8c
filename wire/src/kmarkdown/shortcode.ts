import { normalized, parse } from './parse.ts'

/**
 * The source with every `:name:` that `find` knows replaced by its character. Code, addresses and escaped
 * text stay as they are. protocol.md §6.1 "unicode emoji", §6.4.
 */
export function withShortcodes(source: string, find: (name: string) => string | null): string {
  if (!/:[a-z\d_+-]/.test(source)) return source
  const text = normalized(source)
  let written = ''
  let from = 0
  parse(text, {
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
