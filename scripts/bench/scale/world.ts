/** The people and guilds of the bench: one of a million members, and small ones by Zipf's law. */
import { history, sendToChannel } from '@guildhall/wire/message/message.ts'
import { sql } from 'kysely'
import { createChannel } from '../../../server/src/channel/channel.ts'
import type { Db } from '../../../server/src/kit/database/db.ts'
import { noopBus } from '../../../server/src/kit/events/bus.ts'
import { commit } from '../../../server/src/kit/events/events.ts'
import { createGuild } from '../../../server/src/member/member.ts'
import { logIn } from '../kit/people.ts'
import { TEXT } from '../room/ask.ts'
import type { Call } from '../room/caller.ts'

/** The size of the world; `part` of it tries the bench itself. */
export const sizeOf = (part: number) => {
  const of = (count: number, least: number) => Math.max(least, Math.round(count * part))
  return {
    /** Members of the largest guild, of whom so many are connected, and so many come and go. */
    members: of(1_000_000, 4_000),
    connected: of(50_000, 800),
    visitors: of(2_000, 100),
    /** Guilds by Zipf's law, the largest of them with so many members who are connected. */
    guilds: of(2_000, 40),
    guildMost: of(2_000, 80),
  }
}
export type Size = ReturnType<typeof sizeOf>

/** Guilds of a measured number of connected members. */
export interface Group {
  readonly guilds: readonly Room[]
  /** Members of each who are connected. */
  readonly connected: number
}

/** A guild's channel, and the numbers of its connected members among all who are connected. */
export interface Room {
  readonly channelId: string
  readonly members: readonly number[]
  /** Of somebody who writes there. */
  readonly token: string
}

export interface World {
  readonly crowd: Room
  /** Nobody of them is connected. */
  readonly quiet: readonly Room[]
  /** Of each, one member on each node is connected. */
  readonly few: readonly Room[]
  /** Of each, MANY members are connected. */
  readonly many: readonly Room[]
  /** By Zipf's law. */
  readonly zipf: readonly Room[]
  /** Tokens of those who are connected: number n is on node n modulo the number of nodes. */
  readonly connected: readonly string[]
  /** Tokens of those who come and go. */
  readonly visitors: readonly string[]
}

export const MANY = 200
const QUIET_GUILDS = 100
const FEW_GUILDS = 100
const MANY_GUILDS = 20

let state = 1
/** The same numbers in each run, from 0 to below `n`. */
export function random(n: number): number {
  state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
  return Math.floor((state / 2 ** 32) * n)
}

/** Makes the world. */
export async function fillWorld(db: Db, size: Size, nodes: number): Promise<World> {
  const firstId = await addPeople(db, size.members)
  const idOf = (number: number) => String(firstId + BigInt(number))
  const everybody = size.connected + size.visitors
  const tokens = await logIn(
    db,
    Array.from({ length: everybody }, (_, number) => idOf(number)),
  )
  const connected = tokens.slice(0, size.connected)
  /** A guild of this owner, where the first of `members` writes. */
  const open = async (members: readonly number[], owner: number): Promise<Room & { guildId: string }> => {
    const made = await commit({ db, bus: noopBus }, async (tx, emit) => {
      const ownerId = idOf(owner) as never
      const guildId = await createGuild(tx, emit, { name: 'scale', topic: '', ownerId })
      return { guildId, channelId: await createChannel(tx, emit, { guildId, name: 'room', type: 1 }) }
    })
    await sql`
      insert into membership (guild_id, user_id, joined_at, is_keyed)
      select ${made.guildId}, id, ${Date.now()}, true from unnest(${members.map(idOf)}::bigint[]) as id
      on conflict do nothing`.execute(db)
    return { ...made, members, token: tokens[members[0] ?? owner]! }
  }
  const several = async (count: number, membersOf: (n: number) => readonly number[]) => {
    const rooms: Room[] = []
    for (let n = 0; n < count; n += 1) {
      const members = membersOf(n)
      rooms.push(await open(members, members[0] ?? size.connected + random(size.visitors)))
    }
    return rooms
  }
  const anyOf = (count: number) => [...new Set(Array.from({ length: count }, () => random(size.connected)))]
  const crowd = await open([], 0)
  await sql`
    insert into membership (guild_id, user_id, joined_at, is_keyed)
    select ${crowd.guildId}, id, ${Date.now()}, true
    from generate_series(${idOf(0)}::bigint, ${idOf(size.members - 1)}::bigint) as id on conflict do nothing`.execute(
    db,
  )
  const world: World = {
    crowd,
    quiet: await several(QUIET_GUILDS, () => []),
    few: await several(FEW_GUILDS, (n) =>
      Array.from({ length: nodes }, (_, node) => (n * nodes + node) % size.connected),
    ),
    many: await several(MANY_GUILDS, () => anyOf(MANY)),
    zipf: await several(size.guilds, (n) => anyOf(Math.max(2, Math.floor(size.guildMost / (n + 1))))),
    connected,
    visitors: tokens.slice(size.connected),
  }
  await sql`analyze`.execute(db)
  return world
}

/** Returns the first of their ids, which follow each other. */
async function addPeople(db: Db, count: number): Promise<bigint> {
  const { rows } = await sql<{ first: string; last: string }>`
    with added as (
      insert into "user" (username, identify_num, mobile_prefix, mobile, mobile_verified, created_at)
      select 'scale' || n, lpad((n % 10000)::text, 4, '0'), '86', (12000000000 + n)::text, true, 0
      from generate_series(1, ${count}::int) as n returning id
    ) select min(id)::text as first, max(id)::text as last from added`.execute(db)
  const { first, last } = rows[0]!
  if (BigInt(last) - BigInt(first) !== BigInt(count - 1)) throw new Error('their ids have gaps')
  return BigInt(first)
}

/** Somebody writes into a room. */
export const messageTo = ({ channelId, token }: Room): Call => ({
  path: sendToChannel.path.replace(':id', channelId),
  token,
  body: { content: JSON.stringify({ type: 9, content: TEXT }), objectName: 'RC:TxtMsg' },
})

/** Somebody reads the newest page of a room. */
export const readOf = ({ channelId, token }: Room): Call => ({
  path: history.path.replace(':id', channelId),
  token,
})
