/** Skin tones, lightest first. */
export const TONES = [1, 2, 3, 4, 5] as const
export type Tone = (typeof TONES)[number]

/**
 * An emoji in a skin tone. The rule holds for nearly all emoji with tones; the catalogue leaves out the
 * others.
 */
export function toned(characters: string, tone: Tone): string {
  const [first = '', ...rest] = [...characters]
  if (rest[0] === '\ufe0f') rest.shift()
  return [first, String.fromCodePoint(0x1f3fa + tone), ...rest].join('')
}
