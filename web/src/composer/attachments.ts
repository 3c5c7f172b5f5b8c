import type { Uploaded } from '@guildhall/wire/asset/asset.ts'
import type { VideoLooks } from '@guildhall/wire/message/attachment.ts'
import { hrefOf, upload } from '../asset/asset.ts'
import { CallFailure } from '../kit/call.ts'
import { keepLocalPreview } from '../media/localPreviews.ts'
import { deleteAttachment, loadAttachments, type StoredAttachment, saveAttachment } from './attachmentsDb.ts'

/** A picture or file on its way into a message. `part` is 0 to 1; `preview` an address within this page. */
export interface PendingAttachment {
  readonly id: number
  readonly file: File
  readonly preview: string | null
  readonly state: 'waiting' | 'uploading' | 'done' | 'failed'
  readonly progress: number
  /** Why it failed, for people. */
  readonly why: string
  /** Trying again can help. */
  readonly canRetry: boolean
  readonly uploaded: Uploaded | null
  /** Of a video, once it was looked at. */
  readonly looks: VideoLooks | null
}

/** A stored file, ready to be sent. */
export interface UploadedAttachment extends Uploaded {
  /** Of a video: what this browser saw of it. */
  readonly looks?: VideoLooks
}

/** So many can wait in one channel. */
export const ATTACHMENTS_MAX = 9
/** So many travel at once: more of them would only share the same line. */
const AT_ONCE = 3
/** Refusals that the same file meets again. */
const FINAL: ReadonlySet<string> = new Set(['asset.too_large', 'asset.too_many_pixels', 'asset.missing'])

/**
 * What a channel's composer holds beside its words. Lives as long as the page, whichever room is open, and comes back with
 * the next one as far as this browser keeps it.
 */
export interface Attachments {
  readonly snapshot: () => readonly PendingAttachment[]
  readonly subscribe: (listener: () => void) => () => void
  /** Adds files and begins to send them up; `refuse` says why one cannot be. Answers how many found no room. */
  readonly add: (files: readonly File[], refuse: (file: File) => string | null) => number
  readonly retry: (id: number) => void
  /** Ends its upload, if that is under way, and forgets it. */
  readonly remove: (id: number) => void
  /** Takes out what is done, in the order it was picked. */
  readonly take: () => UploadedAttachment[]
}

const trays = new Map<string, ReturnType<typeof open>>()

/** A channel's tray; what an earlier page left in it comes back in a moment, and goes on its way. */
export function attachmentsOf(channelId: string): Attachments {
  const known = trays.get(channelId)
  if (known) return known
  const tray = open(channelId)
  trays.set(channelId, tray)
  void loadAttachments(channelId).then((kept) => {
    // Somebody else may have logged in meanwhile.
    if (trays.get(channelId) === tray) tray.restore(kept)
  })
  return tray
}

/** Another person may log in here next. What this browser keeps goes with the person, and comes back to whoever only looked away. */
export function clearAttachments(): void {
  for (const tray of trays.values()) tray.close()
  trays.clear()
}

/** Whether this browser may draw a file as it is. */
const isPicture = ({ type }: File): boolean => /^image\/(?!svg)/.test(type)

/** Whether a file may be a video: by what it is called, for only its content proves it. */
const isVideo = ({ type, name }: File): boolean =>
  type.startsWith('video/') || /\.(mp4|mov|webm|m4v)$/i.test(name)

/**
 * What this browser sees of a video, its cover stored. `onCover` is given a picture within this page. A video nobody here can
 * look into goes without.
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
/** Of two pages none calls anything as the other does. */
const page = Math.random().toString(36).slice(2)

function open(channelId: string) {
  let items: readonly PendingAttachment[] = []
  const listeners = new Set<() => void>()
  const underWay = new Map<number, AbortController>()
  /** As what, and since when, each is kept; what was refused is not. */
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
    // Of what is stored already only its face is needed here.
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
    /** Ends what is under way and lets go of everything, which stays kept. */
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
