import { type UserId, userId } from '../id.ts'
import { route } from '../route.ts'
import { nothing, type Out, type Schema, z } from '../schema.ts'

/** `color`: `#RRGGBB`; `bg_color`: `#RRGGBBAA`. protocol.md §5.1. */
interface TagInfo {
  readonly color: string
  readonly bg_color: string
  readonly text: string
}

/** What everybody sees of somebody. */
export const profile = {
  id: userId,
  username: z.string(),
  /** Digits that distinguish users of the same name: `username#identify_num`. */
  identify_num: z.string(),
  /** Empty when there is no picture: the page shows the letters of the name. */
  avatar: z.string(),
  vip_avatar: z.string(),
  is_vip: z.boolean(),
  bot: z.boolean(),
  /**
   * What they are connected with: `iOS`, `Android`, `Windows`, …, `Websocket` for bots; empty: offline, or
   * not known.
   */
  os: z.optional(z.string()),
  /** The ring around their face (`avatarFrame.ts`); empty: none. Ours; absent from servers before. */
  avatar_frame: z.optional(z.string()),
  /** True of the official account, which writes to people what concerns them. */
  is_sys: z.optional(z.boolean()),
  /**
   * The tag beside the name of the official account, `{color, bg_color, text}`. Pages have their own words
   * for it and do not check it.
   */
  tag_info: z.optional(z.unknown() as unknown as Schema<TagInfo>),
}

/** The caller's own account, with the fields that nobody else sees. chat.md §3. */
export const self = z.object({
  ...profile,
  online: z.boolean(),
  status: z.number(),
  /** Masked: the last four digits only. */
  mobile: z.string(),
  mobile_prefix: z.string(),
  /** The number, or what stands for it, is the caller's: an address, or nothing where names log in. */
  mobile_verified: z.boolean(),
  /** Of an account with an address instead of a number, masked: `a***@example.com`. */
  address: z.optional(z.string()),
})
export type Self = Out<typeof self>

/** Closes the connections of a bot, which may connect again at any time. protocol.md §4.10. */
export const goOffline = route({
  method: 'POST',
  path: '/api/v3/user/offline',
  dialect: 'v3',
  who: 'user',
  input: z.object({}),
  answer: nothing,
  fails: [],
})

/** Changes nothing: a bot is online while it has a connection. protocol.md §2.7. */
export const goOnline = route({
  method: 'POST',
  path: '/api/v3/user/online',
  dialect: 'v3',
  who: 'user',
  input: z.object({}),
  answer: nothing,
  fails: [],
})

/** Whether the bot has a connection, and of which kind. protocol.md §4.10. */
export const onlineStatus = route({
  method: 'GET',
  path: '/api/v3/user/get-online-status',
  dialect: 'v3',
  who: 'user',
  input: z.object({}),
  answer: z.object({ online: z.boolean(), online_os: z.array(z.string()) }),
  fails: [],
})

/** The author of system events. protocol.md §1.7. */
export const SYSTEM_USER = '1' as UserId

/** What deleted people are called. In the default locale for everybody, as stored names are. */
export const DELETED_NAME = '已注销用户'
