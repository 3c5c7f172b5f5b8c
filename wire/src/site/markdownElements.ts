/**
 * The operator's words as they were read from Markdown: nothing in them is HTML. Drawn by the server on the
 * start page, and by the page there and in documents.
 */
import type { Elements } from '../elements.ts'
import type { Block, Span } from './site.ts'

/** The words of one block. */
export const words = <E>({ element }: Elements<E>, spans: readonly Span[]): readonly (E | string)[] =>
  spans.map(({ text, bold, url }) => {
    const drawn = bold ? element('b', null, text) : text
    if (url === '') return drawn
    const tab = /^http/i.test(url) ? { target: '_blank', rel: 'noopener noreferrer' } : {}
    return element('a', { href: url, ...tab }, drawn)
  })

/** The blocks, items of a list together in it. */
export function blocks<E>(elements: Elements<E>, all: readonly Block[]): readonly E[] {
  const { element } = elements
  const drawn: E[] = []
  // Without a title above it, a heading is of the first order.
  let hasTitle = false
  for (let at = 0; at < all.length; at++) {
    const { kind, spans } = all[at]!
    if (kind === 'bullet' || kind === 'number') {
      const first = at
      while (all[at + 1]?.kind === kind) at++
      const items = all
        .slice(first, at + 1)
        .map((item) => element('li', null, ...words(elements, item.spans)))
      drawn.push(element(kind === 'bullet' ? 'ul' : 'ol', 'block-list', ...items))
    } else {
      hasTitle ||= kind === 'title'
      const tag = kind === 'words' ? 'p' : kind === 'heading' && hasTitle ? 'h3' : 'h2'
      drawn.push(element(tag, `block-${kind}`, ...words(elements, spans)))
    }
  }
  return drawn
}
