import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { embedsOf, watchedAt } from './embed.ts'
import type { Message } from './message.ts'
import { publicAttachments } from './public.ts'
import { quoteIn, withoutQuoted } from './quote.ts'

const film = { type: 'bili-video' as const, title: '' }
const quote = { id: 'a', type: 9, content: 'words', author: { id: '1', username: 'ann' } }

describe('the nested fields of a message', () => {
  test('invalid stored values never throw', () => {
    fc.assert(
      fc.property(fc.array(fc.anything(), { maxLength: 8 }), fc.anything(), (embeds, inside) => {
        expect(embedsOf(embeds).length).toBeLessThanOrEqual(5)
        const read = quoteIn({ quote: inside })
        expect(read === null || typeof read.content === 'string').toBe(true)
        publicAttachments(inside)
      }),
      { seed: 3, numRuns: 2_000 },
    )
  })

  test('external videos have web addresses only', () => {
    expect(
      embedsOf([
        { ...film, url: 'javascript:alert(1)' },
        { type: 'image', url: 'data:x' },
      ]),
    ).toEqual([])
    expect(watchedAt(film)).toBeNull()
    expect(watchedAt({ ...film, av_no: '1"><script>' })).toBeNull()
    expect(watchedAt({ ...film, av_no: 170001 })).toBe('https://www.bilibili.com/video/av170001')
    expect(watchedAt({ ...film, av_no: '1', url: 'https://b.example/1' })).toBe('https://b.example/1')
  })

  test('the content of a quote is removed only when the quoted message is deleted', () => {
    const message = { quote } as unknown as Message
    expect(withoutQuoted(message, (id) => id === 'b')).toBe(message)
    const without = withoutQuoted(message, (id) => id === 'a')
    expect(quoteIn(without)).toMatchObject({ id: 'a', content: '', can_jump: false })
    expect(withoutQuoted(without, () => true)).toBe(without)
  })

  test('a duration is in ms for people and in seconds for callers of the public protocol', () => {
    expect(publicAttachments({ type: 'audio', fileUrl: 'x', duration: 1_500 })).toEqual({
      type: 'audio',
      duration: 1.5,
    })
    expect(publicAttachments({ type: 'audio' })).toEqual({ type: 'audio' })
  })
})
