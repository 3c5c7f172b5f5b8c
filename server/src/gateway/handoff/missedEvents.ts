/**
 * Missed events: what a client still has to receive, computed from its node's journal. Pure. protocol.md
 * §2.6.
 */
import type { Topic } from '../../kit/events/bus.ts'

/** An event that a session received, or is to receive. */
export interface EventRef {
  readonly topic: Topic
  readonly seq: number
}

/**
 * The events after a client's `sn`, in order: never one less than it misses. The journal recorded the
 * session's `sn` once, as `anchorSn`; what the session received before (as far back as is known) and `after`
 * that; and `tails`, each topic's events that no journal page has. The order in which tail events were
 * numbered is unknown: null when that leaves more than one answer, or when the client's `sn` is impossible.
 */
export function missedAfter(
  sn: number,
  input: {
    readonly anchorSn: number
    readonly before: readonly EventRef[]
    readonly after: readonly EventRef[]
    readonly tails: readonly (readonly EventRef[])[]
  },
): EventRef[] | null {
  const tail = input.tails.flat()
  const ahead = sn - input.anchorSn
  if (ahead < 0) {
    if (input.before.length < -ahead) return null
    return [...input.before.slice(ahead), ...input.after, ...tail]
  }
  if (ahead <= input.after.length) return [...input.after.slice(ahead), ...tail]
  const fromTail = ahead - input.after.length
  if (fromTail > tail.length) return null
  const isCertain = fromTail === tail.length || input.tails.filter(({ length }) => length > 0).length === 1
  return isCertain ? tail.slice(fromTail) : null
}
