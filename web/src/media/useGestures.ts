import { type PointerEvent, useRef, useState } from 'react'
import { type MovedView, screenSize } from './useView.ts'
import { apart, between, fitsAcross, type Point, pinched, tapped, type View, whole } from './view.ts'

/** Swipe distance that closes the picture, px. */
const SWIPE_TO_CLOSE = 96
/** Maximum time between the taps of a double tap, ms. */
const DOUBLE_TAP_MS = 300
/** Maximum movement of a tap, px. */
const STILL = 8

/** Swipe distance that leads to another picture, px. */
const SWIPE_TO_STEP = 56

/**
 * Fingers on the picture: they move it and enlarge it, close it by a swipe down, and lead to the next picture
 * (1) or the previous one (-1) by a swipe across. `isHeld`: one is on it.
 */
export function useGestures(
  { own, latest, setView, pan }: MovedView,
  on: {
    readonly close: () => void
    /** Whether there is a picture on that side. */
    readonly canStep: (by: 1 | -1) => boolean
    readonly step: (by: 1 | -1) => void
  },
) {
  const [isHeld, setHeld] = useState(false)
  const fingers = useRef(new Map<number, Point>())
  const start = useRef({ view: whole, at: { x: 0, y: 0 } as Point, apart: 0 })
  const tap = useDoubleTap((at) => own && setView(tapped(latest.current, at, own, screenSize())))
  /** The way of the finger, once it is known. */
  const way = useRef<'across' | 'down' | null>(null)
  /** A gesture restarts whenever a finger comes or goes. */
  const begin = (from: View) => {
    const [a, b] = [...fingers.current.values()]
    if (!a) return
    start.current = { view: from, at: b ? between(a, b) : a, apart: b ? apart(a, b) : 0 }
  }
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    if ((event.target as Element).closest('button, a')) return
    event.currentTarget.setPointerCapture(event.pointerId)
    fingers.current.set(event.pointerId, { x: event.clientX, y: event.clientY })
    setHeld(true)
    if (fingers.current.size === 1) way.current = null
    begin(latest.current)
  }
  const onPointerMove = (event: PointerEvent) => {
    if (!fingers.current.has(event.pointerId)) return
    fingers.current.set(event.pointerId, { x: event.clientX, y: event.clientY })
    const [a, b] = [...fingers.current.values()]
    if (!a) return
    const { view, at: from, apart: before } = start.current
    const to = b ? between(a, b) : a
    if (b && before > 0) {
      way.current = 'down'
      if (own) setView(pinched(view, { from, to, ratio: apart(a, b) / before }, own, screenSize()))
      return
    }
    const by = { x: to.x - from.x, y: to.y - from.y }
    if (Math.max(Math.abs(by.x), Math.abs(by.y)) > STILL)
      way.current ??= Math.abs(by.x) > Math.abs(by.y) ? 'across' : 'down'
    const isAcross = way.current === 'across' && (!own || fitsAcross(view, own, screenSize()))
    // Where there is no other picture this one follows with resistance.
    if (isAcross) setView({ ...view, x: on.canStep(by.x < 0 ? 1 : -1) ? by.x : by.x / 4 })
    else if (view.scale > 1) pan(view, by)
    else setView({ scale: 1, x: 0, y: Math.max(0, by.y) })
  }
  const onPointerUp = (event: PointerEvent) => {
    const finger = fingers.current.get(event.pointerId)
    if (!finger) return
    fingers.current.delete(event.pointerId)
    if (fingers.current.size > 0) return begin(latest.current)
    setHeld(false)
    const { view: before, at: from } = start.current
    const { scale, x, y } = latest.current
    const isMeant = event.type !== 'pointercancel'
    if (way.current === 'across' && (!own || fitsAcross(before, own, screenSize()))) {
      const by = x < 0 ? 1 : -1
      if (isMeant && Math.abs(x) > SWIPE_TO_STEP && on.canStep(by)) return on.step(by)
      return setView({ ...before, x: 0 })
    }
    if (scale === 1 && y > SWIPE_TO_CLOSE && isMeant) return on.close()
    if (scale <= 1) setView(whole)
    if (apart(finger, from) < STILL) tap(event.timeStamp, finger)
  }
  return {
    isHeld,
    handlers: { onPointerDown, onPointerMove, onPointerUp, onPointerCancel: onPointerUp },
  }
}

/** To be called at each tap with its time, ms, and its point; calls `onDouble` at every second one. */
function useDoubleTap(onDouble: (point: Point) => void): (at: number, point: Point) => void {
  const tappedAt = useRef(0)
  return (at, point) => {
    const isSecond = at - tappedAt.current < DOUBLE_TAP_MS
    tappedAt.current = isSecond ? 0 : at
    if (isSecond) onDouble(point)
  }
}
