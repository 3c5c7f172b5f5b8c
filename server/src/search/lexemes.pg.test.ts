import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../testing/database/database.ts'
import { openReader, type Reader } from './reader.ts'

let database: TestDatabase
let reader: Reader
beforeAll(async () => {
  database = await openTestDatabase()
  reader = await openReader()
})
afterAll(() => database?.close())

/** How many texts are asked about at once. */
const AT_ONCE = 5000

/** Of each text whether the index has it under a condition. */
async function foundBy(pairs: readonly { readonly text: string; readonly condition: string }[]) {
  const all: boolean[] = []
  for (let from = 0; from < pairs.length; from += AT_ONCE) {
    const some = pairs.slice(from, from + AT_ONCE)
    const { rows } = await sql<{ is_found: boolean }>`
      select search_lexemes(text, '{}') @@ condition::tsquery as is_found
      from unnest(${some.map((it) => it.text)}::text[], ${some.map((it) => it.condition)}::text[])
        with ordinality as it(text, condition, ordinal)
      order by ordinal`.execute(database.db)
    all.push(...rows.map((row) => row.is_found))
  }
  return all
}

const soughtFor = (typed: string, isPhrase = false) => reader.sought([{ text: typed, isPhrase }])[0]

const ASSIGNED = /^[^\p{Cn}\p{Co}\p{Cs}]$/u

it('has every character under any other that a search takes for the same', async () => {
  const writings = new Map<string, string[]>()
  for (let code = 1; code <= 0x10ffff; code += 1) {
    const text = String.fromCodePoint(code)
    const units = ASSIGNED.test(text) ? reader.units(text).filter(({ kind }) => kind !== 'space') : []
    const key = units.map((unit) => unit.code).join(' ')
    if (units.length > 0) writings.set(key, [...(writings.get(key) ?? []), text])
  }
  const pairs = [...writings.values()].flatMap((texts) =>
    texts.flatMap((text, index) => {
      const { condition = null } = soughtFor(texts[(index + 1) % texts.length]!) ?? {}
      return condition === null ? [] : [{ text, condition }]
    }),
  )
  const found = await foundBy(pairs)
  expect(pairs.length).toBeGreaterThan(100_000)
  expect(await knownToDatabase(pairs.filter((_, index) => !found[index]).map(({ text }) => text))).toEqual([])
})

it('has two frequent characters together, whatever is left out between them, and not where they are apart', async () => {
  const pairs: { readonly text: string; readonly condition: string }[] = []
  const { condition = null, marksOf } = soughtFor('不我')!
  for (let code = 1; code <= 0x10ffff; code += 1) {
    const text = `不${String.fromCodePoint(code)}我`
    if (ASSIGNED.test(String.fromCodePoint(code)) && marksOf(reader.units(text)).length > 0)
      pairs.push({ text, condition: condition! })
  }
  const traditional = { text: '這個問題', condition: soughtFor('这个问题')!.condition! }
  const found = await foundBy([...pairs, traditional])
  expect(pairs.length).toBeGreaterThan(100)
  expect(
    await knownToDatabase(pairs.filter((_, index) => !found[index]).map((it) => [...it.text][1]!)),
  ).toEqual([])
  expect(found.at(-1)).toBe(true)
  const apart = ['我不', '不 我', '不，我', '不a我', '不是我'].map((text) => ({
    text,
    condition: condition!,
  }))
  expect(await foundBy(apart)).toEqual(apart.map(() => false))
})

/** Without the characters that are newer than the database's Unicode. */
async function knownToDatabase(texts: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ text: string }>`
    select text from unnest(${texts}::text[]) it(text) where unicode_assigned(text)`.execute(database.db)
  return rows.map(({ text }) => text)
}

/** The same row of numbers for the same seed. */
function numbersFrom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return (state >>> 8) % below
  }
}

const PARTS = [
  ..."的了我你他们学習学习台臺发發天地人大小明书書，。！-_/x\n\u200b'\\𠮷ßİ① ",
  '哈哈',
  'hello',
  'He',
  'hel',
  'iPhone15',
  'ＡＢ',
  'café',
  'Cafe\u0301',
  'straße',
  'Привет',
  'ПРИВЕТ',
  '2.3.1',
  '@南枝',
  '한국',
  'が',
  'か',
  'ﾊﾟ',
  '😂',
  '👍🏽',
  '❤️',
  '㍿',
  ' ',
  ' ',
  'https://a.cn/b',
  '#频道',
  '１２３',
]

it('has whatever a plain scan finds, in ten thousand texts and queries', async () => {
  const next = numbersFrom(20_261_128)
  const textOf = (most: number) =>
    Array.from({ length: 1 + next(most) }, () => PARTS[next(PARTS.length)]).join('')
  const pairs: { readonly text: string; readonly condition: string; readonly typed: string }[] = []
  let tried = 0
  while (tried < 10_000) {
    const text = textOf(12)
    const characters = [...text]
    const from = next(characters.length)
    const typed = next(3) === 0 ? textOf(2) : characters.slice(from, from + 1 + next(4)).join('')
    const isPhrase = next(4) === 0
    tried += 1
    const sought = soughtFor(typed, isPhrase)
    if (!sought || sought.condition === null || sought.marksOf(reader.units(text)).length === 0) continue
    pairs.push({ text, condition: sought.condition, typed })
  }
  expect(pairs.length).toBeGreaterThan(2000)
  const found = await foundBy(pairs)
  expect(pairs.filter((_, index) => !found[index])).toEqual([])
})
