/** What stands inside a message that answers another: the other as it was then. protocol.md §5.6. */
import { type Out, z } from '../schema.ts'
import type { Message } from './message.ts'

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
  /** False: there is nothing to jump to, for it was removed. */
  can_jump: z._default(z.boolean(), true),
})
export type Quote = Out<typeof quote>

/** What a message answers; null when nothing, or nothing that can be read. Never throws. */
export function quoteIn(message: { readonly quote: unknown }): Quote | null {
  if (!message.quote) return null
  const read = quote.safeParse(message.quote)
  return read.success ? read.data : null
}

/** The message with what it answers taken out of it, when that is one of the `gone`; else itself. */
export function withoutQuoted(message: Message, gone: (id: string) => boolean): Message {
  if (!message.quote) return message
  const quoted = quoteIn(message)
  if (!quoted?.can_jump || !gone(quoted.id)) return message
  return { ...message, quote: { ...quoted, content: '', can_jump: false } }
}
