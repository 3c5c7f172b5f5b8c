import { type ReactNode, useId, useLayoutEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import { useText } from '../../kit/i18n.ts'
import { text } from '../../kit/text.ts'
import { IconButton } from '../IconButton.tsx'
import { CloseIcon } from '../icon/icon.tsx'
import modalStyles from './Modal.module.css'
import styles from './Sheet.module.css'
import { useModal } from './useModal.ts'

/**
 * How sheets move is not needed before one is open; without a network they are opened and closed without it.
 */
const loadMotion = () => import('./sheetMotion.ts').catch(() => null)

/**
 * A modal sheet at the bottom of the screen. Closed by its button, a tap outside, Back, Escape, or pulling it
 * down. `popover`: at a desk it opens at the pointer, as menus do.
 */
export function Sheet(props: {
  title: string
  popover?: 'menu' | 'wide' | 'tall'
  onClose: () => void
  children: ReactNode
}) {
  const t = useText(text)
  const id = useId()
  const { onClose } = props
  const box = useModal(onClose)
  const latest = useRef(onClose)
  latest.current = onClose
  useLayoutEffect(() => {
    const sheet = box.current
    if (!sheet) return
    let leave = () => {}
    let isThere = true
    void loadMotion().then((motion) => {
      if (!motion || !isThere) return
      motion.onPullDown(sheet, () => latest.current())
      leave = () => motion.leaveAnimated(sheet)
    })
    return () => {
      isThere = false
      leave()
    }
  }, [box])

  return createPortal(
    // biome-ignore lint/a11y/noStaticElementInteractions: a convenience; the close button and Escape do the same
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape is handled by the dialog itself
    <div
      className={modalStyles.backdrop}
      data-popover={props.popover}
      onClick={(event) => event.target === event.currentTarget && onClose()}
    >
      <div
        className={styles.sheet}
        role="dialog"
        aria-modal="true"
        aria-labelledby={id}
        tabIndex={-1}
        ref={box}
      >
        <div className={styles.head}>
          <h2 className={styles.title} id={id}>
            {props.title}
          </h2>
          <IconButton label={t.close} onPress={onClose}>
            <CloseIcon size={20} />
          </IconButton>
        </div>
        <div className={styles.body}>{props.children}</div>
      </div>
    </div>,
    document.body,
  )
}
