import type { AnswerOf, Route } from '@guildhall/wire/route.ts'
import { QueryClient, type QueryFilters, useQuery } from '@tanstack/react-query'
import { CallFailure, type CallInput, call } from './call.ts'

/** The cache of answers: what was loaded before is shown at once and requested again. */
export const cache = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      // Only failures of the network pass by themselves.
      retry: (count, error) => error instanceof CallFailure && error.name === 'network' && count < 2,
      retryDelay: (count) => 800 * 2 ** count,
    },
  },
})

/** The state of a query. `refetch` requests the answer again. */
export type RouteQuery<A> =
  | { status: 'loading'; answer: null; failure: null; refetch: () => void }
  | { status: 'done'; answer: A; failure: null; refetch: () => void }
  | { status: 'failed'; answer: null; failure: CallFailure; refetch: () => void }

/** The key of an answer in the cache. */
export const queryKeyOf = <R extends Route>(route: R, input: CallInput<R>) =>
  [route.method, route.path, input] as const

/** What the cache asks for, and how. */
export const queryOf = <R extends Route>(route: R, input: CallInput<R>) => ({
  queryKey: queryKeyOf(route, input),
  queryFn: ({ signal }: { signal: AbortSignal }) => call(route, input, { signal }),
})

/**
 * Loads the answer of a call and follows it in the cache; while it is loaded again, the last one stays on
 * screen. Without `isEnabled` nothing is requested; without `isFollowed` what changes later is not shown.
 */
export function useRouteQuery<R extends Route>(
  route: R,
  input: CallInput<R>,
  isEnabled = true,
  isFollowed = true,
): RouteQuery<AnswerOf<R>> {
  const query = useQuery({ ...queryOf(route, input), enabled: isEnabled, subscribed: isFollowed })
  const refetch = () => void query.refetch()
  const failure = query.error instanceof CallFailure && !query.isFetching ? query.error : null
  // What one may no longer see goes; after any other failure the last answer stays.
  if (query.data !== undefined && failure?.name !== 'forbidden')
    return { status: 'done', answer: query.data, failure: null, refetch }
  if (failure) return { status: 'failed', answer: null, failure, refetch }
  if (query.error && !(query.error instanceof CallFailure)) throw query.error
  return { status: 'loading', answer: null, failure: null, refetch }
}

/** Loads the answer of a call into the cache, unless a fresh one is there. Never rejects. */
export const prefetchRoute = <R extends Route>(route: R, input: CallInput<R>): Promise<void> =>
  cache.prefetchQuery(queryOf(route, input))

/** First requests that are repeated once they end. */
const repeated = new WeakSet<Promise<unknown>>()

/**
 * Marks cached answers as outdated: what is on screen is requested again. A first request under way may have
 * been answered before the change, so it is repeated; the library repeats only those that have an answer.
 */
export function invalidateAnswers(filters: QueryFilters = {}): void {
  for (const { promise, state, queryKey } of cache.getQueryCache().findAll(filters)) {
    if (state.fetchStatus === 'idle' || state.data !== undefined || !promise || repeated.has(promise))
      continue
    repeated.add(promise)
    const again = () => cache.invalidateQueries({ queryKey, exact: true })
    promise.then(again, () => undefined)
  }
  void cache.invalidateQueries(filters)
}

/** Marks the answers of a call as outdated, all of them or those to `input`. */
export const invalidateRoute = (route: Route, input?: object): void =>
  invalidateAnswers({ queryKey: input ? [route.method, route.path, input] : [route.method, route.path] })
