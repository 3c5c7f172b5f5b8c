import { sign } from '../auth/auth.ts'
import { channelId, guildId, inviteCode, userId } from '../id.ts'
import { route } from '../route.ts'
import { type Out, z } from '../schema.ts'

/** An invite as everyone with its link sees it. chat.md §3. */
export const invite = z.object({
  guild: z.object({
    id: guildId,
    name: z.string(),
    icon: z.string(),
    /** Empty without one; `desc` as well. */
    banner: z.string(),
    desc: z.string(),
    online_count: z.number(),
    members_count: z.number(),
    default_channel_id: z.string(),
  }),
  inviter: z.object({ username: z.string(), avatar: z.string(), identify_num: z.string() }),
  /** The channel that the invite leads to; null when the viewer could not see the channel or it is gone. */
  channel: z.nullable(z.object({ id: channelId, name: z.string(), type: z.number(), joined: z.boolean() })),
  /** Present when the viewer is logged in. */
  user_id: z.optional(userId),
  /** The viewer belongs to the guild already. */
  joined: z.boolean(),
  type: z.enum(['guild', 'channel']),
})
export type Invite = Out<typeof invite>

/** View an invite, as a guest or logged in. chat.md §7. */
export const viewInvite = route({
  method: 'GET',
  path: '/api/v3/invite/view',
  dialect: 'v3',
  who: 'anyone',
  input: z.object({ id: inviteCode }),
  answer: invite,
  fails: ['invite.invalid', 'invite.expired', 'invite.full'],
})

/**
 * Join a guild by an invite; `id` and `code` both name the code. Joining twice answers as joining once does
 * and spends no use. During a raid a guild may ask for a captcha, as logins do. chat.md §7.
 */
export const joinGuild = route({
  method: 'POST',
  path: '/api/v2/guilds/join',
  dialect: 'v2',
  who: 'user',
  input: z.object({ id: z.optional(inviteCode), code: z.optional(inviteCode), sign }),
  answer: z.object({
    id: guildId,
    guild_id: guildId,
    /** Where to go: the invite's channel, else the guild's default one; `""` when neither may be seen. */
    channel_id: z.string(),
    /** False when the caller was a member before. */
    joined_now: z.boolean(),
  }),
  fails: [
    'invite.invalid',
    'invite.expired',
    'invite.full',
    'guild.banned',
    'guild.full',
    'too_many',
    'moderation.raid',
    'moderation.raid_slow',
    'captcha.needed',
  ],
})
