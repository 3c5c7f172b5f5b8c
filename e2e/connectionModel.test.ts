import { describe, expect, it } from 'vitest'
import { TRANSPORTS } from '../server/src/testing/gateway.ts'
import { play } from './connectionModel.ts'

/** `LINE_SCHEDULES=1000000` runs more schedules, `LINE_SEED=7 LINE_SCHEDULES=1` repeats one. */
const FROM = Number(process.env.LINE_SEED ?? 1)
const COUNT = Number(process.env.LINE_SCHEDULES ?? 100_000)
/** Schedules per test, so that a slow machine shows its progress. */
const CHUNK = 10_000
/** Fewer on the reference transport, which is not what runs. */
const PLAIN_COUNT = 2_000
const chunks = Array.from({ length: Math.ceil(COUNT / CHUNK) }, (_, i) => FROM + i * CHUNK)

describe('whatever faults the network, the page or the server has, every list converges to the log without duplicates', () => {
  const playAll = (from: number, to: number, open = TRANSPORTS[0]!.open) => {
    let messages = 0
    for (let seed = from; seed < to; seed += 1) {
      try {
        messages += play(seed, open)
      } catch (error) {
        const again = `LINE_SEED=${seed} LINE_SCHEDULES=1 npx vitest run --project unit e2e/line.test.ts`
        throw new Error(`schedule ${seed} is broken; again with: ${again}`, { cause: error })
      }
    }
    expect(messages).toBeGreaterThan(0)
  }

  it.each(chunks)('schedules from %i on', { timeout: 600_000 }, (from) =>
    playAll(from, Math.min(from + CHUNK, FROM + COUNT)),
  )

  it('schedules on the plain transport', { timeout: 600_000 }, () =>
    playAll(FROM, FROM + Math.min(PLAIN_COUNT, COUNT), TRANSPORTS[1]!.open),
  )
})
