/**
 * The port between the rules that all messages share and the kind of conversation: a guild channel, a private
 * chat.
 */
import type { GuildId, MessageId, UserId } from '@guildhall/wire/id.ts'
import type { MessageKind } from '@guildhall/wire/message/kind.ts'
import type { Emoji } from '@guildhall/wire/message/message.ts'
import type { Db, Tx } from '../../kit/database/db.ts'
import type { Emit } from '../../kit/events/events.ts'
import type { Stopped } from '../../kit/moderation.ts'

/** What the rules need to know of a stored message. */
export interface StoredMessage {
  readonly id: MessageId
  readonly author_id: UserId
  readonly kind: MessageKind
  readonly content: string
  /** The quoted message as stored in this one; null without. */
  readonly quote: unknown
  readonly is_deleted: boolean
}

/**
 * A message locked until the transaction ends. A conversation adds what else it knows: the caller's access,
 * the partner.
 */
export interface Locked {
  readonly row: StoredMessage
}

/** New content of a message, ready to be stored. */
export interface NewContent<Mentions> {
  readonly content: string
  readonly mentions: Mentions
  readonly quote: unknown
  /** ms */
  readonly now: number
}

/** The reactions on a message, seen from one emoji and one person. */
export interface ReactionState {
  /** Different emoji on the message. */
  readonly kinds: number
  /** Somebody has reacted with this emoji. */
  readonly isThere: boolean
  /** The person has. */
  readonly isMine: boolean
}

export interface ReactionChange {
  readonly userId: UserId
  readonly emoji: Emoji
}

/** How a message of a conversation is found and locked. */
export interface Locking<L extends Locked> {
  /** Where its messages are shown. */
  readonly target: 'channel' | 'private'
  /** Locks a message, deleted or not; null for a person who may not view it. */
  lock(tx: Tx, userId: UserId, msgId: MessageId): Promise<L | null>
  revisionOf(tx: Tx, id: MessageId): Promise<number>
  /** The guild of a message; null in a private chat. */
  guildOf(locked: L): GuildId | null
}

/** How a message is edited. `Mentions`: those that are stored with it. */
export interface Editing<L extends Locked, Mentions> {
  /**
   * Whether the id is of the caller's own card message that they may edit now. Asked before a transaction.
   */
  mayEditCard(db: Db, userId: UserId, msgId: MessageId): Promise<boolean>
  /** @throws Failure when the author may not write here now */
  requireMayWrite(tx: Tx, userId: UserId, locked: L): Promise<void>
  /** A further condition of an edit, once its content is valid. */
  requireMayEdit?(tx: Tx, locked: L): Promise<void>
  /** What the rules of the guild say of an edit; null: it passes. Absent: there are none. */
  stopped?(locked: L, content: string, mentions: Mentions): Promise<Stopped | null>
  /** Whether an unchanged quote that an edit names again must still exist. */
  readonly checksKeptQuote: boolean
  /** Whether an edit to the same content and quote is stored and published like any other. */
  readonly appliesUnchanged: boolean
  resolveMentions(tx: Tx, userId: UserId, locked: L, content: string, origin: string): Promise<Mentions>
  /** @throws Failure message.unknown, when the conversation has no such message */
  quote(tx: Tx, userId: UserId, locked: L, id: string): Promise<object>
  /** Stores an edit and emits its event; returns the message's revision. */
  applyEdit(tx: Tx, emit: Emit, locked: L, to: NewContent<Mentions>): Promise<number>
}

/** How a message is deleted. */
export interface Deleting<L extends Locked> {
  /** @throws Failure when the caller may not delete this message */
  requireMayDelete(userId: UserId, locked: L): void
  /**
   * Deletes the message and emits its event. The row stays without its content, so that a repeated send finds
   * it.
   */
  applyDelete(tx: Tx, emit: Emit, userId: UserId, locked: L, now: number): Promise<void>
}

/** How people react to a message. */
export interface Reacting<L extends Locked> {
  /** @throws Failure when the caller may not react here now */
  requireMayReact(tx: Tx, userId: UserId, locked: L): Promise<void>
  /** @throws Failure when the caller may not add this reaction; `isNew`: nobody has reacted with its emoji */
  requireMayAdd?(locked: L, isNew: boolean): void
  reactionState(tx: Tx, id: MessageId, emojiId: string, userId: UserId): Promise<ReactionState>
  /** Stores a reaction and emits its event; returns the message's revision. */
  addReaction(
    tx: Tx,
    emit: Emit,
    locked: L,
    change: ReactionChange & { readonly now: number },
  ): Promise<number>
  mayRemoveReactionOf(userId: UserId, ofUser: UserId, locked: L): boolean
  /** Removes a reaction and emits its event; returns the message's revision, or null when there was none. */
  removeReaction(
    tx: Tx,
    emit: Emit,
    locked: L,
    removed: { readonly userId: UserId; readonly emojiId: string },
  ): Promise<number | null>
}

/**
 * Permissions, tables and events of one kind of conversation. Its methods run inside the transaction of the
 * rule that calls them; their events are published after the commit. `L`: a locked message.
 */
export interface Conversation<L extends Locked, Mentions>
  extends Locking<L>,
    Editing<L, Mentions>,
    Deleting<L>,
    Reacting<L> {}
