/** What happens to a message after it was sent. protocol.md §4.7 and §8.4. */
import { fail } from '@guildhall/wire/failure.ts'
import type { ChannelId, MessageId, UserId } from '@guildhall/wire/id.ts'
import {
  messageDeleted,
  messagePinned,
  messageUnpinned,
  messageUpdated,
  PINS_MAX,
  REACTIONS_MAX,
  REACTORS_MAX,
  reactionAdded,
  reactionDeleted,
} from '@guildhall/wire/message/act.ts'
import type { Message } from '@guildhall/wire/message/message.ts'
import type { Pin } from '@guildhall/wire/message/pin.ts'
import { publicAttachments, publicQuote, publicType } from '@guildhall/wire/message/public.ts'
import { canManageMessages, canReact } from '@guildhall/wire/permission/permission.ts'
import { publicUser } from '@guildhall/wire/user/public.ts'
import type { User } from '@guildhall/wire/user/user.ts'
import { mustView, type Standing, viewOf } from '../channel/channel.ts'
import { clock } from '../kit/clock.ts'
import type { Db, Tx } from '../kit/db.ts'
import { commit, type Live } from '../kit/events.ts'
import type { Presence } from '../kit/presence.ts'
import { faceOf } from '../user/user.ts'
import { cardContent, type FetchPicture } from './card.ts'
import { authoredOf, between, EDITABLE, emojiOf, ownEmojiOf, quoteOf, resolve, wordsOf } from './message.ts'
import type { Worded } from './preview.ts'
import { mustSeeIt, quietUpdate } from './ephemeral.ts'
import * as rows from './sql/message.ts'

/** What an act answers: the message's revision from now on. */
interface Done {
  readonly revision: number
}

/** A message by its id and how its channel stands to somebody; as if it were not there for who may not see it. */
async function held(
  tx: Tx,
  userId: string,
  msgId: string,
): Promise<{ row: rows.HeldRow; standing: Standing }> {
  const row = await rows.hold(tx, msgId)
  const standing = row && (await viewOf(tx, userId, row.channel_id))
  if (!row || !standing?.canView) throw fail('message.unknown')
  return { row, standing }
}

async function living(tx: Tx, userId: string, msgId: string) {
  const it = await held(tx, userId, msgId)
  if (it.row.is_deleted) throw fail('message.unknown')
  return it
}

const placeOf = (row: rows.HeldRow, standing: Standing, revision: number) => ({
  msg_id: row.id,
  channel_id: row.channel_id,
  channel_type: standing.channel.type,
  revision,
})

const isVerified = (standing: Standing): boolean => standing.whyCannotSend !== 'unverified'

/**
 * Says one's own message anew; names and mentions are worked out as when it was sent. Who may no longer send here may
 * not change what they sent. The same words again change nothing. For `targetId` alone the words are others, and the
 * message stays as it is.
 * @throws Failure message.unknown (also the quoted one), message.target_unknown, message.not_author, message.not_allowed (detail.why),
 *   message.kind_refused, message.empty, message.too_long, card.invalid (detail.at, detail.why), asset.unknown, bad_json
 */
export async function edit(
  live: Live,
  presence: Presence,
  userId: UserId,
  it: {
    readonly msgId: MessageId
    readonly content: string
    readonly quote: string | undefined
    /** The address people use, in front of those of files. */
    readonly origin: string
    readonly fetchPicture?: FetchPicture | undefined
    /** Hears of the new words once they are told. */
    readonly changed?: ((message: Worded) => void) | undefined
    readonly targetId: UserId | null
  },
): Promise<Done> {
  const { targetId } = it
  const cards = await cardsAnew(live.db, userId, it)
  const { revision, worded } = await commit(live, async (tx, emit) => {
    const { row, standing } = await living(tx, userId, it.msgId)
    if (row.author_id !== userId) throw fail('message.not_author')
    const why = standing.whyCannotSend
    if (why) throw fail('message.not_allowed', { why })
    if (!EDITABLE.has(row.kind)) throw fail('message.kind_refused')
    const content = row.kind === 'card' ? cards : wordsOf(it.content, row.kind)
    // It was theirs to change a moment later only.
    if (content === null) throw fail('message.unknown')

    const quotedBefore = (row.quote as { id: string } | null)?.id ?? ''
    const keepsQuote = it.quote === undefined || it.quote === quotedBefore
    if (targetId) await mustSeeIt(tx, targetId, row.channel_id)
    if (!targetId && content === row.content && keepsQuote)
      return { revision: await rows.revisionOf(tx, row.id), worded: null }
    const quote = keepsQuote
      ? row.quote
      : it.quote
        ? await quoteOf(tx, presence, userId, row.channel_id, it.quote)
        : null

    const resolved = await resolve(tx, userId, standing, row.kind, content)
    const now = clock.now()
    const revision = targetId
      ? await rows.revisionOf(tx, row.id)
      : await rows.change(tx, row, { ...resolved, content, quote, now })
    const body = {
      ...placeOf(row, standing, revision),
      ...resolved,
      content,
      updated_at: now,
      quote: quote ?? null,
      attachments: null,
    }
    if (targetId) {
      const kept = { ...row, target_id: targetId, cards: content, at: now }
      if (row.kind === 'card') await rows.keepQuietView(tx, kept)
      const shown = { ...body, visible_only: targetId }
      emit.person(targetId, quietUpdate, { guild_id: row.guild_id, body: shown })
      return { revision, worded: null }
    }
    emit.guild(row.guild_id, messageUpdated, body, row.channel_id)
    return { revision, worded: { id: row.id, kind: row.kind, authorId: userId, content } }
  })
  if (worded) it.changed?.(worded)
  return { revision }
}

