/** File types by their first bytes (MIME sniffing). */
import type { AssetKind } from '@guildhall/wire/asset/asset.ts'

/** What a file is, by how its content begins. */
export interface Sniffed {
  readonly kind: AssetKind
  readonly mime: string
  /** What its stored name ends with, without the dot; null: what its sender calls it decides. */
  readonly ending: string | null
}

/** So many first bytes are enough to tell. */
export const SNIFF_BYTES = 4_096

const plain: Sniffed = { kind: 'file', mime: 'application/octet-stream', ending: null }

const image = (type: string, ending: string): Sniffed => ({ kind: 'image', mime: `image/${type}`, ending })
const video = (type: string, ending: string): Sniffed => ({ kind: 'video', mime: `video/${type}`, ending })
const audio = (type: string, ending: string): Sniffed => ({ kind: 'audio', mime: `audio/${type}`, ending })
const file = (mime: string, ending: string | null): Sniffed => ({ kind: 'file', mime, ending })

/** First bytes, as Latin-1, where they stand, and what they mean. */
const begins: readonly (readonly [begin: string, at: number, means: Sniffed])[] = [
  ['\xff\xd8\xff', 0, image('jpeg', 'jpg')],
  ['\x89PNG\r\n\x1a\n', 0, image('png', 'png')],
  ['GIF87a', 0, image('gif', 'gif')],
  ['GIF89a', 0, image('gif', 'gif')],
  ['WEBP', 8, image('webp', 'webp')],
  ['ftypavif', 4, image('avif', 'webp')],
  ['ftypavis', 4, image('avif', 'webp')],
  ...['heic', 'heix', 'hevc', 'heim', 'heis', 'mif1', 'msf1'].map(
    (brand) => [`ftyp${brand}`, 4, file('image/heic', null)] as const,
  ),
  ['ftypM4A ', 4, audio('mp4', 'm4a')],
  ['ftypM4B ', 4, audio('mp4', 'm4a')],
  ['ftypqt  ', 4, video('quicktime', 'mov')],
  ['ftyp3g', 4, video('3gpp', '3gp')],
  ...['iso', 'mp4', 'avc1', 'M4V', 'dash', 'f4v', 'MSNV', 'mmp4'].map(
    (brand) => [`ftyp${brand}`, 4, video('mp4', 'mp4')] as const,
  ),
  ['\x1a\x45\xdf\xa3', 0, file('video/x-matroska', 'mkv')],
  ['ID3', 0, audio('mpeg', 'mp3')],
  ...['\xfb', '\xf3', '\xf2', '\xfa'].map((second) => [`\xff${second}`, 0, audio('mpeg', 'mp3')] as const),
  ...['\xf1', '\xf9'].map((second) => [`\xff${second}`, 0, audio('aac', 'aac')] as const),
  ['OggS', 0, audio('ogg', 'ogg')],
  ['WAVE', 8, audio('wav', 'wav')],
  ['fLaC', 0, audio('flac', 'flac')],
  ['#!AMR', 0, audio('amr', 'amr')],
  ['%PDF-', 0, file('application/pdf', 'pdf')],
  ['PK\x03\x04', 0, file('application/zip', null)],
  ['Rar!\x1a\x07', 0, file('application/vnd.rar', null)],
  ['7z\xbc\xaf\x27\x1c', 0, file('application/x-7z-compressed', null)],
  ['\x1f\x8b', 0, file('application/gzip', null)],
]

/** By content alone: what a file is called, and what its sender says it is, prove nothing. Never a picture of XML. */
export function sniff(head: Buffer): Sniffed {
  const text = head.subarray(0, SNIFF_BYTES).toString('latin1')
  const found = begins.find(([begin, at]) => text.startsWith(begin, at))?.[2] ?? plain
  // An animated PNG would come out of the encoder with its first frame only: it stays a file.
  if (found.mime === 'image/png' && text.includes('acTL')) return file('image/apng', 'png')
  if (found.mime === 'video/x-matroska' && text.slice(0, 64).includes('webm')) return video('webm', 'webm')
  return found
}

/** What a browser may open in place; everything else is kept as a file. */
const SHOWN: ReadonlySet<string> = new Set([
  ...['image/jpeg', 'image/png', 'image/gif', 'image/webp'],
  ...['video/mp4', 'video/webm', 'video/quicktime', 'video/3gpp'],
  ...['audio/mpeg', 'audio/mp4', 'audio/aac', 'audio/ogg', 'audio/wav', 'audio/flac', 'audio/amr'],
])
export const isShown = (kind: AssetKind, mime: string): boolean => kind !== 'file' && SHOWN.has(mime)
