import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { setLocale } from '../kit/i18n.ts'
import { retryFailedLoads } from '../kit/picture/useFailedLoad.ts'
import { Embeds, embedsHeight } from './Embeds.tsx'
import { Media, mediaHeight, pictureSize, voiceWidth } from './Media.tsx'

beforeEach(() => setLocale('zh-CN'))
afterEach(cleanup)

const url = 'https://hall.example.com/assets/2026-11/abcdefghij0u00dw.png'
const picture = { type: 2, content: url, attachments: { type: 'image', name: '合影.png', url } }
const sized = (more: object) => ({
  type: 3,
  content: 'https://hall.example.com/attachments/2026-11/21/abcdefgh12345678.zip',
  attachments: { type: 'file', name: '歌单.zip', url, ...more },
})

const playing = (type: number, more: object = {}) => ({
  type,
  content: 'https://hall.example.com/attachments/2026-11/21/abcdefgh12345678.mp4',
  attachments: { type: type === 4 ? 'video' : 'audio', name: '首杀.mp4', url: '', ...more },
})

test('text and unknown kinds reserve no space for a file', () => {
  for (const type of [1, 7, 9, 10, 99]) expect(mediaHeight(playing(type))).toBeNull()
  for (const type of [2, 3, 4, 8]) expect(mediaHeight(playing(type))).toBeGreaterThan(40)
})

test.each([
  ['a video', playing(4), /^播放视频/],
  ['a voice', playing(8), /^播放语音/],
])('%s is not played on the page: without an app a dialog says so and has the file', async (_, it, name) => {
  render(<Media message={it} />)
  expect(document.querySelector('video, audio')).toBeNull()
  fireEvent.click(screen.getByRole('button', { name }))
  expect(await screen.findByRole('alertdialog', { name: '提醒' })).toBeTruthy()
  expect(screen.getByText('网页暂不支持播放，可以下载文件')).toBeTruthy()
  const file = screen.getByRole('link', { name: '下载文件' }) as HTMLAnchorElement
  expect(file.href).toMatch(/abcdefgh12345678\.mp4$/)
  expect(file.download).not.toBe('')
  expect(within(screen.getByRole('alertdialog')).getAllByRole('button')).toHaveLength(1)
  fireEvent.click(screen.getByRole('button', { name: '知道了' }))
  expect(screen.queryByRole('alertdialog')).toBeNull()
})

test('a video without a size is square, one with a size keeps its ratio within 400 px, and shows its duration', () => {
  const { unmount } = render(<Media message={playing(4)} />)
  expect(screen.getByRole('button').style.width).toBe('200px')
  unmount()
  render(<Media message={playing(4, { width: 1920, height: 1080, duration: 187_400, size: 5_500_000 })} />)
  const card = screen.getByRole('button')
  expect(card.style.width).toBe('400px')
  expect(card.textContent).toBe('播放视频3:07首杀.mp45.25 MB')
})

test('a cover that fails to load keeps the reserved space and the play icon', () => {
  render(<Media message={playing(4, { cover: 'https://hall.example.com/a.png' })} />)
  fireEvent.error(document.querySelector('img')!)
  expect(document.querySelector('img')).toBeNull()
  expect(document.querySelector('[data-part=play]')).not.toBeNull()
})

test('a voice message is 80 px plus 220 px per minute wide, and shows its duration when it is known', () => {
  expect([0, 15_000, 60_000].map(voiceWidth)).toEqual([80, 135, 300])
  const { unmount } = render(<Media message={playing(8, { duration: 15_000 })} />)
  const bubble = screen.getByRole('button')
  expect([bubble.style.width, bubble.textContent]).toEqual(['135px', '播放语音0:15'])
  unmount()
  render(<Media message={playing(8, { duration: null })} />)
  expect(screen.getByRole('button').textContent).toBe('播放语音')
})

test('unknown embeds, and those with other than web addresses, are left out', () => {
  const bad = [
    null,
    'x',
    { type: 'link' },
    { type: 'image', url: 'javascript:x' },
    { type: 'bili-video', url: 1 },
  ]
  const { container } = render(<Embeds all={bad} />)
  expect(container.innerHTML).toBe('')
})

