import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createGuild } from '@guildhall/wire/guild/ownGuild.ts'
import { siteDocument, siteInfo } from '@guildhall/wire/site/site.ts'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { transaction } from '../../kit/database/db.ts'
import { openWorld, type TestWorld } from '../../testing/world.ts'
import { nameOfficialAccount, officialAccount } from '../../user/user.ts'
import { nameSite } from './name.ts'

const ROOT = path.join(import.meta.dirname, '../../../..')
const EXAMPLE = path.join(ROOT, 'deploy/site.example')

let dir = ''
let webDir = ''
let siteDir = ''
let world: TestWorld

beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'guildhall-face-'))
  webDir = path.join(dir, 'web')
  siteDir = path.join(dir, 'site')
  await mkdir(path.join(webDir, 'pages'), { recursive: true })
  for (const file of ['index.html', 'pages/invite.html', 'pages/user-invite.html', 'pages/landing.html'])
    await cp(path.join(ROOT, 'web/index.html'), path.join(webDir, file))
  await cp(path.join(ROOT, 'web/staff.html'), path.join(webDir, 'staff.html'))
  await cp(path.join(ROOT, 'web/public/share.png'), path.join(webDir, 'share.png'))
  await cp(EXAMPLE, siteDir, { recursive: true })
  await writeFile(path.join(siteDir, 'terms.en.md'), '# Our rules\n\nBe kind. [Ask](https://a.example)')
  world = await openWorld({ SITE_DIR: siteDir }, webDir)
})
afterAll(async () => {
  await world.close()
  nameSite({})
  await rm(dir, { recursive: true, force: true })
})

const get = (url: string, headers: Record<string, string> = {}) =>
  world.app.inject({ method: 'GET', url, headers: { accept: 'text/html', ...headers } })

