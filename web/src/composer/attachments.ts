import type { Uploaded } from '@guildhall/wire/asset/asset.ts'
import type { VideoLooks } from '@guildhall/wire/message/attachment.ts'
import { hrefOf, upload } from '../asset/asset.ts'
import { CallFailure } from '../kit/call.ts'
import { keepLocalPreview } from '../media/localPreviews.ts'
import { deleteAttachment, loadAttachments, type StoredAttachment, saveAttachment } from './attachmentsDb.ts'

/** An attachment of a draft. `progress` is 0 to 1; `preview` is an object URL or an address. */
export interface PendingAttachment {
  readonly id: number
  readonly file: File
  readonly preview: string | null
  readonly state: 'waiting' | 'uploading' | 'done' | 'failed'
  readonly progress: number
  /** Why it failed, as text for the user. */
  readonly why: string
  /** A retry can succeed. */
  readonly canRetry: boolean
  readonly uploaded: Uploaded | null
  /** Metadata of a video, once it was read. */
  readonly looks: VideoLooks | null
}

/** An uploaded file, ready to be sent. */
export interface UploadedAttachment extends Uploaded {
  /** Metadata of a video as this browser read it. */
  readonly looks?: VideoLooks
}

/** Attachments per channel. */
export const ATTACHMENTS_MAX = 9
/** Parallel uploads; more would only share the bandwidth. */
const AT_ONCE = 3
/** Refusals that a retry of the same file meets again. */
const FINAL: ReadonlySet<string> = new Set(['asset.too_large', 'asset.too_many_pixels', 'asset.missing'])

/**
 * The attachments of one channel's draft. They live as long as the page, whichever room is open, and are restored
 * from the browser's database after a reload.
 */
export interface Attachments {
  readonly snapshot: () => readonly PendingAttachment[]
  readonly subscribe: (listener: () => void) => () => void
  /**
   * Adds files and starts to upload them; `refuse` returns why one is not allowed. Returns how many exceeded the
   * limit.
   */
  readonly add: (files: readonly File[], refuse: (file: File) => string | null) => number
  readonly retry: (id: number) => void
  /** Aborts the upload and removes the attachment. */
  readonly remove: (id: number) => void
  /** Removes and returns the uploaded ones, in the order of picking. */
  readonly take: () => UploadedAttachment[]
}

const trays = new Map<string, ReturnType<typeof open>>()

/** The attachments of a channel; those that an earlier page left are restored asynchronously and uploaded. */
export function attachmentsOf(channelId: string): Attachments {
  const known = trays.get(channelId)
  if (known) return known
  const tray = open(channelId)
  trays.set(channelId, tray)
  void loadAttachments(channelId).then((kept) => {
    // Another user may have logged in meanwhile.
    if (trays.get(channelId) === tray) tray.restore(kept)
  })
  return tray
}

/** Drops all attachments in memory: another user may log in next. Those in the database stay with their user. */
export function clearAttachments(): void {
  for (const tray of trays.values()) tray.close()
  trays.clear()
}

/** Whether the browser can show the file as an image. */
const isPicture = ({ type }: File): boolean => /^image\/(?!svg)/.test(type)

/** Whether a file may be a video, by type and name; only its content proves it. */
const isVideo = ({ type, name }: File): boolean =>
  type.startsWith('video/') || /\.(mp4|mov|webm|m4v)$/i.test(name)

/**
 * Reads the metadata of a video and uploads its cover. `onCover` receives the cover as an object URL. Empty when the
 * browser cannot read the video.
 */
async function looksOf(
  file: File,
  signal: AbortSignal,
  onCover: (preview: string) => void,
): Promise<VideoLooks> {
  const metadata = await import('./videoMetadata.ts').then(
    ({ readVideoMetadata }) => readVideoMetadata(file),
    () => null,
  )
  if (!metadata || signal.aborted) return {}
  const { cover, ...looks } = metadata
  if (!cover) return looks
  onCover(URL.createObjectURL(cover))
  const picture = new File([cover], 'cover.jpg', { type: cover.type })
  const stored = await upload(picture, { signal, onProgress: () => undefined }).catch(() => null)
  return stored?.type === 'image' ? { ...looks, cover: stored.url } : looks
}

let lastId = 0
let lastAt = 0
/** Unique to this page, so that the keys of two tabs differ. */
const page = Math.random().toString(36).slice(2)

