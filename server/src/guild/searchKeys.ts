/** Search keys of names: their characters, and the pinyin of the Chinese ones. Decision 23. */
import { folded, type Spelling, unitsOf } from '@guildhall/wire/user/spelling.ts'
import { pinyin } from 'pinyin-pro'

/** Of a character's readings so many count; the rest are of dictionaries. */
const READINGS_MAX = 3
/** From so many characters of a name on a search may begin, and from so many by pinyin. */
const STARTS_MAX = 32
const SPELLED_STARTS_MAX = 12
/** So many characters are tried whole and by first letter in all combinations; longer names go on in one way. */
const MIXED = 4
/** The combinations of one beginning, and the keys of one name: what a name costs is bounded, whatever is in it. */
const FORMS_MAX = 48
const KEYS_MAX = 96
/** Longer searches compare their beginning, UTF-16 units. */
export const KEY_MAX = 48

const options = { toneType: 'none', type: 'array', v: true } as const
const CHINESE = /\p{Script=Han}/u

const looked = new Map<string, readonly string[]>()
const LOOKED_MAX = 10_000

/** All readings of one character. */
function dictionaryOf(character: string): readonly string[] {
  const known = looked.get(character) ?? pinyin(character, { ...options, multiple: true })
  if (looked.size > LOOKED_MAX) looked.clear()
  looked.set(character, known)
  return known
}

/** The readings of each character of folded words, the likeliest in this place first; the character itself where it has none. */
function readingsOf(words: string): string[][] {
  const characters = [...words]
  const inPlace = pinyin(words, options)
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
  const words = folded(name)
  if (!CHINESE.test(words)) return ''
  return readingsOf(words)
    .map((readings) => readings.join(','))
    .join(' ')
}

const kept = new Map<string, Spelling>()
const KEPT_MAX = 10_000

/** How a name is spelled, for the page to compare with; empty when it has nothing Chinese. Remembers what it was asked. */
export function spellingOf(name: string): Spelling {
  const spelling = kept.get(name) ?? spelled(name)
  if (kept.size >= KEPT_MAX) kept.clear()
  kept.set(name, spelling)
  return spelling
}

/** How names are spelled, each once; those without a spelling are left out. */
export const spellingsOf = (names: readonly string[]): { name: string; spelling: Spelling }[] =>
  [...new Set(names)]
    .map((name) => ({ name, spelling: spellingOf(name) }))
    .filter(({ spelling }) => spelling !== '')

export interface NameKeys {
  /** What the name begins with. */
  readonly start: readonly string[]
  /** What it goes on with, from each place inside. */
  readonly inside: readonly string[]
}

/**
 * Everything a search for a name may be the beginning of. `number`: the digits behind a username, so that it is found by
 * `name#1234` as well. None is the beginning of another: that one finds it too.
 */
export function keysOf(name: string, number = ''): NameKeys {
  const words = folded(name)
  const characters = [...words]
  const called = number === '' ? words : `${words}#${number}`
  const start = new Set([called.slice(0, KEY_MAX)])
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

/** The ways in which characters are typed by pinyin, each whole or by its first letter; the likeliest readings first. */
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
    // The last one's first letter is the beginning of the whole.
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

/** Those that are not the beginning of another one, in the order given; the first of too many. */
function longest(keys: ReadonlySet<string>): string[] {
  const sorted = [...keys].sort()
  const needless = new Set(sorted.filter((key, index) => sorted[index + 1]?.startsWith(key)))
  return [...keys].filter((key) => key !== '' && !needless.has(key)).slice(0, KEYS_MAX)
}
