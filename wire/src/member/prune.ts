/**
 * Removal of silent members of a guild: people, no bots, who joined before the last days and were not seen in
 * them. Decision 120.
 */
import { guildId, roleId } from '../id.ts'
import { route } from '../route.ts'
import { int, type Out, z } from '../schema.ts'
import { member } from './member.ts'

/** For how long one may be silent, days. */
export const SILENT_DAYS_MAX = 3_650
/** Members that a preview shows. */
export const PRUNE_SHOWN = 10

const which = z.object({
  guild_id: guildId,
  silent_days: int(1, SILENT_DAYS_MAX),
  /** Members go who have none but these roles; without, those who have none. */
  role_ids: z.optional(z.array(roleId)),
})

/**
 * Who would be removed now: how many, and the first by name. Never the owner, those who are not below the
 * caller, and whose boosts of the guild last. Needs bit 6.
 */
export const previewPrune = route({
  method: 'POST',
  path: '/api/v3/guild/prune-preview',
  dialect: 'v3',
  who: 'user',
  input: which,
  answer: z.object({ count: z.number(), items: z.array(member) }),
  fails: ['forbidden', 'member.no_right'],
})

const state = z.object({
  is_running: z.boolean(),
  /** How many there were at its start; 0: there was none yet, or nobody to remove. */
  total: z.number(),
  removed: z.number(),
})
export type PruneState = Out<typeof state>

/** Removes them, in the background. They may come back by an invite. Needs bit 6. */
export const pruneMembers = route({
  method: 'POST',
  path: '/api/v3/guild/prune',
  dialect: 'v3',
  who: 'user',
  input: which,
  answer: state,
  fails: ['forbidden', 'member.no_right', 'prune.running'],
})

/** How far the last removal is. Needs bit 6. */
export const viewPrune = route({
  method: 'GET',
  path: '/api/v3/guild/prune-view',
  dialect: 'v3',
  who: 'user',
  input: z.object({ guild_id: guildId }),
  answer: state,
  fails: ['forbidden', 'member.no_right'],
})
