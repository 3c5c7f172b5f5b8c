/**
 * The console benchmark: a database with a hundred thousand people, ten thousand guilds and a million orders,
 * and how long every list, search and detail of the console takes over HTTP. Server, database and caller
 * share the machine; one call is under way at a time.
 */

import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { startApp } from '../../server/src/app/app.ts'
import { readConfig } from '../../server/src/config.ts'
import { readWorld } from '../../server/src/demo/world.ts'
import type { Db } from '../../server/src/kit/database/db.ts'
import { openLog } from '../../server/src/kit/log.ts'
import { requestOf, secondFactorOf } from '../../server/src/testing/calls.ts'
import openCluster from '../../server/src/testing/cluster.ts'
import { openWorldDatabase, type TestDatabase } from '../../server/src/testing/database/database.ts'
import { KEYS_SECRET } from '../../server/src/testing/keys.ts'
import { callsOf, type Measured } from './console/calls.ts'
import { fill } from './console/fill.ts'

/** The goal of every call, ms, at the 99th percentile. */
const GOAL_MS = 200
const ROUNDS = Number(process.env.ROUNDS ?? 300)
const WARM_UP = 20
/** A session may make some calls a minute. */
const SESSIONS = 300
/** Only calls whose names begin so. */
const ONLY = process.env.CONSOLE_ONLY ?? ''

export async function run(): Promise<void> {
  const closeCluster = await openCluster()
  const dataDir = await mkdtemp(path.join(tmpdir(), 'guildhall-bench-'))
  try {
    const database = await openWorldDatabase(dataDir)
    try {
      await fill(database)
      await measure(database, dataDir)
    } finally {
      await database.close()
    }
  } finally {
    await closeCluster()
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function measure(database: TestDatabase, dataDir: string): Promise<void> {
  const port = 20_000 + Math.floor(Math.random() * 12_000)
  const config = readConfig(
    {
      KEYS_SECRET,
      PORT: String(port),
      DEMO: '1',
      DATA_DIR: dataDir,
      RATE_LIMIT_SCALE: '1000',
      PAY_SANDBOX: '0',
    },
    '/',
  )
  const app = await startApp({
    config,
    database,
    sandbox: null,
    checkAnswers: false,
    webDir: '/nowhere',
    // As in production, every request is logged; the log is discarded.
    log: openLog('json', createWriteStream('/dev/null')),
  })
  try {
    await app.listen()
    await measureCalls(`http://127.0.0.1:${port}`, database)
  } finally {
    await app.close()
  }
}

async function measureCalls(url: string, { db }: TestDatabase): Promise<void> {
  const staff = await logIn(url, db)
  console.log(`${'ms'.padEnd(48)}${['p50', 'p99', 'max'].map((name) => name.padStart(8)).join('')}`)
  for (const it of await callsOf(db)) {
    if (!it.name.startsWith(ONLY)) continue
    for (let n = 0; n < WARM_UP; n += 1) await timed(url, staff, it, ROUNDS + n)
    const times: number[] = []
    for (let n = 0; n < ROUNDS; n += 1) times.push(await timed(url, staff, it, n))
    times.sort((a, b) => a - b)
    const quantile = (part: number) => times[Math.floor(part * (times.length - 1))]!
    const shown = [quantile(0.5), quantile(0.99), quantile(1)].map((ms) => ms.toFixed(1).padStart(8)).join('')
    console.log(`${it.name.padEnd(48)}${shown}${quantile(0.99) > GOAL_MS ? '  above the goal' : ''}`)
  }
}

/**
 * Logs a member of staff in, as often that no session comes to the limit of calls. The logins after the first
 * are copies of it.
 */
async function logIn(url: string, db: Db): Promise<readonly string[]> {
  const it = (await readWorld(db)).people.staff!
  const second_factor = await secondFactorOf(db, it)
  const answer = await fetch(`${url}/api/v3/staff/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ mobile: it.mobile, password: it.password, second_factor }),
  })
  const { data } = (await answer.json()) as { data: { token: string } }
  const tokens = Array.from({ length: SESSIONS }, (_, n) => `session-of-staff-${n}`)
  for (const token of tokens)
    await sql`
      with copy as (
        insert into session (id, token_hash, user_id, remember, created_at, seen_at)
        select gen_random_uuid(), sha256(convert_to(${token}, 'utf8')), user_id, remember, created_at, seen_at from session
        where token_hash = sha256(convert_to(${data.token}, 'utf8')) returning id
      ) insert into staff_session (session_id, opened_at, used_at) select id, ${Date.now()}, ${Date.now()} from copy`.execute(
      db,
    )
  return tokens
}

/** How long an answer takes to arrive as a whole, ms. @throws when it is not what was expected */
async function timed(url: string, staff: readonly string[], input: Measured, n: number): Promise<number> {
  const request = requestOf(input.route, input.input(n))
  const headers = {
    authorization: input.token?.(n) ?? staff[n % staff.length]!,
    'content-type': 'application/json',
  }
  const began = performance.now()
  const answer = await fetch(`${url}${request.url}`, {
    method: request.method,
    headers,
    ...(request.payload !== undefined && { body: request.payload }),
  })
  const text = await answer.text()
  const took = performance.now() - began
  const isDone = answer.ok && (input.route.dialect === 'v2' || JSON.parse(text).code === 0)
  if (isDone === (input.isRefused ?? false))
    throw new Error(`${input.name}: ${answer.status} ${text.slice(0, 500)} to ${request.url}`)
  return took
}
