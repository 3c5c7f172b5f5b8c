/** What a person notes of others for themselves alone: in no log, and the event of a change has no words. */
import { fail } from '@guildhall/wire/failure.ts'
import { PERSON_NOTES_MAX, personNoteUpdated } from '@guildhall/wire/friend/personNote.ts'
import type { UserId } from '@guildhall/wire/id.ts'
import { clock } from '../kit/clock.ts'
import type { Db } from '../kit/database/db.ts'
import { type AppContext, commit } from '../kit/events/events.ts'
import { findUser } from '../user/user.ts'
import * as rows from './personNoteSql.ts'

/** What a person noted of another; empty: nothing. */
export const noteOn = rows.noteOn

/**
 * Writes what a person notes of another, in place of what was there; nothing deletes it.
 * @throws Failure friend.self, user.unknown, friend.notes_full
 */
export async function writePersonNote(
  appContext: AppContext,
  userId: UserId,
  { targetId, note }: { readonly targetId: UserId; readonly note: string },
): Promise<void> {
  if (userId === targetId) throw fail('friend.self')
  await commit(appContext, async (tx, emit) => {
    await rows.lockNotesOf(tx, userId)
    const earlier = await rows.noteOn(tx, userId, targetId)
    if (earlier === note) return
    if (note === '') await rows.remove(tx, userId, targetId)
    else {
      const target = await findUser(tx, targetId)
      if (!target || target.deleted_at !== null) throw fail('user.unknown')
      if (earlier === '' && (await rows.count(tx, userId)) >= PERSON_NOTES_MAX)
        throw fail('friend.notes_full', { most: PERSON_NOTES_MAX })
      await rows.write(tx, { user_id: userId, target_id: targetId, content: note, updated_at: clock.now() })
    }
    emit.person(userId, personNoteUpdated, { user_id: targetId })
  })
}

/** For the copy of a person's data: what they noted of whom. */
export const personNoteFacts = (db: Db, userId: UserId) => rows.all(db, userId, PERSON_NOTES_MAX)
