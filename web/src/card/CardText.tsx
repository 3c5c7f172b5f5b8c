import type { Paragraph, Words } from '@guildhall/wire/card/node.ts'
import { parse } from '@guildhall/wire/kmarkdown/kmarkdown.ts'
import { useMemo } from 'react'
import { KMarkdown } from '../kmarkdown/KMarkdown.tsx'
import styles from './Cards.module.css'
import type { CardContext } from './cardContext.ts'

/** A text of a card, plain or KMarkdown. */
export function CardText({ source, context }: { source: Words; context: CardContext }) {
  const nodes = useMemo(
    () =>
      source.type === 'kmarkdown' ? parse(source.content, { font: true, origin: location.origin }) : null,
    [source],
  )
  return nodes ? <KMarkdown nodes={nodes} names={context.names} reader={context.reader} /> : source.content
}

/** A paragraph in columns. */
export function Fields({ paragraph, context }: { paragraph: Paragraph; context: CardContext }) {
  return (
    <div className={styles.fields} data-cols={paragraph.cols}>
      {paragraph.fields.map((field, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the fields of one paragraph never move
        <div key={index}>
          <CardText source={field} context={context} />
        </div>
      ))}
    </div>
  )
}
