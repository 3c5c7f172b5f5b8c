/** Sending to a text channel. chat.md §5, protocol.md §6.4 and §9.3. */
import { channelType } from '@guildhall/wire/channel/channel.ts'
import { fail } from '@guildhall/wire/failure.ts'
import type { ChannelId, MessageId, UserId } from '@guildhall/wire/id.ts'
import { mediaKinds, type VideoLooks } from '@guildhall/wire/message/attachment.ts'
import type { MessageKind } from '@guildhall/wire/message/kind.ts'
import type { Message } from '@guildhall/wire/message/message.ts'
import { SECOND_MS } from '@guildhall/wire/unit.ts'
import type { Author } from '@guildhall/wire/user/user.ts'
import { type ChannelAccess, refuseSend } from '../channel/channel.ts'
import { clock } from '../kit/clock.ts'
import type { Db } from '../kit/database/db.ts'
import { type Live, publish } from '../kit/events/events.ts'
import { ids } from '../kit/ids.ts'
import { screenMessage } from '../kit/screening.ts'
import { readSendBody, refuseOther, requireSendable, type Said, storedContent } from './content.ts'
import { quoteIn } from './history.ts'
import { slowModeWaitMs } from './limit.ts'
import { type Media, mediaOf, shownAgain } from './media.ts'
import { noMentions, resolveMentions } from './mentions.ts'
import { heldOf } from './screenedTexts.ts'
import { pipelineIn, type SendPipeline } from './sendPipeline.ts'
import * as rows from './sql/message.ts'
import type { Draft } from './sql/send.ts'
import { messageOf, toMessage } from './wireForm.ts'

/** What a caller sends to a channel. */
export interface SendInput {
  readonly channelId: ChannelId
  /** Text or the address of a file, when there is a `kind`; else the JSON of a v2 call, see `sendBody`. */
  readonly content: string
  /** Of a v2 call. */
  readonly objectName?: string
  /** Null for a number that names no kind. */
  readonly kind?: MessageKind | null
  /** With a `kind`: the message it answers. */
  readonly quote?: string | undefined
  /** With a `kind`, of a video: cover, size and duration as its sender states them. */
  readonly looks?: VideoLooks | undefined
  /**
   * With a `kind` of media: a file that the author may show although it is not theirs, as of a message that
   * they forward.
   */
  readonly file?: Media | undefined
  readonly nonce: string
  /** The public address of the server, in front of those of files. Absent: addresses have none. */
  readonly origin?: string
  /** When it was sent, ms; now, except in the demo world. */
  readonly at?: number
  /** Staff have agreed: it is judged no more, and does not count in slow mode again. */
  readonly isApproved?: boolean
  /** Nobody could send it later: what would be held is refused. */
  readonly isForNow?: boolean
}

/**
 * Sends to a text channel; answers after the commit. Idempotent by nonce: one that the same author used in
 * the same channel answers with the first message, sends nothing and takes no number; that of a deleted or of
 * another message is refused. Without a `pipeline` it stores alone.
 * @throws Failure forbidden, message.not_allowed (detail.why), message.muted, message.muted_endlessly,
 *   message.empty, message.too_long, message.too_soon (detail.n), message.kind_refused, message.unknown (the
 *   quoted one), message.deleted, card.invalid (detail.at, detail.why), asset.unknown, asset.too_large,
 *   bad_json, bad_input, content.refused, content.held, content.rejected
 */
export async function send(
  live: Live,
  userId: UserId,
  it: SendInput,
  pipeline: SendPipeline = pipelineIn(live.db),
): Promise<Message> {
  const sentBefore = async (again: Said) => {
    const first = await rows.byNonce(live.db, it.channelId, userId, it.nonce)
    if (first === 'deleted') throw fail('message.deleted')
    if (first) refuseOther(first, again)
    return first && messageOf(first, live)
  }
  const prepared = prepareSend(live, userId, it, pipeline, sentBefore)
  const draft = await pipeline.inOrder(`${userId} ${it.channelId}`, prepared)
  if ('repeated' in draft) return draft.repeated
  const { message: unnumbered, channel } = draft.event
  const added = await pipeline.store(draft)
  if (!added) {
    const first = await sentBefore({ kind: draft.kind, content: unnumbered.content })
    // The guild or the channel was deleted after the access was looked up.
    if (!first) throw fail('forbidden')
    return first
  }
  const message = { ...unnumbered, seq: added.seq, create_at: added.at }
  await publish(live, {
    to: 'guild',
    guildId: message.guild_id,
    channelId: message.channel_id,
    seq: added.seq,
    at: added.at,
    kind: 'message',
    body: { message, channel },
  })
  pipeline.onSent?.(message, it.origin ?? '')
  return message
}

