import { event } from '../event.ts'
import { z } from '../schema.ts'
import { changedFace } from '../user/changedFace.ts'

/** A member has another username or picture. Ours: `user_updated` of the protocol is a person's own event. */
export const memberFaceUpdated = event(
  'updated_guild_user',
  'guild',
  z.object({ ...changedFace.shape, nickname: z.string() }),
  { access: 'none', dialects: 'pages' },
)
