/** Where files lie that are coming in, on this machine's disk, until somebody wants them or nobody does. */
import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ids } from './ids.ts'

/** A file that came in whole. */
export interface Received {
  readonly path: string
  /** What its sender calls it; anything may stand in it. */
  readonly name: string
  readonly bytes: number
  /** Of the content, as hex. */
  readonly sha256: string
}

export interface Spool {
  /** Writes a stream to the disk as it comes; null, and nothing is left, when it is longer than `most` bytes. */
  receive(stream: Readable, name: string, most: number): Promise<Received | null>
  /** A place for a file that is being made of another one. Nothing lies there yet. */
  newPath(): Promise<string>
  /** Removes what has not been touched for so long, ms: leftovers of a process that was killed. Answers how many. */
  sweep(olderThanMs: number): Promise<number>
}

export function openSpool(dir: string): Spool {
  async function place(): Promise<string> {
    await mkdir(dir, { recursive: true })
    return path.join(dir, ids.token())
  }
  return {
    newPath: place,
    async receive(stream, name, most) {
      const at = await place()
      const hash = createHash('sha256')
      let bytes = 0
      try {
        await pipeline(
          stream,
          async function* (source: AsyncIterable<Buffer>) {
            for await (const chunk of source) {
              bytes += chunk.length
              if (bytes > most) return
              hash.update(chunk)
              yield chunk
            }
          },
          createWriteStream(at, { mode: 0o600 }),
        )
      } catch (error) {
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
        // The file system's clock wrote it, so the file system's clock judges it: not the house's, which tests move.
        if (!it?.isFile() || Date.now() - it.mtimeMs < olderThanMs) continue
        await rm(at, { force: true })
        swept += 1
      }
      return swept
    },
  }
}

/** The first bytes of a file, as many as there are. */
export async function headOf(file: string, bytes: number): Promise<Buffer> {
  const handle = await open(file)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(bytes), 0, bytes, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}
