import { TOAST_MS } from '@guildhall/wire/limit.ts'
import { useSyncExternalStore } from 'react'
import styles from './Toast.module.css'

let shown: { id: number; words: string } | null = null
let timer: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()

function change(next: typeof shown): void {
  shown = next
  for (const listener of listeners) listener()
}

/** Says something for two seconds; a new one replaces the old. chat.md §8. */
export function toast(words: string): void {
  clearTimeout(timer)
  change({ id: (shown?.id ?? 0) + 1, words })
  timer = setTimeout(() => change(null), TOAST_MS)
}

/** Where toasts appear. One per page; the region is always there, so that screen readers hear what enters it. */
export function Toasts() {
  const now = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => shown,
  )
  return (
    <div className={styles.toasts} role="status" aria-live="polite">
      {now && (
        <p className={styles.toast} key={now.id}>
          {now.words}
        </p>
      )}
    </div>
  )
}
