/**
 * The member list of a guild of a hundred thousand, 500 roles and 500 channels: the first load, pages, and
 * how long the process is held.
 */
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { ChannelId, GuildId, UserId } from '@guildhall/wire/id.ts'
import { sql } from 'kysely'
import type { Database, Db } from '../../server/src/kit/database/db.ts'
import { openStore, type Store } from '../../server/src/kit/database/store.ts'
import { openBus } from '../../server/src/kit/events/bus.ts'
import { commit, eventLogOf } from '../../server/src/kit/events/events.ts'
import { ALL_MEMBERS, listMembers, Rosters, userList } from '../../server/src/member/member.ts'
import { updateRole } from '../../server/src/role/role.ts'
import { openFakePresence } from '../../server/src/testing/fakePresence.ts'

const MEMBERS = Number(process.env.MEMBERS ?? 100_000)
const ROLES = 500
const CHANNELS = 500
const PAGES = 2_000
const SURNAMES = '赵钱孙李周吴郑王冯陈褚卫蒋沈韩杨朱秦尤许何吕施张孔曹严华金魏陶姜'
const GIVEN = '伟芳娜敏静丽强磊军洋勇艳杰娟涛明超秀霞平刚桂英'

export const run = (): Promise<void> => withDatabase(({ db }) => measure(db))

/** Runs with a database of its own. */
export const withDatabase = (measured: (database: Database) => Promise<void>): Promise<void> =>
  withStore(({ database }) => measured(database))

/** The same for what also needs the address of the database. */
export async function withStore(measured: (store: Store) => Promise<void>): Promise<void> {
  const directory = await mkdtemp(path.join(tmpdir(), 'guildhall-bench-'))
  await chmod(directory, 0o711)
  const store = await openStore({ dataDir: path.join(directory, 'data'), databaseUrl: null })
  try {
    await measured(store)
  } finally {
    await store.close()
    await rm(directory, { recursive: true, force: true })
  }
}

async function measure(db: Db): Promise<void> {
  const { guildId, ids, channels, roles } = await seed(db)
  const bus = openBus(eventLogOf(db))
  const presence = openFakePresence()
  for (let at = 0; at < ids.length; at += 5) presence.come(ids[at]!)
  const appContext = { db, bus, presence, publicUrl: 'http://bench' }
  const lists = { appContext, rosters: new Rosters(appContext) }
  const me = ids[0]!
  const page = (offset: number, channelId: ChannelId | null = null) =>
    listMembers(lists, me, { guildId, channelId, offset, limit: 50, search: '' })

  const memory = process.memoryUsage().heapUsed
  await timed('first page, nothing loaded', 1, () => page(0))
  globalThis.gc?.()
  console.log(`heap  ${((process.memoryUsage().heapUsed - memory) / 2 ** 20).toFixed(0)} MiB more`)
  await timed('a page anywhere', PAGES, () => page(random(MEMBERS)))
  await timed('… while ten come and go before each', PAGES, () => {
    for (let n = 0; n < 10; n += 1) {
      const userId = ids[random(MEMBERS)]!
      if (presence.isOnline(userId)) presence.go(userId)
      else presence.come(userId)
    }
    return page(random(MEMBERS))
  })
  for (const channelId of channels.slice(0, 5)) await page(0, channelId)
  await timed('a page of one of five channels', PAGES, () => page(random(MEMBERS), channels[random(5)]!))
  await timed('the first page of another channel', 20, () => page(0, channels[5 + random(CHANNELS - 5)]!))
  await timed('after a role changed', 20, async () => {
    await commit(appContext, (tx, emit) =>
      updateRole(tx, emit, guildId, roles[random(ROLES)]!, { hoist: random(2) }),
    )
    await bus.settled()
    return page(random(MEMBERS))
  })
  await timed('after half of all came or went', 10, () => {
    for (let at = random(2); at < ids.length; at += 2) {
      if (presence.isOnline(ids[at]!)) presence.go(ids[at]!)
      else presence.come(ids[at]!)
    }
    return page(random(MEMBERS))
  })
  const asked = { ...ALL_MEMBERS, guildId }
  await timed('v3 user-list', 200, () => userList(lists, me, { ...asked, page: 1 + random(MEMBERS / 50) }))
  await timed('v3 user-list, search', 50, () => userList(lists, me, { ...asked, search: '王' }))
  await timed('v3 user-list, by activity', 10, () =>
    userList(lists, me, { ...asked, order: { by: 'active_time', isDescending: true } }),
  )
  lists.rosters.close()
  bus.close()
}

