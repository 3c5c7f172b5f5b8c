/**
 * The sends benchmark: durable sends per second through HTTP. Compares the real server with a bare Fastify
 * handler that does one single-row insert per request with the same driver, without auth, permissions or
 * events, and with the driver alone inserting in batches. One database with fsync on; rounds are interleaved;
 * the clients run in a separate process.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { performance } from 'node:perf_hooks'
import { sql } from 'kysely'
import { startApp } from '../../server/src/app/app.ts'
import { createChannel } from '../../server/src/channel/channel.ts'
import { readConfig } from '../../server/src/config.ts'
import type { Database, Db, Pool } from '../../server/src/kit/database/db.ts'
import { openStore } from '../../server/src/kit/database/store.ts'
import { noopBus } from '../../server/src/kit/events/bus.ts'
import { commit } from '../../server/src/kit/events/events.ts'
import { ids } from '../../server/src/kit/ids.ts'
import { openLog } from '../../server/src/kit/log.ts'
import { createGuild, join } from '../../server/src/member/member.ts'
import { KEYS_SECRET } from '../../server/src/testing/keys.ts'
import { openBareSend } from './bareSend.ts'
import type { Order, Tally } from './client.ts'
import { report } from './kit/figures.ts'
import { logIn } from './kit/people.ts'

const CLIENTS = 64
const PEOPLE = 32
const GUILDS = 4
const CHANNELS_PER_GUILD = 4
const ROUNDS = 8
const ROUND_MS = 4_000
const WARM_UP_MS = 2_000
const DRIVER_BATCH = 64
const DRIVER_LANES = 4
/** The content of a message, of typical length. */
const TEXT = '今晚八点开荒，缺一个奶和两个输出，语音频道集合，迟到的请大家喝奶茶。See you there!'

interface Speaker {
  readonly token: string
  readonly channelId: string
}

/** Three minutes, or one. */
export async function run(isShort = false): Promise<void> {
  const directory = await mkdtemp(path.join(tmpdir(), 'guildhall-bench-'))
  await chmod(directory, 0o711)
  const store = await openStore({ dataDir: path.join(directory, 'data'), databaseUrl: null })
  const client = fork(path.join(import.meta.dirname, 'client.ts'), { execArgv: [] })
  try {
    await measure(store.database, client, isShort ? 3 : ROUNDS)
  } finally {
    client.disconnect()
    await store.close()
    await rm(directory, { recursive: true, force: true })
  }
}

async function measure(database: Database, client: ChildProcess, rounds: number) {
  const { db, pool } = database
  const speakers = await seed(db)
  const port = 20_000 + Math.floor(Math.random() * 12_000)
  const app = await startApp({
    config: readConfig({ KEYS_SECRET, PORT: String(port), DEMO: '0', RATE_LIMIT_SCALE: '100000' }, '/'),
    database,
    // As in production, every request is logged; the log is discarded.
    log: openLog('json', createWriteStream('/dev/null')),
    checkAnswers: false,
    webDir: '/nowhere',
  })
  await app.listen()
  const bare = await openBareSend(db, pool)

  try {
    const guildhall: Order = { port, forMs: ROUND_MS, requests: speakers.map(guildhallRequest) }
    const baseline: Order = { port: bare.port, forMs: ROUND_MS, requests: speakers.map(bareRequest) }
    await compare(database, client, guildhall, baseline, rounds)
  } finally {
    await app.close()
    await bare.close()
  }
}

async function compare(
  { db, pool }: Pick<Database, 'db' | 'pool'>,
  client: ChildProcess,
  guildhall: Order,
  baseline: Order,
  rounds: number,
) {
  const rates = { guildhall: [] as number[], bare: [] as number[], driver: [] as number[] }
  const tallies: Tally[] = []
  for (const order of [guildhall, baseline]) await runOrder(client, { ...order, forMs: WARM_UP_MS })
  for (let round = 0; round < rounds; round++) {
    const pair = [
      ['guildhall', guildhall],
      ['bare', baseline],
    ] as const
    // The second one runs while the disk writes of the first are still flushed, so the order alternates.
    for (const [name, order] of round % 2 === 0 ? pair : pair.toReversed()) {
      const cpu = process.cpuUsage()
      const tally = await runOrder(client, order)
      const { user, system } = process.cpuUsage(cpu)
      if (tally.refused > 0) throw new Error(`${tally.refused} sends were refused`)
      rates[name].push((tally.answered / tally.tookMs) * 1000)
      if (name === 'guildhall') tallies.push(tally)
      console.log(
        `round ${round + 1} ${name.padEnd(10)} ${perSecond(rates[name].at(-1)!)}  p50 ${tally.p50.toFixed(1)} ms  p99 ${tally.p99.toFixed(1)} ms  ${((user + system) / tally.answered).toFixed(0)} µs of this process each`,
      )
    }
  }
  // Last, because it saturates the disk.
  rates.driver.push(await driverAlone(pool, ROUND_MS))
  await verify(db, tallies)
  const [ours, theirs, driver] = [median(rates.guildhall), median(rates.bare), median(rates.driver)]
  console.log(`\ndurable sends per second, median of ${rounds} rounds, ${CLIENTS} clients, fsync on`)
  console.log(`  guildhall                                    ${perSecond(ours)}`)
  console.log(`  bare Fastify, one insert per request         ${perSecond(theirs)}`)
  console.log(`  driver alone, ${DRIVER_BATCH} rows a statement           ${perSecond(driver)}`)
  const ratio = median(rates.guildhall.map((rate, round) => rate / rates.bare[round]!))
  console.log(`  guildhall / driver   ${(ours / driver).toFixed(2)}`)
  report({ name: 'durable sends a second, beside a bare Fastify handler', value: ratio, unit: '×' })
}

