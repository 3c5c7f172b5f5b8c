/** Storage of files: a directory of this machine, or a bucket of any S3-compatible store. */
import type { Readable } from 'node:stream'

/** A file that came in and lies on this machine's disk, whole. */
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
 * Keys look like paths (`attachments/2026-11/21/name.zip`) and are never reused. A key is either whole or not there:
 * nobody ever reads half a file.
 */
export interface Storage {
  /** Stores a finished file under a key and takes it from its place. Resolves once a power cut cannot undo it. */
  put(key: string, file: Finished): Promise<void>
  /** The content, or a part of it; null when there is none under this key. */
  open(key: string, range?: ByteRange): Promise<Readable | null>
  /** Nothing happens when there is none. */
  remove(key: string): Promise<void>
}

/** What keys are made of. Whatever else comes from outside names nothing. */
export const isKey = (key: string): boolean =>
  key.length <= 200 && /^[a-z]+(?:\/[\w-]+)*\/\w+(?:\.\w+)?$/.test(key)
