/**
 * Notes of moderators on a person in a guild. Who has none of the rights of `MODERATING` does not see them,
 * and nobody sees those on themselves. They stay when the person leaves. Decision 120.
 */
import { decimal, guildId, userId } from '../id.ts'
import { route } from '../route.ts'
import { nothing, type Out, text, z } from '../schema.ts'
import { user } from '../user/shown.ts'
import { readWords } from '../words.ts'

/** Characters of a note. */
export const NOTE_MAX = 1_000
/** Notes on one person in a guild. */
export const NOTES_MAX = 50

const content = text(NOTE_MAX, 1, readWords)

const note = z.object({
  id: z.string(),
  content: z.string(),
  /** Who wrote it. */
  author: user,
  /** ms */
  created_at: z.number(),
  /** When its words were last changed, ms; at first as `created_at`. */
  updated_at: z.number(),
})
export type Note = Out<typeof note>

/** The notes on a person, the newest first. */
export const listNotes = route({
  method: 'GET',
  path: '/api/v3/guild-note/list',
  dialect: 'v3',
  who: 'user',
  input: z.object({ guild_id: guildId, user_id: userId }),
  answer: z.object({ items: z.array(note) }),
  fails: ['forbidden', 'member.no_right'],
})

/** Writes a note on a person, a member or not. */
export const createNote = route({
  method: 'POST',
  path: '/api/v3/guild-note/create',
  dialect: 'v3',
  who: 'user',
  input: z.object({ guild_id: guildId, user_id: userId, content }),
  answer: note,
  fails: ['forbidden', 'user.unknown', 'member.no_right', 'note.full'],
})

/** Changes the words of a note of one's own. */
export const updateNote = route({
  method: 'POST',
  path: '/api/v3/guild-note/update',
  dialect: 'v3',
  who: 'user',
  input: z.object({ guild_id: guildId, id: decimal, content }),
  answer: note,
  fails: ['forbidden', 'member.no_right', 'note.unknown', 'note.not_yours'],
})

/** Deletes a note of one's own, or with bit 1 of anybody. */
export const deleteNote = route({
  method: 'POST',
  path: '/api/v3/guild-note/delete',
  dialect: 'v3',
  who: 'user',
  input: z.object({ guild_id: guildId, id: decimal }),
  answer: nothing,
  fails: ['forbidden', 'member.no_right', 'note.unknown', 'note.not_yours'],
})
