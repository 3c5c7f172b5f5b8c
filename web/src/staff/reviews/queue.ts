import {
  type GuildReview,
  listReviews,
  REVIEW_KINDS,
  type Review,
  type ReviewKind,
} from '@guildhall/wire/staff/reviews.ts'
import { useSearched } from '../parts/SearchForm.tsx'
import { type StaffPages, useStaffPages } from '../parts/useStaffPages.ts'

/** Lists of cases by kind. */
export type Lists = { readonly [Kind in ReviewKind]: StaffPages<Review> }

/** The cases that wait, by kind. */
export const useWaiting = (isEnabled = true): Lists =>
  useLists('waiting', isEnabled, ({ id }) => ({ after: Number(id) }))
/** Those that were decided. */
export const useDecided = (isEnabled = true): Lists =>
  useLists('decided', isEnabled, ({ id }) => ({ before: Number(id) }))

function useLists(
  state: 'waiting' | 'decided',
  isEnabled: boolean,
  anchorOf: (last: Review) => { readonly after?: number; readonly before?: number },
): Lists {
  return {
    guild: useStaffPages(listReviews, { kind: 'guild', state }, anchorOf, isEnabled),
    message: useStaffPages(listReviews, { kind: 'message', state }, anchorOf, isEnabled),
  }
}

/** The kind that the address asks for; null: all. */
export function useKind(): ReviewKind | null {
  const { kind } = useSearched()
  return REVIEW_KINDS.find((each) => each === kind) ?? null
}

/** One list of several, in the order of `isBefore`; with a kind its own. */
export const queueOf = (
  lists: Lists,
  kind: ReviewKind | null,
  isBefore: (a: Review, b: Review) => boolean,
): StaffPages<Review> => (kind ? lists[kind] : mergedPages([lists.guild, lists.message], isBefore))

export const isOlder = (a: Review, b: Review): boolean => a.created_at < b.created_at
export const isNewer = (a: Review, b: Review): boolean => a.created_at > b.created_at

function mergedPages<Row>(
  lists: readonly StaffPages<Row>[],
  isBefore: (a: Row, b: Row) => boolean,
): StaffPages<Row> {
  const loaded = lists.flatMap(({ items, hasMore }) => (items ? [{ items, hasMore }] : []))
  const more = lists.filter(({ hasMore }) => hasMore)
  return {
    items: loaded.length < lists.length ? null : mergeSorted(loaded, isBefore),
    failure: lists.find(({ failure }) => failure)?.failure ?? null,
    hasMore: more.length > 0,
    isLoadingMore: lists.some(({ isLoadingMore }) => isLoadingMore),
    loadMore() {
      for (const it of more) it.loadMore()
    },
    refetch() {
      for (const it of lists) it.refetch()
    },
  }
}

/**
 * The rows of sorted lists, sorted. It ends where a list that has more is used up: what is loaded of it later
 * comes before the rest.
 */
export function mergeSorted<Row>(
  lists: readonly { readonly items: readonly Row[]; readonly hasMore: boolean }[],
  isBefore: (a: Row, b: Row) => boolean,
): Row[] {
  const at = lists.map(() => 0)
  const merged: Row[] = []
  for (;;) {
    let first = -1
    for (const [n, { items, hasMore }] of lists.entries()) {
      const row = items[at[n]!]
      if (row === undefined && hasMore) return merged
      if (row !== undefined && (first < 0 || isBefore(row, lists[first]!.items[at[first]!]!))) first = n
    }
    if (first < 0) return merged
    merged.push(lists[first]!.items[at[first]!]!)
    at[first]! += 1
  }
}

/** How many are loaded; with a plus when there are more. */
export const countOf = ({ items, hasMore }: StaffPages<unknown>): string =>
  `${items?.length ?? 0}${hasMore ? '+' : ''}`

/** The page of a case; with a kind the way on goes to cases of that kind alone. */
export const casePath = ({ kind, id }: Pick<Review, 'kind' | 'id'>, only: ReviewKind | null): string =>
  `/staff/reviews/${kind}/${id}${only ? `?kind=${only}` : ''}`

export const listPath = (only: ReviewKind | null): string => `/staff/reviews${only ? `?kind=${only}` : ''}`

/** The fields of a guild's face, in the order in which they are compared. */
export const PROFILE_FIELDS = ['name', 'desc', 'icon', 'banner'] as const

/** Those that a case changes; all when it is not known how the guild looked. */
export const changedIn = ({ before, after }: GuildReview) =>
  PROFILE_FIELDS.filter((field) => !before || before[field] !== after[field])
