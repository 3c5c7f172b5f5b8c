/**
 * HTML that the server writes: texts that cannot break out of it, elements, and what chat apps show of a
 * link.
 */
import { type ElementFactory, type ElementProps, smallCopy } from '@guildhall/wire/elementFactory.ts'
import type { Locale } from '@guildhall/wire/locale.ts'
import { siteName } from '@guildhall/wire/siteName.ts'
import { drawnGround, letterGround, letters } from '@guildhall/wire/user/letter.ts'
import { type Dress, dressedPage } from './screens.ts'

/** `&`, `<`, `>` and both quotes as entities: safe in text and in attributes. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

/** Data for the page, as JSON that cannot end the script element around it, nor start a comment. */
export const dataScript = (id: string, value: unknown): string =>
  `<script id="${id}" type="application/json">${JSON.stringify(value).replaceAll('<', '\\u003c')}</script>`

/** HTML that needs no further escaping. */
export interface Html {
  readonly html: string
}

const VOID_TAGS: ReadonlySet<string> = new Set(['img'])

function element(tag: string, props: ElementProps, ...children: readonly (Html | string | null)[]): Html {
  const attributes = Object.entries(typeof props === 'string' ? { className: props } : (props ?? {}))
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ` ${name === 'className' ? 'class' : name}="${escapeHtml(String(value))}"`)
  const start = `<${tag}${attributes.join('')}>`
  if (VOID_TAGS.has(tag)) return { html: start }
  const inner = children.map((child) => (typeof child === 'string' ? escapeHtml(child) : (child?.html ?? '')))
  return { html: `${start}${inner.join('')}</${tag}>` }
}

/** What wire describes, as HTML. */
export const htmlFactory: ElementFactory<Html> = {
  element,
  picture: (className, src, name, id) =>
    src && !drawnGround(src)
      ? element('img', { className, src: smallCopy(src), alt: '' })
      : element(
          'span',
          {
            className: `${className} letters`,
            style: `background:${letterGround(id, src)}`,
            'aria-hidden': true,
          },
          letters(name),
        ),
}

export const metaTag = (by: 'name' | 'property', key: string, content: string): string =>
  `<meta ${by}="${key}" content="${escapeHtml(content)}">`

/** Shown by chat apps where there is no picture of one's own. */
const FALLBACK_PICTURE = '/share.png'

/** What chat apps show of a link. */
export interface Preview {
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
    metaTag('property', 'og:site_name', siteName[locale]),
    metaTag('property', 'og:title', title),
    metaTag('property', 'og:description', description),
    metaTag('property', 'og:image', new URL(picture || FALLBACK_PICTURE, origin).href),
    metaTag('property', 'og:url', `${origin}${path}`),
    metaTag('name', 'twitter:card', 'summary'),
  ].join('')

/** In place of a page that is not built. */
const PLAIN_PAGE =
  '<!doctype html><html lang="zh-CN"><head><meta charset="utf-8"><title></title></head><body><div id="root"></div></body></html>'

/** Where the built pages are, and what dresses them. */
export interface PageSources {
  readonly webDir: string
  readonly dress?: Dress | undefined
}

/** A page of the build that the server writes into. */
export const pageTemplate = ({ webDir, dress }: PageSources, page: string): string =>
  dressedPage(webDir, page, dress) ?? PLAIN_PAGE

const ROOT = '<div id="root">'

/** A built page with what is drawn in it before any script runs, of the skeleton that the build put there. */
export function withRoot(template: string, draw: (skeleton: Html) => Html): string {
  const start = template.indexOf(ROOT) + ROOT.length
  const end = template.lastIndexOf('</div>')
  return template.slice(0, start) + draw({ html: template.slice(start, end) }).html + template.slice(end)
}
