/**
 * The invite's landing page, rendered on the server: readable before any script runs, and with the title, text and picture that
 * a chat app shows when the link is pasted. chat.md §2.
 */
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { Failure, type FailureName } from '@guildhall/wire/failure.ts'
import { type InviteCode, isInviteCode } from '@guildhall/wire/id.ts'
import type { Invite } from '@guildhall/wire/invite/invite.ts'
import {
  type ElementFactory,
  type ElementProps,
  landingButton,
  landingFrame,
  landingInvite,
  landingProblem,
} from '@guildhall/wire/invite/landing.ts'
import { landingText } from '@guildhall/wire/invite/landingText.ts'
import type { Locale } from '@guildhall/wire/locale.ts'
import { drawnGround, letterGround, letters } from '@guildhall/wire/user/letter.ts'
import type { Page } from '../kit/http/endpoints.ts'

/** Shown by chat apps when a guild has no picture of its own. */
const FALLBACK_PICTURE = '/share.png'
const ENTRY = 'src/invite/InviteScreen.tsx'
const PLAIN_TEMPLATE =
  '<!doctype html><html lang="zh-CN"><head><meta charset="utf-8"><title></title></head><body><div id="root"></div></body></html>'

type ViewedInvite = { readonly invite: Invite } | { readonly failure: FailureName }

/** GET /invite/:code. For an invite that cannot be used it answers 404 with a notice. `view` reads it as a guest. */
export function landingPage(options: {
  readonly webDir: string
  /** `place`: the client's network. */
  readonly view: (code: InviteCode, place: string) => Promise<Invite>
}): Page {
  const template = readTemplate(options.webDir)
  return {
    path: '/invite/:code',
    async run({ locale, origin, place, params: { code = '' } }) {
      const seen = await viewInvite((known) => options.view(known, place), code)
      const body = renderLanding(template, { code, seen, locale, origin })
      return { status: 'invite' in seen ? 200 : 404, type: 'html', body }
    },
  }
}

async function viewInvite(view: (code: InviteCode) => Promise<Invite>, code: string): Promise<ViewedInvite> {
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

interface LandingInput {
  readonly code: string
  readonly seen: ViewedInvite
  readonly locale: Locale
  readonly origin: string
}

interface Template {
  readonly html: string
  /** Tags of the styles and scripts that the landing loads at once. */
  readonly assets: string
}

/** The built page with the landing's part filled in. Replacements are functions: `$` in a name is only a `$`. */
export function renderLanding(template: Template, { code, seen, locale, origin }: LandingInput): string {
  const text = landingText[locale]
  const invite = 'invite' in seen ? seen.invite : null
  const title = invite ? text.title(invite.guild.name) : text.invalid
  const description = invite ? text.description(invite.inviter.username, invite.guild.name) : text.invalidWhy
  const picture = new URL(invite?.guild.icon || FALLBACK_PICTURE, origin).href
  const meta = (name: 'name' | 'property', key: string, content: string) =>
    `<meta ${name}="${key}" content="${escapeHtml(content)}">`
  const head = [
    meta('name', 'robots', 'noindex'),
    meta('property', 'og:type', 'website'),
    meta('property', 'og:site_name', text.product),
    meta('property', 'og:title', title),
    meta('property', 'og:description', description),
    meta('property', 'og:image', picture),
    meta('property', 'og:url', `${origin}/invite/${encodeURIComponent(code)}`),
    meta('name', 'twitter:card', 'summary'),
    template.assets,
    `<script id="boot" type="application/json">${json({ code, ...seen })}</script>`,
  ].join('')
  return template.html
    .replace(/<html[^>]*>/, () => `<html lang="${locale}" data-theme="dark">`)
    .replace(/<title>[^<]*<\/title>/, () => `<title>${escapeHtml(`${title} · ${text.product}`)}</title>`)
    .replace(/<meta name="description"[^>]*>/, () => meta('name', 'description', description))
    .replace(/(<meta name="theme-color" content=")[^"]*/, (_whole, before: string) => `${before}#101317`)
    .replace('</head>', () => `${head}</head>`)
    .replace('<div id="root"></div>', () => `<div id="root">${content(invite, locale)}</div>`)
}

function content(invite: Invite | null, locale: Locale): string {
  const text = landingText[locale]
  if (!invite) {
    const main = landingProblem(htmlElements, text.invalid, text.invalidWhy)
    return landingFrame(htmlElements, text, { state: 'invalid', action: null }, ...main).html
  }
  const it = { state: 'valid', backdrop: invite.guild.icon, action: landingButton(htmlElements, text.accept) }
  return landingFrame(htmlElements, text, it, ...landingInvite(htmlElements, text, invite)).html
}

/** HTML that needs no further escaping. */
interface Html {
  readonly html: string
}

const VOID_TAGS: ReadonlySet<string> = new Set(['img'])

function element(tag: string, props: ElementProps, ...children: readonly (Html | string | null)[]): Html {
  const attributes = Object.entries(typeof props === 'string' ? { className: props } : (props ?? {})).map(
    ([name, value]) => ` ${name === 'className' ? 'class' : name}="${escapeHtml(String(value))}"`,
  )
  const start = `<${tag}${attributes.join('')}>`
  if (VOID_TAGS.has(tag)) return { html: start }
  const inner = children.map((child) => (typeof child === 'string' ? escapeHtml(child) : (child?.html ?? '')))
  return { html: `${start}${inner.join('')}</${tag}>` }
}

const htmlElements: ElementFactory<Html> = {
  element,
  picture: (className, src, name, id) =>
    src && !drawnGround(src)
      ? element('img', { className, src: src, alt: '' })
      : element(
          'span',
          {
            ...{ className: `${className} invite-letter`, style: `background:${letterGround(id, src)}` },
            'aria-hidden': true,
          },
          letters(name),
        ),
}

/** JSON that cannot end the script element around it, nor start a comment. */
const json = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c')

function readTemplate(webDir: string): Template {
  const index = path.join(webDir, 'index.html')
  if (!existsSync(index)) return { html: PLAIN_TEMPLATE, assets: '' }
  return { html: readFileSync(index, 'utf8'), assets: assetsOf(path.join(webDir, '.vite/manifest.json')) }
}

interface Chunk {
  readonly file: string
  readonly css?: readonly string[]
  readonly imports?: readonly string[]
}

/** Styles of the landing's chunks as links, so that the server's markup is never shown without styles; its scripts as preloads. */
function assetsOf(manifestFile: string): string {
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