/** New cards of one's own message, ready to be stored; null when it has none that this person may change now. */
async function cardsAnew(
  db: Db,
  userId: UserId,
  it: Parameters<typeof cardContent>[2] & { readonly msgId: MessageId },
): Promise<string | null> {
  const place = await rows.ownPlace(db, userId, it.msgId)
  if (place?.kind !== 'card') return null
  const standing = await viewOf(db, userId, place.channel_id)
  if (!standing?.canView || standing.whyCannotSend) return null
  return cardContent(db, userId, it)
}

/**
 * Removes a message for everybody. Its row stays without its words, so that a late repeat of the send finds it.
 * @throws Failure message.unknown, message.no_right
 */
export function remove(live: Live, userId: UserId, msgId: MessageId): Promise<void> {
  return commit(live, async (tx, emit) => {
    const { row, standing } = await held(tx, userId, msgId)
    if (row.author_id !== userId && !canManageMessages(standing.permissions)) throw fail('message.no_right')
    if (row.is_deleted) return

    const revision = await rows.remove(tx, row, clock.now())
    const body = { ...placeOf(row, standing, revision), seq: row.seq }
    emit.guild(row.guild_id, messageDeleted, body, row.channel_id)
  })
}

/**
 * Reacts; a second time nothing happens.
 * @throws Failure message.unknown, message.emoji_unknown, message.not_allowed (detail.why: unverified),
 *   message.no_right, message.reactions_full
 */
export function react(
  live: Live,
  userId: UserId,
  it: { readonly msgId: MessageId; readonly emoji: string },
): Promise<Done> {
  return commit(live, async (tx, emit) => {
    const emoji = await ownEmojiOf(tx, userId, it.emoji)
    const { row, standing } = await living(tx, userId, it.msgId)
    if (!isVerified(standing)) throw fail('message.not_allowed', { why: 'unverified' })
    const { kinds, isThere, isMine } = await rows.reactionsOn(tx, row.id, emoji.id, userId)
    if (isMine) return { revision: await rows.revisionOf(tx, row.id) }
    const view = { mobile_verified: true, permissions: standing.permissions }
    if (!canReact(view, !isThere)) throw fail('message.no_right')
    if (!isThere && kinds >= REACTIONS_MAX) throw fail('message.reactions_full')

    const revision = await rows.react(tx, { id: row.id, emoji, userId, now: clock.now() })
    const body = { ...placeOf(row, standing, revision), user_id: userId, emoji }
    emit.guild(row.guild_id, reactionAdded, body, row.channel_id)
    return { revision }
  })
}

/**
 * Takes a reaction back, one's own or `ofUser`'s. When there is none nothing happens.
 * @throws Failure message.unknown, message.emoji_unknown, message.no_right
 */
export function unreact(
  live: Live,
  userId: UserId,
  it: { readonly msgId: MessageId; readonly emoji: string; readonly ofUser: UserId | undefined },
): Promise<Done> {
  const emoji = emojiOf(it.emoji)
  const whose = it.ofUser ?? userId
  return commit(live, async (tx, emit) => {
    const { row, standing } = await living(tx, userId, it.msgId)
    if (whose !== userId && !canManageMessages(standing.permissions)) throw fail('message.no_right')
    const taken = await rows.unreact(tx, row.id, emoji.id, whose)
    if (!taken) return { revision: await rows.revisionOf(tx, row.id) }

    const { revision, name } = taken
    const body = { ...placeOf(row, standing, revision), user_id: whose, emoji: { id: emoji.id, name } }
    emit.guild(row.guild_id, reactionDeleted, body, row.channel_id)
    return { revision }
  })
}

