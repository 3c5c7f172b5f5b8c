import { copyText } from '../kit/browser/clipboard.ts'
import { notifyUser } from '../kit/call.ts'
import { useText } from '../kit/i18n.ts'
import type { Outgoing } from '../roomStore/room.ts'
import { ShieldIcon } from '../ui/icon/channelIcons.tsx'
import { FailedNote, NoteButton } from './FailedNote.tsx'
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
        <NoteButton label={t.takeBack} onPress={onDiscard} />
      </div>
    )
  const copy = async () => notifyUser((await copyText(outgoing.content)) ? t.copied : t.notCopied)
  return (
    <FailedNote title={t.rejected} why={outgoing.why}>
      {!outgoing.media && <NoteButton label={t.copy} onPress={() => void copy()} />}
      <NoteButton label={t.remove} isDanger onPress={onDiscard} />
    </FailedNote>
  )
}
