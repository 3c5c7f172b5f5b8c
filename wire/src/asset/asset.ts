import { route } from '../route.ts'
import { type Out, text, z } from '../schema.ts'
import { type Bytes, MB } from '../unit.ts'

/** The kind of a file by its content, which determines how a room shows it. */
export const assetKinds = ['image', 'video', 'audio', 'file'] as const
export type AssetKind = (typeof assetKinds)[number]

/**
 * The largest file of a guild's members, by its level 0 to 6, bytes. Its right `max_upload_size`. decision
 * 18.
 */
export const UPLOAD_MAX_BYTES: readonly Bytes[] = [30, 40, 50, 60, 80, 90, 100].map((mb) => mb * MB)
/**
 * The largest picture that somebody picks for themselves or a guild, MB and bytes. What is uploaded of it is
 * smaller.
 */
export const PICKED_PICTURE_MAX_MB = 30
export const PICKED_PICTURE_MAX_BYTES: Bytes = PICKED_PICTURE_MAX_MB * MB
/** A BUFF member's, everywhere, MB and bytes. commerce.md §9. */
export const UPLOAD_MAX_BUFF_MB = 100
export const UPLOAD_MAX_BUFF_BYTES: Bytes = UPLOAD_MAX_BUFF_MB * MB

/** New files that the messages of a guild may show within a day, MB. Decision 38. */
export const GUILD_FILES_MB_PER_DAY = 20_480

/** How large a file may be for a guild of this level, bytes. */
export function uploadMaxBytes(level: number, hasBuff: boolean): Bytes {
  const byLevel = UPLOAD_MAX_BYTES[Math.min(Math.max(level, 0), UPLOAD_MAX_BYTES.length - 1)] ?? 0
  return hasBuff ? Math.max(byLevel, UPLOAD_MAX_BUFF_BYTES) : byLevel
}

/** A stored file. Callers of the public protocol read `url`; the rest is ours. */
export const uploaded = z.object({
  /** Absolute; its content never changes. It is gone after a day unless a message shows it. Decision 38. */
  url: z.string(),
  type: z.enum(assetKinds),
  name: z.string(),
  /** Media type, by the content. */
  file_type: z.string(),
  /** Bytes. */
  size: z.number(),
  /** px; null when unknown. */
  width: z.nullable(z.number()),
  height: z.nullable(z.number()),
})
export type Uploaded = Out<typeof uploaded>

/** With `type` `image` other files are refused. */
const form = z.object({ type: z.optional(text(32)) })

const fails = [
  'asset.missing',
  'asset.too_large',
  'asset.not_image',
  'asset.too_many_pixels',
  'asset.daily_limit',
  'asset.no_space',
  'content.refused',
  'too_many',
] as const

/** Store a file: the field `file` of a multipart form. chat.md §7, protocol.md §9.1. */
export const uploadFile = route({
  method: 'POST',
  path: '/api/v2/assets/file',
  dialect: 'v2',
  who: 'user',
  input: form,
  form: 'file',
  answer: uploaded,
  fails,
})

/** The same under the name that chat.md §7 lists. */
export const uploadAsset = route({ ...uploadFile, path: '/api/v2/assets' })

/** The same for callers of the public protocol. protocol.md §4.11. */
export const createAsset = route({
  method: 'POST',
  path: '/api/v3/asset/create',
  dialect: 'v3',
  who: 'user',
  input: form,
  form: 'file',
  answer: uploaded,
  fails,
})
