/**
 * The markup of a personal invite inside of the landing's frame (`landing.ts`), drawn first by the server and
 * then by the page. Apart from it, because the page of an invite into a guild loads none of this.
 */
import type { ElementFactory } from '../elementFactory.ts'

/** Who invites, large, and to what. `avatar`: the address of their picture. */
export const landingReferral = <E>(
  { element, picture }: ElementFactory<E>,
  input: { readonly name: string; readonly avatar: string; readonly headline: string },
): readonly E[] => [
  picture('invite-face', input.avatar, input.name, ''),
  element('h1', 'invite-guild', input.headline),
]

/** The way on from a code that brings nobody. */
export const withoutReferral = <E>({ element }: ElementFactory<E>, label: string): E =>
  element('a', { className: 'invite-accept', href: '/login' }, label)
