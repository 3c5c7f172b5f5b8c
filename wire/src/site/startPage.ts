/**
 * The markup of the start page, drawn first by the server as HTML and then by the page as React elements. The
 * class names are styled in web/src/site/start.css. commerce.md §2, decision 32.
 */
import { type ElementFactory, smallCopy } from '../elementFactory.ts'
import type { Locale } from '../locale.ts'
import type { PublicGuild } from '../profile/publicGuilds.ts'
import { drawnGround } from '../user/letter.ts'
import { markdownElements, spanElements } from './markdownElements.ts'
import type { Block } from './site.ts'
import { pictured, startText } from './startText.ts'

/** What the operator says below the page; nothing where it is empty. */
export interface Lines {
  readonly contact: string
  readonly copyright: string
  readonly records: readonly { readonly text: string; readonly url: string }[]
}

/** What the server reads for the page, and writes into it. */
export interface StartData {
  readonly guilds: readonly PublicGuild[]
  readonly lines: Lines
}

interface StartInput<E> extends StartData {
  readonly locale: Locale
  /** The operator's own words, the first of them the slogan; null: the product's. */
  readonly own: readonly Block[] | null
  /** The links to the login, and to registering where that is a page of its own. */
  readonly ways: readonly { readonly label: string; readonly href: string }[]
  /** The guest's session has ended. */
  readonly hasEnded: boolean
  /** The button that changes the language, and that of the app, which the page alone knows of. */
  readonly language: E
  readonly download: E | null
  /** Where a guild leads to. */
  readonly hrefOf: (guild: PublicGuild) => string
}

export function startPage<E>(factory: ElementFactory<E>, input: StartInput<E>): E {
  const { element } = factory
  const { own, guilds } = input
  const text = startText[input.locale]
  const about = own ? markdownElements(factory, own.slice(1)) : [element('p', null, text.about)]
  const hero = element(
    'div',
    'start-hero',
    element('img', { className: 'start-logo', src: '/logo.svg', alt: '' }),
    element('h1', 'start-product', text.product),
    element('p', 'start-slogan', ...(own ? spanElements(factory, own[0]!.spans) : [text.slogan])),
    element('div', 'start-about', ...about),
  )
  const ways = input.ways.map(({ label, href }) => element('a', { className: 'start-way', href }, label))
  const act = element(
    'div',
    'start-act',
    input.hasEnded ? element('p', { className: 'start-ended', role: 'status' }, text.ended) : null,
    element('div', 'start-ways', ...ways),
  )
  return element(
    'div',
    'start',
    // The page adds the app's button here later: it moves nothing else in the bar.
    element('header', 'start-bar', input.download, input.language),
    element(
      'main',
      'start-main',
      element('div', 'start-first', hero, act, drawnProduct(factory, input.locale)),
      guilds.length > 0 ? recommendedGuilds(factory, input) : null,
    ),
    footer(factory, input),
  )
}

/** The product, drawn of what it is made of, so that it is sharp and in the theme. */
function drawnProduct<E>({ element, picture }: ElementFactory<E>, locale: Locale): E {
  const { guild, channels, messages, composer } = pictured[locale]
  const rail = ['7', '3', '5'].map((id) => picture('start-icon', '', id === '7' ? guild : '　', id))
  const said = messages.map(([name, words, reaction], at) =>
    element(
      'div',
      'start-message',
      picture('start-face', '', name, String(at + 1)),
      element(
        'div',
        null,
        element('b', null, name),
        element('p', null, words),
        reaction === '' ? null : element('span', 'start-reaction', reaction),
      ),
    ),
  )
  return element(
    'div',
    { className: 'start-picture', role: 'img', 'aria-label': startText[locale].picture },
    element('div', 'start-rail', ...rail),
    element(
      'div',
      'start-channels',
      element('b', null, guild),
      ...channels.map((name, at) => element('p', at === 1 ? 'start-open' : null, `# ${name}`)),
    ),
    element('div', 'start-room', ...said, element('p', 'start-composer', composer)),
  )
}

/** Recommended guilds, where the operator shows them to the world. */
function recommendedGuilds<E>(factory: ElementFactory<E>, { guilds, locale, hrefOf }: StartInput<E>): E {
  const { element, picture } = factory
  const text = startText[locale]
  const cards = guilds.map((guild) => {
    const { id, name, icon, desc, online, members } = guild
    const counts = [...(online > 0 ? [text.online(online)] : []), text.members(members)]
    return element(
      'li',
      null,
      element(
        'a',
        { className: 'start-guild', href: hrefOf(guild) },
        cover(factory, guild),
        picture('start-guild-icon', icon, name, id),
        element('b', 'start-guild-name', name),
        element('p', 'start-guild-desc', desc),
        element('p', 'start-guild-counts', counts.join(' · ')),
      ),
    )
  })
  return element('section', 'start-guilds', element('h2', null, text.guilds), element('ul', null, ...cards))
}

/** The banner; without one the icon, enlarged and blurred, or the letters on their ground. */
function cover<E>({ element, picture }: ElementFactory<E>, { id, name, icon, banner }: PublicGuild): E {
  const src = banner || (drawnGround(icon) ? '' : icon)
  if (src === '') return picture('start-cover', '', name, id)
  return element(
    'span',
    'start-cover',
    element('img', {
      className: banner ? undefined : 'start-blurred',
      src: smallCopy(src),
      alt: '',
      loading: 'lazy',
    }),
  )
}

function footer<E>({ element }: ElementFactory<E>, { lines, locale }: StartInput<E>): E {
  const { terms, privacy, licenses } = startText[locale]
  const link = (href: string, label: string) => element('a', { href }, label)
  const records = lines.records.map(({ text, url }) =>
    url === ''
      ? element('span', null, text)
      : element('a', { href: url, target: '_blank', rel: 'noopener noreferrer' }, text),
  )
  const said = [lines.contact, lines.copyright].filter((line) => line !== '')
  return element(
    'footer',
    'start-footer',
    link('/terms', terms),
    link('/privacy', privacy),
    link('/licenses', licenses),
    said.length + records.length > 0
      ? element(
          'div',
          { className: 'start-lines', 'data-part': 'site-lines' },
          ...said.map((line) => element('p', null, line)),
          ...records,
        )
      : null,
  )
}

/** The pages of logging in and of registering, which lead to `redir` afterwards. */
export const loginHref = (redir = '', isNew = false): string => {
  const query = [isNew ? 'register=1' : '', redir && `redir=${encodeURIComponent(redir)}`]
    .filter((part) => part !== '')
    .join('&')
  return query === '' ? '/login' : `/login?${query}`
}

/** Where a recommended guild is found. */
export const discoveryHref = ({ name }: Pick<PublicGuild, 'name'>): string =>
  `/discover?search=${encodeURIComponent(name)}`
