/** Why a message waits for staff, as they read it. Decision 82. */
import { type Out, z } from '../schema.ts'

/**
 * Why something was held: a word, what the service says, a picture of which the service is not sure, or that
 * it did not answer.
 */
export const HELD_WHYS = ['word', 'service', 'picture', 'unanswered'] as const
export const heldWhy = z.object({ kind: z.enum(HELD_WHYS), text: z.string() })
export type HeldWhy = Out<typeof heldWhy>
