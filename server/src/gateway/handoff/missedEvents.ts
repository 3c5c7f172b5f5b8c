/** What a line is still owed, worked out from its node's journal. Pure. protocol.md §2.6. */
import type { Topic } from '../../kit/bus.ts'

/** An event that a session heard, or is to hear. */
export interface Passed {
  readonly topic: Topic
  readonly seq: number
}

/**
 * The events after a client's `sn`, in order: at most those that it has not processed, never one less. The journal
 * knows that the session's serial number was `anchorSn` at one moment, what it heard around then (`before`, as far
 * back as is known, and `after`), and what nobody wrote down any more (`tails`, each topic's events in order). Numbers
 * of the tails were given in an order nobody knows: null when that leaves more than one answer, or when the client
 * claims what cannot be.
 */
export function owedAfter(
  sn: number,
  it: {
    readonly anchorSn: number
    readonly before: readonly Passed[]
    readonly after: readonly Passed[]
    readonly tails: readonly (readonly Passed[])[]
  },
): Passed[] | null {
  const tail = it.tails.flat()
  const ahead = sn - it.anchorSn
  if (ahead < 0) {
    if (it.before.length < -ahead) return null
    return [...it.before.slice(ahead), ...it.after, ...tail]
  }
  if (ahead <= it.after.length) return [...it.after.slice(ahead), ...tail]
  const fromTail = ahead - it.after.length
  if (fromTail > tail.length) return null
  const isCertain = fromTail === tail.length || it.tails.filter(({ length }) => length > 0).length === 1
  return isCertain ? tail.slice(fromTail) : null
}
