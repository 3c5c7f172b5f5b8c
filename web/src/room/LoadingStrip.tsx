import type { CallFailure } from '../kit/call.ts'
import { useText } from '../kit/i18n.ts'
import { text } from '../roomStore/text.ts'
import { Button } from '../ui/Button.tsx'
import { Spinner } from '../ui/Spinner.tsx'
import styles from './LoadingStrip.module.css'
import { LOADING_STRIP } from './useRowVirtualizer.ts'

/** Stands at an end of the list while there is more to load, or why it failed. */
export function LoadingStrip(props: {
  side: 'older' | 'newer'
  failure: CallFailure | null
  onRetry: () => void
}) {
  const { side, failure } = props
  const t = useText(text)
  return (
    <div
      className={side === 'older' ? styles.strip : `${styles.strip} ${styles.newer}`}
      style={{ height: LOADING_STRIP }}
    >
      {failure ? (
        <Button kind="plain" onPress={props.onRetry}>
          {failure.message} · {t.reload}
        </Button>
      ) : (
        <span role="status" className={styles.text}>
          <Spinner size={16} />
          {side === 'older' ? t.loadingOlder : t.loadingNewer}
        </span>
      )}
    </div>
  )
}
