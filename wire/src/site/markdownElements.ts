/**
 * The operator's words as they were read from Markdown: nothing in them is HTML. Drawn by the server on the
 * start page, and by the page there and in documents.
 */
import type { ElementFactory } from '../elementFactory.ts'
import type { Block, Span } from './site.ts'

/** The content of one block: text, bold text and links. */
export const spanElements = <E>(
  { element }: ElementFactory<E>,
  spans: readonly Span[],
): readonly (E | string)[] =>
  spans.map(({ text, bold, url }) => {
    const drawn = bold ? element('b', null, text) : text
    if (url === '') return drawn
    const tab = /^http/i.test(url) ? { target: '_blank', rel: 'noopener noreferrer' } : {}
    return element('a', { href: url, ...tab }, drawn)
  })

/** One element per block; the items of a list are in one element together. */
export function markdownElements<E>(factory: ElementFactory<E>, all: readonly Block[]): readonly E[] {
  const { element } = factory
  const made: E[] = []
  // Without a title above it, a heading is of the first order.
  let hasTitle = false
  for (let at = 0; at < all.length; at++) {
    const { kind, spans } = all[at]!
    if (kind === 'bullet' || kind === 'number') {
      const first = at
      while (all[at + 1]?.kind === kind) at++
      const items = all
        .slice(first, at + 1)
        .map((item) => element('li', null, ...spanElements(factory, item.spans)))
      made.push(element(kind === 'bullet' ? 'ul' : 'ol', 'block-list', ...items))
    } else {
      hasTitle ||= kind === 'title'
      const tag = kind === 'words' ? 'p' : kind === 'heading' && hasTitle ? 'h3' : 'h2'
      made.push(element(tag, `block-${kind}`, ...spanElements(factory, spans)))
    }
  }
  return made
}
