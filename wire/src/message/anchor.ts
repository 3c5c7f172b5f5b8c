import { type MessageId, messageId } from '../id.ts'
import { type Schema, z } from '../schema.ts'

const orAbsent = (value: unknown): unknown =>
  value === '' || value === 'null' || value === null ? undefined : value

/**
 * The message that a page of a list begins at; `null`, the text `null` and an empty text count as absent.
 * chat.md §7.
 */
export const anchor = z.optional(z.pipe(z.transform(orAbsent), z.optional(messageId))) as unknown as Schema<
  MessageId | undefined
>
