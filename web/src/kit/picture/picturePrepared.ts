import { PICKED_PICTURE_MAX_BYTES } from '@guildhall/wire/asset/asset.ts'

/**
 * A picked file as a still picture that is small enough to be moved and zoomed on a phone, and the part of it
 * that is kept.
 */

/** The long side at which a picture is cropped, px: phones take photos of 48 megapixels and more. */
const PREPARED_SIDE = 2048
/** The side of a saved picture, px. */
export const SAVED_SIDE = 512

/** A picture that is ready to be cropped; `close` frees its memory. */
export interface Prepared {
  /** As it was picked. */
  readonly file: File
  readonly canvas: HTMLCanvasElement
  /** For `img` elements. */
  readonly url: string
  /** The file may be animated; the picture is its first frame. */
  readonly mayMove: boolean
  close(): void
}

/** A square of a picture, px. */
export interface Square {
  readonly x: number
  readonly y: number
  readonly width: number
}

export type Unreadable = 'tooLarge' | 'heic' | 'notPicture'

/** No smaller size is wanted of a picture. */
const ANY = { width: 0, height: 0 }

/**
 * Opens a picked file, upright as the camera noted. Why not, when it cannot be opened. `least`: a picture
 * that is as large stays so, px.
 */
export async function prepare(
  file: File,
  least: { readonly width: number; readonly height: number } = ANY,
): Promise<Prepared | Unreadable> {
  if (file.size > PICKED_PICTURE_MAX_BYTES) return 'tooLarge'
  const address = URL.createObjectURL(file)
  try {
    const image = new Image()
    image.src = address
    await image.decode()
    const { naturalWidth: width, naturalHeight: height } = image
    if (width === 0 || height === 0) return 'notPicture'
    const sides = [PREPARED_SIDE / Math.max(width, height), least.width / width, least.height / height]
    const scale = Math.min(1, Math.max(...sides))
    const canvas = drawn(image, { x: 0, y: 0, width, height }, width * scale, height * scale)
    const blob = await blobOf(canvas)
    if (!blob) return 'notPicture'
    const url = URL.createObjectURL(blob)
    const close = () => {
      URL.revokeObjectURL(url)
      // Some browsers keep the memory of a canvas until much later.
      canvas.width = 0
    }
    return { file, canvas, url, mayMove: await mayMove(file), close }
  } catch {
    return isHeic(file) ? 'heic' : 'notPicture'
  } finally {
    URL.revokeObjectURL(address)
  }
}

/** GIFs, and WebP pictures whose header says that they are animated. */
async function mayMove(file: File): Promise<boolean> {
  if (file.type !== 'image/webp') return file.type === 'image/gif'
  const head = new Uint8Array(await file.slice(0, 21).arrayBuffer())
  const isExtended = String.fromCharCode(...head.slice(12, 16)) === 'VP8X'
  return isExtended && ((head[20] ?? 0) & WEBP_ANIMATION) !== 0
}

const WEBP_ANIMATION = 0b10

/** The chosen square as the file that is uploaded; null when the browser cannot make it. */
export async function cut({ canvas }: Prepared, { x, y, width }: Square): Promise<File | null> {
  const side = Math.min(SAVED_SIDE, Math.max(1, Math.round(width)))
  const blob = await blobOf(drawn(canvas, { x, y, width, height: width }, side, side))
  return blob && new File([blob], `avatar.${blob.type.split('/')[1]}`, { type: blob.type })
}

/**
 * The chosen part as the file that is uploaded, at most `most` px wide; null when the browser cannot make it.
 * `type`: what the server takes, when not WebP.
 */
export async function cutPart(
  { canvas }: Prepared,
  part: Square & { readonly height: number },
  most: number,
  type?: string,
): Promise<File | null> {
  const scale = Math.min(1, most / part.width)
  const blob = await blobOf(drawn(canvas, part, part.width * scale, part.height * scale), type)
  return blob && new File([blob], `picture.${blob.type.split('/')[1]}`, { type: blob.type })
}

function drawn(
  from: CanvasImageSource,
  part: Square & { readonly height: number },
  width: number,
  height: number,
): HTMLCanvasElement {
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(width))
  canvas.height = Math.max(1, Math.round(height))
  const context = canvas.getContext('2d')
  if (!context) throw new Error('no canvas')
  context.imageSmoothingQuality = 'high'
  context.drawImage(from, part.x, part.y, part.width, part.height, 0, 0, canvas.width, canvas.height)
  return canvas
}

/** WebP, or PNG where the browser cannot write it: both keep transparent parts. */
const blobOf = (canvas: HTMLCanvasElement, type = 'image/webp'): Promise<Blob | null> =>
  new Promise((done) => canvas.toBlob(done, type, 0.92))

const isHeic = ({ name, type }: File): boolean => /hei[cf]/.test(type) || /\.hei[cf]$/i.test(name)
