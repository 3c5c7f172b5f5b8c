import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import * as wire from '@guildhall/wire/staff/words.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWorld, type TestWorld } from '../../testing/world.ts'

let world: TestWorld
let dir: string
beforeAll(async () => {
  world = await openWorld()
  dir = await mkdtemp(path.join(tmpdir(), 'guildhall-words-'))
})
afterAll(async () => {
  await world.close()
  await rm(dir, { recursive: true, force: true })
})

const rule = (word: string, more: object = {}) => ({
  word,
  action: 'refuse',
  places: ['message'],
  note: '',
  reason: '测试',
  ...more,
})
const acts = async () => {
  const { rows } = await sql<{ name: string; actor: string; target: string; detail: object }>`
    select name, actor, target, detail from staff_log where kind = 'act' order by id`.execute(
    world.database.db,
  )
  return rows
}

describe('a rule is refused', () => {
  it.each([
    [{ word: '!!!' }, 'word.wrong'],
    [{ word: '🍑' }, 'word.wrong'],
    [{ word: '' }, 'word.wrong'],
    [{ word: '长'.repeat(51) }, 'bad_input'],
    [{ word: '词', places: [] }, 'bad_input'],
    [{ word: '词', places: ['elsewhere'] }, 'bad_input'],
    [{ word: '词', action: 'other' }, 'bad_input'],
    [{ word: '词', reason: '  ' }, 'bad_input'],
  ])('%o: %s', async (more, failure) => {
    expect(await world.as('staff').refusal(wire.addWord, rule('词', more))).toBe(failure)
    expect((await world.as('staff').call(wire.listWords, {})).items).toEqual([])
  })

  it('for a word that has one, and changes of none', async () => {
    const { id } = await world.as('staff').call(wire.addWord, rule('重复'))
    expect(await world.as('staff').refusal(wire.addWord, rule(' 重复 '))).toBe('word.taken')
    await world.as('staff').call(wire.removeWord, { id: Number(id), reason: '测试' })
    const { word: _, ...change } = rule('')
    expect(await world.as('staff').refusal(wire.changeWord, { ...change, id: Number(id) })).toBe(
      'word.unknown',
    )
    expect(await world.as('staff').refusal(wire.removeWord, { id: Number(id), reason: '测试' })).toBe(
      'word.unknown',
    )
  })
})

it('a rule is added, changed and removed, and the log says what it was and why', async () => {
  const before = (await acts()).length
  const { id } = await world.as('staff').call(wire.addWord, rule('加微信', { note: '广告' }))
  const change = { action: 'hold', places: ['message', 'name'], note: '', reason: '太严' }
  await world.as('staff').call(wire.changeWord, { ...change, id: Number(id) })
  const [row] = (await world.as('staff').call(wire.listWords, {})).items
  expect(row).toMatchObject({
    id,
    word: '加微信',
    action: 'hold',
    places: ['message', 'name'],
    note: '',
    by: world.people.staff.id,
    by_name: world.people.staff.username,
  })
  await world.as('staff').call(wire.removeWord, { id: Number(id), reason: '不用了' })
  expect((await acts()).slice(before).map(({ name, target }) => [name, target])).toEqual([
    ['word add', id],
    ['word update', id],
    ['word remove', id],
  ])
  expect((await acts()).at(-2)?.detail).toMatchObject({
    before: { action: 'refuse', note: '广告' },
    after: { action: 'hold', word: '加微信' },
    reason: '太严',
  })
})

it('a text is tried: what matches, where, and for which places', async () => {
  await world.as('staff').call(wire.addWord, rule('赌博', { places: ['guild'], action: 'hold' }))
  const { matches } = await world.as('staff').call(wire.tryWords, { text: '来賭*博吧' })
  expect(matches).toMatchObject([{ word: '赌博', action: 'hold', places: ['guild'], from: 1, to: 4 }])
  expect((await world.as('staff').call(wire.tryWords, { text: '平常' })).matches).toEqual([])
  await world.command('word', 'remove', '--word', '赌博')
})

it('the list goes back page by page, and is searched by how words begin', async () => {
  const all = Array.from({ length: wire.WORDS_PAGE + 5 }, (_, n) => `词${n}a`)
  const file = path.join(dir, 'words.txt')
  await writeFile(file, `\ufeff# 一行一个\n${all.join('\r\n')}\n\n`)
  expect(await world.command('word', 'import', '--file', file, '--action', 'hold')).toEqual({
    given: all.length,
    added: all.length,
  })
  expect(await world.command('word', 'import', '--file', file)).toMatchObject({ added: 0 })
  const first = await world.as('staff').call(wire.listWords, {})
  expect(first).toMatchObject({ has_more: true })
  const next = await world.as('staff').call(wire.listWords, { before: Number(first.items.at(-1)?.id) })
  expect([...first.items, ...next.items].map(({ word }) => word).toReversed()).toEqual(all)
  expect((await world.as('staff').call(wire.listWords, { word: '词1' })).items).toHaveLength(11)
  expect((await world.as('staff').call(wire.listWords, { word: '词%' })).items).toEqual([])
  expect((await world.as('staff').call(wire.listWords, { action: 'refuse' })).items).toEqual([])
})

it('commands add, list and remove rules, and a file says what each does and where', async () => {
  const file = path.join(dir, 'more.txt')
  await writeFile(file, '甲乙\trefuse\tname,guild\t备注\n丙丁\n')
  await world.command('word', 'import', '--file', file, '--action', 'hold')
  const listed = await world.command<object[]>('word', 'list', '--word', '甲')
  expect(listed).toMatchObject([
    { word: '甲乙', action: 'refuse', places: ['name', 'guild'], note: '备注', changed_by: 'operator' },
  ])
  expect(await world.command('word', 'list', '--word', '丙')).toMatchObject([
    { action: 'hold', places: wire.WORD_TARGETS },
  ])
  await world.command('word', 'add', '--word', '戊己', '--places', 'message')
  expect((await acts()).at(-1)).toMatchObject({ name: 'word add', actor: 'operator' })
  await expect(world.command('word', 'add', '--word', '戊己')).rejects.toMatchObject({
    failure: 'word.taken',
  })
  await expect(world.command('word', 'add', '--word', '庚', '--action', 'no')).rejects.toThrow(
    '--action must be',
  )
  await expect(world.command('word', 'add', '--word', '庚', '--places', 'no')).rejects.toThrow(
    '--places must be',
  )
  await expect(world.command('word', 'import', '--file', path.join(dir, 'none'))).rejects.toThrow(
    'cannot be read',
  )
  await writeFile(file, '好词\n!!!\n')
  await expect(world.command('word', 'import', '--file', file)).rejects.toMatchObject({
    failure: 'word.wrong',
  })
  expect(await world.command('word', 'list', '--word', '好')).toEqual([])
  await world.command('word', 'remove', '--word', '戊己')
  await expect(world.command('word', 'remove', '--word', '戊己')).rejects.toMatchObject({
    failure: 'word.unknown',
  })
})
