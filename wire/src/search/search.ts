/** The search for messages. Ours, in the manner of the public protocol. */

import { chatCode, privateMessage } from '../chat/chat.ts'
import { channelId, guildId, messageId } from '../id.ts'
import { listedMessage } from '../message/action.ts'
import { LIST_SIZE_MAX, pageInput } from '../page.ts'
import { route } from '../route.ts'
import { int, nothing, type Out, text, z } from '../schema.ts'
import { user } from '../user/shown.ts'

/** Characters of a query, UTF-16 units. */
export const QUERY_MAX = 500
/** Hits are counted, sorted and reached by pages up to this many. */
export const HITS_MAX = 1000

/** Where the words of a query stand in `raw_content`, UTF-16 units, half-open. */
export const mark = z.object({ from: z.number(), to: z.number() })
export type Mark = Out<typeof mark>

const found = {
  /** Sorted and apart; empty where the hit is in a card or the name of a file. */
  marks: z.array(mark),
}
const inChannel = /* @__PURE__ */ (() =>
  z.object({
    ...found,
    message: listedMessage,
    channel: z.object({ id: channelId, name: z.string() }),
    guild: z.object({ id: guildId, name: z.string(), icon: z.string() }),
  }))()
const inChat = /* @__PURE__ */ (() =>
  z.object({
    ...found,
    message: privateMessage,
    channel: z.literal(null),
    guild: z.literal(null),
    chat: z.object({ code: chatCode, target_info: user }),
  }))()
export type ChannelHit = Out<typeof inChannel>
export type ChatHit = Out<typeof inChat>

const where = {
  guild_id: z.optional(guildId),
  channel_id: z.optional(channelId),
  chat_code: z.optional(chatCode),
  sort: z._default(z.enum(['time', 'fit']), 'time'),
  before: z.optional(messageId),
  page: pageInput.page,
  page_size: z._default(int(1, LIST_SIZE_MAX), LIST_SIZE_MAX),
}
const query = (min: number) => text(QUERY_MAX, min, (typed) => typed.trim())

/** `meta.total` is exact up to `HITS_MAX`; `more`: there are, or may be, further ones. */
const answer = /* @__PURE__ */ (() =>
  z.object({
    items: z.array(z.union([inChannel, inChat])),
    meta: z.object({
      page: z.number(),
      page_total: z.number(),
      page_size: z.number(),
      total: z.number(),
      more: z.boolean(),
    }),
    sort: nothing,
  }))()

/**
 * Messages that have all words of a query, exactly where `message/list` or `direct-message/list` has them for
 * the caller: in a channel, a guild, a chat, or without any of them in all of the caller's. `sort`: the
 * newest first, or the best fit. Pages reach to the hit `HITS_MAX`; `before` goes on with messages older
 * than that one.
 */
export const searchMessages = route({
  method: 'GET',
  path: '/api/v3/message/search',
  dialect: 'v3',
  who: 'user',
  input: z.object({ ...where, q: query(1) }),
  answer,
  fails: ['forbidden', 'chat.unknown', 'message.unknown', 'too_many'],
})

/** The kinds of files that are searched. */
export const FILE_KINDS = ['image', 'video', 'file'] as const

/**
 * The same for messages with a picture, a video or another file, found by its name; without words all of
 * them. `kind`: only those.
 */
export const searchFiles = route({
  method: 'GET',
  path: '/api/v3/message/search-files',
  dialect: 'v3',
  who: 'user',
  input: z.object({ ...where, q: z._default(query(0), ''), kind: z.optional(z.enum(FILE_KINDS)) }),
  answer,
  fails: ['forbidden', 'chat.unknown', 'message.unknown', 'too_many'],
})
