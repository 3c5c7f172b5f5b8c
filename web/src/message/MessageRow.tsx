import { ownCodesIn } from '@guildhall/wire/invite/inviteLink.ts'
import { kindOf } from '@guildhall/wire/message/kind.ts'
import { isMentioned } from '@guildhall/wire/message/mentioned.ts'
import type { Emoji, Message } from '@guildhall/wire/message/message.ts'
import { lazy, memo, Suspense } from 'react'
import { text as cardText } from '../card/text.ts'
import { useLocale, useText } from '../kit/i18n.ts'
import { loadPart } from '../kit/lazyPart.ts'
import { useTheme } from '../kit/theme.ts'
import { clockLabel, sameDay, timeLabel } from '../kit/time.ts'
import { useMentionTargets } from '../kmarkdown/mentionTargets.ts'
import { Embeds } from '../media/Embeds.tsx'
import { Avatar } from '../ui/Avatar.tsx'
import { EmojiText } from '../ui/EmojiText.tsx'
import { MoreIcon, PinIcon } from '../ui/icons.tsx'
import { nameLook } from '../ui/nameLook.ts'
import { useLongPress } from '../ui/useLongPress.ts'
import { EphemeralNotice } from './EphemeralNotice.tsx'
import { ErrorBoundary } from './ErrorBoundary.tsx'
import messageContentStyles from './MessageContent.module.css'
import { MessageContent, QuotedMessage } from './MessageContent.tsx'
import styles from './MessageRow.module.css'
import { type MessageContext, roleColors } from './messageContext.ts'
import { Reactions } from './Reactions.tsx'
import type { Rights } from './rights.ts'
import { text } from './text.ts'

const InviteCard = lazy(() => loadPart(() => import('../card/InviteCard.tsx')))
/** Invites shown per message. */
const INVITES_MAX = 2

/** Callbacks of a row. They must be stable, or every row is rendered again. */
export interface RowActions {
  readonly menu: (message: Message) => void
  readonly react: (message: Message, emoji: Emoji) => void
  /** Shows who reacted with an emoji. */
  readonly showReactors: (message: Message, emoji: Emoji) => void
  /** Jumps to the quoted message. */
  readonly jumpTo: (id: string) => void
  /** Hides an ephemeral message. */
  readonly dismiss: (id: string) => void
}

/** A stored message. chat.md §2 "Text room" and §3 "Message types". */
export const MessageRow = memo(function MessageRow(props: {
  message: Message
  head: boolean
  /** A day separator stands above, so the time needs no day; nor does one of today. */
  isUnderDay?: boolean
  now: number
  context: MessageContext
  rights: Rights
  actions: RowActions
  /** Highlighted after a jump. */
  flash?: boolean
  /** Ephemeral: the recipient's user id. */
  ephemeralTo?: string | undefined
}) {
  const { message, head, context, rights, actions } = props
  const press = useLongPress(() => actions.menu(message))
  const targets = useMentionTargets()
  const openAuthor = () => targets?.openPerson(message.author.id)
  const t = useText(text)
  const tCard = useText(cardText)
  const locale = useLocale()
  const theme = useTheme()
  const { author } = message
  const name = author.nickname || author.username
  const look = nameLook(roleColors(author.roles, context.guild), theme)
  const mentioned =
    message.author.id !== context.me.id && isMentioned(message, context.me.id, context.guild?.my_roles ?? [])
  const at = new Date(message.create_at).toISOString()

  if (kindOf(message.type, 'specification') === 'welcome')
    return (
      <p className={styles.welcome}>
        {t.welcome(name)} <time dateTime={at}>{clockLabel(message.create_at, locale)}</time>
      </p>
    )
  return (
    <article
      className={`${styles.message} ${styles.stored}`}
      data-part="message"
      tabIndex={-1}
      data-head={head || undefined}
      data-mentioned={mentioned || undefined}
      data-quiet={props.ephemeralTo !== undefined || undefined}
      data-flash={props.flash || undefined}
      {...press}
    >
      {head && (
        // The name is a button to the same place, for keyboard and screen reader.
        <button type="button" className={styles.face} tabIndex={-1} aria-hidden="true" onClick={openAuthor}>
          <Avatar id={author.id} name={name} src={author.avatar} moving={author.vip_avatar} size={40} />
        </button>
      )}
      <div className={styles.body}>
        <p className={head ? styles.header : 'unseen'}>
          {head && targets ? (
            <button type="button" className={styles.name} data-part="author" {...look} onClick={openAuthor}>
              <EmojiText>{name}</EmojiText>
            </button>
          ) : (
            <b className={styles.name} {...look}>
              <EmojiText>{name}</EmojiText>
            </b>
          )}
          {author.bot && <span className={styles.bot}>{author.is_sys ? t.official : t.bot}</span>}
          <time className={styles.time} dateTime={at}>
            {props.isUnderDay || sameDay(message.create_at, props.now)
              ? clockLabel(message.create_at, locale)
              : timeLabel(message.create_at, props.now, locale)}
          </time>
        </p>
        <ErrorBoundary
          resetKey={message.content}
          fallback={
            <p
              className={`${messageContentStyles.text} ${messageContentStyles.unsupported}`}
              data-part="message-text"
              data-unsupported
            >
              {kindOf(message.type, 'specification') === 'card' ? tCard.invalid : t.unsupported}
            </p>
          }
        >
          <QuotedMessage message={message} context={context} onJump={actions.jumpTo} />
          <MessageContent message={message} context={context} />
          {message.embeds.length > 0 && <Embeds all={message.embeds} />}
          <Invites message={message} own={message.author.id === context.me.id} />
        </ErrorBoundary>
        {props.ephemeralTo !== undefined && (
          <EphemeralNotice
            isMine={props.ephemeralTo === context.me.id}
            onDismiss={() => actions.dismiss(message.id)}
          />
        )}
        {message.is_pinned && (
          <p className={styles.pinned}>
            <PinIcon size={14} />
            {t.pinned}
          </p>
        )}
        <Reactions
          message={message}
          rights={rights}
          onReact={(emoji) => actions.react(message, emoji)}
          onShowWho={(emoji) => actions.showReactors(message, emoji)}
        />
      </div>
      <button
        type="button"
        className={styles.more}
        data-part="message-menu-button"
        aria-label={t.moreActions(name)}
        onClick={() => actions.menu(message)}
      >
        <MoreIcon size={20} />
      </button>
    </article>
  )
})

/** Invite links of this server are shown as cards. chat.md §5. */
function Invites({ message, own }: { message: Message; own: boolean }) {
  const kind = kindOf(message.type, 'specification')
  const codes =
    kind === 'kmarkdown' || kind === 'text' ? ownCodesIn(message.content, location.host, INVITES_MAX) : []
  return codes.map((code) => (
    <Suspense key={code} fallback={<div className={styles.invitePlaceholder} />}>
      <InviteCard code={code} own={own} />
    </Suspense>
  ))
}
