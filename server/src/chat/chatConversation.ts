/**
 * A private chat as a conversation: both people write while `requireMayWrite` lets them, and only authors
 * edit and delete.
 */
import { privateReacted, privateUnreacted, privateUpdated } from '@guildhall/wire/chat/chat.ts'
import { fail } from '@guildhall/wire/failure.ts'
import type { UserId } from '@guildhall/wire/id.ts'
import { useFilesInstead } from '../asset/asset.ts'
import type { Db } from '../kit/database/db.ts'
import type { AppContext } from '../kit/events/events.ts'
import { shareGuild } from '../member/member.ts'
import type { Conversation, Deleting, Editing, Locked, Locking, Reacting } from '../message/message.ts'
import { findUser } from '../user/user.ts'
import { requireMayWrite, requireVerified } from './access.ts'
import { deleteLockedPrivate } from './deleteLocked.ts'
import { type PrivateMentions, resolveMentions } from './mentions.ts'
import * as rows from './sql.ts'
import { type ChatContext, emitBoth, quoteIn, withSignedFiles } from './wireForm.ts'

interface LockedPrivate extends Locked {
  readonly row: rows.LockedRow
}

const requireMayWriteTo = async (
  db: Db,
  appContext: Pick<AppContext, 'ways'>,
  userId: UserId,
  targetId: UserId,
): Promise<void> => {
  await requireVerified(db, appContext, userId)
  await requireMayWrite(db, userId, targetId)
}

/** What edits need: whether people are online, and the addresses of files. */
type EditContext = Pick<ChatContext, 'presence' | 'publicUrl' | 'addresses' | 'ways'>

const locking: Locking<LockedPrivate> = {
  target: 'private',
  async lock(tx, userId, msgId) {
    const row = await rows.lockMessage(tx, userId, msgId)
    return row && { row }
  },
  revisionOf: rows.table.revisionOf,
  guildOf: () => null,
}

const editing = (appContext: EditContext): Editing<LockedPrivate, PrivateMentions> => ({
  async mayEditCard(db, userId, msgId) {
    const own = await rows.ownMessage(db, userId, msgId)
    if (own?.kind !== 'card' || !(await shareGuild(db, userId, own.target_id))) return false
    await requireVerified(db, appContext, userId)
    return true
  },
  requireMayWrite: (tx, userId, { row }) => requireMayWriteTo(tx, appContext, userId, row.target_id),
  checksKeptQuote: true,
  appliesUnchanged: false,
  async resolveMentions(tx, userId, { row }, content) {
    const author = await findUser(tx, userId)
    const target = await findUser(tx, row.target_id)
    const two = [author, target].flatMap((each) => each ?? [])
    return resolveMentions(
      { db: tx, publicUrl: appContext.publicUrl },
      userId,
      row.kind,
      content,
      two,
      row.content,
    )
  },
  quote: (tx, userId, { row }, id) => quoteIn(appContext, tx, userId, row.chat_code, id),
  async applyEdit(tx, emit, { row }, { mentions, content, quote, now }) {
    const revision = await rows.change(tx, row.id, { ...mentions, content, quote, now })
    const shown = { kind: row.kind, content, attachments: row.attachments ?? null, quote }
    await useFilesInstead(
      tx,
      { messageId: row.id, guildId: null, channelId: null, authorId: row.author_id },
      shown,
    )
    const signed = withSignedFiles(appContext.addresses, shown)
    emitBoth(emit, row.author_id, row.target_id, privateUpdated, {
      msg_id: row.id,
      chat_code: row.chat_code,
      author_id: row.author_id,
      target_id: row.target_id,
      content: signed.content,
      quote: signed.quote,
      attachments: signed.attachments,
      updated_at: now,
      kmarkdown: mentions.kmarkdown,
      revision,
    })
    return revision
  },
})

const deleting: Deleting<LockedPrivate> = {
  requireMayDelete(userId, { row }) {
    if (row.author_id !== userId) throw fail('message.not_author')
  },
  applyDelete: (tx, emit, userId, { row }, now) => deleteLockedPrivate(tx, emit, { row, userId, now }),
}

const reacting = (appContext: EditContext): Reacting<LockedPrivate> => ({
  requireMayReact: (tx, userId, { row }) => requireMayWriteTo(tx, appContext, userId, row.target_id),
  reactionState: rows.reactionState,
  async addReaction(tx, emit, { row }, { userId, emoji, now }) {
    const revision = await rows.react(tx, { id: row.id, emoji, userId, now })
    if (revision === null) return rows.table.revisionOf(tx, row.id)
    const body = { msg_id: row.id, chat_code: row.chat_code, user_id: userId, emoji, revision }
    emitBoth(emit, userId, row.target_id, privateReacted, body)
    return revision
  },
  mayRemoveReactionOf: () => false,
  async removeReaction(tx, emit, { row }, { userId, emojiId }) {
    const removed = await rows.unreact(tx, row.id, emojiId, userId)
    if (removed === null) return null
    const { name, revision } = removed
    const location = { msg_id: row.id, chat_code: row.chat_code, user_id: userId, revision }
    emitBoth(emit, userId, row.target_id, privateUnreacted, { ...location, emoji: { id: emojiId, name } })
    return revision
  },
})

export const chatConversation = (appContext: EditContext): Conversation<LockedPrivate, PrivateMentions> => ({
  ...locking,
  ...editing(appContext),
  ...deleting,
  ...reacting(appContext),
})
