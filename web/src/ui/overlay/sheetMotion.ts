/** How a sheet follows the finger and how it leaves. */

/** How far a sheet must be pulled down to close, px. */
const CLOSE_PULL_PX = 96
/** As long as the animation of `data-leaving` in Modal.module.css, ms. */
const LEAVE_MS = 180

/**
 * Whether a finger at `target` pulls the sheet: nothing between them is scrolled, and no text is edited or
 * chosen there.
 */
function isPullable(target: Element, sheet: Element): boolean {
  if (target.closest('input,textarea,[data-selects]')) return false
  for (let it: Element | null = target; it && it !== sheet; it = it.parentElement)
    if (it.scrollTop > 0) return false
  return true
}

/** Lets a finger pull the sheet down by its whole surface, as long as the sheet exists. */
export function onPullDown(sheet: HTMLElement, onClose: () => void): void {
  /** Where the finger came down; null: it does not pull. */
  let from: Touch | null = null
  let isPulling = false
  let by = 0

  const move = (px: number, isHeld: boolean) => {
    by = px
    sheet.style.transform = px === 0 ? '' : `translateY(${px}px)`
    sheet.toggleAttribute('data-held', isHeld)
  }
  const onStart = (event: TouchEvent) => {
    const one = event.touches.length === 1 ? event.touches[0] : null
    from = one && isPullable(event.target as Element, sheet) ? one : null
    isPulling = false
  }
  const onMove = (event: TouchEvent) => {
    const now = event.touches[0]
    if (!from || !now) return
    const down = now.clientY - from.clientY
    if (!isPulling && down <= Math.abs(now.clientX - from.clientX)) from = null
    if (!from) return
    isPulling = true
    // Otherwise the browser scrolls, and takes the finger away.
    if (event.cancelable) event.preventDefault()
    move(Math.max(0, down), true)
  }
  const onEnd = () => {
    from = null
    if (!isPulling) return
    isPulling = false
    if (by > CLOSE_PULL_PX) onClose()
    else move(0, false)
  }
  sheet.addEventListener('touchstart', onStart, { passive: true })
  sheet.addEventListener('touchmove', onMove, { passive: false })
  sheet.addEventListener('touchend', onEnd)
  sheet.addEventListener('touchcancel', onEnd)
}

/** Shows how a sheet leaves that is removed now: a copy of it, which nothing can reach. */
export function leaveAnimated(sheet: HTMLElement): void {
  const backdrop = sheet.parentElement
  if (!backdrop?.getAnimations) return
  const copy = backdrop.cloneNode(true) as HTMLElement
  for (const it of copy.querySelectorAll('*'))
    for (const name of ['id', 'name', 'role', 'aria-label', 'aria-modal', 'data-part'])
      it.removeAttribute(name)
  copy.setAttribute('inert', '')
  copy.setAttribute('aria-hidden', 'true')
  copy.dataset.leaving = ''
  document.body.append(copy)
  const scrolled = sheet.lastElementChild
  if (scrolled) copy.firstElementChild!.lastElementChild!.scrollTop = scrolled.scrollTop
  setTimeout(() => copy.remove(), LEAVE_MS)
}
