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
} from '@guildhall/wire/message/act.ts'
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

/** Something that happened to a message after it was sent, as the line tells it. protocol.md §3.4. */
export type MessageChange = ChangeOf<(typeof kinds)[number]>

/** The change inside a system event; null when the event is something else, or not what the contract says. */
export function parseChange(name: string, body: unknown): MessageChange | null {
  const kind = kinds.find((it) => it.name === name)
  const parsed = kind?.body.safeParse(body)
  return kind && parsed?.success ? ({ name: kind.name, body: parsed.data } as MessageChange) : null
}

/**
 * A message with a change in it; null when that took it away. A change that it has already, being of a revision it is
 * past, leaves it as it is, so a change may come twice and after a newer copy of the message.
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
      // What was shown of the addresses in the old words goes with them.
      return {
        ...{ ...message, ...calls, content, kmarkdown, quote, attachments, updated_at },
        ...{ embeds: [], revision },
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

/** What a person does to a message. */
export type MessageAction =
  | { readonly kind: 'react' | 'unreact'; readonly emoji: Emoji }
  /** `names`: whom the new words call on, by id. */
  | { readonly kind: 'edit'; readonly content: string; readonly names?: Readonly<Record<string, string>> }
  | { readonly kind: 'pin' | 'unpin' }

/** A message as it will be once what its reader does is done, whether that has come back already or not. */
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
      // What one could pick one may use; the server has the last word in a moment.
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
