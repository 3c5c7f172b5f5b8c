import type { GuildId } from '@guildhall/wire/id.ts'
import type { Locale } from '@guildhall/wire/locale.ts'
import type { PublicGuild } from '@guildhall/wire/profile/publicGuilds.ts'
import { describe, expect, it } from 'vitest'
import { type StartPage, startPage } from './startPage.ts'

const guild: PublicGuild = {
  id: '7' as GuildId,
  name: '像素工坊',
  icon: '',
  desc: '画一点',
  banner: '',
  members: 12,
  online: 3,
}
async function draw(
  of: Partial<StartPage> = {},
  { locale = 'zh-CN' as Locale, params = {} as Record<string, string> } = {},
): Promise<string> {
  const page = startPage({
    sources: { webDir: '/nowhere' },
    face: { landing: {} },
    lines: { contact: '', copyright: '', records: [] },
    ways: ['sms'],
    publicGuilds: async () => [],
    ...of,
  })
  const request = { locale, origin: 'http://example.test', params }
  return ((await page.run(request as never)) as { body: string }).body
}
const dataOf = (html: string) => JSON.parse(/<script id="start"[^>]*>(.*?)<\/script>/s.exec(html)![1]!)

describe('the start page as the server renders it', () => {
  it.each(['<script>alert(1)</script>', '"><img src=x onerror=alert(1)>', '</script><b>', "$& $1 $'"])(
    'shows a guild named %s as that text and nothing else',
    async (name) => {
      const html = await draw({ publicGuilds: async () => [{ ...guild, name, desc: name }] })
      expect(html.match(/<script/g)).toHaveLength(1)
      expect(html).not.toContain('<img src=x')
      expect(dataOf(html).guilds[0].name).toBe(name)
    },
  )

  it('keeps the address at which a session ended within the query of the login', async () => {
    const html = await draw({}, { params: { redir: '"><b>//evil.example&x=1' } })
    expect(html).toContain('href="/login?redir=%22%3E%3Cb%3E%2F%2Fevil.example%26x%3D1"')
    expect(html).toContain('登录已失效，请重新登录')
  })

  it('offers no registration where one registers by invites alone', async () => {
    const html = await draw({ ways: ['invite'] })
    expect(html).toContain('<a class="start-way" href="/login">登录</a>')
    expect(html).not.toContain('注册')
  })

  it('says nothing of guilds where there are none to show', async () => {
    expect(await draw()).not.toContain('start-guilds')
  })

  it('says what it is, in both languages, with ways in, a picture and metadata for chat apps', async () => {
    const html = await draw()
    for (const text of ['公会厅', '和朋友，在同一个大厅里', '登录</a>', '注册</a>', '今晚八点，老地方见'])
      expect(html).toContain(text)
    expect(html).toContain('<meta property="og:title" content="公会厅">')
    expect(html).toContain('<meta property="og:image" content="http://example.test/share.png">')
    expect(html).not.toContain('noindex')
    const english = await draw({}, { locale: 'en' })
    expect(english).toContain('<html lang="en" data-theme="light">')
    expect(english).toContain('One hall for you and your friends')
  })

  it('has the operator’s words in place of the product’s, and their lines', async () => {
    const block = (text: string) => ({ kind: 'words' as const, spans: [{ text, bold: true, url: '' }] })
    const html = await draw({
      face: { landing: { en: [block('Somebody is up'), block('<b>Come in')] } },
      lines: {
        contact: '商务：a@b.example',
        copyright: '© <示例>',
        records: [{ text: '京ICP备1号', url: 'https://b.example/?a=1&b=2' }],
      },
    })
    expect(html).toContain('<p class="start-slogan"><b>Somebody is up</b></p>')
    expect(html).toContain('<p class="block-words"><b>&#60;b&#62;Come in</b></p>')
    expect(html).not.toContain('和朋友，在同一个大厅里')
    expect(html).toContain('© &#60;示例&#62;')
    expect(html).toContain('href="https://b.example/?a=1&#38;b=2" target="_blank" rel="noopener noreferrer"')
  })

  it('leads from a guild through the login to where it is found', async () => {
    const html = await draw({ publicGuilds: async () => [guild] })
    const entry = encodeURIComponent(`/discover?search=${encodeURIComponent('像素工坊')}`)
    expect(html).toContain(`<a class="start-guild" href="/login?register=1&#38;redir=${entry}">`)
    expect(html).toContain('3 人在线 · 12 位成员')
    expect(dataOf(html).guilds).toEqual([guild])
  })
})
