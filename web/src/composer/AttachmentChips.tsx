import { SECOND_MS } from '@guildhall/wire/unit.ts'
import { durationLabel } from '../kit/duration.ts'
import { useText } from '../kit/i18n.ts'
import { sizeLabel } from '../kit/size.ts'
import { CloseIcon, FileIcon, PlayIcon } from '../ui/icons.tsx'
import styles from './AttachmentChips.module.css'
import type { Attachments, PendingAttachment } from './attachments.ts'
import { text } from './text.ts'

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
  const { file, preview, state } = item
  const percent = Math.round(item.progress * 100)
  const isOnItsWay = state === 'waiting' || state === 'uploading'
  return (
    <li className={styles.chip} data-part="attachment" data-state={state}>
      <div className={styles.chipFace}>
        {preview ? (
          <img className={styles.chipPicture} src={preview} alt="" draggable={false} />
        ) : (
          <span className={styles.chipFile}>
            <FileIcon size={24} />
            <span className={styles.chipName}>{file.name}</span>
            <span className={styles.chipSize}>{sizeLabel(item.uploaded?.size ?? file.size)}</span>
          </span>
        )}
        {preview && item.looks && !isOnItsWay && (
          <span className={styles.chipVideo} data-part="video-duration">
            <PlayIcon size={14} />
            {item.looks.duration !== undefined && durationLabel(item.looks.duration / SECOND_MS)}
          </span>
        )}
        {isOnItsWay && (
          <span
            className={styles.chipProgress}
            role="progressbar"
            aria-label={t.uploading(file.name, percent)}
            aria-valuenow={percent}
            aria-valuemin={0}
            aria-valuemax={100}
          >
            <span aria-hidden="true">{t.percent(percent)}</span>
            <span className={styles.chipBar} style={{ transform: `scaleX(${item.progress})` }} />
          </span>
        )}
        {state === 'done' && <span className="unseen">{t.uploaded(file.name)}</span>}
        {!isOnItsWay && (
          <button
            type="button"
            className={styles.chipClose}
            aria-label={t.removeAttachment(file.name)}
            onClick={() => attachments.remove(item.id)}
          >
            <span className={styles.chipCloseFace}>
              <CloseIcon size={14} />
            </span>
          </button>
        )}
      </div>
      {state === 'failed' && (
        <p className={styles.chipReason} role="alert">
          {item.canRetry ? t.uploadFailed : item.why}
        </p>
      )}
      {state === 'failed' && item.canRetry && (
        <button
          type="button"
          className={styles.chipAct}
          aria-label={`${t.uploadAgain} ${file.name}`}
          onClick={() => attachments.retry(item.id)}
        >
          {t.uploadAgain}
        </button>
      )}
      {isOnItsWay && (
        <button
          type="button"
          className={styles.chipAct}
          aria-label={`${t.cancelUpload} ${file.name}`}
          onClick={() => attachments.remove(item.id)}
        >
          {t.cancelUpload}
        </button>
      )}
    </li>
  )
}
