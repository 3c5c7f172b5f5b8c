/** Lists in pages. protocol.md §1.5. */
import { int, nothing, type Schema, z } from './schema.ts'

/** Larger page sizes are reduced to this. */
export const LIST_SIZE_MAX = 50

/** The requested page; the first is 1. */
export const pageInput = {
  page: z._default(int(1, 1_000_000), 1),
  page_size: z._default(int(1, 1_000), LIST_SIZE_MAX),
}

/** A page of a list. `page_total` is 0 for an empty list; `sort` is always a map. */
export const pageOf = <T extends Schema>(item: T) =>
  z.object({
    items: z.array(item),
    meta: z.object({
      page: z.number(),
      page_total: z.number(),
      page_size: z.number(),
      total: z.number(),
    }),
    sort: nothing,
  })
