/**
 * Persists the attachments of drafts in the browser's database, so that they outlive a reload. Decision 28.
 */
import type { Uploaded } from '@guildhall/wire/asset/asset.ts'
import type { VideoLooks } from '@guildhall/wire/message/attachment.ts'
import type { Bytes } from '@guildhall/wire/unit.ts'
import { queryDb } from '../../kit/browser/indexedDb.ts'
import { readStored } from '../../kit/browser/storage.ts'

/** Limits for all rooms together: count and bytes. The oldest are deleted first. */
const COUNT_MAX = 10
const KEPT_MAX_BYTES: Bytes = 100 * 1024 * 1024

export interface StoredAttachment {
  readonly key: string
  readonly me: string
  readonly channelId: string
  /** When it was picked, ms since the epoch. */
  readonly at: number
  readonly file: File
  /** Set once it is uploaded, so that it is not uploaded again. */
  readonly uploaded: Uploaded | null
  readonly looks: VideoLooks | null
}

const whoAmI = (): string => readStored('auth')?.id ?? ''

/** Saves an attachment, replacing the one with its key. */
export async function saveAttachment(attachment: Omit<StoredAttachment, 'me'>): Promise<void> {
  const me = whoAmI()
  // Nobody is logged in, so nobody could load it.
  if (me === '') return
  const picked: StoredAttachment = { ...attachment, me }
  if (!(await queryDb('picked', 'readwrite', (store) => store.put(picked)))) return
  let left = COUNT_MAX
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

/** The user's attachments of a channel, in the order of picking. */
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
