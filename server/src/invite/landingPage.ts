/**
 * The pages of invite links. The landing of a guild's is rendered on the server: readable before any script
 * runs, and with the title, text and picture that a chat app shows when the link is pasted. chat.md §2.
 */
import { Failure, type FailureName } from '@guildhall/wire/failure.ts'
import { type InviteCode, isInviteCode } from '@guildhall/wire/id.ts'
import type { Invite } from '@guildhall/wire/invite/invite.ts'
import {
  type LandingFactory,
  landingButton,
  landingFrame,
  landingHome,
  landingInvite,
  landingProblem,
} from '@guildhall/wire/invite/landing.ts'
import { landingText } from '@guildhall/wire/invite/landingText.ts'
import { type Referral, shortName } from '@guildhall/wire/invite/referral.ts'
import { landingReferral, withoutReferral } from '@guildhall/wire/invite/referralLanding.ts'
import { referralText } from '@guildhall/wire/invite/referralText.ts'
import type { Locale } from '@guildhall/wire/locale.ts'
import { drawnGround } from '@guildhall/wire/user/letter.ts'
import type { Page } from '../kit/http/endpoints.ts'
import {
  dataScript,
  escapeHtml,
  type Html,
  htmlFactory,
  metaTag,
  type PageSources,
  type Preview,
  pageTemplate,
  previewTags,
  withRoot,
} from '../kit/http/html.ts'
import { text as previewText } from './text.ts'

export type Notices = LandingFactory<unknown>['notices']
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
  const template = pageTemplate(options.sources, 'pages/invite.html')
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
  return withPreview(template, {
    title,
    description,
    picture: invite?.guild.icon ?? '',
    locale,
    origin,
    boot: { code, ...seen, notices },
    path: `/invite/${encodeURIComponent(code)}`,
    content: () => content(invite, locale, notices),
  })
}

interface Landing extends Preview {
  /** Read by the page. */
  readonly boot: object
  /** What is drawn, around the skeleton that the build put into the page. */
  readonly content: (skeleton: Html) => Html
}

/**
 * The built page, dark, with its content, a title, a description and what chat apps show of a link to it.
 * Replacements are functions: `$` in a name is only a `$`.
 */
function withPreview(template: string, input: Landing): string {
  const { product } = landingText[input.locale]
  const head = [
    metaTag('name', 'robots', 'noindex'),
    previewTags(input),
    dataScript('boot', input.boot),
  ].join('')
  return withRoot(template, input.content)
    .replace(/<html[^>]*>/, () => `<html lang="${input.locale}" data-theme="dark">`)
    .replace(
      /(<meta name="theme-color" content=")[^"]*("[^>]*data-dark="(#\w+))/,
      (_whole, before: string, after: string, dark: string) => before + dark + after,
    )
    .replace(/<title>[^<]*<\/title>/, () => `<title>${escapeHtml(`${input.title} · ${product}`)}</title>`)
    .replace(/<meta name="description"[^>]*>/, () => metaTag('name', 'description', input.description))
    .replace('</head>', () => `${head}</head>`)
}

/**
 * GET /user-invite/:code: who invites, and the skeleton of the form, which the page draws. For a code of
 * nobody it answers 404. `view` looks the code up.
 */
export function userInvitePage(options: {
  readonly sources: PageSources
  readonly notices: Notices
  /** `network`: the client's network. */
  readonly view: (code: string, network: string) => Promise<Referral>
}): Page {
  const template = pageTemplate(options.sources, 'pages/user-invite.html')
  return {
    path: '/user-invite/:code',
    async run({ locale, origin, network, params: { code = '' } }) {
      const seen = await options.view(code, network).catch((error: unknown) => {
        if (error instanceof Failure && error.failure === 'referral.invalid') return null
        throw error
      })
      const { notices } = options
      const text = landingText[locale]
      const own = referralText[locale]
      const inviter = seen?.inviter
      const body = withPreview(template, {
        title: inviter ? own.headline(shortName(inviter.username)) : text.invalid,
        description: inviter ? own.description : text.invalidWhy,
        picture: inviter && !drawnGround(inviter.avatar) ? inviter.avatar : '',
        path: `/user-invite/${encodeURIComponent(code)}`,
        boot: { code, ...(seen ? { referral: seen } : { failure: 'referral.invalid' }), notices },
        content: (form) => referralContent(seen, form, locale, notices),
        locale,
        origin,
      })
      return { status: seen ? 200 : 404, type: 'html', body }
    },
  }
}

function content(invite: Invite | null, locale: Locale, notices: Notices): Html {
  const text = landingText[locale]
  const factory = { ...htmlFactory, notices }
  if (!invite) {
    const main = [...landingProblem(factory, text.invalid, text.invalidWhy), landingHome(factory, text)]
    return landingFrame(factory, text, { state: 'invalid', action: null }, ...main)
  }
  const { icon: backdrop, banner } = invite.guild
  const it = { state: 'valid', backdrop, banner, action: landingButton(factory, text.accept) }
  return landingFrame(factory, text, it, ...landingInvite(factory, text, invite))
}

function referralContent(seen: Referral | null, form: Html, locale: Locale, notices: Notices): Html {
  const text = landingText[locale]
  const own = referralText[locale]
  const factory = { ...htmlFactory, notices }
  if (!seen) {
    const main = landingProblem(factory, text.invalid, text.invalidWhy)
    const way = withoutReferral(factory, own.withoutInvite)
    return landingFrame(factory, text, { state: 'invalid', action: null }, ...main, way)
  }
  const { inviter } = seen
  const head = landingReferral(factory, {
    name: inviter.username,
    avatar: inviter.avatar,
    headline: own.headline(shortName(inviter.username)),
  })
  const it = { state: 'person', action: null, backdrop: drawnGround(inviter.avatar) ? '' : inviter.avatar }
  return landingFrame(factory, text, it, ...head, form)
}
