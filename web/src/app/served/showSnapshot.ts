/**
 * Stands in the page behind its root (`web/pages.ts` puts it there): shows a room as it looked last, in the
 * place of its skeleton, until the page's scripts have run (`start.tsx` ends it).
 * `whileConnected/snapshot.ts` keeps it. It imports nothing.
 */
import type { Snapshot } from '../../kit/browser/storage.ts'

;(() => {
  try {
    const { documentElement: html } = document
    const snapshot = JSON.parse(localStorage.getItem('snapshot') ?? 'null') as Snapshot | null
    const user = JSON.parse(localStorage.getItem('auth') ?? 'null') as { id: string } | null
    const root = document.getElementById('root')
    const room = root?.querySelector('[data-part=room]')
    if (
      !snapshot ||
      !root ||
      !room ||
      !localStorage.getItem('authorization') ||
      snapshot.me !== user?.id ||
      snapshot.path !== location.pathname + location.search ||
      snapshot.build !== html.dataset.build ||
      snapshot.locale !== html.lang ||
      snapshot.width !== innerWidth ||
      // In a native shell, or in another page, it is not known yet who is logged in.
      parent !== window ||
      'GuildhallNative' in window ||
      (window as { webkit?: { messageHandlers?: { guildhall?: unknown } } }).webkit?.messageHandlers
        ?.guildhall
    )
      return
    const style = document.createElement('style')
    style.id = 'snapshot-css'
    // Nothing moves in it.
    style.textContent = `${snapshot.css}#root *{animation:none!important;transition:none!important}`
    document.head.append(style)
    // It cannot be used before the page is there.
    root.setAttribute('inert', '')
    room.outerHTML = snapshot.html
    // Used once: a room that the user may not see any more is not kept again.
    localStorage.removeItem('snapshot')
    const messages = root.querySelector('[data-part=message-scroll]')
    if (messages) messages.scrollTop = messages.scrollHeight
  } catch {
    // Storage is refused, or holds something else: the skeleton stands.
  }
})()
