import { CAPTCHA_HEIGHT, CAPTCHA_KINDS, CAPTCHA_WIDTH } from '@guildhall/wire/captcha/captcha.ts'
import { describe, expect, it } from 'vitest'
import { drawChallenge, isRight } from './challenges.ts'
import { han } from './han.ts'
import { IDIOMS } from './idioms.ts'

const ROUNDS = 20

describe('an idiom', () => {
  it('has four different characters, all of them drawn, and is the only idiom of its characters', async () => {
    const glyphs = await han()
    for (const idiom of IDIOMS) {
      expect(new Set(idiom).size).toBe(4)
      for (const character of idiom) expect(glyphs[character], character).toMatch(/^M[\d\sMLQCZ.-]+Z$/)
    }
    expect(new Set(IDIOMS.map((idiom) => [...idiom].sort().join(''))).size).toBe(IDIOMS.length)
  })

  it('is never shown in its order, and is right tapped in its order alone', async () => {
    for (let n = 0; n < ROUNDS; n += 1) {
      const { solution } = await drawChallenge('idiom')
      const points = solution.points!
      const columns = points.map(([x]) => x)
      expect(columns).not.toEqual([...columns].sort((a, b) => a - b))
      const tapped = (all: readonly (readonly [number, number])[]) =>
        isRight('idiom', solution, all.map((each) => each.join(',')).join(';'))
      expect(isRight('idiom', solution, solution.text)).toBe(true)
      expect(tapped(points.map(([x, y]) => [x + 20, y - 20]))).toBe(true)
      expect(tapped([...points].sort(([a], [b]) => a - b))).toBe(false)
      expect(tapped(points.slice(1))).toBe(false)
      expect(tapped([...points, points[0]!])).toBe(false)
      expect(tapped(points.map(() => points[0]!))).toBe(false)
    }
  })

  it('is not typed: there are fewer of them than tries', async () => {
    const { solution } = await drawChallenge('idiom')
    for (const idiom of IDIOMS) expect(isRight('idiom', solution, idiom)).toBe(false)
  })

  it.each(['', ';;;', '1,2', 'NaN,NaN;NaN,NaN;NaN,NaN;NaN,NaN', '1e9,0;0,0;0,0;0,0', '-1,0;0,0;0,0;0,0'])(
    'is not %s',
    async (answer) => expect(isRight('idiom', (await drawChallenge('idiom')).solution, answer)).toBe(false),
  )
})

it.each(CAPTCHA_KINDS)('an empty answer to the kind %s is wrong', async (kind) => {
  expect(isRight(kind, (await drawChallenge(kind)).solution, ' ')).toBe(false)
})

it('the characters of an idiom are inside of the picture', async () => {
  for (let n = 0; n < ROUNDS; n += 1) {
    for (const [x, y] of (await drawChallenge('idiom')).solution.points!) {
      expect(x).toBeGreaterThan(20)
      expect(x).toBeLessThan(CAPTCHA_WIDTH - 20)
      expect(y).toBeGreaterThan(20)
      expect(y).toBeLessThan(CAPTCHA_HEIGHT - 20)
    }
  }
})
