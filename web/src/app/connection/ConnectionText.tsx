import { useText } from '../../kit/i18n.ts'
import { text as common } from '../../kit/text.ts'
import { OfflineIcon } from '../../ui/icon/icons.tsx'
import { Spinner } from '../../ui/state/Spinner.tsx'
import { text } from '../text.ts'
import styles from './ConnectionBar.module.css'

/** What is going on while there is no connection. Without a network it offers to try again. */
export function ConnectionText(props: {
  state: 'offline' | 'reconnecting' | 'connecting'
  onRetry: () => void
}) {
  const t = useText(text)
  const tCommon = useText(common)
  const isOffline = props.state === 'offline'
  return (
    <p className={styles.connectionText} data-part="connection-text">
      {isOffline ? <OfflineIcon size={16} /> : <Spinner size={14} />}
      {t[props.state]}
      {isOffline && (
        <button type="button" className={styles.connectionRetry} onClick={props.onRetry}>
          {tCommon.retry}
        </button>
      )}
    </p>
  )
}
