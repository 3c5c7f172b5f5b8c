/** The database of this browser in which what is not sent yet outlives a reload. chat.md §3 "Local storage". */

/** Its parts, and by which field each finds what it holds. */
const PARTS = { unsent: 'nonce', picked: 'key' } as const
const VERSION = 2

let opened: Promise<IDBDatabase | null> | null = null

/** The name is also in `kit/storage.ts`, which deletes the database when the person is forgotten. */
function database(): Promise<IDBDatabase | null> {
  opened ??= new Promise<IDBDatabase | null>((resolve) => {
    try {
      const asking = indexedDB.open('guildhall', VERSION)
      asking.onupgradeneeded = () => {
        const { result } = asking
        for (const [name, keyPath] of Object.entries(PARTS))
          if (!result.objectStoreNames.contains(name)) result.createObjectStore(name, { keyPath })
      }
      asking.onsuccess = () => {
        const made = asking.result
        // Somebody wants it gone, or newer, perhaps in another tab: it is opened again when it is next needed.
        made.onversionchange = () => {
          made.close()
          opened = null
        }
        made.onclose = () => {
          opened = null
        }
        resolve(made)
      }
      asking.onerror = () => resolve(null)
      asking.onblocked = () => resolve(null)
    } catch {
      resolve(null)
    }
  })
  return opened
}

/** Answers null when there is no database or it refuses: in private windows, when the disk is full. Never throws. */
export async function ask<A>(
  part: keyof typeof PARTS,
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore) => IDBRequest<A>,
): Promise<{ readonly answer: A } | null> {
  const db = await database()
  if (!db) return null
  return new Promise((resolve) => {
    try {
      const transaction = db.transaction(part, mode)
      const asking = work(transaction.objectStore(part))
      asking.onsuccess = () => resolve({ answer: asking.result })
      asking.onerror = () => resolve(null)
      // A full disk may say so only in the end.
      transaction.onabort = () => resolve(null)
    } catch {
      resolve(null)
    }
  })
}
