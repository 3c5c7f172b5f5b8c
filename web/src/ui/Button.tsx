import type { ButtonHTMLAttributes, ReactNode } from 'react'
import styles from './Button.module.css'
import { Spinner } from './state/Spinner.tsx'

type ButtonKind = 'main' | 'soft' | 'quiet' | 'danger' | 'plain'

/** The classes of a button, for links that look like one. `block` takes the whole width. */
export function buttonClass(kind: ButtonKind, block = false): string {
  return `${styles.button} ${styles[kind]}${block ? ` ${styles.block}` : ''}`
}

/** A button with a text. `busy` shows the spinner, keeps the width and ignores further clicks. */
export function Button({
  kind = 'main',
  busy = false,
  block = false,
  onPress,
  children,
  ...rest
}: {
  kind?: ButtonKind
  busy?: boolean
  block?: boolean
  onPress?: () => void
  children: ReactNode
} & Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'onClick'>) {
  return (
    <button
      type="button"
      className={buttonClass(kind, block)}
      aria-disabled={busy || undefined}
      onClick={busy ? (event) => event.preventDefault() : onPress}
      {...rest}
    >
      {busy && <Spinner size={18} />}
      {children}
    </button>
  )
}
