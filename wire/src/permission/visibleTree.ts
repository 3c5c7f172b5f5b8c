interface Place {
  readonly id: string
  readonly is_category: boolean
  readonly parent_id: string
  readonly level: number
}

/**
 * The tree a person sees: channels of no category first, or they would seem to be the last category's, then
 * the categories, each with its visible children; all in order. A channel needs the right to view; a category
 * shows when it may be viewed or when a child shows. chat.md §6.
 */
export function visibleTree<P extends Place>(
  places: readonly P[],
  canView: (place: P) => boolean,
): (P & { channels: P[] })[] {
  const inOrder = [...places].sort(
    (a, b) => Number(a.is_category) - Number(b.is_category) || a.level - b.level || compareIds(a.id, b.id),
  )
  const categories = new Set(places.filter((place) => place.is_category).map((place) => place.id))
  const children = new Map<string, P[]>()
  for (const place of inOrder) {
    if (place.is_category || !categories.has(place.parent_id) || !canView(place)) continue
    children.set(place.parent_id, [...(children.get(place.parent_id) ?? []), place])
  }
  return inOrder
    .filter((place) => place.is_category || !categories.has(place.parent_id))
    .map((place) => ({ ...place, channels: place.is_category ? (children.get(place.id) ?? []) : [] }))
    .filter((place) => canView(place) || place.channels.length > 0)
}

/** Decimal ids by value: the shorter is the smaller. */
const compareIds = (a: string, b: string): number => a.length - b.length || (a < b ? -1 : a > b ? 1 : 0)
