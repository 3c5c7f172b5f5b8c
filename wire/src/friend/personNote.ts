/** What a person notes of another for themselves: nobody else ever sees it, and it is on all devices. */
import { event } from '../event.ts'
import { userId } from '../id.ts'
import { route } from '../route.ts'
import { nothing, text, z } from '../schema.ts'
import { readWords } from '../words.ts'

/** Characters of a note. */
export const PERSON_NOTE_MAX = 200
/** People whom one person has noted something of. */
export const PERSON_NOTES_MAX = 1_000

/** Writes the note on a person, in place of the one before; without words it is deleted. Idempotent. Ours. */
export const writePersonNote = route({
  method: 'POST',
  path: '/api/v3/person/note',
  dialect: 'v3',
  who: 'user',
  input: z.object({ user_id: userId, note: text(PERSON_NOTE_MAX, 0, readWords) }),
  answer: nothing,
  fails: ['friend.self', 'friend.notes_full', 'user.unknown'],
})

/** The writer's note on a person changed, who learns it on all devices. Without its words. Ours. */
export const personNoteUpdated = event('updated_person_note', 'person', z.object({ user_id: userId }), {
  access: 'none',
  dialects: 'pages',
})
