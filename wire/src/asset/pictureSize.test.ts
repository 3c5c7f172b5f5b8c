import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { assetKey, assetKeysIn } from './assetKey.ts'
import { fitted, PREVIEW_MAX, SIDE_MAX, sizeCode, sizeIn } from './pictureSize.ts'

describe('the size in a picture’s name', () => {
  it.each(['', 'a.png', 'a picture!', 'abc000000.png', 'Ab cd-1.png', 'ABCDEF.png', '图片.png'])(
    '%j has none',
    (name) => {
      expect(sizeIn(name)).toBeNull()
    },
  )

  it('is read from a name in the form of the public protocol', () => {
    expect(sizeIn('https://h/assets/2024-01/abcdefgh0dw0dw.png')).toEqual({ width: 500, height: 500 })
  })

  it('is restored from any name that contains it', () => {
    const side = fc.integer({ min: 1, max: SIDE_MAX })
    fc.assert(
      fc.property(side, side, fc.constantFrom('', '.png', '.jpeg', '.webp?x=1'), (width, height, end) => {
        const code = sizeCode({ width, height })
        expect(code).toMatch(/^[0-9a-z]{6}$/)
        expect(sizeIn(`/assets/2026-11/Zz_09${code}${end}`)).toEqual({ width, height })
      }),
      { seed: 18 },
    )
  })
})

describe('a preview', () => {
  it('keeps the ratio, is at most as large as the picture and its box, and at least 1 px', () => {
    const side = fc.integer({ min: 1, max: SIDE_MAX })
    fc.assert(
      fc.property(side, side, (width, height) => {
        const box = fitted({ width, height }, PREVIEW_MAX)
        expect(box.width).toBeLessThanOrEqual(Math.min(width, PREVIEW_MAX.width))
        expect(box.height).toBeLessThanOrEqual(Math.min(height, PREVIEW_MAX.height))
        expect(Math.min(box.width, box.height)).toBeGreaterThanOrEqual(1)
      }),
      { seed: 18 },
    )
    expect(fitted({ width: 4000, height: 3000 }, PREVIEW_MAX)).toEqual({ width: 400, height: 300 })
    expect(fitted({ width: 1000, height: 3000 }, PREVIEW_MAX)).toEqual({ width: 100, height: 300 })
    expect(fitted({ width: 20, height: 10 }, PREVIEW_MAX)).toEqual({ width: 20, height: 10 })
  })
})

describe('the key of a stored file', () => {
  it.each([
    '',
    'https://h/',
    'javascript:alert(1)',
    'https://h/assets/2026-11/short.png',
    'https://h/assets/2026-11/../../etc/passwd',
    'https://h/assets/2026-11/abcdefgh.png/x',
    'https://h/attachments/2026-11/abcdefgh.zip',
    'ftp://h/assets/2026-11/abcdefgh.png',
  ])('%j contains none', (address) => {
    expect(assetKey(address)).toBeNull()
  })

  it('is found on any host, and without one', () => {
    const key = 'attachments/2026-11/21/abcdefgh12345678.zip'
    expect(assetKey(`https://hall.example.com/${key}`)).toBe(key)
    expect(assetKey(`http://127.0.0.1:8080/${key}?download=1`)).toBe(key)
    expect(assetKey(`/${key}`)).toBe(key)
    expect(assetKey('https://h/assets/2026-11/abcdefgh0dw0dw')).toBe('assets/2026-11/abcdefgh0dw0dw')
  })
})

it('the keys in a text are found, each once', () => {
  const key = 'attachments/2026-11/21/abcdefgh12345678.zip'
  expect(assetKeysIn('words, /assets/2026-11/short.png and https://h/emojis/1/abcdefgh.png')).toEqual([])
  expect(
    assetKeysIn(
      `[here](https://h/${key}) https://h/${key}?e=1 "src":"http://x/assets/2026-11/abcdefgh0dw0dw"`,
    ),
  ).toEqual([key, 'assets/2026-11/abcdefgh0dw0dw'])
})