/** Asserts that every acknowledged message is stored and logged, under numbers without gaps. */
async function verify(db: Db, tallies: readonly Tally[]): Promise<void> {
  const answered = tallies.reduce((sum, tally) => sum + tally.answered, 0)
  const { rows } = await sql<{ stored: number; logged: number; counted: number }>`
    select (select count(*) from message)::float8 as stored,
      (select count(*) from event_log where kind = 'message')::float8 as logged,
      (select sum(event_seq) - (select count(*) from event_log where kind <> 'message') from guild_counter)::float8
        as counted`.execute(db)
  const { stored, logged, counted } = rows[0]!
  if (stored < answered || logged !== stored || counted !== stored)
    throw new Error(`answered ${answered}, stored ${stored}, logged ${logged}, numbered ${counted}`)
}

/** Guilds with channels, and people who belong to all of them; one speaker per client. */
async function seed(db: Db): Promise<Speaker[]> {
  const { rows: people } = await sql<{ id: string }>`
    insert into "user" (username, identify_num, mobile_prefix, mobile, mobile_verified, created_at)
    select 'bench' || n, '1234', '86', (13000000000 + n)::text, true, 0 from generate_series(1, ${PEOPLE}) as n
    returning id`.execute(db)
  const [owner] = people
  const channels = await commit({ db, bus: noopBus }, async (tx, emit) => {
    const made: string[] = []
    for (let g = 0; g < GUILDS; g++) {
      const guildId = await createGuild(tx, emit, {
        name: `bench ${g}`,
        topic: '',
        ownerId: owner!.id as never,
      })
      for (const { id } of people.slice(1)) await join(tx, emit, guildId, id as never)
      for (let c = 0; c < CHANNELS_PER_GUILD; c++)
        made.push(await createChannel(tx, emit, { guildId, name: `room ${c}`, type: 1 }))
    }
    return made
  })
  const tokens = await logIn(
    db,
    people.map(({ id }) => id),
  )
  return Array.from({ length: CLIENTS }, (_, index) => ({
    token: tokens[index % tokens.length]!,
    channelId: channels[index % channels.length]!,
  }))
}

let lastSeq = 0
const INSERT_MANY = `
  insert into bench_message (id, guild_id, channel_id, author_id, seq, nonce, kind, content, kmarkdown, create_at)
  select id, 1, 1, 1, seq, '', 'kmarkdown', content, '{}', 0
  from unnest($1::uuid[], $2::bigint[], $3::text[]) as row(id, seq, content)`

/** Rows per second through the driver alone. */
async function driverAlone(pool: Pool, forMs: number): Promise<number> {
  const began = performance.now()
  let rows = 0
  const lane = async () => {
    while (performance.now() - began < forMs) {
      const batch = Array.from({ length: DRIVER_BATCH }, () => ({ id: ids.uuid(), seq: ++lastSeq }))
      await pool.query(INSERT_MANY, [
        batch.map(({ id }) => id),
        batch.map(({ seq }) => seq),
        batch.map(() => TEXT),
      ])
      rows += batch.length
    }
  }
  await Promise.all(Array.from({ length: DRIVER_LANES }, lane))
  return (rows / (performance.now() - began)) * 1000
}

const guildhallRequest = ({ token, channelId }: Speaker, index: number): string =>
  request(
    `/api/v2/channels/${channelId}/message`,
    {
      content: JSON.stringify({ type: 9, content: TEXT }),
      objectName: 'RC:TxtMsg',
      nonce: `${index.toString(36)}-#NONCE#`,
    },
    `authorization: ${token}\r\n`,
  )

const bareRequest = ({ channelId }: Speaker, index: number): string =>
  request(`/api/v2/channels/${channelId}/message`, {
    content: TEXT,
    nonce: `${index.toString(36)}-#NONCE#`,
  })

/** A whole request as the client writes it. The text is escaped so that one character is one byte. */
function request(url: string, body: object, headers = ''): string {
  const text = JSON.stringify(body).replace(
    /[\u0080-\uffff]/g,
    (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  return `POST ${url} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n${headers}content-length: ${text.length}\r\n\r\n${text}`
}

function runOrder(client: ChildProcess, order: Order): Promise<Tally> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null) => reject(new Error(`the client ended with code ${code}`))
    client.once('exit', onExit)
    client.once('message', (tally) => {
      client.off('exit', onExit)
      resolve(tally as Tally)
    })
    client.send(order)
  })
}

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}

const perSecond = (rate: number): string => `${Math.round(rate).toString().padStart(7)} /s`
