/** The pinned messages of a channel, for people. Bots use `listMessages` with `pin`. Ours. */
import { channelId, userId } from '../id.ts'
import { route } from '../route.ts'
import { type Out, z } from '../schema.ts'
import { message } from './message.ts'

export const pin = z.object({
  message,
  /** ms */
  pinned_at: z.number(),
  /** Who pinned it, by their current name in the guild; null when unknown. */
  pinned_by: z.nullable(z.object({ id: userId, name: z.string() })),
})
export type Pin = Out<typeof pin>

/** The pinned messages of a channel, the one pinned last first, at most `PINS_MAX`. */
export const listPins = route({
  method: 'GET',
  path: '/api/v2/channels/:id/pins',
  dialect: 'v2',
  who: 'user',
  input: z.object({ id: channelId }),
  answer: z.array(pin),
  fails: ['forbidden'],
})
