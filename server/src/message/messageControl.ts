/**
 * Acts on channel messages by staff, by an operator, or when an account is deleted: without a look at
 * permissions.
 */
import { channelType } from '@guildhall/wire/channel/channel.ts'
import type { GuildId, MessageId, UserId } from '@guildhall/wire/id.ts'
import { type AuditActor, writeAudit } from '../audit/audit.ts'
import { findChannel } from '../channel/channel.ts'
import { clock } from '../kit/clock.ts'
import type { Db, Tx } from '../kit/database/db.ts'
import { type AppContext, commit, type Emit } from '../kit/events/events.ts'
import { deleteLocked, messageTarget } from './channelConversation.ts'
import { deleteEphemeralOf } from './sql/ephemeral.ts'
import * as rows from './sql/message.ts'
import { deleteReadMarks } from './sql/readMark.ts'

/** Before every id. */
const FIRST = '00000000-0000-0000-0000-000000000000'

/** Deletes any message of a channel for everybody. Returns its author; null when there is no such message. */
export async function deleteAny(tx: Tx, emit: Emit, id: MessageId): Promise<UserId | null> {
  const row = await rows.lockMessage(tx, id)
  if (!row) return null
  if (row.is_deleted) return row.author_id
  const channel = await findChannel(tx, row.channel_id)
  await deleteLocked(tx, emit, { row, channelType: channel?.type ?? channelType.text, now: clock.now() })
  return row.author_id
}

/**
 * The same by staff or the operator, which the guild's log says. Returns its author; null when there is no
 * such message.
 */
export async function deleteAnyBy(
  tx: Tx,
  emit: Emit,
  by: AuditActor,
  input: { readonly id: MessageId; readonly reason: string },
): Promise<UserId | null> {
  const row = await rows.lockMessage(tx, input.id)
  if (!row) return null
  if (row.is_deleted) return row.author_id
  const channel = await findChannel(tx, row.channel_id)
  await deleteAny(tx, emit, input.id)
  await writeAudit(tx, {
    guildId: row.guild_id,
    by,
    type: 'message_deleted',
    target: messageTarget(row),
    before: { channel_id: row.channel_id, channel: channel?.name ?? '' },
    reason: input.reason,
  })
  return row.author_id
}

/** Deletes at most `limit` messages of an author for everybody, in one transaction. Returns how many. */
export async function deleteSomeOf(appContext: AppContext, authorId: UserId, limit: number): Promise<number> {
  return commit(appContext, async (tx, emit) => {
    const some = await rows.ofAuthor(tx, authorId, FIRST, limit)
    for (const { id } of some) await deleteAny(tx, emit, id)
    return some.length
  })
}

/** The same for messages in one guild since a time, ms. */
export async function deleteSomeIn(
  appContext: AppContext,
  input: { readonly authorId: UserId; readonly guildId: GuildId; readonly since: number },
  limit: number,
): Promise<number> {
  return commit(appContext, async (tx, emit) => {
    const some = await rows.ofAuthorIn(tx, input, limit)
    for (const id of some) await deleteAny(tx, emit, id)
    return some.length
  })
}

/** Deletes the messages that welcomed a person to guilds: they say the person's name. */
export async function deleteWelcomesOf(tx: Tx, emit: Emit, userId: UserId): Promise<void> {
  for (const id of await rows.welcomesOf(tx, userId)) await deleteAny(tx, emit, id)
}

/** An author's own messages after the message `after`, or from the first, the oldest first. */
export const ownMessages = (
  db: Db,
  authorId: UserId,
  after: string | null,
  limit: number,
): Promise<rows.OwnRow[]> => rows.ofAuthor(db, authorId, after ?? FIRST, limit)

/** Deletes how far a person has read, and what was shown to them alone. */
export async function forgetReader(tx: Tx, userId: UserId): Promise<void> {
  await deleteReadMarks(tx, userId)
  await deleteEphemeralOf(tx, userId)
}
