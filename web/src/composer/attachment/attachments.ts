import type { Uploaded } from '@guildhall/wire/asset/asset.ts'
import type { VideoLooks } from '@guildhall/wire/message/attachment.ts'
import { hrefOf, upload } from '../../asset/asset.ts'
import { CallFailure } from '../../kit/call.ts'
import { createListeners } from '../../kit/listeners.ts'
import { keepLocalPreview } from '../../media/localPreviews.ts'
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
const FINAL: ReadonlySet<string> = new Set([
  'asset.too_large',
  'asset.too_many_pixels',
  'asset.missing',
  'asset.daily_limit',
])

const byChannel = new Map<string, Attachments>()

/** The attachments of a channel; those that an earlier page left are restored asynchronously and uploaded. */
export function attachmentsOf(channelId: string): Attachments {
  const known = byChannel.get(channelId)
  if (known) return known
  const opened = new Attachments(channelId)
  byChannel.set(channelId, opened)
  void loadAttachments(channelId).then((stored) => {
    // Another user may have logged in meanwhile.
    if (byChannel.get(channelId) === opened) opened.restore(stored)
  })
  return opened
}

/**
 * Drops all attachments in memory: another user may log in next. Those in the database stay with their user.
 */
export function clearAttachments(): void {
  for (const attachments of byChannel.values()) attachments.close()
  byChannel.clear()
}

/** Whether the browser can show the file as an image. */
const isPicture = ({ type }: File): boolean => /^image\/(?!svg)/.test(type)

/** Whether a file may be a video, by type and name; only its content proves it. */
const isVideo = ({ type, name }: File): boolean =>
  type.startsWith('video/') || /\.(mp4|mov|webm|m4v)$/i.test(name)

/** What a video looks like is read by code that is loaded with the first one. */
const loadVideoLooks = () => import('./videoMetadata.ts')

let lastId = 0
let lastAt = 0
/** Unique to this page, so that the keys of two tabs differ. */
const page = Math.random().toString(36).slice(2)

/**
 * The attachments of one channel's draft. They live as long as the page, whichever room is open, and are
 * restored from the browser's database after a reload.
 */
export class Attachments {
  private readonly channelId: string
  private items: readonly PendingAttachment[] = []
  private readonly listeners = createListeners()
  private readonly uploads = new Map<number, AbortController>()
  /** The database key and time of each; refused ones have none. */
  private readonly saved = new Map<number, Pick<StoredAttachment, 'key' | 'at'>>()

  constructor(channelId: string) {
    this.channelId = channelId
  }

  readonly snapshot = (): readonly PendingAttachment[] => this.items

  readonly subscribe = this.listeners.subscribe

  /**
   * Adds files and starts to upload them; `refuse` returns why one is not allowed. Returns how many exceeded
   * the limit.
   */
  add(files: readonly File[], refuse: (file: File) => string | null): number {
    const room = Math.max(0, ATTACHMENTS_MAX - this.items.length)
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
    this.show([...this.items, ...added])
    for (const item of added) {
      if (item.state === 'failed') continue
      lastAt = Math.max(Date.now(), lastAt + 1)
      this.saved.set(item.id, { key: `${page} ${item.id}`, at: lastAt })
      this.save(item)
    }
    this.startUploads()
    return files.length - added.length
  }

  /** Adds what an earlier page left, in front. */
  restore(all: readonly StoredAttachment[]): void {
    const room = Math.max(0, ATTACHMENTS_MAX - this.items.length)
    const restored = all.slice(0, room).map(({ key, at, file, uploaded, looks }): PendingAttachment => {
      lastId += 1
      this.saved.set(lastId, { key, at })
      const cover = looks?.cover
      const state = uploaded ? 'done' : 'waiting'
      const preview = isPicture(file) ? URL.createObjectURL(file) : cover ? hrefOf(cover) : null
      return { id: lastId, file, preview, state, progress: 0, why: '', canRetry: false, uploaded, looks }
    })
    if (restored.length === 0) return
    this.show([...restored, ...this.items])
    this.startUploads()
  }

