/** Bindings: each joins a route of the contract to the function that answers it. */
import { type Failure, fail } from '@guildhall/wire/failure.ts'
import type { UserId } from '@guildhall/wire/id.ts'
import type { Locale } from '@guildhall/wire/locale.ts'
import type { AnswerOf, InputOf, Route, Who } from '@guildhall/wire/route.ts'
import type { Received } from '../files/spool.ts'

/** The caller of a request, authenticated by a session. */
export interface Caller {
  readonly userId: UserId
  /**
   * A bot of the public protocol. It authenticates by `Authorization: Bot TOKEN` and calls v3 only.
   * protocol.md §1.2.
   */
  readonly isBot: boolean
  readonly sessionId: string
  /** A session of the staff console: elsewhere it is nobody's. */
  readonly isConsole?: boolean
  /** The token the request carried. */
  readonly token: string
}

/** What is known of every request. */
export interface RequestContext {
  readonly locale: Locale
  /** The client's network: its IPv4 address or its IPv6 /64. Rate limits count by it. */
  readonly network: string
  /** The client's address. */
  readonly ip: string
  /** The public address of the server, without a trailing slash. */
  readonly origin: string
  /** The User-Agent header, cut to 512 characters; empty without one. */
  readonly agent: string
  /** The page that made the request, by its Referer header; absent without one. */
  readonly referer?: string | undefined
  /** What the client says of where its user comes from, 0 to 6; null: nothing. `wire/src/auth/source.ts`. */
  readonly clientSource: number | null
  /** A cookie that the client sent; null without. */
  readonly cookie: (name: string) => string | null
}

/** What a bound function knows of a request beside its input. */
export interface Context<C extends Caller | null = Caller | null> extends RequestContext {
  readonly caller: C
}

/**
 * A route with its function. Made by `bind`, `bindUser`, `bindStaff` and `bindUpload`, brought by
 * `<noun>/module.ts`.
 */
export interface Binding {
  readonly route: Route
  readonly run: (context: Context, input: unknown, file: Received | null) => Promise<unknown>
  /** For an upload: the largest file this caller may send now, bytes. Asked before the body is read. */
  readonly admit?: (context: Context) => Promise<number>
  /** The refusal of a larger file; by default `asset.too_large`. */
  readonly tooLarge?: (maxBytes: number) => Failure
}

/** Binds a route that anyone may call; `caller` is null for guests and for tokens that are not valid. */
export function bind<R extends Route>(
  route: R,
  run: (context: Context, input: InputOf<R>) => Promise<AnswerOf<R>>,
): Binding {
  requireWho(route, 'anyone')
  return { route, run: (context, input) => run(context, input as InputOf<R>) }
}

/**
 * Binds a route that needs a session. Without one the call is refused with not_logged_in before `run`, and a
 * bot with forbidden where it needs a person.
 */
export function bindUser<R extends Route>(
  route: R,
  run: (context: Context<Caller>, input: InputOf<R>) => Promise<AnswerOf<R>>,
): Binding {
  requireWho(route, 'user', 'person')
  return { route, run: async (context, input) => run(withCaller(context), input as InputOf<R>) }
}

/**
 * Binds a route for staff who hold `route.right`. The call is refused before `run`: with not_logged_in
 * without a session, with forbidden for an account that does not hold the right.
 */
export function bindStaff<R extends Route>(
  route: R,
  run: (context: Context<Caller>, input: InputOf<R>) => Promise<AnswerOf<R>>,
): Binding {
  requireWho(route, 'staff')
  if (!route.right) throw new Error(`${route.path} is for staff and names no right`)
  return { route, run: async (context, input) => run(withCaller(context), input as InputOf<R>) }
}

/**
 * Binds a route that takes a file in a multipart form. `admit` answers how large the file may be, or refuses.
 * The file lies on this machine's disk while `run` runs and is removed afterwards unless `run` moved it.
 */
export function bindUpload<R extends Route>(
  route: R,
  it: {
    readonly admit: (context: Context<Caller>) => Promise<number>
    readonly tooLarge?: (maxBytes: number) => Failure
    readonly run: (context: Context<Caller>, input: InputOf<R>, file: Received) => Promise<AnswerOf<R>>
  },
): Binding {
  requireWho(route, 'user')
  if (!route.form) throw new Error(`${route.path} declares no form field for its file`)
  return {
    route,
    admit: async (context) => it.admit(withCaller(context)),
    ...(it.tooLarge && { tooLarge: it.tooLarge }),
    async run(context, input, file) {
      if (!file) throw fail('asset.missing')
      return it.run(withCaller(context), input as InputOf<R>, file)
    },
  }
}

const binders: Readonly<Record<Who, string>> = {
  anyone: 'bind',
  user: 'bindUser',
  person: 'bindUser',
  staff: 'bindStaff',
}

function requireWho(route: Route, ...who: readonly Who[]): void {
  if (!who.includes(route.who))
    throw new Error(`${route.path} is for ${route.who}: bind it with ${binders[route.who]}`)
}

/** @throws Failure not_logged_in */
function withCaller(context: Context): Context<Caller> {
  if (!context.caller) throw fail('not_logged_in')
  return { ...context, caller: context.caller }
}
