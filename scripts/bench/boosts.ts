// The boosts benchmark: the trend of a guild among a thousand guilds with a million used packs, and what is
// due at midnight.

import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { GuildId } from '@guildhall/wire/id.ts'
import { DAY_MS } from '@guildhall/wire/unit.ts'
import { sql } from 'kysely'
import { countTrend, turnBoosts } from '../../server/src/boost/boost.ts'
import type { Db } from '../../server/src/kit/database/db.ts'
import { openStore } from '../../server/src/kit/database/store.ts'
import { noopBus } from '../../server/src/kit/events/bus.ts'
import { commit } from '../../server/src/kit/events/events.ts'
import { emptyPresence } from '../../server/src/kit/events/presence.ts'
import { createGuild } from '../../server/src/member/member.ts'
import { register } from '../../server/src/user/user.ts'

const GUILDS = 1_000
const USES = 1_000_000
/** Of them are under way; the others ended within a year. */
const UNDER_WAY = 30 / 365
const PART = 20_000
const ROUNDS = 2_000
const DUE = [0, 10, 100]

export async function run(): Promise<void> {
  const directory = await mkdtemp(path.join(tmpdir(), 'guildhall-bench-'))
  await chmod(directory, 0o711)
  const store = await openStore({ dataDir: path.join(directory, 'data'), databaseUrl: null })
  try {
    await fill(store.database.db)
    await measure(store.database.db)
  } finally {
    await store.close()
    await rm(directory, { recursive: true, force: true })
  }
}

async function fill(db: Db): Promise<void> {
  const now = Date.now()
  const appContext = { db, bus: noopBus, presence: emptyPresence, publicUrl: '' }
  const it = { prefix: '86', mobile: '13900000000', verified: true, makeName: () => 'owner' }
  const ownerId = (await commit(appContext, (tx) => register(tx, it))).user.id
  for (let n = 0; n < GUILDS; n += 1)
    await commit(appContext, (tx, emit) => createGuild(tx, emit, { name: `公会${n}`, ownerId }))
  // Packs of a guild begin at any time of the last year. In parts, because a statement may not take long.
  for (let part = 0; part < USES; part += PART)
    await sql`with pack as (
        insert into boost_pack (user_id, count, used, granted_at)
        select ${ownerId}::bigint, 1, 1, 0 from generate_series(1, ${PART}::int) returning id, user_id
      ), place as (select id, row_number() over (order by id) - 1 as n from guild)
      insert into boost_use (guild_id, user_id, pack_id, count, start_at, end_at)
      select place.id, it.user_id, it.id, 1, it.at, it.at + ${30 * DAY_MS}::bigint from (
        select pack.*, ${now}::bigint - (random() * ${365 * DAY_MS}::float8)::bigint as at from pack
      ) it join place on place.n = it.id % ${GUILDS}::int`.execute(db)
  await sql`vacuum analyze boost_use, boost_pack, guild`.execute(db)
}

async function measure(db: Db): Promise<void> {
  const { rows } = await sql<{ id: GuildId }>`select id::text from guild`.execute(db)
  for (const { id } of rows.slice(0, 100)) await countTrend(db, id)
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const began = performance.now()
    await countTrend(db, rows[(round * 7) % rows.length]!.id)
    times.push(performance.now() - began)
  }
  times.sort((a, b) => a - b)
  const at = (part: number) => times[Math.floor(part * (ROUNDS - 1))]!.toFixed(1)
  const share = Math.round((USES / GUILDS) * UNDER_WAY)
  console.log(
    `trend, ${USES / GUILDS} uses a guild of which ${share} are under way: p50 ${at(0.5)} ms, p99 ${at(0.99)}, worst ${at(1)} over ${ROUNDS}`,
  )
  const appContext = { db, bus: noopBus, presence: emptyPresence, publicUrl: '' }
  for (const due of DUE) {
    await sql`delete from boost_turn`.execute(db)
    await sql`insert into boost_turn (guild_id, at) select id, case when row_number() over (order by id) <= ${due}
      then 0 else ${Date.now() + DAY_MS}::bigint end from guild`.execute(db)
    const began = performance.now()
    await turnBoosts(appContext)
    console.log(`${due} of ${GUILDS} guilds due: ${(performance.now() - began).toFixed(1)} ms`)
  }
}
