interface Numbered {
  readonly sn: number
}

/** How many frames that jumped ahead are kept while the missing ones are asked for again; past it they will be
 * replayed anyway. */
const BUFFERED_MAX = 1000

/**
 * Puts the frames of a line in order. `last` is the number delivered last. Frames at or below it are dropped;
 * contiguous ones come back in order; one that jumps ahead is held, and `gap` is true while one is missing.
 * chat.md §4 "Messages are applied in order of sn".
 */
export function reorder<F extends Numbered>(
  last: number,
  held: readonly F[],
  next: F,
): { ready: F[]; last: number; held: readonly F[]; gap: boolean } {
  if (next.sn <= last || held.some((frame) => frame.sn === next.sn))
    return { ready: [], last, held, gap: held.length > 0 }
  const waiting = [...held, next].sort((a, b) => a.sn - b.sn)
  const ready: F[] = []
  let at = last
  while (waiting[0]?.sn === at + 1) {
    ready.push(waiting.shift()!)
    at += 1
  }
  return { ready, last: at, held: waiting.slice(0, BUFFERED_MAX), gap: waiting.length > 0 }
}
