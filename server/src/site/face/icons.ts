/** The icons of the installed page, drawn from the logo. */
import sharp from 'sharp'

/** `maskable`: phones cut it to any shape of their own. */
export const ICONS = [192, 512].flatMap((side) => [
  { path: `/icon-${side}.png`, side, purpose: 'any' as const },
  { path: `/icon-maskable-${side}.png`, side, purpose: 'maskable' as const },
])

/**
 * How much of the side of a maskable icon a logo of any shape has: its corners stay in the circle of four
 * fifths of the side, which no phone cuts.
 */
export const MASKABLE_SHARE = 0.56

/**
 * A logo as a PNG: `side` px; `share`: how much of it the logo has, in its middle; `ground`: the colour
 * around it, null for none.
 */
export function drawIcon(
  logo: string,
  { side, share, ground }: { readonly side: number; readonly share: number; readonly ground: string | null },
): Promise<Buffer> {
  const inner = Math.round((side * share) / 2) * 2
  const edge = (side - inner) / 2
  const background = ground ?? { r: 0, g: 0, b: 0, alpha: 0 }
  const drawn = sharp(Buffer.from(logo), { density: 288 })
    .resize(inner, inner, { fit: 'contain', background })
    .extend({ top: edge, bottom: edge, left: edge, right: edge, background })
  return (ground === null ? drawn : drawn.flatten({ background: ground })).png().toBuffer()
}
