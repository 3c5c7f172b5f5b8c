import { TOAST_MS, TOASTS_MAX } from '@guildhall/wire/limit.ts'
import { useSyncExternalStore } from 'react'
import { onMessage } from '../../kit/call.ts'
import { createListeners } from '../../kit/listeners.ts'
import styles from './Toast.module.css'

interface Shown {
  readonly id: number
  readonly message: string
}

let shown: readonly Shown[] = []
let last = 0
const listeners = createListeners()

function show(next: typeof shown): void {
  shown = next
  listeners.notify()
}

/**
 * Shows a message for two seconds, five at once at most; one that is shown already begins anew. chat.md §8,
 * commerce.md §9.
 */
export function toast(message: string): void {
  // The failure of a call whose captcha was closed has no words.
  if (message === '') return
  last += 1
  const id = last
  const others = shown.filter((it) => it.message !== message)
  show([...others.slice(1 - TOASTS_MAX), { id, message }])
  setTimeout(() => show(shown.filter((it) => it.id !== id)), TOAST_MS)
}

onMessage(toast)

/**
 * The live region of toasts, one per page. It is always present, so that screen readers announce what is
 * added.
 */
export function Toasts() {
  const current = useSyncExternalStore(listeners.subscribe, () => shown)
  return (
    <div className={styles.toasts} role="status" aria-live="polite">
      {current.map(({ id, message }) => (
        <p className={styles.toast} key={id}>
          {message}
        </p>
      ))}
    </div>
  )
}
