/** Channels as answers and events show them. chat.md §3, protocol.md §5.4. */
import { type Channel, channelType } from '@guildhall/wire/channel/channel.ts'
import type { PublicChannel } from '@guildhall/wire/channel/publicChannel.ts'
import {
  channelPermissions,
  guildPermissions,
  has,
  permission,
  type RolePermissions,
  type RoleRule,
} from '@guildhall/wire/permission/permission.ts'
import { publicUser } from '@guildhall/wire/user/public.ts'
import type { ChannelRow } from './sql.ts'

/** What someone without roles, such as a newcomer, may do in a channel. */
export function newcomerPermissions(roles: readonly RolePermissions[], rules: readonly RoleRule[]): number {
  const newcomer = { is_master: false, roles: [] }
  return channelPermissions(guildPermissions(newcomer, roles), newcomer, rules, null)
}

/** What of a channel depends on its guild and its viewer. */
export interface Seen {
  readonly rules: readonly RoleRule[]
  readonly roles: readonly RolePermissions[]
  /** The viewer's. */
  readonly permissions: number
  readonly users: Channel['permission_users']
}

export function wireOf(row: ChannelRow, input: Seen & { readonly channels: Channel[] }): Channel {
  return {
    id: row.id,
    guild_id: row.guild_id,
    user_id: row.user_id,
    parent_id: row.parent_id ?? '',
    name: row.name,
    topic: row.topic,
    type: row.type,
    is_category: row.type === channelType.category,
    level: row.level,
    is_readonly: row.is_readonly,
    is_private: !has(newcomerPermissions(input.roles, input.rules), permission.view_channel),
    permission_overwrites: [...input.rules],
    permission_users: input.users,
    permission_sync: row.permission_sync,
    permissions: input.permissions,
    has_password: false,
    slow_mode: row.slow_mode,
    limit_amount: row.limit_amount,
    channels: input.channels,
  }
}

/** Fields that typed clients require and that have one value in a server without voice. */
const UNUSED = {
  slow_mode_reply: 0,
  server_url: '',
  server_type: 0,
  sync_guild_region: 1,
  region: '',
} as const

export function publicOf(row: ChannelRow, input: Seen & { readonly isMaster: boolean }): PublicChannel {
  const { channels: _, permission_users, ...channel } = wireOf(row, { ...input, channels: [] })
  return {
    ...channel,
    ...UNUSED,
    permission_users: permission_users.map((rule) => ({ ...rule, user: publicUser(rule.user) })),
    voice_quality: String(row.voice_quality),
    is_master: input.isMaster,
  }
}

/**
 * A channel in the form of its events: the same for all who receive it, so without what depends on the
 * viewer; flags are 0 or 1.
 */
export function eventForm(row: ChannelRow, rules: readonly RoleRule[]) {
  const seen = { rules, roles: [], permissions: 0, users: [], isMaster: false }
  return {
    ...publicOf(row, seen),
    is_category: row.type === channelType.category ? 1 : 0,
    mode: 0,
    guild_type: 0,
    last_msg_content: '',
    last_msg_id: '',
    permissions: undefined,
    is_private: undefined,
    is_master: undefined,
  }
}
