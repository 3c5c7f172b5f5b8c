/** Sending to a private conversation. protocol.md §4.8. */
import { UNANSWERED_MAX } from '@guildhall/wire/chat/chat.ts'
import type { PrivateMessageBody } from '@guildhall/wire/chat/event.ts'
import { event } from '@guildhall/wire/event.ts'
import { fail } from '@guildhall/wire/failure.ts'
import type { MessageId, UserId } from '@guildhall/wire/id.ts'
import type { VideoLooks } from '@guildhall/wire/message/attachment.ts'
import type { MessageKind } from '@guildhall/wire/message/kind.ts'
import { z } from '@guildhall/wire/schema.ts'
import { useFiles } from '../asset/asset.ts'
import { clock } from '../kit/clock.ts'
import type { Db } from '../kit/database/db.ts'
import { commit } from '../kit/events/events.ts'
import { ids } from '../kit/ids.ts'
import { useAttempt } from '../kit/limits/rateLimitDatabase.ts'
import { screenMessage } from '../kit/screening.ts'
import {
  type FetchPicture,
  fileOf,
  heldOf,
  type Media,
  refuseOther,
  requireSendable,
  type Said,
  storedContent,
} from '../message/message.ts'
import { type ChatTarget, codeOf, requireMayWrite, requireVerified, sideOf } from './access.ts'
import { STRANGERS_PER_PERSON } from './limit.ts'
import { noMentions, resolveMentions } from './mentions.ts'
import * as rows from './sql.ts'
import { type ChatLive, emitBoth, privateAuthorOf, quoteIn, withSignedFiles } from './wireForm.ts'

/** Its event is a message, not a system event: the gateway writes it as one. */
export const privateSent = event('message', 'person', z.custom<PrivateMessageBody>(), { access: 'none' })

/** What a caller sends to a person. */
export interface SendInput extends ChatTarget {
  readonly content: string
  /** Null for a number that names no kind. */
  readonly kind: MessageKind | null
  readonly quote?: string | undefined
  /** Of a video: cover, size and duration as its sender states them. */
  readonly looks?: VideoLooks | undefined
  /**
   * With a `kind` of media: a file that the author may show although it is not theirs, as of a message that
   * they forward.
   */
  readonly file?: Media | undefined
  readonly nonce: string
  /** The public address of the server, in front of those of files. */
  readonly origin: string
  readonly fetchPicture?: FetchPicture | undefined
  /** Staff have agreed: it is judged no more. */
  readonly isApproved?: boolean
}

/** The answer to the sender. */
export interface Sent {
  readonly id: MessageId
  /** ms */
  readonly at: number
  readonly nonce: string
}

/**
 * Sends to a person; answers after the commit. Idempotent by nonce: one that the same author used in the same
 * conversation answers with the first message; the nonce of a deleted message is refused.
 * @throws Failure chat.unknown, chat.not_allowed, chat.unanswered (detail.n), too_many, message.not_allowed
 *   (detail.why: unverified), message.empty, message.too_long, message.kind_refused, message.unknown (the
 *   quoted one), message.deleted, card.invalid (detail.at, detail.why), asset.unknown, bad_json, bad_input,
 *   content.refused, content.held, content.rejected
 */
export async function send(live: ChatLive, userId: UserId, it: SendInput): Promise<Sent> {
  const { db } = live
  const { kind, nonce, origin } = it
  const author = await requireVerified(db, userId)
  requireSendable(kind, author)
  // A repeated card may be invalid by now, its countdown being over, and its pictures are not fetched twice.
  const first = kind === 'card' && nonce ? await sentBefore(db, userId, it) : null
  if (first) return first
  const typed = await storedContent(db, userId, kind, it)
  const code = await codeOf(live, userId, it)
  const side = await sideOf(db, userId, code)
  const areFriends = await requireMayWrite(db, userId, side.id)
  if (!author.bot && !areFriends) await limitStrangers(db, userId, code, it.isApproved)
  const media = it.file ?? (await fileOf(db, userId, { kind, content: typed, origin, looks: it.looks }))
  const content = media?.content ?? typed
  const mentions = media
    ? noMentions(media.words)
    : await resolveMentions(live, userId, kind, content, [author, side])
  if (live.screening?.isOn && !it.isApproved) {
    const input = {
      kind,
      content: typed,
      quote: it.quote || undefined,
      looks: it.looks,
      file: it.file,
      origin,
    }
    const to = { place: 'private' as const, code, targetId: side.id }
    const screened = { ...heldOf(input, media ?? null), to, nonce, authorId: userId }
    const judged = await screenMessage(live.screening, screened, () =>
      firstOf(db, code, { userId, nonce, again: { kind, content } }),
    )
    if (judged.repeated) return judged.repeated
    await judged.hold?.()
  }

  return commit(live, async (tx, emit) => {
    await rows.lock(tx, code)
    const known = await firstOf(tx, code, { userId, nonce, again: { kind, content } })
    if (known) return known
    const quote = it.quote ? await quoteIn(live, tx, userId, code, it.quote) : null
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
    await useFiles(tx, { messageId: id, guildId: null, authorId: userId }, { kind, content, attachments })
    const body = { ...common, target_id: side.id, author: privateAuthorOf(author, live) }
    emitBoth(emit, userId, side.id, privateSent, withSignedFiles(live.addresses, body))
    return { id, at, nonce }
  })
}

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

/**
 * What a person sent under a nonce before; null when nothing.
 * @throws Failure message.deleted, message.nonce_used
 */
async function firstOf(
  db: Db,
  code: string,
  { userId, nonce, again }: { readonly userId: UserId; readonly nonce: string; readonly again: Said },
): Promise<Sent | null> {
  const first = await rows.byNonce(db, code, userId, nonce)
  if (first?.is_deleted) throw fail('message.deleted')
  if (first) refuseOther(first, again)
  return first && { id: first.id, at: first.create_at, nonce }
}

/** The same, in a conversation that may not exist yet. */
async function sentBefore(db: Db, userId: UserId, it: SendInput): Promise<Sent | null> {
  const code = it.code ?? (it.targetId ? await rows.between(db, userId, it.targetId) : null)
  const again = { kind: 'card' as const, content: it.content }
  return code ? firstOf(db, code, { userId, nonce: it.nonce, again }) : null
}

/** The message that an author sent under a nonce, deleted or not; null: none. */
export const sentPrivately = async (
  db: Db,
  code: string,
  userId: UserId,
  nonce: string,
): Promise<MessageId | null> => (await rows.byNonce(db, code, userId, nonce))?.id ?? null
