/** A frame with its number within the session. */
interface Numbered {
  readonly sn: number
}

/** Frames beyond this count are dropped from the buffer: the resume replays them. */
const BUFFERED_MAX = 1000

/**
 * Reorder buffer: puts received frames in the order of `sn`. `last` is the number delivered last; frames at
 * or below it are dropped. `ready` holds the contiguous ones to deliver; the others are buffered while one is
 * missing (`gap`). chat.md §4 "Order".
 */
export function reorder<F extends Numbered>(
  last: number,
  buffered: readonly F[],
  next: F,
): { ready: F[]; last: number; buffered: readonly F[]; gap: boolean } {
  if (next.sn <= last || buffered.some((frame) => frame.sn === next.sn))
    return { ready: [], last, buffered, gap: buffered.length > 0 }
  const waiting = [...buffered, next].sort((a, b) => a.sn - b.sn)
  const ready: F[] = []
  let at = last
  while (waiting[0]?.sn === at + 1) {
    ready.push(waiting.shift()!)
    at += 1
  }
  return { ready, last: at, buffered: waiting.slice(0, BUFFERED_MAX), gap: waiting.length > 0 }
}
