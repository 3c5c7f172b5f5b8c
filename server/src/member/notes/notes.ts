/**
 * Notes of moderators on a person in a guild, a member or not. Nobody sees those on themselves; they are in
 * no log, which others read, and the event that they changed says not on whom. Decision 120.
 */
import { fail } from '@guildhall/wire/failure.ts'
import type { GuildId, UserId } from '@guildhall/wire/id.ts'
import { NOTES_MAX, type Note } from '@guildhall/wire/member/note.ts'
import { notesChanged } from '@guildhall/wire/moderation/event.ts'
import { MODERATING } from '@guildhall/wire/permission/moderating.ts'
import { has, permission } from '@guildhall/wire/permission/permission.ts'
import { publicUser } from '@guildhall/wire/user/public.ts'
import { clock } from '../../kit/clock.ts'
import type { Db, Tx } from '../../kit/database/db.ts'
import { type AppContext, commit } from '../../kit/events/events.ts'
import { type GuildAccess, guildAccess } from '../../role/role.ts'
import { findUser, identitiesOf, identityOf } from '../../user/user.ts'
import * as rows from './sql.ts'

/** @throws Failure forbidden, member.no_right */
async function requireModerator(db: Db, callerId: UserId, guildId: GuildId): Promise<GuildAccess> {
  const inside = await guildAccess(db, callerId, guildId)
  if (!inside) throw fail('forbidden')
  if ((inside.permissions & MODERATING) === 0) throw fail('member.no_right')
  return inside
}

/** As `requireModerator`, and the person is another one. */
async function requireMayKnow(db: Db, callerId: UserId, guildId: GuildId, userId: UserId): Promise<void> {
  await requireModerator(db, callerId, guildId)
  if (callerId === userId) throw fail('member.no_right')
}

async function wireOf(appContext: AppContext, db: Db, notes: readonly rows.NoteRow[]): Promise<Note[]> {
  const authors = await identitiesOf(db, [...new Set(notes.map(({ author_id }) => author_id))])
  return notes.flatMap(({ id, content, author_id, created_at, updated_at }) => {
    const author = authors.get(author_id)
    if (!author) return []
    return { id, content, author: publicUser(identityOf(author, appContext)), created_at, updated_at }
  })
}

/** The notes on a person, the newest first. @throws Failure forbidden, member.no_right */
export async function listNotes(
  appContext: AppContext,
  callerId: UserId,
  { guildId, userId }: { readonly guildId: GuildId; readonly userId: UserId },
): Promise<Note[]> {
  const { db } = appContext
  await requireMayKnow(db, callerId, guildId, userId)
  return wireOf(appContext, db, await rows.notes(db, guildId, userId, NOTES_MAX))
}

/** Writes a note on a person. @throws Failure forbidden, member.no_right, user.unknown, note.full */
export const writeNote = (
  appContext: AppContext,
  callerId: UserId,
  input: { readonly guildId: GuildId; readonly userId: UserId; readonly content: string },
): Promise<Note> =>
  commit(appContext, async (tx, emit) => {
    const { guildId, userId, content } = input
    await requireMayKnow(tx, callerId, guildId, userId)
    const about = await findUser(tx, userId)
    if (!about || about.deleted_at !== null) throw fail('user.unknown')
    await rows.lockNotes(tx, guildId, userId)
    const earlier = await rows.notes(tx, guildId, userId, NOTES_MAX)
    if (earlier.length >= NOTES_MAX) throw fail('note.full', { most: NOTES_MAX })
    const now = clock.now()
    emit.guild(guildId, notesChanged, {})
    return only(appContext, tx, await rows.add(tx, { guildId, userId, authorId: callerId, content, now }))
  })

/**
 * Changes the words of a note of the caller's.
 * @throws Failure forbidden, member.no_right, note.unknown, note.not_yours
 */
export const changeNote = (
  appContext: AppContext,
  callerId: UserId,
  { guildId, id, content }: { readonly guildId: GuildId; readonly id: string; readonly content: string },
): Promise<Note> =>
  commit(appContext, async (tx, emit) => {
    await requireModerator(tx, callerId, guildId)
    const note = await requireNote(tx, callerId, guildId, id)
    if (note.author_id !== callerId) throw fail('note.not_yours')
    emit.guild(guildId, notesChanged, {})
    return only(appContext, tx, await rows.change(tx, id, content, clock.now()))
  })

/**
 * Deletes a note of the caller's; who manages the guild, of anybody.
 * @throws Failure forbidden, member.no_right, note.unknown, note.not_yours
 */
export const removeNote = (
  appContext: AppContext,
  callerId: UserId,
  { guildId, id }: { readonly guildId: GuildId; readonly id: string },
): Promise<void> =>
  commit(appContext, async (tx, emit) => {
    const { permissions } = await requireModerator(tx, callerId, guildId)
    const note = await requireNote(tx, callerId, guildId, id)
    if (note.author_id !== callerId && !has(permissions, permission.manage_guild))
      throw fail('note.not_yours')
    await rows.remove(tx, id)
    emit.guild(guildId, notesChanged, {})
  })

/** One on the caller is none to them. @throws Failure note.unknown */
async function requireNote(tx: Tx, callerId: UserId, guildId: GuildId, id: string): Promise<rows.NoteRow> {
  const note = await rows.note(tx, guildId, id)
  if (!note || note.user_id === callerId) throw fail('note.unknown')
  return note
}

async function only(appContext: AppContext, tx: Tx, row: rows.NoteRow): Promise<Note> {
  const [note] = await wireOf(appContext, tx, [row])
  if (!note) throw fail('note.unknown')
  return note
}

/** Deletes the notes on a deleted account. Those that it wrote stay. */
export const forgetNotes = rows.forget
