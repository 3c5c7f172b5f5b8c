/** Sending to a private conversation. protocol.md §4.8. */
import { UNANSWERED_MAX } from '@guildhall/wire/chat/chat.ts'
import type { PrivateMessageBody } from '@guildhall/wire/chat/event.ts'
import { event } from '@guildhall/wire/event.ts'
import { fail } from '@guildhall/wire/failure.ts'
import type { MessageId, UserId } from '@guildhall/wire/id.ts'
import { z } from '@guildhall/wire/schema.ts'
import { useFiles } from '../asset/asset.ts'
import { clock } from '../kit/clock.ts'
import type { Db } from '../kit/database/db.ts'
import { commit } from '../kit/events/events.ts'
import { ids } from '../kit/ids.ts'
import { useAttempt } from '../kit/limits/rateLimitDatabase.ts'
import {
  type Checked,
  type Destination,
  fileOf,
  refuseOther,
  type Sender,
  type SendOptions,
  sendTo,
  type Typed,
} from '../message/message.ts'
import { type ChatTarget, codeOf, requireMayWrite, requireVerified, sideOf } from './access.ts'
import { STRANGERS_PER_PERSON } from './limit.ts'
import { noMentions, type PrivateMentions, resolveMentions } from './mentions.ts'
import * as rows from './sql.ts'
import { type ChatContext, emitBoth, privateAuthorOf, quoteIn, withSignedFiles } from './wireForm.ts'

/** Its event is a message, not a system event: the gateway writes it as one. */
export const privateSent = event('message', 'person', z.custom<PrivateMessageBody>(), { access: 'none' })

/** What a caller sends to a person. */
export interface SendInput extends ChatTarget, Typed, SendOptions {
  readonly origin: string
}

/** The answer to the sender. */
export interface Sent {
  readonly id: MessageId
  /** ms */
  readonly at: number
  readonly nonce: string
}

interface PrivateSender extends Sender {
  readonly author: Awaited<ReturnType<typeof requireVerified>>
}

/** The author in the conversation, and the other person. */
interface InChat extends PrivateSender {
  readonly code: string
  readonly side: rows.SideRow
}

/**
 * Sends to a person; answers after the commit. Idempotent by nonce.
 * @throws Failure as `sendTo` does, and chat.unknown, chat.not_allowed, chat.unanswered (detail.n), too_many,
 *   message.not_allowed (detail.why: unverified), message.unknown (the quoted one), bad_input
 */
export const send = (appContext: ChatContext, userId: UserId, input: SendInput): Promise<Sent> =>
  sendTo(appContext, userId, chatDestination(appContext, userId, input), input)

/** A private conversation as the destination of a message of one of the two. */
const chatDestination = (
  appContext: ChatContext,
  userId: UserId,
  input: SendInput,
): Destination<PrivateSender, InChat, PrivateMentions, Sent> => ({
  sender: async () => ({ author: await requireVerified(appContext.db, appContext, userId), typed: input }),
  async sentBefore(said) {
    // There may be no conversation yet.
    const code =
      input.code ?? (input.targetId ? await rows.between(appContext.db, userId, input.targetId) : null)
    const first = code ? await rows.byNonce(appContext.db, code, userId, input.nonce) : null
    if (first?.is_deleted) throw fail('message.deleted')
    if (first) refuseOther(first, said)
    return first && { id: first.id, at: first.create_at, nonce: input.nonce }
  },
  async enter(sender) {
    const code = await codeOf(appContext, userId, input)
    const side = await sideOf(appContext.db, userId, code)
    const areFriends = await requireMayWrite(appContext.db, userId, side.id)
    if (!sender.author.bot && !areFriends) await limitStrangers(appContext.db, userId, code, input.isApproved)
    return { ...sender, code, side }
  },
  media: async (_at, said, { looks }) =>
    input.file ?? fileOf(appContext.db, userId, { ...said, origin: input.origin, looks }),
  mentions: ({ author, side }, { kind, content }) =>
    resolveMentions(appContext, userId, kind, content, [author, side]),
  noMentions,
  heldTarget: ({ code, side }) => ({ target: 'private', code, targetId: side.id }),
  inOrder: (ready) => ready,
  store: (at, checked) => storePrivate(appContext, userId, at, checked),
})

const storePrivate = (
  appContext: ChatContext,
  userId: UserId,
  { author, code, side, typed }: InChat,
  { media, mentions, kind, content, nonce }: Checked<PrivateMentions>,
): Promise<Sent | null> =>
  commit(appContext, async (tx, emit) => {
    await rows.lock(tx, code)
    if (await rows.byNonce(tx, code, userId, nonce)) return null
    const quote = typed.quote ? await quoteIn(appContext, tx, userId, code, typed.quote) : null
    const { seq, at } = await rows.next(tx, code, clock.now())
    const id = ids.uuid() as MessageId
    const attachments = media?.attachments ?? null
    const common = {
      id,
      chat_code: code,
      kind,
      content,
      nonce,
      seq,
      create_at: at,
      quote,
      attachments,
      ...mentions,
    }
    await rows.add(tx, { ...common, author_id: userId })
    await useFiles(
      tx,
      { messageId: id, guildId: null, channelId: null, authorId: userId },
      { kind, content, attachments },
    )
    const body = { ...common, target_id: side.id, author: privateAuthorOf(author, appContext) }
    emitBoth(emit, userId, side.id, privateSent, withSignedFiles(appContext.addresses, body))
    return { id, at, nonce }
  })

/**
 * Bounds what a person sends to somebody who has never answered, and how many such conversations they begin
 * in a day.
 * @throws Failure chat.unanswered (detail.n: messages), too_many
 */
async function limitStrangers(db: Db, userId: UserId, code: string, wasCounted = false): Promise<void> {
  const { mine, theirs } = await rows.firstMessages(db, code, userId, UNANSWERED_MAX + 1)
  if (theirs > 0) return
  if (mine >= UNANSWERED_MAX) throw fail('chat.unanswered', { n: UNANSWERED_MAX })
  if (mine === 0 && !wasCounted) await useAttempt(db, STRANGERS_PER_PERSON, userId)
}

/** The message that an author sent under a nonce, deleted or not; null: none. */
export const sentPrivately = async (
  db: Db,
  code: string,
  userId: UserId,
  nonce: string,
): Promise<MessageId | null> => (await rows.byNonce(db, code, userId, nonce))?.id ?? null
