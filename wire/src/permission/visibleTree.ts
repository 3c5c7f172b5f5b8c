interface TreeChannel {
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
export function visibleTree<P extends TreeChannel>(
  channels: readonly P[],
  canView: (channel: P) => boolean,
): (P & { channels: P[] })[] {
  const inOrder = [...channels].sort(
    (a, b) => Number(a.is_category) - Number(b.is_category) || a.level - b.level || compareIds(a.id, b.id),
  )
  const categories = new Set(channels.filter((channel) => channel.is_category).map((channel) => channel.id))
  const children = new Map<string, P[]>()
  for (const channel of inOrder) {
    if (channel.is_category || !categories.has(channel.parent_id) || !canView(channel)) continue
    children.set(channel.parent_id, [...(children.get(channel.parent_id) ?? []), channel])
  }
  return inOrder
    .filter((channel) => channel.is_category || !categories.has(channel.parent_id))
    .map((channel) => ({ ...channel, channels: channel.is_category ? (children.get(channel.id) ?? []) : [] }))
    .filter((channel) => canView(channel) || channel.channels.length > 0)
}

/** Decimal ids by value: the shorter is the smaller. */
const compareIds = (a: string, b: string): number => a.length - b.length || (a < b ? -1 : a > b ? 1 : 0)
