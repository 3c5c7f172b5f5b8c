/**
 * Draws sliders: a shape to push onto its like among others. A person knows a heart from a star however both
 * are drawn; pixels of the piece and of its hole have nothing in common.
 */
import { CAPTCHA_HEIGHT, CAPTCHA_WIDTH, type Challenge, PIECE_SIDE } from '@guildhall/wire/captcha/captcha.ts'
import { ids } from '../kit/ids.ts'
import { between, drawn, drawnWhole, ground, ink, oneOf, type Point, scribbles, shuffled } from './picture.ts'

interface Shape {
  /** Around the middle of a square of 1. */
  readonly points: readonly Point[]
  /** In how many ways it lies alike. */
  readonly folds: number
}

const shape = (folds: number, points: readonly Point[]): Shape => ({ folds, points })

/** Points of a curve, from 0 to 2π. */
const curve = (at: (t: number) => Point): Point[] =>
  Array.from({ length: 32 }, (_, n) => at((n / 16) * Math.PI))

/** A corner of a star for every tenth of a turn. */
const spike = (n: number): Point => {
  const [far, t] = [n % 2 ? 0.26 : 0.65, (n / 5) * Math.PI]
  return [far * Math.sin(t), -far * Math.cos(t)]
}

/** The outer side of a moon, and back on the inner one. */
const moon = (t: number): Point => {
  const [side, angle] = t < Math.PI ? [0.58, t] : [0.2, 2 * Math.PI - t]
  return [side * Math.sin(angle), 0.58 * Math.cos(angle)]
}

const heart = (t: number): Point => [
  0.54 * Math.sin(t) ** 3,
  -(13 * Math.cos(t) - 5 * Math.cos(2 * t) - 2 * Math.cos(3 * t) - Math.cos(4 * t)) / 30,
]

const drop = (t: number): Point => [0.5 * Math.sin(t) * Math.sin(t / 2) ** 1.5, -0.62 * Math.cos(t)]

const cross = [0, 1, 2, 3].flatMap((n): Point[] => {
  const [sin, cos] = [Math.round(Math.sin((n * Math.PI) / 2)), Math.round(Math.cos((n * Math.PI) / 2))]
  const turned = ([x, y]: Point): Point => [x * cos - y * sin, x * sin + y * cos]
  return [turned([-0.15, -0.56]), turned([0.15, -0.56]), turned([0.15, -0.15])]
})

// biome-ignore format: points belong beside each other
const SHAPES: readonly Shape[] = [
  shape(1, curve(heart)),
  shape(1, curve(moon)),
  shape(1, curve(drop)),
  shape(5, Array.from({ length: 10 }, (_, n) => spike(n))),
  shape(4, cross),
  // A triangle, an arrow, a flash and a bow.
  shape(3, [[0, -0.62], [0.54, 0.31], [-0.54, 0.31]]),
  shape(1, [[-0.6, -0.14], [0, -0.14], [0, -0.5], [0.6, 0], [0, 0.5], [0, 0.14], [-0.6, 0.14]]),
  shape(2, [[0.2, -0.65], [-0.38, 0.1], [-0.04, 0.1], [-0.2, 0.65], [0.38, -0.1], [0.04, -0.1]]),
  shape(2, [[-0.58, -0.42], [0, -0.08], [0.58, -0.42], [0.58, 0.42], [0, 0.08], [-0.58, 0.42]]),
]

/** The first hole and the last, px from the left. Never so near that no pushing is needed. */
const FIRST = 38
const LAST = CAPTCHA_WIDTH - PIECE_SIDE - 2
const HOLE_SIZE = 26
const PIECE_SIZE = 25
const GRAIN = 22
/**
 * The ways in which holes look, each on any ground. Every hole of a picture has its own: who looks for one of
 * them, such as for a dark spot of the right form, finds one hole whether it is the right one or not.
 */
type Look = (path: string, ink: string) => string

