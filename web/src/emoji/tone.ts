/** Skin tones, the lightest first. */
export const TONES = [1, 2, 3, 4, 5] as const
export type Tone = (typeof TONES)[number]

/** An emoji in one of the skin tones, by the rule that holds for nearly all that have them. */
export function toned(characters: string, tone: Tone): string {
  const [first = '', ...rest] = [...characters]
  if (rest[0] === '\ufe0f') rest.shift()
  return [first, String.fromCodePoint(0x1f3fa + tone), ...rest].join('')
}
