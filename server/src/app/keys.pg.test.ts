import { createHmac } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { login } from '@guildhall/wire/auth/login.ts'
import type { UserId } from '@guildhall/wire/id.ts'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { codeNow } from '../auth/auth.ts'
import { readConfig } from '../config.ts'
import { seal, unseal } from '../kit/crypto/seal.ts'
import { readSecret } from '../kit/crypto/secrets.ts'
import type { Db } from '../kit/database/db.ts'
import { openLog } from '../kit/log.ts'
import { newNetwork } from '../testing/calls.ts'
import { KEYS_SECRET } from '../testing/keys.ts'
import { openWorld, type TestWorld } from '../testing/world.ts'
import { openKeys } from './keys.ts'

const RECOVERY = 'ABCDE23456'
const purposeOf = (userId: string) => `second factor of ${userId}`

let world: TestWorld
let directory: string
let db: Db
beforeAll(async () => {
  world = await openWorld()
  db = world.database.db
  directory = await mkdtemp(path.join(tmpdir(), 'guildhall-keys-'))
})
afterAll(async () => {
  await world?.close()
  await rm(directory, { recursive: true, force: true })
})

const open = (env: Record<string, string> = { KEYS_SECRET }) => {
  const { keys, production } = readConfig(
    { DATA_DIR: path.join(directory, 'data'), SMS_PROVIDER: 'outbox', ...env },
    '/',
  )
  return openKeys({ keys, production }, db, openLog('quiet'))
}

/** Whose second factor somebody opens who has the database alone. */
async function openedByDatabase(): Promise<UserId[]> {
  const keys = await db.selectFrom('secret').select('value').execute()
  const sealed = await db.selectFrom('second_factor').select(['user_id', 'secret']).execute()
  return sealed
    .filter((row) => keys.some(({ value }) => unseal(value, purposeOf(row.user_id), row.secret) !== null))
    .map(({ user_id }) => user_id)
}

/** As versions before had it: keys in the database, secrets sealed and recovery codes hashed by them. */
async function asBefore(): Promise<void> {
  const { id, second_factor } = world.people.staff
  const [key, salt] = [await readSecret(db, 'second factor'), await readSecret(db, 'recovery code')]
  const secret = seal(key, purposeOf(id), second_factor)
  const hash = createHmac('sha256', salt).update(`${id} ${RECOVERY}`).digest()
  await sql`update second_factor set secret = ${secret}, recovery = array[${hash}::bytea], used_steps = '{}'
    where user_id = ${id}`.execute(db)
}

/** Logs in on a page, which people with a second factor of staff may as well. */
async function enter(secondFactor: string): Promise<string> {
  const { mobile, password, id } = world.people.staff
  await db.updateTable('second_factor').set({ used_steps: [] }).where('user_id', '=', id).execute()
  const input = { mobile, password, second_factor: secondFactor }
  return (await world.as(null, { ip: newNetwork() }).call(login, input)).user.id
}

describe('a start is refused', () => {
  it('in production without keys, with a sentence that says what to do, and makes none', async () => {
    const file = path.join(directory, 'data.keys')
    await expect(
      openKeys({ keys: { secret: null, former: null, file }, production: true }, db, openLog('quiet')),
    ).rejects.toThrow(/data\.keys is missing\. Make it once by cli keys create/)
    expect(existsSync(file)).toBe(false)
  })

  it('with a file that is no file of keys, which stays', async () => {
    const file = path.join(directory, 'broken.keys')
    await writeFile(file, 'no key\n')
    await expect(open({ KEYS_FILE: file })).rejects.toThrow('Put the right one back')
    expect(await readFile(file, 'utf8')).toBe('no key\n')
  })

  it('with other keys than those of the database, which loses nothing', async () => {
    const other = Buffer.alloc(32, 9).toString('base64')
    await expect(open({ KEYS_SECRET: other })).rejects.toThrow(/are not those that sealed/)
    // As a second node whose file is its own.
    await expect(open({ KEYS_FILE: path.join(directory, 'own.keys') })).rejects.toThrow(/several nodes share/)
    expect(await enter(codeNow(world.people.staff.second_factor))).toBe(world.people.staff.id)
  })
})

it('outside of production keys are made beside the data directory, for its account alone', async () => {
  await sql`delete from secret where name = 'mark of the key'`.execute(db)
  await open({})
  const file = path.join(directory, 'data.keys')
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  await sql`delete from secret where name = 'mark of the key'`.execute(db)
  await open()
})

describe('the database of a version before', () => {
  beforeEach(asBefore)
  afterEach(() => sql`drop trigger if exists cut on second_factor`.execute(db))

  it('opens no second factor by itself any more, and its codes stay right', async () => {
    const { staff } = world.people
    expect(await openedByDatabase()).toEqual([staff.id])
    await open()
    expect(await openedByDatabase()).toEqual([])
    const { rows } =
      await sql`select name from secret where name in ('second factor', 'recovery code')`.execute(db)
    expect(rows).toEqual([])
    expect(await enter(codeNow(staff.second_factor))).toBe(staff.id)
    expect(await enter(RECOVERY)).toBe(staff.id)
    await expect(enter(RECOVERY)).rejects.toMatchObject({ failure: 'auth.second_factor_wrong' })
  })

  it('is whole when the start is killed in between, and the next one does it', async () => {
    await sql`create or replace function cut() returns trigger language plpgsql as
      $$ begin raise exception 'cut'; end $$`.execute(db)
    await sql`create trigger cut before update of secret on second_factor execute function cut()`.execute(db)
    await expect(open()).rejects.toThrow('cut')
    expect(await openedByDatabase()).toEqual([world.people.staff.id])
    await sql`drop trigger cut on second_factor`.execute(db)
    await open()
    expect(await openedByDatabase()).toEqual([])
    expect(await enter(RECOVERY)).toBe(world.people.staff.id)
  })

  it('is sealed once by nodes that start at the same time', async () => {
    await Promise.all([open(), open(), open()])
    expect(await openedByDatabase()).toEqual([])
    expect(await enter(RECOVERY)).toBe(world.people.staff.id)
  })
})
