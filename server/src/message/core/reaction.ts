/** Reactions, in any kind of conversation. protocol.md §4.7 and §4.8. */
import { fail } from '@guildhall/wire/failure.ts'
import type { MessageId, UserId } from '@guildhall/wire/id.ts'
import { emojiCharacters, readEmoji } from '@guildhall/wire/message/emoji.ts'
import { REACTIONS_MAX } from '@guildhall/wire/message/limit.ts'
import type { Emoji } from '@guildhall/wire/message/message.ts'
import { publicUser } from '@guildhall/wire/user/public.ts'
import { type EmojiLocation, usableEmoji } from '../../emoji/emoji.ts'
import { clock } from '../../kit/clock.ts'
import type { Db } from '../../kit/database/db.ts'
import { type AppContext, commit } from '../../kit/events/events.ts'
import { type Identity, identityOf } from '../../user/user.ts'
import type { Locked, Locking, Reacting } from './conversation.ts'
import { lockExisting } from './edit.ts'

/**
 * Adds a reaction; a second time nothing happens. Answers the message's revision.
 * @throws Failure message.unknown, message.emoji_unknown, message.reactions_full, emoji.elsewhere, and what
 *   the conversation refuses with
 */
export function react<L extends Locked>(
  appContext: AppContext,
  conversation: Locking<L> & Reacting<L>,
  userId: UserId,
  input: { readonly msgId: MessageId; readonly emoji: string },
): Promise<number> {
  return commit(appContext, async (tx, emit) => {
    const { id: emojiId } = emojiOf(input.emoji)
    const locked = await lockExisting(tx, conversation, userId, input.msgId)
    await conversation.requireMayReact(tx, userId, locked)
    const { id } = locked.row
    const { kinds, isThere, isMine } = await conversation.reactionState(tx, id, emojiId, userId)
    const emoji = await ownEmojiOf(tx, userId, input.emoji, {
      guildId: conversation.guildOf(locked),
      // Whoever may use it there at all may join those who did.
      kept: isThere ? [emojiId] : [],
    })
    if (isMine) return conversation.revisionOf(tx, id)
    conversation.requireMayAdd?.(locked, !isThere)
    if (!isThere && kinds >= REACTIONS_MAX) throw fail('message.reactions_full')
    return conversation.addReaction(tx, emit, locked, { userId, emoji, now: clock.now() })
  })
}

/**
 * Removes a reaction, one's own or `ofUser`'s; without one nothing happens. Answers the message's revision.
 * @throws Failure message.unknown, message.emoji_unknown, message.no_right
 */
export function unreact<L extends Locked>(
  appContext: AppContext,
  conversation: Locking<L> & Reacting<L>,
  userId: UserId,
  input: { readonly msgId: MessageId; readonly emoji: string; readonly ofUser: UserId | undefined },
): Promise<number> {
  const { id: emojiId } = emojiOf(input.emoji)
  const ofUser = input.ofUser ?? userId
  return commit(appContext, async (tx, emit) => {
    const locked = await lockExisting(tx, conversation, userId, input.msgId)
    if (ofUser !== userId && !conversation.mayRemoveReactionOf(userId, ofUser, locked))
      throw fail('message.no_right')
    const revision = await conversation.removeReaction(tx, emit, locked, { userId: ofUser, emojiId })
    return revision ?? conversation.revisionOf(tx, locked.row.id)
  })
}

/** A person who reacted, in the form of an answer. */
export const reactorOf = (
  row: Identity & {
    /** ms */
    readonly reaction_time: number
  },
  appContext: Pick<AppContext, 'presence' | 'publicUrl'>,
) => ({ ...publicUser(identityOf(row, appContext)), reaction_time: row.reaction_time })

/** Unicode knows which sequences are one emoji. */
const isEmoji = (characters: string): boolean => /^\p{RGI_Emoji}$/v.test(characters)

/**
 * The emoji of a reaction as a caller wrote it. protocol.md §4.7.
 * @throws Failure message.emoji_unknown
 */
export function emojiOf(text: string): Emoji {
  const emoji = readEmoji(text.normalize('NFC'), isEmoji)
  if (!emoji) throw fail('message.emoji_unknown')
  return emoji
}

/**
 * The same for a new reaction: a guild's emoji must be one the person may use, and has its own name.
 * @throws Failure message.emoji_unknown, emoji.elsewhere
 */
async function ownEmojiOf(db: Db, userId: UserId, text: string, location: EmojiLocation): Promise<Emoji> {
  const emoji = emojiOf(text)
  if (emojiCharacters(emoji.id) !== null) return emoji
  const usable = (await usableEmoji(db, userId, [emoji.id], location)).get(emoji.id)
  if (!usable) throw fail('message.emoji_unknown')
  return usable
}
