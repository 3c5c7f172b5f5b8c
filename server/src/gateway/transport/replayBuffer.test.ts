import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { EventPool } from './eventPool.ts'
import { ReplayBuffer } from './replayBuffer.ts'
import { SharedFrame } from './sharedFrame.ts'

const event = (content: string) =>
  new SharedFrame({
    channel_type: 'GROUP',
    type: 9,
    target_id: '1',
    author_id: '1',
    msg_id: '',
    msg_timestamp: 0,
    nonce: '',
    extra: {},
    content,
  })

describe('a replay buffer', () => {
  it('holds what was pushed and not dropped, in order', () => {
    const act = fc.oneof(fc.constant(-1), fc.integer({ min: 0, max: 12 }))
    fc.assert(
      fc.property(fc.array(act, { maxLength: 200 }), (acts) => {
        const pool = new EventPool()
        const buffers = [new ReplayBuffer(pool), new ReplayBuffer(pool)]
        let expected: { event: SharedFrame; at: number }[] = []
        acts.forEach((count, now) => {
          if (count >= 0) {
            for (const buffer of buffers) buffer.drop(count)
            expected = expected.slice(count)
            return
          }
          const it = { event: event('x'.repeat(now)), at: now }
          const number = pool.add(it.event, now)
          for (const buffer of buffers) buffer.push(number)
          pool.release(number)
          expected.push(it)
        })
        for (const buffer of buffers) {
          expect(buffer.length).toBe(expected.length)
          expect(buffer.bytes).toBe(expected.reduce((sum, { event }) => sum + event.size, 0))
          expected.forEach(({ event, at }, index) => {
            expect(buffer.event(index)).toBe(event)
            expect(buffer.sentAt(index)).toBe(at)
          })
        }
        // The pool stores each event once, and drops it when the last buffer releases it.
        expect(pool.count).toBe(expected.length)
        buffers[0]!.drop(1_000)
        expect(pool.count).toBe(expected.length)
        buffers[1]!.drop(1_000)
        expect(pool.count).toBe(0)
      }),
      { numRuns: 300, seed: 8 },
    )
  })
})
