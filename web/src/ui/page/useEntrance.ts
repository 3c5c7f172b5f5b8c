import { useEffect, useState } from 'react'

type Screen = 'list' | 'room'

/** The screen that this page showed last. */
let last: Screen | null = null

/**
 * A copy of the list as it was left, to be drawn below a room that a finger drags away. What was scrolled in
 * it says by `data-top` how far, px.
 */
export const left: { list?: Element | undefined } = {}

/**
 * How a screen comes: from the list into the room, or back. Undefined for the first screen of a page, which
 * just stands there.
 */
export function useEntrance(screen: Screen): 'forward' | 'back' | undefined {
  const [before] = useState(last)
  useEffect(() => {
    last = screen
  }, [screen])
  if (before === null || before === screen) return undefined
  return screen === 'room' ? 'forward' : 'back'
}
