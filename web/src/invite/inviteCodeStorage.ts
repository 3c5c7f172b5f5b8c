/**
 * The code of a personal invite on this device, encrypted: AES-GCM with a key that scripts can use but not
 * read, in a database of its own. chat.md §3 "encrypted invite code", decision 54. Without that database or
 * without https nothing is stored.
 */
import { type InviteCode, isInviteCode } from '@guildhall/wire/id.ts'
import { readStored, writeStored } from '../kit/browser/storage.ts'

const DATABASE = 'guildhall-keys'
const STORE = 'keys'
const NAME = 'invite code'
const IV_BYTES = 12

function requested<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}

async function withKeys<T>(
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore) => IDBRequest<T>,
): Promise<T> {
  const opening = indexedDB.open(DATABASE, 1)
  opening.onupgradeneeded = () => opening.result.createObjectStore(STORE)
  const db = await requested(opening)
  try {
    return await requested(work(db.transaction(STORE, mode).objectStore(STORE)))
  } finally {
    db.close()
  }
}

const existingKey = (): Promise<CryptoKey | undefined> => withKeys('readonly', (store) => store.get(NAME))

async function newKey(): Promise<CryptoKey> {
  const key = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt'])
  await withKeys('readwrite', (store) => store.put(key, NAME))
  return key
}

const toText = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes))
const toBytes = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text), (character) => character.charCodeAt(0))

/** Stores the code. Never rejects. */
export async function keepInviteCode(code: InviteCode): Promise<void> {
  try {
    const key = (await existingKey()) ?? (await newKey())
    const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES))
    const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, key, new TextEncoder().encode(code))
    writeStored('invite_code', toText(new Uint8Array([...iv, ...new Uint8Array(sealed)])))
  } catch {
    // It stays in the address of the page.
  }
}

/** The stored code; null without one, and when it cannot be read. Never rejects. */
export async function keptInviteCode(): Promise<InviteCode | null> {
  try {
    const [stored, key] = [readStored('invite_code'), await existingKey()]
    if (stored === null || !key) return null
    const bytes = toBytes(stored)
    const iv = bytes.slice(0, IV_BYTES)
    const opened = await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, key, bytes.slice(IV_BYTES))
    const code = new TextDecoder().decode(opened)
    return isInviteCode(code) ? code : null
  } catch {
    return null
  }
}

/** Deletes the stored code; its key stays. */
export const forgetInviteCode = (): void => void writeStored('invite_code', null)
