/** A key in a file of its own, for what must not be readable with the database alone. */
import { randomBytes } from 'node:crypto'
import { link, readFile, unlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { makeDirectory, PRIVATE_FILE } from '../files/directory.ts'
import { ids } from '../ids.ts'
import { OperatorError } from '../operatorError.ts'

export const KEY_BYTES = 32

/**
 * The key of a file: 32 random bytes, generated at its first use. Two processes that begin at once get the
 * same one.
 * @throws OperatorError for a file that is no key, and the system's error
 */
export async function readKeyFile(file: string): Promise<Buffer> {
  const found = await readIfThere(file)
  if (found) return checked(file, found)
  await writeOnce(file, randomBytes(KEY_BYTES))
  return checked(file, await readFile(file))
}

/**
 * Makes a private file with a content, and the directories above it; false when there is one already, which
 * stays as it is.
 * @throws the system's error
 */
export async function writeOnce(file: string, content: Buffer | string): Promise<boolean> {
  await makeDirectory(path.dirname(file))
  const made = `${file}.${ids.uuid()}`
  await writeFile(made, content, { mode: PRIVATE_FILE, flush: true })
  try {
    // A link never replaces a file, so that the first key stays.
    await link(made, file)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return false
  } finally {
    await unlink(made)
  }
}

/** The key of a text in base64; null when it is none. */
export function decodeKey(text: string): Buffer | null {
  const key = Buffer.from(text, 'base64')
  // The decoder skips what is not its alphabet.
  return key.length === KEY_BYTES && /^[A-Za-z0-9+/]{43}=$/.test(text) ? key : null
}

/** Null: there is no such file. */
export const readIfThere = (file: string): Promise<Buffer | null> =>
  readFile(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })

function checked(file: string, key: Buffer): Buffer {
  if (key.length === KEY_BYTES) return key
  throw new OperatorError(
    `${file} is no key of ${KEY_BYTES} bytes. Put the right one back: it cannot be made again.`,
  )
}
