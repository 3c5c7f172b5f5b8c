import type { UserId } from '@guildhall/wire/id.ts'
import { LOG_PAGE, STAFF_LOG_KINDS } from '@guildhall/wire/staff/log.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../testing/database/database.ts'
import { readLog } from './log.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
  await sql`
    insert into staff_log (at, actor, kind, name, user_id)
    select n, (7 + n % 2)::text, (array['login', 'call', 'act', 'refused'])[1 + n % 4], 'name' || n % 3, case n % 5 when 0 then 9 end
    from generate_series(1, 480) as n`.execute(database.db)
})
afterAll(() => database.close())

const all = async () => {
  const { rows } = await sql<Record<'id' | 'actor' | 'kind' | 'name' | 'user_id', string | null>>`
    select id::text, actor, kind, name, user_id::text from staff_log order by staff_log.id desc`.execute(
    database.db,
  )
  return rows
}
/** All pages of a search. */
async function pages(it: object): Promise<string[]> {
  const found: string[] = []
  for (let isMore = true; isMore; ) {
    const before = found.length > 0 ? Number(found.at(-1)) : undefined
    const { items, has_more } = await readLog(database.db, { ...it, before })
    expect(items.length).toBeLessThanOrEqual(LOG_PAGE)
    found.push(...items.map(({ id }) => id))
    isMore = has_more
  }
  return found
}

it('the log finds nothing of whom and what it does not know', async () => {
  for (const query of [
    { actor: '1' },
    { name: 'name' },
    { actor: '7', name: 'name' },
    { actor: '8', kind: 'login' },
  ])
    expect(await readLog(database.db, query as object)).toEqual({ items: [], has_more: false })
})

it('who acted and whom it concerns are named', async () => {
  await sql`insert into "user" (id, username, identify_num, created_at) values (7, '值班员', '0007', 1), (9, '小满', '0009', 1)`.execute(
    database.db,
  )
  const { items } = await readLog(database.db, { actor: '7', user_id: '9' as UserId })
  expect(items.length).toBeGreaterThan(0)
  for (const { actor_name, user_name } of items) expect([actor_name, user_name]).toEqual(['值班员', '小满'])
  const [unnamed] = (await readLog(database.db, { actor: '8' })).items
  expect(unnamed).toMatchObject({ actor_name: '', user_name: '' })
})

it('the log shows the rows of every mixture of what it is asked for, the newest first, page by page', async () => {
  const rows = await all()
  for (const actor of [undefined, '7', '8'])
    for (const name of [undefined, 'name1'])
      for (const user_id of [undefined, '9'])
        for (const kind of [undefined, ...STAFF_LOG_KINDS]) {
          const query = { actor, name, user_id, kind }
          const wanted = Object.entries(query).filter(([, value]) => value !== undefined)
          const expected = rows.filter((row) =>
            wanted.every(([field, value]) => row[field as 'id'] === value),
          )
          expect(await pages(query), JSON.stringify(query)).toEqual(expected.map(({ id }) => id))
        }
})
