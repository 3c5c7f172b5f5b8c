/** Making directories. */
import { chmod, mkdir, stat } from 'node:fs/promises'
import path from 'node:path'

/** Only the account of this process enters it. */
export const PRIVATE_DIRECTORY = 0o700
export const PRIVATE_FILE = 0o600

/**
 * Makes a directory and those above it, all with `mode`; returns the first one it made, or undefined when it
 * was there. Node's own `recursive` never ends where the system answers that a directory's parent is missing
 * and it is not (`/proc`).
 * @throws the system's error
 */
export async function makeDirectory(
  directory: string,
  mode = PRIVATE_DIRECTORY,
): Promise<string | undefined> {
  const missing: string[] = []
  let at = path.resolve(directory)
  while (!(await isDirectory(at))) {
    missing.unshift(at)
    at = path.dirname(at)
  }
  let first: string | undefined
  for (const each of missing) {
    try {
      await mkdir(each, { mode })
      first ??= each
    } catch (error) {
      // Another process was faster.
      if (!(await isDirectory(each))) throw error
    }
  }
  return first
}

/** Makes a directory that other accounts of the machine cannot enter, also when it was there before. */
export async function makePrivateDirectory(directory: string): Promise<void> {
  await makeDirectory(directory)
  await chmod(directory, PRIVATE_DIRECTORY)
}

/** @throws NodeJS.ErrnoException ENOTDIR, when it is something else */
async function isDirectory(at: string): Promise<boolean> {
  const found = await stat(at).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (found && !found.isDirectory())
    throw Object.assign(new Error(`${at} is not a directory`), { code: 'ENOTDIR', path: at })
  return found !== null
}
