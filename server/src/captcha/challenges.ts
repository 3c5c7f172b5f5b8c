/** Makes challenges of each kind, and judges answers to them. */

import { CAPTCHA_HEIGHT, type CaptchaKind, type Challenge } from '@guildhall/wire/captcha/captcha.ts'
import { foldCode } from '@guildhall/wire/typed.ts'
import { createChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { ids } from '../kit/ids.ts'
import { han } from './han.ts'
import { IDIOMS } from './idioms.ts'
import { LETTERS } from './letters.ts'
import {
  between,
  drawnWhole,
  ground,
  ink,
  moved,
  oneOf,
  type Point,
  placed,
  scribbles,
  shuffled,
  waved,
} from './picture.ts'
import { drawSlider } from './slider.ts'

/** What a right answer is. The server seals it into the challenge. */
export interface Solution {
  /**
   * The characters, the points to tap as they are answered, the distance from the left in px, or the counter.
   */
  readonly text: string
  /** Of an idiom: the middles of its characters in the right order, px. */
  readonly points?: readonly Point[]
  /** Of an idiom or a slider: the counter of the proof of work beside the picture. */
  readonly counter?: string
}

/** A challenge without its id, and its solution. */
export interface Drawn {
  readonly shown: Omit<Challenge, 'id' | 'kind'>
  readonly solution: Solution
}

/** Draws a challenge. `factor`: how many times the usual work a proof of work takes. */
export const drawChallenge = (kind: CaptchaKind, factor = 1): Promise<Drawn> => {
  if (kind === 'image') return drawLetters()
  if (kind === 'work') return makeWork(factor)
  return withWork(kind === 'idiom' ? drawIdiom() : slider(), factor)
}

/** A picture that a program may solve, with a proof of work that it must do as well. */
async function withWork(drawing: Promise<Drawn>, factor: number): Promise<Drawn> {
  const [picture, { shown, solution }] = await Promise.all([drawing, makeWork(factor)])
  return {
    shown: { ...picture.shown, work: shown.work },
    solution: { ...picture.solution, counter: solution.text },
  }
}

const LETTER_COUNT = 5

async function drawLetters(): Promise<Drawn> {
  const chosen = Array.from({ length: LETTER_COUNT }, () => oneOf(Object.keys(LETTERS)))
  const wave = waved()
  const strokes = chosen.map((letter, at) => {
    const point: Point = [36 + at * 52 + between(-5, 5), CAPTCHA_HEIGHT / 2 + between(-16, 16)]
    const put = placed(point, between(46, 58), 22)
    // From the box of the letter to a square of 1 around its middle.
    const path = moved(LETTERS[letter]!, ([x, y]) => wave(put([(x - 10) / 30, (y - 15) / 30])))
    return `<path d="${path}" fill="none" stroke="${ink()}" stroke-width="${between(4, 6).toFixed(1)}" stroke-linecap="round" stroke-linejoin="round"/>`
  })
  const imgData = await drawnWhole(ground(24) + strokes.join('') + scribbles(4))
  return { shown: { imgData }, solution: { text: chosen.join('') } }
}

/** How large a character of an idiom is, px. */
const CHARACTER = 54

async function drawIdiom(): Promise<Drawn> {
  const idiom = oneOf(IDIOMS)
  // The position of each character, counted from the left: any order but the right one.
  let order = [0, 1, 2, 3]
  while (order.every((each, at) => each === at)) order = shuffled(order)
  const wave = waved()
  const points = order.map((column): Point => [40 + column * 67 + between(-6, 6), 70 + between(-30, 30)])
  const glyphs = await han()
  const paths = [...idiom].map((character, at) => {
    const put = placed([0, 0], CHARACTER, 22)
    // The outlines are in a square of 1024 whose y points up and whose lower edge is at -124.
    const path = moved(glyphs[character]!, ([x, y]) => {
      const [dx, dy] = put([x / 1024 - 0.5, (900 - y) / 1024 - 0.5])
      return wave([points[at]![0] + dx, points[at]![1] + dy])
    })
    return `<path d="${path}" fill="${ink()}"/>`
  })
  const imgData = await drawnWhole(ground(24) + paths.join('') + scribbles(3))
  const middles = points.map((point) => round(wave(point)))
  return { shown: { imgData }, solution: { text: middles.join(';'), points: middles } }
}

const round = ([x, y]: Point): Point => [Math.round(x), Math.round(y)]

async function slider(): Promise<Drawn> {
  const { shown, x } = await drawSlider()
  return { shown, solution: { text: String(x) } }
}

/** Rounds of the key derivation for each counter: some milliseconds of a phone. */
const WORK_COST = 5_000
const WORK_LEAST = 400
const WORK_SPREAD = 400

async function makeWork(factor: number): Promise<Drawn> {
  const counter = Math.round((WORK_LEAST + ids.below(WORK_SPREAD)) * factor)
  const made = await createChallenge({ algorithm: 'PBKDF2/SHA-256', cost: WORK_COST, counter, deriveKey })
  const { algorithm, nonce, salt, cost, keyLength, keyPrefix } = made.parameters
  const work = { algorithm, nonce, salt, cost, keyLength, keyPrefix }
  return { shown: { imgData: '', work }, solution: { text: String(counter) } }
}

/** How far a finger may miss, px. */
const SLIDER_MISSES = 4
const TAP_MISSES = 32

/** Whether an answer is right. An idiom is tapped: there are too few of them to type. */
export function isRight(kind: CaptchaKind, { text, points }: Solution, answer: string): boolean {
  const given = foldCode(answer)
  if (kind === 'image') return given.toUpperCase() === text
  if (kind === 'work') return given === text
  if (kind === 'slider')
    return /^\d{1,3}(?:\.\d{1,3})?$/.test(given) && Math.abs(Number(given) - Number(text)) <= SLIDER_MISSES
  const taps = given.split(';').map((each) => /^(\d{1,3}),(\d{1,3})$/.exec(each)?.slice(1).map(Number))
  return (
    points !== undefined &&
    taps.length === points.length &&
    points.every(([x, y], at) => {
      const [tapX = Number.NaN, tapY = Number.NaN] = taps[at] ?? []
      return Math.abs(tapX - x) <= TAP_MISSES && Math.abs(tapY - y) <= TAP_MISSES
    })
  )
}
