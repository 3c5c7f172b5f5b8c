import type { Emoji } from './message.ts'

const CODES = /^(?:\[#\d{1,7};\])+$/
const CUSTOM = /^\d{1,20}(?:\/[\w-]{1,32}){1,3}$/
const TOKEN = /^\(emj\)(.{1,32})\(emj\)\[([^\]]{1,60})\]$/u
const CODE_POINT_MAX = 0x10ffff

/** `📢` → `[#128226;]`. protocol.md §1.7. */
export const emojiId = (characters: string): string =>
  [...characters].map((character) => `[#${character.codePointAt(0)};]`).join('')

/** The characters of an emoji's id; null for a custom emoji, which is a picture. */
export function emojiCharacters(id: string): string | null {
  if (!CODES.test(id)) return null
  const codes = [...id.matchAll(/\d+/g)].map(Number)
  return codes.every((code) => code <= CODE_POINT_MAX) ? String.fromCodePoint(...codes) : null
}

/**
 * Parses an emoji as callers write it; null when it is none. `isEmoji` recognizes Unicode emoji. One with or
 * without the variation selector for colour (U+FE0F) is the same. protocol.md §4.7.
 */
export function readEmoji(text: string, isEmoji: (characters: string) => boolean): Emoji | null {
  const token = TOKEN.exec(text)
  const id = token?.[2] ?? text
  if (CUSTOM.test(id)) return id.length <= 40 ? { id, name: token?.[1] ?? '' } : null
  const characters = emojiCharacters(id) ?? id
  const first = [...characters][0] ?? ''
  const whole = [
    characters,
    `${first}\ufe0f${characters.slice(first.length)}`,
    characters.replace(/\ufe0f$/, ''),
  ]
  const name = whole.find(isEmoji)
  return name === undefined ? null : { id: emojiId(name), name }
}
