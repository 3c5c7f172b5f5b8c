/** How a finger is read: a swipe across, a scroll, or neither yet. Pure. */

/** How far a finger goes before its way is known, px. */
const KNOWN_FROM = 10
/** From here on releasing a swipe does what it is for, px. */
export const SWIPE_MEANT = 64
/** Beyond that the message follows the finger a quarter as fast, px. */
const FOLLOWS_TO = 88

/** `across`: clearly sideways in the direction `towards`; `other`: it scrolls, or goes the other way. */
export function wayOf(dx: number, dy: number, towards: 1 | -1): 'across' | 'other' | null {
  if (Math.max(Math.abs(dx), Math.abs(dy)) < KNOWN_FROM) return null
  return dx * towards > 0 && Math.abs(dx) > Math.abs(dy) * 1.5 ? 'across' : 'other'
}

/** How far what is swiped follows a finger that went so far, px. */
export const followed = (distance: number): number =>
  distance <= FOLLOWS_TO ? Math.max(0, distance) : FOLLOWS_TO + (distance - FOLLOWS_TO) / 4

/** Whether something between an element and its list scrolls sideways: there a swipe scrolls. */
export function scrollsAcross(from: Element, list: Element): boolean {
  for (let at: Element | null = from; at && at !== list; at = at.parentElement)
    if (at.scrollWidth > at.clientWidth + 1 && /auto|scroll/.test(getComputedStyle(at).overflowX)) return true
  return false
}
