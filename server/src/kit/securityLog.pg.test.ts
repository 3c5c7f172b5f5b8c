import { Writable } from 'node:stream'
import { logout, sendCode } from '@guildhall/wire/auth/auth.ts'
import { login, verifyCodeLogin } from '@guildhall/wire/auth/login.ts'
import type { UserId } from '@guildhall/wire/id.ts'
import { DAY_MS, MINUTE_MS, SECOND_MS } from '@guildhall/wire/unit.ts'
import { me } from '@guildhall/wire/user/me.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp } from '../app/app.ts'
import { runCommand } from '../cli/cli.ts'
import { readConfig } from '../config.ts'
import { readWorld } from '../demo/world.ts'
import { answerIn, type Refused, requestOf } from '../testing/calls.ts'
import { openTestDatabase, type TestDatabase } from '../testing/database/database.ts'
import { KEYS_SECRET } from '../testing/keys.ts'
import type { TestWorld } from '../testing/world.ts'
import { clock, replaceClock } from './clock.ts'
import { openLog } from './log.ts'
import { SECURITY_KEPT_MS } from './retention.ts'
import { listSecurityEvents, openSecurityLog, recordSecurity, trimSecurityEvents } from './securityLog.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.close())
const all = () => listSecurityEvents(database.db, { since: 0, limit: 1_000 })
const empty = () => sql`delete from security_event`.execute(database.db)

describe('the security log', () => {
  it('counts equal refusals of a minute in one row, and different ones apart', async () => {
    await empty()
    let now = Date.now()
    const undo = replaceClock(() => now)
    const log = openSecurityLog(database.db, openLog('quiet'))
    const refusal = { kind: 'login', network: '192.0.2.1', failure: 'auth.password_wrong' } as const
    for (let count = 0; count < 500; count++) log.record(refusal)
    log.record({ ...refusal, network: '192.0.2.2' })
    log.record({ kind: 'login', network: '192.0.2.1', userId: '5' as UserId })
    await log.flush()
    now += MINUTE_MS
    await log.flush()
    log.record(refusal)
    await log.close()
    undo()
    expect((await all()).reverse().map(({ place, failure, times }) => [place, failure, times])).toEqual([
      ['192.0.2.1', 'auth.password_wrong', 1],
      ['192.0.2.2', 'auth.password_wrong', 1],
      ['192.0.2.1', '', 1],
      ['192.0.2.1', 'auth.password_wrong', 499],
      ['192.0.2.1', 'auth.password_wrong', 1],
    ])
  })

  it('stays small under refusals from a hundred thousand networks, and keeps what was done', async () => {
    await empty()
    const log = openSecurityLog(database.db, openLog('quiet'))
    for (let network = 0; network < 100_000; network++)
      log.record({ kind: 'login', network: `place ${network}`, failure: 'auth.password_wrong' })
    log.record({ kind: 'login', userId: '5' as UserId })
    await log.close()
    const { rows } = await sql<{ n: number; times: number; logins: number }>`
      select count(*)::int as n, sum(times)::int as times, count(user_id)::int as logins
      from security_event`.execute(database.db)
    expect(rows[0]?.n).toBeLessThan(2_100)
    expect(rows[0]).toMatchObject({ times: 100_001, logins: 1 })
  })

  it('is deleted after half a year', async () => {
    await empty()
    const undo = replaceClock(() => Date.now() - SECURITY_KEPT_MS - DAY_MS)
    await recordSecurity(database.db, { kind: 'old' }).finally(undo)
    await recordSecurity(database.db, { kind: 'new' })
    await trimSecurityEvents(database.db, SECURITY_KEPT_MS)
    expect((await all()).map(({ kind }) => kind)).toEqual(['new'])
  })
})

