import type { AnswerOf, Route } from '@guildhall/wire/route.ts'
import { QueryClient, useQuery } from '@tanstack/react-query'
import { CallFailure, type CallInput, call } from './call.ts'

/** One cache for the page: what was seen before is drawn at once, then asked for again. */
export const cache = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      // Only the network's failures pass by themselves; a refusal stays a refusal.
      retry: (count, error) => error instanceof CallFailure && error.name === 'network' && count < 2,
      retryDelay: (count) => 800 * 2 ** count,
    },
  },
})

export type Asked<A> =
  | { status: 'loading'; answer: null; failure: null; again: () => void }
  | { status: 'done'; answer: A; failure: null; again: () => void }
  | { status: 'failed'; answer: null; failure: CallFailure; again: () => void }

/** Under which key the answer to a question is kept. */
export const keyOf = <R extends Route>(route: R, input: CallInput<R>) =>
  [route.method, route.path, input] as const

/**
 * Reads by a call and keeps reading from the cache; an answer once had stays on screen while it is refreshed. Without
 * `isWanted` it is not asked for.
 */
export function useAsk<R extends Route>(route: R, input: CallInput<R>, isWanted = true): Asked<AnswerOf<R>> {
  const query = useQuery({
    queryKey: keyOf(route, input),
    queryFn: ({ signal }) => call(route, input, { signal }),
    enabled: isWanted,
  })
  const again = () => void query.refetch()
  if (query.data !== undefined) return { status: 'done', answer: query.data, failure: null, again }
  if (query.error instanceof CallFailure && !query.isFetching)
    return { status: 'failed', answer: null, failure: query.error, again }
  if (query.error && !(query.error instanceof CallFailure)) throw query.error
  return { status: 'loading', answer: null, failure: null, again }
}

/** Asks again for everything that came from a call, whatever the input. Used when an event says it changed. */
export const stale = (route: Route, input?: object): void =>
  void cache.invalidateQueries({
    queryKey: input ? [route.method, route.path, input] : [route.method, route.path],
  })
