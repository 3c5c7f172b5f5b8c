import { useText } from '../kit/i18n.ts'
import { CloseIcon, icon } from '../ui/icon/icons.tsx'
import styles from './EphemeralNotice.module.css'
import { text } from './text.ts'

const EyeIcon = icon(
  <>
    <path d="M3 12s3.5-6.5 9-6.500S21 12 21 12s-3.5 6.5-9 6.500S3 12 3 12z" />
    <circle cx={12} cy={12} r={2.5} />
  </>,
)

/** Notice under an ephemeral message, with a button that hides it. */
export function EphemeralNotice({ isMine, onDismiss }: { isMine: boolean; onDismiss: () => void }) {
  const t = useText(text)
  return (
    <p className={styles.notice}>
      <EyeIcon size={14} />
      {isMine ? t.visibleToMe : t.visibleToBoth}
      <button
        type="button"
        className={styles.dismiss}
        aria-label={t.dismiss}
        title={t.dismiss}
        onClick={onDismiss}
      >
        <CloseIcon size={14} />
      </button>
    </p>
  )
}
