/** What is typed into a search: words, phrases and operators, in both languages. */
import { type DateRange, dateRangeOf } from './date.ts'

/** What a message may have. `has:picture` is an `image` on the wire. */
export const HAVING = ['image', 'video', 'file', 'voice', 'link', 'card', 'reaction', 'pin'] as const
export type Having = (typeof HAVING)[number]
export const BEING = ['pinned', 'edited'] as const
export type Being = (typeof BEING)[number]

/** Words that must be there. A phrase is what stood in quotes: as it is, with whole words. */
export interface Words {
  readonly text: string
  readonly isPhrase: boolean
}

/**
 * A query as it was understood. `from`, `in` and `mentions` are names or ids, which nobody has looked up yet;
 * `since` and `until`: ms, half-open.
 */
export interface SearchQuery {
  readonly words: readonly Words[]
  readonly from: readonly string[]
  readonly in: readonly string[]
  readonly mentions: readonly string[]
  readonly has: readonly Having[]
  readonly is: readonly Being[]
  readonly since: number
  readonly until: number
}

export type Operator = 'from' | 'in' | 'mentions' | 'has' | 'is' | 'before' | 'after' | 'on'

/** By their labels, which are written before a colon. */
const OPERATORS: ReadonlyMap<string, Operator> = new Map([
  ['from', 'from'],
  ['来自', 'from'],
  ['in', 'in'],
  ['频道', 'in'],
  ['mentions', 'mentions'],
  ['提及', 'mentions'],
  ['has', 'has'],
  ['包含', 'has'],
  ['is', 'is'],
  ['状态', 'is'],
  ['before', 'before'],
  ['之前', 'before'],
  ['after', 'after'],
  ['之后', 'after'],
  ['on', 'on'],
  ['当天', 'on'],
])

const HAS_NAMES: ReadonlyMap<string, Having> = new Map([
  ...HAVING.map((it) => [it, it] as const),
  ['picture', 'image'],
  ['图片', 'image'],
  ['视频', 'video'],
  ['文件', 'file'],
  ['语音', 'voice'],
  ['链接', 'link'],
  ['卡片', 'card'],
  ['回应', 'reaction'],
  ['置顶', 'pin'],
])

const IS_NAMES: ReadonlyMap<string, Being> = new Map([
  ...BEING.map((it) => [it, it] as const),
  ['置顶', 'pinned'],
  ['编辑', 'edited'],
  ['已编辑', 'edited'],
])

/** The operator of a label, which is written before a colon; undefined: it is none. */
export const operatorOf = (label: string): Operator | undefined => OPERATORS.get(label.toLowerCase())

/** An operator with its value, something in quotes, or anything else up to a space. */
const PART =
  /(?<label>[a-z]+|[\u4e00-\u9fff]{2})[:：](?:"(?<quoted>[^"]*)"|“(?<curly>[^”]*)”|(?<value>[^\s"“”]\S*))|"(?<phrase>[^"]*)"|“(?<curlyPhrase>[^”]*)”|(?<word>\S+)/giu

interface Building {
  words: Words[]
  from: string[]
  in: string[]
  mentions: string[]
  has: Having[]
  is: Being[]
  since: number
  until: number
}

/**
 * Reads a query. What is no operator, or one without a value that it knows, is words. `now`: ms, for days
 * such as yesterday; days are Beijing's.
 */
export function readQuery(typed: string, now: number): SearchQuery {
  const query: Building = {
    words: [],
    from: [],
    in: [],
    mentions: [],
    has: [],
    is: [],
    since: 0,
    until: Number.MAX_SAFE_INTEGER,
  }
  for (const match of typed.matchAll(PART)) {
    const { label, quoted, curly, value, phrase, curlyPhrase, word } = match.groups!
    const given = quoted ?? curly ?? value
    if (label !== undefined && given !== undefined) {
      const operator = operatorOf(label)
      if (operator && given.trim() !== '' && narrow(query, operator, given.trim(), now)) continue
      query.words.push({ text: match[0], isPhrase: false })
      continue
    }
    const exact = phrase ?? curlyPhrase
    const text = exact ?? word ?? ''
    if (text.trim() !== '') query.words.push({ text: text.trim(), isPhrase: exact !== undefined })
  }
  return query
}

/** False for a value that the operator does not know. */
function narrow(query: Building, operator: Operator, value: string, now: number): boolean {
  switch (operator) {
    case 'from':
    case 'in':
    case 'mentions':
      query[operator].push(value)
      return true
    case 'has':
      return added(query.has, HAS_NAMES.get(value.toLowerCase()))
    case 'is':
      return added(query.is, IS_NAMES.get(value.toLowerCase()))
    default: {
      const range = dateRangeOf(value, now)
      if (range) narrowTime(query, operator, range)
      return range !== null
    }
  }
}

function added<T>(list: T[], value: T | undefined): boolean {
  if (value === undefined) return false
  list.push(value)
  return true
}

/** `before` and `after` leave out the day, week or month that is named. */
function narrowTime(query: Building, operator: 'before' | 'after' | 'on', { from, to }: DateRange): void {
  if (operator === 'after') query.since = Math.max(query.since, to)
  if (operator === 'before') query.until = Math.min(query.until, from)
  if (operator !== 'on') return
  query.since = Math.max(query.since, from)
  query.until = Math.min(query.until, to)
}
