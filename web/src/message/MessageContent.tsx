import { emojiAlone } from '@guildhall/wire/kmarkdown/jumbo.ts'
import { parse, parseLegacy } from '@guildhall/wire/kmarkdown/kmarkdown.ts'
import { mediaKinds } from '@guildhall/wire/message/attachment.ts'
import { kindOf } from '@guildhall/wire/message/kind.ts'
import type { Message } from '@guildhall/wire/message/message.ts'
import { quoteIn } from '@guildhall/wire/message/quote.ts'
import { withoutOverrides } from '@guildhall/wire/visible.ts'
import { lazy, Suspense, useMemo } from 'react'
import { estimateCardHeight } from '../card/cardHeight.ts'
import { useLocale, useText } from '../kit/i18n.ts'
import { loadPart } from '../kit/lazyPart.ts'
import { KMarkdown } from '../kmarkdown/KMarkdown.tsx'
import { namesIn } from '../kmarkdown/names.ts'
import { Media } from '../media/Media.tsx'
import styles from './MessageContent.module.css'
import type { MessageContext } from './messageContext.ts'
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
  const locale = useLocale()
  const kind = kindOf(message.type, 'specification')
  const nodes = useMemo(() => {
    if (kind === 'kmarkdown') return parse(message.content, { origin: location.origin })
    return kind === 'text' ? parseLegacy(message.content) : []
  }, [kind, message.content])
  const { kmarkdown } = message
  const names = useMemo(() => namesIn(kmarkdown, context.guild, locale), [kmarkdown, context.guild, locale])
  if (kind === 'kmarkdown' || kind === 'text')
    return (
      <div className={styles.text} data-part="message-text" data-jumbo={emojiAlone(nodes) > 0 || undefined}>
        <KMarkdown
          nodes={nodes}
          names={names}
          reader={{ id: context.me.id, roles: context.guild?.my_roles ?? [] }}
        />
        {message.updated_at > 0 && (
          <span className={styles.edited} data-part="edited">
            {t.edited}
          </span>
        )}
      </div>
    )
  if (kind === 'card')
    return (
      <>
        <Suspense
          fallback={
            <div data-part="card-placeholder" style={{ height: estimateCardHeight(message.content) }} />
          }
        >
          <Cards
            content={message.content}
            context={{
              messageId: message.id,
              names,
              reader: { id: context.me.id, roles: context.guild?.my_roles ?? [] },
              own: message.author.id === context.me.id,
            }}
          />
        </Suspense>
        {message.updated_at > 0 && (
          <span className={styles.edited} data-part="edited">
            {t.edited}
          </span>
        )}
      </>
    )
  if (kind === 'plain')
    return (
      <div className={styles.text} data-part="message-text">
        {withoutOverrides(message.content)}
      </div>
    )
  if (kind !== null && kind in mediaKinds) return <Media it={message} />
  return (
    <div className={`${styles.text} ${styles.unsupported}`} data-part="message-text" data-unsupported>
      {kind === null ? t.unknown : t.unsupported}
    </div>
  )
}
