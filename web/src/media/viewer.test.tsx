import { sizeCode } from '@guildhall/wire/asset/pictureSize.ts'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { setLocale } from '../kit/i18n.ts'
import { notePressed, type RoomPicture, type RoomPictures, shareRoomPictures } from './roomPictures.ts'
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
  shareRoomPictures(null)
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

test('a picture of which neither a copy nor the original can be loaded offers another try', () => {
  open(stored(4000, 3000))
  fireEvent.error(screen.getByRole('img'))
  expect(screen.getByRole<HTMLImageElement>('img').srcset).toBe('')
  fireEvent.error(screen.getByRole('img'))
  expect(screen.queryByRole('status')).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: '图片加载失败 点按重试' }))
  expect(screen.getByRole<HTMLImageElement>('img').srcset).toContain('side=')
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

const picture = (id: string, more: Partial<RoomPicture> = {}): RoomPicture => ({
  messageId: id,
  address: stored(400, 300).replace('abcdefghij', `abcdefghi${id}`),
  name: `${id}.png`,
  author: `人${id}`,
  at: Date.UTC(2026, 10, 20, 4, Number(id)),
  ...more,
})

/** Opens a picture of a room that has these. */
function openIn(pictures: readonly RoomPicture[], id: string, more: Partial<RoomPictures> = {}) {
  const onClose = vi.fn()
  const of = pictures.find(({ messageId }) => messageId === id)!
  shareRoomPictures({
    subscribe: () => () => undefined,
    all: () => pictures,
    messageOf: () => of,
    loadOlder: () => false,
    reply: null,
    forward: () => undefined,
    ...more,
  })
  notePressed(id)
  render(<Viewer address={of.address} label={`图片 ${of.name}`} name={of.name} onClose={onClose} />)
  return onClose
}
const key = (name: string) => fireEvent.keyDown(screen.getByRole('dialog'), { key: name })
const names = () => screen.getByRole('dialog').getAttribute('aria-label')
const three = [picture('1'), picture('2'), picture('3')]

test('a picture that is in no room stands alone', () => {
  open(stored(400, 300))
  key('ArrowRight')
  expect(names()).toBe('图片 截图.png')
  expect(screen.queryByRole('button', { name: '下一张图片' })).toBeNull()
  expect(screen.queryByRole('button', { name: '回复' })).toBeNull()
})

test('who may not write does not reply', () => {
  openIn(three, '2')
  expect(screen.queryByRole('button', { name: '回复' })).toBeNull()
  expect(screen.getByRole('button', { name: '转发' })).toBeTruthy()
})

test('it says who sent it, and leads to the pictures before and after it up to the last', () => {
  openIn(three, '2')
  expect(screen.getByRole('status', { name: /^人2，/ })).toBeTruthy()
  key('ArrowRight')
  expect(names()).toBe('图片 3.png')
  expect(screen.getByRole('status', { name: /^人3，/ })).toBeTruthy()
  key('ArrowRight')
  expect(names()).toBe('图片 3.png')
  fireEvent.click(screen.getByRole('button', { name: '上一张图片' }))
  fireEvent.click(screen.getByRole('button', { name: '上一张图片' }))
  expect(names()).toBe('图片 1.png')
  expect(screen.queryByRole('button', { name: '上一张图片' })).toBeNull()
})

test('one wide picture is read to its end before the keys lead on', () => {
  openIn([picture('1', { address: stored(12_000, 1_000) }), picture('2')], '1')
  for (let press = 0; press < 30 && names() === '图片 1.png'; press++) key('ArrowRight')
  expect(names()).toBe('图片 2.png')
})

test('the first one asks for what is older, and not without end', () => {
  const loadOlder = vi.fn(() => true)
  openIn(three, '1', { loadOlder })
  expect(loadOlder).toHaveBeenCalledTimes(1)
  key('ArrowRight')
  expect(loadOlder).toHaveBeenCalledTimes(1)
})

test('of two messages with the same picture the one that was pressed is shown', () => {
  const [one] = three
  openIn([one!, picture('2', { address: one!.address, name: one!.name })], '2')
  expect(screen.getByRole('status', { name: /^人2，/ })).toBeTruthy()
})

test('a picture of a card stands where its message does', () => {
  const others = [three[0]!, three[2]!]
  openIn([picture('2', { name: '' })], '2', { all: () => others })
  key('ArrowLeft')
  expect(names()).toBe('图片 1.png')
  key('ArrowRight')
  key('ArrowRight')
  expect(names()).toBe('图片 3.png')
})

test('a reply closes it first', () => {
  const reply = vi.fn()
  const onClose = openIn(three, '2', { reply })
  fireEvent.click(screen.getByRole('button', { name: '回复' }))
  expect(onClose).toHaveBeenCalledTimes(1)
  expect(reply).toHaveBeenCalledWith('2')
})

/** A finger that goes from the middle by so many px. */
function swipe(by: { x: number; y: number }, isMeant = true) {
  const surface = screen.getByRole('img').parentElement!
  surface.setPointerCapture = () => undefined
  const at = (type: string, part: number) =>
    fireEvent(
      surface,
      new PointerEvent(type, {
        bubbles: true,
        pointerId: 1,
        clientX: 200 + by.x * part,
        clientY: 400 + by.y * part,
      }),
    )
  at('pointerdown', 0)
  for (const part of [0.3, 0.6, 1]) at('pointermove', part)
  at(isMeant ? 'pointerup' : 'pointercancel', 1)
}

test('a swipe that was too short, taken away or at the end leads nowhere', () => {
  openIn(three, '3')
  swipe({ x: 40, y: 0 })
  swipe({ x: 200, y: 0 }, false)
  swipe({ x: -200, y: 0 })
  expect(names()).toBe('图片 3.png')
  expect(shown()).toEqual({ x: 0, y: 0, scale: 1 })
})

test('a swipe across leads on, also in a long picture, and one downwards closes', () => {
  const onClose = openIn([picture('1', { address: stored(1080, 12_000) }), three[1]!], '2')
  swipe({ x: 120, y: 10 })
  expect(names()).toBe('图片 1.png')
  swipe({ x: -120, y: 10 })
  expect(names()).toBe('图片 2.png')
  swipe({ x: 10, y: 200 })
  expect(onClose).toHaveBeenCalledTimes(1)
})

test('it is copied as a picture where the browser can', async () => {
  vi.stubGlobal('ClipboardItem', undefined)
  openIn(three, '1')
  expect(screen.queryByRole('button', { name: '复制图片' })).toBeNull()
  cleanup()
  const write = vi.fn(() => Promise.reject(new Error('refused')))
  vi.stubGlobal('ClipboardItem', class {})
  vi.stubGlobal('navigator', { ...navigator, clipboard: { write } })
  openIn(three, '1')
  fireEvent.click(screen.getByRole('button', { name: '复制图片' }))
  await expect.poll(() => write.mock.calls.length).toBe(1)
})
