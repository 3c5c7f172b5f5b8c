import type { FileModule } from '@guildhall/wire/card/node.ts'
import { hrefOf } from '../asset/asset.ts'
import { durationLabel } from '../kit/format/duration.ts'
import { sizeLabel } from '../kit/format/fileSize.ts'
import { useText } from '../kit/i18n.ts'
import { useFailedLoad } from '../kit/picture/useFailedLoad.ts'
import mediaStyles from '../media/Media.module.css'
import { SizedImage } from '../media/Picture.tsx'
import { PlayButton } from '../media/PlayButton.tsx'
import { text as mediaText } from '../media/text.ts'
import { DownloadIcon, FileIcon, PlayIcon } from '../ui/icon/icons.tsx'
import { MusicIcon } from '../ui/icon/laterIcons.tsx'
import styles from './Cards.module.css'
import { text } from './text.ts'

/** A file to download. */
export function FileBox({ module }: { module: FileModule }) {
  const tMedia = useText(mediaText)
  const name = module.title || (module.src.split('/').at(-1) ?? '')
  const inside = (
    <>
      <span className={mediaStyles.fileArt}>
        <FileIcon size={28} />
      </span>
      <span className={mediaStyles.fileText}>
        <span className={mediaStyles.fileName}>{name}</span>
        {module.size !== undefined && <span className={mediaStyles.fileSize}>{sizeLabel(module.size)}</span>}
      </span>
    </>
  )
  if (module.canDownload === false)
    return <div className={`${mediaStyles.file} ${styles.file}`}>{inside}</div>
  return (
    <a className={`${mediaStyles.file} ${styles.file}`} href={hrefOf(module.src)} download={name}>
      <span className="unseen">{tMedia.download}</span>
      {inside}
      <DownloadIcon size={20} />
    </a>
  )
}

/** The cover of a video, CSS px. */
const VIDEO_FACE = { width: 320, height: 180 }
/** CSS px, as in Media.module.css. */
const AUDIO_FACE = { width: 44, height: 44 }

/** Audio and video do not play on the page. chat.md §8. */
export function Playable({ module }: { module: FileModule }) {
  const t = useText(text)
  const tMedia = useText(mediaText)
  const { hasFailed, fail } = useFailedLoad(module.cover)
  const isVideo = module.type === 'video'
  const title = module.title || (isVideo ? tMedia.video : t.audio)
  const about = [
    ...(module.duration === undefined ? [] : [durationLabel(module.duration)]),
    ...(module.size === undefined ? [] : [sizeLabel(module.size)]),
  ].join(' · ')
  const cover = module.cover && !hasFailed && (
    <SizedImage address={module.cover} box={isVideo ? VIDEO_FACE : AUDIO_FACE} onGone={fail} />
  )
  const className = isVideo ? styles.video : `${mediaStyles.file} ${styles.file}`
  const inside = (
    <>
      <span className={isVideo ? styles.videoFace : `${mediaStyles.fileArt} ${styles.audioFace}`}>
        {cover || (!isVideo && <MusicIcon size={24} />)}
        {isVideo && (
          <span className={styles.videoPlay}>
            <PlayIcon size={28} />
          </span>
        )}
      </span>
      <span className={mediaStyles.fileText}>
        <span className={mediaStyles.fileName}>{title}</span>
        {about && <span className={mediaStyles.fileSize}>{about}</span>}
      </span>
      {!isVideo && <PlayIcon size={24} />}
    </>
  )
  if (module.canDownload === false) return <div className={className}>{inside}</div>
  return (
    <PlayButton address={module.src} name={title} label={t.play} className={className}>
      {inside}
    </PlayButton>
  )
}
