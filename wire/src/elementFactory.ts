/**
 * Markup that is described once and made twice: as HTML by the server, before any script runs, and as React
 * elements by the page. Decision 32.
 */

export type Child<E> = E | string | null

/** The class of an element, or its attributes as React spells them; those that are undefined are left out. */
export type ElementProps = string | Readonly<Record<string, unknown>> | null

/** Makes HTML on the server and React elements on the page. */
export interface ElementFactory<E> {
  /** String children are text. */
  element(tag: string, props: ElementProps, ...children: readonly Child<E>[]): E
  /**
   * A small copy of a picture; the letters of the name, on the ground of `id`, where `src` is empty or drawn
   * by the server.
   */
  picture(className: string, src: string, name: string, id: string): E
}

/**
 * A copy of a stored picture with a long side of at least `side` px; other pictures as they are. One address,
 * so that it is loaded once.
 */
export const smallCopy = (src: string, side = 400): string =>
  /\/assets\/\d{4}-/.test(src) ? `${src}?side=${side}` : src
