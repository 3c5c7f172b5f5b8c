/**
 * Permissions: all of their rules, called by endpoints, by the gateway's audience and by the screens. Pure
 * functions of plain data. Masks are unsigned 32-bit numbers below 2^31; unknown bits are kept. chat.md §6,
 * protocol.md §8.
 */
export const permission = {
  manage: 2 ** 0,
  manage_guild: 2 ** 1,
  view_log: 2 ** 2,
  create_invite: 2 ** 3,
  manage_invite: 2 ** 4,
  manage_channel: 2 ** 5,
  remove_member: 2 ** 6,
  ban_member: 2 ** 7,
  manage_emoji: 2 ** 8,
  change_nickname: 2 ** 9,
  manage_role: 2 ** 10,
  view_channel: 2 ** 11,
  send_message: 2 ** 12,
  manage_message: 2 ** 13,
  upload_file: 2 ** 14,
  connect_audio: 2 ** 15,
  manage_audio: 2 ** 16,
  mention_everyone: 2 ** 17,
  add_reaction: 2 ** 18,
  follow_reaction: 2 ** 19,
  connect_audio_passive: 2 ** 20,
  audio_free_mode: 2 ** 21,
  use_voice_activity: 2 ** 22,
  speak: 2 ** 23,
  deafen_member: 2 ** 24,
  mute_member: 2 ** 25,
  manage_nickname: 2 ** 26,
  play_soundtrack: 2 ** 27,
  share_screen: 2 ** 28,
  reply_to_post: 2 ** 29,
  record_audio: 2 ** 30,
} as const

export type PermissionName = keyof typeof permission

/**
 * The permissions of the owner and of administrators: bits 0 to 27, as the specification counts them. chat.md
 * §9.
 */
export const ALL_PERMISSIONS = 268435455
/** The permissions of a member without roles: bits 3, 9, 11, 12, 14, 15, 18 and 19. chat.md §9. */
export const DEFAULT_EVERYONE = 842248
/** The role of all members. */
export const EVERYONE: 0 = 0

/** True when every bit of `wanted` is in `mask`. */
export const has = (mask: number, wanted: number): boolean => (mask & wanted) === wanted

export interface RolePermissions {
  readonly role_id: number
  readonly permissions: number
}

/** What the rules need to know of a member: owner or not, and the roles beside everyone's. */
export interface Viewer {
  readonly is_master: boolean
  readonly roles: readonly number[]
}

export interface RoleRule {
  readonly role_id: number
  readonly allow: number
  readonly deny: number
}

export interface UserRule {
  readonly allow: number
  readonly deny: number
}

/**
 * What a member may do in the guild as a whole. The owner has everything; otherwise everyone's permissions
 * and those of the member's roles together, and the manage bit turns that into everything. chat.md §6.
 */
export function guildPermissions(viewer: Viewer, roles: readonly RolePermissions[]): number {
  if (viewer.is_master) return ALL_PERMISSIONS
  let everyone = DEFAULT_EVERYONE
  let mask = 0
  for (const role of roles) {
    if (role.role_id === EVERYONE) everyone = role.permissions
    else if (viewer.roles.includes(role.role_id)) mask |= role.permissions
  }
  mask |= everyone
  return has(mask, permission.manage) ? ALL_PERMISSIONS : mask
}

/**
 * Only the guild grants the manage bit: a channel's overwrites neither allow nor deny it. protocol.md §8.1.
 */
const channelBits = (mask: number) => mask & ~permission.manage

/**
 * What a member may do in one channel: the guild's permissions, then everyone's rule, then the rules of the
 * member's roles together (allow wins), then the member's own. Without the right to view nothing is left;
 * without the right to send, neither mentions nor uploads. chat.md §6, protocol.md §8.2.
 */
export function channelPermissions(
  guild: number,
  viewer: Viewer,
  rules: readonly RoleRule[],
  own: UserRule | null,
): number {
  if (has(guild, permission.manage)) return ALL_PERMISSIONS
  let mask = guild
  let allow = 0
  let deny = 0
  for (const rule of rules) {
    if (rule.role_id === EVERYONE) {
      mask = (mask & ~channelBits(rule.deny)) | channelBits(rule.allow)
    } else if (viewer.roles.includes(rule.role_id)) {
      allow |= rule.allow
      deny |= rule.deny
    }
  }
  mask = (mask & ~channelBits(deny)) | channelBits(allow)
  if (own) mask = (mask & ~channelBits(own.deny)) | channelBits(own.allow)
  if (!has(mask, permission.view_channel)) return 0
  if (!has(mask, permission.send_message)) mask &= ~(permission.mention_everyone | permission.upload_file)
  return mask
}

export type WhyCannotSend = 'unverified' | 'muted' | 'rules' | 'readonly' | 'no_permission'

/**
 * Why a person may not send in a text channel, or null when they may. A read-only channel is for the owner
 * and the team. The composer and the endpoint use the same rule. chat.md §6.
 */
export function whyCannotSend(view: {
  readonly mobile_verified: boolean
  readonly is_master: boolean
  readonly is_team: boolean
  readonly is_readonly: boolean
  /** Muted in the guild now. */
  readonly is_muted?: boolean
  /** They joined, and have to accept the guild's rules first. */
  readonly owes_rules?: boolean
  readonly permissions: number
}): WhyCannotSend | null {
  if (!view.mobile_verified) return 'unverified'
  if (view.is_muted && !view.is_master) return 'muted'
  if (view.owes_rules) return 'rules'
  if (view.is_readonly && !view.is_master && !view.is_team) return 'readonly'
  if (!has(view.permissions, permission.view_channel | permission.send_message)) return 'no_permission'
  return null
}

/**
 * Whether a person may react to a message: starting an emoji there takes one bit, joining those who used it
 * already another. As with sending, only with a verified number. protocol.md §4.7, chat.md §6.
 */
export const canReact = (
  view: { readonly mobile_verified: boolean; readonly permissions: number },
  isNew: boolean,
): boolean =>
  view.mobile_verified &&
  has(
    view.permissions,
    permission.view_channel | (isNew ? permission.add_reaction : permission.follow_reaction),
  )

/** Whether a member may mention everybody, those online, and a role, mentionable or not. protocol.md §8.4. */
export const canMentionEveryone = (permissions: number): boolean =>
  has(permissions, permission.mention_everyone)
/** Whether a member may mention a role. */
export const canMentionRole = (permissions: number, role: { readonly mentionable: number }): boolean =>
  role.mentionable === 1 || canMentionEveryone(permissions)

/** Whether a member may delete and pin messages of others, and remove their reactions. protocol.md §8.4. */
export const canManageMessages = (permissions: number): boolean =>
  has(permissions, permission.view_channel | permission.manage_message)
