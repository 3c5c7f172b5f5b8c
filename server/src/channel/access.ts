/**
 * Channel access: what a member of the guild may see and do in a channel, computed from one row. chat.md §6.
 */

import { fail } from '@guildhall/wire/failure.ts'
import type { UserId } from '@guildhall/wire/id.ts'
import {
  channelPermissions,
  guildPermissions,
  has,
  permission,
  type RolePermissions,
  type RoleRule,
  type UserRule,
  type Viewer,
  type WhyCannotSend,
  whyCannotSend,
} from '@guildhall/wire/permission/permission.ts'
import { MINUTE_MS } from '@guildhall/wire/unit.ts'
import type { Author } from '@guildhall/wire/user/shown.ts'
import { clock } from '../kit/clock.ts'
import type { AppContext } from '../kit/events/events.ts'
import { authorOf, countsAsVerified } from '../user/user.ts'
import type { ChannelAccessRow, ChannelRow } from './sql.ts'
import { newcomerPermissions } from './wireForm.ts'

/** A member's access to a channel. */
export interface ChannelAccess {
  readonly channel: ChannelRow
  /** The guild's owner. */
  readonly ownerId: UserId
  readonly viewerId: UserId
  readonly viewer: Viewer
  readonly isBot: boolean
  /** The viewer as an author in this guild. */
  readonly author: (appContext: Pick<AppContext, 'presence' | 'publicUrl'>) => Author
  /** What the viewer may do here; 0 when they may not even see it. */
  readonly permissions: number
  readonly canView: boolean
  /** Not everybody of the guild may view it. */
  readonly isPrivate: boolean
  readonly whyCannotSend: (appContext: Pick<AppContext, 'ways'>) => WhyCannotSend | null
  /** When their mute ends, ms; 0: it has no end; null: they are not muted. */
  readonly mutedUntil: number | null
  readonly rules: readonly RoleRule[]
  readonly ownRule: UserRule | null
  readonly roles: readonly RolePermissions[]
  /** Of the rules by which the guild moderates itself; not above 0: none is on. */
  readonly rulesVersion: number
  /** When the viewer joined the guild, ms. */
  readonly joinedAt: number
}

export function accessOf(row: ChannelAccessRow): ChannelAccess {
  const viewer = { is_master: row.owner_id === row.viewer_id, roles: row.my_roles }
  const mutedUntil = mutedNow(row.muted_until)
  const permissions = channelPermissions(guildPermissions(viewer, row.roles), viewer, row.rules, row.own_rule)
  return {
    channel: row,
    ownerId: row.owner_id,
    viewerId: row.viewer_id,
    viewer,
    isBot: row.bot,
    author: (appContext) => authorOf({ ...row, id: row.viewer_id, roles: row.my_roles }, appContext),
    permissions,
    canView: has(permissions, permission.view_channel),
    isPrivate: !has(newcomerPermissions(row.roles, row.rules), permission.view_channel),
    mutedUntil,
    whyCannotSend: (appContext) =>
      whyCannotSend({
        mobile_verified: countsAsVerified(row, appContext),
        is_master: viewer.is_master,
        is_team: row.is_team,
        is_readonly: row.is_readonly,
        is_muted: mutedUntil !== null,
        owes_rules: row.owes_rules,
        permissions,
      }),
    rules: row.rules,
    ownRule: row.own_rule,
    roles: row.roles,
    rulesVersion: row.rules_version,
    joinedAt: row.joined_at,
  }
}

/** A mute that is not over; 0: without an end. */
export const mutedNow = (until: number | null): number | null =>
  until === null || (until !== 0 && until <= clock.now()) ? null : until

/**
 * @throws Failure message.muted, message.muted_endlessly, message.not_allowed (detail.why),
 *   onboarding.rules_needed
 */
export function refuseSend(why: WhyCannotSend, mutedUntil: number | null): never {
  if (why === 'rules') throw fail('onboarding.rules_needed', { why })
  if (why !== 'muted') throw fail('message.not_allowed', { why })
  if (!mutedUntil) throw fail('message.muted_endlessly', { why })
  const minutes = Math.max(1, Math.ceil((mutedUntil - clock.now()) / MINUTE_MS))
  throw fail('message.muted', { why, ends_at: mutedUntil, minutes })
}
