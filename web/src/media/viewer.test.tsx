import { sizeCode } from '@guildhall/wire/asset/pictureSize.ts'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { setLocale } from '../kit/i18n.ts'
import Viewer from './Viewer.tsx'

const stored = (width: number, height: number) =>
  `https://hall.example/assets/2026-11/abcdefghij${sizeCode({ width, height })}.png`
const shown = () => {
  const [, x, y, scale] = /translate\((\S+)px, (\S+)px\) scale\((\S+)\)/.exec(
    screen.getByRole('img').style.transform,
  )!
  return { x: Number(x), y: Number(y), scale: Number(scale) }
}
const open = (address: string) =>
  render(<Viewer address={address} label="图片 截图.png" onClose={() => undefined} />)

beforeEach(() => {
  setLocale('zh-CN')
  vi.stubGlobal('innerWidth', 390)
  vi.stubGlobal('innerHeight', 844)
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('a long screenshot opens at full width from its top', () => {
  open(stored(1080, 12_000))
  const { scale, y } = shown()
  expect(Math.round((scale * 1080 * 844) / 12_000)).toBe(390)
  expect(Math.round(y)).toBe(Math.round((12_000 * (390 / 1080) - 844) / 2))
})

test('a picture of another site does so once its size is known', () => {
  open('https://elsewhere.example/screenshot.png')
  expect(shown().scale).toBe(1)
  const image = screen.getByRole('img')
  Object.defineProperties(image, { naturalWidth: { value: 1080 }, naturalHeight: { value: 12_000 } })
  fireEvent.load(image)
  expect(shown().scale).toBeCloseTo((390 / 1080) * (12_000 / 844))
})

test('it is read on by the wheel and by the keys', () => {
  open(stored(1080, 12_000))
  const before = shown().y
  fireEvent.wheel(screen.getByRole('dialog'), { deltaY: 400 })
  expect(shown().y).toBe(before - 400)
  fireEvent.keyDown(screen.getByRole('dialog'), { key: 'ArrowDown' })
  expect(shown().y).toBeLessThan(before - 400)
  fireEvent.wheel(screen.getByRole('dialog'), { deltaY: -9999 })
  expect(shown().y).toBe(before)
})

test('a photograph opens whole, and stays so where nothing is hidden', () => {
  open(stored(4000, 3000))
  fireEvent.wheel(screen.getByRole('dialog'), { deltaY: 400 })
  expect(shown()).toEqual({ x: 0, y: 0, scale: 1 })
})
