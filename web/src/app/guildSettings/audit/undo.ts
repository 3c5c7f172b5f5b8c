/** What the log offers to undo. Pure. */
import { type AuditEntry, type AuditType, RESTORABLE_MS } from '@guildhall/wire/audit/audit.ts'
import type { Guild } from '@guildhall/wire/channel/channel.ts'
import type { ChannelId, GuildId, UserId } from '@guildhall/wire/id.ts'
import { has, permission } from '@guildhall/wire/permission/permission.ts'

/** An act that can be undone; `name`: what it is that comes back. */
export type Undo = { readonly guildId: GuildId; readonly name: string } & (
  | { readonly kind: 'unban'; readonly userId: UserId }
  | { readonly kind: 'channel'; readonly channelId: ChannelId }
  | { readonly kind: 'role'; readonly roleId: number }
)

/** What undoes an act. */
const UNDONE_BY: Partial<Readonly<Record<AuditType, { readonly type: AuditType; readonly right: number }>>> =
  {
    member_banned: { type: 'member_unbanned', right: permission.ban_member },
    channel_deleted: { type: 'channel_restored', right: permission.manage_channel },
    role_deleted: { type: 'role_restored', right: permission.manage_role },
  }

/**
 * How an act is undone by somebody with their rights in the guild; null: not at all, or no longer. `all`: the
 * log as far as it is loaded, the newest first; what undid the act stands before it.
 */
export function undoOf(
  entry: AuditEntry,
  all: readonly AuditEntry[],
  guild: Pick<Guild, 'id' | 'permissions'>,
  now = Date.now(),
): Undo | null {
  const { type, target, at } = entry
  const by = UNDONE_BY[type]
  if (!by || at <= now - RESTORABLE_MS || !has(guild.permissions, by.right)) return null
  // Of two that did the same, the later one is undone.
  const last = all.find((it) => (it.type === by.type || it.type === type) && it.target.id === target.id)
  if (last && last !== entry) return null
  const about = { guildId: guild.id, name: target.name || target.id }
  if (type === 'member_banned') return { ...about, kind: 'unban', userId: target.id as UserId }
  if (type === 'channel_deleted') return { ...about, kind: 'channel', channelId: target.id as ChannelId }
  return { ...about, kind: 'role', roleId: Number(target.id) }
}
