/**
 * Programs that solve sliders by their pixels, as anybody writes them in an evening: what the pictures must
 * withstand.
 */
import { CAPTCHA_HEIGHT, CAPTCHA_WIDTH, type Challenge, PIECE_SIDE } from '@guildhall/wire/captcha/captcha.ts'
import sharp from 'sharp'

/** Solvers look at every other pixel: they need no more, and take an eighth of the time. */
const STEP = 2
const SIDE = PIECE_SIDE / STEP
const WIDTH = CAPTCHA_WIDTH / STEP

/** Grey values of a square as large as the piece, row by row; of a mask 0 to 1. */
type Square = Float64Array

interface Seen {
  /** What the piece would lie on, by the distance from the left, px. */
  readonly squares: readonly Square[]
  readonly piece: Square
  /** Where the piece is not transparent. */
  readonly mask: Square
}

/** How well the piece fits at each distance from the left. */
type Fits = (seen: Seen) => readonly number[]

async function greyOf(png: string, width: number, height: number) {
  const image = sharp(Buffer.from(png, 'base64')).resize(width, height, { fit: 'fill' }).ensureAlpha()
  const bytes = await image.raw().toBuffer()
  const grey = new Float64Array(width * height)
  const alpha = new Float64Array(width * height)
  for (const cell of grey.keys()) {
    const [r = 0, g = 0, b = 0, a = 0] = bytes.subarray(cell * 4)
    grey[cell] = 0.3 * r + 0.6 * g + 0.1 * b
    alpha[cell] = a / 255
  }
  return { grey, alpha }
}

async function see({ imgData, piece }: Pick<Challenge, 'imgData' | 'piece'>): Promise<Seen> {
  const { grey } = await greyOf(imgData, WIDTH, CAPTCHA_HEIGHT / STEP)
  const small = await greyOf(piece!.imgData, SIDE, SIDE)
  const top = Math.round(piece!.top / STEP)
  const square = (x: number) =>
    small.grey.map((_, cell) => grey[(top + Math.floor(cell / SIDE)) * WIDTH + x + (cell % SIDE)]!)
  const squares = Array.from({ length: WIDTH - SIDE + 1 }, (_, x) => square(x))
  return { squares, piece: small.grey, mask: small.alpha }
}

function mean(of: Square, under: Square): number {
  let [sum, weight] = [0, 0]
  for (let cell = 0; cell < of.length; cell += 1) {
    sum += under[cell]! * of[cell]!
    weight += under[cell]!
  }
  return sum / (weight || 1)
}

const outside = (mask: Square): Square => mask.map((each) => 1 - each)

/**
 * Without its brightness and contrast, as far as a mask shows it: the product of two is their correlation.
 */
function levelled(square: Square, under: Square): Square {
  const bright = mean(square, under)
  const level = square.map((value, cell) => (value - bright) * under[cell]!)
  const size = Math.sqrt(product(level, level)) || 1
  return level.map((value) => value / size)
}

function product(one: Square, other: Square): number {
  let sum = 0
  for (let cell = 0; cell < one.length; cell += 1) sum += one[cell]! * other[cell]!
  return sum
}

/** How much a picture changes at each cell. */
const steep = (square: Square): Square =>
  square.map((value, cell) =>
    (cell + 1) % SIDE === 0 || cell + SIDE >= square.length
      ? 0
      : Math.hypot(square[cell + 1]! - value, square[cell + SIDE]! - value),
  )

const everywhere = new Float64Array(SIDE * SIDE).fill(1)
/** The middle of a square, where its hole is. */
const middle = everywhere.map((_, cell) =>
  Math.max(Math.abs((cell % SIDE) - SIDE / 2), Math.abs(Math.floor(cell / SIDE) - SIDE / 2)) < 14 / STEP
    ? 1
    : 0,
)

