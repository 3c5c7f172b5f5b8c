/**
 * Eight nodes, Redis and PostgreSQL on this machine with a guild of a million members of whom 50 000 are
 * connected: what one thing of each kind costs, a generated day beside what the model says of it, and a
 * killed node. Half an hour. SCALE=0.02 tries the bench itself in a few minutes.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { findPostgres } from '../../server/src/testing/database/postgres.ts'
import { ensurePackages, NEEDS } from '../packages.ts'
import { report, reported } from './kit/figures.ts'
import { measureConstants } from './scale/constants.ts'
import { liveADay } from './scale/day.ts'
import { type Kept, keep } from './scale/page.ts'
import { NODES, System } from './scale/system.ts'
import { fillWorld, sizeOf } from './scale/world.ts'

const PART = Number(process.env.SCALE ?? 1)
const IS_WHOLE = PART === 1
const TIMES = IS_WHOLE
  ? { phaseMs: 45_000, restMs: 20_000, settleMs: 20_000 }
  : { phaseMs: 5_000, restMs: 3_000, settleMs: 3_000 }
const HOUR_MS = IS_WHOLE ? 12_000 : 2_000
/** People of a killed node are waited for this long, ms. */
const BACK_WITHIN_MS = 300_000

export async function run(_isShort: boolean, _to: unknown, machine: string): Promise<void> {
  for (const [need, isThere] of [
    [NEEDS.redis, undefined],
    [NEEDS.postgres, () => findPostgres() !== null],
  ] as const)
    if (!ensurePackages(need, isThere)) throw new Error(`needed: ${need.purpose}`)
  const system = await System.open()
  try {
    const size = sizeOf(PART)
    const world = await fillWorld(system.store.database.db, size, NODES)
    console.log(`${size.members} people, ${size.guilds} guilds by Zipf's law`)
    await system.startNodes()
    const constants = await measureConstants(system, world, TIMES)
    const day = await liveADay(system, world, { constants, hourMs: HOUR_MS })
    report(
      ...day.compared.map(({ name, measured, predicted }) => ({
        name: `a day: ${name}, the model beside it`,
        value: predicted / measured,
        unit: '×' as const,
      })),
    )
    const killed = await killANode(system)
    const kept: Kept = {
      day: new Date().toISOString().slice(0, 10),
      machine,
      constants,
      compared: day.compared,
      busiest: day.busiest,
      killed,
    }
    console.log(JSON.stringify(kept, null, 2))
    if (process.argv.includes('--keep') && reported().refused === 0) keep(kept)
  } finally {
    await system.close()
  }
}

/** The last node dies: when its people are back on the others. */
async function killANode(system: System): Promise<Kept['killed']> {
  const before = await system.seen()
  const people = Math.floor(before.connected / NODES)
  await system.killNode()
  const awayMs: number[] = []
  let resumed = 0
  const until = performance.now() + BACK_WITHIN_MS
  while (awayMs.length < people && performance.now() < until) {
    await sleep(1_000)
    const seen = await system.seen()
    awayMs.push(...seen.awayMs)
    resumed = seen.resumed - before.resumed
  }
  const sorted = awayMs.toSorted((a, b) => a - b)
  const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(people * part))] ?? Number.NaN
  const killed = { people, half: at(0.5), most: at(0.99), resumed }
  report(
    { name: 'people of a killed node, half are back', value: killed.half / 1_000, unit: 's' },
    { name: 'people of a killed node, 99 % are back', value: killed.most / 1_000, unit: 's' },
  )
  return killed
}
