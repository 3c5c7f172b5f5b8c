/**
 * Chaos: two nodes in production mode, while PostgreSQL, Redis, nodes, a disk, a clock and the providers of
 * SMS fail one after the other. Nothing acknowledged is lost, everybody receives everything once and in
 * order, and every alarm rings that should.
 * `npm test -- chaos` makes them happen for CHAOS_MINUTES (default 60; 0: each once). The order is random;
 * CHAOS_SEED repeats one. CHAOS_ONLY chooses the faults whose names have this in them.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from '@playwright/test'
import { sql } from 'kysely'
import { brokenNumbers, inspect } from '../../server/src/testing/process.ts'
import { type Clients, openClients } from '../chaos/chaosClients.ts'
import { type Fault, faultsOf } from '../chaos/chaosFaults.ts'
import { haveAll, type Nodes, openNodes } from '../chaos/chaosNodes.ts'
import { numbersFrom, shuffled } from '../random.ts'
import { waitUntil } from '../waitUntil.ts'

const MINUTES = Number(process.env.CHAOS_MINUTES ?? 0)
const SEED = Number(process.env.CHAOS_SEED ?? Date.now() % 1_000_000)
/** A fault lasts at least this long. */
const FAULT_MS = 2_000
const CALM_MS = 1_000

let nodes: Nodes
let clients: Clients

test.setTimeout((MINUTES + 15) * 60_000)
test.beforeAll(async () => {
  expect(haveAll()).toBe(true)
  nodes = await openNodes()
  clients = await openClients(nodes)
})
test.afterEach(async () => {
  const { status, expectedStatus } = test.info()
  if (status === expectedStatus) return
  console.log(`chaos: ready ${JSON.stringify([await nodes.readiness(0), await nodes.readiness(1)])}`)
  console.log(`chaos: answers ${JSON.stringify(Object.fromEntries(clients.answers))}`)
  for (const [node, server] of nodes.servers.entries())
    for (const line of server.lastWords()) console.log(`chaos: node ${node}: ${line}`)
})
test.afterAll(async () => {
  clients?.close()
  await nodes?.close()
})

/** How a fault went, for the figures at the end. */
interface Outcome {
  readonly name: string
  readonly rangAfterMs: number
  readonly recoveredAfterMs: number
  /** Alarms that fired and did not have to. */
  readonly alsoRang: readonly string[]
}

test('nothing acknowledged is lost, and every alarm rings that should, whatever fails', async () => {
  const random = numbersFrom(SEED)
  console.log(`chaos: CHAOS_SEED=${SEED}`)
  const only = process.env.CHAOS_ONLY ?? ''
  const faults = faultsOf(nodes, clients, random).filter(({ name }) => name.includes(only))
  const outcomes: Outcome[] = []
  const end = Date.now() + MINUTES * 60_000
  await clients.nextMessages()
  do {
    for (const fault of shuffled(faults, random)) outcomes.push(await suffer(fault))
  } while (Date.now() < end)
  await clients.finish()
  await waitUntil(async () => (await nodes.prometheus.firing()).size === 0)

  const stored = await checkStored()
  await checkReceived(stored)
  await checkUploads()
  expect(clients.answers.get('code lost')).toBeUndefined()
  for (const talker of clients.talkers) expect(talker.refusals).toEqual([])
  report(outcomes, stored.length)
})

/** A fault from its beginning until all is well again. */
async function suffer(fault: Fault): Promise<Outcome> {
  const { prometheus } = nodes
  const rung = async (wanted: boolean) => {
    const firing = await prometheus.firing()
    return fault.rings.every((name) => firing.has(name) === wanted)
  }
  const step = <T>(what: string, run: () => Promise<T>) => test.step(`${fault.name}: ${what}`, run)
  await step('its alarms are silent', () => waitUntil(() => rung(false)))
  const struckAt = Date.now()
  await fault.strike()
  await step('people meet it', async () => (fault.met ? fault.met() : clients.nextMessages()))
  await step(`it rings ${fault.rings.join(', ')}`, () => waitUntil(() => rung(true)))
  const rangAfterMs = Date.now() - struckAt
  await pause(Math.max(0, FAULT_MS - rangAfterMs))
  const alsoRang = [...(await prometheus.firing())].filter((name) => !fault.rings.includes(name))
  const recoveringAt = Date.now()
  await fault.recover()
  await step('it is over', async () => {
    await waitUntil(nodes.areReady)
    await clients.nextMessages()
    await clients.nextCode('accepted')
  })
  const recoveredAfterMs = Date.now() - recoveringAt
  await step('no session missed a message', () => checkSessions(fault.name, struckAt))
  await pause(CALM_MS)
  return { name: fault.name, rangAfterMs, recoveredAfterMs, alsoRang }
}

/** Messages of at least this long before a fault are looked at after it. */
const LOOK_BACK_MS = 30_000

/**
 * Says at once in which session, and around which fault, messages were not delivered; the end of the run
 * knows neither.
 */
