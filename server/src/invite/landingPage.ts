/**
 * The invite's landing page, rendered on the server: readable before any script runs, and with the title, text and picture that
 * a chat app shows when the link is pasted. The markup is a contract with web/src/invite/landing.css. chat.md §2.
 */
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { Failure, type FailureName } from '@guildhall/wire/failure.ts'
import { type InviteCode, isInviteCode } from '@guildhall/wire/id.ts'
import type { Invite } from '@guildhall/wire/invite/invite.ts'
import { landing } from '@guildhall/wire/invite/text.ts'
import type { Locale } from '@guildhall/wire/locale.ts'
import { letters } from '@guildhall/wire/user/letter.ts'
import type { Page } from '../kit/http/endpoints.ts'

/** Shown by chat apps when a guild has no picture of its own. */
const FALLBACK_PICTURE = '/share.png'
const ENTRY = 'src/invite/InviteScreen.tsx'
const PLAIN_TEMPLATE =
  '<!doctype html><html lang="zh-CN"><head><meta charset="utf-8"><title></title></head><body><div id="root"></div></body></html>'

type Seen = { readonly invite: Invite } | { readonly failure: FailureName }

/** GET /invite/:code. An invite that cannot be used answers 404 and says so. `view` looks as a guest. */
export function landingPage(options: {
  readonly webDir: string
  readonly view: (code: InviteCode) => Promise<Invite>
}): Page {
  const template = readTemplate(options.webDir)
  return {
    path: '/invite/:code',
    async run({ locale, origin, params: { code = '' } }) {
      const seen = await look(options.view, code)
      const body = draw(template, { code, seen, locale, origin })
      return { status: 'invite' in seen ? 200 : 404, type: 'html', body }
    },
  }
}

async function look(view: (code: InviteCode) => Promise<Invite>, code: string): Promise<Seen> {
  if (!isInviteCode(code)) return { failure: 'invite.invalid' }
  try {
    return { invite: await view(code) }
  } catch (error) {
    if (error instanceof Failure && error.failure.startsWith('invite.')) return { failure: error.failure }
    throw error
  }
}

/** `&`, `<`, `>` and both quotes as entities: safe in text and in attributes. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

interface Drawing {
  readonly code: string
  readonly seen: Seen
  readonly locale: Locale
  readonly origin: string
}

interface Template {
  readonly html: string
  /** Tags for what the landing needs at once: its styles and its script. */
  readonly needs: string
}

/** The built page with the landing's part filled in. Replacements are functions: `$` in a name is only a `$`. */
export function draw(template: Template, { code, seen, locale, origin }: Drawing): string {
  const words = landing[locale]
  const invite = 'invite' in seen ? seen.invite : null
  const title = invite ? words.title(invite.guild.name) : words.invalid
  const description = invite
    ? words.description(invite.inviter.username, invite.guild.name)
    : words.invalidWhy
  const picture = new URL(invite?.guild.icon || FALLBACK_PICTURE, origin).href
  const meta = (name: 'name' | 'property', key: string, content: string) =>
    `<meta ${name}="${key}" content="${escapeHtml(content)}">`
  const head = [
    meta('name', 'robots', 'noindex'),
    meta('property', 'og:type', 'website'),
    meta('property', 'og:site_name', words.product),
    meta('property', 'og:title', title),
    meta('property', 'og:description', description),
    meta('property', 'og:image', picture),
    meta('property', 'og:url', `${origin}/invite/${encodeURIComponent(code)}`),
    meta('name', 'twitter:card', 'summary'),
    template.needs,
    `<script id="boot" type="application/json">${json({ code, ...seen })}</script>`,
  ].join('')
  return template.html
    .replace(/<html[^>]*>/, () => `<html lang="${locale}" data-theme="dark">`)
    .replace(/<title>[^<]*<\/title>/, () => `<title>${escapeHtml(`${title} · ${words.product}`)}</title>`)
    .replace(/<meta name="description"[^>]*>/, () => meta('name', 'description', description))
    .replace(/(<meta name="theme-color" content=")[^"]*/, (_whole, before: string) => `${before}#101317`)
    .replace('</head>', () => `${head}</head>`)
    .replace('<div id="root"></div>', () => `<div id="root">${content(invite, locale)}</div>`)
}

function content(invite: Invite | null, locale: Locale): string {
  const words = landing[locale]
  const footer =
    '<footer class="invite-footer"><p class="invite-product"><img class="invite-logo" src="/logo.svg" alt="">' +
    `${words.product}</p><p class="invite-notice">${words.notice}</p></footer>`
  if (!invite) {
    return (
      '<div class="invite" data-state="invalid"><main class="invite-main">' +
      '<span class="invite-icon invite-letter invite-broken" aria-hidden="true">!</span>' +
      `<h1 class="invite-guild">${words.invalid}</h1><p class="invite-why">${words.invalidWhy}</p>` +
      `</main>${footer}</div>`
    )
  }
  const { guild, inviter } = invite
  const backdrop = guild.icon ? `<img class="invite-backdrop" src="${escapeHtml(guild.icon)}" alt="">` : ''
  return (
    `<div class="invite" data-state="valid">${backdrop}<main class="invite-main"><div class="invite-from">` +
    face('invite-avatar', inviter.avatar, inviter.username) +
    `<p class="invite-line"><b class="invite-inviter">${escapeHtml(inviter.username)}</b> ` +
    `<span>${words.invites}</span></p></div>${face('invite-icon', guild.icon, guild.name)}` +
    `<h1 class="invite-guild">${escapeHtml(guild.name)}</h1><p class="invite-counts">` +
    `<span class="invite-count invite-count-online">${words.online(guild.online_count)}</span>` +
    `<span class="invite-count">${words.members(guild.members_count)}</span></p></main>` +
    `<div class="invite-act"><button class="invite-accept" type="button">${words.accept}</button></div>` +
    `${footer}</div>`
  )
}

const face = (kind: string, picture: string, name: string): string =>
  picture
    ? `<img class="${kind}" src="${escapeHtml(picture)}" alt="">`
    : `<span class="${kind} invite-letter" aria-hidden="true">${escapeHtml(letters(name))}</span>`

/** JSON that cannot end the script element it stands in, nor start a comment. */
const json = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c')

function readTemplate(webDir: string): Template {
  const index = path.join(webDir, 'index.html')
  if (!existsSync(index)) return { html: PLAIN_TEMPLATE, needs: '' }
  return { html: readFileSync(index, 'utf8'), needs: needsOf(path.join(webDir, '.vite/manifest.json')) }
}

interface Chunk {
  readonly file: string
  readonly css?: readonly string[]
  readonly imports?: readonly string[]
}

/** Styles of the landing's chunks as links, so that what the server drew is never shown bare; its scripts as preloads. */
function needsOf(manifestFile: string): string {
  if (!existsSync(manifestFile)) return ''
  const manifest = JSON.parse(readFileSync(manifestFile, 'utf8')) as Record<string, Chunk>
  const styles = new Set<string>()
  const scripts = new Set<string>()
  const walk = (key: string): void => {
    const chunk = manifest[key]
    if (!chunk || scripts.has(chunk.file)) return
    scripts.add(chunk.file)
    for (const file of chunk.css ?? []) styles.add(file)
    for (const each of chunk.imports ?? []) walk(each)
  }
  walk(ENTRY)
  return [
    ...[...styles].map((file) => `<link rel="stylesheet" href="/${file}">`),
    ...[...scripts].map((file) => `<link rel="modulepreload" crossorigin href="/${file}">`),
  ].join('')
}
