/**
 * Measures what one thing costs, each for itself: what everything uses while it happens, less what it uses at
 * rest, which is measured before and after, divided by how often it happened.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { report, startMeasuring } from '../kit/figures.ts'
import type { Constants, Cost } from './model.ts'
import { elsewhereBytes, messageBytes } from './sizes.ts'
import { NODES, type System, type Used } from './system.ts'
import { MANY, messageTo, type Room, readOf, type World } from './world.ts'

/** How long each thing happens, and how long nothing does before and after, ms. */
export interface Times {
  readonly phaseMs: number
  readonly restMs: number
  readonly settleMs: number
}

/** So often a second each thing happens: enough to be seen beside rest, and half of the machine is left. */
const RATES = {
  quiet: 100,
  few: 60,
  many: 30,
  crowd: 0.5,
  visits: 30,
  reads: 100,
}
/** What a thing leaves to be done is done after so long, ms. */
const TAIL_MS = 5_000
/** People stay this long when their coming and going is measured, ms. */
const STAY_MS = 5_000

/** What was used in a time, µs, bytes and events. */
interface Spent {
  readonly seconds: number
  readonly nodes: readonly number[]
  readonly database: number
  readonly redis: number
  readonly redisBytes: number
  readonly events: number
}

const spentBetween = (before: Used, after: Used): Spent => ({
  seconds: (after.at - before.at) / 1_000,
  nodes: after.nodes.map((us, node) => us - before.nodes[node]!),
  database: after.databaseUs - before.databaseUs,
  redis: after.redisUs - before.redisUs,
  redisBytes: after.redisBytes - before.redisBytes,
  events: after.events - before.events,
})

/** `a` and so many times `b`. */
const plus = (a: Spent, b: Spent, factor: number): Spent => ({
  seconds: a.seconds + factor * b.seconds,
  nodes: a.nodes.map((us, node) => us + factor * b.nodes[node]!),
  database: a.database + factor * b.database,
  redis: a.redis + factor * b.redis,
  redisBytes: a.redisBytes + factor * b.redisBytes,
  events: a.events + factor * b.events,
})

const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0)

const costOf = ({ nodes, database, redis }: Spent, count: number): Cost => ({
  nodes: total(nodes) / count,
  database: database / count,
  redis: redis / count,
})

const costPlus = (a: Cost, b: Cost, factor: number): Cost => ({
  nodes: a.nodes + factor * b.nodes,
  database: a.database + factor * b.database,
  redis: a.redis + factor * b.redis,
})
const over = (cost: Cost, count: number): Cost =>
  costPlus({ nodes: 0, database: 0, redis: 0 }, cost, 1 / count)

export async function measureConstants(system: System, world: World, times: Times): Promise<Constants> {
  const rest = async (forMs: number): Promise<Spent> => {
    const before = await system.used()
    await sleep(forMs)
    return spentBetween(before, await system.used())
  }
  let restBefore: Spent
  /** What a thing cost beside rest: all of it together, and how often it happened. */
  const measured = async (name: string, act: () => Promise<number>) => {
    startMeasuring()
    const before = await system.used()
    const count = await act()
    await sleep(TAIL_MS)
    const spent = spentBetween(before, await system.used())
    const restAfter = await rest(times.restMs)
    const between = plus(restBefore, restAfter, 1)
    restBefore = restAfter
    const beside = plus(spent, between, -spent.seconds / between.seconds)
    const cost = costOf(beside, count)
    report(
      { name: `${name}: nodes`, value: cost.nodes, unit: 'µs' },
      { name: `${name}: database`, value: cost.database, unit: 'µs' },
      { name: `${name}: Redis`, value: cost.redis, unit: 'µs' },
    )
    return { beside, count, cost, events: beside.events / count, redisBytes: beside.redisBytes / count }
  }
  const sends = (rooms: readonly Room[], ratePerS: number) => async () => {
    const { succeeded, refused } = await system.call(rooms.map(messageTo), {
      ratePerS,
      forMs: times.phaseMs,
    })
    const sent = total(succeeded)
    if (refused > sent / 100) throw new Error(`${refused} messages were refused`)
    return sent
  }

  await sleep(times.settleMs)
  const empty = await rest(times.phaseMs)
  const memoryBefore = total(await system.memory())
  const began = performance.now()
  await system.connect(world.connected)
  const people = world.connected.length
  console.log(`${people} people connected in ${((performance.now() - began) / 1_000).toFixed(0)} s`)
  await sleep(times.settleMs)
  const memoryAfter = total(await system.memory())
  const full = await rest(times.phaseMs)
  restBefore = full

  const quiet = await measured('a message to nobody', sends(world.quiet, RATES.quiet))
  const few = await measured(`a message to one on each of ${NODES} nodes`, sends(world.few, RATES.few))
  const many = await measured(`a message to ${MANY}`, sends(world.many, RATES.many))
  const crowd = await measured(`a message to ${people}`, sends([world.crowd], RATES.crowd))
  const read = await measured('a page of history', async () => {
    const calls = world.few.map(readOf)
    const input = { ratePerS: RATES.reads, forMs: times.phaseMs }
    return total((await system.call(calls, input)).succeeded)
  })
  const visit = await measured('somebody comes and goes', () =>
    system.visit({
      tokens: world.visitors,
      ratePerS: RATES.visits,
      forMs: times.phaseMs,
      stayMs: STAY_MS,
      isToFirst: true,
    }),
  )

  const restOfAll = costOf(empty, empty.seconds)
  const connectedOfAll = costPlus(costOf(full, full.seconds), restOfAll, -1)
  const delivery = over(costPlus(many.cost, few.cost, -1), many.events - few.events)
  const arrivals = costPlus(costPlus(few.cost, quiet.cost, -1), delivery, -few.events)
  const toEachNode = costPlus(quiet.cost, arrivals, 1)
  const [here = 0, ...elsewhere] = visit.beside.nodes
  const elsewhereKiB = (await elsewhereBytes()) / 1_024
  return {
    rest: over(restOfAll, NODES),
    connected: over(connectedOfAll, people),
    send: quiet.cost,
    arrival: over(arrivals, NODES),
    delivery,
    crowdDelivery: over(costPlus(crowd.cost, toEachNode, -1), crowd.events),
    visit: { ...visit.cost, nodes: here / visit.count },
    visitElsewhere: { nodes: total(elsewhere) / (NODES - 1) / visit.count, database: 0, redis: 0 },
    read: read.cost,
    nodeMiB: memoryBefore / NODES / 1_024 ** 2,
    connectionKiB: (memoryAfter - memoryBefore) / people / 1_024 - (NODES - 1) * elsewhereKiB,
    elsewhereKiB,
    redisArrivalBytes: few.redisBytes / NODES,
    redisVisitBytes: visit.redisBytes / NODES,
    redisRestBytes: full.redisBytes / full.seconds / NODES,
    ...(await messageBytes(system, world, times.phaseMs)),
  }
}
