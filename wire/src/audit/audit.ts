/** The audit log of a guild: who did what to whom. Decision 114. */
import { guildId, userId } from '../id.ts'
import { pageInput, pageOf } from '../page.ts'
import { route } from '../route.ts'
import { nothing, z } from '../schema.ts'
import { DAY_MS } from '../unit.ts'

/** How long a deleted channel or role can be restored, ms. */
export const RESTORABLE_MS = 7 * DAY_MS

/** What is written down. */
export const AUDIT_TYPES = [
  'guild_updated',
  'guild_update_sent',
  'guild_update_refused',
  'guild_recommended',
  'guild_unrecommended',
  'guild_boosted',
  'guild_closed',
  'guild_deleted',
  'guild_restored',
  'owner_changed',
  'onboarding_updated',
  'channel_created',
  'channel_updated',
  'channel_moved',
  'channel_deleted',
  'channel_restored',
  'overwrite_created',
  'overwrite_updated',
  'overwrite_deleted',
  'overwrites_synced',
  'role_created',
  'role_updated',
  'role_moved',
  'role_deleted',
  'role_restored',
  'role_granted',
  'role_revoked',
  'member_kicked',
  'member_banned',
  'member_unbanned',
  'member_muted',
  'member_unmuted',
  'member_deafened',
  'member_undeafened',
  'member_renamed',
  'members_pruned',
  'bot_added',
  'bot_removed',
  'invite_created',
  'invite_revoked',
  'emoji_created',
  'emoji_renamed',
  'emoji_deleted',
  'rule_created',
  'rule_updated',
  'rule_deleted',
  'raid_began',
  'raid_lifted',
  'held_passed',
  'held_rejected',
  'message_deleted',
  'message_pinned',
  'message_unpinned',
] as const
export type AuditType = (typeof AUDIT_TYPES)[number]

/** What was acted on. Its id is the one by which calls know it; of an invite the code. */
export const TARGET_KINDS = [
  'guild',
  'channel',
  'role',
  'member',
  'invite',
  'emoji',
  'message',
  'rule',
] as const
export type TargetKind = (typeof TARGET_KINDS)[number]

export const ACTOR_KINDS = ['member', 'bot', 'staff', 'operator'] as const
export type ActorKind = (typeof ACTOR_KINDS)[number]

/** Fields of what changed, named as in calls; null: there was nothing, or there is nothing now. */
const values = z.nullable(nothing)

/** What such fields hold. */
export type AuditValues = Readonly<Record<string, string | number | boolean | null | readonly number[]>>

const auditEntry = z.object({
  id: z.string(),
  /** ms */
  at: z.number(),
  /** Staff and the operator have no name here, and the id `"0"`. */
  actor: z.object({ id: z.string(), username: z.string(), kind: z.enum(ACTOR_KINDS) }),
  type: z.enum(AUDIT_TYPES),
  /** Of a message the name is its author's. */
  target: z.object({ kind: z.enum(TARGET_KINDS), id: z.string(), name: z.string() }),
  before: values,
  after: values,
  reason: z.string(),
})
export type AuditEntry = z.output<typeof auditEntry>

/** What was done in a guild, the newest first. Needs bit 2. */
export const listAudit = route({
  method: 'GET',
  path: '/api/v3/guild/audit-log',
  dialect: 'v3',
  who: 'user',
  input: z.object({
    guild_id: guildId,
    /** Who did it. */
    user_id: z.optional(userId),
    /** To whom it was done: acts on them, and on their messages. */
    target_id: z.optional(userId),
    type: z.optional(z.enum(AUDIT_TYPES)),
    ...pageInput,
  }),
  answer: pageOf(auditEntry),
  fails: ['forbidden', 'member.no_right'],
})
