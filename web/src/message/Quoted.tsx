import type { Guild } from '@guildhall/wire/channel/channel.ts'
import { type KmNode, type Names, parse, parseLegacy, plain } from '@guildhall/wire/kmarkdown/kmarkdown.ts'
import { kindOf } from '@guildhall/wire/message/kind.ts'
import { type Message, namesPartOf } from '@guildhall/wire/message/message.ts'
import type { Quote } from '@guildhall/wire/message/quote.ts'
import { useMemo } from 'react'
import { useLocale, useText } from '../kit/i18n.ts'
import { namesIn } from '../kmarkdown/names.ts'
import { text as roomStoreText } from '../roomStore/text.ts'
import styles from './Quoted.module.css'
import { text } from './text.ts'

/** Content kept of a quoted message, UTF-16 units. */
const CONTENT_KEPT = 300

/** The quote of a message in a reply to it. */
export function quoteOf(message: Message): Quote {
  const { id, type, content, author } = message
  const { id: authorId, username, nickname } = author
  const names = namesPartOf(message.kmarkdown)
  return {
    id,
    type,
    content: content.slice(0, CONTENT_KEPT),
    can_jump: true,
    author: { id: authorId, username, nickname },
    ...(names && { kmarkdown: names }),
  }
}

/** Spoilers stay hidden in the one-line text. */
const withoutSpoilers = (node: KmNode): KmNode => {
  if (node.type === 'text' || !('children' in node)) return node
  if (node.tagName === 'spl') return { type: 'text', content: '▇▇▇' }
  return { ...node, children: node.children.map(withoutSpoilers) }
}

/** A quote in one line, with the names that it carries. */
export function useQuoteLine(quote: Quote, guild: Guild | null): string {
  const locale = useLocale()
  const { kmarkdown } = quote
  const names = useMemo(() => namesIn(kmarkdown, guild, locale), [kmarkdown, guild, locale])
  return useMessageLine(quote, names)
}

interface Content {
  readonly type: number
  readonly content: string
}

/** A message in one line: its text without styles, or the name of its kind. */
export function useMessageLine(message: Content, names: Names): string {
  const t = useText(text)
  const { type, content } = message
  return useMemo(() => messageLine({ type, content }, names, t), [type, content, names, t])
}

/** The same outside of React; `t`: the texts of messages. */
export function messageLine({ type, content }: Content, names: Names, t: (typeof text)['en']): string {
  const start = content.slice(0, CONTENT_KEPT)
  switch (kindOf(type, 'specification')) {
    case 'kmarkdown':
      return plain(parse(start, { origin: location.origin }).map(withoutSpoilers), names)
        .replace(/\s+/g, ' ')
        .trim()
    case 'text':
      return plain(parseLegacy(start), names).replace(/\s+/g, ' ').trim()
    case 'plain':
      return start
    case 'image':
      return t.kindImage
    case 'file':
      return t.kindFile
    case 'video':
      return t.kindVideo
    case 'voice':
      return t.kindVoice
    case 'card':
      return t.kindCard
    default:
      return t.kindOther
  }
}

export const authorNameOf = ({ author }: Quote): string => author.nickname || author.username

/** The quoted message above a reply; a tap jumps to it. protocol.md §5.6. */
export function Quoted(props: { quote: Quote; guild: Guild | null; onJump?: (id: string) => void }) {
  const { quote, onJump } = props
  const t = useText(text)
  const tStore = useText(roomStoreText)
  const line = useQuoteLine(quote, props.guild)
  const name = authorNameOf(quote)
  const inside = (
    <>
      <span className={styles.name}>{name}</span>
      <span className={styles.line}>{quote.can_jump ? line : tStore.quotedDeleted}</span>
    </>
  )
  if (!quote.can_jump || !onJump)
    return (
      <p className={styles.quote} data-part="quote" data-gone={!quote.can_jump || undefined}>
        <span className="unseen">{t.replyTo(name)}</span>
        {inside}
      </p>
    )
  return (
    <button type="button" className={styles.quote} data-part="quote" onClick={() => onJump(quote.id)}>
      <span className="unseen">{t.showQuoted(name)}</span>
      {inside}
    </button>
  )
}
