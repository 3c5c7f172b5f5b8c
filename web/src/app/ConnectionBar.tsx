import { useSyncExternalStore } from 'react'
import { useText } from '../kit/i18n.ts'
import { text as common } from '../kit/text.ts'
import { OfflineIcon } from '../ui/icons.tsx'
import { Spinner } from '../ui/Spinner.tsx'
import styles from './ConnectionBar.module.css'
import { connection } from './composition.ts'
import { text } from './text.ts'

/**
 * The state of the connection above the page, and a way to try again, while it is not connected. `isCutOff`: the address of
 * the gateway could not be loaded; `onRetry` loads it again. chat.md §2.
 */
export function ConnectionBar({ isCutOff, onRetry }: { isCutOff: boolean; onRetry: () => void }) {
  const t = useText(text)
  const tCommon = useText(common)
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
        <p className={styles.connectionText} data-part="connection-text">
          {isOffline ? <OfflineIcon size={16} /> : <Spinner size={14} />}
          {isOffline ? t.offline : hasConnected ? t.reconnecting : t.connecting}
          {isOffline && (
            <button
              type="button"
              className={styles.connectionRetry}
              onClick={isCutOff ? onRetry : connection.retry}
            >
              {tCommon.retry}
            </button>
          )}
        </p>
      )}
    </div>
  )
}
