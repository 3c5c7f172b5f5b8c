import { emojiAlone } from '@guildhall/wire/kmarkdown/jumbo.ts'
import { parse } from '@guildhall/wire/kmarkdown/kmarkdown.ts'
import { lazy, Suspense, useMemo } from 'react'
import { useLocale, useText } from '../kit/i18n.ts'
import { loadPart } from '../kit/lazyPart.ts'
import { useTheme } from '../kit/theme.ts'
import { clockLabel, sameDay, timeLabel } from '../kit/time.ts'
import { KMarkdown } from '../kmarkdown/KMarkdown.tsx'
import { namesIn } from '../kmarkdown/names.ts'
import { Media } from '../media/Media.tsx'
import type { Outgoing } from '../roomStore/room.ts'
import { Avatar } from '../ui/Avatar.tsx'
import { EmojiText } from '../ui/EmojiText.tsx'
import { AlertIcon, ClockIcon } from '../ui/icons.tsx'
import { nameLook } from '../ui/nameLook.ts'
import { Spinner } from '../ui/Spinner.tsx'
import messageContentStyles from './MessageContent.module.css'
import messageRowStyles from './MessageRow.module.css'
import { type MessageContext, roleColors } from './messageContext.ts'
import styles from './OutgoingRow.module.css'
import { Quoted } from './Quoted.tsx'
import { text } from './text.ts'

const HeldNote = lazy(() => loadPart(() => import('./HeldNote.tsx')))

/** A message of the send queue, drawn like a stored one. */
export function OutgoingRow(props: {
  outgoing: Outgoing
  head: boolean
  /** A day separator stands above, so the time needs no day. */
  isUnderDay?: boolean
  now: number
  context: MessageContext
  /** The queue waits for the network. */
  isWaiting: boolean
  onRetry: () => void
  onDiscard: () => void
}) {
  const { outgoing, head, context } = props
  const t = useText(text)
  const locale = useLocale()
  const theme = useTheme()
  const nodes = useMemo(
    () => (outgoing.media ? [] : parse(outgoing.content, { origin: location.origin })),
    [outgoing.media, outgoing.content],
  )
  const names = useMemo(
    () => namesIn(null, context.guild, locale, outgoing.names),
    [context.guild, locale, outgoing.names],
  )
  const { me, guild } = context
  const name = guild?.user_config.nickname || me.username
  const look = nameLook(roleColors(guild?.my_roles ?? [], guild), theme)
  const failed = outgoing.state === 'failed'
  const waiting = outgoing.state === 'queued' && props.isWaiting
  return (
    <article
      className={messageRowStyles.message}
      data-part="outgoing-message"
      data-head={head || undefined}
      data-state={outgoing.state}
    >
      {head && <Avatar id={me.id} name={name} src={me.avatar} moving={me.vip_avatar} size={40} />}
      <div className={messageRowStyles.body}>
        <p className={head ? messageRowStyles.header : 'unseen'}>
          <b className={messageRowStyles.name} {...look}>
            <EmojiText>{name}</EmojiText>
          </b>
          <time className={messageRowStyles.time}>
            {props.isUnderDay || sameDay(outgoing.at, props.now)
              ? clockLabel(outgoing.at, locale)
              : timeLabel(outgoing.at, props.now, locale)}
          </time>
        </p>
        {outgoing.quote && <Quoted quote={outgoing.quote} guild={guild} />}
        {outgoing.media && <Media it={{ ...outgoing.media, content: outgoing.content }} />}
        <div
          className={messageContentStyles.text}
          data-part="message-text"
          data-jumbo={emojiAlone(nodes) > 0 || undefined}
        >
          {!outgoing.media && (
            <KMarkdown nodes={nodes} names={names} reader={{ id: me.id, roles: guild?.my_roles ?? [] }} />
          )}
          {outgoing.state === 'sending' || (outgoing.state === 'queued' && !waiting) ? (
            <span className={styles.sending} role="img" aria-label={t.sending}>
              <Spinner size={12} />
            </span>
          ) : null}
        </div>
        {waiting && (
          <p className={styles.waiting} role="status">
            <ClockIcon size={14} />
            {t.waiting}
          </p>
        )}
        {(outgoing.state === 'held' || outgoing.state === 'rejected') && (
          <Suspense>
            <HeldNote outgoing={outgoing} onDiscard={props.onDiscard} />
          </Suspense>
        )}
        {failed && (
          <div className={styles.failed} role="alert">
            <AlertIcon size={16} />
            <span className={styles.reason}>
              {t.notSent}
              {outgoing.why && ` · ${outgoing.why}`}
            </span>
            <button type="button" className={styles.action} onClick={props.onRetry}>
              {t.sendAgain}
            </button>
            <button
              type="button"
              className={`${styles.action} ${styles.actionDanger}`}
              onClick={props.onDiscard}
            >
              {t.remove}
            </button>
          </div>
        )}
      </div>
    </article>
  )
}
