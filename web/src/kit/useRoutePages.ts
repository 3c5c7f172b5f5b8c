import type { AnswerOf, Route } from '@guildhall/wire/route.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { CallFailure, type CallInput, call } from './call.ts'
import { queryKeyOf } from './routeQuery.ts'

type ItemOf<R extends Route> = AnswerOf<R> extends { items: readonly (infer Item)[] } ? Item : never

interface Answer<Item> {
  readonly items: readonly Item[]
  readonly meta: { readonly page_total: number; readonly total: number }
}

/** What is loaded of a list in pages; `answer` is null before the first one. */
export interface RoutePages<Item> {
  readonly answer: { readonly items: readonly Item[]; readonly total: number } | null
  readonly failure: CallFailure | null
  readonly hasMore: boolean
  readonly isLoadingMore: boolean
  readonly loadMore: () => void
  readonly refetch: () => void
}

/**
 * A call that answers with pages (`page`, `page_size`), in the cache. All pages that are shown are asked for
 * together, so that a row that moved is neither doubled nor missing. By a plain query: what the library has
 * for pages would be loaded with every screen.
 */
export function useRoutePages<R extends Route>(route: R, input: CallInput<R>): RoutePages<ItemOf<R>> {
  const [count, setCount] = useState(1)
  const query = useQuery({
    queryKey: [...queryKeyOf(route, input), count],
    queryFn: ({ signal }) =>
      Promise.all(
        Array.from(
          { length: count },
          (_, index) => call(route, { ...input, page: index + 1 }, { signal }) as Promise<Answer<ItemOf<R>>>,
        ),
      ),
    placeholderData: (before) => before,
  })
  if (query.error && !(query.error instanceof CallFailure)) throw query.error
  const last = query.data?.at(-1)
  return {
    answer:
      query.data && last ? { items: query.data.flatMap(({ items }) => items), total: last.meta.total } : null,
    failure: query.isFetching ? null : query.error,
    hasMore: last !== undefined && last.meta.page_total > (query.data?.length ?? 0),
    isLoadingMore: query.isPlaceholderData,
    loadMore: () => setCount((now) => now + 1),
    refetch: () => void query.refetch(),
  }
}
