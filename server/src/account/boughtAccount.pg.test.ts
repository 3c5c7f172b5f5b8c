import { deleteAccount } from '@guildhall/wire/account/account.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { liveThrough } from '../testing/liveThrough.ts'
import { openPayWorld, type PayWorld } from '../testing/pay/payWorld.ts'

let world: PayWorld
beforeAll(async () => {
  world = await openPayWorld()
  await liveThrough(world)
})
afterAll(() => world?.close())

it('somebody who bought, signed a contract and said who they are leaves books that agree, and nothing of themselves', async () => {
  const { db } = world.database
  const { id, mobile, password } = world.person('member')
  await sql`update "user" set username = '独一无二的名字' where id = ${id}`.execute(db)
  await world.as('member').call(deleteAccount, { password })
  await world.work()
  expect(await world.faults()).toEqual([])
  const personal = [mobile, '独一无二的名字', '司马无名', '110105199001010029', 'openid of a member']
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables where table_schema = 'public'`.execute(db)
  for (const { name } of tables) {
    const { rows } = await sql<{ row: string }>`select it::text as row from ${sql.table(name)} it`.execute(db)
    const found = rows.filter(({ row }) => personal.some((it) => row.includes(it)))
    expect([name, found]).toEqual([name, []])
  }
  const { rows: contracts } = await sql<{ state: string }>`
    select state from renewal where user_id = ${id}`.execute(db)
  expect(contracts).toEqual([{ state: 'ended' }])
})
