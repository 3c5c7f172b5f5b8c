/**
 * Calls of staff. Each needs its right; each act is in the security log. Staff cannot act on staff: operators
 * can, by command.
 */

import type { FailureName } from '../failure.ts'
import { guildId, inviteCode, messageId, userId } from '../id.ts'
import { type Route, route } from '../route.ts'
import { flag, int, nothing, type Schema, text, z } from '../schema.ts'
import { DAY_MS } from '../unit.ts'
import { readWords } from '../words.ts'
import type { StaffRight } from './rights.ts'

/** How far away the end of a suspension may be, ms: ten years. */
export const SUSPENDED_MOST_MS = 3_660 * DAY_MS

/**
 * Why staff act, in their words. It is in the staff log, and who is concerned reads it where they are told.
 */
export const ACT_REASON_MAX = 200
export const actReason = text(ACT_REASON_MAX, 1, readWords)
/**
 * The request that an act of much value became, which waits for somebody else (decision 107); empty: the act
 * is done.
 */
export const approvalId = z.string()
/** The answer of an act that may wait, and has nothing else to say. */
export const waited = z.object({ approval_id: approvalId })
/** Of acts that were without one. The console asks for it. */
const maybeReason = z._default(text(ACT_REASON_MAX, 0, readWords), '')

const onGuild = z.object({ guild_id: guildId, reason: actReason })

const act = <I extends Schema>(
  name: string,
  right: StaffRight,
  input: I,
  fails: readonly FailureName[],
): Route<I, typeof nothing> =>
  route({
    method: 'POST',
    path: `/api/v3/staff/${name}`,
    dialect: 'v3',
    who: 'staff',
    right,
    input,
    answer: nothing,
    fails,
  })

const onUser = z.object({ user_id: userId, reason: actReason })
const userFails = ['user.unknown'] as const

/**
 * The person can no longer log in; their sessions end and their connections close at once. It ends by itself
 * at `until`, ms, by the clock of the server; 0: when they are restored. Who logs in meanwhile is told until
 * when, and the reason.
 */
export const suspendUser = act('user-suspend', 'people', z.object({ ...onUser.shape, until: int() }), [
  ...userFails,
  'staff.end_wrong',
])
export const restoreUser = act('user-restore', 'people', onUser, userFails)
/** Ends all sessions. */
export const signOutUser = act('user-signout', 'people', onUser, userFails)
/** Deletes an account for good, with `words` its messages too. */
export const deleteUser = act(
  'user-delete',
  'people',
  z.object({ user_id: userId, words: z._default(flag(), false), reason: maybeReason }),
  [...userFails, 'user.owns_guilds'],
)
/** Sets a password, or removes it when none is given: then only codes log in. Ends all sessions. */
export const resetPassword = act(
  'user-password',
  'people',
  z.object({ user_id: userId, password: z.optional(text(128)), reason: maybeReason }),
  [...userFails, 'auth.password_weak'],
)
/** Deletes a message of a channel or of a private conversation. */
export const removeMessage = act(
  'message-delete',
  'content',
  z.object({ msg_id: messageId, reason: z._default(text(200, 0, readWords), '') }),
  ['message.unknown'],
)
/** Deletes a file, by its address or its key. */
export const removeAsset = act('asset-delete', 'content', z.object({ url: text(500) }), ['asset.unknown'])
/** Ends a membership. */
export const removeMember = act(
  'member-remove',
  'content',
  z.object({ guild_id: guildId, user_id: userId }),
  ['guild.unknown', 'guild.not_member', 'guild.owner'],
)
/** An invite is no longer valid. */
export const revokeInvite = act('invite-revoke', 'content', z.object({ code: inviteCode }), [
  'invite.invalid',
])
/** A guild is gone for everybody, until it is restored within `GUILD_RESTORABLE_MS`. Its owner is told. */
export const closeGuild = act('guild-close', 'guild', onGuild, ['guild.unknown'])
export const restoreGuild = act('guild-restore', 'guild', onGuild, ['guild.not_closed'])
