import { useLayoutEffect, useRef } from 'react'
import { useLayer } from './layers.ts'

const FOCUSABLE = 'a[href],button:not(:disabled),input:not(:disabled),textarea:not(:disabled),[tabindex="0"]'

/**
 * Keyboard and screen reader behaviour of a modal: it is the top layer, focus moves into it and cannot leave
 * by Tab, what is behind it is inert, and focus returns to where it was. Returns the ref of the modal's
 * element.
 */
export function useModal(onClose: () => void) {
  const box = useRef<HTMLDivElement>(null)
  useLayer(true, onClose)
  // What had the focus may have left the modal, as the page of a menu that another one replaces.
  useLayoutEffect(() => {
    const modal = box.current
    if (document.activeElement === document.body && !modal?.closest('[inert]'))
      modal?.focus({ preventScroll: true })
  })

  useLayoutEffect(() => {
    const modal = box.current
    if (!modal) return
    const focusedBefore = document.activeElement
    const behind = [...document.body.children].filter(
      (it) => !it.contains(modal) && !it.hasAttribute('inert'),
    )
    for (const it of behind) it.setAttribute('inert', '')
    const first = modal.querySelector<HTMLElement>('[data-first]') ?? modal
    first.focus({ preventScroll: true })

    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Tab' || modal.closest('[inert]')) return
      const focusable = [...modal.querySelectorAll<HTMLElement>(FOCUSABLE)]
      const [start, end] = [focusable[0], focusable[focusable.length - 1]]
      if (!start || !end) return
      const at = document.activeElement
      const isInside = at !== modal && modal.contains(at)
      if (isInside && at !== (event.shiftKey ? start : end)) return
      event.preventDefault()
      ;(event.shiftKey ? end : start).focus()
    }
    document.addEventListener('keydown', onKey)
    return () => {
      document.removeEventListener('keydown', onKey)
      for (const it of behind) it.removeAttribute('inert')
      if (focusedBefore instanceof HTMLElement) focusedBefore.focus({ preventScroll: true })
    }
  }, [])
  return box
}
