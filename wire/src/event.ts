import type { Out, Schema } from './schema.ts'

/**
 * What an event changes of access, which is who may see a guild's channels and do what in them: permissions
 * in the whole guild, or those of one person, whom its body names by `user_id`. Caches of rights follow it: a
 * wrong one shows people what they may not see any more.
 */
export type AccessChange = 'guild' | 'member' | 'none'

/** What the server needs to know of an event. */
interface EventTraits {
  readonly access: AccessChange
  /**
   * `pages`: the public protocol has no such event, and connections that speak it do not receive it.
   * protocol.md §9.4.
   */
  readonly dialects?: 'all' | 'pages'
  /**
   * Of those who would receive it, whom their permissions allow it: those in its channel, or in the guild.
   * Absent: all of them.
   */
  readonly isFor?: (permissions: number) => boolean
}

/**
 * A system event (type 255): its name in `extra.type` and the shape of `extra.body`. protocol.md §3.4.
 * `to` says who receives it: members who may view the channel, the whole guild, or one person.
 */
export interface EventKind<Name extends string = string, B extends Schema = Schema> extends EventTraits {
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
  traits: EventTraits,
): EventKind<Name, B> => ({ name, to, body, ...traits })
