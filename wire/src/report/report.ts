/**
 * Members tell staff of a message, a person or a guild. Ours: the specification has no reports. Decision 81.
 */

import { guildId, messageId, userId } from '../id.ts'
import { route } from '../route.ts'
import { nothing, text, z } from '../schema.ts'
import { DAY_MS } from '../unit.ts'
import { readWords } from '../words.ts'

export const REPORT_KINDS = ['message', 'user', 'guild'] as const
export type ReportKind = (typeof REPORT_KINDS)[number]

/** What somebody reports something for. */
export const REPORT_CATEGORIES = [
  ...(['spam', 'fraud', 'abuse', 'sexual'] as const),
  ...(['violence', 'illegal', 'minors', 'other'] as const),
] as const
export type ReportCategory = (typeof REPORT_CATEGORIES)[number]

/** Characters of what somebody writes to a report. */
export const REPORT_WORDS_MAX = 500
/** How long what a report was made with is kept once it is decided. */
export const REPORTS_KEPT_DAYS = 30
export const REPORTS_KEPT_MS = REPORTS_KEPT_DAYS * DAY_MS

/**
 * Reports what the caller can see: a message of a channel or of a conversation of theirs, a person, a guild
 * that they are a member of or that is recommended. A second report of the same, while the first is open,
 * counts once. The answer says that it was received and nothing else; when it is decided, the official
 * account writes to the caller.
 */
export const createReport = route({
  method: 'POST',
  path: '/api/v3/report/create',
  dialect: 'v3',
  who: 'person',
  input: z.object({
    kind: z.enum(REPORT_KINDS),
    /** That of the message, the person or the guild. */
    id: z.union([messageId, userId, guildId]),
    category: z.enum(REPORT_CATEGORIES),
    words: z._default(text(REPORT_WORDS_MAX, 0, readWords), ''),
  }),
  answer: nothing,
  fails: ['forbidden', 'report.own', 'report.unknown', 'too_many'],
})
