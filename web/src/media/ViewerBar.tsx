import type { ReactNode } from 'react'
import { hrefOf } from '../asset/asset.ts'
import { canCopyPictures, copyPicture } from '../kit/browser/copyPicture.ts'
import { timeLabel } from '../kit/format/time.ts'
import { useLocale, useText } from '../kit/i18n.ts'
import { text as general } from '../kit/text.ts'
import { ChatIcon, CloseIcon, CopyIcon, DownloadIcon, ReplyIcon } from '../ui/icon/icons.tsx'
import { ForwardIcon } from '../ui/icon/laterIcons.tsx'
import { toast } from '../ui/overlay/Toast.tsx'
import { localPreviewOf } from './localPreviews.ts'
import type { RoomPictures } from './roomPictures.ts'
import { text } from './text.ts'
import type { ViewedPicture } from './useRoomPictures.ts'
import styles from './Viewer.module.css'
import { viewerText } from './viewerText.ts'

/** Who sent the picture and when, and what can be done with it. */
export function ViewerBar(props: { picture: ViewedPicture; room: RoomPictures | null; onClose: () => void }) {
  const { picture, room, onClose } = props
  const { of } = picture
  const t = useText(viewerText)
  const tGeneral = useText(general)
  const tMedia = useText(text)
  const locale = useLocale()
  const original = localPreviewOf(picture.address) ?? hrefOf(picture.address)
  // Of another site nothing is saved: its address would be opened without the warning.
  const isOwn = !/^https?:/i.test(original)
  const { reply = null, forward = null, show = null } = room ?? {}
  const leave = (act: (messageId: string) => void) => () => {
    onClose()
    if (of) act(of.messageId)
  }
  const copy = async () => toast((await copyPicture(original)) ? t.copied : t.copyFailed)
  const when = of && timeLabel(of.at, Date.now(), locale)
  return (
    <div className={styles.bar}>
      {of && when !== null && (
        <p className={styles.by} role="status" aria-label={t.sentBy(of.author, when)}>
          <span className={styles.author}>{of.author}</span>
          <time dateTime={new Date(of.at).toISOString()}>{when}</time>
        </p>
      )}
      {of && reply && (
        <Act label={t.reply} onPress={leave(reply)}>
          <ReplyIcon size={22} />
        </Act>
      )}
      {of && forward && (
        <Act label={t.forward} onPress={leave(forward)}>
          <ForwardIcon size={22} />
        </Act>
      )}
      {of && show && (
        <Act label={t.show} onPress={leave(show)}>
          <ChatIcon size={22} />
        </Act>
      )}
      {isOwn && canCopyPictures() && (
        <Act label={t.copy} onPress={() => void copy()}>
          <CopyIcon size={22} />
        </Act>
      )}
      {isOwn && (
        <a
          className={styles.button}
          href={original}
          download={picture.name}
          aria-label={tMedia.saveOriginal}
          title={tMedia.saveOriginal}
        >
          <DownloadIcon size={22} />
        </a>
      )}
      <button
        type="button"
        className={styles.button}
        aria-label={tGeneral.close}
        data-first
        onClick={onClose}
      >
        <CloseIcon size={24} />
      </button>
    </div>
  )
}

const Act = (props: { label: string; onPress: () => void; children: ReactNode }) => (
  <button
    type="button"
    className={styles.button}
    aria-label={props.label}
    title={props.label}
    onClick={props.onPress}
  >
    {props.children}
  </button>
)
