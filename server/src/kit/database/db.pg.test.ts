import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../../testing/database/database.ts'
import {
  connectionUrl,
  inDatabase,
  isUnavailable,
  openDatabase,
  preparedStatement,
  quoteName,
  sqlState,
  toCount,
  transaction,
  withConnection,
} from './db.ts'

let world: TestDatabase
beforeAll(async () => {
  world = await openTestDatabase()
  await withConnection(world.connection, (query) =>
    query(
      'create table purse (id bigint primary key, fen bigint not null); insert into purse values (1, 10), (2, 10)',
    ),
  )
})
afterAll(() => world.close())

it('queries to a server that vanishes fail, and succeed again once it has returned', async () => {
  const { host = '', port = 5432 } = world.connection
  const to = host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port }
  let isGone = false
  const sockets = new Set<Socket>()
  const between = createServer((near) => {
    const far = connect(to)
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one)
      one.on('error', () => undefined)
      one.on('data', (bytes) => isGone || other.write(bytes))
    }
  })
  await new Promise<void>((done) => between.listen(0, '127.0.0.1', done))
  const connection = { ...world.connection, host: '127.0.0.1', port: (between.address() as AddressInfo).port }
  const database = openDatabase({ connection, max: 1, answerWithinMs: 200 })
  const ask = () => sql`select 1`.execute(database.db)
  // On a slow machine an answer may come later than that.
  const isAnswered = () =>
    ask().then(
      () => true,
      () => false,
    )
  await expect.poll(isAnswered).toBe(true)
  isGone = true
  const error = await ask().catch((thrown: unknown) => thrown)
  expect(isUnavailable(error)).toBe(true)
  isGone = false
  await expect.poll(isAnswered).toBe(true)
  await database.close()
  for (const socket of sockets) socket.destroy()
  between.close()
})

it('a connection that is cut between two statements of a transaction is unavailable to the next one', async () => {
  const database = openDatabase({ connection: world.connection, max: 1 })
  const cut = new Promise<void>((resolve) => {
    database.pool.on('connect', (client) => client.on('end', resolve))
  })
  const failed = database.db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)
    await withConnection(world.connection, (query) => query(`select pg_terminate_backend(${rows[0]!.pid})`))
    await cut
    await sql`select 1`.execute(tx)
  })
  const error = await failed.catch((thrown: unknown) => thrown)
  expect([String(error), isUnavailable(error)]).toEqual([expect.stringContaining('not queryable'), true])
  await database.close()
})

it('a statement that was planned for an empty table is planned again when the table has filled', async () => {
  const { db, close } = openDatabase({ connection: world.connection, max: 1 })
  await sql`create table shelf (id bigint primary key) with (autovacuum_enabled = false)`.execute(db)
  await sql`insert into shelf values (0)`.execute(db)
  await sql`analyze shelf`.execute(db)
  const take = () => sql`${preparedStatement} select id from shelf where id = ${7}::bigint`.execute(db)
  /** The first plan, or the last, of those that the connection keeps. */
  const planOf = async (which: 'first' | 'last') => {
    const { rows } = await sql<{ name: string }>`
      select name from pg_prepared_statements where statement like '%from shelf%' order by prepare_time`.execute(
      db,
    )
    const name = rows.at(which === 'first' ? 0 : -1)!.name
    const said = await sql<Record<string, string>>`explain execute ${sql.raw(name)}(7)`.execute(db)
    return said.rows.map((row) => row['QUERY PLAN']).join(' ')
  }
  for (let use = 0; use < 10; use += 1) await take()
  expect(await planOf('last')).toContain('Seq Scan')
  await sql`insert into shelf select generate_series(1, 20000)`.execute(db)
  for (let use = 0; use < 100; use += 1) await take()
  expect(await planOf('first')).toContain('Seq Scan')
  expect(await planOf('last')).toContain('Index')
  await close()
})

