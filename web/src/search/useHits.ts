import type { AnswerOf, InputOf } from '@guildhall/wire/route.ts'
import { type ChannelHit, type ChatHit, searchMessages } from '@guildhall/wire/search/search.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { CallFailure, call } from '../kit/call.ts'

export type Hit = ChannelHit | ChatHit

/** What is searched for, and where. */
export interface Asked
  extends Pick<InputOf<typeof searchMessages>, 'q' | 'guild_id' | 'channel_id' | 'chat_code' | 'sort'> {}

const PAGE_SIZE = 25
/** Whoever comes back to the results finds them as they were, ms. */
const KEPT_MS = 5 * 60_000

type Answer = AnswerOf<typeof searchMessages>
interface Next {
  readonly page: number
  readonly before?: string
}

/** Pages reach so far; older hits are asked for from there on, in order of time alone. */
function nextOf({ items, meta }: Answer, sort: Asked['sort'], from: Next): Next | undefined {
  if (meta.page < meta.page_total) return { ...from, page: meta.page + 1 }
  const last = items.at(-1)
  return meta.more && sort === 'time' && last ? { page: 1, before: last.message.id } : undefined
}

/** The hits of a search, page after page. Without words nothing is asked. */
export function useHits(asked: Asked) {
  const query = useInfiniteQuery({
    queryKey: [searchMessages.method, searchMessages.path, 'pages', asked],
    queryFn: ({ pageParam, signal }) =>
      call(searchMessages, { ...asked, ...pageParam, page_size: PAGE_SIZE } as never, { signal }),
    initialPageParam: { page: 1 } as Next,
    getNextPageParam: (last, _all, from) => nextOf(last, asked.sort, from),
    enabled: asked.q !== '',
    staleTime: KEPT_MS,
  })
  const failure = query.error instanceof CallFailure && !query.isFetching ? query.error : null
  if (query.error && !(query.error instanceof CallFailure)) throw query.error
  const pages = query.data?.pages ?? []
  return {
    hits: pages.flatMap(({ items }): Hit[] => items),
    meta: pages[0]?.meta ?? null,
    failure,
    isLoading: query.isPending && query.isFetching,
    hasMore: query.hasNextPage,
    isFetchingMore: query.isFetchingNextPage,
    more: () => void query.fetchNextPage(),
    retry: () => void query.refetch(),
  }
}
