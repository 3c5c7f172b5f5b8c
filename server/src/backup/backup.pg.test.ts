import { createHash } from 'node:crypto'
import { copyFile, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { faultsOfMoney } from '../app/payments.ts'
import { openDatabase, SERVER_NAME, withConnection } from '../kit/database/db.ts'
import { readMigrations } from '../kit/database/migrate.ts'
import { OperatorError } from '../kit/operatorError.ts'
import { openDisk } from '../outside/storage/disk.ts'
import type { Storage } from '../outside/storage/storage.ts'
import { openTestDatabase, type TestDatabase } from '../testing/database/database.ts'
import { liveThrough } from '../testing/liveThrough.ts'
import { openPayWorld, type PayWorld } from '../testing/pay/payWorld.ts'
import { backup } from './backup.ts'
import { type RestoreTarget, restore } from './restore.ts'
import { quoted, readTables, tableKey } from './tables.ts'

const MIGRATIONS = path.join(import.meta.dirname, '../../migrations')
const PASSPHRASE = 'correct horse battery staple'

let server: PayWorld
let directory: string
let file: string
let source: Storage
/** The rows that `file` has. */
let lived: Map<string, unknown[]>
beforeAll(async () => {
  server = await openPayWorld()
  directory = await mkdtemp(path.join(tmpdir(), 'guildhall-backup-'))
  file = path.join(directory, 'all.backup')
  source = openDisk(path.join(server.dataDir, 'uploads'))
  await server.as('owner').upload(Buffer.from(new Uint8Array(6_000_000).map((_, at) => at % 251)), 'big.bin')
  await liveThrough(server)
  lived = await backUp(file, null)
})
afterAll(async () => {
  await server?.close()
  await rm(directory, { recursive: true, force: true })
})

let database: TestDatabase
let uploads: string
beforeEach(async () => {
  database = await openTestDatabase()
  uploads = await mkdtemp(path.join(directory, 'uploads-'))
})
afterEach(() => database.close())

const takeBackup = (to: string, passphrase: string | null) =>
  backup({ connection: server.database.connection, storage: source, now: 1_711_101_899_861 }, to, passphrase)

/**
 * Takes a backup, and returns the rows that it has. The server goes on with its work of every minute: what
 * changed meanwhile is backed up again.
 */
async function backUp(to: string, passphrase: string | null): Promise<Map<string, unknown[]>> {
  for (;;) {
    const before = await rowsOf(server.database)
    await takeBackup(to, passphrase)
    if (isDeepStrictEqual(before, await rowsOf(server.database))) return before
  }
}

async function targetOf(it: Partial<RestoreTarget> = {}): Promise<RestoreTarget> {
  return {
    connection: database.connection,
    storage: openDisk(uploads),
    incoming: path.join(uploads, 'incoming'),
    migrations: await readMigrations(MIGRATIONS),
    replaces: false,
    ...it,
  }
}

/** Every row of every table as text, in an order that does not depend on where it is stored. */
const rowsOf = ({ connection }: TestDatabase): Promise<Map<string, unknown[]>> =>
  withConnection(connection, async (query) => {
    const found = new Map<string, unknown[]>()
    for (const table of await readTables(query)) {
      // The running server works on its jobs, counts its day, and writes its security log a moment after what
      // happened.
      if (table.schema === 'jobs' || ['security_event', 'number_day'].includes(table.name)) continue
      const rows = await query(`select it::text as row from ${quoted(table)} it order by 1`)
      found.set(
        tableKey(table),
        rows.map(({ row }) => row),
      )
    }
    return found
  })

/** Tables without rows in what is backed up: what lasts for minutes, such as connections. */
const EMPTY = [
  'public.asset_arrival',
  'public.captcha_used',
  'public.line_journal',
  'public.line_node',
  'public.line_place',
  'public.line_session',
  'public.phone_code',
  'public.third_party_used',
]

it('the server that is backed up has rows in every table', () => {
  expect([...lived].filter(([, of]) => of.length === 0).map(([name]) => name)).toEqual(EMPTY)
})

const refusal = (input: Promise<unknown>): Promise<string> =>
  input.then(
    () => 'not refused',
    (error: unknown) => (error instanceof OperatorError ? error.message : `${error}`),
  )

async function copyOf(name: string): Promise<string> {
  const copy = path.join(directory, name)
  await copyFile(file, copy)
  return copy
}

it('refuses a file that is missing, cut off or changed, and leaves the database as it is', async () => {
  const before = await rowsOf(database)
  const cut = await copyOf('cut.backup')
  await truncate(cut, (await stat(cut)).size - 1_000)
  const changed = await copyOf('changed.backup')
  const bytes = await readFile(changed)
  bytes[bytes.length >> 1]! ^= 0x10
  await writeFile(changed, bytes)
  const target = await targetOf({ replaces: true })
  const missing = path.join(directory, 'missing.backup')
  expect(await refusal(restore(target, missing, null))).toBe(`${missing} cannot be read: ENOENT.`)
  for (const bad of [cut, changed])
    expect(await refusal(restore(target, bad, null))).toBe(`${bad} is not a whole backup of Guildhall.`)
  expect(await rowsOf(database)).toEqual(before)
})

it('refuses a database that has people, unless it may replace them', async () => {
  await restore(await targetOf(), file, null)
  expect(await refusal(restore(await targetOf(), file, null))).toMatch(/not empty.*--yes/)
  await restore(await targetOf({ replaces: true }), file, null)
  expect(await rowsOf(database)).toEqual(lived)
})

it('refuses a database that a server uses', async () => {
  const running = openDatabase({ connection: database.connection, name: SERVER_NAME })
  await running.pool.query('select 1')
  expect(await refusal(restore(await targetOf(), file, null))).toMatch(/^A server uses this database/)
  await running.close()
})

it('refuses the backup of a version that it does not know', async () => {
  const migrations = (await readMigrations(MIGRATIONS)).slice(0, -1)
  expect(await refusal(restore(await targetOf({ migrations }), file, null))).toMatch(/of another version/)
})

it('restores every row, every number and every file', async () => {
  const restored = await restore(await targetOf(), file, null)
  expect(restored).toMatchObject({ createdAt: 1_711_101_899_861, migrated: [] })
  expect(restored.files).toBeGreaterThan(0)
  const [theirs, ours] = [lived, await rowsOf(database)]
  expect([...theirs.values()].flat().length).toBeGreaterThan(100)
  expect(ours).toEqual(theirs)
  const { rows } = await database.pool.query('select key, sha256 from asset')
  for (const { key, sha256 } of rows)
    expect(
      createHash('sha256')
        .update(await readFile(path.join(uploads, key)))
        .digest(),
    ).toEqual(sha256)
  const next = ({ pool }: TestDatabase) => pool.query('select last_value, is_called from user_id_seq')
  expect((await next(database)).rows).toEqual((await next(server.database)).rows)
})

it('restores books that agree, and a ledger to which nobody can write what does not balance', async () => {
  await restore(await targetOf(), file, null)
  const restored = openDatabase({ connection: database.connection, name: 'test' })
  expect(await faultsOfMoney(restored.db)).toEqual([])
  await restored.close()
  await expect(database.pool.query(`delete from ledger_line`)).rejects.toThrow(/append-only/)
  await expect(
    database.pool.query(`
      with entry as (insert into ledger_entry (kind, ref, at) values ('pay', 'x', 1) returning id)
      insert into ledger_line (entry_id, account, amount) select entry.id, (select name from ledger_account limit 1), 1 from entry`),
  ).rejects.toThrow(/does not balance/)
})

it('keeps foreign keys after a restore', async () => {
  await restore(await targetOf(), file, null)
  await expect(
    database.pool.query(`insert into membership (guild_id, user_id, joined_at) values (1, 1, 1)`),
  ).rejects.toThrow(/foreign key/)
})

it('takes one moment of the database, while messages are sent', async () => {
  const channel = server.main.id
  let isOver = false
  let sent = 0
  const sending = (async () => {
    while (!isOver) {
      sent += 1
      await server.as('owner').say(channel, `${sent}`, { type: 1, nonce: `backup-${sent}` })
      // Far below the limit of the protocol, however long the backup takes.
      await sleep(100)
    }
  })()
  await expect.poll(() => sent).toBeGreaterThan(5)
  const busy = path.join(directory, 'busy.backup')
  await takeBackup(busy, null)
  isOver = true
  await sending
  await restore(await targetOf(), busy, null)
  // A message, its event and the guild's next event number are stored by one transaction.
  const { rows } = await database.pool.query(
    `select (select count(*) from message where nonce like 'backup-%')::int as messages,
       (select count(*) from message where nonce like 'backup-%' and not exists (
          select 1 from event_log it where it.guild_id = message.guild_id and it.body::text like '%' || message.id || '%'
       ))::int as torn,
       (select bool_and(event_seq = (select max(seq) from event_log it where it.guild_id = counter.guild_id))
          from guild_counter counter where exists (select 1 from event_log it where it.guild_id = counter.guild_id)
       ) as counted`,
  )
  expect(rows[0]).toMatchObject({ torn: 0, counted: true })
  expect(rows[0].messages).toBeGreaterThanOrEqual(5)
})

it('is encrypted with a passphrase, without which nothing of it is readable', async () => {
  const secret = path.join(directory, 'secret.backup')
  const rows = await backUp(secret, PASSPHRASE)
  const target = await targetOf()
  expect(await refusal(restore(target, secret, null))).toMatch(/is encrypted: name the file/)
  expect(await refusal(restore(target, secret, 'wrong'))).toMatch(/cannot be decrypted with this passphrase/)
  await restore(target, secret, PASSPHRASE)
  expect(await rowsOf(database)).toEqual(rows)
})

it('leaves no half file behind when it cannot be written', async () => {
  const before = await readdir(directory)
  const failing: Storage = { ...source, open: () => Promise.reject(new Error('the disk is gone')) }
  await expect(
    backup(
      { connection: server.database.connection, storage: failing, now: 1 },
      path.join(directory, 'no.backup'),
      null,
    ),
  ).rejects.toThrow('the disk is gone')
  expect(await readdir(directory)).toEqual(before)
})

it('is readable by its owner alone', async () => {
  expect((await stat(file)).mode & 0o777).toBe(0o600)
})
