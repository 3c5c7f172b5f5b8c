import fc from 'fast-check'
import { expect, it } from 'vitest'
import { SharedFrame } from './sharedFrame.ts'
import { webSocketFrame } from './webSocketFrame.ts'
import { type PendingFrames, WRITE_BYTES, WriteBuffer } from './writeBuffer.ts'

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

const contents = ['', 'a', '公会', 'x'.repeat(200), 'y'.repeat(30_000), 'z'.repeat(90_000)].map(event)

it('assembles the pending frames of each connection with its own numbers, whatever it assembled before', () => {
  /** Mostly the same as for the connection before; numbers get longer now and then. */
  const connection = fc.record({
    from: fc.constantFrom(1, 5, 8, 93, 97, 998, 99_990, 2 ** 53 - 20),
    compress: fc.boolean(),
    isStillRead: fc.boolean(),
    own: fc.option(fc.nat(5), { freq: 5 }),
  })
  const run = fc.record({
    events: fc.array(fc.nat(contents.length - 1), { minLength: 1, maxLength: 6 }),
    connections: fc.array(connection, { maxLength: 8 }),
  })
  fc.assert(
    fc.property(fc.array(run, { maxLength: 4 }), (runs) => {
      const buffer = new WriteBuffer()
      for (const { events, connections } of runs) {
        for (const { from, compress, isStillRead, own } of connections) {
          const waiting: PendingFrames = events.flatMap((at, index) => [contents[at]!, from + index])
          const expected = events.map((at, index) => {
            const shared = event(contentOf(contents[at]!))
            return webSocketFrame(compress ? shared.deflated(from + index) : shared.plain(from + index))
          })
          if (own !== null) {
            const at = Math.min(own, events.length)
            waiting.splice(at * 2, 0, '{"s":3}', 0)
            expected.splice(at, 0, webSocketFrame('{"s":3}'))
          }
          const written: Buffer[] = []
          for (let done = 0; done < waiting.length; done += buffer.itemCount) {
            const bytes = buffer.assemble(waiting, done, compress)
            expect(bytes.length <= WRITE_BYTES || buffer.itemCount === 2).toBe(true)
            written.push(isStillRead ? bytes : Buffer.from(bytes))
            if (isStillRead) buffer.replaceBuffer()
          }
          expect(Buffer.concat(written).equals(Buffer.concat(expected))).toBe(true)
        }
      }
    }),
    { numRuns: 150, seed: 11 },
  )
})

it('counts the events of a write without other frames', () => {
  const buffer = new WriteBuffer()
  const waiting: PendingFrames = [contents[1]!, 1, '{"s":3}', 0, contents[2]!, 2]
  for (let n = 0; n < 2; n += 1) {
    buffer.assemble(waiting, 0, false)
    expect([buffer.itemCount, buffer.eventCount]).toEqual([6, 2])
  }
  buffer.assemble([contents[1]!, 8, contents[2]!, 9], 0, false)
  buffer.assemble([contents[1]!, 3, contents[2]!, 4], 0, false)
  expect([buffer.itemCount, buffer.eventCount]).toEqual([4, 2])
})

const contentOf = (shared: SharedFrame): string =>
  (JSON.parse(shared.plain(1)) as { d: { content: string } }).d.content
