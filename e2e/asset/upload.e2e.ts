/**
 * Uploads: picked, pasted and dropped files, their progress, cancelling, retrying, and how others see them.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Browser, Page } from '@playwright/test'
import { expect, test } from '@playwright/test'
import type { PersonName } from '../../server/src/demo/world.ts'
import { openTestServer, type TestServer } from '../../server/src/testing/server.ts'
import { expectFits } from '../ask.ts'
import {
  doubleTap,
  expectAccessible,
  openBrowser,
  openPhone,
  type Phone,
  picture,
  type Theme,
} from '../phone.ts'

let server: TestServer
let browser: Browser
let portrait: string

test.beforeAll(async () => {
  server = await openTestServer()
  browser = await openBrowser()
  portrait = path.join(tmpdir(), `portrait-${process.pid}.png`)
  const phone = await openPhone(browser, server.url)
  const page = await phone.context.newPage()
  await page.setViewportSize({ width: 300, height: 500 })
  await page.setContent('<body style="background: linear-gradient(#3fd39a, #1f66d0)"></body>')
  await page.screenshot({ path: portrait })
  await phone.close()
})

test.afterAll(async () => {
  await browser?.close()
  await server?.close()
})

async function enter(
  who: PersonName,
  channel: string,
  options: { theme?: Theme; locale?: 'zh-CN' | 'en-US' } = {},
): Promise<Phone> {
  const phone = await openPhone(browser, server.url, options)
  const token = await server.login(who)
  await phone.context.addInitScript((it) => localStorage.setItem('authorization', it), token)
  await phone.page.goto(`/channels/${server.guildId}/${server.channel(channel)}`)
  await phone.page.locator('[data-part=composer-input]').waitFor()
  return phone
}
const pick = (page: Page, files: Parameters<ReturnType<Page['locator']>['setInputFiles']>[0]) =>
  page.locator('input[data-attach]').setInputFiles(files)
const chips = (page: Page) => page.locator('[data-part=attachment]')
const textFile = (name: string, content: string) => ({
  name,
  mimeType: 'text/plain',
  buffer: Buffer.from(content),
})
const isDone = (page: Page, count: number) =>
  expect(page.locator('[data-part=attachment][data-state=done]')).toHaveCount(count)
/** What takes files that are dropped or pasted is loaded after a phone's first screen, with this button. */
const takesFiles = (page: Page) => page.getByRole('button', { name: '文字格式' }).waitFor()

