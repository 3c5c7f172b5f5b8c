import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { zstdDecompress } from 'node:zlib'
import { login } from '@guildhall/wire/auth/login.ts'
import { updateSelf } from '@guildhall/wire/auth/owner.ts'
import { beginSecondFactor, confirmSecondFactor } from '@guildhall/wire/auth/secondFactor.ts'
import { MINUTE_MS } from '@guildhall/wire/unit.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type App, startApp } from '../app/app.ts'
import { codeNow, enrolSecondFactor } from '../auth/auth.ts'
import { readConfig } from '../config.ts'
import { replaceClock } from '../kit/clock.ts'
import { keysOf } from '../kit/crypto/keys.ts'
import { transaction } from '../kit/database/db.ts'
import { openLog } from '../kit/log.ts'
import { OperatorError } from '../kit/operatorError.ts'
import { answerIn, newNetwork, type Person, requestOf } from '../testing/calls.ts'
import { KEYS_SECRET } from '../testing/keys.ts'
import { insertBuyers } from '../testing/pay/payFlood.ts'
import { openWorld, type TestWorld } from '../testing/world.ts'
import { runCommand } from './cli.ts'
import { checkSealed } from './doctor/sealed.ts'

const PASSWORD = 'secret1'
const OTHER = Buffer.alloc(32, 9).toString('base64')
const OTHER_TOO = Buffer.alloc(32, 10).toString('base64')

let world: TestWorld
let directory: string
let file: string
beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'guildhall-keys-'))
  file = path.join(directory, 'shared.keys')
  await writeFile(file, `${KEYS_SECRET}\n`, { mode: 0o600 })
  world = await openWorld({ KEYS_SECRET: '', KEYS_FILE: file })
  // More than a rotation seals at once.
  const people = await insertBuyers(world.database.db, 300)
  const keys = keysOf({ secret: null, former: null, file })
  await transaction(world.database.db, async (tx) => {
    for (const id of people) await enrolSecondFactor(tx, id, keys)
  })
})
afterAll(async () => {
  await world?.close()
  await rm(directory, { recursive: true, force: true })
})

const configOf = (env: Record<string, string> = { KEYS_FILE: file }) =>
  readConfig({ DATABASE_URL: world.database.url, DATA_DIR: path.join(directory, 'data'), ...env }, '/')
const run = (line: string, env?: Record<string, string>) =>
  runCommand(line.split(' '), configOf(env)) as Promise<Record<string, unknown>>
const refusal = (work: Promise<unknown>) =>
  work.then(
    () => 'not refused',
    (error: unknown) => (error instanceof OperatorError ? error.message : String(error)),
  )
const keysIn = async (from: string) =>
  (await readFile(from, 'utf8')).split('\n').filter((line) => line !== '' && !line.startsWith('#'))
const stateOf = async (env?: Record<string, string>) =>
  (await checkSealed(world.database.db, configOf(env)))[0]

/** Somebody with a second factor and recovery codes. */
async function guarded(): Promise<{ readonly mobile: string; readonly recovery: string[]; secret: string }> {
  const person = await world.newcomer()
  await person.call(updateSelf, { password: PASSWORD })
  const { secret, setup } = await person.call(beginSecondFactor, { owner: { password: PASSWORD } })
  const { recovery_codes } = await person.call(confirmSecondFactor, { setup, code: codeNow(secret) })
  return { mobile: person.mobile, recovery: recovery_codes, secret }
}
const enter = ({ mobile }: { mobile: string }, second_factor: string, call?: Person['call']) =>
  (call ?? world.as(null, { ip: newNetwork() }).call)(login, { mobile, password: PASSWORD, second_factor })

describe('keys create', () => {
  it('is refused where there is a file, or a variable, and changes neither', async () => {
    expect(await refusal(run('keys create'))).toMatch(/is there already, and stays/)
    expect(await keysIn(file)).toEqual([KEYS_SECRET])
    expect(await refusal(run('keys create', { KEYS_SECRET }))).toMatch(/KEYS_SECRET is set/)
  })

  it('makes a file that its account alone reads, without a database', async () => {
    const made = path.join(directory, 'new/made.keys')
    const config = readConfig({ KEYS_FILE: made, DATA_DIR: path.join(directory, 'nothing') }, '/')
    expect(await runCommand(['keys', 'create'], config)).toEqual({ created: made })
    expect((await stat(made)).mode & 0o777).toBe(0o600)
    expect(await keysIn(made)).toHaveLength(1)
    expect(existsSync(path.join(directory, 'nothing'))).toBe(false)
  })
})

