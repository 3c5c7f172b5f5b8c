import { type RefObject, useLayoutEffect, useRef } from 'react'
import { ReplyIcon } from '../../ui/icon/icons.tsx'
import styles from './Fingers.module.css'
import { rowAt } from './rowAt.ts'
import { followed, SWIPE_MEANT, scrollsAcross, wayOf } from './swipe.ts'
import type { ToolsProps } from './tools.ts'

/** A message under a finger. */
interface Swipe {
  readonly pointerId: number
  readonly x: number
  readonly y: number
  readonly element: HTMLElement
  readonly reply: () => void
  way: 'across' | null
  isMeant: boolean
}

/** A swipe to the left on a message follows the finger, and replies when it is released far enough. */
export function ReplySwipe(props: ToolsProps) {
  const { scroller } = props
  const sign = useRef<HTMLSpanElement>(null)
  const latest = useRef(props)
  latest.current = props
  useLayoutEffect(() => followFingers(scroller, sign, latest), [scroller])
  return (
    <span ref={sign} className={styles.sign} data-part="swipe-sign" aria-hidden="true" hidden>
      <ReplyIcon size={20} />
    </span>
  )
}

function followFingers(
  scroller: RefObject<HTMLElement | null>,
  sign: RefObject<HTMLElement | null>,
  latest: RefObject<ToolsProps>,
): (() => void) | undefined {
  const list = scroller.current
  const mark = sign.current
  if (!list || !mark) return
  let swipe: Swipe | null = null
  const end = () => {
    if (!swipe) return
    const { element } = swipe
    element.removeAttribute('data-swiped')
    element.style.transform = ''
    mark.hidden = true
    swipe = null
  }
  const down = (event: PointerEvent) => {
    // A second finger is no swipe.
    if (swipe || event.pointerType === 'mouse') return end()
    const { rows, rights, onReply } = latest.current
    const found = rowAt(event.target as Element, rows)
    if (!found || !rights.canSend || scrollsAcross(event.target as Element, list)) return
    swipe = {
      pointerId: event.pointerId,
      x: event.clientX,
      y: event.clientY,
      element: found.element,
      reply: () => onReply(found.row.message),
      way: null,
      isMeant: false,
    }
  }
  const move = (event: PointerEvent) => {
    if (!swipe || event.pointerId !== swipe.pointerId) return
    const dx = event.clientX - swipe.x
    if (!swipe.way) {
      const way = wayOf(dx, event.clientY - swipe.y, -1)
      if (way === 'other') return end()
      if (way === null) return
      swipe.way = way
      begin(swipe.element, mark, list)
    }
    const isMeant = -dx >= SWIPE_MEANT
    if (isMeant && !swipe.isMeant) navigator.vibrate?.(10)
    swipe.isMeant = isMeant
    swipe.element.style.transform = `translateX(${-followed(-dx)}px)`
    mark.style.opacity = String(Math.min(1, Math.max(0, -dx) / SWIPE_MEANT))
    mark.toggleAttribute('data-meant', isMeant)
  }
  const up = (event: PointerEvent) => {
    if (event.pointerId !== swipe?.pointerId) return
    const done = event.type === 'pointerup' && swipe.isMeant ? swipe.reply : null
    end()
    done?.()
  }
  list.addEventListener('pointerdown', down)
  list.addEventListener('pointermove', move)
  list.addEventListener('pointerup', up)
  list.addEventListener('pointercancel', up)
  return () => {
    end()
    list.removeEventListener('pointerdown', down)
    list.removeEventListener('pointermove', move)
    list.removeEventListener('pointerup', up)
    list.removeEventListener('pointercancel', up)
  }
}

/** The message moves from here on, and the sign stands where it was. */
function begin(element: HTMLElement, mark: HTMLElement, list: HTMLElement): void {
  element.setAttribute('data-swiped', '')
  const { top, height } = element.getBoundingClientRect()
  const around = list.parentElement?.getBoundingClientRect().top ?? 0
  mark.style.top = `${top - around + height / 2}px`
  mark.hidden = false
}
