/**
 * The caller's own account, as bots and other clients ask for it. Apart, because pages have it with the
 * login.
 */
import { roleId } from '../id.ts'
import { route } from '../route.ts'
import { z } from '../schema.ts'
import { self } from './user.ts'

/** The fields of a bot's own account, for public clients; people lack them. protocol.md §4.10. */
const ofBot = {
  nickname: z.optional(z.string()),
  roles: z.optional(z.array(roleId)),
  /** 0: active. */
  bot_status: z.optional(z.number()),
  client_id: z.optional(z.string()),
  verified: z.optional(z.boolean()),
  invited_count: z.optional(z.number()),
  /** The groups of events it subscribes to, as bits; -1: all. */
  intent: z.optional(z.number()),
}

/**
 * The caller's own account. protocol.md §9.2: the fields are in `data`, and again under `user` for people's
 * sessions; a bot gets those of `ofBot` instead.
 */
export const me = route({
  method: 'GET',
  path: '/api/v3/user/me',
  dialect: 'v3',
  who: 'user',
  input: z.object({}),
  answer: z.looseObject({ ...self.shape, ...ofBot, user: z.optional(self) }),
  fails: [],
})
