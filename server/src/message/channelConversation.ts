/** A guild channel as a conversation: who may edit, delete and react in it, and the events of the guild. */
import { fail } from '@guildhall/wire/failure.ts'
import type { UserId } from '@guildhall/wire/id.ts'
import {
  messageDeleted,
  messageUpdated,
  reactionAdded,
  reactionDeleted,
} from '@guildhall/wire/message/action.ts'
import { canManageMessages, canReact } from '@guildhall/wire/permission/permission.ts'
import { keepFilesForADay, releaseFiles, useFilesInstead } from '../asset/asset.ts'
import { type AuditTarget, writeAudit } from '../audit/audit.ts'
import { type ChannelAccess, channelAccess, refuseSend } from '../channel/channel.ts'
import type { Tx } from '../kit/database/db.ts'
import type { AppContext, Emit } from '../kit/events/events.ts'
import type {
  Conversation,
  Deleting,
  Editing,
  Locked,
  Locking,
  NewContent,
  Reacting,
} from './core/conversation.ts'
import { ephemeralUpdated, requireTargetCanView } from './ephemeral.ts'
import { quoteIn } from './history.ts'
import { readableIn } from './media/signedFiles.ts'
import { type ResolvedMentions, resolveMentions } from './mention/mentions.ts'
import { stoppedIn } from './rules/moderated.ts'
import { saveEphemeralView } from './sql/ephemeral.ts'
import * as rows from './sql/message.ts'
import * as reactions from './sql/reaction.ts'

/** A locked message and the caller's access to its channel. */
export interface LockedInChannel extends Locked {
  readonly row: rows.LockedMessage
  readonly access: ChannelAccess
}

export type ChannelConversation = Conversation<LockedInChannel, ResolvedMentions>

/** Where a change happened, for its event. */
export const locationIn = ({ row, access }: LockedInChannel, revision: number) => ({
  msg_id: row.id,
  channel_id: row.channel_id,
  channel_type: access.channel.type,
  revision,
})

/** A message as what was acted on, with its author's name. What it said is not written down. */
export const messageTarget = ({ id, author_id }: rows.LockedMessage): AuditTarget => ({
  kind: 'message',
  id,
  person: author_id,
})

/** Deletes a locked message and emits its event to those who may view the channel. */
export async function deleteLocked(
  tx: Tx,
  emit: Emit,
  input: { readonly row: rows.LockedMessage; readonly channelType: number; readonly now: number },
): Promise<void> {
  const { row } = input
  const revision = await rows.remove(tx, row, input.now)
  await releaseFiles(tx, row.id)
  const location = { msg_id: row.id, channel_id: row.channel_id, channel_type: input.channelType }
  emit.guild(row.guild_id, messageDeleted, { ...location, revision, seq: row.seq }, row.channel_id)
}

/** What changes need: whether people are online, and who counts as verified. */
type EditContext = Pick<AppContext, 'presence' | 'publicUrl' | 'ways' | 'moderation'>

const locking: Locking<LockedInChannel> = {
  target: 'channel',
  async lock(tx, userId, msgId) {
    const row = await rows.lockMessage(tx, msgId)
    const access = row && (await channelAccess(tx, userId, row.channel_id))
    return row && access?.canView ? { row, access } : null
  },
  revisionOf: rows.table.revisionOf,
  guildOf: ({ row }) => row.guild_id,
}

const editing = (appContext: EditContext): Editing<LockedInChannel, ResolvedMentions> => ({
  async mayEditCard(db, userId, msgId) {
    const location = await rows.ownMessage(db, userId, msgId)
    if (location?.kind !== 'card') return false
    const access = await channelAccess(db, userId, location.channel_id)
    return access?.canView === true && !access.whyCannotSend(appContext)
  },
  // A person who may no longer send may not edit earlier messages either.
  async requireMayWrite(_tx, _userId, { access }) {
    const why = access.whyCannotSend(appContext)
    if (why) refuseSend(why, access.mutedUntil)
  },
  stopped: ({ row, access }, content, mentions) =>
    stoppedIn(appContext, access, { said: { kind: row.kind, content }, media: null, mentions, isNew: false }),
  checksKeptQuote: false,
  appliesUnchanged: false,
  resolveMentions: (tx, userId, { row, access }, content, origin) =>
    resolveMentions(
      { db: tx, publicUrl: appContext.publicUrl },
      userId,
      access,
      row.kind,
      content,
      origin,
      row.content,
    ),
  quote: (tx, userId, { row }, id) => quoteIn(appContext, tx, userId, row.channel_id, id),
  async applyEdit(tx, emit, locked, { mentions, ...to }) {
    const { row } = locked
    const revision = await rows.change(tx, row, { ...mentions, ...to })
    const use = {
      messageId: row.id,
      guildId: row.guild_id,
      channelId: row.channel_id,
      authorId: row.author_id,
    }
    await useFilesInstead(tx, use, { kind: row.kind, content: to.content, attachments: null })
    emit.guild(
      row.guild_id,
      messageUpdated,
      editedBody(locked, { mentions, ...to }, revision),
      row.channel_id,
    )
    return revision
  },
})

