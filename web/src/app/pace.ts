/** The pace at which events are applied to what the page shows. */

/** A page that nobody sees draws no frames: it applies what came so often, ms. */
const HIDDEN_MS = 2_000

/** Calls `then` once what was just applied is drawn and as much time again has passed. */
function afterRest(then: () => void): void {
  const began = performance.now()
  // The page may also be hidden before its frame comes.
  const unseen = setTimeout(then, HIDDEN_MS)
  if (document.hidden) return
  requestAnimationFrame(() =>
    setTimeout(() => {
      clearTimeout(unseen)
      setTimeout(then, Math.min(HIDDEN_MS, performance.now() - began))
    }),
  )
}

/**
 * Applies items in the order in which they are added, each at once while the page keeps up. What comes while
 * it draws, and for as long again, is applied together: a slow phone draws a fast conversation a few times a
 * second instead of once for each message, and has as much time for the finger.
 */
export function createPace<Item>(apply: (item: Item) => void) {
  let waiting: Item[] = []
  let isResting = false
  const flush = () => {
    const all = waiting
    waiting = []
    if (all.length > 0 && !isResting) rest()
    for (const item of all) apply(item)
  }
  const rest = () => {
    isResting = true
    afterRest(() => {
      isResting = false
      flush()
    })
  }
  return {
    add(item: Item): void {
      waiting.push(item)
      if (!isResting) flush()
    },
    /** Applies at once what waits. */
    flush,
    /** Forgets what waits. */
    clear(): void {
      waiting = []
    },
  }
}
