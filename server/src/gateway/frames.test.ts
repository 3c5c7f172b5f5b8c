import { inflateSync } from 'node:zlib'
import type { EventData } from '@guildhall/wire/gateway/frame.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { adler32, adler32Combine, SharedEvent } from './frames.ts'

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
          const shared = new SharedEvent(event(content))
          const frame = shared.deflated(sn)
          expect(frame[0]).toBe(0x78)
          expect(inflateSync(frame).toString()).toBe(shared.plain(sn))
        },
      ),
      { numRuns: 2_000, seed: 78 },
    )
  })

  it('reads as its session’s own sn and the event all share', () => {
    const shared = new SharedEvent(event('你好'))
    expect(JSON.parse(inflateSync(shared.deflated(7)).toString())).toEqual({ s: 0, sn: 7, d: event('你好') })
    expect(JSON.parse(inflateSync(shared.deflated(8)).toString())).toEqual({ s: 0, sn: 8, d: event('你好') })
  })
})

describe('the checksum', () => {
  it('of a known text is the known one', () => {
    expect(adler32(Buffer.from('Wikipedia'))).toBe(0x11e60398)
  })

  it('of two texts together follows from each one’s', () => {
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
