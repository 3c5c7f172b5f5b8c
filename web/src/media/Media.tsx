import { type Dimensions, fitted, PREVIEW_MAX, sizeIn } from '@guildhall/wire/asset/name.ts'
import { type Attachment, attachmentOf } from '@guildhall/wire/message/attachment.ts'
import { kindOf } from '@guildhall/wire/message/kind.ts'
import { MINUTE_MS, SECOND_MS } from '@guildhall/wire/unit.ts'
import { useState } from 'react'
import { hrefOf } from '../asset/asset.ts'
import { durationLabel } from '../kit/duration.ts'
import { useText } from '../kit/i18n.ts'
import { sizeLabel } from '../kit/size.ts'
import { DownloadIcon, FileIcon, PlayIcon, VoiceIcon } from '../ui/icons.tsx'
import styles from './Media.module.css'
import { NotPlayable } from './NotPlayable.tsx'
import { Picture, SizedImage, TAP } from './Picture.tsx'
import { text } from './text.ts'

/** A message with a file, stored or in the send queue. `type` is the specification's number. */
export interface Carried {
  readonly type: number
  readonly content: string
  readonly attachments: unknown
}

const UNKNOWN_SIZE = { width: 240, height: 180 }

/** The size reserved for a picture, px. chat.md §9 "Image preview". */
export function placeOf(it: Carried) {
  const { width, height } = attachmentOf(it) ?? {}
  const size = sizeIn(it.content) ?? (width && height ? { width, height } : UNKNOWN_SIZE)
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
function coverOf(it: Carried): Dimensions {
  const { width, height } = attachmentOf(it) ?? {}
  if (!width || !height) return VIDEO_SIZE
  const place = fitted({ width, height }, VIDEO_MAX)
  return { width: Math.max(VIDEO_MIN, place.width), height: Math.max(VIDEO_MIN, place.height) }
}

/** The height of a message's file with margins, px; null: it has none. */
export function mediaHeight(it: Carried): number | null {
  switch (kindOf(it.type, 'specification')) {
    case 'image':
      return Math.max(TAP, placeOf(it).height) + 4
    case 'video':
      return coverOf(it).height + VIDEO_WORDS + 4
    case 'file':
      return 70
    case 'voice':
      return 48
    default:
      return null
  }
}

/** The picture, file, video or voice of a message. chat.md §3. */
export function Media({ it }: { it: Carried }) {
  const about = attachmentOf(it)
  switch (kindOf(it.type, 'specification')) {
    case 'image':
      return (
        <Picture
          address={it.content}
          place={placeOf(it)}
          name={about?.name ?? ''}
          thumbhash={about?.thumbhash}
        />
      )
    case 'video':
      return <VideoCard it={it} about={about} />
    case 'voice':
      return <VoiceBubble it={it} about={about} />
    default:
      return <FileCard it={it} about={about} />
  }
}

const nameOf = (it: Carried, about: Attachment | null): string =>
  about?.name || (it.content.split('/').at(-1) ?? '')

function VideoCard({ it, about }: { it: Carried; about: Attachment | null }) {
  const t = useText(text)
  const [asked, setAsked] = useState(false)
  const [coverless, setCoverless] = useState(false)
  const { width, height } = coverOf(it)
  const length = about?.duration ? durationLabel(about.duration / SECOND_MS) : ''
  const size = typeof about?.size === 'number' ? sizeLabel(about.size) : ''
  return (
    <>
      <button type="button" className={styles.video} style={{ width }} onClick={() => setAsked(true)}>
        <span className="unseen">{t.playVideo}</span>
        <span
          className={styles.videoFace}
          data-part="video-preview"
          style={{ aspectRatio: `${width} / ${height}` }}
        >
          {about?.cover && !coverless && (
            <SizedImage address={about.cover} box={{ width, height }} onGone={() => setCoverless(true)} />
          )}
          <span className={styles.videoPlay} data-part="play">
            <PlayIcon size={28} />
          </span>
          {length && <span className={styles.videoLength}>{length}</span>}
        </span>
        <span className={styles.videoText}>
          <span className={styles.videoName}>{nameOf(it, about)}</span>
          {size && <span className={styles.fileSize}>{size}</span>}
        </span>
      </button>
      {asked && (
        <NotPlayable href={hrefOf(it.content)} name={nameOf(it, about)} onClose={() => setAsked(false)} />
      )}
    </>
  )
}

/** The width of a voice message of this duration in ms, px. */
export const voiceWidth = (ms: number): number => Math.round(VOICE_WIDTH + (VOICE_GROWS * ms) / MINUTE_MS)

function VoiceBubble({ it, about }: { it: Carried; about: Attachment | null }) {
  const t = useText(text)
  const [asked, setAsked] = useState(false)
  const ms = about?.duration ?? 0
  return (
    <>
      <button
        type="button"
        className={styles.voice}
        style={{ width: voiceWidth(ms) }}
        onClick={() => setAsked(true)}
      >
        <span className="unseen">{t.playVoice}</span>
        <VoiceIcon size={20} />
        {ms > 0 && <span className={styles.voiceLength}>{durationLabel(Math.max(1, ms / SECOND_MS))}</span>}
      </button>
      {asked && (
        <NotPlayable href={hrefOf(it.content)} name={nameOf(it, about)} onClose={() => setAsked(false)} />
      )}
    </>
  )
}

function FileCard({ it, about }: { it: Carried; about: Attachment | null }) {
  const t = useText(text)
  const name = nameOf(it, about)
  const size = typeof about?.size === 'number' ? sizeLabel(about.size) : ''
  return (
    <a className={styles.file} data-part="file" href={hrefOf(it.content)} download={name}>
      <span className="unseen">{t.download}</span>
      <span className={styles.fileArt}>
        <FileIcon size={28} />
      </span>
      <span className={styles.fileText}>
        <span className={styles.fileName}>{name}</span>
        <span className={styles.fileSize}>{size}</span>
      </span>
      <DownloadIcon size={20} />
    </a>
  )
}
