import type { Out, Schema } from './schema.ts'

/**
 * A system event (type 255): its name in `extra.type` and the shape of `extra.body`. protocol.md §3.4.
 * `to` says who receives it: members who may view the channel, the whole guild, or one person.
 */
export interface EventKind<Name extends string = string, B extends Schema = Schema> {
  readonly name: Name
  readonly to: 'channel' | 'guild' | 'person'
  readonly body: B
}

export type BodyOf<E> = E extends EventKind<string, infer B> ? Out<B> : never

/** Declares an event of a noun. */
/* @__NO_SIDE_EFFECTS__ */
export const event = <Name extends string, B extends Schema>(
  name: Name,
  to: EventKind['to'],
  body: B,
): EventKind<Name, B> => ({ name, to, body })
