/** The list of refused and held words, and a box in which staff try it. */

import { route } from '../route.ts'
import { int, nothing, type Out, text, z } from '../schema.ts'
import { REASON_MAX } from '../screening/screening.ts'
import { readWords } from '../words.ts'

/** Rules of one page. */
export const WORDS_PAGE = 50
/** Rules that there may be. */
export const WORDS_MAX = 20_000
/** Characters of a word. */
export const WORD_MAX = 50
/** Characters of a note. */
export const NOTE_MAX = 200
/** Characters of a text that is tried. */
export const TRIED_MAX = 5_000
/** Matches that are shown of it. */
export const TRIED_MATCHES_MAX = 100

/**
 * `refuse`: what has the word is refused. `hold`: a message waits for staff; names and guild faces are
 * refused.
 */
export const WORD_ACTIONS = ['refuse', 'hold'] as const
export type WordAction = (typeof WORD_ACTIONS)[number]
/**
 * Messages of channels and private conversations; names of people; names and descriptions of guilds, channels
 * and roles.
 */
export const WORD_TARGETS = ['message', 'name', 'guild'] as const
export type WordTarget = (typeof WORD_TARGETS)[number]

const targets = z.array(z.enum(WORD_TARGETS)).check(z.minLength(1), z.maxLength(WORD_TARGETS.length))
/** Why; it goes into the staff log. */
const reason = z.pipe(text(REASON_MAX, 0, readWords), z.string().check(z.regex(/\S/)))
const ruleId = int(1, Number.MAX_SAFE_INTEGER)

export const wordRule = z.object({
  id: z.string(),
  word: z.string(),
  action: z.enum(WORD_ACTIONS),
  places: z.array(z.enum(WORD_TARGETS)),
  note: z.string(),
  /** Who changed it last: an id, or `operator`. */
  by: z.string(),
  by_name: z.string(),
  /** ms */
  updated_at: z.number(),
})
export type WordRule = Out<typeof wordRule>

/** The newest rules, those older than `before` (an id); with `word` those that begin with it. */
export const listWords = route({
  method: 'GET',
  path: '/api/v3/staff/words',
  dialect: 'v3',
  who: 'staff',
  right: 'word',
  input: z.object({
    before: z.optional(ruleId),
    word: z.optional(text(WORD_MAX)),
    action: z.optional(z.enum(WORD_ACTIONS)),
  }),
  answer: z.object({ items: z.array(wordRule), has_more: z.boolean() }),
  fails: [],
})

const fields = {
  action: z.enum(WORD_ACTIONS),
  places: targets,
  note: z._default(text(NOTE_MAX, 0, readWords), ''),
  reason,
}

export const addWord = route({
  method: 'POST',
  path: '/api/v3/staff/word-add',
  dialect: 'v3',
  who: 'staff',
  right: 'word',
  input: z.object({ word: text(WORD_MAX), ...fields }),
  answer: z.object({ id: z.string() }),
  fails: ['word.wrong', 'word.taken', 'word.full'],
})

export const changeWord = route({
  method: 'POST',
  path: '/api/v3/staff/word-update',
  dialect: 'v3',
  who: 'staff',
  right: 'word',
  input: z.object({ id: ruleId, ...fields }),
  answer: nothing,
  fails: ['word.unknown'],
})

export const removeWord = route({
  method: 'POST',
  path: '/api/v3/staff/word-remove',
  dialect: 'v3',
  who: 'staff',
  right: 'word',
  input: z.object({ id: ruleId, reason }),
  answer: nothing,
  fails: ['word.unknown'],
})

/**
 * What the rules would find in a text, wherever it were written, at most `TRIED_MATCHES_MAX`. `from` and
 * `to`: UTF-16 units.
 */
export const tryWords = route({
  method: 'POST',
  path: '/api/v3/staff/word-try',
  dialect: 'v3',
  who: 'staff',
  right: 'word',
  input: z.object({ text: text(TRIED_MAX) }),
  answer: z.object({
    matches: z.array(
      z.object({
        id: z.string(),
        word: z.string(),
        action: z.enum(WORD_ACTIONS),
        places: z.array(z.enum(WORD_TARGETS)),
        from: z.number(),
        to: z.number(),
      }),
    ),
  }),
  fails: [],
})
