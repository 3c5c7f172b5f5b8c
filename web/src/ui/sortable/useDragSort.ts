import { type PointerEvent, type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { suppressGhostClick } from '../overlay/suppressGhostClick.ts'
import { boxesOf, type Drag, landing, type Span } from './landing.ts'

/** How long a finger rests on a row until it drags it, ms, and how far it may move meanwhile, px. */
const HOLD_MS = 400
const STRAY = 10
/** Nearer to an edge of the window than this, px, it scrolls by so much a frame. */
const EDGE = 88
const SCROLL = 9

/**
 * Dragging the rows of a list: `grip` starts at once, which is for handles; `hold` with a finger that rests.
 * What takes part is in `spansOf` the dragged row, each with those rows that travel with it. `onDrop` gets
 * the row, and the last row that it passed. Escape leaves all where it was.
 */
export function useDragSort(
  list: RefObject<HTMLElement | null>,
  spansOf: (from: number) => readonly Span[],
  onDrop: (from: number, to: number) => void,
) {
  const [drag, setDrag] = useState<Drag | null>(null)
  const stop = useRef<(() => void) | null>(null)
  const latest = useRef({ onDrop, spansOf })
  latest.current = { onDrop, spansOf }
  useLayoutEffect(() => {
    const element = list.current
    // Otherwise the browser scrolls, and takes the finger away. It must be there before the finger comes.
    const keep = (event: TouchEvent) => stop.current && event.cancelable && event.preventDefault()
    element?.addEventListener('touchmove', keep, { passive: false })
    return () => {
      element?.removeEventListener('touchmove', keep)
      stop.current?.()
    }
  }, [list])

  const begin = (from: number, startY: number) => {
    const rows = [...(list.current?.children ?? [])].map((row) => row.getBoundingClientRect())
    const spans = latest.current.spansOf(from)
    const own = spans.findIndex(([first]) => first === from)
    if (own < 0) return
    const boxes = boxesOf(rows, spans)
    const { height = 0 } = boxes[own] ?? {}
    const scrolled = window.scrollY
    let y = startY
    let now: Drag = { spans, own, to: own, by: 0, height }
    const show = () => {
      const by = y - startY + window.scrollY - scrolled
      now = { ...now, to: landing(boxes, own, by), by }
      setDrag(now)
    }
    const scroll = () => {
      const step = y < EDGE ? -SCROLL : y > window.innerHeight - EDGE ? SCROLL : 0
      if (step !== 0) window.scrollBy(0, step)
      if (step !== 0) show()
      frame = requestAnimationFrame(scroll)
    }
    let frame = requestAnimationFrame(scroll)
    const leave = listen({
      pointermove(event) {
        y = event.clientY
        show()
      },
      pointerup: () => end(true),
      pointercancel: () => end(false),
      keydown: (event) => event.key === 'Escape' && end(false),
    })
    const end = (isDropped: boolean) => {
      leave()
      cancelAnimationFrame(frame)
      stop.current = null
      setDrag(null)
      const passed = spans[now.to]?.[now.to > own ? 1 : 0]
      if (isDropped && now.to !== own && passed !== undefined) latest.current.onDrop(from, passed)
    }
    stop.current = () => end(false)
    show()
  }

  const grip = (event: PointerEvent, from: number) => {
    if (event.button === 0 && !stop.current) begin(from, event.clientY)
  }
  const hold = (event: PointerEvent, from: number) => {
    if (event.pointerType === 'mouse' || stop.current) return
    whenRested(event, () => {
      suppressGhostClick()
      begin(from, event.clientY)
    })
  }
  return { drag, grip, hold }
}

/** Calls when the finger that came down stays where it is for a moment. */
function whenRested({ clientX, clientY }: PointerEvent, act: () => void): void {
  const timer = setTimeout(() => {
    stopListening()
    act()
  }, HOLD_MS)
  const leave = () => {
    clearTimeout(timer)
    stopListening()
  }
  const stopListening = listen({
    pointermove: (now) => Math.hypot(now.clientX - clientX, now.clientY - clientY) > STRAY && leave(),
    pointerup: leave,
    pointercancel: leave,
  })
}

type Listeners = { readonly [Name in keyof WindowEventMap]?: (event: WindowEventMap[Name]) => unknown }

/** Listens to the window. Returns the function that ends this: the oldest browsers know no `signal` here. */
function listen(listeners: Listeners): () => void {
  const all = Object.entries(listeners) as [string, EventListener][]
  for (const [name, listener] of all) window.addEventListener(name, listener)
  return () => {
    for (const [name, listener] of all) window.removeEventListener(name, listener)
  }
}
