/**
 * The pages of invite links. The landing of a guild's is rendered on the server: readable before any script
 * runs, and with the title, text and picture that a chat app shows when the link is pasted. chat.md §2.
 */
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
import { type Referral, shortName } from '@guildhall/wire/invite/referral.ts'
import { referralText } from '@guildhall/wire/invite/referralText.ts'
import type { Locale } from '@guildhall/wire/locale.ts'
import { drawnGround, letterGround, letters } from '@guildhall/wire/user/letter.ts'
import type { Page } from '../kit/http/endpoints.ts'
import { dressedPage } from '../kit/http/screens.ts'
import type { ModuleContext } from '../kit/module.ts'
import { text as previewText } from './text.ts'

/** Shown by chat apps when a guild has no picture of its own. */
const FALLBACK_PICTURE = '/share.png'
const PLAIN_TEMPLATE =
  '<!doctype html><html lang="zh-CN"><head><meta charset="utf-8"><title></title></head><body><div id="root"></div></body></html>'

/** Where the built pages are, and what dresses them. */
export type PageSources = Pick<ModuleContext, 'webDir' | 'dress'>

export type Notices = ElementFactory<unknown>['notices']
type ViewedInvite = { readonly invite: Invite } | { readonly failure: FailureName }

/**
 * GET /invite/:code. For an invite that cannot be used it answers 404 with a notice. `view` reads it as a
 * guest.
 */
