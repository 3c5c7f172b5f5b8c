import type { AnswerOf, Route } from '@guildhall/wire/route.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { CallFailure, type CallInput, call } from '../../kit/call.ts'
import { queryKeyOf } from '../../kit/routeQuery.ts'

/** The loaded rows of a list; null before the first page. */
export interface StaffPages<Row> {
  readonly items: readonly Row[] | null
  readonly failure: CallFailure | null
  readonly hasMore: boolean
  readonly isLoadingMore: boolean
  readonly loadMore: () => void
  readonly refetch: () => void
}

/** What a list answers. */
interface ListAnswer {
  readonly items: readonly unknown[]
  readonly has_more: boolean
}

/**
 * A list of the console, page by page. `anchorOf`: the fields of the input that ask for what follows a row.
 * Without `isEnabled` nothing is requested.
 */
export function useStaffPages<R extends Route>(
  route: R,
  input: CallInput<R>,
  anchorOf: (last: AnswerOf<R> extends { items: readonly (infer Row)[] } ? Row : never) => CallInput<R>,
  isEnabled = true,
): StaffPages<AnswerOf<R> extends { items: readonly (infer Row)[] } ? Row : never> {
  type Row = AnswerOf<R> extends { items: readonly (infer Each)[] } ? Each : never
  const query = useInfiniteQuery({
    queryKey: [...queryKeyOf(route, input), 'pages'],
    queryFn: ({ pageParam, signal }) =>
      call(route, { ...input, ...(pageParam as CallInput<R>) }, { signal }) as Promise<ListAnswer>,
    initialPageParam: {},
    getNextPageParam: (page: ListAnswer) =>
      page.has_more && page.items.length > 0 ? anchorOf(page.items.at(-1) as Row) : undefined,
    enabled: isEnabled,
  })
  if (query.error && !(query.error instanceof CallFailure)) throw query.error
  return {
    items: query.data ? query.data.pages.flatMap(({ items }) => items as readonly Row[]) : null,
    failure: query.isFetching ? null : query.error,
    hasMore: query.hasNextPage,
    isLoadingMore: query.isFetchingNextPage,
    loadMore: () => void query.fetchNextPage(),
    refetch: () => void query.refetch(),
  }
}

/** Rows that are there already, as a list that has no more. */
export const fixedRows = <Row>(items: readonly Row[]): StaffPages<Row> => ({
  items,
  failure: null,
  hasMore: false,
  isLoadingMore: false,
  loadMore: () => undefined,
  refetch: () => undefined,
})
