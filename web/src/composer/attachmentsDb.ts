/** The files that were picked and not sent yet, kept in this browser: they come back after a reload. Decision 28. */
import type { Uploaded } from '@guildhall/wire/asset/asset.ts'
import type { VideoLooks } from '@guildhall/wire/message/attachment.ts'
import type { Bytes } from '@guildhall/wire/unit.ts'
import { recall } from '../kit/storage.ts'
import { queryDb } from '../roomStore/indexedDb.ts'

/** Of all rooms together so many are kept, and so many bytes; the oldest go first. */
const KEPT_MAX = 10
const KEPT_MAX_BYTES: Bytes = 100 * 1024 * 1024

export interface StoredAttachment {
  readonly key: string
  readonly me: string
  readonly channelId: string
  /** When it was picked, ms. */
  readonly at: number
  readonly file: File
  /** Once it is stored: it need not travel again. */
  readonly uploaded: Uploaded | null
  readonly looks: VideoLooks | null
}

const whoAmI = (): string => recall('auth')?.id ?? ''

/** Keeps a file, in place of what was kept under its key. */
export async function saveAttachment(it: Omit<StoredAttachment, 'me'>): Promise<void> {
  const me = whoAmI()
  // Nobody is logged in any more: it would be found by nobody.
  if (me === '') return
  const picked: StoredAttachment = { ...it, me }
  if (!(await queryDb('picked', 'readwrite', (store) => store.put(picked)))) return
  let left = KEPT_MAX
  let bytes = KEPT_MAX_BYTES
  const all = [...(await everything())].sort((a, b) => b.at - a.at)
  for (const { key, file } of all) {
    left -= 1
    bytes -= file.size
    if (left < 0 || bytes < 0) await deleteAttachment(key)
  }
}

export async function deleteAttachment(key: string): Promise<void> {
  await queryDb('picked', 'readwrite', (store) => store.delete(key))
}

/** What this person had picked in a channel, in that order. */
export async function loadAttachments(channelId: string): Promise<StoredAttachment[]> {
  const me = whoAmI()
  return (await everything())
    .filter((it) => it.channelId === channelId && it.me === me)
    .sort((a, b) => a.at - b.at)
}

async function everything(): Promise<readonly StoredAttachment[]> {
  const found = await queryDb(
    'picked',
    'readonly',
    (store) => store.getAll() as IDBRequest<StoredAttachment[]>,
  )
  return found?.answer ?? []
}