test.describe('files in a room', () => {
  test('two picked files are shown as chips, sent in order and received by everybody, with reserved space for pictures', async () => {
    const sender = await enter('member', '夜宵')
    const reader = await enter('owner', '夜宵')
    const { page } = sender
    await pick(page, [portrait])
    await pick(page, textFile('攻略.txt', '先打左边'))
    await isDone(page, 2)
    await page.locator('[data-part=composer-input]').fill('都在这里')
    await page.getByRole('button', { name: '发送' }).click()
    await expect(chips(page)).toHaveCount(0)

    for (const each of [page, reader.page]) {
      await each.getByText('都在这里', { exact: true }).waitFor()
      const shown = each.getByRole('button', { name: /^图片 portrait/ })
      await shown.waitFor()
      // 600x1000 px of the phone's screen, within 400x300. The row of the upload is replaced by the stored
      // message.
      await expect
        .poll(async () => {
          const box = await shown.boundingBox()
          return box && [Math.round(box.width), Math.round(box.height)]
        })
        .toEqual([180, 300])
      // The row of an upload that is still sent has a progress mark in place of a text.
      const rows = () =>
        each
          .locator(
            'article [data-part=picture], article [data-part=file], article [data-part=message-text]:not(:empty)',
          )
          .evaluateAll((all) => all.map((it) => (it as HTMLElement).dataset.part))
      await expect.poll(rows).toEqual(['picture', 'file', 'message-text'])
      await expectAccessible(each)
    }
    const [download] = await Promise.all([
      reader.page.waitForEvent('download'),
      reader.page.getByRole('link', { name: /^下载文件\s*攻略\.txt\s*12 B$/ }).click(),
    ])
    expect(download.suggestedFilename()).toBe('攻略.txt')
    expect(await readFile((await download.path())!, 'utf8')).toBe('先打左边')

    await reader.page.reload()
    const again = reader.page.getByRole('button', { name: /^图片 portrait/ })
    await again.waitFor()
    // The natural width is in CSS px of its box, as a copy is shown.
    await expect
      .poll(() => again.locator('img').evaluate((it: HTMLImageElement) => it.complete && it.naturalWidth))
      .toBe(180)
    expect([sender.complaints, reader.complaints]).toEqual([[], []])
    await sender.close()
    await reader.close()
  })

  test('a picture opens full screen, zooms, and closes by Escape, by its close button and by a swipe down', async () => {
    const { page, complaints, close } = await enter('owner', '夜宵')
    const shown = page.getByRole('button', { name: /^图片 portrait/ })
    const viewer = page.getByRole('dialog', { name: /^图片 portrait/ })
    await shown.click()
    await viewer.waitFor()
    await expectAccessible(page)
    await picture(page, 'viewer')
    const cross = viewer.getByRole('button', { name: '关闭' })
    await expect(cross).toBeFocused()
    await page.keyboard.press('Shift+Tab')
    await expect(viewer.getByRole('link', { name: '保存原图' })).toBeFocused()
    await page.keyboard.press('Tab')
    await expect(cross).toBeFocused()
    await page.keyboard.press('Tab')
    await expect(viewer.locator(':focus')).toHaveCount(1)
    await page.keyboard.press('Escape')
    await viewer.waitFor({ state: 'detached' })
    await expect(shown).toBeFocused()

    await shown.click()
    await cross.click()
    await viewer.waitFor({ state: 'detached' })

    await shown.click()
    const transform = () => viewer.locator('img').evaluate((it) => it.style.transform)
    const middle = { x: 195, y: 400 }
    await doubleTap(page, middle)
    await expect.poll(transform).toContain('scale(2.5)')
    await doubleTap(page, middle)
    await expect.poll(transform).toContain('scale(1)')

    const devtools = await page.context().newCDPSession(page)
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...points: [number, number][]) =>
      devtools.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: points.map(([x, y], id) => ({ x, y, id })),
      })
    await touch('touchStart', [150, 400], [240, 400])
    await touch('touchMove', [100, 400], [290, 400])
    await touch('touchMove', [60, 400], [330, 400])
    await touch('touchEnd')
    await expect.poll(transform).toMatch(/scale\((2\.9|3)/)
    await doubleTap(page, middle)
    await expect.poll(transform).toContain('scale(1)')

    await touch('touchStart', [200, 300])
    await touch('touchMove', [200, 340])
    await touch('touchMove', [200, 460])
    await touch('touchEnd')
    await viewer.waitFor({ state: 'detached' })
    expect(complaints).toEqual([])
    await close()
  })

  test('pasted and dropped files become chips, and one that is too large shows an error and is not sent', async () => {
    const { page, complaints, close } = await enter('member', '夜宵')
    await takesFiles(page)
    const give = (kind: 'paste' | 'drop') =>
      page.evaluate((how) => {
        const data = new DataTransfer()
        data.items.add(new File(['text'], `${how}.txt`, { type: 'text/plain' }))
        const target = document.querySelector('[data-part=composer-input]')!
        const event =
          how === 'paste'
            ? new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true })
            : new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true })
        target.dispatchEvent(event)
      }, kind)
    // What takes files is loaded with the formats.
    await page.getByRole('button', { name: '文字格式' }).waitFor()
    await give('paste')
    await give('drop')
    await isDone(page, 2)
    await page.evaluate(() => {
      const data = new DataTransfer()
      data.items.add(new File([new Uint8Array(101 * 1024 * 1024)], 'large.iso'))
      document.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }))
    })
    await page.getByText(/^文件大小不能超过 \d+M$/).waitFor()
    await expect(page.getByRole('button', { name: '发送' })).toBeDisabled()
    await page.getByRole('button', { name: '移除 large.iso' }).click()
    await page.getByRole('button', { name: '发送' }).click()
    await page.getByRole('link', { name: /drop\.txt/ }).waitFor()
    expect(complaints).toEqual([])
    await close()
  })

  test('unsent files are restored after a reload, uploaded or not, until they are sent or removed', async () => {
    const { page, complaints, close } = await enter('member', '夜宵')
    await pick(page, [portrait])
    await isDone(page, 1)
    let held = 0
    let sentUp = 0
    let isHeld = true
    await page.route('**/api/v2/assets/file', (route) => {
      if (isHeld) {
        held += 1
        return new Promise(() => undefined)
      }
      sentUp += 1
      return route.fallback()
    })
    await pick(page, textFile('攻略.txt', '先打左边'))
    await pick(page, textFile('多余.txt', '不发了'))
    await page.locator('[data-part=composer-input]').fill('草稿还在')
    await expect(chips(page)).toHaveCount(3)
    await page.getByRole('button', { name: /多余/ }).click()
    await expect(chips(page)).toHaveCount(2)

    // Uploading before the reload; otherwise it would complete by itself.
    await expect.poll(() => held).toBeGreaterThan(0)
    isHeld = false
    await page.reload()
    await isDone(page, 2)
    await expect(chips(page)).toHaveCount(2)
    // The thumbnail was already generated.
    expect(sentUp).toBe(1)
    await expect(page.locator('[data-part=composer-input]')).toHaveValue('草稿还在')
    const face = page.locator('[data-part=attachment] img')
    await expect.poll(() => face.evaluate((it: HTMLImageElement) => it.naturalWidth)).toBe(600)
    await expectAccessible(page)
    await picture(page, 'upload-back')
    await page.getByRole('button', { name: '发送' }).click()
    await page.getByText('草稿还在', { exact: true }).waitFor()
    await page
      .getByRole('link', { name: /攻略\.txt/ })
      .last()
      .waitFor()

    await pick(page, textFile('再见.txt', '不发了'))
    await isDone(page, 1)
    await page.reload()
    await isDone(page, 1)
    await page.getByRole('button', { name: '移除 再见.txt' }).click()
    await expect(chips(page)).toHaveCount(0)
    await page.reload()
    await page.getByText('草稿还在', { exact: true }).waitFor()
    // Nothing is to come back: there is nothing to wait for.
    await page.waitForTimeout(300)
    await expect(chips(page)).toHaveCount(0)
    expect(complaints).toEqual([])
    await close()
  })

  test('a video shows a preview, its duration and playback; one that the browser cannot play has no preview', async () => {
    const { page, complaints, close } = await enter('member', '夜宵', { theme: 'dark' })
    await takesFiles(page)
    const reader = await enter('owner', '夜宵')
    await page.evaluate(async () => {
      const canvas = document.createElement('canvas')
      canvas.width = 320
      canvas.height = 180
      const pen = canvas.getContext('2d')!
      const recorder = new MediaRecorder(canvas.captureStream(20), { mimeType: 'video/webm' })
      const parts: Blob[] = []
      recorder.ondataavailable = ({ data }) => parts.push(data)
      const ended = new Promise((resolve) => {
        recorder.onstop = resolve
      })
      recorder.start()
      const began = performance.now()
      while (performance.now() - began < 1_500) {
        pen.fillStyle = `hsl(${(performance.now() - began) / 5} 80% 50%)`
        pen.fillRect(0, 0, 320, 180)
        await new Promise(requestAnimationFrame)
      }
      recorder.stop()
      await ended
      const data = new DataTransfer()
      data.items.add(new File(parts, '首杀.webm', { type: 'video/webm' }))
      document.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }))
    })
    await isDone(page, 1)
    await page.locator('[data-part=video-duration]', { hasText: /0:0[12]/ }).waitFor()
    const head = Buffer.from('\0\0\0\x0cftypisom\0\0\0\x08moov', 'latin1')
    await pick(page, { name: '看不了.mp4', mimeType: 'video/mp4', buffer: head })
    await isDone(page, 2)
    await expectAccessible(page)
    await picture(page, 'upload-video')
    await page.getByRole('button', { name: '发送' }).click()

    for (const each of [page, reader.page]) {
      const shown = each.getByRole('button', { name: /^播放视频\s*0:0[12]\s*首杀\.webm/ })
      await shown.waitFor()
      const cover = shown.locator('[data-part=video-preview] img')
      await expect.poll(() => cover.evaluate((it: HTMLImageElement) => it.naturalWidth)).toBe(320)
      // A sent message takes the place of the outgoing one: the element may be another one a moment later.
      await expect
        .poll(() =>
          shown.locator('[data-part=video-preview]').evaluate((it) => it.clientWidth / it.clientHeight),
        )
        .toBeCloseTo(320 / 180, 1)
      const bare = each.getByRole('button', { name: /^播放视频\s*看不了\.mp4/ })
      await bare.waitFor()
      await expect(bare.locator('img')).toHaveCount(0)
      await expectAccessible(each)
    }
    await picture(page, 'video-dark')
    await picture(reader.page, 'video-light')
    await reader.page.getByRole('button', { name: /首杀/ }).click()
    await reader.page.getByRole('alertdialog', { name: '提醒' }).waitFor()
    expect([complaints, reader.complaints]).toEqual([[], []])
    await close()
    await reader.close()
  })

  for (const [theme, locale] of [
    ['light', 'zh-CN'],
    ['dark', 'en-US'],
  ] as const)
    test(`in ${theme}, ${locale}: progress is shown, a failure keeps the draft, and retrying and cancelling work`, async () => {
      const { page, context, close, complaints } = await enter('member', '夜宵', { theme, locale })
      const english = locale === 'en-US'
      const devtools = await context.newCDPSession(page)
      await devtools.send('Network.enable')
      const slow = (bytes: number) =>
        devtools.send('Network.emulateNetworkConditions', {
          offline: false,
          latency: 0,
          downloadThroughput: -1,
          uploadThroughput: bytes,
        })
      let isDown = true
      await page.route('**/api/v2/assets/file', (route) => (isDown ? route.abort() : route.fallback()))

      const large = path.join(tmpdir(), `录像-${process.pid}.bin`)
      await writeFile(large, Buffer.alloc(3 * 1024 * 1024, 'a'))
      await page.locator('[data-part=composer-input]').fill('draft')
      await pick(page, [portrait, large])
      await page
        .getByText(english ? 'Upload failed' : '上传失败')
        .first()
        .waitFor()
      await expect(page.locator('[data-part=composer-input]')).toHaveValue('draft')
      await expectAccessible(page)
      await picture(page, `upload-failed-${theme}-${english ? 'en' : 'zh-CN'}`)

      isDown = false
      await page.unroute('**/api/v2/assets/file')
      await slow(400_000)
      for (const name of [/^(Re-upload|重新上传) portrait/, /^(Re-upload|重新上传) 录像/])
        await page.getByRole('button', { name }).click()
      const bar = page.getByRole('progressbar', { name: /录像/ })
      const seen = new Set<number>()
      await expect
        .poll(async () => seen.add(Number(await bar.getAttribute('aria-valuenow'))).size, {
          intervals: [100],
        })
        .toBeGreaterThan(3)
      await picture(page, `upload-${theme}-${english ? 'en' : 'zh-CN'}`)
      await expectAccessible(page)
      await page.getByRole('button', { name: english ? /^Cancel upload 录像/ : /^取消上传 录像/ }).click()
      await slow(-1)
      await isDone(page, 1)
      await page.getByRole('button', { name: english ? 'Send' : '发送' }).click()
      await expect(chips(page)).toHaveCount(0)
      await expectFits(page)
      expect(complaints).toEqual([])
      await close()
    })
})
