// The hostile benchmark: how long messages take between 200 people who talk, without and with one hostile
// member of their guild who does their worst with twenty connections. The server has the limits of a
// production start. HOSTILE_ONLY="passwords, pictures" runs some of the attacks, HOSTILE_ROUNDS more or fewer
// rounds, HOSTILE_SECONDS shorter ones.
import { Child, type Outcome, type Received, type Seat, type Sent } from './room/ask.ts'

const PEOPLE = 200
const RATE_PER_S = 20
const PHASE_MS = Number(process.env.HOSTILE_SECONDS ?? 20) * 1_000
const WARM_MS = 5_000
/** Attacks run for this long before a phase begins. */
const LEAD_MS = 3_000
/** After attacks, until their last effects are over. */
const REST_MS = 3_000
const ROUNDS = Number(process.env.HOSTILE_ROUNDS ?? 4)
const ONLY = (process.env.HOSTILE_ONLY ?? '')
  .split(',')
  .map((name) => name.trim())
  .filter(Boolean)
/**
 * Unanswered requests of a hostile connection: half of the rounds without pipelining, which is answered
 * differently.
 */
const DEPTHS = [64, 1]
const WANTED_RATIO = 2

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

interface Room {
  readonly server: Child
  readonly readers: Child
  readonly senders: Child
  readonly port: number
  readonly channelId: string
  readonly tokens: readonly string[]
}

/** One phase of talk: its latencies, and the part of a processor that the server's process used. */
async function talk(
  { server, readers, senders, port, channelId, tokens }: Room,
  forMs: number,
): Promise<Received & { readonly sent: number; readonly cpu: number }> {
  await readers.ask({ ask: 'received' })
  const began = { at: performance.now(), cpu: await server.ask<number>({ ask: 'cpu' }) }
  const { sent } = await senders.ask<Sent>({
    ask: 'send' as const,
    port,
    tokens,
    channelId,
    ratePerS: RATE_PER_S,
    forMs,
  })
  for (let tries = 0; (await readers.ask<number>({ ask: 'count' })) < sent * PEOPLE; tries += 1) {
    if (tries > 400) throw new Error('some messages did not arrive')
    await new Promise((next) => setTimeout(next, 50))
  }
  const cpu = ((await server.ask<number>({ ask: 'cpu' })) - began.cpu) / 1000 / (performance.now() - began.at)
  return { ...(await readers.ask<Received>({ ask: 'received' })), sent, cpu }
}

function report(outcomes: readonly Outcome[], seconds: number): void {
  for (const { name, connections, sent, answers, closed } of outcomes) {
    const told = Object.entries(answers).map(([what, count]) => `${what} × ${Math.round(count)}`)
    console.log(
      `    ${name.padEnd(20)} ${connections} connections, ${Math.round(sent / seconds)} a second: ${told.join(', ') || 'nothing answered'}${closed > 0 ? `, closed × ${closed}` : ''}`,
    )
  }
}

const figures = (input: Received & { readonly cpu: number }) =>
  `p50 ${input.p50.toFixed(1)} ms, p99 ${input.p99.toFixed(1)} ms, worst ${input.max.toFixed(1)} ms, server ${(input.cpu * 100).toFixed(0)} % of a processor`

export async function run(): Promise<void> {
  const server = await new Child('server', { RATE_LIMIT_SCALE: '1' }).started()
  const readers = await new Child('clients').started()
  const senders = await new Child('clients').started()
  const attacker = await new Child('../hostile/attacker').started()
  try {
    const { port, guildId, channelId, seats } = await server.ask<{
      port: number
      guildId: string
      channelId: string
      seats: Seat[]
    }>({
      ask: 'seed',
      connections: PEOPLE + 1,
    })
    const hostile = seats.at(-1)!
    const talkers = seats.slice(0, PEOPLE)
    await readers.ask({ ask: 'open', seats: talkers.map(({ gateway }) => gateway), port, sendsHello: true })
    const room = { server, readers, senders, port, channelId, tokens: talkers.map(({ token }) => token) }
    await talk(room, WARM_MS)
    console.log(`${PEOPLE} people, ${RATE_PER_S} messages a second, from send to receipt:`)
    const quiet: Received[] = []
    const attacked: Received[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      const without = await talk(room, PHASE_MS)
      quiet.push(without)
      console.log(`  without: ${figures(without)}`)
      const depth = DEPTHS[round % DEPTHS.length]!
      const began = performance.now()
      await attacker.ask({ ask: 'attack', port, guildId, channelId, seat: hostile, only: ONLY, depth })
      await new Promise((next) => setTimeout(next, LEAD_MS))
      const during = await talk(room, PHASE_MS)
      const outcomes = await attacker.ask<Outcome[]>({ ask: 'stop' })
      attacked.push(during)
      console.log(`  with${depth > 1 ? ', pipelined' : ''}: ${figures(during)}`)
      if (round < DEPTHS.length) report(outcomes, (performance.now() - began) / 1000)
      await new Promise((next) => setTimeout(next, REST_MS))
    }
    const [before, after] = [quiet, attacked].map((them) => median(them.map(({ p99 }) => p99)))
    console.log(
      `  99th percentile: × ${((after ?? 0) / (before ?? 1)).toFixed(2)}  (wanted: below ${WANTED_RATIO})`,
    )
  } finally {
    for (const child of [attacker, readers, senders, server]) await child.end()
  }
}
