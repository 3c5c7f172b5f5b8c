/** The rows of the bill. Pure. */
import type { BillItem } from '@guildhall/wire/order/order.ts'
import { sameDay } from '../kit/format/time.ts'

/** What was bought on one day of the reader's calendar, the newest first. */
export interface BillDay {
  /** A moment of the day, ms. */
  readonly at: number
  readonly items: readonly BillItem[]
}

/**
 * The loaded pages as days. An order that was placed while the pages were read moves the others on by one, so
 * the same order may be at the end of a page and at the beginning of the next: it is shown once.
 */
export function billDays(pages: readonly { readonly items: readonly BillItem[] }[]): BillDay[] {
  const days: { at: number; items: BillItem[] }[] = []
  const seen = new Set<string>()
  for (const item of pages.flatMap(({ items }) => items)) {
    if (seen.has(item.order_id)) continue
    seen.add(item.order_id)
    const last = days[days.length - 1]
    if (last && sameDay(last.at, item.order_datetime)) last.items.push(item)
    else days.push({ at: item.order_datetime, items: [item] })
  }
  return days
}
