import { listPayments } from '@guildhall/wire/order/order.ts'
import { LIST_SIZE_MAX } from '@guildhall/wire/page.ts'
import type { AnswerOf } from '@guildhall/wire/route.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import { CallFailure, call } from '../kit/call.ts'
import { cache } from '../kit/routeQuery.ts'
import { type BillDay, billDays } from './bill.ts'

/** The bill as far as it is loaded, fifty orders a page. commerce.md §2, §9. */
export interface LoadedBill {
  /** Null: nothing is loaded yet. */
  readonly days: readonly BillDay[] | null
  /** Why the first page is missing. */
  readonly failure: CallFailure | null
  /** Why the next page is missing. */
  readonly moreFailure: CallFailure | null
  readonly hasMore: boolean
  readonly isBusy: boolean
  readonly retry: () => void
  /** Loads the next page, unless it is being loaded. */
  readonly loadMore: () => void
}

type BillPage = AnswerOf<typeof listPayments>

const KEY = [listPayments.method, listPayments.path, 'pages'] as const

const load = (page: number, signal: AbortSignal): Promise<BillPage> =>
  call(listPayments, { page, page_size: LIST_SIZE_MAX }, { signal })

const hasNext = (pages: readonly BillPage[]): boolean => {
  const last = pages[pages.length - 1]
  return last !== undefined && last.meta.page < last.meta.page_total
}

/**
 * Loads the bill; when an order changes, all loaded pages are asked for again, and stay on screen meanwhile.
 */
export function useBill(): LoadedBill {
  const query = useQuery({
    queryKey: KEY,
    async queryFn({ signal }) {
      const pages: BillPage[] = []
      // As many as were shown.
      const wanted = cache.getQueryData<readonly BillPage[]>(KEY)?.length ?? 1
      do pages.push(await load(pages.length + 1, signal))
      while (pages.length < wanted && hasNext(pages))
      return pages as readonly BillPage[]
    },
    // Without a network it fails with words instead of waiting for one.
    networkMode: 'always',
    refetchOnMount: 'always',
    refetchOnReconnect: 'always',
  })
  const { data: pages, error, isFetching } = query
  const more = useMore()
  if (error && !(error instanceof CallFailure)) throw error
  const days = useMemo(() => (pages ? billDays(pages) : null), [pages])
  return {
    days,
    failure: pages || isFetching ? null : error,
    moreFailure: more.failure,
    hasMore: pages !== undefined && hasNext(pages),
    isBusy: isFetching || more.isBusy,
    retry: () => void query.refetch(),
    loadMore: () => {
      if (!isFetching) void more.load()
    },
  }
}

/** Adds the page that follows those in the cache. */
function useMore() {
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<CallFailure | null>(null)
  const loading = useRef<AbortController | null>(null)
  useEffect(() => () => loading.current?.abort(), [])
  const add = async () => {
    const known = cache.getQueryData<readonly BillPage[]>(KEY)
    if (loading.current || !known) return
    const stop = new AbortController()
    const { signal } = stop
    loading.current = stop
    setBusy(true)
    setFailure(null)
    try {
      const page = await load(known.length + 1, signal)
      // Pages that were read again meanwhile may be others: then the end is looked for once more.
      cache.setQueryData<readonly BillPage[]>(KEY, (now) => (now === known ? [...known, page] : now))
    } catch (error) {
      if (!(error instanceof CallFailure)) throw error
      if (!signal.aborted) setFailure(error)
    } finally {
      loading.current = null
      setBusy(false)
    }
  }
  return { isBusy, failure, load: add }
}