describe('a whole login', () => {
  const lines: string[] = []
  let app: TestWorld['app']
  let people: Awaited<ReturnType<typeof readWorld>>['people']
  beforeAll(async () => {
    const out = new Writable({
      write(chunk, _encoding, done) {
        lines.push(String(chunk))
        done()
      },
    })
    const config = readConfig({ KEYS_SECRET, DATABASE_URL: database.url, FETCH_OUTSIDE: '0' }, '/')
    app = await startApp({ config, database, log: openLog('json', out), webDir: '/nowhere' })
    people = (await readWorld(database.db)).people
    await empty()
  })
  afterAll(() => app.close())

  const call = async <R extends Parameters<typeof requestOf>[0]>(route: R, input: object, token?: string) => {
    const headers = { 'content-type': 'application/json', ...(token && { authorization: token }) }
    return answerIn(
      route,
      await app.inject({ ...requestOf(route, input), headers, remoteAddress: '192.0.2.77' }),
    )
  }
  const failing = (promise: Promise<unknown>) =>
    promise.then(
      () => null,
      (error: unknown) => (error as Refused).failure,
    )

  it('leaves its traces in both logs, and no number, code, token or password in either', async () => {
    const { mobile, password, id } = people.member!
    const wrong = 'not-the-password'
    expect(await failing(call(login, { mobile, password: wrong }))).toBe('auth.password_wrong')
    const first = await call(login, { mobile, password })
    await call(me, {}, first.token)
    await call(logout, {}, first.token)
    await call(sendCode, { mobile })
    expect(await failing(call(sendCode, { mobile }))).toBe('auth.code_too_soon')
    const { text } = await app.inject({ method: 'GET', url: `/dev/outbox?mobile=${mobile}` })
    const { code } = JSON.parse(text)[0]
    const second = await call(verifyCodeLogin, { mobile, code })
    expect(await failing(call(verifyCodeLogin, { mobile, code }))).toBe('auth.code_expired')
    await app.inject({ method: 'GET', url: `/channels/1?token=${second.token}&mobile=${mobile}` })
    await app.security.flush()

    const events = (await all()).reverse()
    expect(events.map(({ kind, failure, user_id, place }) => [kind, failure, user_id, place])).toEqual(
      [
        ['login', 'auth.password_wrong'],
        ['login', ''],
        ['logout', ''],
        ['code', ''],
        ['code', 'auth.code_too_soon'],
        ['login', ''],
        ['login', 'auth.code_expired'],
      ].map((each) => [...each, id, '192.0.2.77']),
    )
    expect(events[1]?.session_id).toMatch(/^[0-9a-f-]{36}$/)
    expect(events[2]?.session_id).toBe(events[1]?.session_id)

    const log = lines.join('')
    expect(log).toContain('"failure":"auth.password_wrong"')
    const { rows } = await sql<{ row: string }>`select it::text as row from security_event it`.execute(
      database.db,
    )
    const stored = rows.map(({ row }) => row).join('\n')
    for (const secret of [mobile, code, password, wrong, first.token, second.token]) {
      // A code may be a part of a longer number, such as a time.
      const alone = new RegExp(`(?<!\\d)${secret}(?!\\d)`)
      expect(log).not.toMatch(alone)
      expect(stored).not.toMatch(alone)
    }
  })

  it('names calls refused by the rate limit, with the route and the session', async () => {
    const { mobile, password, id } = people.member!
    const { token } = await call(login, { mobile, password })
    for (let count = 0; count < 125; count++) await failing(call(me, {}, token))
    await app.security.flush()
    const [refusal] = await listSecurityEvents(database.db, { userId: id, since: 0, limit: 1 })
    expect(refusal).toMatchObject({ kind: 'refused', failure: 'too_many', target: '/api/v3/user/me' })
    expect(refusal?.session_id).toMatch(/^[0-9a-f-]{36}$/)
  })

  it('is shown by the command line, by person and since when, and acts of operators with it', async () => {
    const config = readConfig({ DATABASE_URL: database.url }, '/')
    const run = (...content: string[]) => runCommand(content, config) as Promise<Record<string, unknown>[]>
    const made = (await run(
      'guild',
      'create',
      '--name',
      '密',
      '--owner',
      people.owner!.id,
    )) as unknown as object
    expect(made).toMatchObject({ name: '密' })
    const [newest] = await run('security', 'list', '--limit', '1')
    expect(newest).toMatchObject({
      kind: 'guild create',
      actor: 'operator',
      target: `owner ${people.owner!.id}`,
    })
    const ofMember = await run('security', 'list', '--user', people.member!.id, '--since', '1h')
    expect(ofMember.length).toBeGreaterThan(5)
    expect(new Set(ofMember.map(({ user_id }) => user_id))).toEqual(new Set([people.member!.id]))
    const soon = new Date(clock.now() + 60 * SECOND_MS).toISOString()
    expect(await run('security', 'list', '--since', soon)).toEqual([])
    await expect(run('security', 'list', '--since', 'yesterday')).rejects.toThrow('--since must be')
    expect((await run('security', 'list', '--limit', '1'))[0]).toMatchObject({ kind: 'guild create' })
  })
})
