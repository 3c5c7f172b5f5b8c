/**
 * The markup of the invite's landing page, drawn first by the server as HTML and then by the page as React
 * elements. The class names are styled in web/src/invite/landing.css.
 */
import type { Invite } from './invite.ts'
import type { LandingText } from './landingText.ts'

type Child<E> = E | string | null

/** The class of an element, or its attributes as React spells them. */
export type ElementProps = string | Readonly<Record<string, unknown>> | null

/** Makes elements: HTML on the server, React elements on the page. */
export interface ElementFactory<E> {
  /** String children are text. */
  element(tag: string, props: ElementProps, ...children: readonly Child<E>[]): E
  /**
   * A picture; the letters of the name, on the ground of `id`, where `src` is empty or drawn by the server.
   */
  picture(className: string, src: string, name: string, id: string): E
  /** Licence and registration notices of the operator; an address where one can be checked, or none. */
  readonly notices: readonly { readonly text: string; readonly url: string }[]
}

/**
 * The smallest copy of a stored picture that is sharp on a phone; other pictures as they are. One address, so
 * that it is loaded once.
 */
const copyOf = (src: string): string => (/\/assets\/\d{4}-/.test(src) ? `${src}?side=400` : src)

/**
 * The page around its main part and its button. `backdrop` is the address of a picture, empty without one.
 */
export function landingFrame<E>(
  { element, notices }: ElementFactory<E>,
  text: LandingText,
  input: { readonly state: string; readonly backdrop?: string; readonly action: E | null },
  ...main: readonly E[]
): E {
  return element(
    'div',
    { className: 'invite', 'data-state': input.state },
    input.backdrop
      ? element('img', { className: 'invite-backdrop', src: copyOf(input.backdrop), alt: '' })
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
      ...notices.map((notice) =>
        notice.url
          ? element('a', { className: 'invite-notice', href: notice.url }, notice.text)
          : element('p', 'invite-notice', notice.text),
      ),
    ),
  )
}

/** Who invites, to which guild, and how many are there. */
export function landingInvite<E>(
  { element, picture }: ElementFactory<E>,
  text: LandingText,
  { guild, inviter }: Invite,
): readonly E[] {
  return [
    element(
      'div',
      'invite-from',
      picture('invite-avatar', copyOf(inviter.avatar), inviter.username, ''),
      element(
        'p',
        'invite-line',
        element('b', 'invite-inviter', inviter.username),
        ' ',
        element('span', null, text.invites),
      ),
    ),
    picture('invite-icon', copyOf(guild.icon), guild.name, guild.id),
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
  ]
}

/** In place of an invite that cannot be shown: a title and the reason. */
export function landingProblem<E>({ element }: ElementFactory<E>, title: string, why: string): readonly E[] {
  return [
    element('span', { className: 'invite-icon invite-letter invite-broken', 'aria-hidden': true }, '!'),
    element('h1', 'invite-guild', title),
    element('p', 'invite-why', why),
  ]
}

/** The way on from an invite that cannot be used. */
export const landingHome = <E>({ element }: ElementFactory<E>, text: LandingText): E =>
  element('a', { className: 'invite-accept', href: '/' }, text.home(text.product))

/** The button of the landing. `before` precedes its label. */
export function landingButton<E>(
  { element }: ElementFactory<E>,
  label: string,
  props: Readonly<Record<string, unknown>> = {},
  before: E | null = null,
): E {
  return element('button', { className: 'invite-accept', type: 'button', ...props }, before, label)
}
