import { searchMessages } from '@guildhall/wire/search/search.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openWorld, type TestWorld } from '../testing/world.ts'
import { differences, makeMissing, rebuild, settle } from './searchIndex.ts'

let world: TestWorld
beforeAll(async () => {
  world = await openWorld({}, undefined, { scheduledWork: false })
  // Of very few messages PostgreSQL asks no index.
  const { id } = await world.as('owner').say(world.main.id, '一句话')
  await alone((query) =>
    query(
      `insert into message (id, guild_id, channel_id, author_id, seq, kind, content, kmarkdown, create_at)
       select gen_random_uuid(), guild_id, channel_id, author_id, 1000000 + number, kind, content, kmarkdown, create_at
       from message, generate_series(1, 500) number where id = $1`,
      [id],
    ),
  )
  await alone((query) => query('analyze message'))
})
afterAll(() => world?.close())

const alone: TestWorld['database']['alone'] = (fn) => world.database.alone(fn)

it('has all messages, and says so', async () => {
  await world.as('owner').say(world.main.id, '索引里的一句话')
  expect(await alone(differences)).toEqual([])
})

it('that is missing is said to be missing, and is made; a search is refused meanwhile', async () => {
  await alone((query) => query('drop index message_search'))
  expect(await world.as('owner').refusal(searchMessages, { q: '一句话' })).toBe('search.not_ready')
  expect(await alone(differences)).toEqual([{ index: 'message_search', wrong: 'missing' }])
  expect(await alone(makeMissing)).toEqual(['message_search'])
  expect(await alone(makeMissing)).toEqual([])
  expect(await alone(differences)).toEqual([])
  expect((await world.as('owner').call(searchMessages, { q: '一句话' })).items).not.toEqual([])
})

it('that searches do not use is said to be another one', async () => {
  await alone((query) =>
    query(`drop index message_search;
      create index message_search on message using gin (to_tsvector('simple', content))`),
  )
  expect(await alone(differences)).toEqual([{ index: 'message_search', wrong: 'of another expression' }])
  await alone((query) => query('drop index message_search'))
  await alone(makeMissing)
})

it('that was made by another function names the messages that it does not find', async () => {
  const [{ source }] = (await alone((query) =>
    query(`select pg_get_functiondef('search_lexemes'::regproc) as source`),
  )) as [{ source: string }]
  await alone((query) =>
    query(`create or replace function search_lexemes(words text, keys text[]) returns tsvector language plpgsql
      immutable as $$ begin return array_to_tsvector(keys); end $$`),
  )
  const { id } = await world.as('owner').say(world.main.id, '没有进索引的一句话')
  await alone((query) => query(source))
  expect(await alone(differences)).toContainEqual({
    index: 'message_search',
    wrong: `message ${id} is not found`,
  })
})

it('is made anew beside the old one, and is not made twice at a time', async () => {
  const names: string[] = []
  expect(await alone((query) => rebuild(query, (name) => names.push(name)))).toEqual(names)
  expect(names).toEqual(['message_search', 'private_message_search'])
  await alone(async (query) => {
    await query('select pg_advisory_lock(7146202114)')
    expect(await alone((other) => rebuild(other, () => undefined))).toBeNull()
  })
  await alone(settle)
  expect(await alone(differences)).toEqual([])
})
