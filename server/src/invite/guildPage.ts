/**
 * What robots get at the short address of a guild: its preview under the address that was shared. People are
 * led on to its invite. Decision 108.
 */
import { landingText } from '@guildhall/wire/invite/landingText.ts'
import type { Locale } from '@guildhall/wire/locale.ts'
import type { EndpointRequest } from '../kit/http/endpoints.ts'
import { escapeHtml, metaTag, previewTags } from '../kit/http/html.ts'

/** How robots name themselves that index pages or draw previews. CUBOT makes phones. */
const ROBOT =
  /(?<!cu)bot\b|crawl|spider|slurp|preview|externalhit|facebookcatalog|whatsapp|embedly|iframely|vkshare|mastodon/i
/** Every browser calls itself so. */
const BROWSER = /^Mozilla\//

/** A robot says so by its name, or it is no browser and does not ask for a page. */
export const isRobot = ({ agent, headers }: Pick<EndpointRequest, 'agent' | 'headers'>): boolean =>
  ROBOT.test(agent) || (!BROWSER.test(agent) && !String(headers.accept ?? '').includes('text/html'))

interface GuildPreview {
  readonly name: string
  /** Its own words; empty without. */
  readonly topic: string
  readonly icon: string
  readonly members: number
  readonly customId: string
  /** Only public guilds may be kept by search engines. */
  readonly isPublic: boolean
  /** Where people are led. */
  readonly target: string
}

/** Has no scripts: nothing but the preview, and the way on. */
export function renderGuildPage(
  { name, topic, icon, members, customId, isPublic, target }: GuildPreview,
  { locale, origin }: { readonly locale: Locale; readonly origin: string },
): string {
  const text = landingText[locale]
  const description = [text.members(members), topic.replace(/\s+/g, ' ').trim()]
    .filter((it) => it !== '')
    .join(' · ')
  const path = `/g/${customId}`
  const head = [
    '<meta charset="utf-8">',
    `<title>${escapeHtml(`${name} · ${text.product}`)}</title>`,
    metaTag('name', 'description', description),
    ...(isPublic ? [] : [metaTag('name', 'robots', 'noindex')]),
    `<link rel="canonical" href="${escapeHtml(origin + path)}">`,
    previewTags({ title: name, description, picture: icon, path, locale, origin }),
  ]
  const body = [
    `<h1>${escapeHtml(name)}</h1>`,
    `<p>${escapeHtml(description)}</p>`,
    `<a href="${escapeHtml(target)}">${escapeHtml(text.title(name))}</a>`,
  ]
  return `<!doctype html><html lang="${locale}"><head>${head.join('')}</head><body>${body.join('')}</body></html>`
}
