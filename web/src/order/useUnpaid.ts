import { listUnpaid, type UnpaidItem } from '@guildhall/wire/order/order.ts'
import { useQuery } from '@tanstack/react-query'
import { CallFailure, call } from '../kit/call.ts'
import { queryKeyOf } from '../kit/routeQuery.ts'
import { endsAt } from './order.ts'

/** An order that waits for its payment. */
export interface UnpaidOrder extends UnpaidItem {
  /** By the clock of this device, ms. */
  readonly endsAt: number
}

/** What the user can still pay; asked for again when an order changes, and when they come back. */
export function useUnpaid() {
  const query = useQuery({
    queryKey: queryKeyOf(listUnpaid, {}),
    async queryFn({ signal }): Promise<readonly UnpaidOrder[]> {
      const { items } = await call(listUnpaid, {}, { signal })
      return items.map((it) => ({ ...it, endsAt: endsAt(it) }))
    },
    networkMode: 'always',
    refetchOnMount: 'always',
    refetchOnWindowFocus: 'always',
    refetchOnReconnect: 'always',
  })
  if (query.error && !(query.error instanceof CallFailure)) throw query.error
  return {
    orders: query.data ?? null,
    failure: query.data || query.isFetching ? null : query.error,
    ask: () => void query.refetch(),
  }
}
