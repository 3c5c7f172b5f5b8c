/**
 * The browser's database: unsent messages and attachments, which outlive a reload, and the device cache:
 * answers and the newest pages of rooms, which are shown before the network answers. chat.md §3 "Local
 * storage".
 */

/** Object stores and their key fields. */
const STORES = { unsent: 'nonce', picked: 'key', pages: 'channelId', answers: 'key' } as const
const VERSION = 3

/** Runs one request on an object store. */
export type Query = <A>(
  store: keyof typeof STORES,
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore) => IDBRequest<A>,
) => Promise<{ readonly answer: A } | null>

let opened: Promise<IDBDatabase | null> | null = null

/** `storage.ts` deletes the database of this name when the user logs out. */
function database(): Promise<IDBDatabase | null> {
  opened ??= new Promise<IDBDatabase | null>((resolve) => {
    try {
      const request = indexedDB.open('guildhall', VERSION)
      request.onupgradeneeded = () => {
        const { result } = request
        for (const [name, keyPath] of Object.entries(STORES))
          if (!result.objectStoreNames.contains(name)) result.createObjectStore(name, { keyPath })
      }
      request.onsuccess = () => {
        const db = request.result
        // Another tab deletes or upgrades the database: it is opened again when it is next needed.
        db.onversionchange = () => {
          db.close()
          opened = null
        }
        db.onclose = () => {
          opened = null
        }
        resolve(db)
      }
      request.onerror = () => resolve(null)
      request.onblocked = () => resolve(null)
    } catch {
      resolve(null)
    }
  })
  return opened
}

/** Null when the database is missing or refuses: in private windows, when the disk is full. Never throws. */
export const queryDb: Query = async (name, mode, work) => {
  const db = await database()
  if (!db) return null
  return new Promise((resolve) => {
    try {
      const transaction = db.transaction(name, mode)
      const request = work(transaction.objectStore(name))
      request.onsuccess = () => resolve({ answer: request.result })
      request.onerror = () => resolve(null)
      // A full disk may only be reported at the end.
      transaction.onabort = () => resolve(null)
    } catch {
      resolve(null)
    }
  })
}
