/** Storage in a directory of this machine. */
import { chmod, open, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { makeDirectory, PRIVATE_FILE } from '../../kit/files/directory.ts'
import { isKey, type Storage } from './storage.ts'

/**
 * Keeps files below `root`. A stored file must be on the same file system: it is synced to the disk where it
 * is, then renamed, then the directories that name it are synced.
 */
export function openDisk(root: string): Storage {
  const pathOf = (key: string): string => {
    if (!isKey(key)) throw new Error('this is no key of a stored file')
    return path.join(root, key)
  }
  return {
    async put(key, file) {
      const filePath = pathOf(key)
      const made = await makeDirectory(path.dirname(filePath))
      await chmod(file.path, PRIVATE_FILE)
      await sync(file.path)
      await rename(file.path, filePath)
      // The name is in its directory; a new directory's name is in the one above it, up to what was there
      // before.
      const last = made === undefined ? path.dirname(filePath) : path.dirname(made)
      for (let at = path.dirname(filePath); ; at = path.dirname(at)) {
        await sync(at)
        if (at === last) break
      }
    },
    async open(key, range) {
      if (!isKey(key)) return null
      const filePath = pathOf(key)
      // A directory opens as well, and only reading it fails.
      const handle = await stat(filePath).then(
        (it) => (it.isFile() ? open(filePath) : null),
        (error: NodeJS.ErrnoException) => (error.code === 'ENOENT' ? null : Promise.reject(error)),
      )
      return handle?.createReadStream(range ? { start: range.first, end: range.last } : {}) ?? null
    },
    async remove(key) {
      await rm(pathOf(key), { force: true })
    },
  }
}

async function sync(filePath: string): Promise<void> {
  const handle = await open(filePath)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
