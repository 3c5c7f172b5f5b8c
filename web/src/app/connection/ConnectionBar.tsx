import { useSyncExternalStore } from 'react'
import { connection } from '../composition.ts'
import styles from './ConnectionBar.module.css'
import { ConnectionText } from './ConnectionText.tsx'

/**
 * The state of the connection above the page, and a way to try again, while it is not connected. `isCutOff`:
 * the address of the gateway could not be loaded; `onRetry` loads it again. chat.md §2.
 */
export function ConnectionBar({ isCutOff, onRetry }: { isCutOff: boolean; onRetry: () => void }) {
  const status = useSyncExternalStore(connection.subscribe, connection.status)
  const hasConnected = useSyncExternalStore(connection.subscribe, connection.hasConnected)
  const isOffline = isCutOff || status === 'offline'
  return (
    <div
      className={styles.connection}
      role="status"
      data-face={status}
      data-first={(!hasConnected && !isOffline) || undefined}
    >
      {status !== 'connected' && (
        <ConnectionText
          state={isOffline ? 'offline' : hasConnected ? 'reconnecting' : 'connecting'}
          onRetry={isCutOff ? onRetry : connection.retry}
        />
      )}
    </div>
  )
}
