import { createPrivate, listPrivate } from '@guildhall/wire/chat/chat.ts'
import { chatHistory } from '@guildhall/wire/chat/page.ts'
import { fail } from '@guildhall/wire/failure.ts'
import { listMessages } from '@guildhall/wire/message/action.ts'
import { history } from '@guildhall/wire/message/message.ts'
import { searchMessages } from '@guildhall/wire/search/search.ts'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Diagnosis } from '../../cli/doctor.ts'
import { openReplication, type TestReplication } from '../../testing/database/standby.ts'
import { openTestServer, type TestServer } from '../../testing/server.ts'
import type { ReadOn } from '../metrics/database.ts'
import { connectionUrl, type Db, openDatabase, withConnection } from './db.ts'
import { openReplica, type Replica } from './replica.ts'
import { openStore } from './store.ts'

let both: TestReplication
let server: TestServer
let db: Db
const opened: Replica[] = []
beforeAll(async () => {
  both = await openReplication()
  const { connection } = both.primary
  const url = connectionUrl(connection)
  const { database } = await openStore({ dataDir: '/', databaseUrl: url })
  const env = { DATABASE_URL: url, DATABASE_READ_URL: connectionUrl(both.replica.connection) }
  server = await openTestServer(env, undefined, { emptyDatabase: { ...database, connection, url } })
  db = database.db
})
afterEach(async () => {
  for (const replica of opened.splice(0)) await replica.close()
})
afterAll(async () => {
  await closeServer()
  await both?.close()
})

let closing: Promise<void> | undefined
/** The last test closes it, too. */
const closeServer = (): Promise<void> | undefined => {
  closing ??= server?.close()
  return closing
}

/** A replica of its own, and where its reads ran. */
function open(connection = both.replica.connection, primary = db, max = 5) {
  const reads: ReadOn[] = []
  const metrics = { read: (on: ReadOn) => void reads.push(on), waited: () => undefined }
  const log = { warn: () => undefined, info: () => undefined }
  const replica = openReplica({ url: connectionUrl(connection), primary, metrics, log, max })
  opened.push(replica)
  return { replica, reads, isOnReplica: () => replica.run(isReplica) }
}

async function isReplica(of: Db): Promise<boolean> {
  const { rows } = await sql<{ yes: boolean }>`select pg_is_in_recovery() as yes`.execute(of)
  return rows[0]!.yes
}

const onReplica = (text: string) => withConnection(both.replica.connection, (query) => query(text))

/** How many reads of the server ran where while something was done. */
async function readsDuring(work: () => Promise<void>): Promise<Partial<Record<ReadOn, number>>> {
  const count = async () => {
    const page = await (await fetch(`${server.url}/metrics`)).text()
    const lines = page.matchAll(/^guildhall_replica_reads_total\{on="(\w+)"\} (\d+)$/gm)
    return new Map(Array.from(lines, ([, on, reads]) => [on, Number(reads)]))
  }
  const before = await count()
  await work()
  const after = [...(await count())].map(([on, reads]) => [on, reads - (before.get(on) ?? 0)])
  return Object.fromEntries(after.filter(([, reads]) => reads !== 0))
}

describe('the primary is read, and nobody is refused', () => {
  it('while the replica is away', async () => {
    const { isOnReplica, reads } = open({ ...both.replica.connection, port: 1 })
    expect(await isOnReplica()).toBe(false)
    expect(await isOnReplica()).toBe(false)
    expect(reads).toEqual(['away', 'resting'])
  })

  it('where the address is that of a primary', async () => {
    const { isOnReplica, reads } = open(both.primary.connection)
    expect(await isOnReplica()).toBe(false)
    expect(reads).toEqual(['away'])
  })

  it('while all connections to the replica are in use', async () => {
    const { replica, isOnReplica, reads } = open(both.replica.connection, db, 1)
    await expect.poll(isOnReplica).toBe(true)
    const inside = Promise.withResolvers<void>()
    const finish = Promise.withResolvers<void>()
    const long = replica.run(async () => {
      inside.resolve()
      await finish.promise
    })
    await inside.promise
    expect(await isOnReplica()).toBe(false)
    finish.resolve()
    await long
    expect(reads.slice(-2)).toEqual(['full', 'replica'])
  })

  it('for a query that the replica cancels', async () => {
    const { replica, reads } = open()
    const cancelled = (of: Db) =>
      sql`do $$ begin if pg_is_in_recovery() then raise exception using errcode = '40001'; end if; end $$`
        .execute(of)
        .then(() => isReplica(of))
    const readsAfter = async () => {
      expect(await replica.run(cancelled)).toBe(false)
      return reads
    }
    await expect.poll(readsAfter).toContain('away')
  })

  it('but a rule that refuses has refused, and the replica is not to blame', async () => {
    const { replica, isOnReplica, reads } = open()
    await expect.poll(isOnReplica).toBe(true)
    const before = reads.length
    let runs = 0
    const refused = replica.run(async () => {
      runs += 1
      throw fail('message.unknown')
    })
    await expect(refused).rejects.toMatchObject({ failure: 'message.unknown' })
    expect(runs).toBe(1)
    const broken = replica.run((of) => sql`select 1 / 0`.execute(of))
    await expect(broken).rejects.toMatchObject({ code: '22012' })
    await isOnReplica()
    expect(reads.slice(before)).not.toContain('away')
  })
})