let seed32 = 1
function random(n: number): number {
  seed32 = (Math.imul(seed32, 1_103_515_245) + 12_345) >>> 0
  return (seed32 >>> 8) % n
}

/** Prints the median, the 99th percentile and the longest, and how long the process was held at most, ms. */
export async function timed(name: string, times: number, act: () => Promise<unknown>): Promise<void> {
  const held = monitorEventLoopDelay({ resolution: 1 })
  held.enable()
  const took: number[] = []
  for (let turn = 0; turn < times; turn += 1) {
    const since = performance.now()
    await act()
    took.push(performance.now() - since)
    await new Promise(setImmediate)
  }
  held.disable()
  took.sort((a, b) => a - b)
  const at = (part: number) => took[Math.min(took.length - 1, Math.floor(took.length * part))]!.toFixed(1)
  console.log(
    `${name.padEnd(40)} median ${at(0.5)}  p99 ${at(0.99)}  longest ${at(1)}  held ${(held.max / 1e6).toFixed(0)}`,
  )
}

/** A guild of a hundred thousand, with 500 roles and 500 channels. */
export async function seed(db: Db) {
  const names = sql`substr(${SURNAMES}, 1 + n % ${SURNAMES.length}::int, 1) || substr(${GIVEN}, 1 + (n / 7) % ${GIVEN.length}::int, 1)
    || case when n % 3 = 0 then 'x' || (n % 977) else substr(${GIVEN}, 1 + (n / 31) % ${GIVEN.length}::int, 1) end`
  const { rows } = await sql<{ id: UserId }>`
    insert into "user" (username, identify_num, mobile_prefix, mobile, mobile_verified, created_at)
    select ${names}, lpad(n::text, 6, '0'), '86', (12000000000 + n)::text, true, 0
    from generate_series(1, ${MEMBERS}::int) n returning id`.execute(db)
  const ids = rows.map(({ id }) => id)
  const guild = await sql<{ id: GuildId }>`
    insert into guild (name, topic, icon, user_id, level, boost_num, is_recommended, created_at)
    values ('bench', '', '', ${ids[0]}, 0, 0, false, 0) returning id`.execute(db)
  const guildId = guild.rows[0]!.id
  await sql`insert into guild_counter (guild_id, last_at) values (${guildId}, 0)`.execute(db)
  await sql`insert into role (guild_id, role_id, name, permissions, position)
    values (${guildId}, 0, 'all', 842248, 2147483647)`.execute(db)
  const added = await sql<{ role_id: number }>`
    insert into role (guild_id, name, color, hoist, mentionable, permissions, position)
    select ${guildId}, 'role' || n, n, case when n % 10 = 0 then 1 else 0 end, 0, 0, n
    from generate_series(1, ${ROLES}::int) n returning role_id`.execute(db)
  const roles = added.rows.map(({ role_id }) => role_id)
  await sql`insert into membership (guild_id, user_id, joined_at, is_keyed)
    select ${guildId}, id, row_number() over (), true from "user"`.execute(db)
  // Three roles for each, in many combinations.
  await sql`insert into membership_role (guild_id, user_id, role_id)
    select distinct ${guildId}::bigint, member.user_id, (${roles}::int[])[1 + (member.joined_at * k * 7919) % ${ROLES}::int]
    from membership member, generate_series(1, 3) k where member.guild_id = ${guildId}`.execute(db)
  const made = await sql<{ id: ChannelId }>`
    insert into channel (guild_id, user_id, name, topic, type, level, is_readonly, permission_sync, limit_amount, created_at)
    select ${guildId}, ${ids[0]}, 'channel' || n, '', 1, n, false, 0, 0, 0
    from generate_series(1, ${CHANNELS}::int) n returning id`.execute(db)
  const channels = made.rows.map(({ id }) => id)
  await sql`insert into channel_role_rule (channel_id, guild_id, role_id, allow, deny)
    select id, ${guildId}, 0, 0, 2048 from channel where guild_id = ${guildId}`.execute(db)
  await sql`insert into channel_role_rule (channel_id, guild_id, role_id, allow, deny)
    select id, ${guildId}, (${roles}::int[])[1 + (id * k) % ${ROLES}::int], 2048, 0
    from channel, generate_series(1, 50) k where guild_id = ${guildId} on conflict do nothing`.execute(db)
  await sql`analyze`.execute(db)
  return { guildId, ids, channels, roles }
}
