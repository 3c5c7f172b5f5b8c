import fc from 'fast-check'
import { expect, it } from 'vitest'
import { SharedEvent, webSocketFrame } from './frames.ts'
import { Desk, type Waiting, WRITE_BYTES } from './writeBuffer.ts'

const event = (content: string) =>
  new SharedEvent({
    ...{ channel_type: 'GROUP', type: 9, target_id: '1', author_id: '1', msg_id: '', msg_timestamp: 0 },
    ...{ nonce: '', extra: {}, content },
  })

const said = ['', 'a', '公会', 'x'.repeat(200), 'y'.repeat(30_000), 'z'.repeat(90_000)].map(event)

it('says to each line what waits for it under its own numbers, whatever it said to the one before', () => {
  /** Mostly the same for one line as for the line before, and numbers that grow longer now and then. */
  const line = fc.record({
    from: fc.constantFrom(1, 5, 8, 93, 97, 998, 99_990, 2 ** 53 - 20),
    compress: fc.boolean(),
    isKept: fc.boolean(),
    own: fc.option(fc.nat(5), { freq: 5 }),
  })
  const run = fc.record({
    events: fc.array(fc.nat(said.length - 1), { minLength: 1, maxLength: 6 }),
    lines: fc.array(line, { maxLength: 8 }),
  })
  fc.assert(
    fc.property(fc.array(run, { maxLength: 4 }), (runs) => {
      const desk = new Desk()
      for (const { events, lines } of runs) {
        for (const { from, compress, isKept, own } of lines) {
          const waiting: Waiting = events.flatMap((at, index) => [said[at]!, from + index])
          const expected = events.map((at, index) => {
            const shared = event(contentOf(said[at]!))
            return webSocketFrame(compress ? shared.deflated(from + index) : shared.plain(from + index))
          })
          if (own !== null) {
            const at = Math.min(own, events.length)
            waiting.splice(at * 2, 0, '{"s":3}', 0)
            expected.splice(at, 0, webSocketFrame('{"s":3}'))
          }
          const heard: Buffer[] = []
          for (let done = 0; done < waiting.length; done += desk.taken) {
            const bytes = desk.lay(waiting, done, compress)
            expect(bytes.length <= WRITE_BYTES || desk.taken === 2).toBe(true)
            heard.push(isKept ? bytes : Buffer.from(bytes))
            if (isKept) desk.keep()
          }
          expect(Buffer.concat(heard).equals(Buffer.concat(expected))).toBe(true)
        }
      }
    }),
    { numRuns: 150, seed: 11 },
  )
})

it('counts the events of a write, and not what else is in it', () => {
  const desk = new Desk()
  const waiting: Waiting = [said[1]!, 1, '{"s":3}', 0, said[2]!, 2]
  for (let line = 0; line < 2; line += 1) {
    desk.lay(waiting, 0, false)
    expect([desk.taken, desk.events]).toEqual([6, 2])
  }
  desk.lay([said[1]!, 8, said[2]!, 9], 0, false)
  desk.lay([said[1]!, 3, said[2]!, 4], 0, false)
  expect([desk.taken, desk.events]).toEqual([4, 2])
})

const contentOf = (shared: SharedEvent): string =>
  (JSON.parse(shared.plain(1)) as { d: { content: string } }).d.content