const LOOKS: readonly Look[] = [
  (path, ink) => `<path d="${path}" fill="${ink}" fill-opacity=".85"/>`,
  (path, ink) => `<path d="${path}" fill="none" stroke="${ink}" stroke-width="2.4"/>`,
  (path, ink) =>
    `<path d="${path}" fill="none" stroke="${ink}" stroke-width="4.4"/><path d="${path}" fill="none" stroke="#fff" stroke-width="2.4"/>`,
  (path, ink) => `<path d="${path}" fill="#fff" fill-opacity=".85" stroke="${ink}"/>`,
  (path, ink) =>
    `<pattern id="s" width="3.2" height="3.2" patternUnits="userSpaceOnUse" patternTransform="rotate(${ids.below(180)})"><path d="M0 0H4V4H0Z" fill="#fff"/><path d="M0 0H4V1.4H0Z" fill="${ink}"/></pattern><path d="${path}" fill="url(#s)" stroke="${ink}" stroke-width="1.2"/>`,
  (path, ink) =>
    `<pattern id="d" width="4.4" height="4.4" patternUnits="userSpaceOnUse" patternTransform="rotate(${ids.below(180)})"><path d="M0 0H5V5H0Z" fill="#fff"/><circle cx="2.2" cy="2.2" r="1.1" fill="${ink}"/></pattern><path d="${path}" fill="url(#d)" stroke="${ink}" stroke-width="1.2"/>`,
  (path, ink) =>
    `<linearGradient id="g" gradientTransform="rotate(${ids.below(90)})"><stop offset=".35" stop-color="${ink}"/><stop offset=".65" stop-color="#fff"/></linearGradient><path d="${path}" fill="url(#g)" stroke="${ink}"/>`,
]

/** So many of them, the first ones, catch the eye of programs: they are the right hole half as often. */
const EASY = 3
/** Holes beside each other: who finds them all and guesses is right once in so many. */
const HOLES = LOOKS.length

export async function drawSlider(): Promise<{ shown: Pick<Challenge, 'imgData' | 'piece'>; x: number }> {
  const top = 4 + ids.below(CAPTCHA_HEIGHT - PIECE_SIDE - 8)
  const looks = shuffled(LOOKS)
  const shapes = shuffled(SHAPES).slice(0, HOLES)
  const right = looks.indexOf(oneOf([...LOOKS, ...LOOKS.slice(EASY)]))
  const lefts = shapes.map((_, n) => Math.round(FIRST + (n * (LAST - FIRST)) / (HOLES - 1) + between(-2, 2)))
  const forms = shapes.map(randomForm)
  const holes = shapes.map((shape, n) => {
    const middle: Point = [lefts[n]! + PIECE_SIDE / 2, top + PIECE_SIDE / 2]
    return looks[n]!(drawnShape(shape, middle, HOLE_SIZE, forms[n]!), ink())
  })
  const path = drawnShape(
    shapes[right]!,
    [PIECE_SIDE / 2, PIECE_SIDE / 2],
    PIECE_SIZE,
    unlike(forms[right]!, shapes[right]!),
  )
  const clip = `<clipPath id="p"><path d="${path}"/></clipPath>`
  const edge = `<path d="${path}" fill="none" stroke="#000" stroke-width="3"/><path d="${path}" fill="none" stroke="#ffe14d" stroke-width="1.6"/>`
  const [imgData, piece] = await Promise.all([
    drawnWhole(ground(40) + scribbles(5) + holes.join(''), GRAIN),
    drawn(`${clip}<g clip-path="url(#p)">${ground(40)}</g>${edge}`, [0, 0], {
      width: PIECE_SIDE,
      height: PIECE_SIDE,
      grain: GRAIN,
    }),
  ])
  return { shown: { imgData, piece: { imgData: piece, top } }, x: lefts[right]! }
}

/** How a shape is drawn: turned by an angle in degrees, so many times wider than high, and slanted. */
interface Form {
  readonly angle: number
  readonly wide: number
  readonly slant: number
}

function randomForm(): Form {
  const wide = between(1.1, 1.22)
  return { angle: between(0, 360), wide: oneOf([wide, 1 / wide]), slant: between(-0.25, 0.25) }
}

/** The form of a piece that does not lie on its hole anywhere, however it is turned. */
const unlike = ({ angle, wide, slant }: Form, { folds }: Shape): Form => ({
  angle: angle + (360 / folds) * between(0.3, 0.7),
  wide: 1 / wide,
  slant: -slant,
})

/**
 * The path of a shape in a form. It reaches as far to the left of its middle as to the right, so that people
 * see when it lies there.
 */
function drawnShape({ points }: Shape, [x, y]: Point, size: number, { angle, wide, slant }: Form): string {
  const t = (angle * Math.PI) / 180
  const [sin, cos] = [Math.sin(t) * size, Math.cos(t) * size]
  const put = points.map(([px, py]): Point => {
    const [sx, sy] = [px * wide + slant * py, py / wide]
    return [sx * cos - sy * sin, sx * sin + sy * cos]
  })
  const middleOf = (all: readonly number[]) => (Math.min(...all) + Math.max(...all)) / 2
  const [left, top] = [middleOf(put.map((each) => each[0])), middleOf(put.map((each) => each[1]))]
  return `M${put.map(([px, py]) => `${(px - left + x).toFixed(1)} ${(py - top + y).toFixed(1)}`).join('L')}Z`
}
