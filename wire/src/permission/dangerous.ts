/** Which rights can do harm. */
import { type PermissionName, permission } from './permission.ts'

/** Those that can do harm to many, or that make more of themselves. */
export const DANGEROUS: ReadonlySet<PermissionName> = new Set([
  'manage',
  'manage_guild',
  'manage_role',
  'manage_channel',
  'manage_message',
  'mention_everyone',
  'remove_member',
  'ban_member',
])

/** Those that act on other people or on what belongs to all, beside the dangerous ones. */
const OVER_OTHERS: readonly PermissionName[] = [
  'view_log',
  'manage_invite',
  'manage_emoji',
  'manage_nickname',
  'manage_audio',
  'mute_member',
  'deafen_member',
]
const KEPT = [...DANGEROUS, ...OVER_OTHERS].reduce((all, name) => all | permission[name], 0)

/** Whether a role with these rights may be taken by members themselves: it gives none over others. */
export const mayBeChosen = (role: { readonly permissions: number }): boolean =>
  (role.permissions & KEPT) === 0
