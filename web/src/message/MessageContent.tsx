import { emojiAlone } from '@guildhall/wire/kmarkdown/jumbo.ts'
import { type Names, parse, parseLegacy } from '@guildhall/wire/kmarkdown/kmarkdown.ts'
import { mediaKinds } from '@guildhall/wire/message/attachment.ts'
import { kindOf } from '@guildhall/wire/message/kind.ts'
import type { Message } from '@guildhall/wire/message/message.ts'
import { quoteIn } from '@guildhall/wire/message/quote.ts'
import { withoutOverrides } from '@guildhall/wire/visible.ts'
import { type ReactNode, useMemo } from 'react'
import { estimateCardHeight } from '../card/cardHeight.ts'
import { useLocale, useText } from '../kit/i18n.ts'
import { lazy, Suspense } from '../kit/lazy/lazy.tsx'
import { loadPart } from '../kit/lazy/lazyPart.ts'
import { KMarkdown } from '../kmarkdown/KMarkdown.tsx'
import { namesIn } from '../kmarkdown/names.ts'
import { Media } from '../media/Media.tsx'
import styles from './MessageContent.module.css'
import { type MessageContext, readerOf } from './messageContext.ts'
import { Quoted } from './Quoted.tsx'
import { text } from './text.ts'

const Cards = lazy(() => loadPart(() => import('../card/Cards.tsx')))

/** The quoted message above a reply. */
export function QuotedMessage(props: {
  message: Message
  context: MessageContext
  onJump: (id: string) => void
}) {
  const { message, context } = props
  const quote = useMemo(() => quoteIn(message), [message])
  return quote && <Quoted quote={quote} guild={context.guild} onJump={props.onJump} />
}

/** The content of a message, by its kind. */
export function MessageContent({ message, context }: { message: Message; context: MessageContext }) {
  const t = useText(text)
  const kind = kindOf(message.type, 'specification')
  if (kind === 'kmarkdown' || kind === 'text')
    return <TextContent message={message} context={context} isLegacy={kind === 'text'} />
  if (kind === 'card') return <CardContent message={message} context={context} />
  if (kind === 'plain')
    return (
      <div className={styles.text} data-part="message-text">
        {withoutOverrides(message.content)}
      </div>
    )
  if (kind !== null && kind in mediaKinds) return <Media message={message} />
  return <Unsupported>{kind === null ? t.unknown : t.unsupported}</Unsupported>
}

function TextContent(props: { message: Message; context: MessageContext; isLegacy: boolean }) {
  const { message, context, isLegacy } = props
  const { content } = message
  const nodes = useMemo(
    () => (isLegacy ? parseLegacy(content) : parse(content, { origin: location.origin })),
    [isLegacy, content],
  )
  const names = useNames(message, context)
  return (
    <div className={styles.text} data-part="message-text" data-jumbo={emojiAlone(nodes) > 0 || undefined}>
      <KMarkdown nodes={nodes} names={names} reader={readerOf(context)} />
      <Edited message={message} />
    </div>
  )
}

function CardContent({ message, context }: { message: Message; context: MessageContext }) {
  const { id, content } = message
  const names = useNames(message, context)
  const reader = readerOf(context)
  return (
    <>
      <Suspense
        fallback={<div data-part="card-placeholder" style={{ height: estimateCardHeight(content) }} />}
      >
        <Cards
          content={content}
          context={{ messageId: id, names, reader, own: message.author.id === reader.id }}
        />
      </Suspense>
      <Edited message={message} />
    </>
  )
}

/** The names that a message mentions. */
function useNames({ kmarkdown }: Message, { guild }: MessageContext): Names {
  const locale = useLocale()
  return useMemo(() => namesIn(kmarkdown, guild, locale), [kmarkdown, guild, locale])
}

function Edited({ message }: { message: Message }) {
  const t = useText(text)
  return (
    message.updated_at > 0 && (
      <span className={styles.edited} data-part="edited">
        {t.edited}
      </span>
    )
  )
}

/** In place of content that cannot be shown. */
export function Unsupported({ children }: { children: ReactNode }) {
  return (
    <p className={`${styles.text} ${styles.unsupported}`} data-part="message-text" data-unsupported>
      {children}
    </p>
  )
}