/** A square turned around its middle, in degrees, and made `size` times as large. */
function turned(square: Square, degrees: number, size: number): Square {
  const angle = (degrees * Math.PI) / 180
  const [sin, cos] = [Math.sin(angle) / size, Math.cos(angle) / size]
  const half = SIDE / 2 - 0.5
  return square.map((_, cell) => {
    const [x, y] = [(cell % SIDE) - half, Math.floor(cell / SIDE) - half]
    const [fromX, fromY] = [Math.round(x * cos + y * sin + half), Math.round(y * cos - x * sin + half)]
    const isInside = Math.min(fromX, fromY) >= 0 && Math.max(fromX, fromY) < SIDE
    return isInside ? square[fromY * SIDE + fromX]! : 0
  })
}

const TURNS = Array.from({ length: 12 }, (_, n) => n * 30)
const SIZES = [0.95, 1.15]

/** How well the best of some shapes fits, with the sign of it or without. */
function bestFit(squares: readonly Square[], shapes: readonly Square[], sign: (fit: number) => number) {
  const levels = shapes.map((each) => levelled(each, everywhere))
  return squares.map((square) => {
    const level = levelled(square, everywhere)
    return Math.max(...levels.map((each) => sign(product(level, each))))
  })
}

const turnedAll = (shape: Square): Square[] =>
  TURNS.flatMap((degrees) => SIZES.map((size) => turned(shape, degrees, size)))

const SOLVERS: Readonly<Record<string, Fits>> = {
  'the darkest place': ({ squares }) => squares.map((square) => -mean(square, middle)),
  'the calmest place': ({ squares }) => squares.map((square) => -variance(square, middle)),
  'the place that is darker than around it': ({ squares }) =>
    squares.map((square) => mean(square, outside(middle)) - mean(square, middle)),
  'the darkest place of the shape of the piece': ({ squares, mask }) =>
    squares.map((square) => mean(square, outside(mask)) - mean(square, mask)),
  'the least difference of pixels': ({ squares, piece, mask }) =>
    squares.map((square) => -distance(square, piece, mask)),
  'the same pixels, darker': ({ squares, piece, mask }) => {
    const level = levelled(piece, mask)
    return squares.map((square) => product(levelled(square, mask), level))
  },
  'the shape of the piece, whatever the brightness': ({ squares, mask }) =>
    bestFit(squares, [mask], Math.abs),
  'the outline of the piece': ({ squares, mask }) => bestFit(squares.map(steep), [steep(mask)], Number),
  'the shape of the piece, turned and of another size': ({ squares, mask }) =>
    bestFit(squares, turnedAll(mask), (fit) => -fit),
  'the same, whatever the brightness': ({ squares, mask }) => bestFit(squares, turnedAll(mask), Math.abs),
  'the outline of the piece, turned and of another size': ({ squares, mask }) =>
    bestFit(squares.map(steep), turnedAll(steep(mask)), Number),
}

function distance(one: Square, other: Square, under: Square): number {
  return mean(
    one.map((value, cell) => Math.abs(value - other[cell]!)),
    under,
  )
}

function variance(of: Square, under: Square): number {
  const usual = mean(of, under)
  return mean(
    of.map((value) => (value - usual) ** 2),
    under,
  )
}

/** What each solver answers to a slider, and what most of them agree on, px from the left. */
export async function solveSlider(
  challenge: Pick<Challenge, 'imgData' | 'piece'>,
): Promise<Readonly<Record<string, number>>> {
  const seen = await see(challenge)
  // The piece begins at the left: its hole is never there.
  const from = 24 / STEP
  const answers = Object.entries(SOLVERS).map(([name, fits]): [string, number] => {
    const found = fits(seen).slice(from)
    return [name, STEP * (from + found.indexOf(Math.max(...found)))]
  })
  const near = (x: number) => answers.filter(([, other]) => Math.abs(other - x) <= 4).length
  const [, agreed] = answers.reduce((best, each) => (near(each[1]) > near(best[1]) ? each : best))
  return { ...Object.fromEntries(answers), 'what most say': agreed }
}