/**
 * Checks a send and makes everything of the message but its number and time. `sentBefore` answers what was
 * sent under its nonce.
 * @throws Failure as `send` does
 */
export async function prepareSend<First>(
  live: Live,
  userId: UserId,
  it: SendInput,
  pipeline: Pick<SendPipeline, 'access' | 'fetchPicture'>,
  sentBefore: (again: Said) => Promise<First | null>,
): Promise<Draft | { readonly repeated: First }> {
  const { db } = live
  const access = await pipeline.access(userId, it.channelId)
  requireMaySend(access)
  const { kind, content: given, quote, looks } = it.kind === undefined ? readSendBody(it) : it
  const author = access.author(live)
  requireSendable(kind, author)
  // A repeated card may be invalid by now, its countdown being over, and its pictures are not fetched twice.
  const repeated = kind === 'card' && it.nonce ? await sentBefore({ kind, content: given }) : null
  if (repeated) return { repeated }
  const { fetchPicture } = pipeline
  const origin = it.origin ?? ''
  const typed = await storedContent(db, userId, kind, { content: given, origin, fetchPicture })
  const file = { kind, content: typed, origin, looks }
  const media = it.file
    ? await shownAgain(db, access, it.file)
    : kind in mediaKinds
      ? await mediaOf(db, userId, author.is_vip, access, file)
      : null
  const content = media?.content ?? typed
  const mentions = media
    ? noMentions(media.words)
    : await resolveMentions(live, userId, access, kind, content, origin)
  const quoted = quote ? await quoteIn(live, db, userId, it.channelId, quote) : null
  const row = { ...mentions, kind, content, nonce: it.nonce, quote: quoted }
  const before = it.nonce === '' ? async () => null : () => sentBefore({ kind, content })
  if (!it.isApproved) {
    const input = { kind, content: typed, quote: quote || undefined, looks, file: it.file, origin }
    const judged = live.screening?.isOn
      ? await screenMessage(live.screening, screenedOf(access, it, input, userId, media), before)
      : null
    const late = judged?.repeated ?? (await inSlowMode(db, userId, access, before))
    if (late) return { repeated: late }
    if (judged?.hold) await judged.hold()
  }
  return draftOf(access, author, {
    ...row,
    attachments: media?.attachments ?? null,
    now: it.at ?? clock.now(),
  })
}

/** A message as it is judged, and held if it must be. `input`: what sending it later needs. */
const screenedOf = (
  { channel }: ChannelAccess,
  { nonce, isForNow }: SendInput,
  input: { readonly kind: MessageKind; readonly content: string },
  authorId: UserId,
  media: Media | null,
) => ({
  to: { place: 'channel' as const, channelId: channel.id, guildId: channel.guild_id },
  ...heldOf(input, media),
  nonce,
  isForNow,
  authorId,
})

/** @throws Failure forbidden, message.not_allowed (detail.why), message.muted, message.muted_endlessly */
function requireMaySend(access: ChannelAccess | null): asserts access is ChannelAccess {
  if (!access?.canView) throw fail('forbidden')
  const why = access.channel.type === channelType.text ? access.whyCannotSend : 'no_permission'
  if (why) refuseSend(why, access.mutedUntil)
}

/**
 * Counts a message in a channel with slow mode. Instead of a refusal it answers what was sent under the nonce
 * before.
 * @throws Failure message.too_soon (detail.n: seconds to wait)
 */
async function inSlowMode<First>(
  db: Db,
  userId: UserId,
  access: ChannelAccess,
  sentBefore: () => Promise<First | null>,
): Promise<First | null> {
  const waitMs = await slowModeWaitMs(db, userId, access)
  if (waitMs === 0) return null
  const first = await sentBefore()
  if (!first) throw fail('message.too_soon', { n: Math.ceil(waitMs / SECOND_MS) })
  return first
}

function draftOf(
  { channel }: ChannelAccess,
  author: Author,
  {
    now,
    ...it
  }: Omit<
    Parameters<typeof toMessage>[0],
    keyof typeof NEW | 'id' | 'guild_id' | 'channel_id' | 'author_id' | 'create_at'
  > & {
    readonly now: number
  },
): Draft {
  const row = {
    ...NEW,
    ...it,
    id: ids.uuid() as MessageId,
    guild_id: channel.guild_id,
    channel_id: channel.id,
    author_id: author.id,
    create_at: now,
  }
  const { name, type } = channel
  return { kind: it.kind, now, event: { message: toMessage(row, author, []), channel: { name, type } } }
}

const NEW = { embeds: null, seq: 0, updated_at: 0, revision: 0, is_pinned: false }

/** The message that an author sent to a channel under a nonce, deleted or not; null: none. */
export const sentUnder = rows.idOfNonce
