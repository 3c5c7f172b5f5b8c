/**
 * Ephemeral messages and edits: shown to one person, kept in memory only. They are not part of the room's
 * messages, so neither history pages nor a lost connection affect them. Decision 27.
 */
import type { BodyOf } from '@guildhall/wire/event.ts'
import type { messageUpdated } from '@guildhall/wire/message/action.ts'
import type { Message } from '@guildhall/wire/message/message.ts'

export interface EphemeralMessage {
  /** Its `seq` is that of the guild's last event before it: it is shown after the message of that number. */
  readonly message: Message
  /** The recipient's user id; its author receives it too. */
  readonly to: string
}

/** Other content that only the reader sees in place of a message's. */
export type EphemeralEdit = BodyOf<typeof messageUpdated>

/** Ephemeral messages, and edits, kept per room; the newest stay. */
export const EPHEMERAL_MAX = 100

const isBefore = (a: Message, b: Message): boolean =>
  a.seq !== b.seq ? a.seq < b.seq : a.create_at !== b.create_at ? a.create_at < b.create_at : a.id < b.id

/** Inserted in order; a message that is there already changes nothing. */
export function withEphemeral(
  all: readonly EphemeralMessage[],
  it: EphemeralMessage,
): readonly EphemeralMessage[] {
  if (all.some(({ message }) => message.id === it.message.id)) return all
  const at = all.findIndex(({ message }) => isBefore(it.message, message))
  const next = at < 0 ? [...all, it] : [...all.slice(0, at), it, ...all.slice(at)]
  return next.slice(-EPHEMERAL_MAX)
}

/** The newest edit of a message stays. */
export function withEphemeralEdit(
  all: ReadonlyMap<string, EphemeralEdit>,
  view: EphemeralEdit,
): ReadonlyMap<string, EphemeralEdit> {
  const known = all.get(view.msg_id)
  if (known && known.updated_at >= view.updated_at) return all
  const rest = [...all].filter(([id]) => id !== view.msg_id).slice(1 - EPHEMERAL_MAX)
  return new Map([...rest, [view.msg_id, view]])
}

/** The ephemeral edit of a message; null: none, or the message was edited later for everybody. */
export function ephemeralEditOf(
  all: ReadonlyMap<string, EphemeralEdit>,
  message: Message,
): EphemeralEdit | null {
  const view = all.get(message.id)
  return view && message.updated_at <= view.updated_at ? view : null
}

/** Memoized, so that an unchanged message is not rendered again. */
const drawn = new WeakMap<EphemeralEdit, { readonly of: Message; readonly as: Message }>()

/** A message with its ephemeral edit applied. */
export function withEphemeralContent(all: ReadonlyMap<string, EphemeralEdit>, message: Message): Message {
  const view = ephemeralEditOf(all, message)
  if (!view) return message
  const known = drawn.get(view)
  if (known?.of === message) return known.as
  const { content, kmarkdown, quote, attachments } = view
  const { mention, mention_all, mention_here, mention_roles } = view
  const calls = { mention, mention_all, mention_here, mention_roles }
  const as = { ...message, ...calls, content, kmarkdown, quote, attachments }
  drawn.set(view, { of: message, as })
  return as
}