it('what was committed just before is seen on the replica, one commit after the other', async () => {
  await sql`create table tally (n int)`.execute(db)
  await sql`insert into tally values (0)`.execute(db)
  const { replica, isOnReplica } = open()
  let last = 0
  const countOn = async () => {
    last += 1
    await sql`update tally set n = ${last}`.execute(db)
    const read = (of: Db) => sql<{ n: number }>`select n from tally`.execute(of)
    const [{ rows }, ran] = [await replica.run(read), await isOnReplica()]
    expect(rows).toEqual([{ n: last }])
    return ran
  }
  await expect.poll(countOn).toBe(true)
  for (let more = 0; more < 50; more += 1) await countOn()
})

it('also where commits do not wait until they are on the disk', async () => {
  const connection = both.primary.connection
  await sql`create table quick (n int)`.execute(db)
  await sql`alter role guildhall set synchronous_commit = off`.execute(db)
  const quick = openDatabase({ connection })
  for (const n of [1, 2, 3]) {
    await sql`insert into quick values (${n})`.execute(quick.db)
    const { replica } = open(both.replica.connection, quick.db)
    const { rows } = await replica.run((of) => sql`select 1 from quick`.execute(of))
    expect(rows).toHaveLength(n)
  }
  await quick.close()
  await sql`alter role guildhall reset synchronous_commit`.execute(db)
})

describe('history and searches', () => {
  const word = '复制'
  const member = () => server.as('member')
  const channelId = () => server.channel('闲聊')
  const say = async (content: string) => {
    await member().say(channelId(), content)
    await member().call(createPrivate, { target_id: server.idOf('owner'), content, type: 1 })
  }
  /** The newest message of each, and what is found. */
  const read = async () => {
    const [id, { call }] = [channelId(), member()]
    const newest = (messages: readonly { readonly content: string }[]) => messages.at(-1)?.content
    const { items } = await call(listPrivate, { target_id: server.idOf('owner') })
    const code = items[0]?.chat_code
    const found = await call(searchMessages, { q: word })
    return {
      channel: newest(await call(history, { id })),
      listed: newest((await call(listMessages, { target_id: id })).items),
      chat: newest(items),
      room: newest(await call(chatHistory, { code })),
      found: found.items.filter(({ message }) => message.content === newest(items)).length,
    }
  }
  const everywhere = (content: string) => ({
    channel: content,
    listed: content,
    chat: content,
    room: content,
    found: 2,
  })

  it('see what was sent a moment before while the replica replays nothing', async () => {
    await onReplica('select pg_wal_replay_pause()')
    await say(`${word} 一`)
    const reads = await readsDuring(async () => expect(await read()).toEqual(everywhere(`${word} 一`)))
    expect(reads).toMatchObject({ resting: expect.any(Number) })
    expect(reads).not.toHaveProperty('replica')
    await onReplica('select pg_wal_replay_resume()')
  })

  it('see it on the replica once that follows', async () => {
    await say(`${word} 二`)
    const readOnce = () => readsDuring(async () => expect(await read()).toEqual(everywhere(`${word} 二`)))
    await expect.poll(readOnce).toEqual({ replica: expect.any(Number) })
    const doctor = async () => (await server.command<Diagnosis>('doctor')).findings
    const healthy = expect.objectContaining({ check: 'replica', says: expect.stringMatching(/after \d+ ms/) })
    await expect.poll(doctor).toContainEqual(healthy)
  })

  it('refuse nobody when the replica is killed in the middle, and run there again when it is back', async () => {
    const { replica, isOnReplica } = open()
    const inside = Promise.withResolvers<void>()
    const long = replica.run(async (of) => {
      inside.resolve()
      await sql`select pg_sleep(case when pg_is_in_recovery() then 60 else 0 end)`.execute(of)
      return isReplica(of)
    })
    await inside.promise
    let isOver = false
    const reading = [1, 2, 3].map(async () => {
      while (!isOver) expect(await read()).toEqual(everywhere(`${word} 二`))
    })
    await both.replica.kill()
    expect(await long).toBe(false)
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
    isOver = true
    await Promise.all(reading)
    await both.replica.start({ asStandby: true, from: both.primary.connection })
    await expect.poll(isOnReplica).toBe(true)
  })
})

it('a former primary that has more in its log than the new one is not trusted', async () => {
  await closeServer()
  await both.replica.kill()
  const former = both.primary
  await withConnection(former.connection, async (query) => {
    await query(`select pg_logical_emit_message(true, 'more', repeat('x', 1000000))`)
  })
  await former.stop()
  await former.start({ asStandby: true })
  await both.replica.start()
  const present = openDatabase({ connection: both.replica.connection })
  await sql`create table note as select 1 as id`.execute(present.db)
  const [at] = await withConnection(former.connection, (query) =>
    query('select pg_last_wal_replay_lsn() as lsn'),
  )
  const { rows } = await sql<{ isBehind: boolean }>`
    select pg_current_wal_insert_lsn() < ${at?.lsn}::pg_lsn as "isBehind"`.execute(present.db)
  expect(rows).toEqual([{ isBehind: true }])
  const { replica, reads } = open(former.connection, present.db)
  const found = await replica.run((of) => sql`select id from note`.execute(of))
  expect(found.rows).toEqual([{ id: 1 }])
  expect(reads).not.toContain('replica')
  await present.close()
})
