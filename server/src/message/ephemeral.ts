/** Words for one person alone: heard by them and by the sender, kept by no channel. protocol.md §4.7, decision 27. */
import { event } from '@guildhall/wire/event.ts'
import { fail } from '@guildhall/wire/failure.ts'
import type { MessageId, UserId } from '@guildhall/wire/id.ts'
import {
  QUIET_MESSAGE,
  QUIET_UPDATE,
  type QuietSaid,
  type QuietUpdate,
} from '@guildhall/wire/message/event.ts'
import { z } from '@guildhall/wire/schema.ts'
import { viewOf } from '../channel/channel.ts'
import { clock } from '../kit/clock.ts'
import type { Db } from '../kit/db.ts'
import { commit, EVENTS_KEPT_MS, type Live } from '../kit/events.ts'
import type { Presence } from '../kit/presence.ts'
import { type Desk, prepare, type Said } from './message.ts'
import * as rows from './sql/message.ts'

const quietSaid = event(QUIET_MESSAGE, 'person', z.custom<QuietSaid>())
export const quietUpdate = event(QUIET_UPDATE, 'person', z.custom<QuietUpdate>())

/** @throws Failure message.target_unknown */
export async function mustSeeIt(db: Db, targetId: UserId, channelId: string): Promise<void> {
  const standing = await viewOf(db, targetId, channelId)
  if (!standing?.canView) throw fail('message.target_unknown')
}

/** What the caller learns of what they said. */
export interface QuietlySent {
  readonly id: MessageId
  /** ms */
  readonly at: number
}

/**
 * Says something in a channel to one person alone; answers after the commit. It is checked as any message is. Its place is
 * after the last message of the channel. A nonce that was used for this person within `EVENTS_KEPT_MS` answers with the
 * first message and says nothing twice.
 * @throws Failure as `send` does, and message.target_unknown
 */
export async function sayQuietly(
  live: Live,
  presence: Presence,
  userId: UserId,
  it: Said & { readonly targetId: UserId },
  desk: Pick<Desk, 'view' | 'fetchPicture'>,
): Promise<QuietlySent> {
  const { targetId } = it
  const under = { channel_id: it.channelId, author_id: userId, target_id: targetId, nonce: it.nonce }
  const draft = await prepare(live.db, presence, userId, it, desk, () => rows.firstQuiet(live.db, under))
  if ('repeated' in draft) return draft.repeated
  const { event: unnumbered, kind } = draft
  await mustSeeIt(live.db, targetId, it.channelId)
  const { message, channel } = unnumbered
  const { id, channel_id, guild_id, nonce, content } = message
  return commit(live, async (tx, emit) => {
    const at = clock.now()
    const first = await rows.addQuiet(tx, {
      ...{ id, channel_id, guild_id, nonce, at, author_id: userId, target_id: targetId },
      cards: kind === 'card' ? content : '',
    })
    if (first) return first
    const seq = await rows.lastEvent(tx, guild_id)
    const body = { message: { ...message, seq, create_at: at }, channel, visible_only: targetId }
    for (const each of new Set([userId, targetId])) emit.person(each, quietSaid, body)
    return { id, at }
  })
}

/** Forgets what can be replayed no longer; answers how many there were. */
export const forgetQuiet = (db: Db): Promise<number> => rows.forgetQuiet(db, clock.now() - EVENTS_KEPT_MS)
