import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SharedEvent } from './frames.ts'
import { Replay } from './replay.ts'

const event = (content: string) =>
  new SharedEvent({
    ...{ channel_type: 'GROUP', type: 9, target_id: '1', author_id: '1', msg_id: '', msg_timestamp: 0 },
    ...{ nonce: '', extra: {}, content },
  })

describe('what a line may have to hear again', () => {
  it('is what was pushed and not yet let go, in order, whatever the ring does', () => {
    const act = fc.oneof(fc.constant(-1), fc.integer({ min: 0, max: 12 }))
    fc.assert(
      fc.property(fc.array(act, { maxLength: 200 }), (acts) => {
        const replay = new Replay()
        let expected: { held: SharedEvent; at: number }[] = []
        acts.forEach((count, now) => {
          if (count >= 0) {
            replay.drop(count)
            expected = expected.slice(count)
            return
          }
          const held = event('x'.repeat(now))
          replay.push(held, now)
          expected.push({ held, at: now })
        })
        expect(replay.length).toBe(expected.length)
        expect(replay.bytes).toBe(expected.reduce((sum, { held }) => sum + held.size, 0))
        expected.forEach(({ held, at }, index) => {
          expect(replay.event(index)).toBe(held)
          expect(replay.sentAt(index)).toBe(at)
        })
      }),
      { numRuns: 300, seed: 8 },
    )
  })
})