export function landingPage(options: {
  readonly sources: PageSources
  readonly notices: Notices
  /** `network`: the client's network. */
  readonly view: (code: InviteCode, network: string) => Promise<Invite>
}): Page {
  const template = readTemplate(options.sources)
  return {
    path: '/invite/:code',
    async run({ locale, origin, network, params: { code = '' } }) {
      const seen = await viewInvite((known) => options.view(known, network), code)
      const body = renderLanding(template, { code, seen, locale, origin, notices: options.notices })
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

/**
 * The page of a short invite link, `/CODE`, as `invite/create` answers it; null when there is no such invite.
 * chat.md §5.
 * @throws Failure too_many
 */
export async function shortInviteLink(
  path: string,
  view: (code: InviteCode) => Promise<Invite>,
): Promise<string | null> {
  const code = path.slice(1)
  const seen = await viewInvite(view, code)
  return 'failure' in seen && seen.failure === 'invite.invalid' ? null : `/invite/${code}`
}

/** `&`, `<`, `>` and both quotes as entities: safe in text and in attributes. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

interface LandingInput {
  /** Of the operator: licences and registrations. */
  readonly notices: Notices
  readonly code: string
  readonly seen: ViewedInvite
  readonly locale: Locale
  readonly origin: string
}

/** The built page with the landing's part filled in. */
export function renderLanding(
  template: string,
  { code, seen, locale, origin, notices }: LandingInput,
): string {
  const text = landingText[locale]
  const invite = 'invite' in seen ? seen.invite : null
  const title = invite ? text.title(invite.guild.name) : text.invalid
  const description = invite
    ? previewText[locale].description(invite.inviter.username, invite.guild.name)
    : text.invalidWhy
  const page = withPreview(template, {
    title,
    description,
    picture: invite?.guild.icon ?? '',
    locale,
    origin,
    boot: { code, ...seen, notices },
    path: `/invite/${encodeURIComponent(code)}`,
  })
  return page
    .replace(/<html[^>]*>/, () => `<html lang="${locale}" data-theme="dark">`)
    .replace(
      /(<meta name="theme-color" content=")[^"]*("[^>]*data-dark="(#\w+))/,
      (_whole, before: string, after: string, dark: string) => before + dark + after,
    )
    .replace('<div id="root"></div>', () => `<div id="root">${content(invite, locale, notices)}</div>`)
}

export const metaTag = (by: 'name' | 'property', key: string, content: string): string =>
  `<meta ${by}="${key}" content="${escapeHtml(content)}">`

/** What chat apps show of a link. */
interface Preview {
  readonly title: string
  readonly description: string
  /** Its address, absolute or of this server; empty: the product's. */
  readonly picture: string
  readonly path: string
  readonly locale: Locale
  readonly origin: string
}

/** Open Graph, as tags of a head. */
export const previewTags = ({ title, description, picture, path, locale, origin }: Preview): string =>
  [
    metaTag('property', 'og:type', 'website'),
    metaTag('property', 'og:site_name', landingText[locale].product),
    metaTag('property', 'og:title', title),
    metaTag('property', 'og:description', description),
    metaTag('property', 'og:image', new URL(picture || FALLBACK_PICTURE, origin).href),
    metaTag('property', 'og:url', `${origin}${path}`),
    metaTag('name', 'twitter:card', 'summary'),
  ].join('')

/**
 * The built page with a title, a description and what chat apps show of a link to it; `boot` is read by the
 * page. Replacements are functions: `$` in a name is only a `$`.
 */
function withPreview(template: string, input: Preview & { readonly boot: object }): string {
  const { product } = landingText[input.locale]
  const head = [
    metaTag('name', 'robots', 'noindex'),
    previewTags(input),
    `<script id="boot" type="application/json">${json(input.boot)}</script>`,
  ].join('')
  return template
    .replace(/<html[^>]*>/, () => `<html lang="${input.locale}">`)
    .replace(/<title>[^<]*<\/title>/, () => `<title>${escapeHtml(`${input.title} · ${product}`)}</title>`)
    .replace(/<meta name="description"[^>]*>/, () => metaTag('name', 'description', input.description))
    .replace('</head>', () => `${head}</head>`)
}

/**
 * GET /user-invite/:code: the page with the preview of who invites; the page draws the rest. For a code of
 * nobody it answers 404.
 * `view` looks the code up.
 */
export function userInvitePage(options: {
  readonly sources: PageSources
  /** `avatar`: the inviter's picture, empty without one; `network`: the client's network. */
  readonly view: (
    code: string,
    network: string,
  ) => Promise<{ readonly referral: Referral; readonly avatar: string }>
}): Page {
  const template = readTemplate(options.sources, 'pages/user-invite.html')
  return {
    path: '/user-invite/:code',
    async run({ locale, origin, network, params: { code = '' } }) {
      const seen = await options.view(code, network).catch((error: unknown) => {
        if (error instanceof Failure && error.failure === 'referral.invalid') return null
        throw error
      })
      const text = landingText[locale]
      const own = referralText[locale]
      const name = shortName(seen?.referral.inviter.username ?? '')
      const body = withPreview(template, {
        title: seen ? own.headline(name) : text.invalid,
        description: seen ? own.description : text.invalidWhy,
        picture: seen?.avatar ?? '',
        path: `/user-invite/${encodeURIComponent(code)}`,
        boot: seen ? { code, referral: seen.referral } : { code, failure: 'referral.invalid' },
        locale,
        origin,
      })
      return { status: seen ? 200 : 404, type: 'html', body }
    },
  }
}

function content(invite: Invite | null, locale: Locale, notices: Notices): string {
  const text = landingText[locale]
  const elements = htmlElements(notices)
  if (!invite) {
    const main = [...landingProblem(elements, text.invalid, text.invalidWhy), landingHome(elements, text)]
    return landingFrame(elements, text, { state: 'invalid', action: null }, ...main).html
  }
  const it = { state: 'valid', backdrop: invite.guild.icon, action: landingButton(elements, text.accept) }
  return landingFrame(elements, text, it, ...landingInvite(elements, text, invite)).html
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

const htmlElements = (notices: Notices): ElementFactory<Html> => ({
  element,
  notices,
  picture: (className, src, name, id) =>
    src && !drawnGround(src)
      ? element('img', { className, src: src, alt: '' })
      : element(
          'span',
          {
            className: `${className} invite-letter`,
            style: `background:${letterGround(id, src)}`,
            'aria-hidden': true,
          },
          letters(name),
        ),
})

/** JSON that cannot end the script element around it, nor start a comment. */
const json = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c')

const readTemplate = ({ webDir, dress }: PageSources, page = 'pages/invite.html'): string =>
  dressedPage(webDir, page, dress) ?? PLAIN_TEMPLATE
