import type { Block, Span } from '@guildhall/wire/site/site.ts'
import { Fragment, type ReactNode } from 'react'
import styles from './Blocks.module.css'

/** Words of the operator as they were read from Markdown: nothing in them is HTML. */
export function Blocks({ blocks }: { blocks: readonly Block[] }) {
  const drawn: ReactNode[] = []
  // Without a title above it, a heading is of the first order.
  let hasTitle = false
  for (let at = 0; at < blocks.length; at++) {
    const { kind, spans } = blocks[at]!
    if (kind === 'bullet' || kind === 'number') {
      const first = at
      while (blocks[at + 1]?.kind === kind) at++
      const List = kind === 'bullet' ? 'ul' : 'ol'
      drawn.push(
        <List key={first} className={styles.list}>
          {blocks.slice(first, at + 1).map((item, n) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the blocks of a document never move
            <li key={n}>
              <Words spans={item.spans} />
            </li>
          ))}
        </List>,
      )
    } else {
      hasTitle ||= kind === 'title'
      const Part = kind === 'words' ? 'p' : kind === 'heading' && hasTitle ? 'h3' : 'h2'
      drawn.push(
        <Part key={at} className={styles[kind]}>
          <Words spans={spans} />
        </Part>,
      )
    }
  }
  return drawn
}

/** The words of one block. */
export function Words({ spans }: { spans: readonly Span[] }) {
  return spans.map(({ text, bold, url }, at) => {
    const words = bold ? <b>{text}</b> : text
    if (url === '') {
      // biome-ignore lint/suspicious/noArrayIndexKey: the words of a block never move
      return <Fragment key={at}>{words}</Fragment>
    }
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: the words of a block never move
      <a key={at} href={url} {...(/^http/i.test(url) && { target: '_blank', rel: 'noopener noreferrer' })}>
        {words}
      </a>
    )
  })
}