/**
 * Who reacted with an emoji, the first ones first; may be empty.
 * @throws Failure message.unknown, message.emoji_unknown
 */
export async function reactors(
  db: Db,
  presence: Presence,
  userId: UserId,
  it: { readonly msgId: MessageId; readonly emoji: string },
): Promise<(User & { reaction_time: number })[]> {
  const emoji = emojiOf(it.emoji)
  await mustSee(db, userId, it.msgId)
  const found = await rows.reactors(db, it.msgId, emoji.id, REACTORS_MAX)
  return found.map((row) => ({ ...publicUser(faceOf(row, presence)), reaction_time: row.reaction_time }))
}

async function mustSee(db: Db, userId: string, msgId: string): Promise<ChannelId> {
  const place = await rows.placeOf(db, msgId)
  const standing = place && (await viewOf(db, userId, place.channel_id))
  if (!place || !standing?.canView) throw fail('message.unknown')
  return place.channel_id
}

/**
 * Pins a message of a channel or, with `on` false, unpins it. As it is already: nothing happens.
 * @throws Failure message.unknown (also one of another channel), message.no_right, message.pins_full
 */
export function pin(
  live: Live,
  userId: UserId,
  it: { readonly channelId: ChannelId; readonly msgId: MessageId; readonly on: boolean },
): Promise<Done> {
  return commit(live, async (tx, emit) => {
    const { row, standing } = await living(tx, userId, it.msgId)
    if (row.channel_id !== it.channelId) throw fail('message.unknown')
    if (!canManageMessages(standing.permissions)) throw fail('message.no_right')
    if (row.is_pinned === it.on) return { revision: await rows.revisionOf(tx, row.id) }

    const now = it.on ? clock.now() : 0
    const revision = await rows.pin(tx, row, { now, by: userId, most: PINS_MAX })
    if (revision === null) throw fail('message.pins_full')
    const body = { ...placeOf(row, standing, revision), operator_id: userId }
    emit.guild(row.guild_id, it.on ? messagePinned : messageUnpinned, body, row.channel_id)
    return { revision }
  })
}

/**
 * What is pinned in a channel, the one pinned last first.
 * @throws Failure forbidden
 */
export async function pins(db: Db, presence: Presence, userId: UserId, channelId: ChannelId): Promise<Pin[]> {
  await mustView(db, userId, channelId)
  const found = await rows.pinned(db, userId, channelId, PINS_MAX)
  const byId = new Map((await rows.pinnings(db, channelId)).map((it) => [it.id, it]))
  return found.toReversed().flatMap((row) => {
    const pinned = byId.get(row.id)
    // It was unpinned between the two questions.
    if (!pinned) return []
    const { at, by, name } = pinned
    return [
      { message: authoredOf(row, presence), pinned_at: at, pinned_by: by === null ? null : { id: by, name } },
    ]
  })
}

/** A message as v3 calls answer it. protocol.md §5.5. */
function listed(row: rows.AuthoredRow, presence: Presence, userId: string) {
  const message: Message = authoredOf(row, presence)
  return {
    ...message,
    type: publicType(message.type),
    author: publicUser(message.author),
    quote: publicQuote(message.quote),
    attachments: publicAttachments(message.attachments),
    mention_info: message.kmarkdown,
    editable: row.author_id === userId && EDITABLE.has(row.kind),
  }
}

/**
 * Messages of a channel, oldest first. protocol.md §4.7.
 * @throws Failure forbidden, message.unknown (no such anchor in this channel)
 */
export async function list(
  db: Db,
  presence: Presence,
  userId: UserId,
  it: {
    readonly channelId: ChannelId
    readonly anchor: string | undefined
    readonly flag: 'before' | 'around' | 'after'
    readonly pin: boolean
    readonly limit: number
  },
) {
  await mustView(db, userId, it.channelId)
  const found = it.pin ? await rows.pinned(db, userId, it.channelId, it.limit) : await between(db, userId, it)
  return found.map((row) => listed(row, presence, userId))
}

/**
 * One message.
 * @throws Failure message.unknown
 */
export async function view(db: Db, presence: Presence, userId: UserId, msgId: MessageId) {
  const row = await rows.byId(db, userId, await mustSee(db, userId, msgId), msgId)
  if (!row) throw fail('message.unknown')
  return listed(row, presence, userId)
}
