/** What a guild is told of its members. protocol.md §3.4. */
import { event } from '../event.ts'
import { guildId, roleId, userId } from '../id.ts'
import { int, z } from '../schema.ts'
import { changedIdentity } from '../user/changedIdentity.ts'

export const memberJoined = event('joined_guild', 'guild', z.object({ user_id: userId, joined_at: int() }), {
  access: 'member',
})
export const memberExited = event('exited_guild', 'guild', z.object({ user_id: userId, exited_at: int() }), {
  access: 'member',
})
/** `roles` is ours: role grants have no documented event of their own. protocol.md §4.3. */
export const memberUpdated = event(
  'updated_guild_member',
  'guild',
  z.object({ user_id: userId, nickname: z.string(), roles: z.array(roleId) }),
  { access: 'member' },
)
/** The user joined a guild, or left one. */
export const selfJoined = event('self_joined_guild', 'person', z.object({ guild_id: guildId }), {
  access: 'none',
})
export const selfExited = event('self_exited_guild', 'person', z.object({ guild_id: guildId }), {
  access: 'none',
})

/** A member has another username or picture. Ours: `user_updated` of the protocol is a person's own event. */
export const memberIdentityUpdated = event(
  'updated_guild_user',
  'guild',
  z.object({ ...changedIdentity.shape, nickname: z.string() }),
  { access: 'none', dialects: 'pages' },
)

const mute = { user_id: userId, guild_id: guildId, type: z.number() }
/** The call whose answers the events of mutes change. */
export const MUTES_PATH = '/api/v3/guild-mute/list'
/** `ends_at` is ours: ms; 0 without an end. protocol.md §3.4. */
export const muteAdded = event('add_guild_mute', 'guild', z.object({ ...mute, ends_at: z.number() }), {
  access: 'member',
})
export const muteDeleted = event('delete_guild_mute', 'guild', z.object(mute), { access: 'member' })

/** The call whose answers members change who come, go, get roles or look otherwise: bots are members. */
export const BOTS_PATH = '/api/v3/bot/list'
const block = z.object({ operator_id: userId, remark: z.string(), user_id: z.array(userId) })
export const banAdded = event('added_block_list', 'guild', block, { access: 'none' })
export const banDeleted = event('deleted_block_list', 'guild', block, { access: 'none' })

/**
 * A member of shared guilds came or went. To bots only, a few seconds late, and not for large guilds.
 * protocol.md §3.4.
 */
const seen = z.object({ user_id: userId, event_time: z.number(), guilds: z.array(guildId) })
export const memberOnline = event('guild_member_online', 'person', seen, { access: 'none' })
export const memberOffline = event('guild_member_offline', 'person', seen, { access: 'none' })
