/** Calls of staff. Each needs its right; each act is in the security log. Staff cannot act on staff: operators can, by command. */
import type { FailureName } from '../failure.ts'
import { guildId, inviteCode, messageId, userId } from '../id.ts'
import { type Route, route, type StaffRight } from '../route.ts'
import { flag, nothing, type Out, type Schema, text, z } from '../schema.ts'

/** People of one look-up. */
export const FOUND_MAX = 20

export const PERSON_STATES = ['active', 'suspended', 'deleted'] as const

/** A person as staff see them. */
export const foundPerson = z.object({
  id: userId,
  username: z.string(),
  identify_num: z.string(),
  bot: z.boolean(),
  state: z.enum(PERSON_STATES),
  mobile_prefix: z.string(),
  /** Masked: the last four digits only. */
  mobile: z.string(),
  created_at: z.number(),
  /** Logins that are valid now. */
  sessions: z.number(),
  /** Logging in asks for a code of an authenticator app too. */
  second_factor: z.boolean(),
  staff_rights: z.array(z.string()),
  guilds: z.array(z.object({ id: guildId, name: z.string(), is_owner: z.boolean() })),
})
export type FoundPerson = Out<typeof foundPerson>

/** Looks people up by id, by number, or by `name#1234` or a name; may be empty. */
export const findPeople = route({
  method: 'GET',
  path: '/api/v3/staff/user-find',
  dialect: 'v3',
  who: 'staff',
  right: 'people',
  input: z.object({
    user_id: z.optional(userId),
    mobile: z.optional(text(20)),
    mobile_prefix: z._default(text(6), '86'),
    name: z.optional(text(50)),
  }),
  answer: z.object({ items: z.array(foundPerson) }),
  fails: ['auth.mobile_required', 'auth.mobile_wrong'],
})

const act = <I extends Schema>(
  name: string,
  right: StaffRight,
  input: I,
  fails: readonly FailureName[],
): Route<I, typeof nothing> =>
  route({
    ...{ method: 'POST', path: `/api/v3/staff/${name}`, dialect: 'v3', who: 'staff' },
    ...{ right, input, answer: nothing, fails },
  })

const onUser = z.object({ user_id: userId })
const userFails = ['user.unknown'] as const

/** The person can no longer log in; their sessions end and their connections close at once. */
export const suspendUser = act('user-suspend', 'people', onUser, userFails)
export const restoreUser = act('user-restore', 'people', onUser, userFails)
/** Ends all sessions. */
export const signOutUser = act('user-signout', 'people', onUser, userFails)
/** Deletes an account for good, with `words` its messages too. */
export const deleteUser = act(
  'user-delete',
  'people',
  z.object({ user_id: userId, words: z._default(flag(), false) }),
  [...userFails, 'user.owns_guilds'],
)
/** Sets a password, or removes it when none is given: then only codes log in. Ends all sessions. */
export const resetPassword = act(
  'user-password',
  'people',
  z.object({ user_id: userId, password: z.optional(text(128)) }),
  [...userFails, 'auth.password_weak'],
)
/** Deletes a message of a channel or of a private conversation. */
export const removeMessage = act(
  'message-delete',
  'content',
  z.object({ msg_id: messageId, reason: z._default(text(200), '') }),
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
/** A guild is gone for everybody, until it is restored within `GUILD_RESTORABLE_MS`. */
export const closeGuild = act('guild-close', 'guild', z.object({ guild_id: guildId }), ['guild.unknown'])
export const restoreGuild = act('guild-restore', 'guild', z.object({ guild_id: guildId }), [
  'guild.not_closed',
])