test('an external video is a link to its page; an external picture opens in the viewer', () => {
  const film = {
    type: 'bili-video',
    av_no: '170001',
    title: '首杀',
    duration: 83,
    pic: 'https://i.example.com/a.jpg',
  }
  render(<Embeds all={[film, { type: 'image', url: 'https://i.example.com/b.png' }]} />)
  const link = screen.getByRole('link')
  expect(link.textContent).toBe('1:23首杀bilibili')
  expect(link.title).toBe('https://www.bilibili.com/video/av170001')
  expect(link.getAttribute('rel')).toContain('noopener')
  expect(screen.getByRole('button', { name: '图片' })).toBeTruthy()
})

test('a link preview opens in a new tab, and its picture may be missing', () => {
  const page = { type: 'link', url: 'https://news.example/a', title: '攻略', site_name: '星海' }
  render(<Embeds all={[{ ...page, image: url, description: '八人小队' }]} />)
  const link = screen.getByRole('link')
  expect(link.textContent).toBe('星海攻略八人小队')
  expect([link.title, link.getAttribute('target')]).toEqual([page.url, '_blank'])
  expect(link.getAttribute('rel')?.split(' ')).toEqual(expect.arrayContaining(['noopener', 'noreferrer']))
  expect(link.querySelector('img')?.getAttribute('src')).toBe('/assets/2026-11/abcdefghij0u00dw.png')
  fireEvent.error(link.querySelector('img')!)
  fireEvent.error(link.querySelector('img')!)
  expect(link.querySelector('img')).toBeNull()
  expect(link.querySelector('[data-part=link-image]')).not.toBeNull()
})

test('an embedded picture has its space reserved by its name, also in the estimated height', () => {
  const here = { type: 'image', url, origin_url: 'https://i.example.com/b.png' }
  const there = { type: 'image', url: 'https://i.example.com/abcdefghij0u00dw.png' }
  render(<Embeds all={[here, there]} />)
  expect(screen.getAllByRole('button').map((it) => it.style.width)).toEqual(['400px', '240px'])
  expect(embedsHeight([here, there])).toBe(185 + 180 + 8)
  expect(embedsHeight([])).toBe(0)
})

test('a picture that fails to load shows an error in the same space, and a tap tries again', () => {
  render(<Media message={picture} />)
  const shown = screen.getByRole('button', { name: '图片 合影.png' })
  const { width, aspectRatio } = shown.style
  fireEvent.error(shown.querySelector('img')!)
  fireEvent.error(shown.querySelector('img')!)
  const gone = screen.getByRole('button', { name: '图片加载失败 点按重试' })
  expect([gone.style.width, gone.style.aspectRatio]).toEqual([width, aspectRatio])
  fireEvent.click(gone)
  expect(screen.getByRole('button', { name: '图片 合影.png' }).querySelector('img')).not.toBeNull()
})

/** 4000x3000. */
const photo = 'https://hall.example.com/assets/2026-11/abcdefghij3342bc.jpg'
const photographed = (content: string, more: object = {}) => ({
  type: 2,
  content,
  attachments: { type: 'image', name: '合影.jpg', url: content, ...more },
})

test('a photograph is shown by the copies that fit, never by the original; by that when no copy can be shown', () => {
  render(<Media message={photographed(photo)} />)
  const shown = document.querySelector('img')!
  expect(shown.sizes).toBe('400px')
  expect(shown.srcset.split(', ')).toEqual(
    ['160 160w', '400 400w', '800 800w', '1600 1600w'].map(
      (each) => `/assets/2026-11/abcdefghij3342bc.jpg?side=${each}`,
    ),
  )
  fireEvent.error(shown)
  const whole = document.querySelector('img')!
  expect([whole.srcset, whole.getAttribute('src')]).toEqual(['', '/assets/2026-11/abcdefghij3342bc.jpg'])
})

test('a picture that failed to load is loaded again, by its copies, when the network is good again', () => {
  render(<Media message={photographed(photo)} />)
  for (const _time of [1, 2]) {
    fireEvent.error(document.querySelector('img')!)
    fireEvent.error(document.querySelector('img')!)
    expect(document.querySelector('img')).toBeNull()
    act(() => retryFailedLoads())
    expect(document.querySelector('img')!.srcset).toContain('side=400')
  }
})

