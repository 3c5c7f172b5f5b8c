import { describe, expect, it } from 'vitest'
import { play } from './line.ts'

/** More by `LINE_SCHEDULES=1000000`, one again by `LINE_SEED=7 LINE_SCHEDULES=1`. */
const FROM = Number(process.env.LINE_SEED ?? 1)
const COUNT = Number(process.env.LINE_SCHEDULES ?? 100_000)
/** A test each, so that a slow machine shows how far it is. */
const CHUNK = 10_000
const chunks = Array.from({ length: Math.ceil(COUNT / CHUNK) }, (_, i) => FROM + i * CHUNK)

describe('whatever happens to the network, the page or the server, every list ends as the log, nothing twice', () => {
  it.each(chunks)('schedules from %i on', { timeout: 600_000 }, (from) => {
    let messages = 0
    for (let seed = from; seed < Math.min(from + CHUNK, FROM + COUNT); seed += 1) {
      try {
        messages += play(seed)
      } catch (error) {
        const again = `LINE_SEED=${seed} LINE_SCHEDULES=1 npx vitest run --project unit e2e/line.test.ts`
        throw new Error(`schedule ${seed} is broken; again with: ${again}`, { cause: error })
      }
    }
    expect(messages).toBeGreaterThan(0)
  })
})
