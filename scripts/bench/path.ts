// The path of a message in a small guild, in four ratios: the server's CPU from the call to the last
// delivery, with permissions and commit, beside a bare `ws` server that broadcasts one constant frame, and
// beside a bare handler that inserts a row. Servers, clients and databases are separate processes; rounds
// are interleaved.
import { setTimeout as sleep } from 'node:timers/promises'
import { report, startMeasuring } from './kit/figures.ts'
import { Child, type Seat, type Sent } from './room/ask.ts'

const RATE_PER_S = 50
const SENDERS = 16
const WARM = { ratePerS: 400, forMs: 6_000 }

const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN

interface Room {
  readonly port: number
  readonly channelId: string
  readonly seats: readonly Seat[]
}

/** Waits until everything that was sent is received. */
async function received(clients: Child, expected: number): Promise<void> {
  for (let tries = 0; (await clients.ask<number>({ ask: 'count' })) < expected; tries += 1) {
    if (tries > 1_000) throw new Error('not every delivery arrived')
    await sleep(20)
  }
  await clients.ask({ ask: 'received' })
}

/** CPU of a process while `act` runs, µs. */
async function costOf(process: Child, act: () => Promise<unknown>): Promise<number> {
  const before = await process.ask<number>({ ask: 'cpu' })
  await act()
  return (await process.ask<number>({ ask: 'cpu' })) - before
}

/** One measured pair: what is sent to a room, or to nobody, and what the rival does instead. */
async function measure(
  name: string,
  rounds: number,
  ours: () => Promise<number>,
  theirs: () => Promise<number>,
) {
  startMeasuring()
  const ratios: number[] = []
  // The first round is a warm-up.
  for (let round = 0; round <= rounds; round += 1) {
    const ratio = (await ours()) / (await theirs())
    if (round > 0) ratios.push(ratio)
  }
  report({ name, value: median(ratios), unit: '×' })
}

/** Runs the four pairs: four minutes, or one and a half. */
export async function run(isShort = false): Promise<void> {
  const [rounds, forMs] = isShort ? [3, 2_000] : [7, 4_000]
  const times = (RATE_PER_S * forMs) / 1_000
  const [server, bareSend, clients, senders, few, many] = [
    new Child('server'),
    new Child('bareSend'),
    new Child('clients'),
    new Child('clients'),
    new Child('bare'),
    new Child('bare'),
  ]
  const all = [server, bareSend, clients, senders, few, many]
  try {
    for (const child of all) await child.started()
    const rooms = new Map<number, Room>()
    for (const [connections, bare] of [
      [1, null],
      [100, few],
      [1_000, many],
    ] as const) {
      const room = await server.ask<Room>({ ask: 'seed', connections })
      rooms.set(connections, room)
      if (!bare) continue
      const seats = room.seats.map(({ gateway }) => gateway)
      await clients.ask({ ask: 'open', seats, port: room.port, sendsHello: true })
      await senders.ask({ ask: 'open', seats: seats.map(() => '/'), port: bare.port, sendsHello: false })
    }
    const send = (
      to: { port: number; room: Room },
      more: { burst?: number; ratePerS?: number; forMs?: number } = {},
    ) =>
      clients.ask<Sent>({
        ask: 'send',
        port: to.port,
        tokens: to.room.seats.slice(0, SENDERS).map(({ token }) => token),
        channelId: to.room.channelId,
        ratePerS: RATE_PER_S,
        forMs,
        ...more,
      })
    const toRoom = (connections: number, burst = 1) => {
      const room = rooms.get(connections)!
      return async () => {
        const cost = await costOf(server, async () => {
          const { sent } = await send({ port: room.port, room }, { burst })
          await received(clients, sent * connections)
        })
        return cost
      }
    }
    const broadcast =
      (bare: Child, burst = 1) =>
      () =>
        costOf(bare, () => bare.ask({ ask: 'broadcast', times, gapMs: 1_000 / RATE_PER_S, burst }))
    const warm = rooms.get(100)!
    const { sent } = await send({ port: warm.port, room: warm }, WARM)
    await received(clients, sent * 100)
    const alone = rooms.get(1)!
    await send({ port: bareSend.port, room: alone }, WARM)

    console.log(`CPU of the server at ${RATE_PER_S} messages a second, with HTTP, permissions and commit`)
    await measure('to 1000 members, beside a bare ws broadcast', rounds, toRoom(1_000), broadcast(many))
    await measure('to 1000 members, ten at once', rounds, toRoom(1_000, 10), broadcast(many, 10))
    await measure('to 100 members', rounds, toRoom(100), broadcast(few))
    await measure(
      'to nobody, beside a bare Fastify handler with an insert',
      rounds,
      () => costOf(server, () => send({ port: alone.port, room: alone })),
      () => costOf(bareSend, () => send({ port: bareSend.port, room: alone })),
    )
  } finally {
    for (const child of all) await child.end()
  }
}
