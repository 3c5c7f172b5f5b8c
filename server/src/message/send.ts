/** Sending to a text channel. chat.md §5, protocol.md §6.4 and §9.3. */
import { channelType } from '@guildhall/wire/channel/channel.ts'
import { fail } from '@guildhall/wire/failure.ts'
import type { ChannelId, MessageId, UserId } from '@guildhall/wire/id.ts'
import type { MessageKind } from '@guildhall/wire/message/kind.ts'
import type { Message } from '@guildhall/wire/message/message.ts'
import { SECOND_MS } from '@guildhall/wire/unit.ts'
import type { Author } from '@guildhall/wire/user/shown.ts'
import { type ChannelAccess, refuseSend } from '../channel/channel.ts'
import { clock } from '../kit/clock.ts'
import { type AppContext, publish } from '../kit/events/events.ts'
import { ids } from '../kit/ids.ts'
import { readSendBody, refuseOther } from './content.ts'
import {
  type Checked,
  type Destination,
  type Sender,
  type SendOptions,
  sendTo,
  type Typed,
} from './core/send.ts'
import { quoteIn } from './history.ts'
import { slowModeWaitMs } from './limit.ts'
import { mediaOf, shownAgain } from './media/media.ts'
import { readableIn } from './media/signedFiles.ts'
import { noMentions, type ResolvedMentions, resolveMentions } from './mention/mentions.ts'
import { stoppedIn } from './rules/moderated.ts'
import { pipelineIn, type SendPipeline } from './sendPipeline.ts'
import * as rows from './sql/message.ts'
import type { Draft } from './sql/send.ts'
import { messageOf, toMessage } from './wireForm.ts'

/** What a caller sends to a channel. */
export interface SendInput extends Omit<SendOptions, 'fetchPicture'>, Omit<Typed, 'kind'> {
  readonly channelId: ChannelId
  /** Text or the address of a file, when there is a `kind`; else the JSON of a v2 call, see `sendBody`. */
  readonly content: string
  /** Of a v2 call. */
  readonly objectName?: string
  /** Null for a number that names no kind. */
  readonly kind?: MessageKind | null
  /** When it was sent, ms; now, except in the demo world. */
  readonly at?: number
}

/** The author in the channel, as long as the send lasts. */
interface ChannelSender extends Sender {
  readonly author: Author
  readonly access: ChannelAccess
}

/** The same, with the quoted message; null without. */
interface InChannel extends ChannelSender {
  readonly quote: Awaited<ReturnType<typeof quoteIn>> | null
}

export type ChannelDestination<Sent> = Destination<ChannelSender, InChannel, ResolvedMentions, Sent>

/**
 * Sends to a text channel; answers after the commit. Idempotent by nonce. Without a `pipeline` it stores
 * alone.
 * @throws Failure as `sendTo` does, and forbidden, message.not_allowed (detail.why), message.muted,
 *   message.muted_endlessly,
 *   onboarding.rules_needed, message.too_soon (detail.n), message.unknown (the quoted one), asset.too_large,
 *   asset.guild_daily_limit, bad_input
 */
export const send = (
  appContext: AppContext,
  userId: UserId,
  input: SendInput,
  pipeline: SendPipeline = pipelineIn(appContext.db),
): Promise<Message> => {
  const options = { ...input, fetchPicture: pipeline.fetchPicture }
  return sendTo(appContext, userId, channelDestination(appContext, userId, input, pipeline), options)
}

