import { event } from '../event.ts'
import { role, summaryFields } from '../guild/guild.ts'
import { channelId, guildId, roleId, userId } from '../id.ts'
import { route } from '../route.ts'
import { int, type Out, type Schema, z } from '../schema.ts'
import { author } from '../user/shown.ts'

/** Channel types on the wire. chat.md §3. */
export const channelType = { category: 0, text: 1, voice: 2 } as const
export type ChannelType = (typeof channelType)[keyof typeof channelType]

export const roleRule = z.object({ role_id: roleId, allow: int(), deny: int() })
export const userRule = z.object({ user: author, allow: int(), deny: int() })

const fields = {
  id: channelId,
  guild_id: guildId,
  user_id: userId,
  /** The category's id, `""` at the top. */
  parent_id: z.string(),
  name: z.string(),
  topic: z.string(),
  /** 0 category, 1 text, 2 voice. */
  type: z.union([z.literal(0), z.literal(1), z.literal(2)]),
  is_category: z.boolean(),
  /** Sort key, ascending within a parent. */
  level: z.number(),
  /** Only the owner and the guild's team may send. */
  is_readonly: z.boolean(),
  /** The role of all members may not view it. */
  is_private: z.boolean(),
  permission_overwrites: z.array(roleRule),
  permission_users: z.array(userRule),
  permission_sync: z.number(),
  /** The viewer's permissions. Ours: the page need not know the overwrites of other users. */
  permissions: z.number(),
  has_password: z.boolean(),
  slow_mode: z.number(),
  limit_amount: z.number(),
}

export type Channel = Out<typeof leaf> & { channels: Channel[] }
const leaf = z.object(fields)

/** A channel or category, its visible children under `channels`. chat.md §3, protocol.md §5.4. */
export const channel: Schema<Channel> = z.object({
  ...fields,
  get channels() {
    return z.array(channel)
  },
}) as unknown as Schema<Channel>

/**
 * A guild as its members see it: its roles, and the tree of channels that the viewer may view. chat.md §3.
 */
export const guild = z.object({
  ...summaryFields,
  roles: z.array(role),
  channels: z.array(channel),
  user_config: z.object({
    nickname: z.string(),
    role_ids: z.array(roleId),
    /** The viewer may not write until then, ms; 0: without an end; absent: they are not muted. */
    muted_until: z.optional(z.number()),
    /** They joined, and have to accept the guild's rules before they write; absent: they need not. */
    owes_rules: z.optional(z.boolean()),
    /** The guild has roles that members choose themselves; absent: none. */
    offers_roles: z.optional(z.boolean()),
    /** To the owner of a new guild: what it still needs is to be shown; absent: it is not, or no more. */
    has_checklist: z.optional(z.boolean()),
  }),
  /** What the viewer may do in the guild as a whole. */
  permissions: z.number(),
  /** The pinyin of the names of roles and channels with Chinese characters, by name. `user/spelling.ts`. */
  spellings: z._default(z.array(z.object({ name: z.string(), spelling: z.string() })), []),
})
export type Guild = Out<typeof guild>

/** A guild of the caller. Answers 403 to anyone else, whether it exists or not. chat.md §7. */
export const viewGuild = route({
  method: 'GET',
  path: '/api/v2/guilds/:id',
  dialect: 'v2',
  who: 'user',
  input: z.object({ id: guildId }),
  answer: guild,
  fails: ['forbidden'],
})

/** One channel. A channel that may not be viewed answers 403, as does one that does not exist. chat.md §7. */
export const viewChannel = route({
  method: 'GET',
  path: '/api/v2/channels/:id',
  dialect: 'v2',
  who: 'user',
  input: z.object({ id: channelId }),
  answer: channel,
  fails: ['forbidden'],
})

/**
 * The channels of a guild that the caller may view, categories first, each before its channels; `channels` is
 * empty. Ours: chat.md §7 leaves it open.
 */
export const listChannels = route({
  method: 'GET',
  path: '/api/v2/channels',
  dialect: 'v2',
  who: 'user',
  input: z.object({ guild_id: guildId }),
  answer: z.array(channel),
  fails: ['forbidden'],
})

/** A channel changed; the body is the channel in the form of the public protocol. protocol.md §3.4. */
const changed = z.looseObject({ id: channelId, guild_id: guildId })
export const channelAdded = event('added_channel', 'channel', changed, { access: 'guild' })
export const channelUpdated = event('updated_channel', 'channel', changed, { access: 'guild' })
/** The channel is gone for its receiver: it was deleted, or they may no longer view it. */
export const channelDeleted = event(
  'deleted_channel',
  'channel',
  z.looseObject({ id: channelId, deleted_at: int() }),
  { access: 'guild' },
)
/**
 * The order of channels changed. `channels`: a category (`"0"`: none) with its channels in order; only those
 * that the one receives who may view the channel that moved.
 */
export const channelsSorted = event(
  'sort_channel',
  'channel',
  z.looseObject({
    guild_id: guildId,
    channels: z.array(z.object({ id: z.string(), channels: z.array(channelId) })),
  }),
  { access: 'none' },
)
