/** How long after the finger is lifted a browser may still dispatch the click, ms. */
const GHOST_CLICK_WITHIN_MS = 350

/**
 * Suppresses the click that some browsers dispatch after a long press: it would hit what the long press just opened,
 * and close it. Call it while the finger is still down.
 */
export function suppressGhostClick(): void {
  const suppress = (event: Event) => {
    event.stopPropagation()
    event.preventDefault()
  }
  const onRelease = () => {
    window.removeEventListener('pointerup', onRelease)
    window.removeEventListener('pointercancel', onRelease)
    setTimeout(() => window.removeEventListener('click', suppress, true), GHOST_CLICK_WITHIN_MS)
  }
  window.addEventListener('click', suppress, true)
  window.addEventListener('pointerup', onRelease)
  window.addEventListener('pointercancel', onRelease)
}
