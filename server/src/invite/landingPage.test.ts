import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fail } from '@guildhall/wire/failure.ts'
import type { ChannelId, GuildId, InviteCode } from '@guildhall/wire/id.ts'
import { type Invite, invite as inviteSchema } from '@guildhall/wire/invite/invite.ts'
import type { Locale } from '@guildhall/wire/locale.ts'
import { describe, expect, it } from 'vitest'
import { escapeHtml } from '../kit/http/html.ts'
import { renderLanding, userInvitePage } from './landingPage.ts'

const template =
  '<!doctype html><html lang="zh-CN" data-theme="light"><head><meta name="theme-color" content="#F3F5F7" /><title>公会厅</title><meta name="description" content="x" /></head><body><div id="root"></div></body></html>'

const invite = (name: string, username = '小满'): Invite => ({
  guild: {
    id: '3100000000000001' as GuildId,
    name,
    icon: '',
    banner: '',
    desc: '',
    online_count: 3,
    members_count: 128,
    default_channel_id: '4100000000000001',
  },
  inviter: { username, avatar: '', identify_num: '0001' },
  channel: { id: '4100000000000001' as ChannelId, name: '闲聊', type: 1, joined: false },
  joined: false,
  type: 'guild',
})

const page = (seen: Invite | null, locale: Locale = 'zh-CN', notices: { text: string; url: string }[] = []) =>
  renderLanding(template, {
    notices,
    code: 'Abc234',
    seen: seen ? { invite: seen } : { failure: 'invite.expired' },
    locale,
    origin: 'http://example.test',
  })

const boot = (html: string) =>
  JSON.parse(/<script id="boot" type="application\/json">(.*?)<\/script>/s.exec(html)?.[1] ?? 'null')

describe('the landing page as the server renders it', () => {
  it.each([
    '<script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    "'; --",
    '</title><b>',
    '</script><b>',
    '<!--',
  ])('shows a guild named %s as that text and nothing else', (name) => {
    const html = page(invite(name, name))
    expect(html.match(/<script/g)).toHaveLength(1)
    expect(html).toContain(`<h1 class="invite-guild">${escapeHtml(name)}</h1>`)
    expect(html.replace(/<script id="boot".*?<\/script>/s, '')).not.toContain(name)
    expect(boot(html).invite.guild.name).toBe(name)
  })

  it('shows a name with `$` unchanged', () => {
    expect(page(invite("$& $1 $' $$"))).toContain(`<h1 class="invite-guild">$&#38; $1 $&#39; $$</h1>`)
  })

  it('shows that an invite cannot be used, and leaves the reason to the page', () => {
    const html = page(null)
    expect(html).toContain('data-state="invalid"')
    expect(html).toContain('邀请无效')
    expect(html).toContain('该邀请可能已过期或已被关闭')
    expect(html).toContain('<a class="invite-accept" href="/">前往公会厅</a>')
    expect(html).not.toContain('<button')
    expect(boot(html)).toEqual({ code: 'Abc234', failure: 'invite.expired', notices: [] })
  })

  it('has the notices of the operator in its footer, as text, with the address where there is one', () => {
    const notices = [
      { text: '© 2026 <示例>', url: '' },
      { text: '京ICP备1号', url: 'https://beian.example/?a=1&b=2' },
    ]
    const html = page(invite('夜行者'), 'zh-CN', notices)
    expect(html).toContain('<p class="invite-notice">© 2026 &#60;示例&#62;</p>')
    expect(html).toContain(
      '<a class="invite-notice" href="https://beian.example/?a=1&#38;b=2">京ICP备1号</a>',
    )
    expect(boot(html).notices).toEqual(notices)
    expect(page(null, 'zh-CN', notices)).toContain('京ICP备1号')
  })

  it('loads small copies of stored pictures, one for icon and backdrop, and leaves the whole one to chat apps', () => {
    const it = invite('星海公会')
    const icon = 'http://example.test/assets/2026-11/aaaaaaaa00p00p.png'
    const avatar = '/assets/2026-11/bbbbbbbb00p00p.png'
    const seen = { ...it, guild: { ...it.guild, icon }, inviter: { ...it.inviter, avatar } }
    const html = page(seen)
    const sources = [...html.matchAll(/<img class="([\w-]+)" src="([^"]*)"/g)].map(([, name, src]) => [
      name,
      src,
    ])
    expect(sources.filter(([name]) => name !== 'invite-logo')).toEqual([
      ['invite-backdrop', `${icon}?side=400`],
      ['invite-avatar', `${avatar}?side=400`],
      ['invite-icon', `${icon}?side=400`],
    ])
    expect(html).toContain(`<meta property="og:image" content="${icon}">`)
    expect(boot(html).invite.guild.icon).toBe(icon)
  })

  it('has the banner of the guild in place of the enlarged icon, and what it says of itself', () => {
    const it = invite('星海公会')
    const banner = '/assets/2026-11/cccccccc00p00p.png'
    const html = page({ ...it, guild: { ...it.guild, icon: '/icon.png', banner, desc: '<i>一起看星星' } })
    expect(html).toContain(`<img class="invite-banner" src="${banner}?side=800" alt="">`)
    expect(html).not.toContain('invite-backdrop"')
    expect(html).toContain('<p class="invite-desc">&#60;i&#62;一起看星星</p>')
  })

  it('is readable without scripts, dark, and has metadata for chat apps', () => {
    const html = page(invite('星海公会'))
    for (const text of ['小满', '邀请你加入', '星海公会', '3 人在线', '128 位成员', '接受邀请']) {
      expect(html).toContain(text)
    }
    expect(html).toContain('<html lang="zh-CN" data-theme="dark">')
    expect(html).toContain('<title>加入「星海公会」 · 公会厅</title>')
    expect(html).toContain('<meta property="og:title" content="加入「星海公会」">')
    expect(html).toContain('<meta property="og:description" content="小满 邀请你加入「星海公会」">')
    expect(html).toContain('<meta property="og:image" content="http://example.test/share.png">')
    expect(html.match(/name="description"/g)).toHaveLength(1)
  })

  it('says how many are online also where nobody is, without the green dot', () => {
    const seen = invite('星海公会')
    const html = page({ ...seen, guild: { ...seen.guild, online_count: 0 } })
    expect(html).toContain('<span class="invite-count">0 人在线</span>')
  })

  it('passes its data to the page, in the shape of the call', () => {
    const seen = invite('星海公会')
    expect(inviteSchema.parse(boot(page(seen)).invite)).toEqual(seen)
  })

  it('is in English when the client asks for it', () => {
    const html = page(invite('Sea'), 'en')
    expect(html).toContain('<html lang="en"')
    expect(html).toContain('128 members')
  })

  it('shows the guild’s own picture when there is one', () => {
    const seen = invite('星海公会')
    const html = page({ ...seen, guild: { ...seen.guild, icon: '/files/icon.png' } })
    expect(html).toContain('<meta property="og:image" content="http://example.test/files/icon.png">')
    expect(html).toContain('<img class="invite-icon" src="/files/icon.png" alt="">')
  })
})

