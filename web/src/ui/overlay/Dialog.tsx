import { type ReactNode, useId } from 'react'
import { createPortal } from 'react-dom'
import { useText } from '../../kit/i18n.ts'
import { text } from '../../kit/text.ts'
import { Button } from '../Button.tsx'
import styles from './Dialog.module.css'
import modalStyles from './Modal.module.css'
import { useModal } from './useModal.ts'

/** A short question or notice in the middle of the screen. Without `onConfirm` its only button closes it. */
export function Dialog(props: {
  title: string
  message: string
  confirm: string
  /** In place of "cancel". */
  cancel?: string
  danger?: boolean
  onConfirm?: () => void
  onClose: () => void
  /** More, below the message. */
  children?: ReactNode
}) {
  const t = useText(text)
  const id = useId()
  const box = useModal(props.onClose)
  return createPortal(
    // biome-ignore lint/a11y/noStaticElementInteractions: a convenience; the buttons and Escape do the same
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape is handled by the dialog itself
    <div
      className={`${modalStyles.backdrop} ${modalStyles.centered}`}
      onClick={(event) => event.target === event.currentTarget && props.onClose()}
    >
      <div
        className={styles.dialog}
        role="alertdialog"
        aria-modal="true"
        aria-labelledby={id}
        aria-describedby={`${id}-text`}
        tabIndex={-1}
        ref={box}
      >
        <h2 className={styles.title} id={id}>
          {props.title}
        </h2>
        <p className={styles.text} id={`${id}-text`}>
          {props.message}
        </p>
        {props.children}
        <div className={styles.actions}>
          {props.onConfirm && (
            <Button kind="quiet" onPress={props.onClose}>
              {props.cancel ?? t.cancel}
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
