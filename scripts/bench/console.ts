/**
 * The console benchmark: a database with a hundred thousand people, ten thousand guilds and a million orders, and how long every list,
 * search and detail of the console takes over HTTP. Server, database and caller share the machine; one call is under way at a time.
 */

import { sql } from 'kysely'
import openCluster from '../../server/src/testing/cluster.ts'
import { openTestServer, type TestServer } from '../../server/src/testing/server.ts'
import { requestOf, secondFactorOf } from '../../server/src/testing/world.ts'
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
  try {
    const server = await openTestServer()
    try {
      await fill(server.database.connection, server.database.db)
      await measure(server)
    } finally {
      await server.close()
    }
  } finally {
    await closeCluster()
  }
}

async function measure(server: TestServer): Promise<void> {
  const staff = await logIn(server)
  console.log(`${'ms'.padEnd(48)}${['p50', 'p99', 'max'].map((name) => name.padStart(8)).join('')}`)
  for (const it of await callsOf(server.database.db)) {
    if (!it.name.startsWith(ONLY)) continue
    for (let n = 0; n < WARM_UP; n += 1) await timed(server.url, staff, it, ROUNDS + n)
    const times: number[] = []
    for (let n = 0; n < ROUNDS; n += 1) times.push(await timed(server.url, staff, it, n))
    times.sort((a, b) => a - b)
    const place = (part: number) => times[Math.floor(part * (times.length - 1))]!
    const shown = [place(0.5), place(0.99), place(1)].map((ms) => ms.toFixed(1).padStart(8)).join('')
    console.log(`${it.name.padEnd(48)}${shown}${place(0.99) > GOAL_MS ? '  above the goal' : ''}`)
  }
}

/** Logs a member of staff in, as often that no session comes to the limit of calls. The logins after the first are copies of it. */
async function logIn({ url, database, person }: TestServer): Promise<readonly string[]> {
  const it = person('staff')
  const second_factor = await secondFactorOf(database.db, it)
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
      database.db,
    )
  return tokens
}

/** How long an answer takes to arrive as a whole, ms. @throws when it is not what was expected */
async function timed(url: string, staff: readonly string[], it: Measured, n: number): Promise<number> {
  const request = requestOf(it.route, it.input(n))
  const headers = {
    authorization: it.token?.(n) ?? staff[n % staff.length]!,
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
  const isDone = answer.ok && (it.route.dialect === 'v2' || JSON.parse(text).code === 0)
  if (isDone === (it.isRefused ?? false))
    throw new Error(`${it.name}: ${answer.status} ${text.slice(0, 500)} to ${request.url}`)
  return took
}