const deleting: Deleting<LockedInChannel> = {
  requireMayDelete(userId, { row, access }) {
    if (row.author_id !== userId && !canManageMessages(access.permissions)) throw fail('message.no_right')
  },
  async applyDelete(tx, emit, userId, { row, access }, now) {
    const { channel } = access
    await deleteLocked(tx, emit, { row, channelType: channel.type, now })
    if (row.author_id === userId) return
    const { guild_id: guildId } = row
    const before = { channel_id: channel.id, channel: channel.name }
    await writeAudit(tx, { guildId, by: userId, type: 'message_deleted', target: messageTarget(row), before })
  },
}

const reacting = (appContext: EditContext): Reacting<LockedInChannel> => ({
  async requireMayReact(_tx, _userId, { access }) {
    const why = access.whyCannotSend(appContext)
    if (why === 'unverified' || why === 'muted' || why === 'rules') refuseSend(why, access.mutedUntil)
  },
  requireMayAdd({ access: { permissions } }, isNew) {
    if (!canReact({ mobile_verified: true, permissions }, isNew)) throw fail('message.no_right')
  },
  reactionState: reactions.reactionsOn,
  async addReaction(tx, emit, locked, { userId, emoji, now }) {
    const { row } = locked
    const revision = await reactions.react(tx, { id: row.id, emoji, userId, now })
    const body = { ...locationIn(locked, revision), user_id: userId, emoji }
    emit.guild(row.guild_id, reactionAdded, body, row.channel_id)
    return revision
  },
  mayRemoveReactionOf: (_userId, _ofUser, { access }) => canManageMessages(access.permissions),
  async removeReaction(tx, emit, locked, { userId, emojiId }) {
    const { row } = locked
    const removed = await reactions.unreact(tx, row.id, emojiId, userId)
    if (!removed) return null
    const { revision, name } = removed
    const body = { ...locationIn(locked, revision), user_id: userId, emoji: { id: emojiId, name } }
    emit.guild(row.guild_id, reactionDeleted, body, row.channel_id)
    return revision
  },
})

export const channelConversation = (appContext: EditContext): ChannelConversation => ({
  ...locking,
  ...editing(appContext),
  ...deleting,
  ...reacting(appContext),
})

/** The same, where an edit is ephemeral: shown to one person, while the stored message stays as it is. */
export function ephemeralEdits(
  appContext: EditContext & Pick<AppContext, 'addresses'>,
  targetId: UserId,
): ChannelConversation {
  return {
    ...channelConversation(appContext),
    requireMayEdit: (tx, { row }) => requireTargetCanView(tx, targetId, row.channel_id),
    appliesUnchanged: true,
    async applyEdit(tx, emit, locked, to) {
      const { row } = locked
      await keepFilesForADay(tx, { kind: row.kind, content: to.content, attachments: null })
      const revision = await rows.table.revisionOf(tx, row.id)
      if (row.kind === 'card')
        await saveEphemeralView(tx, { ...row, target_id: targetId, cards: to.content, at: to.now })
      const edited = readableIn(appContext, locked.access)(editedBody(locked, to, revision))
      const body = { ...edited, visible_only: targetId }
      emit.person(targetId, ephemeralUpdated, { guild_id: row.guild_id, body })
      return revision
    },
  }
}

const editedBody = (
  locked: LockedInChannel,
  { content, mentions, quote, now }: NewContent<ResolvedMentions>,
  revision: number,
) => ({
  ...locationIn(locked, revision),
  ...mentions,
  content,
  updated_at: now,
  quote: quote ?? null,
  attachments: null,
})
