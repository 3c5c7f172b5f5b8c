import { inflateSync } from 'node:zlib'
import type { EventData } from '@guildhall/wire/gateway/frame.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SharedFrame } from './sharedFrame.ts'
import { webSocketFrame } from './webSocketFrame.ts'
import { adler32, adler32Combine, storedZlib } from './zlib.ts'

const event = (content: string): EventData => ({
  channel_type: 'GROUP',
  type: 9,
  target_id: '2001',
  author_id: '100000001',
  content,
  msg_id: '26af7ebe-0000-4000-8000-000000000001',
  msg_timestamp: 1_700_000_000_000,
  nonce: '',
  extra: {},
})

describe('a compressed frame', () => {
  it('is one complete zlib stream whose text is the plain frame, whatever the event and the sn', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 300 }),
        fc.integer({ min: 1, max: 2 ** 40 }),
        (content, sn) => {
          const shared = new SharedFrame(event(content))
          const frame = shared.deflated(sn)
          expect(frame[0]).toBe(0x78)
          expect(inflateSync(frame).toString()).toBe(shared.plain(sn))
        },
      ),
      { numRuns: 2_000, seed: 78 },
    )
  })

  it('decodes to the session’s own sn and the shared event', () => {
    const shared = new SharedFrame(event('你好'))
    expect(JSON.parse(inflateSync(shared.deflated(7)).toString())).toEqual({ s: 0, sn: 7, d: event('你好') })
    expect(JSON.parse(inflateSync(shared.deflated(8)).toString())).toEqual({ s: 0, sn: 8, d: event('你好') })
  })
})

/** What a WebSocket frame of a server carries, by the letter of RFC 6455 §5.2. */
function read(frame: Buffer): { opcode: number; payload: Buffer } {
  const short = frame[1]!
  const [length, head] =
    short < 126
      ? [short, 2]
      : short === 126
        ? [frame.readUInt16BE(2), 4]
        : [Number(frame.readBigUInt64BE(2)), 10]
  expect(frame.length).toBe(head + length)
  return { opcode: frame[0]!, payload: frame.subarray(head) }
}

describe('a WebSocket frame', () => {
  it.each([0, 1, 125, 126, 65_535, 65_536, 70_000])('of %i bytes has its length in the header', (length) => {
    const bytes = Buffer.alloc(length, 7)
    expect(read(webSocketFrame(bytes))).toEqual({ opcode: 0x82, payload: bytes })
    expect(read(webSocketFrame('a'.repeat(length)))).toEqual({
      opcode: 0x81,
      payload: Buffer.alloc(length, 'a'),
    })
  })

  it('of an event is the frame of its text, whichever numbers were requested before', () => {
    const short = fc.string({ unit: 'grapheme', maxLength: 80 })
    const long = fc.integer({ min: 65_000, max: 66_000 }).map((length) => 'x'.repeat(length))
    const sn = fc.oneof(
      fc.integer({ min: 1, max: 1_100 }),
      fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
    )
    const asked = fc.tuple(sn, fc.boolean(), fc.boolean())
    fc.assert(
      fc.property(fc.oneof({ weight: 9, arbitrary: short }, long), fc.array(asked), (content, numbers) => {
        const shared = new SharedFrame(event(content))
        for (const [sn, compress, isKept] of numbers) {
          const frame = shared.webSocketFrame(sn, compress)
          const { opcode, payload } = read(frame)
          expect(opcode).toBe(compress ? 0x82 : 0x81)
          const text = JSON.stringify({ s: 0, sn, d: event(content) })
          expect((compress ? inflateSync(payload) : payload).toString()).toBe(text)
          expect(shared.plain(sn)).toBe(text)
          if (isKept) shared.replaceBuffer(compress)
        }
      }),
      { numRuns: 300, seed: 6455 },
    )
  })

  it('that is still being read is not written over', () => {
    const shared = new SharedFrame(event('你好'))
    for (const compress of [false, true]) {
      const frame = shared.webSocketFrame(41, compress)
      const before = Buffer.from(frame)
      shared.replaceBuffer(compress)
      shared.webSocketFrame(42, compress)
      expect(frame).toEqual(before)
    }
  })
})

describe('a short text', () => {
  it('is stored as one complete zlib stream', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (text) => {
        const stream = storedZlib(text)
        expect(stream[0]).toBe(0x78)
        expect(inflateSync(stream).toString()).toBe(text)
      }),
      { numRuns: 200, seed: 1950 },
    )
  })
})

describe('the checksum', () => {
  it('of a known text matches the known value', () => {
    expect(adler32(Buffer.from('Wikipedia'))).toBe(0x11e60398)
  })

  it('of two texts together follows from the checksum of each', () => {
    const bytes = fc.uint8Array({ maxLength: 9_000 })
    fc.assert(
      fc.property(bytes, bytes, (first, second) => {
        expect(adler32Combine(adler32(first), adler32(second), second.length)).toBe(
          adler32(second, adler32(first)),
        )
      }),
      { numRuns: 500, seed: 65521 },
    )
  })
})