describe('with a folder of the operator', () => {
  it.each([
    '/',
    '/terms',
    '/app',
    '/channels/1',
    '/no-such-page',
    '/staff',
    '/invite/xxxxxx',
    '/user-invite/xxxxxx',
  ])('%s says the product’s name nowhere', async (address) => {
    const { text } = await get(address)
    expect(text).not.toMatch(/公会厅|Guildhall/)
    expect(text).toMatch(/<title>[^<]*灯塔社/)
  })

  it('pages have name, colours and the start page’s words, and are asked for again only when they changed', async () => {
    const { text } = await get('/')
    expect(text).toContain('id="names" type="application/json">{"zh-CN":"灯塔社","en":"Lighthouse"}</script>')
    expect(text).toContain('<meta name="apple-mobile-web-app-title" content="灯塔社"')
    expect(text).toContain('<meta name="description" content="灯塔社：夜里也有人在"')
    expect(text).toContain('<meta name="theme-color" content="#faf5ef" data-light="#faf5ef #ffffff ')
    expect(text).toContain('--brand:#9a3412')
    expect(text).toMatch(/<script id="landing" type="application\/json">\{"zh-CN":\[/)
    expect(text).toContain('<h1 class="start-product">灯塔社</h1>')
    const { headers } = await get('/terms')
    expect(headers['cache-control']).toBe('no-cache')
    const again = await get('/terms', { 'if-none-match': headers.etag! })
    expect(again.status).toBe(304)
  })

  it('an invite is dark in the operator’s colours, and its preview has the operator’s name and picture', async () => {
    const { text } = await get(`/invite/${world.invite}`)
    expect(text).toContain('<meta name="theme-color" content="#17120f"')
    expect(text).toContain('<meta property="og:site_name" content="灯塔社">')
    expect(text).toContain('/share.png">')
    expect(text).toMatch(/<p class="invite-product">.*灯塔社<\/p>/)
    const english = await get(`/invite/${world.invite}`, { 'accept-language': 'en' })
    expect(english.text).toContain('<meta property="og:site_name" content="Lighthouse">')
  })

  it('the manifest, the logo and its pictures are the operator’s', async () => {
    const manifest = await get('/manifest.webmanifest', { 'accept-language': 'zh-CN' })
    expect(manifest.headers['content-type']).toBe('application/manifest+json; charset=utf-8')
    expect(manifest.headers.vary).toBe('accept-language')
    const said = JSON.parse(manifest.text) as { icons: { src: string; sizes: string }[] }
    expect(said).toMatchObject({
      name: '灯塔社',
      short_name: '灯塔社',
      description: '夜里也有人在',
      background_color: '#faf5ef',
      theme_color: '#faf5ef',
    })
    const english = await get('/manifest.webmanifest', { 'accept-language': 'en' })
    expect(JSON.parse(english.text)).toMatchObject({ name: 'Lighthouse', lang: 'en' })
    const again = await get('/manifest.webmanifest', {
      'accept-language': 'en',
      'if-none-match': english.headers.etag!,
    })
    expect(again.status).toBe(304)
    const logo = await get('/logo.svg')
    expect(logo.headers['content-type']).toBe('image/svg+xml; charset=utf-8')
    expect(logo.text).toContain('#9a3412')
    await world.app.listen()
    const claimed = said.icons
      .filter(({ sizes }) => sizes !== 'any')
      .map(({ src, sizes }) => [src.slice(1), Number.parseInt(sizes, 10)] as const)
    expect(claimed.length).toBe(4)
    for (const [name, side] of [
      ...claimed,
      ['apple-touch-icon.png', 180],
      ['share.png', 512],
      ['favicon.ico', 48],
    ] as const) {
      const answer = await fetch(`http://127.0.0.1:${new URL(await world.app.listen()).port}/${name}`)
      const { width, height, format } = await sharp(Buffer.from(await answer.arrayBuffer())).metadata()
      expect([width, height, format]).toEqual([side, side, 'png'])
    }
  })

  it('pages name the manifest, and may load it from here alone', async () => {
    const { text, headers } = await get('/channels/1')
    expect(text).toContain('<link rel="manifest" href="/manifest.webmanifest"')
    expect(headers['content-security-policy']).toContain("; manifest-src 'self';")
  })

  it('terms are the operator’s in both languages where they are in one, and the policy stays the product’s', async () => {
    for (const locale of ['zh-CN', 'en'] as const) {
      const terms = await world.as(null).call(siteDocument, { name: 'terms', locale })
      expect(terms.locale).toBe('en')
      expect(terms.blocks[0]).toMatchObject({ kind: 'title', spans: [{ text: 'Our rules' }] })
    }
    const privacy = await world.as(null).call(siteDocument, { name: 'privacy', locale: 'zh-CN' })
    expect(privacy.locale).toBe('zh-CN')
  })

  it('the contact is told, and the official account has the name, which nobody else may take', async () => {
    expect((await world.as(null).call(siteInfo, {})).contact).toBe('联系我们：club@example.com')
    const official = await transaction(world.database.db, (tx) => officialAccount(tx))
    expect(official.username).toBe('灯塔社')
    for (const name of ['灯塔社 官网', 'Lighth0use'])
      expect(await world.as('owner').refusal(createGuild, { name })).toBe('content.reserved')
  })
})

it('the official account is renamed when the place is', async () => {
  const other = await openWorld({ SITE_DIR: siteDir }, webDir)
  try {
    const before = await transaction(other.database.db, (tx) => officialAccount(tx))
    expect(before.username).toBe('灯塔社')
    nameSite({ 'zh-CN': '星 海', en: 'Stars' })
    await nameOfficialAccount(other.database.db)
    const after = await transaction(other.database.db, (tx) => officialAccount(tx))
    expect([after.id, after.username]).toEqual([before.id, '星海'])
  } finally {
    await other.close()
    nameSite({})
  }
})

describe('the product’s own privacy policy', () => {
  it.each([
    ['zh-CN', ['身份证号码', '订单', '支付', '安全日志', '180 天']],
    ['en', ['identity card', 'Orders', 'Payments', 'Security log', '180 days']],
  ] as const)('names what is kept, in %s', async (locale, words) => {
    const { blocks } = await world.as(null).call(siteDocument, { name: 'privacy', locale })
    const text = blocks.flatMap(({ spans }) => spans.map((it) => it.text)).join('\n')
    for (const word of words) expect(text).toContain(word)
  })
})
