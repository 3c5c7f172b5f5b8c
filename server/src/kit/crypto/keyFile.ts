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
  await makeDirectory(path.dirname(file))
  const made = `${file}.${ids.uuid()}`
  await writeFile(made, randomBytes(KEY_BYTES), { mode: PRIVATE_FILE, flush: true })
  try {
    // A link never replaces a file, so that the first key stays.
    await link(made, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    await unlink(made)
  }
  return checked(file, await readFile(file))
}

const readIfThere = (file: string): Promise<Buffer | null> =>
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