/** A text channel as the destination of a message of one author. */
const channelDestination = (
  appContext: AppContext,
  userId: UserId,
  input: SendInput,
  pipeline: SendPipeline,
): ChannelDestination<Message> => ({
  ...checksIn(appContext, userId, input, pipeline),
  inOrder: (ready) => pipeline.inOrder(`${userId} ${input.channelId}`, ready),
  async sentBefore(said) {
    const first = await rows.byNonce(appContext.db, input.channelId, userId, input.nonce)
    if (first === 'deleted') throw fail('message.deleted')
    if (first) refuseOther(first, said)
    const access = first && (await pipeline.access(userId, input.channelId))
    return access && readableIn(appContext, access)(messageOf(first, appContext))
  },
  async store(at, checked) {
    const draft = draftOf(at, checked, input.at)
    const added = await pipeline.store(draft)
    if (!added) return null
    const { channel } = draft.event
    const message = { ...draft.event.message, seq: added.seq, create_at: added.at }
    await publish(appContext, {
      to: 'guild',
      guildId: message.guild_id,
      channelId: message.channel_id,
      seq: added.seq,
      at: added.at,
      kind: 'message',
      body: { message, channel },
    })
    pipeline.onSent?.(message, input.origin ?? '')
    return readableIn(appContext, at.access)(message)
  },
})

/** How a message to a channel is checked, whether it is stored in its history or ephemeral. */
export const checksIn = (
  appContext: AppContext,
  userId: UserId,
  input: SendInput,
  pipeline: Pick<SendPipeline, 'access'>,
): Omit<ChannelDestination<unknown>, 'inOrder' | 'sentBefore' | 'store'> => ({
  async sender() {
    const access = await pipeline.access(userId, input.channelId)
    requireMaySend(access, appContext)
    return { access, author: access.author(appContext), typed: typedIn(input) }
  },
  async enter(sender) {
    const { quote } = sender.typed
    return {
      ...sender,
      quote: quote ? await quoteIn(appContext, appContext.db, userId, input.channelId, quote) : null,
    }
  },
  async media({ access, author }, said, { looks }) {
    if (input.file) return shownAgain(appContext.db, access, input.file)
    return mediaOf(appContext.db, userId, author.is_vip, access, {
      ...said,
      origin: input.origin ?? '',
      looks,
    })
  },
  mentions: ({ access }, { kind, content }) =>
    resolveMentions(appContext, userId, access, kind, content, input.origin),
  noMentions,
  heldTarget: ({ access: { channel } }) => ({
    target: 'channel',
    channelId: channel.id,
    guildId: channel.guild_id,
  }),
  stopped: ({ access }, said, media, mentions) =>
    stoppedIn(appContext, access, { said, media, mentions, isNew: true }),
  async count({ access }) {
    const waitMs = await slowModeWaitMs(appContext.db, userId, access)
    if (waitMs > 0) throw fail('message.too_soon', { n: Math.ceil(waitMs / SECOND_MS) })
  },
})

const typedIn = ({ kind, content, quote, looks, objectName }: SendInput): Typed =>
  kind === undefined ? readSendBody({ content, objectName }) : { kind, content, quote, looks }

/** @throws Failure forbidden, message.not_allowed (detail.why), message.muted, message.muted_endlessly */
function requireMaySend(
  access: ChannelAccess | null,
  appContext: Pick<AppContext, 'ways'>,
): asserts access is ChannelAccess {
  if (!access?.canView) throw fail('forbidden')
  const why = access.channel.type === channelType.text ? access.whyCannotSend(appContext) : 'no_permission'
  if (why) refuseSend(why, access.mutedUntil)
}

/** A message to a channel, whole except for number and time. `at`: when it was sent, ms. */
export function draftOf(
  { access: { channel }, author, quote }: InChannel,
  { kind, content, nonce, media, mentions }: Checked<ResolvedMentions>,
  at = clock.now(),
): Draft {
  const row = {
    ...mentions,
    id: ids.uuid() as MessageId,
    guild_id: channel.guild_id,
    channel_id: channel.id,
    author_id: author.id,
    kind,
    content,
    nonce,
    quote,
    attachments: media?.attachments ?? null,
    embeds: null,
    seq: 0,
    create_at: at,
    updated_at: 0,
    revision: 0,
    is_pinned: false,
  }
  const { name, type } = channel
  return { kind, now: at, event: { message: toMessage(row, author, []), channel: { name, type } } }
}

/** The message that an author sent to a channel under a nonce, deleted or not; null: none. */
export const sentUnder = rows.idOfNonce
