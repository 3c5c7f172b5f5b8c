/** The spool: uploads on the local disk until they are stored or dropped. */
import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ids } from '../ids.ts'
import { makeDirectory, PRIVATE_FILE } from './directory.ts'
import { type Disk, refusingWhenFull } from './disk.ts'

/** A file that was received completely. */
export interface Received {
  readonly path: string
  /** The sender's name for it; untrusted. */
  readonly name: string
  readonly bytes: number
  /** Of the content, hex. */
  readonly sha256: string
}

export interface Spool {
  /**
   * Writes a stream to the disk; null, and no file is left, when it is longer than `most` bytes.
   * @throws Failure asset.no_space
   */
  receive(stream: Readable, name: string, most: number): Promise<Received | null>
  /** A path for a new file. The file does not exist yet. */
  newPath(): Promise<string>
  /**
   * Deletes files that were not modified for this long, ms: leftovers of a killed process. Returns how many.
   */
  sweep(olderThanMs: number): Promise<number>
}

/** How often the disk is looked at while a file arrives, bytes. */
const ROOM_CHECKED_EACH = 8 * 1024 * 1024

/** `disk`: refuses files below its reserve, also while they arrive. */
export function openSpool(dir: string, disk?: Pick<Disk, 'requireRoom'>): Spool {
  async function newPath(): Promise<string> {
    await refusingWhenFull(makeDirectory(dir))
    return path.join(dir, ids.token())
  }
  return {
    newPath,
    async receive(stream, name, most) {
      const at = await newPath()
      const hash = createHash('sha256')
      let bytes = 0
      let checked = -ROOM_CHECKED_EACH
      const file = createWriteStream(at, { mode: PRIVATE_FILE })
      try {
        const writing = pipeline(
          stream,
          async function* (source: AsyncIterable<Buffer>) {
            for await (const chunk of source) {
              bytes += chunk.length
              if (bytes > most) return
              if (disk && bytes - checked >= ROOM_CHECKED_EACH) {
                await disk.requireRoom()
                checked = bytes
              }
              hash.update(chunk)
              yield chunk
            }
          },
          file,
        )
        await refusingWhenFull(writing)
      } catch (error) {
        // A file whose opening is under way would be created after its removal.
        if (!file.closed) await new Promise<void>((closed) => file.once('close', () => closed()))
        await rm(at, { force: true })
        throw error
      }
      if (bytes > most) {
        await rm(at, { force: true })
        return null
      }
      return { path: at, name, bytes, sha256: hash.digest('hex') }
    },
    async sweep(olderThanMs) {
      const names = await readdir(dir).catch(() => [])
      let swept = 0
      for (const name of names) {
        const at = path.join(dir, name)
        const it = await stat(at).catch(() => null)
        // Compared with the real clock, which set `mtime`, and not with `clock`, which tests move.
        if (!it?.isFile() || Date.now() - it.mtimeMs < olderThanMs) continue
        await rm(at, { force: true })
        swept += 1
      }
      return swept
    },
  }
}
