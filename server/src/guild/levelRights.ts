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
} from '@guildhall/wire/guild/levelRights.ts'

/** @throws Failure guild.level (detail.level, detail.right) */
export function requirePrivilege(right: PrivilegeKey, level: number): void {
  if (!hasRight(right, level)) throw fail('guild.level', { right, level: firstLevelOf(right) })
}

/** @throws Failure guild.level (detail.level, detail.right) */
export function requireAmount(right: AmountKey, level: number, wanted: number): void {
  if (wanted > amountAt(right, level))
    throw fail('guild.level', { right, level: firstLevelWith(right, wanted) })
}