async function checkSessions(fault: string, struckAt: number): Promise<void> {
  const { rows } = await inspect(nodes.locations[0]!, (db) =>
    sql<{ seq: number; at: number }>`
      select seq::float8 as seq, create_at::float8 as at from message
      where channel_id = ${clients.channelId} and create_at > ${struckAt - LOOK_BACK_MS} order by seq`.execute(
      db,
    ),
  )
  const numbers = rows.map(({ seq }) => seq)
  const missed = clients.talkers.flatMap(({ name, delivered }) =>
    delivered.flatMap(({ session, seqs }) => {
      const recent = new Set(seqs.filter((seq) => seq >= (numbers[0] ?? Number.POSITIVE_INFINITY)))
      const [first, last] = [Math.min(...recent), Math.max(...recent)]
      const lacking = recent.size === 0 ? [] : between(numbers, first, last).filter((seq) => !recent.has(seq))
      return lacking.map((seq) => ({
        name,
        session,
        seq,
        sentAfterStrikeMs: rows.find((row) => row.seq === seq)!.at - struckAt,
      }))
    }),
  )
  expect({ fault, struckAt, missed }).toEqual({ fault, struckAt, missed: [] })
}

/** The numbers from `first` to `last`, of a list that has both. */
const between = (numbers: readonly number[], first: number, last: number): readonly number[] =>
  numbers.slice(numbers.indexOf(first), numbers.indexOf(last) + 1)

interface Stored {
  readonly id: string
  readonly nonce: string
  readonly seq: number
  readonly channel_id: string
}

/**
 * Every acknowledged message is stored once, in the order in which its talker sent it, and nothing else is.
 */
async function checkStored(): Promise<readonly Stored[]> {
  const stored = await inspect(nodes.locations[0]!, async (db) => {
    expect(await brokenNumbers(db)).toEqual([])
    const { rows } = await sql<Stored>`
      select id, nonce, seq::float8 as seq, channel_id from message
      where guild_id = ${clients.guildId} order by seq`.execute(db)
    return rows
  })
  const sent = stored.filter(({ nonce }) => nonce !== '')
  const acknowledged = clients.acknowledged()
  expect(new Map(sent.map(({ nonce, id }) => [nonce, id]))).toEqual(acknowledged)
  expect(sent).toHaveLength(acknowledged.size)
  for (const { name } of clients.talkers) {
    const mine = sent.filter(({ nonce }) => nonce.startsWith(`${name}-`))
    expect(mine.map(({ nonce }) => nonce)).toEqual(mine.map((_row, n) => `${name}-${n}`))
  }
  return stored
}

/** Everybody has the last message, and within a session nothing is missing, doubled or out of order. */
async function checkReceived(stored: readonly Stored[]): Promise<void> {
  const last = stored.at(-1)!
  await waitUntil(() =>
    clients.talkers.every(
      (talker) => talker.connection().phase === 'connected' && talker.room().run.at(-1)?.seq === last.seq,
    ),
  )
  const numbers = stored.filter(({ channel_id }) => channel_id === clients.channelId).map(({ seq }) => seq)
  for (const { delivered } of clients.talkers)
    for (const { seqs } of delivered) expect(seqs).toEqual(between(numbers, seqs[0]!, seqs.at(-1)!))
  const order = stored.map(({ id }) => id)
  for (const listener of clients.listeners) {
    await waitUntil(() => {
      listener.check()
      return listener.received.at(-1)?.at(-1) === last.id
    })
    let from = 0
    for (const session of listener.received.filter(({ length }) => length > 0)) {
      const start = order.indexOf(session[0]!, from)
      expect(start).toBeGreaterThanOrEqual(from)
      from = start + session.length
      expect(session).toEqual(order.slice(start, from))
    }
  }
}

/** Every accepted file is where it was accepted, byte for byte. */
async function checkUploads(): Promise<void> {
  expect(clients.uploads.length).toBeGreaterThan(0)
  for (const { node, at, content } of clients.uploads) {
    const answer = await fetch(nodes.url(node) + at)
    expect([at, answer.status]).toEqual([at, 200])
    expect([at, Buffer.from(await answer.arrayBuffer()).equals(content)]).toEqual([at, true])
  }
}

function report(outcomes: readonly Outcome[], messages: number): void {
  const s = (ms: number[]) => `${(Math.max(...ms) / 1_000).toFixed(1)} s`
  for (const name of new Set(outcomes.map((each) => each.name))) {
    const those = outcomes.filter((each) => each.name === name)
    const rang = s(those.map(({ rangAfterMs }) => rangAfterMs))
    const over = s(those.map(({ recoveredAfterMs }) => recoveredAfterMs))
    const also = [...new Set(those.flatMap(({ alsoRang }) => alsoRang))].join(', ') || 'none'
    console.log(
      `chaos: ${name}: ${those.length}, rang within ${rang}, over within ${over}, other alarms: ${also}`,
    )
  }
  const { talkers, listeners, uploads, answers } = clients
  console.log(
    `chaos: ${clients.acknowledged().size} messages acknowledged of ${messages} stored, ${uploads.length} files`,
  )
  const sessions = listeners.reduce((sum, { received }) => sum + received.length, 0)
  const resumed = listeners.reduce((sum, each) => sum + each.resumed, 0)
  const closes = talkers.reduce((sum, each) => sum + [...each.closes.values()].reduce((a, b) => a + b, 0), 0)
  console.log(`chaos: listeners resumed ${resumed} times, began ${sessions} sessions; talkers lost ${closes}`)
  console.log(`chaos: answers ${JSON.stringify(Object.fromEntries([...answers].sort()))}`)
}
