/**
 * Repeated `kill -9` during concurrent sends, joins and uploads: everything acknowledged is stored,
 * everything else at most once, and event numbers have no gap.
 */
import { createHash } from 'node:crypto'
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import { sql } from 'kysely'
import { readWorld } from '../../server/src/demo/world.ts'
import { shownFactor } from '../../server/src/testing/calls.ts'
import { openTestDatabase } from '../../server/src/testing/database/database.ts'
import { freePort } from '../../server/src/testing/port.ts'
import {
  brokenNumbers,
  inspect,
  type ServerLocation,
  type ServerProcess,
  startServerProcess,
} from '../../server/src/testing/process.ts'
import { listen } from '../listener.ts'
import { type Answer, tryCall } from '../tryCall.ts'

/** Kills per run. A kill at another moment is another try: `CRASH_ROUNDS=100` makes more of them. */
const ROUNDS = Number(process.env.CRASH_ROUNDS ?? 6)
const SENDERS = ['owner', 'admin', 'member'] as const
/**
 * A call that is not acknowledged after so long is stuck, ms: a server is back within seconds, and much later
 * on a slow machine.
 */
const STUCK_MS = 300_000

const cleanUp: (() => Promise<void>)[] = []
test.afterAll(async () => {
  for (const each of cleanUp.reverse()) await each()
})

async function newLocation(databaseUrl: string | null): Promise<ServerLocation> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'guildhall-crash-'))
  // For root the database runs under another account, which needs access.
  await chmod(dataDir, 0o755)
  cleanUp.push(() => rm(dataDir, { recursive: true, force: true }))
  return { dataDir, port: await freePort(), databaseUrl }
}

/** Repeats a call until it is acknowledged. @throws when it never is, with what it was answered last */
async function untilAcknowledged(
  what: string,
  pauseMs: number,
  call: () => Promise<Answer | null>,
): Promise<Answer> {
  for (const since = Date.now(); ; ) {
    const answer = await call()
    if (answer?.status === 200) return answer
    if (Date.now() - since > STUCK_MS)
      throw new Error(`${what} is stuck; its last answer is ${JSON.stringify(answer)}`)
    await new Promise((again) => setTimeout(again, pauseMs))
  }
}

/**
 * The content of somebody's upload number `n`: a few bytes or a few hundred thousand, never the same twice.
 * In hexadecimal: bytes that look random are those of an MP3 now and then, and are stored as one.
 */
const contentOf = (who: string, n: number): Buffer => {
  const seed = createHash('sha256').update(`${who} ${n}`).digest('hex')
  return Buffer.from(seed.repeat(1 + ((n * 97) % 4_500)))
}

/** Null without a response. */
async function upload(url: string, token: string, name: string, content: Buffer): Promise<Answer | null> {
  const form = new FormData()
  form.append('file', new Blob([content as Uint8Array<ArrayBuffer>]), name)
  try {
    const answer = await fetch(`${url}/api/v2/assets/file`, {
      method: 'POST',
      headers: { authorization: token },
      body: form,
      signal: AbortSignal.timeout(5_000),
    })
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
  } catch {
    return null
  }
}

