import { type PointerEvent, type ReactNode, useEffect, useId, useRef } from 'react'
import { createPortal } from 'react-dom'
import { useText } from '../kit/i18n.ts'
import { text } from '../kit/text.ts'
import { CloseIcon } from './icons.tsx'
import { Button, IconButton } from './parts.tsx'

const FOCUSABLE = 'a[href],button:not(:disabled),input:not(:disabled),textarea:not(:disabled),[tabindex="0"]'

/**
 * What a modal owes to keyboards and screen readers: focus moves in, cannot leave by Tab, Escape closes, the page
 * behind is inert, and focus returns to where it was.
 */
export function useModal(onClose: () => void) {
  const box = useRef<HTMLDivElement>(null)
  const close = useRef(onClose)
  close.current = onClose

  useEffect(() => {
    const here = box.current
    if (!here) return
    const before = document.activeElement
    const root = document.getElementById('root')
    const first = here.querySelector<HTMLElement>('[data-first]') ?? here
    first.focus({ preventScroll: true })
    root?.setAttribute('inert', '')

    const onKey = (event: KeyboardEvent) => {
      if (event.isComposing) return
      if (event.key === 'Escape') {
        event.stopPropagation()
        close.current()
      }
      if (event.key !== 'Tab') return
      const stops = [...here.querySelectorAll<HTMLElement>(FOCUSABLE)]
      const [start, end] = [stops[0], stops.at(-1)]
      if (!start || !end) return
      const at = document.activeElement
      if (event.shiftKey ? at === start || at === here : at === end) {
        event.preventDefault()
        ;(event.shiftKey ? end : start).focus()
      }
    }
    here.addEventListener('keydown', onKey)
    return () => {
      here.removeEventListener('keydown', onKey)
      // A sheet opened from a sheet leaves the page inert until the last one closes.
      if (document.querySelectorAll('[aria-modal="true"]').length <= 1) root?.removeAttribute('inert')
      if (before instanceof HTMLElement) before.focus({ preventScroll: true })
    }
  }, [])
  return box
}

/** How far, px, a sheet must be pulled down to close. */
const PULL_TO_CLOSE = 96

/** A sheet that rises from the bottom. Closes by its button, a tap outside, Escape, or a pull on its head. */
export function Sheet(props: { title: string; onClose: () => void; children: ReactNode }) {
  const t = useText(text)
  const id = useId()
  const box = useModal(props.onClose)
  const held = useRef<{ y: number; by: number } | null>(null)

  const move = (by: number | null) => {
    if (!box.current) return
    box.current.style.transform = by === null ? '' : `translateY(${by}px)`
    box.current.dataset.held = String(by !== null)
  }
  const onDown = (event: PointerEvent<HTMLElement>) => {
    if ((event.target as Element).closest('button')) return
    held.current = { y: event.clientY, by: 0 }
    event.currentTarget.setPointerCapture(event.pointerId)
  }
  const onMove = (event: PointerEvent) => {
    if (!held.current) return
    held.current.by = Math.max(0, event.clientY - held.current.y)
    move(held.current.by)
  }
  const onUp = () => {
    const by = held.current?.by ?? 0
    held.current = null
    move(null)
    if (by > PULL_TO_CLOSE) props.onClose()
  }

  return createPortal(
    // biome-ignore lint/a11y/noStaticElementInteractions: a convenience; the close button and Escape do the same
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape is handled by the dialog itself
    <div className="veil" onClick={(event) => event.target === event.currentTarget && props.onClose()}>
      <div className="sheet" role="dialog" aria-modal="true" aria-labelledby={id} tabIndex={-1} ref={box}>
        <div
          className="sheet-head"
          onPointerDown={onDown}
          onPointerMove={onMove}
          onPointerUp={onUp}
          onPointerCancel={onUp}
        >
          <h2 className="sheet-title" id={id}>
            {props.title}
          </h2>
          <IconButton label={t.close} onPress={props.onClose}>
            <CloseIcon size={20} />
          </IconButton>
        </div>
        <div className="sheet-body">{props.children}</div>
      </div>
    </div>,
    document.body,
  )
}

/** A short question or notice in the middle. Without `onConfirm` the one button just closes. */
export function Dialog(props: {
  title: string
  words: string
  confirm: string
  danger?: boolean
  onConfirm?: () => void
  onClose: () => void
}) {
  const t = useText(text)
  const id = useId()
  const box = useModal(props.onClose)
  return createPortal(
    // biome-ignore lint/a11y/noStaticElementInteractions: a convenience; the buttons and Escape do the same
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape is handled by the dialog itself
    <div
      className="veil veil-center"
      onClick={(event) => event.target === event.currentTarget && props.onClose()}
    >
      <div
        className="dialog"
        role="alertdialog"
        aria-modal="true"
        aria-labelledby={id}
        aria-describedby={`${id}-words`}
        tabIndex={-1}
        ref={box}
      >
        <h2 className="dialog-title" id={id}>
          {props.title}
        </h2>
        <p className="dialog-words" id={`${id}-words`}>
          {props.words}
        </p>
        <div className="dialog-actions">
          {props.onConfirm && (
            <Button kind="quiet" onPress={props.onClose}>
              {t.cancel}
            </Button>
          )}
          <Button kind={props.danger ? 'danger' : 'main'} onPress={props.onConfirm ?? props.onClose}>
            {props.confirm}
          </Button>
        </div>
      </div>
    </div>,
    document.body,
  )
}
