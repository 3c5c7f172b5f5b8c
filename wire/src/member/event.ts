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
