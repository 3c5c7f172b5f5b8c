/** How long after the finger is lifted a browser may still dispatch the click, ms. */
const GHOST_CLICK_WITHIN_MS = 350

/**
 * Suppresses the click that some browsers dispatch after a long press: it would hit what the long press just
 * opened, and close it. Call it while the finger is still down. The next touch is a new one, and its click
 * counts.
 */
export function suppressGhostClick(): void {
  const suppress = (event: Event) => {
    event.stopPropagation()
    event.preventDefault()
  }
  const stop = () => {
    window.removeEventListener('click', suppress, true)
    window.removeEventListener('pointerdown', stop, true)
    window.removeEventListener('pointerup', onRelease)
    window.removeEventListener('pointercancel', onRelease)
  }
  const onRelease = () => setTimeout(stop, GHOST_CLICK_WITHIN_MS)
  window.addEventListener('click', suppress, true)
  window.addEventListener('pointerdown', stop, true)
  window.addEventListener('pointerup', onRelease)
  window.addEventListener('pointercancel', onRelease)
}