test('the full screen stays while the picture in the room fails, and does not open by itself when that is back', async () => {
  render(<Media message={photographed(photo)} />)
  const inRoom = () => document.querySelector('[data-part=picture] img')
  fireEvent.click(document.querySelector('[data-part=picture]')!)
  const viewer = await screen.findByRole('dialog')
  fireEvent.error(inRoom()!)
  fireEvent.error(inRoom()!)
  expect([inRoom(), screen.getByRole('dialog')]).toEqual([null, viewer])
  fireEvent.keyDown(document, { key: 'Escape' })
  expect(screen.queryByRole('dialog')).toBeNull()
  act(() => retryFailedLoads())
  expect(inRoom()).not.toBeNull()
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('the copies of a private picture have its signature', () => {
  render(<Media message={photographed(`${photo}?e=20781&s=aB-_9`)} />)
  expect(document.querySelector('img')!.srcset).toContain(
    '/assets/2026-11/abcdefghij3342bc.jpg?e=20781&s=aB-_9&side=400 400w',
  )
})

test('until a picture has arrived its placeholder is there; a broken placeholder changes nothing', () => {
  render(<Media message={photographed(photo, { thumbhash: '3wcCBwDMTKCJp4XFOYapuIjD9jiFvcsA' })} />)
  expect(document.querySelector('[data-part=placeholder]')).not.toBeNull()
  fireEvent.load(document.querySelector('img')!)
  expect(document.querySelector('[data-part=placeholder]')).toBeNull()
  cleanup()
  render(<Media message={photographed(photo, { thumbhash: '*' })} />)
  expect(document.querySelector('img')).not.toBeNull()
})

test('the viewer shows a copy, and offers the original to save', async () => {
  render(<Media message={photographed(photo)} />)
  fireEvent.click(screen.getByRole('button', { name: '图片 合影.jpg' }))
  const viewer = await screen.findByRole('dialog')
  const shown = viewer.querySelector('img')!
  expect([shown.sizes, shown.srcset.includes('?side=1600 1600w')]).toEqual(['min(100vw, 4000px)', true])
  const save = screen.getByRole('link', { name: '保存原图' })
  expect([save.getAttribute('href'), save.getAttribute('download')]).toEqual([
    '/assets/2026-11/abcdefghij3342bc.jpg',
    '合影.jpg',
  ])
})

test('the space of a picture is reserved by its name, else by its known size, else by a default', () => {
  expect(pictureSize(picture)).toEqual({ width: 400, height: 185 })
  const nameless = { ...picture, content: 'https://hall.example.com/a!.png' }
  expect(
    pictureSize({ ...nameless, attachments: { ...picture.attachments, width: 600, height: 900 } }),
  ).toEqual({
    width: 200,
    height: 300,
  })
  expect(pictureSize({ ...nameless, attachments: null })).toEqual({ width: 240, height: 180 })
})

test.each([
  ['of a few pixels', 16, 16, 44, 44],
  ['like a line', 400, 5, 400, 44],
  ['like a straw', 3, 300, 44, 300],
])('a picture %s has a large enough touch target and keeps its size', (_, width, height, wide, high) => {
  const it = {
    ...picture,
    content: 'https://hall.example.com/a!.png',
    attachments: { ...picture.attachments, width, height },
  }
  render(<Media message={it} />)
  const button = screen.getByRole('button', { name: '图片 合影.png' })
  expect([button.style.width, button.style.minHeight]).toEqual([`${wide}px`, `${high}px`])
  expect(button.querySelector('img')!.style.width).toBe(`${width}px`)
  expect(mediaHeight(it)).toBe(Math.max(44, high) + 4)
})

test('a picture is loaded from this origin, whichever host its address names', () => {
  render(<Media message={picture} />)
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
  render(<Media message={sized({ size })} />)
  const link = screen.getByRole('link')
  expect(link.getAttribute('download')).toBe('歌单.zip')
  expect(link.getAttribute('href')).toBe('/attachments/2026-11/21/abcdefgh12345678.zip')
  expect(link.textContent).toBe(`下载文件歌单.zip${label}`)
})