  retry(id: number): void {
    if (this.items.some((it) => it.id === id && it.state === 'failed' && it.canRetry))
      this.update(id, { state: 'waiting' })
    this.startUploads()
  }

  /** Aborts the upload and removes the attachment. */
  remove(id: number): void {
    const removed = this.items.find((it) => it.id === id)
    if (removed?.preview) URL.revokeObjectURL(removed.preview)
    this.show(this.items.filter((it) => it.id !== id))
    this.deleteSaved(id)
    this.uploads.get(id)?.abort()
  }

  /** Removes and returns the uploaded ones, in the order of picking. */
  take(): UploadedAttachment[] {
    const done = this.items.filter((it) => it.state === 'done')
    for (const { id, uploaded, preview, looks } of done) {
      this.deleteSaved(id)
      if (!preview) continue
      const address = uploaded?.type === 'image' ? uploaded.url : looks?.cover
      if (address) keepLocalPreview(address, preview)
      else URL.revokeObjectURL(preview)
    }
    this.show(this.items.filter((it) => it.state !== 'done'))
    return done.flatMap(({ uploaded, looks }) => (uploaded ? { ...uploaded, ...(looks && { looks }) } : []))
  }

  /** Aborts all uploads; the database keeps the attachments. */
  close(): void {
    for (const { preview } of this.items) if (preview) URL.revokeObjectURL(preview)
    this.saved.clear()
    this.show([])
    for (const upload of this.uploads.values()) upload.abort()
  }

  private show(next: readonly PendingAttachment[]): void {
    this.items = next
    this.listeners.notify()
  }

  private update(id: number, to: Partial<PendingAttachment>): void {
    this.show(this.items.map((it) => (it.id === id ? { ...it, ...to } : it)))
  }

  private setPreview(id: number, preview: string): void {
    const item = this.items.find((it) => it.id === id)
    if (!item || item.preview) URL.revokeObjectURL(preview)
    else this.update(id, { preview })
  }

  private startUploads(): void {
    for (const next of this.items) {
      if (this.uploads.size >= AT_ONCE) return
      if (next.state === 'waiting') void this.upload(next)
    }
  }

  private async upload({ id, file, looks }: PendingAttachment): Promise<void> {
    const abort = new AbortController()
    this.uploads.set(id, abort)
    this.update(id, { state: 'uploading', progress: 0, why: '' })
    try {
      if (isVideo(file) && !looks?.cover) {
        const onCover = (preview: string) => this.setPreview(id, preview)
        const found = await loadVideoLooks().then(
          ({ uploadVideoLooks }) => uploadVideoLooks(file, abort.signal, onCover),
          () => ({}),
        )
        this.update(id, { looks: found })
      }
      const onProgress = (progress: number) => this.update(id, { progress })
      const uploaded = await upload(file, { onProgress, signal: abort.signal })
      this.update(id, { state: 'done', progress: 1, uploaded })
      const done = this.items.find((it) => it.id === id)
      if (done) this.save(done)
    } catch (error) {
      if (!(error instanceof CallFailure)) throw error
      const canRetry = !FINAL.has(error.name)
      this.update(id, { state: 'failed', why: error.message, canRetry })
      if (!canRetry) this.deleteSaved(id)
    } finally {
      this.uploads.delete(id)
      this.startUploads()
    }
  }

  private save({ id, file, uploaded, looks }: PendingAttachment): void {
    const as = this.saved.get(id)
    // Of an uploaded file only the image is needed, for its preview.
    const { name, type } = file
    const rest = uploaded && !isPicture(file) ? new File([], name, { type }) : file
    if (as) void saveAttachment({ ...as, channelId: this.channelId, file: rest, uploaded, looks })
  }

  private deleteSaved(id: number): void {
    const as = this.saved.get(id)
    this.saved.delete(id)
    if (as) void deleteAttachment(as.key)
  }
}
