/** Where in the words one is: what is marked, or twice the same place. UTF-16 units. */
export type Caret = readonly [from: number, to: number]

export interface Typed {
  readonly words: string
  readonly caret: Caret
}

/** Words with something put in place of what is marked. */
export function withInserted({ words, caret: [from, to] }: Typed, what: string): Typed {
  const at = from + what.length
  return { words: words.slice(0, from) + what + words.slice(to), caret: [at, at] }
}

/** What a picker put there goes as one thing. */
const TOKEN = /\(emj\)[^()\n]{1,36}\(emj\)\[[\w/]{1,40}\]$/

/** Words without what is marked, or without the last letter before the caret; an emoji is one letter. */
export function withoutLast({ words, caret: [from, to] }: Typed): Typed {
  if (from !== to) return withInserted({ words, caret: [from, to] }, '')
  const before = words.slice(0, from)
  const last = TOKEN.exec(before)?.[0] ?? lastLetter(before)
  return withInserted({ words, caret: [from - last.length, from] }, '')
}

/** The longest letters, families with their skin tones, are shorter. */
const LETTER_MAX = 40

function lastLetter(words: string): string {
  const end = words.slice(-LETTER_MAX)
  // Older in-app browsers do not know what people call a letter.
  if (!('Segmenter' in Intl)) return [...end].at(-1) ?? ''
  return [...new Intl.Segmenter().segment(end)].at(-1)?.segment ?? ''
}
