/**
 * What the level of a guild allows, as rules ask for it. A guild that lost a level keeps what it has and can
 * add no more.
 */
import { fail } from '@guildhall/wire/failure.ts'
import {
  type AmountKey,
  amountAt,
  firstLevelOf,
  firstLevelWith,
  hasRight,
  type PrivilegeKey,
} from '@guildhall/wire/guild/rights.ts'
import type { GuildId } from '@guildhall/wire/id.ts'
import type { Tx } from '../kit/database/db.ts'
import * as memberRows from './memberSql.ts'
import * as rows from './sql.ts'

/** @throws Failure guild.level (detail.level, detail.right) */
export function requirePrivilege(right: PrivilegeKey, level: number): void {
  if (!hasRight(right, level)) throw fail('guild.level', { right, level: firstLevelOf(right) })
}

/** @throws Failure guild.level (detail.level, detail.right) */
export function requireAmount(right: AmountKey, level: number, wanted: number): void {
  if (wanted > amountAt(right, level))
    throw fail('guild.level', { right, level: firstLevelWith(right, wanted) })
}

/**
 * Checks that a guild has room for another member, and keeps others from joining until the commit.
 * @throws Failure guild.full (detail.most)
 */
export async function requireRoom(tx: Tx, guildId: GuildId): Promise<void> {
  const level = await rows.lockLevel(tx, guildId)
  const most = amountAt('max_members', level)
  // A statement after the lock, so that it counts those who joined while this waited.
  if (await memberRows.hasMembers(tx, guildId, most)) throw fail('guild.full', { most })
}