function open(channelId: string) {
  let items: readonly PendingAttachment[] = []
  const listeners = new Set<() => void>()
  const underWay = new Map<number, AbortController>()
  /** The database key and time of each; refused ones have none. */
  const kept = new Map<number, Pick<StoredAttachment, 'key' | 'at'>>()

  const show = (next: readonly PendingAttachment[]) => {
    items = next
    for (const listener of listeners) listener()
  }
  const change = (id: number, to: Partial<PendingAttachment>) =>
    show(items.map((it) => (it.id === id ? { ...it, ...to } : it)))

  const keepPreview = (id: number, preview: string) => {
    const item = items.find((it) => it.id === id)
    if (!item || item.preview) URL.revokeObjectURL(preview)
    else change(id, { preview })
  }
  const begin = () => {
    for (const next of items) {
      if (underWay.size >= AT_ONCE) return
      if (next.state === 'waiting') void bring(next)
    }
  }
  const keep = ({ id, file, uploaded, looks }: PendingAttachment) => {
    const as = kept.get(id)
    // Of an uploaded file only the image is needed, for its preview.
    const { name, type } = file
    const rest = uploaded && !isPicture(file) ? new File([], name, { type }) : file
    if (as) void saveAttachment({ ...as, channelId, file: rest, uploaded, looks })
  }
  const drop = (id: number) => {
    const as = kept.get(id)
    kept.delete(id)
    if (as) void deleteAttachment(as.key)
  }
  const bring = async ({ id, file, looks }: PendingAttachment) => {
    const stop = new AbortController()
    underWay.set(id, stop)
    change(id, { state: 'uploading', progress: 0, why: '' })
    try {
      if (isVideo(file) && !looks?.cover)
        change(id, { looks: await looksOf(file, stop.signal, (preview) => keepPreview(id, preview)) })
      const onProgress = (part: number) => change(id, { progress: part })
      const uploaded = await upload(file, { onProgress, signal: stop.signal })
      change(id, { state: 'done', progress: 1, uploaded })
      const done = items.find((it) => it.id === id)
      if (done) keep(done)
    } catch (error) {
      if (!(error instanceof CallFailure)) throw error
      const canRetry = !FINAL.has(error.name)
      change(id, { state: 'failed', why: error.message, canRetry })
      if (!canRetry) drop(id)
    } finally {
      underWay.delete(id)
      begin()
    }
  }

  return {
    snapshot: () => items,
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    add(files: readonly File[], refuse: (file: File) => string | null) {
      const room = Math.max(0, ATTACHMENTS_MAX - items.length)
      const added = files.slice(0, room).map((file): PendingAttachment => {
        const why = refuse(file)
        lastId += 1
        return {
          id: lastId,
          file,
          preview: isPicture(file) ? URL.createObjectURL(file) : null,
          state: why === null ? 'waiting' : 'failed',
          progress: 0,
          why: why ?? '',
          canRetry: false,
          uploaded: null,
          looks: null,
        }
      })
      show([...items, ...added])
      for (const item of added) {
        if (item.state === 'failed') continue
        lastAt = Math.max(Date.now(), lastAt + 1)
        kept.set(item.id, { key: `${page} ${item.id}`, at: lastAt })
        keep(item)
      }
      begin()
      return files.length - added.length
    },
    restore(all: readonly StoredAttachment[]) {
      const back = all.slice(0, Math.max(0, ATTACHMENTS_MAX - items.length)).map((it): PendingAttachment => {
        const { file, uploaded, looks } = it
        lastId += 1
        kept.set(lastId, { key: it.key, at: it.at })
        const cover = looks?.cover
        const state = uploaded ? 'done' : 'waiting'
        const preview = isPicture(file) ? URL.createObjectURL(file) : cover ? hrefOf(cover) : null
        return { id: lastId, file, preview, state, progress: 0, why: '', canRetry: false, uploaded, looks }
      })
      if (back.length === 0) return
      show([...back, ...items])
      begin()
    },
    retry(id: number) {
      if (items.some((it) => it.id === id && it.state === 'failed' && it.canRetry))
        change(id, { state: 'waiting' })
      begin()
    },
    remove(id: number) {
      const gone = items.find((it) => it.id === id)
      if (gone?.preview) URL.revokeObjectURL(gone.preview)
      show(items.filter((it) => it.id !== id))
      drop(id)
      underWay.get(id)?.abort()
    },
    /** Aborts all uploads; the database keeps the attachments. */
    close() {
      for (const { preview } of items) if (preview) URL.revokeObjectURL(preview)
      kept.clear()
      show([])
      for (const stop of underWay.values()) stop.abort()
    },
    take(): UploadedAttachment[] {
      const done = items.filter((it) => it.state === 'done')
      for (const { id, uploaded, preview, looks } of done) {
        drop(id)
        if (!preview) continue
        const address = uploaded?.type === 'image' ? uploaded.url : looks?.cover
        if (address) keepLocalPreview(address, preview)
        else URL.revokeObjectURL(preview)
      }
      show(items.filter((it) => it.state !== 'done'))
      return done.flatMap(({ uploaded, looks }) => (uploaded ? { ...uploaded, ...(looks && { looks }) } : []))
    },
  }
}
