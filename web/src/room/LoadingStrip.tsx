import type { CallFailure } from '../kit/call.ts'
import { useText } from '../kit/i18n.ts'
import { text as commonText } from '../kit/text.ts'
import { Button } from '../ui/Button.tsx'
import { Spinner } from '../ui/state/Spinner.tsx'
import styles from './LoadingStrip.module.css'
import { LOADING_STRIP } from './list/useRowVirtualizer.ts'
import { text } from './text.ts'

/** Loading indicator at an end of the list while there is more to load, or the reason why it failed. */
export function LoadingStrip(props: {
  side: 'older' | 'newer'
  failure: CallFailure | null
  onRetry: () => void
}) {
  const { side, failure } = props
  const t = useText(text)
  const tCommon = useText(commonText)
  return (
    <div
      className={side === 'older' ? styles.strip : `${styles.strip} ${styles.newer}`}
      style={{ height: LOADING_STRIP }}
    >
      {failure ? (
        <Button kind="plain" onPress={props.onRetry}>
          {failure.message} · {tCommon.retry}
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
