/** What staff search in what was reported. Decision 81. */
import { chatCode } from '../chat/chat.ts'
import { channelId, guildId } from '../id.ts'
import { evidenceMessage } from '../report/evidence.ts'
import { route } from '../route.ts'
import { type Out, text, z } from '../schema.ts'
import { mark } from '../search/search.ts'
import { readWords } from '../words.ts'
import { ACT_REASON_MAX } from './staff.ts'

/** Messages that one search shows. Who looks for others narrows the search down. */
export const STAFF_HITS_MAX = 50
/** Characters of a query, UTF-16 units: so many of a text are in the staff log, which has the query whole. */
export const STAFF_QUERY_MAX = 200
/** A reason says more than a word. */
export const SEARCH_REASON_MIN = 4

/** `channel` is null in a private conversation. */
export const reportedHit = z.object({
  message: evidenceMessage,
  channel: z.nullable(z.object({ id: channelId, name: z.string() })),
  /** As those of `message/search`, in the `words` of the message. */
  marks: z.array(mark),
})
export type ReportedHit = Out<typeof reportedHit>

/**
 * Messages of what was reported, the newest first: `q` as in `message/search`. Exactly one of the three is
 * given: a guild that was reported, a channel of which a message was, or a private conversation, and only as
 * long as what was seen is kept. Of a private conversation nothing is found but what was kept of it. The call
 * is in the staff log with its reason and its words: who reads the log must see what was looked for, and not
 * only where.
 */
export const searchReported = route({
  method: 'GET',
  path: '/api/v3/staff/message-search',
  dialect: 'v3',
  who: 'staff',
  right: 'report',
  input: z.object({
    q: text(STAFF_QUERY_MAX, 1, (typed) => typed.trim()),
    reason: text(ACT_REASON_MAX, SEARCH_REASON_MIN, readWords),
    guild_id: z.optional(guildId),
    channel_id: z.optional(channelId),
    chat_code: z.optional(chatCode),
  }),
  answer: z.object({ items: z.array(reportedHit), has_more: z.boolean() }),
  fails: ['bad_input', 'report.unknown'],
})
