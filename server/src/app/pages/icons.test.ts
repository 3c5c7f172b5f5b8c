import { readFileSync } from 'node:fs'
import path from 'node:path'
import { locales } from '@guildhall/wire/locale.ts'
import { pages } from '@guildhall/wire/pages.ts'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { manifestOf } from '../../site/face/facePages.ts'
import { NO_FACE } from '../../site/face/folder.ts'

const WEB = path.join(import.meta.dirname, '../../../../web')
const bytesOf = (name: string) => readFileSync(path.join(WEB, 'public', name))
const PNG = '89504e470d0a1a0a'

test('the icon that phones put on their home screen is a PNG without transparent corners', () => {
  const html = readFileSync(path.join(WEB, 'index.html'), 'utf8')
  const name = /<link rel="apple-touch-icon" href="\/([\w.-]+)"/.exec(html)?.[1]
  const icon = bytesOf(name ?? '')
  expect(icon.subarray(0, 8).toString('hex')).toBe(PNG)
  expect([icon.readUInt32BE(16), icon.readUInt32BE(20)]).toEqual([180, 180])
  expect(icon.includes('tRNS')).toBe(false)
})

test('there is an icon where browsers look for one without being told', () => {
  expect(bytesOf('favicon.ico').subarray(0, 4).toString('hex')).toBe('00000100')
})

test.each(locales)(
  'the manifest in %s has what an installable page needs, and leads to pages there are',
  (locale) => {
    const manifest = JSON.parse(manifestOf(NO_FACE, locale))
    expect(manifest).toMatchObject({ id: '/channels/', scope: '/', display: 'standalone', lang: locale })
    expect(manifest.start_url.startsWith(manifest.scope)).toBe(true)
    for (const colour of [manifest.theme_color, manifest.background_color])
      expect(colour).toMatch(/^#[0-9a-f]{6}$/i)
    expect(manifest.name).toBe(locale === 'en' ? 'Guildhall' : '公会厅')
    expect(manifest.shortcuts.map(({ url }: { url: string }) => url)).toEqual([
      '/chats',
      '/friends',
      '/discover',
    ])
    for (const { name, url } of manifest.shortcuts) {
      expect(Object.keys(pages)).toContain(url)
      expect(name).toMatch(locale === 'en' ? /^[A-Z][a-z ]+$/ : /^\p{Script=Han}+$/u)
    }
  },
)

test('its icons have the sizes that it says, one of each size whole and one that phones may cut', () => {
  const { icons } = JSON.parse(manifestOf(NO_FACE, 'en')) as {
    icons: { src: string; sizes: string; type: string; purpose: string }[]
  }
  const pngs = icons.filter(({ type }) => type === 'image/png')
  expect(pngs.map(({ sizes, purpose }) => `${sizes} ${purpose}`).toSorted()).toEqual([
    '192x192 any',
    '192x192 maskable',
    '512x512 any',
    '512x512 maskable',
  ])
  for (const { src, sizes } of pngs) {
    const icon = bytesOf(src.slice(1))
    expect(icon.subarray(0, 8).toString('hex')).toBe(PNG)
    expect(`${icon.readUInt32BE(16)}x${icon.readUInt32BE(20)}`).toBe(sizes)
  }
})

test('what phones may cut of an icon is nothing but ground', async () => {
  const ground = [0x0b, 0x7a, 0x53]
  for (const side of [192, 512]) {
    const pixels = await sharp(bytesOf(`icon-maskable-${side}.png`))
      .removeAlpha()
      .raw()
      .toBuffer()
    let most = 0
    for (let y = 0; y < side; y++)
      for (let x = 0; x < side; x++)
        if (Math.hypot(x - side / 2, y - side / 2) > side * 0.4)
          ground.forEach((colour, at) => {
            most = Math.max(most, Math.abs(pixels[(y * side + x) * 3 + at]! - colour))
          })
    // The drawing rounds colours.
    expect(most).toBeLessThanOrEqual(1)
  }
})
