/** People as others see them. In a file of its own: the invite needs none of it. */
import { roleId } from '../id.ts'
import { type Out, z } from '../schema.ts'
import { profile } from './user.ts'

/** A user, as everybody sees it. protocol.md §5.1. */
export const user = z.object({ ...profile, online: z.boolean(), status: z.number() })
export type User = Out<typeof user>

/** A user as a member of a guild. protocol.md §5.1. */
export const author = z.object({
  ...profile,
  online: z.boolean(),
  status: z.number(),
  nickname: z.string(),
  roles: z.array(roleId),
})
export type Author = Out<typeof author>
