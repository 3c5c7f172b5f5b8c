/** Pictures for tests. */
import sharp, { type Colour } from 'sharp'

/** A PNG of one colour, with these pixels. */
export const pngOf = (width: number, height: number, background: Colour = 'red'): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer()
