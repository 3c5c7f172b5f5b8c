import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { HeldEvents } from './eventPool.ts'
import { SharedEvent } from './frames.ts'
import { Replay } from './replayBuffer.ts'

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
        const held = new HeldEvents()
        const replays = [new Replay(held), new Replay(held)]
        let expected: { event: SharedEvent; at: number }[] = []
        acts.forEach((count, now) => {
          if (count >= 0) {
            for (const replay of replays) replay.drop(count)
            expected = expected.slice(count)
            return
          }
          const it = { event: event('x'.repeat(now)), at: now }
          const number = held.keep(it.event, now)
          for (const replay of replays) replay.push(number)
          held.release(number)
          expected.push(it)
        })
        for (const replay of replays) {
          expect(replay.length).toBe(expected.length)
          expect(replay.bytes).toBe(expected.reduce((sum, { event }) => sum + event.size, 0))
          expected.forEach(({ event, at }, index) => {
            expect(replay.event(index)).toBe(event)
            expect(replay.sentAt(index)).toBe(at)
          })
        }
        // Each event is kept once, and for nobody when the last line let go of it.
        expect(held.count).toBe(expected.length)
        replays[0]!.drop(1_000)
        expect(held.count).toBe(expected.length)
        replays[1]!.drop(1_000)
        expect(held.count).toBe(0)
      }),
      { numRuns: 300, seed: 8 },
    )
  })
})
