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

/** Draws the part of a picture that begins at a point as a PNG, base64. */
export async function drawn(inside: string, from: Point, width: number, height: number): Promise<string> {
  // Loaded with the first captcha: most servers draw none for hours.
  const { default: sharp } = await import('sharp')
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width * SCALE}" height="${height * SCALE}" viewBox="${from[0]} ${from[1]} ${width} ${height}">${inside}</svg>`
  const png = await sharp(Buffer.from(svg))
    .png({ compressionLevel: 6, palette: true, colours: 96, effort: 1, dither: 0 })
    .toBuffer()
  return png.toString('base64')
}

export const drawnWhole = (inside: string): Promise<string> =>
  drawn(inside, [0, 0], CAPTCHA_WIDTH, CAPTCHA_HEIGHT)
