/** Channel access: what a member of the guild may see and do in a channel, computed from one row. chat.md §6. */
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
import type { Author } from '@guildhall/wire/user/user.ts'
import type { Live } from '../kit/events.ts'
import { authorOf } from '../user/user.ts'
import type { ChannelAccessRow, ChannelRow } from './sql.ts'

/** A member's access to a channel. */
export interface ChannelAccess {
  readonly channel: ChannelRow
  /** The guild's owner. */
  readonly ownerId: UserId
  readonly viewer: Viewer
  readonly isBot: boolean
  /** The viewer as an author in this guild. */
  readonly author: (live: Pick<Live, 'presence' | 'publicUrl'>) => Author
  /** What the viewer may do here; 0 when they may not even see it. */
  readonly permissions: number
  readonly canView: boolean
  readonly whyCannotSend: WhyCannotSend | null
  readonly rules: readonly RoleRule[]
  readonly ownRule: UserRule | null
  readonly roles: readonly RolePermissions[]
}

export function accessOf(row: ChannelAccessRow): ChannelAccess {
  const viewer = { is_master: row.owner_id === row.viewer_id, roles: row.my_roles }
  const permissions = channelPermissions(guildPermissions(viewer, row.roles), viewer, row.rules, row.own_rule)
  return {
    channel: row,
    ownerId: row.owner_id,
    viewer,
    isBot: row.bot,
    author: (live) => authorOf({ ...row, id: row.viewer_id, roles: row.my_roles }, live),
    permissions,
    canView: has(permissions, permission.view_channel),
    whyCannotSend: whyCannotSend({
      mobile_verified: row.mobile_verified,
      is_master: viewer.is_master,
      is_team: row.is_team,
      is_readonly: row.is_readonly,
      permissions,
    }),
    rules: row.rules,
    ownRule: row.own_rule,
    roles: row.roles,
  }
}
