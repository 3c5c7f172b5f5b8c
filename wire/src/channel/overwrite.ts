/** The overwrites of a channel, for those who manage roles there. protocol.md §4.6. */
import { channelId, roleId, userId } from '../id.ts'
import { route } from '../route.ts'
import { int, nothing, text, z } from '../schema.ts'
import { author } from '../user/shown.ts'
import { roleRule } from './channel.ts'
import { publicUserRule } from './publicChannel.ts'

/** People with an overwrite in one channel. */
export const CHANNEL_USERS_MAX = 500
const MASK_MAX = 2 ** 31 - 1

const target = {
  channel_id: channelId,
  type: z._default(z.enum(['role_id', 'user_id']), 'user_id'),
  /** The id of a role or a person. */
  value: z.pipe(text(16, 1), z.string().check(z.regex(/^\d+$/))),
}
const fails = [
  'forbidden',
  'channel.users_full',
  'guild.not_member',
  'guild.outranked',
  'role.above',
  'role.bits',
  'role.unknown',
] as const

/** The overwrite of a role, or of a person, then with `user` as well. */
const overwrite = z.object({
  role_id: z.optional(roleId),
  user_id: z.optional(userId),
  user: z.optional(z.looseObject(author.shape)),
  allow: z.number(),
  deny: z.number(),
})
const all = {
  permission_overwrites: z.array(roleRule),
  permission_users: z.array(publicUserRule),
}

export const listOverwrites = route({
  method: 'GET',
  path: '/api/v3/channel-role/index',
  dialect: 'v3',
  who: 'user',
  input: z.object({ channel_id: channelId }),
  answer: z.object({ ...all, permission_sync: z.number() }),
  fails: ['forbidden'],
})

/** Creates an overwrite that changes nothing yet; one that exists stays as it is. */
export const createOverwrite = route({
  method: 'POST',
  path: '/api/v3/channel-role/create',
  dialect: 'v3',
  who: 'user',
  input: z.object(target),
  answer: overwrite,
  fails,
})

/**
 * Sets an overwrite. A bit that is both allowed and denied is allowed. In a category it is set in the
 * channels that follow it too. With `bits` only those change, so that two people who change different ones of
 * the same overwrite both get what they wanted. Ours, decision 116.
 */
export const updateOverwrite = route({
  method: 'POST',
  path: '/api/v3/channel-role/update',
  dialect: 'v3',
  who: 'user',
  input: z.object({
    ...target,
    allow: z._default(int(0, MASK_MAX), 0),
    deny: z._default(int(0, MASK_MAX), 0),
    bits: z.optional(int(0, MASK_MAX)),
  }),
  answer: overwrite,
  fails,
})

/** Gives a channel the overwrites of its category; from then on it follows them. */
export const syncOverwrites = route({
  method: 'POST',
  path: '/api/v3/channel-role/sync',
  dialect: 'v3',
  who: 'user',
  input: z.object({ channel_id: channelId }),
  answer: z.object(all),
  fails: ['forbidden', 'channel.no_category', 'guild.outranked', 'role.above', 'role.bits'],
})

/** Deletes an overwrite; none is no failure. */
export const deleteOverwrite = route({
  method: 'POST',
  path: '/api/v3/channel-role/delete',
  dialect: 'v3',
  who: 'user',
  input: z.object(target),
  answer: nothing,
  fails: ['forbidden', 'guild.outranked', 'role.above', 'role.bits', 'role.unknown'],
})
