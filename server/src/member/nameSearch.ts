/** Finding members by name. Decision 23. */
import type { GuildId, UserId } from '@guildhall/wire/id.ts'
import { folded } from '@guildhall/wire/user/nameSearch.ts'
import { KEY_MAX, keysOf } from '../guild/guild.ts'
import { type Db, type Tx, transaction } from '../kit/database/db.ts'
import * as rows from './nameSearchSql.ts'

/** Keys that a search reads, a few for each member: the cost does not grow with the guild. */
const KEYS_LOOKED_AT = 120
/** The last character there is: no key is past it. */
const ID = /^[1-9]\d{0,15}$/
const LAST = '\u{10FFFF}'

/**
 * Members whose nickname, username, `username#1234`, or the pinyin of these, begins with or contains what was
 * typed; an empty search finds the first by name. The best matches first; a subset when there are very many.
 */
export async function searchMembers(db: Db, guildId: GuildId, search: string): Promise<rows.FoundRow[]> {
  const from = folded(search).slice(0, KEY_MAX)
  const found = await rows.membersByKey(db, guildId, {
    from,
    before: from + LAST,
    most: KEYS_LOOKED_AT,
  })
  return found.sort((a, b) => a.place - b.place || byText(a.key, b.key) || byText(a.id, b.id))
}

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/**
 * Whom a name, a `name#1234` or an id means to a member of some guilds; everybody of that name.
 */
export const peopleCalled = (db: Db, guildIds: readonly GuildId[], name: string): Promise<UserId[]> =>
  rows.peopleCalled(db, guildIds, {
    name,
    key: folded(name).slice(0, KEY_MAX),
    id: ID.test(name) ? name : null,
  })

/** The members among some people, in the order of the ids. */
export async function membersInOrder(
  db: Db,
  guildId: GuildId,
  userIds: readonly UserId[],
): Promise<Omit<rows.FoundRow, 'place' | 'key'>[]> {
  const found = new Map<string, Omit<rows.FoundRow, 'place' | 'key'>>(
    (await rows.membersById(db, guildId, userIds)).map((row) => [row.id, row]),
  )
  return userIds.flatMap((id) => found.get(id) ?? [])
}

/** Members whose search keys are made in one transaction. */
const KEYED_AT_ONCE = 500

/**
 * Makes the search keys of members without them, in one bounded batch; returns how many members it covered.
 * Safe to kill at any point and to run on several nodes at once.
 */
export const indexSomeMembers = (db: Db): Promise<number> =>
  transaction(db, async (tx) => key(tx, await rows.lockUnkeyed(tx, { most: KEYED_AT_ONCE })))

/** Makes the search keys of a new member, or of one with another nickname. */
export const indexMember = async (tx: Tx, guildId: GuildId, userId: UserId): Promise<number> =>
  key(tx, await rows.lockUnkeyed(tx, { guildId, userId }))

/** Makes the search keys of a person with another name, in at most so many guilds. */
export const indexSomeOf = async (tx: Tx, userId: UserId, most: number): Promise<number> =>
  key(tx, await rows.lockUnkeyed(tx, { userId, most }))

async function key(tx: Tx, members: readonly rows.UnkeyedRow[]): Promise<number> {
  const keys = members.flatMap(({ guild_id, user_id, nickname, username, identify_num, custom_num }) => {
    const chosen = custom_num === '' ? [] : [keysOf(username, custom_num)]
    const names = [keysOf(username, identify_num), ...chosen, ...(nickname === '' ? [] : [keysOf(nickname)])]
    const of = (place: number, all: readonly string[]) =>
      all.map((it) => ({ guild_id, user_id, place, key: it }))
    return names.flatMap(({ start, inside }) => [...of(0, start), ...of(1, inside)])
  })
  if (members.length > 0) await rows.setKeys(tx, members, keys)
  return members.length
}
