import type { BodyOf } from '@guildhall/wire/event.ts'
import type { UserId } from '@guildhall/wire/id.ts'
import { parse } from '@guildhall/wire/kmarkdown/kmarkdown.ts'
import {
  embedsAppended,
  messageDeleted,
  messagePinned,
  messageUnpinned,
  messageUpdated,
  reactionAdded,
  reactionDeleted,
} from '@guildhall/wire/message/action.ts'
import type { Emoji, Message, Reaction } from '@guildhall/wire/message/message.ts'

const kinds = [
  messageUpdated,
  messageDeleted,
  reactionAdded,
  reactionDeleted,
  messagePinned,
  messageUnpinned,
  embedsAppended,
] as const

type ChangeOf<E> = E extends { readonly name: infer Name }
  ? { readonly name: Name; readonly body: BodyOf<E> }
  : never

/** A change of a stored message, as an event delivers it. protocol.md §3.4. */
export type MessageChange = ChangeOf<(typeof kinds)[number]>

/** The change in a system event; null when it is another event, or invalid. */
export function parseChange(name: string, body: unknown): MessageChange | null {
  const kind = kinds.find((it) => it.name === name)
  const parsed = kind?.body.safeParse(body)
  return kind && parsed?.success ? ({ name: kind.name, body: parsed.data } as MessageChange) : null
}

/**
 * Applies a change; null: the message was deleted. Idempotent: a change whose revision the message already
 * has does nothing, so it may come twice, or after a newer copy of the message.
 */
export function applyChange(message: Message, change: MessageChange, me: string): Message | null {
  const { revision } = change.body
  if (revision <= message.revision) return message
  switch (change.name) {
    case 'deleted_message':
      return null
    case 'updated_message': {
      const { content, mention, mention_all, mention_here, mention_roles, updated_at } = change.body
      const { kmarkdown, quote, attachments } = change.body
      const calls = { mention, mention_all, mention_here, mention_roles }
      // The embeds belong to the old content.
      return {
        ...message,
        ...calls,
        content,
        kmarkdown,
        quote,
        attachments,
        updated_at,
        embeds: [],
        revision,
      }
    }
    case 'added_reaction': {
      const { emoji, user_id } = change.body
      return { ...message, reactions: withReaction(message.reactions, emoji, user_id === me), revision }
    }
    case 'deleted_reaction': {
      const { emoji, user_id } = change.body
      return { ...message, reactions: withoutReaction(message.reactions, emoji.id, user_id === me), revision }
    }
    case 'pinned_message':
      return { ...message, is_pinned: true, revision }
    case 'unpinned_message':
      return { ...message, is_pinned: false, revision }
    case 'embeds_append':
      return { ...message, embeds: change.body.embeds, revision }
  }
}

function withReaction(reactions: readonly Reaction[], emoji: Emoji, mine: boolean): Reaction[] {
  if (!reactions.some((it) => it.emoji.id === emoji.id)) return [...reactions, { emoji, count: 1, me: mine }]
  return reactions.map((it) =>
    it.emoji.id === emoji.id ? { ...it, count: it.count + 1, me: it.me || mine } : it,
  )
}

function withoutReaction(reactions: readonly Reaction[], id: string, mine: boolean): Reaction[] {
  return reactions
    .map((it) => (it.emoji.id === id ? { ...it, count: it.count - 1, me: it.me && !mine } : it))
    .filter((it) => it.count > 0)
}

/** An action of this user on a message. */
export type MessageAction =
  | { readonly kind: 'react' | 'unreact'; readonly emoji: Emoji }
  /** `names`: the people that the new content mentions, by id. */
  | { readonly kind: 'edit'; readonly content: string; readonly names?: Readonly<Record<string, string>> }
  | { readonly kind: 'pin' | 'unpin' }

/** Optimistic: the message as it will be after the action, whether or not it includes it already. */
export function withOptimisticAction(message: Message, doing: MessageAction): Message {
  switch (doing.kind) {
    case 'react':
    case 'unreact': {
      const mine = message.reactions.some((it) => it.me && it.emoji.id === doing.emoji.id)
      if (mine === (doing.kind === 'react')) return message
      const { emoji } = doing
      const reactions = mine
        ? withoutReaction(message.reactions, emoji.id, true)
        : withReaction(message.reactions, emoji, true)
      return { ...message, reactions }
    }
    case 'edit': {
      if (message.content === doing.content) return message
      const { kmarkdown } = message
      const fresh = Object.entries(doing.names ?? {})
        .filter(([id]) => !kmarkdown.mention_part.some((it) => it.id === id))
        .map(([id, username]) => ({ id: id as UserId, username, full_name: '', avatar: '' }))
      // The picker offers only usable emoji; the server decides in a moment.
      const emoji_part: Emoji[] = [...(kmarkdown.emoji_part ?? [])]
      parse(doing.content, {
        onLeaf(node) {
          if (node.type === 'tag' && node.tagName === 'emj' && !emoji_part.some(({ id }) => id === node.id))
            emoji_part.push({ id: node.id, name: node.name })
        },
      })
      return {
        ...message,
        content: doing.content,
        kmarkdown: { ...kmarkdown, emoji_part, mention_part: [...kmarkdown.mention_part, ...fresh] },
        updated_at: message.updated_at || message.create_at,
      }
    }
    case 'pin':
    case 'unpin':
      return { ...message, is_pinned: doing.kind === 'pin' }
  }
}
