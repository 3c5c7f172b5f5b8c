import { type PointerEvent, useRef, useState } from 'react'
import { type MovedView, screenSize } from './useView.ts'
import { apart, between, type Point, pinched, tapped, type View, whole } from './view.ts'

/** Swipe distance that closes the picture, px. */
const SWIPE_TO_CLOSE = 96
/** Maximum time between the taps of a double tap, ms. */
const DOUBLE_TAP_MS = 300
/** Maximum movement of a tap, px. */
const STILL = 8

/** Fingers on the picture: they move it, enlarge it, and close it by a swipe down. `isHeld`: one is on it. */
export function useGestures({ own, latest, setView, pan }: MovedView, onClose: () => void) {
  const [isHeld, setHeld] = useState(false)
  const fingers = useRef(new Map<number, Point>())
  const start = useRef({ view: whole, at: { x: 0, y: 0 } as Point, apart: 0 })
  const tap = useDoubleTap(() => own && setView(tapped(latest.current, own, screenSize())))
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
      if (own) setView(pinched(view, { from, to, ratio: apart(a, b) / before }, own, screenSize()))
    } else if (view.scale > 1) pan(view, { x: to.x - from.x, y: to.y - from.y })
    else setView({ scale: 1, x: 0, y: Math.max(0, to.y - from.y) })
  }
  const onPointerUp = (event: PointerEvent) => {
    const finger = fingers.current.get(event.pointerId)
    if (!finger) return
    fingers.current.delete(event.pointerId)
    if (fingers.current.size > 0) return begin(latest.current)
    setHeld(false)
    const { scale, y } = latest.current
    if (scale === 1 && y > SWIPE_TO_CLOSE && event.type !== 'pointercancel') return onClose()
    if (scale <= 1) setView(whole)
    if (apart(finger, start.current.at) < STILL) tap(event.timeStamp)
  }
  return {
    isHeld,
    handlers: { onPointerDown, onPointerMove, onPointerUp, onPointerCancel: onPointerUp },
  }
}

/** To be called at each tap with its time, ms; calls `onDouble` at every second one. */
function useDoubleTap(onDouble: () => void): (at: number) => void {
  const tappedAt = useRef(0)
  return (at) => {
    const isSecond = at - tappedAt.current < DOUBLE_TAP_MS
    tappedAt.current = isSecond ? 0 : at
    if (isSecond) onDouble()
  }
}
