import { TOAST_MS } from '@guildhall/wire/limit.ts'
import { useSyncExternalStore } from 'react'
import { onMessage } from '../kit/call.ts'
import styles from './Toast.module.css'

let state: { id: number; message: string } | null = null
let timer: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()

function show(next: typeof state): void {
  state = next
  for (const listener of listeners) listener()
}

/** Shows a message for two seconds; a new one replaces it. chat.md §8. */
export function toast(message: string): void {
  // The failure of a call whose captcha was closed has no words.
  if (message === '') return
  clearTimeout(timer)
  show({ id: (state?.id ?? 0) + 1, message })
  timer = setTimeout(() => show(null), TOAST_MS)
}

onMessage(toast)

/** The live region of toasts, one per page. It is always present, so that screen readers announce what is added. */
export function Toasts() {
  const current = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => state,
  )
  return (
    <div className={styles.toasts} role="status" aria-live="polite">
      {current && (
        <p className={styles.toast} key={current.id}>
          {current.message}
        </p>
      )}
    </div>
  )
}
