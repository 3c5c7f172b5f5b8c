/** Another name or picture of a person. Apart from `user.ts`, which every page loads. */
import { event } from '../event.ts'
import { userId } from '../id.ts'
import { type Out, z } from '../schema.ts'
import { type Bytes, MB } from '../unit.ts'

/** The name and picture that somebody has from now on. protocol.md §3.4; digits and `vip_avatar` are ours. */
export const changedIdentity = z.object({
  user_id: userId,
  username: z.string(),
  identify_num: z.string(),
  avatar: z.string(),
  vip_avatar: z.string(),
  /** Whether they have BUFF from now on. Ours; absent from events of servers before. */
  is_vip: z.optional(z.boolean()),
  /** The ring around their face; empty: none. Ours; absent from events of servers before. */
  avatar_frame: z.optional(z.string()),
})
export type ChangedIdentity = Out<typeof changedIdentity>

/**
 * The largest file of a person's picture, MB and bytes: clients of the public protocol load it whole, beside
 * every message.
 */
export const AVATAR_MAX_MB = 2
export const AVATAR_MAX_BYTES: Bytes = AVATAR_MAX_MB * MB

/**
 * To the person, and to those with whom they have a private conversation. To the person alone also when
 * nothing of it changed, but what they bought or were given did.
 */
export const userUpdated = event('user_updated', 'person', changedIdentity, { access: 'none' })
