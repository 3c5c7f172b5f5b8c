/**
 * What the pictures of captchas have in common. They are SVG of paths alone, so that no font of the machine
 * is needed, and are sent as PNG: a path would tell a program what it draws.
 */
import { CAPTCHA_HEIGHT, CAPTCHA_WIDTH } from '@guildhall/wire/captcha/captcha.ts'
import { ids } from '../kit/ids.ts'

/** Pixels of the PNG for each px, for screens of phones. */
const SCALE = 1.5
const INKS = ['#1d3557', '#5a189a', '#9d0208', '#14532d', '#7c2d12', '#155e75']

/** A number between two others. */
export const between = (least: number, most: number): number =>
  least + (ids.below(1001) / 1000) * (most - least)
export const oneOf = <T>(all: readonly T[]): T => all[ids.below(all.length)]!
export function shuffled<T>(all: readonly T[]): T[] {
  const left = [...all]
  return all.map(() => left.splice(ids.below(left.length), 1)[0]!)
}

export const ink = (): string => oneOf(INKS)

export type Point = readonly [x: number, y: number]
export type Move = (point: Point) => Point

/** Moves each point of a path of absolute M, L, Q, C and Z. */
export const moved = (path: string, move: Move): string =>
  path.replace(/(-?[\d.]+)[ ,]+(-?[\d.]+)/g, (_, x: string, y: string) =>
    move([Number(x), Number(y)])
      .map((each) => each.toFixed(1))
      .join(' '),
  )

/**
 * Turned by up to `degrees`, slanted, made `size` large and put at a network, from a square of 1 around its
 * middle.
 */
export function placed(at: Point, size: number, degrees: number): Move {
  const angle = (between(-degrees, degrees) * Math.PI) / 180
  const slant = between(-0.25, 0.25)
  const [sin, cos] = [Math.sin(angle), Math.cos(angle)]
  return ([x, y]) => {
    const [sx, sy] = [(x + slant * y) * size, y * size]
    return [at[0] + sx * cos - sy * sin, at[1] + sx * sin + sy * cos]
  }
}

/** Waves through the whole picture, so that no two characters of one kind look the same. */
export function waved(): Move {
  const [tall, wide] = [between(2, 4), between(2, 5)]
  const [a, b] = [between(0, 6), between(0, 6)]
  const [c, d] = [between(18, 30), between(22, 40)]
  return ([x, y]) => [x + wide * Math.sin(y / c + a), y + tall * Math.sin(x / d + b)]
}

/** Curves across the picture, in the colours of the characters. */
export function scribbles(count: number): string {
  const y = () => between(10, CAPTCHA_HEIGHT - 10).toFixed(0)
  const curve = () =>
    `<path d="M-5 ${y()} C${between(40, 110).toFixed(0)} ${y()} ${between(150, 230).toFixed(0)} ${y()} ${CAPTCHA_WIDTH + 5} ${y()}" fill="none" stroke="${ink()}" stroke-width="${between(1.2, 2.6).toFixed(1)}" opacity=".75"/>`
  return Array.from({ length: count }, curve).join('')
}

/** A light ground with spots. `count`: how many. One colour each: gradients make large files. */
export function ground(count: number): string {
  const colour = () => `hsl(${ids.below(360)} 60% ${76 + ids.below(14)}%)`
  const spot = () =>
    `<circle cx="${ids.below(CAPTCHA_WIDTH)}" cy="${ids.below(CAPTCHA_HEIGHT)}" r="${4 + ids.below(26)}" fill="${colour()}"/>`
  const spots = Array.from({ length: count }, spot).join('')
  return `<rect width="${CAPTCHA_WIDTH}" height="${CAPTCHA_HEIGHT}" fill="${colour()}"/>${spots}`
}

/** Pixels of the PNG beside each other that have the same grain: finer grain makes large files. */
const GRAIN = 3

/** Makes each grain of a picture lighter or darker by up to `depth` of 255. */
function grained(
  pixels: Buffer,
  { width, channels }: { width: number; channels: number },
  depth: number,
): void {
  // One draw for a whole picture: its numbers only need to look random.
  let state = ids.below(65_536) + 1
  const row = new Int8Array(Math.ceil(width / GRAIN))
  for (let start = 0, y = 0; start < pixels.length; start += width * channels, y += 1) {
    if (y % GRAIN === 0)
      for (const at of row.keys()) {
        state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
        row[at] = ((state >>> 16) % (2 * depth + 1)) - depth
      }
    for (let x = 0; x < width; x += 1) {
      const [at, more] = [start + x * channels, row[Math.floor(x / GRAIN)]!]
      for (let each = at; each < at + 3; each += 1)
        pixels[each] = Math.min(255, Math.max(0, pixels[each]! + more))
    }
  }
}

/**
 * Draws the part of a picture that begins at a point as a PNG, base64. `grain`: by how much of 255 its pixels
 * are lighter or darker than what is drawn.
 */
export async function drawn(
  inside: string,
  [left, top]: Point,
  { width, height, grain = 0 }: { width: number; height: number; grain?: number },
): Promise<string> {
  // Loaded with the first captcha: most servers draw none for hours.
  const { default: sharp } = await import('sharp')
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width * SCALE}" height="${height * SCALE}" viewBox="${left} ${top} ${width} ${height}">${inside}</svg>`
  let image = sharp(Buffer.from(svg))
  if (grain > 0) {
    const { data, info } = await image.raw().toBuffer({ resolveWithObject: true })
    grained(data, info, grain)
    image = sharp(data, { raw: info })
  }
  const png = await image
    .png({ compressionLevel: 6, palette: true, colours: 96, effort: 1, dither: 0 })
    .toBuffer()
  return png.toString('base64')
}

export const drawnWhole = (inside: string, grain = 0): Promise<string> =>
  drawn(inside, [0, 0], { width: CAPTCHA_WIDTH, height: CAPTCHA_HEIGHT, grain })
