/** Pinned messages of a channel. protocol.md §4.7. */
import { fail } from '@guildhall/wire/failure.ts'
import type { ChannelId, MessageId, UserId } from '@guildhall/wire/id.ts'
import { messagePinned, messageUnpinned } from '@guildhall/wire/message/action.ts'
import { PINS_MAX } from '@guildhall/wire/message/limit.ts'
import type { Pin } from '@guildhall/wire/message/pin.ts'
import { canManageMessages } from '@guildhall/wire/permission/permission.ts'
import { writeAudit } from '../audit/audit.ts'
import { requireView } from '../channel/channel.ts'
import { clock } from '../kit/clock.ts'
import { type AppContext, commit } from '../kit/events/events.ts'
import { channelConversation, locationIn, messageTarget } from './channelConversation.ts'
import { lockExisting } from './core/edit.ts'
import { readableIn } from './media/signedFiles.ts'
import { table } from './sql/message.ts'
import * as rows from './sql/pin.ts'
import { messageOf } from './wireForm.ts'

/**
 * Pins a message of a channel or, with `on` false, unpins it. When it already is so, nothing happens.
 * @throws Failure message.unknown (also one of another channel), message.no_right, message.pins_full
 */
export function pin(
  appContext: AppContext,
  userId: UserId,
  input: { readonly channelId: ChannelId; readonly msgId: MessageId; readonly on: boolean },
): Promise<{ readonly revision: number }> {
  return commit(appContext, async (tx, emit) => {
    const locked = await lockExisting(tx, channelConversation(appContext), userId, input.msgId)
    const { row, access } = locked
    if (row.channel_id !== input.channelId) throw fail('message.unknown')
    if (!canManageMessages(access.permissions)) throw fail('message.no_right')
    if (row.is_pinned === input.on) return { revision: await table.revisionOf(tx, row.id) }

    const now = input.on ? clock.now() : 0
    const revision = await rows.pin(tx, row, { now, by: userId, most: PINS_MAX })
    if (revision === null) throw fail('message.pins_full')
    const body = { ...locationIn(locked, revision), operator_id: userId }
    emit.guild(row.guild_id, input.on ? messagePinned : messageUnpinned, body, row.channel_id)
    await writeAudit(tx, {
      guildId: row.guild_id,
      by: userId,
      type: input.on ? 'message_pinned' : 'message_unpinned',
      target: messageTarget(row),
      after: { channel_id: access.channel.id, channel: access.channel.name },
    })
    return { revision }
  })
}

/** The pinned messages of a channel, the one pinned last first. */
export async function pins(appContext: AppContext, userId: UserId, channelId: ChannelId): Promise<Pin[]> {
  const { db } = appContext
  const access = await requireView(db, userId, channelId)
  const found = await rows.pinned(db, userId, channelId, PINS_MAX)
  const pinById = new Map((await rows.pinsOf(db, channelId)).map((it) => [it.id, it]))
  return found.toReversed().flatMap((row) => {
    const pin = pinById.get(row.id)
    // It was unpinned between the two queries.
    if (!pin) return []
    const { at, by, name } = pin
    return [
      {
        message: readableIn(appContext, access)(messageOf(row, appContext)),
        pinned_at: at,
        pinned_by: by === null ? null : { id: by, name },
      },
    ]
  })
}
