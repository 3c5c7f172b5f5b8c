import { roleId, type UserId, userId } from '../id.ts'
import { route } from '../route.ts'
import { type Out, z } from '../schema.ts'

const profile = {
  id: userId,
  username: z.string(),
  /** Digits that tell equal names apart: `username#identify_num`. */
  identify_num: z.string(),
  /** Empty when there is no picture: the page draws the name's letters. */
  avatar: z.string(),
  vip_avatar: z.string(),
  is_vip: z.boolean(),
  bot: z.boolean(),
}

/** Someone, as everybody sees them. protocol.md §5.1. */
export const user = z.object({ ...profile, online: z.boolean(), status: z.number() })
export type User = Out<typeof user>

/** Someone as a member of a guild. protocol.md §5.1. */
export const author = z.object({
  ...profile,
  online: z.boolean(),
  status: z.number(),
  nickname: z.string(),
  roles: z.array(roleId),
})
export type Author = Out<typeof author>

/** Oneself: adds what nobody else sees. chat.md §3. */
export const self = z.object({
  ...profile,
  online: z.boolean(),
  status: z.number(),
  /** Masked: the last four digits only. */
  mobile: z.string(),
  mobile_prefix: z.string(),
  mobile_verified: z.boolean(),
})
export type Self = Out<typeof self>

/** Who am I. protocol.md §9.2: the fields lie in `data` and again under `user` for people's sessions. */
export const me = route({
  method: 'GET',
  path: '/api/v3/user/me',
  dialect: 'v3',
  who: 'user',
  input: z.object({}),
  answer: z.object({ ...self.shape, user: self }),
  fails: [],
})

/** The author of system events. protocol.md §1.7. */
export const SYSTEM_USER = '1' as UserId

/** A name has 1 to 30 characters and no white space. chat.md §5. */
export const isName = (name: string): boolean => /^\S{1,30}$/u.test(name) && [...name].length <= 30
