/**
 * A generated day of 24 short hours: people come and go, read and write, in guilds of all sizes, most of it
 * in the evening. What it used is put beside what the model says that it uses.
 */
import { startMeasuring } from '../kit/figures.ts'
import { type Constants, type Load, type Use, useOf } from './model.ts'
import { NODES, type System } from './system.ts'
import { messageTo, type Room, random, readOf, type World } from './world.ts'

/** How busy each hour is, beside the busiest. */
const HOURS = [
  0.35, 0.2, 0.1, 0.05, 0.05, 0.05, 0.1, 0.15, 0.25, 0.3, 0.35, 0.4, 0.5, 0.4, 0.35, 0.35, 0.4, 0.5, 0.65,
  0.8, 0.95, 1, 0.9, 0.6,
]
/** So often a second in the busiest hour. */
const BUSIEST = { sends: 60, crowdSends: 0.4, reads: 60, visits: 20 }
/** How long a visitor stays, ms. */
const STAY_MS = 8_000
/** So many rooms are written to in an hour; larger guilds have more of them. */
const ROOMS_AN_HOUR = 400

/** What was measured beside what the model says. */
export interface Compared {
  readonly name: string
  readonly measured: number
  readonly predicted: number
  readonly unit: string
}

export interface Day {
  readonly compared: readonly Compared[]
  /** Of one processor each, in the busiest hour, all nodes together. */
  readonly busiest: { readonly measured: number; readonly predicted: number }
}

export async function liveADay(
  system: System,
  world: World,
  { constants, hourMs }: { readonly constants: Constants; readonly hourMs: number },
): Promise<Day> {
  startMeasuring()
  const first = await system.used()
  let before = first
  let expected: Use = { nodesMs: 0, databaseMs: 0, redisMs: 0, redisBytes: 0 }
  let deliveries = 0
  let busiest = { measured: 0, predicted: 0 }
  for (const busy of HOURS) {
    const hour = await liveAnHour(system, world, { busy, hourMs })
    const after = await system.used()
    const seconds = (after.at - before.at) / 1_000
    const load: Load = {
      ...hour,
      seconds,
      nodes: NODES,
      connected: world.connected.length + (hour.visits * STAY_MS) / 1_000 / seconds,
    }
    const use = useOf(constants, load)
    expected = {
      nodesMs: expected.nodesMs + use.nodesMs,
      databaseMs: expected.databaseMs + use.databaseMs,
      redisMs: expected.redisMs + use.redisMs,
      redisBytes: expected.redisBytes + use.redisBytes,
    }
    deliveries += hour.deliveries + hour.crowdDeliveries
    if (busy === 1) {
      const nodesUs = sum(after.nodes) - sum(before.nodes)
      busiest = { measured: nodesUs / 1e6 / seconds, predicted: use.nodesMs / 1e3 / seconds }
    }
    before = after
  }
  const inSeconds = (us: number) => us / 1e6
  return {
    busiest,
    compared: [
      {
        name: 'CPU of the nodes',
        measured: inSeconds(sum(before.nodes) - sum(first.nodes)),
        predicted: expected.nodesMs / 1e3,
        unit: 's',
      },
      {
        name: 'CPU of the database',
        measured: inSeconds(before.databaseUs - first.databaseUs),
        predicted: expected.databaseMs / 1e3,
        unit: 's',
      },
      {
        name: 'CPU of Redis',
        measured: inSeconds(before.redisUs - first.redisUs),
        predicted: expected.redisMs / 1e3,
        unit: 's',
      },
      {
        name: 'bytes through Redis',
        measured: (before.redisBytes - first.redisBytes) / 2 ** 20,
        predicted: expected.redisBytes / 2 ** 20,
        unit: 'MiB',
      },
      {
        name: 'events that people received',
        measured: before.events - first.events,
        predicted: deliveries,
        unit: '',
      },
    ],
  }
}

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0)

/** What happened in an hour, and whom it reached. */
async function liveAnHour(
  system: System,
  world: World,
  { busy, hourMs }: { readonly busy: number; readonly hourMs: number },
): Promise<Pick<Load, 'sends' | 'arrivals' | 'deliveries' | 'crowdDeliveries' | 'visits' | 'reads'>> {
  const rooms = Array.from({ length: ROOMS_AN_HOUR }, () => anyRoom(world))
  const [written, crowd, read, visits] = await Promise.all([
    system.call(rooms.map(messageTo), { ratePerS: BUSIEST.sends * busy, forMs: hourMs, by: 0 }),
    system.call([messageTo(world.crowd)], { ratePerS: BUSIEST.crowdSends * busy, forMs: hourMs, by: 1 }),
    system.call(rooms.map(readOf), { ratePerS: BUSIEST.reads * busy, forMs: hourMs, by: 2 }),
    system.visit({ tokens: world.visitors, ratePerS: BUSIEST.visits * busy, forMs: hourMs, stayMs: STAY_MS }),
  ])
  const crowdSends = sum(crowd.succeeded)
  const reached = (of: (room: Room) => number) =>
    rooms.reduce((all, room, n) => all + written.succeeded[n]! * of(room), 0)
  return {
    sends: sum(written.succeeded) + crowdSends,
    arrivals:
      reached(({ members }) => new Set(members.map((number) => number % NODES)).size) + crowdSends * NODES,
    deliveries: reached(({ members }) => members.length),
    crowdDeliveries: crowdSends * world.connected.length,
    visits,
    reads: sum(read.succeeded),
  }
}

/** Larger guilds talk more: a guild of Zipf's law is chosen by its members. */
function anyRoom({ zipf }: World): Room {
  const most = zipf[0]!.members.length
  for (;;) {
    const room = zipf[random(zipf.length)]!
    if (random(most) < room.members.length) return room
  }
}
