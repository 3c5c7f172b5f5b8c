/** Search keys of names: their characters, and the pinyin of the Chinese ones. Decision 23. */
import { folded, type Spelling, unitsOf } from '@guildhall/wire/user/nameSearch.ts'
import { pinyin } from 'pinyin-pro'

/** Readings of a character that are used; further ones are rare. */
const READINGS_MAX = 3
/** Positions in a name at which a search may start, and those at which a search by pinyin may. */
const STARTS_MAX = 32
const SPELLED_STARTS_MAX = 12
/** Characters that are combined as whole syllables and initials in all ways; after them one way continues. */
const MIXED = 4
/** Combinations from one start, and keys of one name: a bound on the cost of any name. */
const FORMS_MAX = 48
const KEYS_MAX = 96
/** Of a longer search only this much is compared, UTF-16 units. */
export const KEY_MAX = 48

const options = { toneType: 'none', type: 'array', v: true } as const
const CHINESE = /\p{Script=Han}/u

const readingsCache = new Map<string, readonly string[]>()
const READINGS_CACHE_MAX = 10_000

/** All readings of one character. */
function dictionaryOf(character: string): readonly string[] {
  const known = readingsCache.get(character) ?? pinyin(character, { ...options, multiple: true })
  if (readingsCache.size > READINGS_CACHE_MAX) readingsCache.clear()
  readingsCache.set(character, known)
  return known
}

/**
 * The likeliest pinyin of a single character, out of context; null for one that is not Chinese or has none.
 */
export function readingOf(character: string): string | null {
  if (!CHINESE.test(character)) return null
  const [reading = ''] = dictionaryOf(character)
  return /^[a-z]+$/.test(reading) ? reading : null
}

/**
 * The readings of each character of a folded text, the likeliest in this context first; the character itself
 * where it has none.
 */
function readingsOf(text: string): string[][] {
  const characters = [...text]
  const inPlace = pinyin(text, options)
  const isAligned = inPlace.length === characters.length
  return characters.map((character, index) => {
    if (!CHINESE.test(character)) return [character]
    const all = [...(isAligned ? [inPlace[index] ?? character] : []), ...dictionaryOf(character)]
    // 吕 is typed lv or lu.
    const typed = all.flatMap((each) => (each.includes('v') ? [each, each.replace('v', 'u')] : [each]))
    const known = [...new Set(typed)].filter((each) => /^[a-z]+$/.test(each))
    return known.length === 0 ? [character] : known.slice(0, READINGS_MAX)
  })
}

function spelled(name: string): Spelling {
  const text = folded(name)
  if (!CHINESE.test(text)) return ''
  return readingsOf(text)
    .map((readings) => readings.join(','))
    .join(' ')
}

const spellingCache = new Map<string, Spelling>()
const SPELLING_CACHE_MAX = 10_000

/** The pinyin of a name for searches on the page; empty when it has no Chinese character. Cached. */
export function spellingOf(name: string): Spelling {
  const spelling = spellingCache.get(name) ?? spelled(name)
  if (spellingCache.size >= SPELLING_CACHE_MAX) spellingCache.clear()
  spellingCache.set(name, spelling)
  return spelling
}

/** The pinyin of names, each once; names without Chinese characters are left out. */
export const spellingsOf = (names: readonly string[]): { name: string; spelling: Spelling }[] =>
  [...new Set(names)]
    .map((name) => ({ name, spelling: spellingOf(name) }))
    .filter(({ spelling }) => spelling !== '')

export interface NameKeys {
  /** Keys from the start of the name. */
  readonly start: readonly string[]
  /** Keys from each later position in the name. */
  readonly inside: readonly string[]
}

/**
 * The keys that a search for a name may be a prefix of. `number`: the digits of a username, so that
 * `name#1234` finds it too. No key is a prefix of another, which would find the name as well.
 */
export function keysOf(name: string, number = ''): NameKeys {
  const text = folded(name)
  const characters = [...text]
  const tag = number === '' ? text : `${text}#${number}`
  const start = new Set([tag.slice(0, KEY_MAX)])
  const inside = new Set<string>()
  for (let at = 1; at < Math.min(characters.length, STARTS_MAX); at += 1)
    inside.add(characters.slice(at).join('').slice(0, KEY_MAX))
  const units = unitsOf(spelled(name))
  for (let at = 0; at < Math.min(units.length, SPELLED_STARTS_MAX); at += 1)
    for (const form of formsOf(units.slice(at))) (at === 0 ? start : inside).add(form.slice(0, KEY_MAX))
  return { start: longest(start), inside: longest(inside) }
}

const initialsOf = (readings: readonly string[]): string[] => [
  ...new Set(readings.map((reading) => [...reading][0] ?? '')),
]

/**
 * The ways in which characters are typed by pinyin, each whole or by its first letter; the likeliest readings
 * first.
 */
function formsOf(units: readonly (readonly string[])[]): string[] {
  const likeliest = units.map((readings) => readings.slice(0, 1))
  return [...new Set([...mixturesOf(likeliest), ...mixturesOf(units)])].slice(0, FORMS_MAX)
}

function mixturesOf(units: readonly (readonly string[])[]): string[] {
  const head = units.slice(0, MIXED)
  const tail = units.slice(MIXED)
  let mixed = ['']
  let letters = ['']
  for (const [index, readings] of head.entries()) {
    // The first letter of the last syllable is a prefix of the whole syllable.
    const isLast = index === head.length - 1
    mixed = times(mixed, isLast ? readings : [...readings, ...initialsOf(readings)])
    letters = times(letters, initialsOf(readings))
  }
  const whole = tail.map(([reading = '']) => reading).join('')
  const short = tail.map((readings) => initialsOf(readings)[0] ?? '').join('')
  return [...letters.map((form) => form + short), ...mixed.map((form) => form + whole)]
}

const times = (forms: readonly string[], ways: readonly string[]): string[] =>
  forms.flatMap((form) => ways.map((way) => form + way)).slice(0, FORMS_MAX)

/**
 * The keys that are not a prefix of another one, in the given order; the first ones when there are too many.
 */
function longest(keys: ReadonlySet<string>): string[] {
  const sorted = [...keys].sort()
  const needless = new Set(sorted.filter((key, index) => sorted[index + 1]?.startsWith(key)))
  return [...keys].filter((key) => key !== '' && !needless.has(key)).slice(0, KEYS_MAX)
}
