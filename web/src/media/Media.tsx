import { type Dimensions, fitted, PREVIEW_MAX, sizeIn } from '@guildhall/wire/asset/pictureSize.ts'
import { type Attachment, attachmentOf } from '@guildhall/wire/message/attachment.ts'
import { kindOf } from '@guildhall/wire/message/kind.ts'
import { MINUTE_MS, SECOND_MS } from '@guildhall/wire/unit.ts'
import { hrefOf } from '../asset/asset.ts'
import { durationLabel } from '../kit/format/duration.ts'
import { sizeLabel } from '../kit/format/fileSize.ts'
import { useText } from '../kit/i18n.ts'
import { DownloadIcon, FileIcon, VoiceIcon } from '../ui/icon/icons.tsx'
import styles from './Media.module.css'
import { Picture, TAP } from './Picture.tsx'
import { PlayButton } from './PlayButton.tsx'
import { text } from './text.ts'
import { VideoCover } from './VideoCover.tsx'

/** A message with a file, stored or in the send queue. `type` is the specification's number. */
export interface MediaMessage {
  readonly type: number
  readonly content: string
  readonly attachments: unknown
}

const UNKNOWN_SIZE = { width: 240, height: 180 }

/** The size reserved for a picture, px. chat.md §9 "Image preview". */
export function pictureSize(message: MediaMessage) {
  const { width, height } = attachmentOf(message) ?? {}
  const size = sizeIn(message.content) ?? (width && height ? { width, height } : UNKNOWN_SIZE)
  return fitted(size, PREVIEW_MAX)
}

/** chat.md §9 "Video". px */
const VIDEO_SIZE = { width: 200, height: 200 }
const VIDEO_MAX = { width: 400, height: 400 }
/** Minimum side of a video, for the play icon and the duration, px. */
const VIDEO_MIN = 120
/** The name and size under a video, px. */
const VIDEO_WORDS = 44
/** chat.md §9 "Voice bubble width": px, and px a minute. */
const VOICE_WIDTH = 80
const VOICE_GROWS = 220

/** The size reserved for a video's cover, px. */
function coverSize(message: MediaMessage): Dimensions {
  const { width, height } = attachmentOf(message) ?? {}
  if (!width || !height) return VIDEO_SIZE
  const size = fitted({ width, height }, VIDEO_MAX)
  return { width: Math.max(VIDEO_MIN, size.width), height: Math.max(VIDEO_MIN, size.height) }
}

/** The height of a message's file with margins, px; null: it has none. */
export function mediaHeight(message: MediaMessage): number | null {
  switch (kindOf(message.type, 'specification')) {
    case 'image':
      return Math.max(TAP, pictureSize(message).height) + 4
    case 'video':
      return coverSize(message).height + VIDEO_WORDS + 4
    case 'file':
      return 70
    case 'voice':
      return 48
    default:
      return null
  }
}

/** The picture, file, video or voice of a message. chat.md §3. */
export function Media({ message }: { message: MediaMessage }) {
  const about = attachmentOf(message)
  switch (kindOf(message.type, 'specification')) {
    case 'image':
      return (
        <Picture
          address={message.content}
          size={pictureSize(message)}
          name={about?.name ?? ''}
          thumbhash={about?.thumbhash}
        />
      )
    case 'video':
      return <VideoCard message={message} about={about} />
    case 'voice':
      return <VoiceBubble message={message} about={about} />
    default:
      return <FileCard message={message} about={about} />
  }
}

const nameOf = (message: MediaMessage, about: Attachment | null): string =>
  about?.name || (message.content.split('/').at(-1) ?? '')

/** The size of the file, as a text; empty: unknown. */
const sizeOf = (about: Attachment | null): string =>
  typeof about?.size === 'number' ? sizeLabel(about.size) : ''

function VideoCard({ message, about }: { message: MediaMessage; about: Attachment | null }) {
  const t = useText(text)
  const box = coverSize(message)
  const name = nameOf(message, about)
  const length = about?.duration ? durationLabel(about.duration / SECOND_MS) : ''
  const size = sizeOf(about)
  return (
    <PlayButton
      address={message.content}
      name={name}
      label={t.playVideo}
      className={styles.video}
      style={{ width: box.width }}
    >
      <VideoCover address={about?.cover} box={box} length={length} />
      <span className={styles.videoText}>
        <span className={styles.videoName}>{name}</span>
        {size && <span className={styles.fileSize}>{size}</span>}
      </span>
    </PlayButton>
  )
}

/** The width of a voice message of this duration in ms, px. */
export const voiceWidth = (ms: number): number => Math.round(VOICE_WIDTH + (VOICE_GROWS * ms) / MINUTE_MS)

function VoiceBubble({ message, about }: { message: MediaMessage; about: Attachment | null }) {
  const t = useText(text)
  const ms = about?.duration ?? 0
  return (
    <PlayButton
      address={message.content}
      name={nameOf(message, about)}
      label={t.playVoice}
      className={styles.voice}
      style={{ width: voiceWidth(ms) }}
    >
      <VoiceIcon size={20} />
      {ms > 0 && <span className={styles.voiceLength}>{durationLabel(Math.max(1, ms / SECOND_MS))}</span>}
    </PlayButton>
  )
}

function FileCard({ message, about }: { message: MediaMessage; about: Attachment | null }) {
  const t = useText(text)
  const name = nameOf(message, about)
  return (
    <a className={styles.file} data-part="file" href={hrefOf(message.content)} download={name}>
      <span className="unseen">{t.download}</span>
      <span className={styles.fileArt}>
        <FileIcon size={28} />
      </span>
      <span className={styles.fileText}>
        <span className={styles.fileName}>{name}</span>
        <span className={styles.fileSize}>{sizeOf(about)}</span>
      </span>
      <DownloadIcon size={20} />
    </a>
  )
}