describe('transaction', () => {
  it('leaves nothing behind when its work fails', async () => {
    const failed = transaction(world.db, async (tx) => {
      await sql`update purse set fen = 99 where id = 1`.execute(tx)
      throw new Error('no')
    })
    await expect(failed).rejects.toThrow('no')
    const { rows } = await sql<{ fen: string }>`select fen from purse where id = 1`.execute(world.db)
    expect(rows).toEqual([{ fen: '10' }])
  })

  it('two that deadlock both succeed, because the victim runs again', async () => {
    let runs = 0
    const bothHoldOne = Promise.withResolvers<void>()
    const move = (from: number, to: number) =>
      transaction(world.db, async (tx) => {
        runs += 1
        await sql`update purse set fen = fen - 1 where id = ${from}`.execute(tx)
        if (runs === 2) bothHoldOne.resolve()
        await bothHoldOne.promise
        await sql`update purse set fen = fen + 1 where id = ${to}`.execute(tx)
      })
    await Promise.all([move(1, 2), move(2, 1)])
    const { rows } = await sql<{ fen: string }>`select fen from purse order by id`.execute(world.db)
    expect(rows).toEqual([{ fen: '10' }, { fen: '10' }])
    // The victim may take its row again before the other one wakes up, and be the victim once more.
    expect(runs).toBeGreaterThan(2)
  })

  it('one that always conflicts gives up after five runs', async () => {
    let runs = 0
    const hopeless = transaction(world.db, async (tx) => {
      runs += 1
      await sql`do $$ begin raise exception using errcode = '40001'; end $$`.execute(tx)
    })
    const error = await hopeless.catch((thrown: unknown) => thrown)
    expect(sqlState(error)).toBe('40001')
    expect(runs).toBe(5)
  })

  it('does not run again for any other error', async () => {
    let runs = 0
    const broken = transaction(world.db, async (tx) => {
      runs += 1
      await sql`insert into purse values (1, 0)`.execute(tx)
    })
    expect(sqlState(await broken.catch((thrown: unknown) => thrown))).toBe('23505')
    expect(runs).toBe(1)
  })
})

it('ids are read as decimal strings, however large', async () => {
  const { rows } = await sql<{ id: unknown }>`select 9223372036854775807::bigint as id`.execute(world.db)
  expect(rows).toEqual([{ id: '9223372036854775807' }])
})

it('a connection cut by the database is replaced, and the process lives', async () => {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(world.db)
  await withConnection(inDatabase(world.connection, 'postgres'), (query) =>
    query('select pg_terminate_backend($1)', [rows[0]?.pid]),
  )
  const answer = () => sql<{ one: number }>`select 1 as one`.execute(world.db)
  // Until its end arrives here, more than one query may still be given to it.
  await expect.poll(() => answer().catch(() => null)).toMatchObject({ rows: [{ one: 1 }] })
})

it('the same database can be reached by a URL', async () => {
  const other = openDatabase({ connection: { url: connectionUrl(world.connection) }, max: 1 })
  const { rows } = await sql<{ fen: string }>`select fen from purse where id = 2`.execute(other.db)
  await Promise.all([other.close(), other.close()])
  expect(rows).toEqual([{ fen: '10' }])
})

it('every test database is separate', async () => {
  const other = await openTestDatabase()
  const found = sql`select * from purse`.execute(other.db)
  await expect(found).rejects.toMatchObject({ code: '42P01' })
  await other.close()
})

it('a counter is a number, and one too large to be exact is refused', () => {
  expect(toCount('42')).toBe(42)
  expect(() => toCount('9007199254740993')).toThrow(RangeError)
  expect(() => toCount('many')).toThrow(RangeError)
})

it('a name with a quote in it is quoted as one name', () => {
  expect(quoteName('a"b')).toBe('"a""b"')
})

it('a connection cut in the middle of a transaction fails that transaction, and the process lives', async () => {
  const cut = transaction(world.db, async (tx) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)
    await withConnection(inDatabase(world.connection, 'postgres'), (query) =>
      query('select pg_terminate_backend($1)', [rows[0]?.pid]),
    )
    await new Promise((resolve) => setTimeout(resolve, 50))
    await sql`select 1`.execute(tx)
  })
  await expect(cut).rejects.toThrow()
  await expect(sql<{ one: number }>`select 1 as one`.execute(world.db)).resolves.toMatchObject({
    rows: [{ one: 1 }],
  })
})
