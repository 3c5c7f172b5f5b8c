/** Where a picture is on the whole screen: opening, moving and enlarging it. Pure. */
import type { Dimensions } from '@guildhall/wire/asset/pictureSize.ts'

/** `scale` 1 shows it whole, never larger than it is; `x` and `y`: its middle from that of the screen, px. */
export interface View {
  readonly scale: number
  readonly x: number
  readonly y: number
}
/** A point of the screen, px. */
export interface Point {
  readonly x: number
  readonly y: number
}

export const between = (a: Point, b: Point): Point => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 })
export const apart = (a: Point, b: Point): number => Math.hypot(a.x - b.x, a.y - b.y)

export const whole: View = { scale: 1, x: 0, y: 0 }

/** A picture whose sides differ by more is read along its long one. */
const LONG_RATIO = 2.5
const ZOOM_MAX = 5
const ZOOM_TAPPED = 2.5

/** The size of the picture at scale 1. */
function wholeSize(own: Dimensions, screen: Dimensions): Dimensions {
  const fit = Math.min(1, screen.width / own.width, screen.height / own.height)
  return { width: own.width * fit, height: own.height * fit }
}

/** As a whole; a long picture at full width from its top, a very wide one at full height from its left. */
export function openingView(own: Dimensions, screen: Dimensions): View {
  const at = wholeSize(own, screen)
  const scale =
    own.height >= own.width * LONG_RATIO
      ? Math.min(screen.width, own.width) / at.width
      : own.width >= own.height * LONG_RATIO
        ? Math.min(screen.height, own.height) / at.height
        : 1
  return within({ scale, x: Number.POSITIVE_INFINITY, y: Number.POSITIVE_INFINITY }, own, screen)
}

/** The largest scale: at least every pixel of the picture can be seen. */
export const scaleMost = (own: Dimensions, screen: Dimensions): number =>
  Math.max(ZOOM_MAX, own.width / wholeSize(own, screen).width)

/** Moved no further than to the edges of the picture; what fits on the screen is in its middle. */
export function within({ scale, x, y }: View, own: Dimensions, screen: Dimensions): View {
  const at = wholeSize(own, screen)
  const kept = (moved: number, size: number, most: number) => {
    const room = Math.max(0, (size * scale - most) / 2)
    return Math.min(room, Math.max(-room, moved))
  }
  return { scale, x: kept(x, at.width, screen.width), y: kept(y, at.height, screen.height) }
}

/** Moved by so many px. */
export const panned = (view: View, by: Point, own: Dimensions, screen: Dimensions): View =>
  within({ ...view, x: view.x + by.x, y: view.y + by.y }, own, screen)

/** Whether the picture is not wider than the screen: moving it sideways shows nothing more of it. */
export const fitsAcross = ({ scale }: View, own: Dimensions, screen: Dimensions): boolean =>
  wholeSize(own, screen).width * scale <= screen.width + 1

/**
 * After two taps at a point: enlarged as it opened, then to its own pixels where that is more, then as it
 * opened.
 */
export function tapped(view: View, at: Point, own: Dimensions, screen: Dimensions): View {
  const open = openingView(own, screen).scale
  const near = Math.min(scaleMost(own, screen), open * ZOOM_TAPPED)
  const pixels = own.width / wholeSize(own, screen).width
  const steps = pixels > near * 1.2 ? [open, near, pixels] : [open, near]
  const scale = steps.find((step) => step > view.scale * 1.01) ?? open
  return around(view, scale, at, at, own, screen)
}

/**
 * Enlarged by two fingers that came `ratio` times as far apart while their middle moved: the point between
 * them stays between them.
 */
export function pinched(
  view: View,
  { from, to, ratio }: { readonly from: Point; readonly to: Point; readonly ratio: number },
  own: Dimensions,
  screen: Dimensions,
): View {
  const scale = Math.min(scaleMost(own, screen), Math.max(1, view.scale * ratio))
  return around(view, scale, from, to, own, screen)
}

/** At another scale: what was at `from` is at `to`. */
function around(
  view: View,
  scale: number,
  from: Point,
  to: Point,
  own: Dimensions,
  screen: Dimensions,
): View {
  const grown = scale / view.scale
  const middle = { x: screen.width / 2, y: screen.height / 2 }
  const x = to.x - middle.x - (from.x - middle.x - view.x) * grown
  const y = to.y - middle.y - (from.y - middle.y - view.y) * grown
  return within({ scale, x, y }, own, screen)
}
