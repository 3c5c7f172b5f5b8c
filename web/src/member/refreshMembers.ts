const lists = new Set<() => void>()

/** Calls when the lists on screen are to be loaded again. Returns the unsubscribe function. */
export function onMembersChanged(refresh: () => void): () => void {
  lists.add(refresh)
  return () => lists.delete(refresh)
}

/** The reader changed a member: the lists on screen show it at once. */
export function refreshMembers(): void {
  for (const refresh of lists) refresh()
}