describe('keys rotate', () => {
  it('is refused without a former key in the variable, and with keys of another database', async () => {
    expect(await refusal(run('keys rotate', { KEYS_SECRET }))).toMatch(/KEYS_SECRET_OLD to the present one/)
    expect(await refusal(run('keys rotate', { KEYS_SECRET: OTHER, KEYS_SECRET_OLD: OTHER_TOO }))).toMatch(
      /are not those/,
    )
    expect(await stateOf()).toMatchObject({ health: 'ok' })
  })

  it('seals everything again while people log in, at two nodes', async () => {
    const config = { ...configOf(), demo: false }
    const other: App = await startApp({ config, database: world.database, log: openLog('quiet') })
    const atOther: Person['call'] = async (route, input) =>
      answerIn(route, await other.inject({ ...requestOf(route, input), remoteAddress: newNetwork() }))
    const people = await Promise.all([guarded(), guarded(), guarded(), guarded()])
    const logins = people.flatMap((person, n) =>
      person.recovery
        .slice(0, 3)
        .map((code, at) => () => enter(person, code, (n + at) % 2 === 0 ? atOther : undefined)),
    )
    const entered = (async () => {
      for (const each of logins) await each()
    })()
    const [rotated, late] = await Promise.all([run('keys rotate'), guarded(), entered])
    expect(rotated).toMatchObject({ keys: file })
    expect(Number(rotated.sealed_again)).toBeGreaterThan(300)
    const [now, ...former] = await keysIn(file)
    expect([now === KEYS_SECRET, former]).toEqual([false, []])
    expect(await stateOf()).toMatchObject({ health: 'ok' })
    expect(await stateOf({ KEYS_SECRET })).toMatchObject({ health: 'bad' })
    const restore = replaceClock(() => Date.now() + MINUTE_MS)
    for (const person of [...people, late]) {
      await enter(person, codeNow(person.secret), atOther)
      await enter(person, person.recovery[5]!)
      await expect(enter(person, person.recovery[5]!)).rejects.toMatchObject({
        failure: 'auth.second_factor_wrong',
      })
    }
    restore()
    await other.close()
  })

  it('goes on where it was killed, and meanwhile both keys open', async () => {
    const person = await guarded()
    const { db } = world.database
    const { rows } = await sql<{ id: string }>`
      select user_id::text as id from second_factor order by user_id desc limit 1 offset 20`.execute(db)
    await sql`create function cut() returns trigger language plpgsql as
      $$ begin raise exception 'cut'; end $$`.execute(db)
    await sql`create trigger cut before update on second_factor for each row
      when (old.user_id = ${sql.lit(rows[0]!.id)}) execute function cut()`.execute(db)
    const before = await keysIn(file)
    expect(await refusal(run('keys rotate'))).toMatch(/cut/)
    const between = await keysIn(file)
    expect(between).toEqual([expect.any(String), ...before])
    expect(await stateOf()).toMatchObject({ health: 'ok' })
    await enter(person, person.recovery[0]!)
    await sql`drop trigger cut on second_factor`.execute(db)
    await run('keys rotate')
    expect(await keysIn(file)).toEqual(between.slice(0, 1))
    expect(await stateOf()).toMatchObject({ health: 'ok' })
    await enter(person, person.recovery[1]!)
  })

  it('moves from the file to a variable, and can be repeated', async () => {
    const [former] = await keysIn(file)
    const both = { KEYS_SECRET: OTHER, KEYS_SECRET_OLD: former! }
    // Until the rotation nodes with the former key alone open what those with both seal.
    expect(await stateOf(both)).toMatchObject({ health: 'ok' })
    expect(Number((await run('keys rotate', both)).sealed_again)).toBeGreaterThan(300)
    expect(await run('keys rotate', both)).toMatchObject({ keys: 'KEYS_SECRET', sealed_again: 0 })
    expect(await stateOf({ KEYS_SECRET: OTHER })).toMatchObject({ health: 'ok' })
    expect(await stateOf()).toMatchObject({ health: 'bad' })
    await run('keys rotate', { KEYS_SECRET: former!, KEYS_SECRET_OLD: OTHER })
  })
})

it('a backup has no key, neither as it is nor as text', async () => {
  const taken = path.join(directory, 'taken')
  await run(`backup ${taken} --plain`)
  const content = await promisify(zstdDecompress)(await readFile(taken))
  expect(content.includes('second_factor')).toBe(true)
  for (const text of await keysIn(file)) {
    const key = Buffer.from(text, 'base64')
    for (const form of [key, text, key.toString('base64url'), key.toString('hex')])
      expect(content.includes(form)).toBe(false)
  }
})

it('a backup that is verified or restored says that it needs its keys, and whether they are here', async () => {
  const lines: string[] = []
  const taken = path.join(directory, 'taken')
  await runCommand(['backup', 'verify', taken], configOf(), (line) => lines.push(line))
  expect(lines.join('\n')).toMatch(/in no backup: whoever restores it needs those/)
  const target = readConfig({ DATA_DIR: path.join(directory, 'restored'), KEYS_SECRET: OTHER }, '/')
  await runCommand(['restore', taken], target, (line) => lines.push(line))
  expect(lines.at(-1)).toMatch(/The backup does not have its keys\. .+ are not those that sealed/)
})

describe('keys forget', () => {
  it('needs --yes, and ends the second factors that the keys here do not open', async () => {
    const { db } = world.database
    const person = await guarded()
    const lost = { KEYS_SECRET: OTHER }
    expect(await refusal(run('keys forget', lost))).toMatch(/\d+ second factors that they do not open/)
    expect(await stateOf()).toMatchObject({ health: 'ok' })
    await run('keys forget --yes', lost)
    expect(await stateOf(lost)).toMatchObject({ health: 'ok' })
    expect(await db.selectFrom('second_factor').selectAll().execute()).toEqual([])
    await writeFile(file, `${OTHER}\n`)
    await enter(person, '')
    expect((await guarded()).recovery).toHaveLength(10)
  })
})
