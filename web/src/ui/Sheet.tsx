import { type PointerEvent, type ReactNode, useId, useRef } from 'react'
import { createPortal } from 'react-dom'
import { useText } from '../kit/i18n.ts'
import { text } from '../kit/text.ts'
import { IconButton } from './IconButton.tsx'
import { CloseIcon } from './icons.tsx'
import modalStyles from './Modal.module.css'
import styles from './Sheet.module.css'
import { useModal } from './useModal.ts'

/** How far a sheet must be dragged down to close, px. */
const CLOSE_DRAG_PX = 96

/** A modal sheet at the bottom of the screen. Closed by its button, a tap outside, Escape, or dragging its head down. */
export function Sheet(props: { title: string; onClose: () => void; children: ReactNode }) {
  const t = useText(text)
  const id = useId()
  const box = useModal(props.onClose)
  const drag = useRef<{ startY: number; by: number } | null>(null)

  const moveSheet = (by: number | null) => {
    if (!box.current) return
    box.current.style.transform = by === null ? '' : `translateY(${by}px)`
    box.current.dataset.dragged = String(by !== null)
  }
  const onDown = (event: PointerEvent<HTMLElement>) => {
    if ((event.target as Element).closest('button')) return
    drag.current = { startY: event.clientY, by: 0 }
    event.currentTarget.setPointerCapture(event.pointerId)
  }
  const onMove = (event: PointerEvent) => {
    if (!drag.current) return
    drag.current.by = Math.max(0, event.clientY - drag.current.startY)
    moveSheet(drag.current.by)
  }
  const onUp = () => {
    const by = drag.current?.by ?? 0
    drag.current = null
    moveSheet(null)
    if (by > CLOSE_DRAG_PX) props.onClose()
  }

  return createPortal(
    // biome-ignore lint/a11y/noStaticElementInteractions: a convenience; the close button and Escape do the same
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape is handled by the dialog itself
    <div
      className={modalStyles.backdrop}
      onClick={(event) => event.target === event.currentTarget && props.onClose()}
    >
      <div
        className={styles.sheet}
        role="dialog"
        aria-modal="true"
        aria-labelledby={id}
        tabIndex={-1}
        ref={box}
      >
        <div
          className={styles.head}
          onPointerDown={onDown}
          onPointerMove={onMove}
          onPointerUp={onUp}
          onPointerCancel={onUp}
        >
          <h2 className={styles.title} id={id}>
            {props.title}
          </h2>
          <IconButton label={t.close} onPress={props.onClose}>
            <CloseIcon size={20} />
          </IconButton>
        </div>
        <div className={styles.body}>{props.children}</div>
      </div>
    </div>,
    document.body,
  )
}
