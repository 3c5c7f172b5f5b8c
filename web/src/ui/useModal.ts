import { useEffect, useRef } from 'react'

const FOCUSABLE = 'a[href],button:not(:disabled),input:not(:disabled),textarea:not(:disabled),[tabindex="0"]'

/**
 * Keyboard and screen reader behaviour of a modal: focus moves into it and cannot leave by Tab, Escape closes it,
 * the page behind it is inert, and focus returns to where it was. Returns the ref of the modal's element.
 */
export function useModal(onClose: () => void) {
  const box = useRef<HTMLDivElement>(null)
  const close = useRef(onClose)
  close.current = onClose

  useEffect(() => {
    const modal = box.current
    if (!modal) return
    const focusedBefore = document.activeElement
    const root = document.getElementById('root')
    const first = modal.querySelector<HTMLElement>('[data-first]') ?? modal
    first.focus({ preventScroll: true })
    root?.setAttribute('inert', '')

    const onKey = (event: KeyboardEvent) => {
      if (event.isComposing) return
      if (event.key === 'Escape') {
        event.stopPropagation()
        close.current()
      }
      if (event.key !== 'Tab') return
      const focusable = [...modal.querySelectorAll<HTMLElement>(FOCUSABLE)]
      const [start, end] = [focusable[0], focusable.at(-1)]
      if (!start || !end) return
      const at = document.activeElement
      if (event.shiftKey ? at === start || at === modal : at === end) {
        event.preventDefault()
        ;(event.shiftKey ? end : start).focus()
      }
    }
    modal.addEventListener('keydown', onKey)
    return () => {
      modal.removeEventListener('keydown', onKey)
      // A sheet opened from a sheet leaves the page inert until the last one closes.
      if (document.querySelectorAll('[aria-modal="true"]').length <= 1) root?.removeAttribute('inert')
      if (focusedBefore instanceof HTMLElement) focusedBefore.focus({ preventScroll: true })
    }
  }, [])
  return box
}
