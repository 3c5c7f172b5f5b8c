import { useEffect, useState } from 'react'

type Screen = 'list' | 'room'

/** The screen that this page showed last. */
let last: Screen | null = null

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
