/**
 * What was picked while writing, beside the text in which it reads as a name: `@小满` is typed, `(met)7(met)` is sent. A pick
 * that is edited is plain text again, so nobody is called on who was not picked. Decision 23.
 */

/** A place in the text, UTF-16 units, that stands for somebody or something. */
export interface Picked {
  readonly start: number
  readonly end: number
  /** What is sent for it. protocol.md §6.1. */
  readonly token: string
  /** Of a person: how messages call them, without the sign. */
  readonly name?: string
}

/** What is being written. `picks` are in the order of the text and never overlap. */
export interface Written {
  readonly words: string
  readonly picks: readonly Picked[]
}

/** What is about to be picked: what stands between the sign and the caret. */
export interface Trigger {
  readonly sign: '@' | '#'
  /** Where the sign stands. */
  readonly start: number
  readonly search: string
}

const shared = (a: string, b: string): number => {
  const most = Math.min(a.length, b.length)
  let length = 0
  while (length < most && a[length] === b[length]) length += 1
  return length
}
const reversed = (words: string): string => words.split('').reverse().join('')

/**
 * The part of `before` that an edit replaced. The caret stands where an edit ends, which tells two equal names beside each
 * other apart; where it does not fit, everything is taken that the edit may have touched.
 */
function touched(before: string, after: string, caret: number | null): { from: number; to: number } {
  if (caret !== null) {
    const to = before.length - (after.length - caret)
    if (to >= 0 && before.slice(to) === after.slice(caret))
      return { from: shared(before.slice(0, to), after.slice(0, caret)), to }
  }
  const least = Math.min(before.length, after.length)
  const head = shared(before, after)
  const tail = shared(reversed(before), reversed(after))
  if (head + tail <= least) return { from: head, to: before.length - tail }
  return { from: least - tail, to: before.length - least + head }
}

/** The text after an edit in the field, `caret` being where it stands then; the picks that were not touched remain. */
export function edited(before: Written, words: string, caret: number | null): Written {
  if (words === before.words) return before
  const { from, to } = touched(before.words, words, caret)
  const by = words.length - before.words.length
  const picks = before.picks.flatMap((it) => {
    if (it.end <= from) return it
    return it.start >= to ? { ...it, start: it.start + by, end: it.end + by } : []
  })
  return { words, picks }
}

/** The text with a name in the place of what was typed to find it, and a space behind; and where the caret goes. */
export function withPick(
  before: Written,
  place: { readonly start: number; readonly end: number },
  it: { readonly label: string; readonly token: string; readonly name?: string },
): { readonly written: Written; readonly caret: number } {
  const { words } = before
  const rest = words.slice(place.end)
  const space = /^\s/.test(rest) ? '' : ' '
  const end = place.start + it.label.length
  const made = words.slice(0, place.start) + it.label + space + rest
  const kept = edited(before, made, end + space.length).picks.filter(
    (each) => each.end <= place.start || each.start >= end,
  )
  const pick = { start: place.start, end, token: it.token, ...(it.name !== undefined && { name: it.name }) }
  const picks = [...kept, pick].sort((a, b) => a.start - b.start)
  return { written: { words: made, picks }, caret: end + 1 }
}

/** What is sent: the text with the picks as their tokens. */
export function encoded({ words, picks }: Written): string {
  let content = ''
  let at = 0
  for (const { start, end, token } of picks) {
    content += words.slice(at, start) + token
    at = end
  }
  return content + words.slice(at)
}

const TOKEN = /\((met|rol|chn)\)(\w+)\(\1\)/g
const ID = /^\(met\)(\d+)\(met\)$/

/** What is edited of a sent text: its tokens as names, by `labelOf`, as far as that knows them. `encoded` undoes it. */
export function decoded(
  content: string,
  labelOf: (tag: 'met' | 'rol' | 'chn', value: string) => string | null,
): Written {
  let words = ''
  let at = 0
  const picks: Picked[] = []
  for (const found of content.matchAll(TOKEN)) {
    const [token, tag, value = ''] = found
    const label = labelOf(tag as 'met' | 'rol' | 'chn', value)
    if (label === null) continue
    words += content.slice(at, found.index)
    const name = ID.test(token) ? { name: label.slice(1) } : {}
    picks.push({ start: words.length, end: words.length + label.length, token, ...name })
    words += label
    at = found.index + token.length
  }
  return { words: words + content.slice(at), picks }
}

/** The people a text calls on, by id, and how a row that is on its way calls them. */
export const calledIn = ({ picks }: Written): Record<string, string> =>
  Object.fromEntries(
    picks.flatMap(({ token, name }) => {
      const id = ID.exec(token)?.[1]
      return id === undefined || name === undefined ? [] : [[id, name]]
    }),
  )

/** A picked place is where its text says it is; what was kept by another version of the text is not. */
export const isSound = ({ words, picks }: Written): boolean =>
  picks.every(
    (it, index) =>
      it.start >= (picks[index - 1]?.end ?? 0) &&
      it.end <= words.length &&
      (words[it.start] === '@' || words[it.start] === '#'),
  )

/** Longer than any name: somebody is writing on. */
const SEARCH_MAX = 40
const PERSON = /(?:^|[^\w.@#/-])@([^\s@]*)$/
const CHANNEL = /(?:^|[^\w&@#/-])#([^\s@#]*)$/

/**
 * What is being typed to pick from, the sign standing where a word begins; null when nothing is. Chinese has no spaces, so a
 * word begins behind any character that is not of the Latin alphabet. A name that was picked is not searched again.
 */
export function triggerAt({ words, picks }: Written, caret: number): Trigger | null {
  const before = words.slice(Math.max(0, caret - SEARCH_MAX - 2), caret)
  for (const [sign, pattern] of [
    ['@', PERSON],
    ['#', CHANNEL],
  ] as const) {
    const search = pattern.exec(before)?.[1]
    if (search === undefined || search.length > SEARCH_MAX) continue
    // `@小满#闲` is a channel behind a name; `@小满#0007` is a person.
    if (sign === '@' && /#(?!\d*$)/.test(search)) continue
    const start = caret - search.length - 1
    if (picks.some((it) => it.start < caret && start < it.end)) return null
    return { sign, start, search }
  }
  return null
}
