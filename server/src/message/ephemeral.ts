/**
 * Ephemeral messages: delivered to one person and the sender, in no channel's history. protocol.md §4.7,
 * decision 27.
 */
import { event } from '@guildhall/wire/event.ts'
import { fail } from '@guildhall/wire/failure.ts'
import type { ChannelId, MessageId, UserId } from '@guildhall/wire/id.ts'
import {
  EPHEMERAL_MESSAGE,
  EPHEMERAL_UPDATE,
  type EphemeralMessage,
  type EphemeralUpdate,
} from '@guildhall/wire/message/event.ts'
import { z } from '@guildhall/wire/schema.ts'
import { keepFilesForADay } from '../asset/asset.ts'
import { channelAccess } from '../channel/channel.ts'
import { clock } from '../kit/clock.ts'
import type { Db } from '../kit/database/db.ts'
import { commit, type Live } from '../kit/events/events.ts'
import { EVENTS_KEPT_MS } from '../kit/retention.ts'
import { prepareSend, type SendInput } from './send.ts'
import type { SendPipeline } from './sendPipeline.ts'
import * as rows from './sql/ephemeral.ts'

const ephemeralSent = event(EPHEMERAL_MESSAGE, 'person', z.custom<EphemeralMessage>(), { access: 'none' })
export const ephemeralUpdated = event(EPHEMERAL_UPDATE, 'person', z.custom<EphemeralUpdate>(), {
  access: 'none',
})

/** @throws Failure message.target_unknown */
export async function requireTargetCanView(db: Db, targetId: UserId, channelId: ChannelId): Promise<void> {
  const access = await channelAccess(db, targetId, channelId)
  if (!access?.canView) throw fail('message.target_unknown')
}

/** The answer to the sender. */
export interface SentEphemeral {
  readonly id: MessageId
  /** ms */
  readonly at: number
}

/**
 * Sends an ephemeral message; answers after the commit. It is checked as any message is, and ordered after
 * the channel's last message. Idempotent by nonce, for this person within `EVENTS_KEPT_MS`.
 * @throws Failure as `send` does, and message.target_unknown
 */
export async function sendEphemeral(
  live: Live,
  userId: UserId,
  it: SendInput & { readonly targetId: UserId },
  pipeline: Pick<SendPipeline, 'access' | 'fetchPicture'>,
): Promise<SentEphemeral> {
  const { targetId } = it
  const under = { channel_id: it.channelId, author_id: userId, target_id: targetId, nonce: it.nonce }
  const draft = await prepareSend(live, userId, { ...it, isForNow: true }, pipeline, () =>
    rows.ephemeralByNonce(live.db, under),
  )
  if ('repeated' in draft) return draft.repeated
  const { event: unnumbered, kind } = draft
  await requireTargetCanView(live.db, targetId, it.channelId)
  const { message, channel } = unnumbered
  const { id, channel_id, guild_id, nonce, content } = message
  return commit(live, async (tx, emit) => {
    const at = clock.now()
    const first = await rows.addEphemeral(tx, {
      id,
      channel_id,
      guild_id,
      nonce,
      at,
      author_id: userId,
      target_id: targetId,
      cards: kind === 'card' ? content : '',
    })
    if (first) return first
    await keepFilesForADay(tx, { kind, content, attachments: message.attachments })
    const seq = await rows.lastEvent(tx, guild_id)
    const body = { message: { ...message, seq, create_at: at }, channel, visible_only: targetId }
    for (const each of new Set([userId, targetId])) emit.person(each, ephemeralSent, body)
    return { id, at }
  })
}

/** Deletes those whose events can no longer be replayed; answers how many there were. */
export const deleteExpiredEphemeral = (db: Db): Promise<number> =>
  rows.deleteEphemeralBefore(db, clock.now() - EVENTS_KEPT_MS)
