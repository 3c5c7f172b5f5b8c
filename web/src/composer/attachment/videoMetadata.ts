/** Reads the metadata of a video in the browser before it is sent. Loaded on demand. */
import { fitted, SIDE_MAX } from '@guildhall/wire/asset/pictureSize.ts'
import type { VideoLooks } from '@guildhall/wire/message/attachment.ts'
import { DAY_MS, SECOND_MS } from '@guildhall/wire/unit.ts'
import { upload } from '../../asset/asset.ts'

/** Width and height in px, `duration` in ms; `cover` is a JPEG of a frame near the beginning. */
interface VideoMetadata {
  readonly width?: number
  readonly height?: number
  readonly duration?: number
  readonly cover: Blob | null
}

const COVER_MAX = { width: 640, height: 640 }
const COVER_QUALITY = 0.8
/** The cover's frame, ms, or a tenth into a shorter video: the first frame is often black. */
const COVER_AT_MS = SECOND_MS
/** Timeout of each step, ms. */
const STEP_MS = 8_000
/** Streamed recordings have no duration. Seeking this far, s, makes the browser compute it. */
const PAST_THE_END = 1e7

/** Null when the browser cannot play the video. Never throws. */
async function readVideoMetadata(file: Blob): Promise<VideoMetadata | null> {
  const address = URL.createObjectURL(file)
  const video = document.createElement('video')
  video.muted = true
  video.playsInline = true
  video.preload = 'auto'
  try {
    video.src = address
    await waitForEvent(video, 'loadeddata')
    const seconds = await lengthOf(video)
    const { videoWidth: width, videoHeight: height } = video
    const ms = Math.round(seconds * SECOND_MS)
    const length = ms > 0 && ms <= DAY_MS ? { duration: ms } : {}
    if (width === 0 || height === 0 || width > SIDE_MAX || height > SIDE_MAX)
      return { ...length, cover: null }
    const cover = await coverOf(video, ms).catch(() => null)
    return { width, height, ...length, cover }
  } catch {
    return null
  } finally {
    video.removeAttribute('src')
    video.load()
    URL.revokeObjectURL(address)
  }
}

/**
 * Reads the metadata of a video and uploads its cover. `onCover` receives the cover as an object URL. Empty
 * when the browser cannot read the video.
 */
export async function uploadVideoLooks(
  file: File,
  signal: AbortSignal,
  onCover: (preview: string) => void,
): Promise<VideoLooks> {
  const metadata = await readVideoMetadata(file)
  if (!metadata || signal.aborted) return {}
  const { cover, ...looks } = metadata
  if (!cover) return looks
  onCover(URL.createObjectURL(cover))
  const picture = new File([cover], 'cover.jpg', { type: cover.type })
  const stored = await upload(picture, { signal, onProgress: () => undefined }).catch(() => null)
  return stored?.type === 'image' ? { ...looks, cover: stored.url } : looks
}

/** Resolves at the event `type`; rejects at an error or after the timeout. */
function waitForEvent(video: HTMLVideoElement, type: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (then: () => void) => () => {
      clearTimeout(timer)
      video.removeEventListener(type, onEvent)
      video.removeEventListener('error', onFailure)
      then()
    }
    const onEvent = end(resolve)
    const onFailure = end(() => reject(new Error(`no ${type}`)))
    const timer = setTimeout(onFailure, STEP_MS)
    video.addEventListener(type, onEvent)
    video.addEventListener('error', onFailure)
  })
}

async function seek(video: HTMLVideoElement, seconds: number): Promise<void> {
  const seeked = waitForEvent(video, 'seeked')
  video.currentTime = seconds
  await seeked
}

/** Seconds; 0: unknown. */
async function lengthOf(video: HTMLVideoElement): Promise<number> {
  if (video.duration === Number.POSITIVE_INFINITY) await seek(video, PAST_THE_END).catch(() => undefined)
  return Number.isFinite(video.duration) ? video.duration : 0
}

async function coverOf(video: HTMLVideoElement, ms: number): Promise<Blob | null> {
  await seek(video, Math.min(COVER_AT_MS, ms / 10) / SECOND_MS)
  const { width, height } = fitted({ width: video.videoWidth, height: video.videoHeight }, COVER_MAX)
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  canvas.getContext('2d')?.drawImage(video, 0, 0, width, height)
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', COVER_QUALITY))
}
