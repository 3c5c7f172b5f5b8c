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
import { type ChannelAccess, channelAccess } from '../channel/channel.ts'
import { clock } from '../kit/clock.ts'
import type { Db } from '../kit/database/db.ts'
import { type AppContext, commit } from '../kit/events/events.ts'
import { EVENTS_KEPT_MS } from '../kit/retention.ts'
import { sendTo } from './core/send.ts'
import { readableIn } from './media/signedFiles.ts'
import { type ChannelDestination, checksIn, draftOf, type SendInput } from './send.ts'
import type { SendPipeline } from './sendPipeline.ts'
import * as rows from './sql/ephemeral.ts'
import type { Draft } from './sql/send.ts'

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
export const sendEphemeral = (
  appContext: AppContext,
  userId: UserId,
  input: SendInput & { readonly targetId: UserId },
  pipeline: Pick<SendPipeline, 'access' | 'fetchPicture'>,
): Promise<SentEphemeral> => {
  const options = { ...input, fetchPicture: pipeline.fetchPicture, isForNow: true }
  return sendTo(appContext, userId, ephemeralDestination(appContext, userId, input, pipeline), options)
}

const ephemeralDestination = (
  appContext: AppContext,
  userId: UserId,
  input: SendInput & { readonly targetId: UserId },
  pipeline: Pick<SendPipeline, 'access'>,
): ChannelDestination<SentEphemeral> => ({
  ...checksIn(appContext, userId, input, pipeline),
  inOrder: (ready) => ready,
  sentBefore: () =>
    rows.ephemeralByNonce(appContext.db, {
      channel_id: input.channelId,
      author_id: userId,
      target_id: input.targetId,
      nonce: input.nonce,
    }),
  async store(at, checked) {
    await requireTargetCanView(appContext.db, input.targetId, input.channelId)
    return storeEphemeral(appContext, input.targetId, at.access, draftOf(at, checked))
  },
})

/** What was sent under the nonce before is the answer. */
const storeEphemeral = (
  appContext: AppContext,
  targetId: UserId,
  access: ChannelAccess,
  { kind, event: { message, channel } }: Draft,
): Promise<SentEphemeral> =>
  commit(appContext, async (tx, emit) => {
    const { id, channel_id, guild_id, nonce, content } = message
    const authorId = message.author.id
    const at = clock.now()
    const first = await rows.addEphemeral(tx, {
      id,
      channel_id,
      guild_id,
      nonce,
      at,
      author_id: authorId,
      target_id: targetId,
      cards: kind === 'card' ? content : '',
    })
    if (first) return first
    await keepFilesForADay(tx, { kind, content, attachments: message.attachments })
    const seq = await rows.lastEvent(tx, guild_id)
    const shown = readableIn(appContext, access)({ ...message, seq, create_at: at })
    const body = { message: shown, channel, visible_only: targetId }
    for (const each of new Set([authorId, targetId])) emit.person(each, ephemeralSent, body)
    return { id, at }
  })

/** Deletes those whose events can no longer be replayed; answers how many there were. */
export const deleteExpiredEphemeral = (db: Db): Promise<number> =>
  rows.deleteEphemeralBefore(db, clock.now() - EVENTS_KEPT_MS)
