/**
 * What is said to one person alone, as their page keeps it: in memory, beside the messages of the room and never among
 * them, so that no page of history and no lost line touches it. decision 27.
 */
import type { BodyOf } from '@guildhall/wire/event.ts'
import type { messageUpdated } from '@guildhall/wire/message/act.ts'
import type { Message } from '@guildhall/wire/message/message.ts'

export interface EphemeralMessage {
  /** Its `seq` is that of the guild's last event before it: it stands after the message of that number. */
  readonly message: Message
  /** Whom it is for; its author has it too. */
  readonly to: string
}

/** Other words that the reader alone is shown in place of a message's. */
export type EphemeralEdit = BodyOf<typeof messageUpdated>

/** So many of each are kept of a room, the newest. */
export const EPHEMERAL_MAX = 100

const isBefore = (a: Message, b: Message): boolean =>
  a.seq !== b.seq ? a.seq < b.seq : a.create_at !== b.create_at ? a.create_at < b.create_at : a.id < b.id

/** In its place among the others, whatever came first; a second time it changes nothing. */
export function withEphemeral(
  all: readonly EphemeralMessage[],
  it: EphemeralMessage,
): readonly EphemeralMessage[] {
  if (all.some(({ message }) => message.id === it.message.id)) return all
  const at = all.findIndex(({ message }) => isBefore(it.message, message))
  const next = at < 0 ? [...all, it] : [...all.slice(0, at), it, ...all.slice(at)]
  return next.slice(-EPHEMERAL_MAX)
}

/** The last view of a message counts. */
export function withEphemeralEdit(
  all: ReadonlyMap<string, EphemeralEdit>,
  view: EphemeralEdit,
): ReadonlyMap<string, EphemeralEdit> {
  const known = all.get(view.msg_id)
  if (known && known.updated_at >= view.updated_at) return all
  const rest = [...all].filter(([id]) => id !== view.msg_id).slice(1 - EPHEMERAL_MAX)
  return new Map([...rest, [view.msg_id, view]])
}

/** What the reader is shown in place of a message's words; null once these were changed later. */
export function ephemeralEditOf(
  all: ReadonlyMap<string, EphemeralEdit>,
  message: Message,
): EphemeralEdit | null {
  const view = all.get(message.id)
  return view && message.updated_at <= view.updated_at ? view : null
}

/** A row that is drawn again for nothing costs: the same view of the same message is the same object. */
const drawn = new WeakMap<EphemeralEdit, { readonly of: Message; readonly as: Message }>()

/** A message as its reader is shown it. */
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
