import { emojiAlone } from '@guildhall/wire/kmarkdown/jumbo.ts'
import { parse } from '@guildhall/wire/kmarkdown/kmarkdown.ts'
import { useMemo } from 'react'
import { useLocale, useText } from '../kit/i18n.ts'
import { lazy, Suspense } from '../kit/lazy/lazy.tsx'
import { loadPart } from '../kit/lazy/lazyPart.ts'
import { KMarkdown } from '../kmarkdown/KMarkdown.tsx'
import { namesIn } from '../kmarkdown/names.ts'
import { Media } from '../media/Media.tsx'
import type { Outgoing } from '../roomStore/room.ts'
import { ClockIcon } from '../ui/icon/icons.tsx'
import { Avatar } from '../ui/picture/Avatar.tsx'
import { BuffMark } from '../ui/picture/BuffMark.tsx'
import { Spinner } from '../ui/state/Spinner.tsx'
import { FailedNote, NoteButton } from './FailedNote.tsx'
import messageContentStyles from './MessageContent.module.css'
import { MessageHeader, type RowPosition } from './MessageHeader.tsx'
import messageRowStyles from './MessageRow.module.css'
import { type MessageContext, readerOf, roleColors } from './messageContext.ts'
import styles from './OutgoingRow.module.css'
import { Quoted } from './Quoted.tsx'
import { text } from './text.ts'

const HeldNote = lazy(() => loadPart(() => import('./HeldNote.tsx')))

/** A message of the send queue, drawn like a stored one. */
export function OutgoingRow(
  props: RowPosition & {
    outgoing: Outgoing
    context: MessageContext
    /** The queue waits for the network. */
    isWaiting: boolean
    onRetry: () => void
    onDiscard: () => void
  },
) {
  const { outgoing, context, isWaiting } = props
  const { me, guild } = context
  const name = guild?.user_config.nickname || me.username
  const isSending = outgoing.state === 'sending' || (outgoing.state === 'queued' && !isWaiting)
  return (
    <article
      className={messageRowStyles.message}
      data-part="outgoing-message"
      data-head={props.head || undefined}
      data-state={outgoing.state}
    >
      {props.head && <Avatar of={me} name={name} size={40} />}
      <div className={messageRowStyles.body}>
        <MessageHeader
          row={props}
          name={name}
          colors={roleColors(guild?.my_roles ?? [], guild)}
          at={outgoing.at}
        >
          {me.is_vip && <BuffMark />}
        </MessageHeader>
        {outgoing.quote && <Quoted quote={outgoing.quote} guild={guild} />}
        {outgoing.media && <Media message={{ ...outgoing.media, content: outgoing.content }} />}
        <OutgoingText outgoing={outgoing} context={context} isSending={isSending} />
        <DeliveryNote
          outgoing={outgoing}
          isWaiting={isWaiting}
          onRetry={props.onRetry}
          onDiscard={props.onDiscard}
        />
      </div>
    </article>
  )
}

/** Its text, and while it is on its way a sign behind it. */
function OutgoingText(props: { outgoing: Outgoing; context: MessageContext; isSending: boolean }) {
  const { outgoing, context } = props
  const { media, content, names: known } = outgoing
  const t = useText(text)
  const locale = useLocale()
  const nodes = useMemo(() => (media ? [] : parse(content, { origin: location.origin })), [media, content])
  const { guild } = context
  const names = useMemo(() => namesIn(null, guild, locale, known), [guild, locale, known])
  return (
    <div
      className={messageContentStyles.text}
      data-part="message-text"
      data-jumbo={emojiAlone(nodes) > 0 || undefined}
    >
      {!media && <KMarkdown nodes={nodes} names={names} reader={readerOf(context)} />}
      {props.isSending && (
        <span className={styles.sending} role="img" aria-label={t.sending}>
          <Spinner size={12} />
        </span>
      )}
    </div>
  )
}

/** How it stands with a message that is not simply on its way, and what its author may do. */
function DeliveryNote(props: {
  outgoing: Outgoing
  isWaiting: boolean
  onRetry: () => void
  onDiscard: () => void
}) {
  const { outgoing, onDiscard } = props
  const t = useText(text)
  switch (outgoing.state) {
    case 'queued':
      return (
        props.isWaiting && (
          <p className={styles.waiting} role="status">
            <ClockIcon size={14} />
            {t.waiting}
          </p>
        )
      )
    case 'held':
    case 'rejected':
      return (
        <Suspense>
          <HeldNote outgoing={outgoing} onDiscard={onDiscard} />
        </Suspense>
      )
    case 'failed':
      return (
        <FailedNote title={t.notSent} why={outgoing.why}>
          <NoteButton label={t.sendAgain} onPress={props.onRetry} />
          <NoteButton label={t.remove} isDanger onPress={onDiscard} />
        </FailedNote>
      )
  }
}
