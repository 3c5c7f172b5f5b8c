import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestServer, type TestServer } from '../testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await openTestServer()
})
afterAll(() => server?.close())

const lines = async (name: string): Promise<string[]> => {
  const page = await (await fetch(`${server.url}/metrics`)).text()
  return page.split('\n').filter((line) => line.startsWith(name))
}
const now = Date.now()
const addOrder = async (code: string, state: string): Promise<string> => {
  const { rows } = await sql<{ id: string }>`
    insert into "order" (code, user_id, key, request, state, pay_fee, created_at, expires_at)
    values (${code.repeat(32)}, ${server.idOf('owner')}, ${`key-${code}`}, '', ${state}, 100, ${now}, ${now})
    returning id`.execute(server.database.db)
  return rows[0]!.id
}

it('orders that a person must look at are counted by why: those that are stuck, and refunds that are not made', async () => {
  expect(await lines('guildhall_orders_in_trouble{')).toEqual([])
  await addOrder('a', 'stuck')
  const refunded = await addOrder('b', 'granted')
  await sql`with paid as (
      insert into payment (trade_no, order_id, way, scene, fee, state, is_main, provider_no, created_at, paid_at, next_query_at)
      values ('TRADE0001', ${refunded}, 'wechat', 'qr', 100, 'paid', true, 'THEIRS01', ${now}, ${now}, ${now}) returning id)
    insert into refund (refund_no, order_id, payment_id, fee, cause, reason, actor, state, created_at, next_try_at)
    select 'REFUND0001', ${refunded}, id, 100, 'staff', 'a test', 'operator', 'stuck', ${now}, ${now} from paid`.execute(
    server.database.db,
  )
  expect(await lines('guildhall_orders_in_trouble{')).toEqual([
    'guildhall_orders_in_trouble{why="refund"} 1',
    'guildhall_orders_in_trouble{why="stuck"} 1',
  ])
})

it('renewals of the last day are counted by how they ended; older ones are not', async () => {
  const { db } = server.database
  const { rows } = await sql<{ id: string }>`
    insert into renewal (code, user_id, product_id, kind, name, details, fee, way, state, is_charged_first, created_at, ended_at, next_at)
    select 'CONTRACT01', ${server.idOf('owner')}, id, 'buff', 'BUFF', '{}', 100, 'wechat', 'ended', false, ${now}, ${now}, ${now}
    from product order by id limit 1 returning id`.execute(db)
  const day = 86_400_000
  for (const [ago, outcome] of [
    [0, 'charge'],
    [1, 'charge'],
    [2 * day, 'notice'],
  ] as const)
    await sql`insert into renewal_cycle (renewal_id, ends_at, fee, tried_at, outcome)
      values (${rows[0]!.id}, ${now - ago}, 100, ${now - ago}, ${outcome})`.execute(db)
  expect(await lines('guildhall_renewals_day{')).toEqual([
    'guildhall_renewals_day{outcome="charged"} 0',
    'guildhall_renewals_day{outcome="notice"} 0',
    'guildhall_renewals_day{outcome="charge"} 2',
  ])
})

it('shows since when the work of every minute is not done, and jobs wait', async () => {
  const [age] = await lines('guildhall_every_minute_age_seconds ')
  expect(Number(age?.split(' ')[1])).toBeLessThan(120)
  expect(await lines('guildhall_jobs_oldest_seconds{queue="check-ledger"}')).toEqual([
    'guildhall_jobs_oldest_seconds{queue="check-ledger"} 0',
  ])
})
