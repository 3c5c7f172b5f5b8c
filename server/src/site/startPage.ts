/**
 * The start page, rendered on the server: readable before any script runs, with what chat apps show of its
 * address, the operator's words and lines, and the guilds that everybody sees. commerce.md §2.
 */
import { asksProof, type Way } from '@guildhall/wire/auth/ways.ts'
import { type Locale, locales } from '@guildhall/wire/locale.ts'
import { discoveryHref, type Lines, loginHref, startPage as markup } from '@guildhall/wire/site/startPage.ts'
import { startText } from '@guildhall/wire/site/startText.ts'
import type { Page } from '../kit/http/endpoints.ts'
import {
  dataScript,
  type Html,
  htmlFactory,
  metaTag,
  type PageSources,
  pageTemplate,
  previewTags,
  withRoot,
} from '../kit/http/html.ts'
import type { PublicGuilds } from '../profile/profile.ts'
import { descriptionOf } from './face/dress.ts'
import type { SiteFace } from './face/folder.ts'

export interface StartPage {
  readonly sources: PageSources
  readonly face: Pick<SiteFace, 'landing'>
  readonly lines: Lines
  readonly ways: readonly Way[]
  readonly publicGuilds: PublicGuilds
}

/** GET /, as a guest sees it. */
export function startPage({ sources, face, lines, ways, publicGuilds }: StartPage): Page {
  const template = pageTemplate(sources, 'pages/landing.html')
  const shown: Lines = { contact: lines.contact, copyright: lines.copyright, records: lines.records }
  return {
    path: '/',
    async run({ locale, origin, params: { redir } }) {
      const guilds = await publicGuilds()
      const draw = (): Html =>
        markup(htmlFactory, {
          locale,
          own: wordsOf(face, locale),
          ways: waysIn(locale, ways, redir),
          hasEnded: redir !== undefined,
          language: languageButton(locale),
          download: null,
          guilds,
          hrefOf: (guild) => loginHref(discoveryHref(guild), asksProof(ways)),
          lines: shown,
        })
      const description = descriptionOf(face, locale)
      const title = startText[locale].product
      const head = [
        previewTags({ title, description, picture: '', path: '/', locale, origin }),
        dataScript('start', { guilds, lines: shown }),
      ].join('')
      const body = withRoot(template, draw)
        .replace(/<html[^>]*>/, () => `<html lang="${locale}" data-theme="light">`)
        .replace(/<meta name="description"[^>]*>/, () =>
          metaTag('name', 'description', `${title}：${description}`),
        )
        .replace('</head>', () => `${head}</head>`)
      // A browser may go back to it without asking again.
      return { status: 200, type: 'html', body, headers: { 'cache-control': 'private, no-cache' } }
    },
  }
}

/** The operator's own words in this language, else in another one. */
const wordsOf = ({ landing }: Pick<SiteFace, 'landing'>, locale: Locale) =>
  landing[locale] ?? Object.values(landing)[0] ?? null

function waysIn(locale: Locale, ways: readonly Way[], redir: string | undefined) {
  const { login, register } = startText[locale]
  const entering = { label: login, href: loginHref(redir) }
  return asksProof(ways) ? [{ label: register, href: loginHref(redir, true) }, entering] : [entering]
}

/** It does something once the page is there. */
const languageButton = (locale: Locale): Html =>
  htmlFactory.element(
    'button',
    {
      type: 'button',
      className: 'start-language',
      lang: locales.find((it) => it !== locale),
    },
    startText[locale].language,
  )
