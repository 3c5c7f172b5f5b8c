/** Attachments: the file of an image, file, video or voice message. chat.md §3, protocol.md §3.2. */
import { SIDE_MAX } from '../asset/pictureSize.ts'
import { int, type Out, text, z } from '../schema.ts'
import { DAY_MS } from '../unit.ts'
import { kindNumber, type MessageKind } from './kind.ts'

const unknownNumber = z.optional(z.nullable(z.number()))

/** `fileUrl` repeats `url` for callers of v2. `size` is in bytes, sides in px. */
export const attachment = z.looseObject({
  type: z.enum(['image', 'video', 'audio', 'file']),
  name: z.string(),
  url: z.string(),
  fileUrl: z.optional(z.string()),
  file_type: z.optional(z.string()),
  size: unknownNumber,
  width: unknownNumber,
  height: unknownNumber,
  /**
   * Duration: ms in v2 and on people's connections, s for callers of the public protocol. protocol.md §9.3.
   */
  duration: unknownNumber,
  /** Of a picture: what is drawn before it has arrived, a ThumbHash as base64. Decision 44. */
  thumbhash: z.optional(z.nullable(z.string())),
  /** The address of a picture of a video. */
  cover: z.optional(z.nullable(z.string())),
})
export type Attachment = Out<typeof attachment>

/**
 * Metadata of a video as the sender's device read it. What the server reads in the file itself takes
 * precedence.
 */
export const videoLooks = {
  /** The address of an own upload, a picture. */
  cover: z.optional(text(500)),
  /** ms */
  duration: z.optional(int(1, DAY_MS)),
  /** px */
  width: z.optional(int(1, SIDE_MAX)),
  height: z.optional(int(1, SIDE_MAX)),
}
const looks = z.object(videoLooks)
export type VideoLooks = Out<typeof looks>

/** The attachment of a message; null when there is none, or it is invalid. */
export function attachmentOf(message: { readonly attachments: unknown }): Attachment | null {
  const read = attachment.safeParse(message.attachments)
  return read.success ? read.data : null
}

/**
 * The kinds whose content is the address of a file, and the required kind of the file; a file message allows
 * any.
 */
export const mediaKinds: Readonly<Partial<Record<MessageKind, Attachment['type']>>> = {
  image: 'image',
  file: 'file',
  video: 'video',
  voice: 'audio',
}

const IMAGE = kindNumber('image', 'specification')

/**
 * A picture's stored name, which contains its size; `''` for every other message. `type` is the
 * specification's number.
 */
export const imageNameOf = (type: number, content: string): string =>
  type === IMAGE ? (content.split(/[?#]/)[0]?.split('/').at(-1) ?? '') : ''