describe('the page of a personal invite', () => {
  const draw = async (
    username: string | null,
    locale: Locale = 'zh-CN',
    avatar = '',
    webDir = '/nowhere',
  ) => {
    const it = userInvitePage({
      sources: { webDir },
      notices: [],
      async view(code) {
        if (username === null) throw fail('referral.invalid')
        return { inviter: { username, identify_num: '0001', avatar }, user_invite_code: code as InviteCode }
      },
    })
    const request = { locale, origin: 'http://example.test', network: 'p', params: { code: 'K7P2W9XM' } }
    return (await it.run(request as never)) as { status: number; body: string }
  }

  it('of nobody’s code is not found, and says that it is invalid', async () => {
    const { status, body } = await draw(null)
    expect(status).toBe(404)
    expect(body).toContain('<title>邀请无效 · 公会厅</title>')
    expect(boot(body)).toEqual({ code: 'K7P2W9XM', failure: 'referral.invalid', notices: [] })
    expect(body).toContain('<a class="invite-accept" href="/login">不用邀请，直接注册</a>')
  })

  it('cannot be broken by a name', async () => {
    const { body } = await draw('</script><b>"$&')
    expect(body).not.toContain('</script><b>')
    expect(boot(body).referral.inviter.username).toBe('</script><b>"$&')
  })

  it('shows who invites before any script runs, dark, with the skeleton of the form that the build made', async () => {
    const webDir = await mkdtemp(path.join(tmpdir(), 'user-invite-'))
    await mkdir(path.join(webDir, 'pages'))
    const form = '<div class="form"><span></span></div>'
    await writeFile(
      path.join(webDir, 'pages/user-invite.html'),
      template.replace('<div id="root">', `<div id="root">${form}`),
    )
    const { body } = await draw('小满', 'zh-CN', '/assets/2026-11/a.png', webDir)
    await rm(webDir, { recursive: true })
    expect(body).toContain('<html lang="zh-CN" data-theme="dark">')
    expect(body).toContain('<img class="invite-face" src="/assets/2026-11/a.png?side=400" alt="">')
    expect(body).toContain('<h1 class="invite-guild">小满 邀请你使用公会厅</h1>')
    expect(body).toContain(`${form}</main>`)
    expect((await draw('小满', 'zh-CN', '/avatars/3/%E5%B0%8F.svg')).body).toContain(
      '<span class="invite-face letters" style="background:#a33a63" aria-hidden="true">小</span>',
    )
  })

  it('has who invites, cut to ten characters as people count them, for chat apps', async () => {
    const { status, body } = await draw('一二三四五六七八九👨‍👩‍👧十一')
    expect(status).toBe(200)
    expect(body).toContain('<title>一二三四五六七八九👨‍👩‍👧 邀请你使用公会厅 · 公会厅</title>')
    expect(body).toContain('property="og:title" content="一二三四五六七八九👨‍👩‍👧 邀请你使用公会厅"')
    expect(body).toContain('property="og:image" content="http://example.test/share.png"')
    expect(body).toContain('property="og:url" content="http://example.test/user-invite/K7P2W9XM"')
    expect(body).toContain('name="robots" content="noindex"')
  })

  it('has the inviter’s own picture, and is in English when the client asks for it', async () => {
    const { body } = await draw('Ann', 'en', '/assets/2026-11/a.png')
    expect(body).toContain('content="http://example.test/assets/2026-11/a.png"')
    expect(body).toContain('<html lang="en" data-theme="dark">')
    expect(body).toContain('<title>Ann invites you to use Guildhall')
  })
})
