/** File types by content: the name and the media type that the sender gives are not trusted. */
import { open } from 'node:fs/promises'
import type { AssetKind } from '@guildhall/wire/asset/asset.ts'
import { fileTypeFromFile } from 'file-type'
import { isSoundAlone } from './videoSize.ts'

/** The type of a file, by its content. */
export interface FileType {
  readonly kind: AssetKind
  readonly mime: string
  /** The extension of its stored name, without the dot; null: the extension of the sender's name is used. */
  readonly ending: string | null
}

const unknown: FileType = { kind: 'file', mime: 'application/octet-stream', ending: null }

const type = (kind: AssetKind, mime: string, ending: string | null): FileType => ({ kind, mime, ending })
const same = (kind: AssetKind, mime: string, ending: string | null) =>
  [mime, type(kind, mime, ending)] as const

/** By the media type that the library finds; every other one is unknown here. */
const TYPES: ReadonlyMap<string, FileType> = new Map([
  same('image', 'image/jpeg', 'jpg'),
  same('image', 'image/png', 'png'),
  same('image', 'image/gif', 'gif'),
  same('image', 'image/webp', 'webp'),
  // Re-encoded as WebP.
  same('image', 'image/avif', 'webp'),
  // The encoder would keep the first frame of an animated PNG only, and cannot read HEIC: they stay files.
  same('file', 'image/apng', 'png'),
  ...['image/heic', 'image/heif', 'image/heic-sequence', 'image/heif-sequence'].map(
    (mime) => [mime, type('file', 'image/heic', null)] as const,
  ),
  same('video', 'video/mp4', 'mp4'),
  ['video/x-m4v', type('video', 'video/mp4', 'mp4')],
  same('video', 'video/quicktime', 'mov'),
  same('video', 'video/3gpp', '3gp'),
  ['video/3gpp2', type('video', 'video/3gpp', '3gp')],
  same('video', 'video/webm', 'webm'),
  ['video/matroska', type('file', 'video/x-matroska', 'mkv')],
  same('audio', 'audio/mpeg', 'mp3'),
  ['audio/x-m4a', type('audio', 'audio/mp4', 'm4a')],
  same('audio', 'audio/mp4', 'm4a'),
  same('audio', 'audio/aac', 'aac'),
  same('audio', 'audio/ogg', 'ogg'),
  ['video/ogg', type('audio', 'audio/ogg', 'ogg')],
  same('audio', 'audio/wav', 'wav'),
  same('audio', 'audio/flac', 'flac'),
  same('audio', 'audio/amr', 'amr'),
  same('file', 'application/pdf', 'pdf'),
  same('file', 'application/zip', null),
  ['application/x-rar-compressed', type('file', 'application/vnd.rar', null)],
  same('file', 'application/x-7z-compressed', null),
  same('file', 'application/gzip', null),
])

const SOUND = type('audio', 'audio/mp4', 'm4a')

/** The type of a stored file. Never throws because of its content. */
export async function fileTypeOf(path: string): Promise<FileType> {
  const found = await fileTypeFromFile(path).catch(() => undefined)
  // The library misses an MP3 with other bytes between its tag and its first frame.
  const mime = found?.mime ?? ((await startsWithId3(path)) ? 'audio/mpeg' : '')
  // Parameters such as `codecs` follow a semicolon.
  const known = TYPES.get(mime.split(';')[0] ?? '') ?? unknown
  return known.mime === 'video/mp4' && (await isSoundAlone(path)) ? SOUND : known
}

async function startsWithId3(path: string): Promise<boolean> {
  const file = await open(path)
  try {
    const { buffer } = await file.read(Buffer.alloc(3), 0, 3, 0)
    return buffer.toString('latin1') === 'ID3'
  } finally {
    await file.close()
  }
}

/** What a browser may open in place; everything else is downloaded. */
const SHOWN: ReadonlySet<string> = new Set([
  'image/jpeg',
  'image/png',
  'image/gif',
  'image/webp',
  'video/mp4',
  'video/webm',
  'video/quicktime',
  'video/3gpp',
  'audio/mpeg',
  'audio/mp4',
  'audio/aac',
  'audio/ogg',
  'audio/wav',
  'audio/flac',
  'audio/amr',
])
export const isShown = (kind: AssetKind, mime: string): boolean => kind !== 'file' && SHOWN.has(mime)
