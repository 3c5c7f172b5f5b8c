import { type RefObject, useLayoutEffect } from 'react'
import { isMac } from '../../kit/browser/command.ts'
import { left } from '../../ui/page/useEntrance.ts'
import styles from './Fingers.module.css'
import { scrollsAcross, wayOf } from './swipe.ts'

/** Where a drag may begin, from the left edge, px. */
const EDGE = 40
/** Of the screen's width: released beyond it, the room goes. */
const GOES_FROM = 0.35
/** How long it takes to go or come back, ms. */
const SETTLE_MS = 160

/**
 * A drag from the left edge takes the room along, and back to the list as the bar's arrow does when it is
 * released far enough. Not where the system has such a gesture of its own: on Apple's phones and tablets.
 */
export function useEdgeDrag(scroller: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const list = scroller.current
    // A screen of an Apple computer has no fingers on it: it is a tablet that says so.
    return list && !isMac ? dragEdge(list) : undefined
  }, [scroller])
}

/** The list as it was left, below the room; null: the room was opened without it. */
function drawList(page: HTMLElement): HTMLElement | null {
  if (!left.list) return null
  const below = document.createElement('div')
  below.className = styles.below ?? ''
  below.inert = true
  below.setAttribute('aria-hidden', 'true')
  below.append(left.list.cloneNode(true))
  page.before(below)
  for (const it of below.querySelectorAll<HTMLElement>('[data-top]')) it.scrollTop = Number(it.dataset.top)
  return below
}

function dragEdge(list: HTMLElement): () => void {
  const page = list.closest('main')?.parentElement
  let drag: { readonly id: number; readonly x: number; readonly y: number; isOn: boolean } | null = null
  let below: HTMLElement | null = null
  const put = (x: number, isSettling = false) => {
    if (!page) return
    if (x > 0) below ??= drawList(page)
    else {
      const gone = below
      below = null
      // It stays until the room covers it again.
      setTimeout(() => gone?.remove(), isSettling ? SETTLE_MS : 0)
    }
    const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches
    page.style.transition = isSettling && !isStill ? `transform ${SETTLE_MS}ms ease-out` : ''
    page.style.transform = x > 0 ? `translateX(${x}px)` : ''
    page.toggleAttribute('data-dragged', x > 0)
  }
  const arrow = () => page?.querySelector<HTMLElement>('header[data-back] > button') ?? null
  const down = (event: PointerEvent) => {
    if (drag?.isOn) put(0, true)
    const isHere = event.pointerType === 'touch' && event.clientX <= EDGE && !drag && arrow() !== null
    const isFree = isHere && !scrollsAcross(event.target as Element, list)
    drag = isFree ? { id: event.pointerId, x: event.clientX, y: event.clientY, isOn: false } : null
  }
  const move = (event: PointerEvent) => {
    if (event.pointerId !== drag?.id) return
    const dx = event.clientX - drag.x
    if (!drag.isOn) {
      const way = wayOf(dx, event.clientY - drag.y, 1)
      if (way === 'other') drag = null
      if (way !== 'across' || !drag) return
      drag.isOn = true
    }
    put(Math.max(1, dx))
  }
  const up = (event: PointerEvent) => {
    if (event.pointerId !== drag?.id) return
    const { isOn, x } = drag
    drag = null
    if (!isOn) return
    const goes = event.type === 'pointerup' && event.clientX - x > innerWidth * GOES_FROM
    put(goes ? innerWidth : 0, true)
    if (!goes) return
    setTimeout(() => {
      arrow()?.click()
      // Where it leads nowhere, the room comes back.
      setTimeout(() => put(0), SETTLE_MS)
    }, SETTLE_MS)
  }
  list.addEventListener('pointerdown', down)
  list.addEventListener('pointermove', move)
  list.addEventListener('pointerup', up)
  list.addEventListener('pointercancel', up)
  return () => {
    put(0)
    list.removeEventListener('pointerdown', down)
    list.removeEventListener('pointermove', move)
    list.removeEventListener('pointerup', up)
    list.removeEventListener('pointercancel', up)
  }
}
