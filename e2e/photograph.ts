/**
 * A photograph as a phone takes it, made of noise of all sizes, because a picture without detail compresses
 * to nothing.
 */
import sharp from 'sharp'

/** px; 12 megapixels. */
const WIDTH = 4_000
const HEIGHT = 3_000

/** A JPEG that is about 4 MB as the server re-encodes it. */
export async function photograph(): Promise<Buffer> {
  const noise = (width: number, height: number, sigma: number) =>
    sharp({
      create: {
        width,
        height,
        channels: 3,
        background: '#000',
        noise: { type: 'gaussian', mean: 128, sigma },
      },
    })
      .png()
      .toBuffer()
  const layers = await Promise.all(
    [1, 4, 16, 64, 256].map(async (scale) =>
      sharp(
        await noise(
          Math.ceil(WIDTH / scale),
          Math.ceil(HEIGHT / scale),
          (scale === 1 ? 90 : 40) + 4 * Math.log2(scale),
        ),
      )
        .resize(WIDTH, HEIGHT, { fit: 'fill', kernel: 'cubic' })
        .ensureAlpha(scale === 1 ? 1 : 0.35)
        .png({ compressionLevel: 0 })
        .toBuffer(),
    ),
  )
  const [ground, ...over] = layers
  return sharp(ground)
    .composite(over.map((input) => ({ input, blend: 'over' as const })))
    .removeAlpha()
    .jpeg({ quality: 95 })
    .toBuffer()
}
