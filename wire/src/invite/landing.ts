/**
 * The markup of the invite's landing page, drawn first by the server as HTML and then by the page as React
 * elements. The class names are styled in web/src/invite/landing.css.
 */
import { type ElementFactory, smallCopy } from '../elementFactory.ts'
import type { Invite } from './invite.ts'
import type { LandingText } from './landingText.ts'

export interface LandingFactory<E> extends ElementFactory<E> {
  /** Licence and registration notices of the operator; an address where one can be checked, or none. */
  readonly notices: readonly { readonly text: string; readonly url: string }[]
}

/**
 * The page around its main part and its button. `backdrop` is the address of a picture, empty without one;
 * `banner` of one that stands above the rest instead.
 */
export function landingFrame<E>(
  { element, notices }: LandingFactory<E>,
  text: LandingText,
  input: {
    readonly state: string
    readonly backdrop?: string
    readonly banner?: string
    readonly action: E | null
  },
  ...main: readonly E[]
): E {
  const { banner, backdrop } = input
  return element(
    'div',
    { className: 'invite', 'data-state': input.state },
    banner
      ? element('img', { className: 'invite-banner', src: smallCopy(banner, 800), alt: '' })
      : backdrop
        ? element('img', { className: 'invite-backdrop', src: smallCopy(backdrop), alt: '' })
        : null,
    element('main', 'invite-main', ...main),
    input.action && element('div', 'invite-act', input.action),
    element(
      'footer',
      'invite-footer',
      element(
        'p',
        'invite-product',
        element('img', { className: 'invite-logo', src: '/logo.svg', alt: '' }),
        text.product,
      ),
      element('p', 'invite-notice', text.notice),
      ...notices.map(({ text, url }) =>
        element(url ? 'a' : 'p', { className: 'invite-notice', href: url || undefined }, text),
      ),
    ),
  )
}

/** Who invites, to which guild, how many are there, and what it says of itself. */
export function landingInvite<E>(
  { element, picture }: LandingFactory<E>,
  text: LandingText,
  { guild, inviter }: Invite,
): readonly E[] {
  return [
    element(
      'div',
      'invite-from',
      picture('invite-avatar', inviter.avatar, inviter.username, ''),
      element(
        'p',
        'invite-line',
        element('b', 'invite-inviter', inviter.username),
        ' ',
        element('span', null, text.invites),
      ),
    ),
    picture('invite-icon', guild.icon, guild.name, guild.id),
    element('h1', 'invite-guild', guild.name),
    element(
      'p',
      'invite-counts',
      element(
        'span',
        `invite-count${guild.online_count > 0 ? ' invite-count-online' : ''}`,
        text.online(guild.online_count),
      ),
      element('span', 'invite-count', text.members(guild.members_count)),
    ),
    element('p', 'invite-desc', guild.desc),
  ]
}

/** In place of an invite that cannot be shown: a title and the reason. */
export function landingProblem<E>({ element }: LandingFactory<E>, title: string, why: string): readonly E[] {
  return [
    element('span', { className: 'invite-icon letters invite-broken', 'aria-hidden': true }, '!'),
    element('h1', 'invite-guild', title),
    element('p', 'invite-why', why),
  ]
}

/** The way on from an invite that cannot be used. */
export const landingHome = <E>({ element }: LandingFactory<E>, text: LandingText): E =>
  element('a', { className: 'invite-accept', href: '/' }, text.home(text.product))

/** The button of the landing. `before` precedes its label. */
export function landingButton<E>(
  { element }: LandingFactory<E>,
  label: string,
  props: Readonly<Record<string, unknown>> = {},
  before: E | null = null,
): E {
  return element('button', { className: 'invite-accept', type: 'button', ...props }, before, label)
}
