/** What things take on disk and in memory. */

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { UserId } from '@guildhall/wire/id.ts'
import { sql } from 'kysely'
import { alone } from '../../../server/src/kit/events/nodes.ts'
import { sharePresence } from '../../../server/src/kit/events/presence.ts'
import type { System } from './system.ts'
import { messageTo, random, type World } from './world.ts'

/** Tables whose rows are removed within a day; what else grows with messages stays. */
const OF_A_DAY = new Set(['event_log', 'line_journal'])

/** Bytes of each table with its indexes, once what was written is sorted in and freed. */
async function tableBytes({ database }: { readonly database: System['store']['database'] }) {
  await database.alone(async (query) => {
    await query('vacuum')
    await query('checkpoint')
  })
  const { rows } = await sql<{ name: string; bytes: string }>`
    select relname as name, pg_total_relation_size(oid) as bytes from pg_class
    where relkind = 'r' and relnamespace = 'public'::regnamespace`.execute(database.db)
  return new Map(rows.map(({ name, bytes }) => [name, Number(bytes)]))
}

/** Many messages into guilds of all sizes, as fast as they go, and what the tables grew by for each. */
export async function messageBytes(system: System, world: World, forMs: number) {
  const { store } = system
  const before = await tableBytes(store)
  const calls = Array.from({ length: world.zipf.length * 2 }, () =>
    messageTo(world.zipf[random(world.zipf.length)]!),
  )
  const { succeeded } = await system.call(calls, { ratePerS: 0, forMs })
  const count = succeeded.reduce((sum, it) => sum + it, 0)
  const grown = [...(await tableBytes(store))].map(
    ([name, bytes]) => [name, (bytes - (before.get(name) ?? 0)) / count] as const,
  )
  const most = grown.toSorted(([, a], [, b]) => b - a).slice(0, 8)
  console.log(
    `${count} messages; bytes of each: ${most.map(([name, it]) => `${name} ${it.toFixed(0)}`).join(', ')}`,
  )
  const sum = (isOfADay: boolean) =>
    grown.reduce((all, [name, it]) => (OF_A_DAY.has(name) === isOfADay ? all + it : all), 0)
  return { messageBytes: sum(false), eventBytes: sum(true) }
}

const PEOPLE_ELSEWHERE = 1_000_000
const FIRST_ID = 10_000_000

/** Memory that a node takes to know somebody who is connected to another one, bytes. */
export async function elsewhereBytes(): Promise<number> {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  let receive: ((body: unknown, from: string) => void) | null = null
  const nodes = {
    ...alone(),
    onMessage(kind: string, listener: (body: unknown, from: string) => void) {
      if (kind === 'presence') receive = listener
      return () => undefined
    },
  }
  const presence = sharePresence(nodes, () => null)
  collect()
  const before = process.memoryUsage().heapUsed
  receive!(everybodyElsewhere(), 'other')
  collect()
  const bytes = (process.memoryUsage().heapUsed - before) / PEOPLE_ELSEWHERE
  if (!presence.isOnline(String(FIRST_ID) as UserId)) throw new Error('nobody was learnt of')
  presence.close()
  return bytes
}

/** As it comes from another node: parsed, so that no text is shared. */
function everybodyElsewhere(): unknown {
  const ids = Array.from({ length: PEOPLE_ELSEWHERE }, (_, n) => String(FIRST_ID + n))
  const update = { n: 1, isAll: true, on: ids, off: [], counts: [], os: ids.map((id) => [id, 'Android']) }
  return JSON.parse(JSON.stringify(update))
}
