import { here } from '../../native/environment.ts'

/**
 * Whether the screen is touched, so that its owner cannot scan what it shows: also a phone whose browser asks
 * for pages as a desk does.
 */
export const isTouched = (): boolean =>
  here().platform !== 'desktop' || matchMedia('(pointer: coarse)').matches
