/** Quotes: the copy of a message inside a reply to it. protocol.md §5.6. */
import { type Out, z } from '../schema.ts'
import { type Message, namesPart } from './message.ts'

export const quote = z.looseObject({
  id: z.string(),
  /** In the numbers of the message around it. */
  type: z.number(),
  /** Empty when the quoted message was removed. */
  content: z.string(),
  author: z.looseObject({
    id: z.string(),
    username: z.string(),
    nickname: z.optional(z.nullable(z.string())),
  }),
  /** False: the quoted message was deleted, so there is nothing to jump to. */
  can_jump: z._default(z.boolean(), true),
  /** The names of the ids in its content, as they were when it was sent. Absent: there are none. Ours. */
  kmarkdown: z.optional(namesPart),
})
export type Quote = Out<typeof quote>

/** The quote of a message; null when there is none, or it is invalid. Never throws. */
export function quoteIn(message: { readonly quote: unknown }): Quote | null {
  if (!message.quote) return null
  const read = quote.safeParse(message.quote)
  return read.success ? read.data : null
}

/**
 * The message without the content of its quote when the quoted message is one of the `gone`; else unchanged.
 */
export function withoutQuoted(message: Message, gone: (id: string) => boolean): Message {
  if (!message.quote) return message
  const quoted = quoteIn(message)
  if (!quoted?.can_jump || !gone(quoted.id)) return message
  const { kmarkdown: _, ...rest } = quoted
  return { ...message, quote: { ...rest, content: '', can_jump: false } }
}
