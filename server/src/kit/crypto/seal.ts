/**
 * Sealed values: a client holds them and can neither read nor change them, so that the server need not keep
 * them.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const ALGORITHM = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16

/** Seals a value. `purpose`: what it is for; only `unseal` for the same purpose opens it. */
export function seal(key: Buffer, purpose: string, value: unknown): string {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv(ALGORITHM, key, iv).setAAD(Buffer.from(purpose))
  const sealed = Buffer.concat([cipher.update(JSON.stringify(value), 'utf8'), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url')
}

/** The value; null when it was not sealed here for this purpose, or was changed. */
export function unseal(key: Buffer, purpose: string, sealed: string): unknown {
  // The decoder skips what is not its alphabet: one value must not have several spellings.
  if (!/^[\w-]+$/.test(sealed)) return null
  const bytes = Buffer.from(sealed, 'base64url')
  if (bytes.length <= IV_BYTES + TAG_BYTES) return null
  const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES })
  decipher.setAAD(Buffer.from(purpose))
  decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
  try {
    const opened = Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()])
    return JSON.parse(opened.toString('utf8'))
  } catch {
    return null
  }
}
