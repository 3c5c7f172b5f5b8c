import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { setLocale } from '../kit/i18n.ts'
import { isShownHere, Media, placeOf } from './Media.tsx'

beforeEach(() => setLocale('zh-CN'))
afterEach(cleanup)

const url = 'https://hall.example.com/assets/2026-11/abcdefghij0u00dw.png'
const picture = { type: 2, content: url, attachments: { type: 'image', name: '合影.png', url } }
const sized = (more: object) => ({
  type: 3,
  content: 'https://hall.example.com/attachments/2026-11/21/abcdefgh12345678.zip',
  attachments: { type: 'file', name: '歌单.zip', url, ...more },
})

test('videos, voices, words and unknown kinds are not drawn as files', () => {
  for (const type of [1, 4, 7, 8, 9, 10, 99]) expect(isShownHere(type)).toBe(false)
  for (const type of [2, 3]) expect(isShownHere(type)).toBe(true)
})

test('a picture that cannot be loaded says so, in the same place', () => {
  render(<Media it={picture} />)
  const place = screen.getByRole('button', { name: '图片 合影.png' })
  const { width, aspectRatio } = place.style
  fireEvent.error(place.querySelector('img')!)
  const gone = screen.getByText('图片加载失败').parentElement!
  expect([gone.style.width, gone.style.aspectRatio]).toEqual([width, aspectRatio])
})

test('a picture has its place before it is there: by its name, else by what is known, else a likely one', () => {
  expect(placeOf(picture)).toEqual({ width: 400, height: 185 })
  const nameless = { ...picture, content: 'https://hall.example.com/a!.png' }
  expect(placeOf({ ...nameless, attachments: { ...picture.attachments, width: 600, height: 900 } })).toEqual({
    width: 200,
    height: 300,
  })
  expect(placeOf({ ...nameless, attachments: null })).toEqual({ width: 240, height: 180 })
})

test('a picture is read from this house, under whatever name it was sent', () => {
  render(<Media it={picture} />)
  expect(screen.getByRole('button').querySelector('img')?.getAttribute('src')).toBe(
    '/assets/2026-11/abcdefghij0u00dw.png',
  )
})

test.each([
  [1023, '1023 B'],
  [1024, '1.00 KB'],
  [5_500_000, '5.25 MB'],
  [undefined, ''],
])('a file of %s bytes is offered under its name, with its size', (size, label) => {
  render(<Media it={sized({ size })} />)
  const link = screen.getByRole('link')
  expect(link.getAttribute('download')).toBe('歌单.zip')
  expect(link.getAttribute('href')).toBe('/attachments/2026-11/21/abcdefgh12345678.zip')
  expect(link.textContent).toBe(`下载文件歌单.zip${label}`)
})
