// The room benchmark: server CPU per delivered message, including HTTP, permissions and commit, compared with
// a bare `ws` server that broadcasts one constant frame; and the latency from a send to its deliveries at
// half the saturation load. The server, the bare server, the clients and the database are separate processes.
import { setTimeout as sleep } from 'node:timers/promises'
import { Child, type Received, type Seat, type Sent } from './room/ask.ts'

const CONNECTIONS = 1_000
const FEW = 100
const SENDERS = 16
const ROUNDS = 3
const ROUND_MS = 2_000
/** Several rates, because more messages share a round trip, a commit and a write under a higher load. */
const RATES_PER_S = [400, 800, 1_600]
const SATURATION_MS = 5_000
/** A warm-up before the first figure lets the engine compile the hot paths. */
const WARM_RATE_PER_S = 1_600
const WARM_MS = 8_000
// Lets the server finish the backlog of the saturation run before latencies are measured.
const SETTLING_MS = 5_000
// Long enough to include garbage collections and vacuums at their usual rate.
const STEADY_MS = 60_000

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

/** Waits until every connection has received every message, and returns their latencies. */
async function receivedAll(clients: Child, expected: number): Promise<Received> {
  for (let tries = 0; ; tries += 1) {
    const count = await clients.ask<number>({ ask: 'count' })
    if (count >= expected) return clients.ask<Received>({ ask: 'received' })
    if (tries > 400) throw new Error(`${count} of ${expected} deliveries arrived`)
    await sleep(50)
  }
}

export async function run(): Promise<void> {
  const server = await new Child('server').started()
  const bare = await new Child('bare').started()
  const clients = await new Child('clients').started()
  const receivers = await new Child('clients').started()
  // A separate process, so that sends do not wait for the reads of a thousand connections.
  const senders = await new Child('clients').started()
  try {
    const few = await server.ask<{ port: number; channelId: string; seats: Seat[] }>({
      ask: 'seed',
      connections: FEW,
    })
    const seats = few.seats.map(({ gateway }) => gateway)
    await clients.ask({ ask: 'open', seats, port: few.port, sendsHello: true })
    await receivers.ask({ ask: 'open', seats: few.seats.map(() => '/'), port: bare.port, sendsHello: false })
    const tokens = few.seats.slice(0, SENDERS).map(({ token }) => token)
    console.log(`${FEW} members, HTTP, permissions and commit included: server CPU per delivered message`)
    const warming = {
      ask: 'send' as const,
      port: few.port,
      tokens,
      channelId: few.channelId,
      ratePerS: WARM_RATE_PER_S,
      forMs: WARM_MS,
    }
    const { sent: warmed } = await clients.ask<Sent>(warming)
    await receivedAll(clients, warmed * FEW)
    await bare.ask({ ask: 'broadcast', times: warmed, gapMs: 0 })
    for (const ratePerS of RATES_PER_S) {
      const ratios: number[] = []
      const costs = { server: [] as number[], bare: [] as number[] }
      for (let round = 0; round <= ROUNDS; round += 1) {
        const before = await server.ask<number>({ ask: 'cpu' })
        const { sent } = await clients.ask<Sent>({
          ask: 'send',
          port: few.port,
          tokens,
          channelId: few.channelId,
          ratePerS,
          forMs: ROUND_MS,
        })
        await receivedAll(clients, sent * FEW)
        const ours = ((await server.ask<number>({ ask: 'cpu' })) - before) / (sent * FEW)
        const start = await bare.ask<number>({ ask: 'cpu' })
        const times = (ROUND_MS * ratePerS) / 1000
        await bare.ask({ ask: 'broadcast', times, gapMs: 1000 / ratePerS })
        const theirs = ((await bare.ask<number>({ ask: 'cpu' })) - start) / (times * FEW)
        // The first round is a warm-up.
        if (round === 0) continue
        costs.server.push(ours)
        costs.bare.push(theirs)
        ratios.push(ours / theirs)
      }
      console.log(
        `  ${String(ratePerS).padStart(5)} messages a second: guildhall ${median(costs.server).toFixed(2)} µs, ws with one string ${median(costs.bare).toFixed(2)} µs   × ${median(ratios).toFixed(2)}  (wanted: at most 2)`,
      )
    }

    const many = await server.ask<{ port: number; channelId: string; seats: Seat[] }>({
      ask: 'seed',
      connections: CONNECTIONS,
    })
    await clients.ask({
      ask: 'open',
      seats: many.seats.map(({ gateway }) => gateway),
      port: many.port,
      sendsHello: true,
    })
    const order = {
      ask: 'send' as const,
      port: many.port,
      channelId: many.channelId,
      tokens: many.seats.slice(0, SENDERS).map(({ token }) => token),
    }
    const warm = await senders.ask<Sent>({ ...order, ratePerS: 50, forMs: 2_000 })
    await receivedAll(clients, warm.sent * CONNECTIONS)
    // Measured until the last delivery: a response only confirms that a message is stored.
    const began = performance.now()
    const full = await senders.ask<Sent>({ ...order, ratePerS: 0, forMs: SATURATION_MS })
    await receivedAll(clients, full.sent * CONNECTIONS)
    const saturation = (full.sent / (performance.now() - began)) * 1000
    const half = Math.max(1, Math.floor(saturation / 2))
    const startAt = Date.now() + 100
    await clients.ask({ ask: 'measure', from: startAt + SETTLING_MS })
    const steady = await senders.ask<Sent>({
      ...order,
      ratePerS: half,
      forMs: SETTLING_MS + STEADY_MS,
      startAt,
    })
    const received = await receivedAll(clients, steady.sent * CONNECTIONS)
    console.log(
      `${CONNECTIONS} connections, ${SENDERS} senders: ${saturation.toFixed(0)} messages a second are too many for it; at ${half}:`,
    )
    console.log(
      `  ${received.count} of ${steady.sent * CONNECTIONS} deliveries: p50 ${received.p50.toFixed(1)} ms, p99 ${received.p99.toFixed(1)} ms, worst ${received.max.toFixed(1)} ms  (wanted: 99 % within 50 ms)`,
    )
  } finally {
    for (const child of [clients, senders, receivers, bare, server]) await child.end()
  }
}
