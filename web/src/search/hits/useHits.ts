import type { AnswerOf } from '@guildhall/wire/route.ts'
import {
  type ChannelHit,
  type ChatHit,
  HITS_MAX,
  type searchFiles,
  type searchMessages,
} from '@guildhall/wire/search/search.ts'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { CallFailure, type CallInput, call, networkFailure } from '../../kit/call.ts'
import { cache, queryKeyOf } from '../../kit/routeQuery.ts'

export type Hit = ChannelHit | ChatHit
type Call = typeof searchMessages | typeof searchFiles
type Answer = AnswerOf<typeof searchMessages>

/** Hits of one answer. */
const PAGE_SIZE = 30

interface Found {
  readonly items: readonly Hit[]
  readonly total: number
  /** There are, or may be, more than are counted. */
  readonly isMore: boolean
  /** How the hits after these are asked for; null: there are none. */
  readonly next: object | null
}

/** What is loaded of a search; `found` is null before the first answer. */
export interface Hits {
  readonly found: Found | null
  /** Why the first answer is not there, or the last one that was asked for. */
  readonly failure: CallFailure | null
  readonly loadMore: () => void
  readonly retry: () => void
}

/** How many hits there are: exact up to a thousand. */
export const countLabel = ({ total, isMore }: Pick<Found, 'total' | 'isMore'>): string =>
  isMore ? `${total}+` : String(total)

/**
 * The hits of a search, page after page, and after the last one older ones. They stay in the cache:
 * `isComingBack` shows them as they were left, without asking again. `input` null: nothing is searched for.
 */
export function useHits<R extends Call>(
  route: R,
  input: (CallInput<R> & { sort: 'time' | 'fit' }) | null,
  isComingBack: boolean,
): Hits {
  const key = [...queryKeyOf(route, input ?? ({} as CallInput<R>)), 'all']
  const [failed, setFailed] = useState<{ key: string; failure: CallFailure } | null>(null)
  const [asking] = useState(() => new Set<object>())
  const ask = async (more: object, signal?: AbortSignal) =>
    (await call(
      route,
      { ...input, page_size: PAGE_SIZE, ...more } as CallInput<R>,
      signal ? { signal } : {},
    )) as Answer
  const query = useQuery<Found>({
    queryKey: key,
    enabled: input !== null,
    staleTime: isComingBack ? Number.POSITIVE_INFINITY : 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: (it) => it.state.data === undefined,
    queryFn: async ({ signal }) => foundIn(null, await ask({}, signal), input?.sort === 'time'),
  })
  if (query.error && !(query.error instanceof CallFailure)) throw query.error
  const found = query.data ?? null
  const name = JSON.stringify(key)
  const loadMore = () => {
    const next = found?.next
    if (!next || asking.has(next)) return
    asking.add(next)
    setFailed(null)
    ask(next).then(
      (answer) =>
        cache.setQueryData(key, (now: Found | undefined) =>
          now?.next === next ? foundIn(now ?? null, answer, input?.sort === 'time') : now,
        ),
      (failure: unknown) => {
        asking.delete(next)
        if (failure instanceof CallFailure) setFailed({ key: name, failure })
        else throw failure
      },
    )
  }
  const isFirst = found === null
  return {
    found: input === null ? null : found,
    failure: isFirst ? whyNot(query) : failed?.key === name ? failed.failure : null,
    loadMore,
    retry: () => (isFirst ? void query.refetch() : loadMore()),
  }
}

/** Why there is no answer; null: it is on its way. Offline it waits for the network, which may take long. */
function whyNot(query: Pick<UseQueryResult, 'isPaused' | 'isFetching' | 'error'>): CallFailure | null {
  if (query.isPaused) return networkFailure()
  return query.isFetching ? null : (query.error as CallFailure | null)
}

/** What is loaded once an answer came; the count is that of the first one. */
function foundIn(before: Found | null, { items, meta }: Answer, isByTime: boolean): Found {
  const all = [...(before?.items ?? []), ...items]
  const inBatch = (before?.next ?? {}) as { before?: string }
  const last = items.at(-1)
  const next =
    meta.page < meta.page_total
      ? { ...inBatch, page: meta.page + 1 }
      : meta.more && isByTime && last
        ? { before: last.message.id, page: 1 }
        : null
  return {
    items: all,
    total: before?.total ?? Math.min(meta.total, HITS_MAX),
    isMore: before?.isMore ?? meta.more,
    next,
  }
}
