/** How long after the finger has left a browser may still make a tap of it, ms. */
const TAP_WITHIN_MS = 350

/**
 * Swallows the tap that some browsers make of a finger that rested: it would fall on what just opened, and close it.
 * Called while the finger is still down.
 */
export function withoutItsTap(): void {
  const swallow = (event: Event) => {
    event.stopPropagation()
    event.preventDefault()
  }
  const left = () => {
    window.removeEventListener('pointerup', left)
    window.removeEventListener('pointercancel', left)
    setTimeout(() => window.removeEventListener('click', swallow, true), TAP_WITHIN_MS)
  }
  window.addEventListener('click', swallow, true)
  window.addEventListener('pointerup', left)
  window.addEventListener('pointercancel', left)
}
