import { CAPTCHA_HEIGHT, CAPTCHA_WIDTH, PIECE_SIDE } from '@guildhall/wire/captcha/captcha.ts'
import { afterEach, expect, it } from 'vitest'
import { replaceRandom } from '../kit/ids.ts'
import { solveSlider } from '../testing/captcha/sliderSolvers.ts'
import { drawChallenge, isRight } from './challenges.ts'

const SAMPLES = 60

let restore: (() => void) | undefined
afterEach(() => restore?.())

/** The same pictures for the same seed, in each run. */
function seed(seeded: number): void {
  let state = seeded
  restore = replaceRandom((length) =>
    Uint8Array.from({ length }, () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
      return state >>> 24
    }),
  )
}

it('programs that compare the pixels of a slider solve less than a fifth, and no more together', async () => {
  seed(1)
  const solved = new Map<string, number>()
  for (let n = 0; n < SAMPLES; n += 1) {
    const { shown, solution } = await drawChallenge('slider')
    for (const [name, x] of Object.entries(await solveSlider(shown)))
      solved.set(name, (solved.get(name) ?? 0) + Number(isRight('slider', solution, String(x))))
  }
  for (const [name, count] of solved) expect(count, name).toBeLessThan(SAMPLES / 5)
})

it('the piece can be pushed to its hole, which is inside of the picture and never where the piece begins', async () => {
  for (let n = 0; n < 20; n += 1) {
    const { shown, solution } = await drawChallenge('slider')
    expect(Number(solution.text)).toBeGreaterThan(PIECE_SIDE / 2)
    expect(Number(solution.text)).toBeLessThanOrEqual(CAPTCHA_WIDTH - PIECE_SIDE)
    expect(shown.piece!.top).toBeLessThanOrEqual(CAPTCHA_HEIGHT - PIECE_SIDE)
  }
})
