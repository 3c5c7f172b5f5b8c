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
  landingHome,
  landingInvite,
  landingProblem,
} from '@guildhall/wire/invite/landing.ts'
import { landingText } from '@guildhall/wire/invite/landingText.ts'
import type { Locale } from '@guildhall/wire/locale.ts'
import { drawnGround, letterGround, letters } from '@guildhall/wire/user/letter.ts'
import type { Page } from '../kit/http/endpoints.ts'

/** Shown by chat apps when a guild has no picture of its own. */
const FALLBACK_PICTURE = '/share.png'
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

/** The built page with the landing's part filled in. Replacements are functions: `$` in a name is only a `$`. */
export function renderLanding(template: string, { code, seen, locale, origin }: LandingInput): string {
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
    `<script id="boot" type="application/json">${json({ code, ...seen })}</script>`,
  ].join('')
  return template
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
    const main = [
      ...landingProblem(htmlElements, text.invalid, text.invalidWhy),
      landingHome(htmlElements, text),
    ]
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

function readTemplate(webDir: string): string {
  const file = path.join(webDir, 'pages/invite.html')
  return existsSync(file) ? readFileSync(file, 'utf8') : PLAIN_TEMPLATE
}