async function killRepeatedly(
  location: ServerLocation,
  killsDatabase: (round: number) => boolean,
): Promise<void> {
  let server: ServerProcess = await startServerProcess(location)
  const world = await inspect(location, readWorld)
  const demo = world.guilds[0]!
  const channels = world.channels.filter(
    (each) => each.guild_id === demo.id && each.type === 1 && !each.is_readonly,
  )
  const open = channels.slice(0, 2)
  const tokens = new Map<string, string>()
  for (const [name, person] of Object.entries(world.people)) {
    const { mobile, password } = person
    const it = { mobile, password, ...shownFactor(person) }
    const session = await tryCall(server.url, '', '/api/v2/auth/login', it)
    tokens.set(name, String(session?.body.token))
  }

  let isOver = false
  /** nonce → the id it was acknowledged with. */
  const acknowledged = new Map<string, string>()
  /** Sends one message after the other, and retries each with the same nonce until it is acknowledged. */
  const write = async (who: string, channelId: string) => {
    for (let n = 0; !isOver; n += 1) {
      const nonce = `${who}-${channelId}-${n}`
      const content = JSON.stringify({ type: 9, content: nonce })
      const answer = await untilAcknowledged(nonce, 50, () =>
        tryCall(server.url, tokens.get(who)!, `/api/v2/channels/${channelId}/message`, { content, nonce }),
      )
      acknowledged.set(nonce, String(answer.body.msgId))
    }
  }
  const writers = SENDERS.flatMap((who) => open.map((channel) => write(who, channel.id)))

  const listener = listen(demo.id, async () => {
    const session = await tryCall(server.url, tokens.get('owner')!, '/api/v2/user/user-state')
    return session?.status === 200 ? String(session.body.gateway_url) : null
  })
  /**
   * The name of an upload → the path it was acknowledged with. Uploads are not retried: each is stored once
   * or never.
   */
  const uploads = new Map<string, string>()
  const uploadAll = async (who: string) => {
    for (let n = 0; !isOver; n += 1) {
      const name = `${who}-${n}.bin`
      const answer = await upload(server.url, tokens.get(who)!, name, contentOf(who, n))
      if (answer?.status === 200) uploads.set(name, new URL(String(answer.body.url)).pathname)
      // The rate limit is sixty uploads a minute; refused ones are ignored.
      await new Promise((next) => setTimeout(next, 250))
    }
  }
  const uploaders = Object.keys(world.people).map(uploadAll)

  const joins = (['outsider', 'staff', 'admin', 'unverified', 'muted'] as const).flatMap((who) =>
    world.invites.map((invite) => ({ who, code: invite.code })),
  )
  const join = ({ who, code }: { who: string; code: string }) =>
    untilAcknowledged(`${who}'s join`, 20, () =>
      tryCall(server.url, tokens.get(who)!, '/api/v2/guilds/join', { code }),
    )

  const joining: Promise<unknown>[] = []
  /** Waits until this server process acknowledged something: otherwise killing it would test nothing. */
  const somethingIsAcknowledged = async () => {
    const [messages, files, since] = [acknowledged.size, uploads.size, Date.now()]
    while ((acknowledged.size === messages || uploads.size === files) && Date.now() - since < 30_000)
      await new Promise((again) => setTimeout(again, 5))
  }
  for (let round = 0; round < ROUNDS; round += 1) {
    const { connections } = listener
    await somethingIsAcknowledged()
    // Every other server lives until the listener is back: what is never connected resumes nothing.
    if (round % 2 === 1) await expect.poll(() => listener.connections).toBeGreaterThan(connections)
    await new Promise((wait) => setTimeout(wait, (round * 37) % 150))
    const next = joins.shift()
    if (next) joining.push(join(next))
    await new Promise((wait) => setTimeout(wait, round % 7))
    await server.kill(killsDatabase(round))
    server = await startServerProcess(location)
  }
  isOver = true
  await Promise.all([...writers, ...uploaders, ...joining, ...joins.map(join)])
  // A session that began after a last message does not have it, so another one is sent.
  for (const since = Date.now(); ; ) {
    const last = await untilAcknowledged('the last message', 50, () =>
      tryCall(server.url, tokens.get('owner')!, `/api/v2/channels/${open[0]!.id}/message`, {
        content: JSON.stringify({ type: 9, content: 'the last message' }),
      }),
    )
    await new Promise((arrived) => setTimeout(arrived, 500))
    listener.check()
    if (listener.received.at(-1)?.includes(String(last.body.msgId))) break
    if (Date.now() - since > STUCK_MS) throw new Error('the listener does not receive the last message')
  }
  listener.stop()
  expect(uploads.size).toBeGreaterThanOrEqual(ROUNDS)
  for (const [name, at] of uploads) {
    const [who = '', n = ''] = name.replace('.bin', '').split('-')
    const read = await fetch(server.url + at)
    expect([name, read.status]).toEqual([name, 200])
    expect(Buffer.from(await read.arrayBuffer()).equals(contentOf(who, Number(n)))).toBe(true)
  }
  await server.stop()

  await inspect(location, async (db) => {
    const { rows } = await sql<{ nonce: string; id: string; seq: number }>`
      select nonce, id, seq::float8 as seq from message where nonce <> '' order by seq`.execute(db)
    expect(acknowledged.size).toBeGreaterThan(ROUNDS)
    expect(Object.fromEntries(rows.map((row) => [row.nonce, row.id]))).toEqual(
      Object.fromEntries(acknowledged),
    )
    expect(rows).toHaveLength(acknowledged.size)
    for (const who of SENDERS) {
      for (const channel of open) {
        const sentHere = rows.filter((row) => row.nonce.startsWith(`${who}-${channel.id}-`))
        expect(sentHere.map((row) => Number(row.nonce.split('-')[2]))).toEqual(sentHere.map((_row, n) => n))
      }
    }
    expect(await brokenNumbers(db)).toEqual([])
    // The listener resumed its session and received everything once and in order; a new session started at a
    // later message.
    expect(listener.resumed).toBeGreaterThan(ROUNDS / 4)
    const messages = await sql<{
      id: string
    }>`select id from message where guild_id = ${demo.id} order by seq`.execute(db)
    const order = messages.rows.map((row) => row.id)
    let from = 0
    for (const session of listener.received.filter(({ length }) => length > 0)) {
      const start = order.indexOf(session[0]!, from)
      expect(start).toBeGreaterThanOrEqual(from)
      from = start + session.length
      expect(session).toEqual(order.slice(start, from))
    }
    const logged = await sql<{ n: number }>`
      select count(*)::int as n from event_log join message
        on message.guild_id = event_log.guild_id and message.seq = event_log.seq and event_log.kind = 'message'
        and event_log.body->'message'->>'id' = message.id::text where nonce <> ''`.execute(db)
    expect(logged.rows[0]?.n).toBe(rows.length)
    const members = await sql<{ members: number; joined: number }>`
      select (select count(*)::int from membership) as members,
        (select count(distinct (guild_id, body->>'user_id'))::int from event_log where kind = 'joined_guild') as joined,
        (select count(*)::int from event_log where kind = 'joined_guild') as events`.execute(db)
    // Owners have no join event; every other member has exactly one.
    const { members: count, joined } = members.rows[0]!
    expect(members.rows[0]).toEqual({ members: count, joined, events: joined })
    const owned = await sql<{
      name: string
      key: string
    }>`select name, key from asset where name like '%.bin'`.execute(db)
    expect(new Set(owned.rows.map((row) => row.name)).size).toBe(owned.rows.length)
    const keys = new Map(owned.rows.map((row) => [row.name, `/${row.key}`]))
    for (const [name, at] of uploads) expect(keys.get(name)).toBe(at)
    // Every stored file belongs to an asset or is listed for removal.
    const stored = (
      await readdir(path.join(location.dataDir, 'uploads/attachments'), { recursive: true })
    ).filter((each) => each.endsWith('.bin'))
    const known = await sql<{ key: string }>`
      select key from asset union all select key from asset_arrival`.execute(db)
    const listed = new Set(known.rows.map((row) => row.key))
    for (const each of stored) expect(listed).toContain(`attachments/${each.replaceAll(path.sep, '/')}`)
    for (const { key } of owned.rows) expect(stored.map((each) => `attachments/${each}`)).toContain(key)
    const orphanedEvents = await sql`
      select 1 from event_log it where kind = 'joined_guild' and not exists (
        select 1 from membership where guild_id = it.guild_id and user_id = (it.body->>'user_id')::bigint)`.execute(
      db,
    )
    expect(orphanedEvents.rows).toEqual([])
  })
}

test.describe('a server killed during sends, joins and uploads', () => {
  test('keeps everything acknowledged with the embedded database, which is sometimes killed too', async () => {
    await killRepeatedly(await newLocation(null), (round) => round % 3 === 2)
  })

  test('keeps everything acknowledged with an external database', async () => {
    const database = await openTestDatabase()
    cleanUp.push(() => database.close())
    await killRepeatedly(await newLocation(database.url), () => false)
  })
})

test('a server whose embedded database is killed starts it again, each time, and stops when it is asked to', async () => {
  const location = await newLocation(null)
  const server = await startServerProcess(location)
  const isReady = async () => (await tryCall(server.url, '', '/readyz'))?.status === 200
  /** 'ready', or what it said last. */
  const state = async () => ((await isReady()) ? 'ready' : server.lastWords().join('\n'))
  for (let round = 0; round < 3; round += 1) {
    await expect.poll(state).toBe('ready')
    await server.killDatabase()
    await expect.poll(state).not.toBe('ready')
  }
  await expect.poll(state).toBe('ready')
  await server.stop()
})
