import type { FailureName } from './failure.ts'
import type { Out, Schema } from './schema.ts'
import type { StaffRight } from './staff/rights.ts'

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'
/**
 * v2 answers bare data and reports errors by HTTP status; v3 wraps both in `{code, message, data}`.
 * protocol.md §9.1.
 */
export type Dialect = 'v2' | 'v3'
/**
 * `anyone` needs no session (one is read if sent); `user` needs a valid one; `person` needs one that is no
 * bot's, as a bot belongs to its operator; `staff` needs a session of the staff console and the route's
 * right.
 */
export type Who = 'anyone' | 'user' | 'person' | 'staff'

/**
 * A call of the contract. Server and page parse with the same schemas. `input` merges path parameters
 * (`:id`), query and body, in that precedence.
 */
export interface Route<I extends Schema = Schema, A extends Schema = Schema> {
  readonly method: Method
  readonly path: `/api/${string}`
  readonly dialect: Dialect
  readonly who: Who
  /**
   * Of a route for `staff`: the right its caller must hold; `any`: any one. Without it the call is refused
   * with forbidden.
   */
  readonly right?: StaffRight | 'any'
  readonly input: I
  readonly answer: A
  /** The body is a multipart form with a file in this field; `input` is read from the other fields. */
  readonly form?: 'file' | 'emoji'
  /** The failures it can answer with, besides those of the framework. */
  readonly fails: readonly FailureName[]
}

export type InputOf<R> = R extends Route<infer I, Schema> ? Out<I> : never
export type AnswerOf<R> = R extends Route<Schema, infer A> ? Out<A> : never

/** Declares a call. Keeps the schema types, so that `InputOf` and `AnswerOf` work. */
/* @__NO_SIDE_EFFECTS__ */
export const route = <I extends Schema, A extends Schema>(input: Route<I, A>): Route<I, A> => input

/** The names of the path parameters, in order: `/api/v2/guilds/:id` → `['id']`. */
export const pathParams = (path: string): string[] => [...path.matchAll(/:(\w+)/g)].map((match) => match[1]!)
