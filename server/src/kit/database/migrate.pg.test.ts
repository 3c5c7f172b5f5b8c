import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../../testing/database/database.ts'
import { inDatabase, quoteName, withConnection } from './db.ts'
import { MigrationError, migrate, readMigrations } from './migrate.ts'
import { RENAMED } from './migrationNames.ts'
import { MIGRATIONS } from './store.ts'

let home: TestDatabase
let directory: string
const database = 'blank'

beforeEach(async () => {
  home = await openTestDatabase()
  await withConnection(home.connection, (query) => query(`create database ${quoteName(database)}`))
  directory = await mkdtemp(path.join(tmpdir(), 'migrations-'))
})
afterEach(async () => {
  await withConnection(home.connection, (query) => query(`drop database ${quoteName(database)} with (force)`))
  await home.close()
  await rm(directory, { recursive: true })
})

const blank = () => inDatabase(home.connection, database)
const write = (name: string, sql: string) => writeFile(path.join(directory, name), sql)
const apply = async () => migrate(blank(), await readMigrations(directory))
const tables = () =>
  withConnection(blank(), async (query) => {
    const rows = await query("select tablename from pg_tables where schemaname = 'public' order by 1")
    return rows.map((row) => row.tablename)
  })

it('a file that changed after it was applied is refused by name', async () => {
  await write('0001-one.sql', 'create table one ()')
  await apply()
  await write('0001-one.sql', 'create table other ()')
  await expect(apply()).rejects.toThrow(/^0001-one\.sql was changed/)
})

it('a later migration that breaks this version is refused', async () => {
  await write('0001-one.sql', 'create table one ()')
  await write('0002-two.sql', '-- breaks the version before: it reads one.\ndrop table one')
  await apply()
  await rm(path.join(directory, '0002-two.sql'))
  await expect(apply()).rejects.toThrow(/0002-two\.sql .*older/)
})

it('an applied migration that is missing among the known ones is refused', async () => {
  await write('0001-one.sql', 'create table one ()')
  await write('0002-two.sql', 'create table two ()')
  await apply()
  await rm(path.join(directory, '0001-one.sql'))
  await expect(apply()).rejects.toThrow(/0001-one\.sql .*older/)
})

it('later migrations that break nothing are accepted, so that a node may be put back', async () => {
  await write('0001-one.sql', 'create table one ()')
  await write('0002-two.sql', '-- Two.\ncreate table two ()')
  await apply()
  await rm(path.join(directory, '0002-two.sql'))
  expect(await apply()).toEqual([])
})

it('a file numbered before an applied one is refused', async () => {
  await write('0002-two.sql', 'create table two ()')
  await apply()
  await write('0001-one.sql', 'create table one ()')
  await expect(apply()).rejects.toThrow(/^0001-one\.sql comes before 0002-two\.sql/)
})

it('two files with one number, and a file with a strange name, are refused', async () => {
  await write('0001-one.sql', '')
  await write('0001-other.sql', '')
  await expect(apply()).rejects.toThrow(/same number/)
  await rm(path.join(directory, '0001-other.sql'))
  await write('two.sql', '')
  await expect(apply()).rejects.toThrow(MigrationError)
})

it('a file that fails half-way leaves no trace, and the ones before it stay', async () => {
  await write('0001-one.sql', 'create table one ()')
  await write('0002-two.sql', 'create table two (); select 1 / 0')
  await expect(apply()).rejects.toThrow(/^0002-two\.sql did not apply: division by zero/)
  expect(await tables()).toEqual(['migration', 'one'])
  await write('0002-two.sql', 'create table two ()')
  expect(await apply()).toEqual(['0002-two.sql'])
})

it('files apply once, in order, and Windows line ends change nothing', async () => {
  await write('0001-one.sql', 'create table one (\n)')
  await write('0002-two.sql', 'alter table one add column id int')
  expect(await apply()).toEqual(['0001-one.sql', '0002-two.sql'])
  await write('0001-one.sql', 'create table one (\r\n)')
  expect(await apply()).toEqual([])
})

it('several processes that start at once apply each file once', async () => {
  await write('0001-one.sql', 'create table one ()')
  const applied = await Promise.all([apply(), apply(), apply()])
  expect(applied.flat()).toEqual(['0001-one.sql'])
})

it('the files of this repository are readable and in order', async () => {
  const files = await readMigrations(path.join(import.meta.dirname, '../../../migrations'))
  expect(files.map(({ name }) => name)).toEqual(files.map(({ name }) => name).toSorted())
})

it('a file that was renamed is known under its first name, in old databases and in new ones', async () => {
  const [file, first] = Object.entries(RENAMED)[0]!
  await write(first, 'create table one ()')
  expect(await apply()).toEqual([first])
  await rm(path.join(directory, first))
  await write(file, 'create table one ()')
  expect(await apply()).toEqual([])
  const files = (await readMigrations(MIGRATIONS)).map((each) => each.file)
  expect(files).toEqual(expect.arrayContaining(Object.keys(RENAMED)))
  expect(files.filter((each) => Object.values(RENAMED).includes(each))).toEqual([])
})
