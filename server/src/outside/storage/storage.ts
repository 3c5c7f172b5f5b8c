/** Storage of files: a directory of this machine, or a bucket of any S3-compatible store. */
import type { Readable } from 'node:stream'

/** A file that was received completely and is on this machine's disk. */
export interface Finished {
  readonly path: string
  readonly bytes: number
  /** Of the content, as hex. */
  readonly sha256: string
  readonly mime: string
}

/** Bytes `first` to `last`, both included and counted from zero. */
export interface ByteRange {
  readonly first: number
  readonly last: number
}

/**
 * Keys look like paths (`attachments/2026-11/21/name.zip`) and are never reused. A key is either whole or not
 * there: half a file is never read.
 */
export interface Storage {
  /** Moves a finished file to a key. Resolves once it is durable. */
  put(key: string, file: Finished): Promise<void>
  /** The content, or a part of it; null when there is none under this key. */
  open(key: string, range?: ByteRange): Promise<Readable | null>
  /** No effect when there is none. */
  remove(key: string): Promise<void>
}

/** The characters of a key. A path with any other character matches no key. */
export const isKey = (key: string): boolean =>
  key.length <= 200 && /^[a-z]+(?:\/[\w-]+)*\/\w+(?:\.\w+)?$/.test(key)
