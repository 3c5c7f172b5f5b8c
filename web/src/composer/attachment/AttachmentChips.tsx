import { SECOND_MS } from '@guildhall/wire/unit.ts'
import { durationLabel } from '../../kit/format/duration.ts'
import { sizeLabel } from '../../kit/format/fileSize.ts'
import { useText } from '../../kit/i18n.ts'
import { CloseIcon, FileIcon, PlayIcon } from '../../ui/icon/icons.tsx'
import { text } from '../text.ts'
import styles from './AttachmentChips.module.css'
import type { Attachments, PendingAttachment } from './attachments.ts'

/**
 * Attachments of the composer as chips, with their upload progress. Loaded with the room: a file that is
 * picked in a tunnel is seen.
 */
export function AttachmentChips({
  items,
  attachments,
}: {
  items: readonly PendingAttachment[]
  attachments: Pick<Attachments, 'retry' | 'remove'>
}) {
  const t = useText(text)
  return (
    <ul className={styles.chips} data-part="attachments" aria-label={t.attachments}>
      {items.map((item) => (
        <Chip key={item.id} item={item} attachments={attachments} />
      ))}
    </ul>
  )
}

function Chip({
  item,
  attachments,
}: {
  item: PendingAttachment
  attachments: Pick<Attachments, 'retry' | 'remove'>
}) {
  const t = useText(text)
  const { id, file, state } = item
  const isOnItsWay = state === 'waiting' || state === 'uploading'
  const hasFailed = state === 'failed'
  const remove = () => attachments.remove(id)
  return (
    <li className={styles.chip} data-part="attachment" data-state={state}>
      <div className={styles.chipFace}>
        <Preview item={item} hasDuration={!isOnItsWay} />
        {isOnItsWay && <Progress name={file.name} progress={item.progress} />}
        {state === 'done' && <span className="unseen">{t.uploaded(file.name)}</span>}
        {!isOnItsWay && (
          <button
            type="button"
            className={styles.chipClose}
            aria-label={t.removeAttachment(file.name)}
            onClick={remove}
          >
            <span className={styles.chipCloseFace}>
              <CloseIcon size={14} />
            </span>
          </button>
        )}
      </div>
      {hasFailed && (
        <p className={styles.chipReason} role="alert">
          {item.canRetry ? t.uploadFailed : item.why}
        </p>
      )}
      {hasFailed && item.canRetry && (
        <ChipButton label={t.uploadAgain} name={file.name} onPress={() => attachments.retry(id)} />
      )}
      {isOnItsWay && <ChipButton label={t.cancelUpload} name={file.name} onPress={remove} />}
    </li>
  )
}

/** The file's picture, or its name and size; of a video with its duration. */
function Preview({ item, hasDuration }: { item: PendingAttachment; hasDuration: boolean }) {
  const { file, preview, looks } = item
  if (!preview)
    return (
      <span className={styles.chipFile}>
        <FileIcon size={24} />
        <span className={styles.chipName}>{file.name}</span>
        <span className={styles.chipSize}>{sizeLabel(item.uploaded?.size ?? file.size)}</span>
      </span>
    )
  return (
    <>
      <img className={styles.chipPicture} src={preview} alt="" draggable={false} />
      {looks && hasDuration && (
        <span className={styles.chipVideo} data-part="video-duration">
          <PlayIcon size={14} />
          {looks.duration !== undefined && durationLabel(looks.duration / SECOND_MS)}
        </span>
      )}
    </>
  )
}

/** `progress`: 0 to 1. */
function Progress({ name, progress }: { name: string; progress: number }) {
  const t = useText(text)
  const percent = Math.round(progress * 100)
  return (
    <span
      className={styles.chipProgress}
      role="progressbar"
      aria-label={t.uploading(name, percent)}
      aria-valuenow={percent}
      aria-valuemin={0}
      aria-valuemax={100}
    >
      <span aria-hidden="true">{t.percent(percent)}</span>
      <span className={styles.chipBar} style={{ transform: `scaleX(${progress})` }} />
    </span>
  )
}

/** What can be done with the file of this name. */
function ChipButton({ label, name, onPress }: { label: string; name: string; onPress: () => void }) {
  return (
    <button type="button" className={styles.chipAct} aria-label={`${label} ${name}`} onClick={onPress}>
      {label}
    </button>
  )
}
