import { tellUser } from '../kit/call.ts'
import { copyText } from '../kit/clipboard.ts'
import { useText } from '../kit/i18n.ts'
import type { Outgoing } from '../roomStore/room.ts'
import { AlertIcon, ShieldIcon } from '../ui/icons.tsx'
import { heldText } from './heldText.ts'
import styles from './OutgoingRow.module.css'

/** Below a message that waits for staff, or that they rejected: how it stands, and what its author may do. */
export default function HeldNote({ outgoing, onDiscard }: { outgoing: Outgoing; onDiscard: () => void }) {
  const t = useText(heldText)
  if (outgoing.state === 'held')
    return (
      <div className={styles.held} role="status">
        <ShieldIcon size={16} />
        <span className={styles.reason}>{t.held}</span>
        <button type="button" className={styles.action} onClick={onDiscard}>
          {t.takeBack}
        </button>
      </div>
    )
  const copy = async () => tellUser((await copyText(outgoing.content)) ? t.copied : t.notCopied)
  return (
    <div className={styles.failed} role="alert">
      <AlertIcon size={16} />
      <span className={styles.reason}>
        {t.rejected}
        {outgoing.why && ` · ${outgoing.why}`}
      </span>
      {!outgoing.media && (
        <button type="button" className={styles.action} onClick={() => void copy()}>
          {t.copy}
        </button>
      )}
      <button type="button" className={`${styles.action} ${styles.actionDanger}`} onClick={onDiscard}>
        {t.remove}
      </button>
    </div>
  )
}
