import { ownCodesIn } from '@guildhall/wire/invite/inviteLink.ts'
import { kindOf } from '@guildhall/wire/message/kind.ts'
import { MESSAGE_INVITES_MAX } from '@guildhall/wire/message/limit.ts'
import { isMentioned } from '@guildhall/wire/message/mentioned.ts'
import type { Emoji, Message } from '@guildhall/wire/message/message.ts'
import { memo, type ReactNode } from 'react'
import { invalidText } from '../card/invalidText.ts'
import { clockLabel } from '../kit/format/time.ts'
import { useLocale, useText } from '../kit/i18n.ts'
import { lazy, Suspense } from '../kit/lazy/lazy.tsx'
import { loadPart } from '../kit/lazy/lazyPart.ts'
import { useMentionTargets } from '../kmarkdown/mentionTargets.ts'
import { Embeds } from '../media/Embeds.tsx'
import { MoreIcon, PinIcon } from '../ui/icon/icons.tsx'
import { Avatar } from '../ui/picture/Avatar.tsx'
import { BuffMark } from '../ui/picture/BuffMark.tsx'
import { useLongPress } from '../ui/useLongPress.ts'
import { EphemeralNotice } from './EphemeralNotice.tsx'
import { ErrorBoundary } from './ErrorBoundary.tsx'
import { MessageContent, QuotedMessage, Unsupported } from './MessageContent.tsx'
import { MessageHeader, type RowPosition } from './MessageHeader.tsx'
import styles from './MessageRow.module.css'
import { type MessageContext, readerOf, roleColors } from './messageContext.ts'
import { Reactions } from './Reactions.tsx'
import type { Rights } from './rights.ts'
import { text } from './text.ts'

const Joined = lazy(() => loadPart(() => import('./joined/Joined.tsx')))
const InviteCard = lazy(() => loadPart(() => import('../card/InviteCard.tsx')))

type Author = Message['author']

/** Callbacks of a row. They must be stable, or every row is rendered again. */
export interface RowActions {
  /** `at`: what was pressed of it. */
  readonly menu: (message: Message, at?: Element) => void
  readonly react: (message: Message, emoji: Emoji) => void
  /** Shows who reacted with an emoji. */
  readonly showReactors: (message: Message, emoji: Emoji) => void
  /** Jumps to the quoted message. */
  readonly jumpTo: (id: string) => void
  /** Hides an ephemeral message. */
  readonly dismiss: (id: string) => void
}

/** A stored message. chat.md §2 "Text room" and §3 "Message types". */
export const MessageRow = memo(function MessageRow(
  props: RowPosition & {
    message: Message
    context: MessageContext
    rights: Rights
    actions: RowActions
    /** In place of what it says, while it is edited. */
    edit?: ReactNode
    /** Above it while several are chosen. */
    mark?: ReactNode
    /** Highlighted after a jump. */
    flash?: boolean
    /** Ephemeral: the recipient's user id. */
    ephemeralTo?: string | undefined
    /** The welcomes of a row of people who joined, `message` the first of them. */
    joined?: readonly Message[] | undefined
  },
) {
  const { message, head, context, actions, ephemeralTo } = props
  const t = useText(text)
  const targets = useMentionTargets()
  const { author } = message
  const openAuthor = () => targets?.openPerson(author.id)
  const press = useLongPress((at) =>
    targets && at.closest('[data-part=author],[data-part=face]') ? openAuthor() : actions.menu(message, at),
  )
  const { id: meId, roles } = readerOf(context)
  if (props.joined) {
    const isOne = props.joined.length < 2
    return (
      <Suspense fallback={isOne ? <Welcome message={message} /> : <p className={styles.welcome} />}>
        <Joined messages={props.joined} rights={props.rights} actions={actions} />
      </Suspense>
    )
  }
  const content = <Content message={message} context={context} onJump={actions.jumpTo} />
  return (
    <article
      className={`${styles.message} ${styles.stored}`}
      data-part="message"
      data-id={message.id}
      tabIndex={-1}
      data-head={head || undefined}
      data-mentioned={(author.id !== meId && isMentioned(message, meId, roles)) || undefined}
      data-quiet={ephemeralTo !== undefined || undefined}
      data-flash={props.flash || undefined}
      {...press}
    >
      {head && <AuthorPicture author={author} onPress={openAuthor} />}
      <div className={styles.body}>
        <MessageHeader
          row={props}
          name={nameOf(author)}
          colors={roleColors(author.roles, context.guild)}
          at={message.create_at}
          onPress={head && targets !== null && openAuthor}
        >
          {author.is_vip && <BuffMark />}
          {author.bot && <span className={styles.bot}>{author.is_sys ? t.official : t.bot}</span>}
        </MessageHeader>
        {props.edit ? <Suspense fallback={content}>{props.edit}</Suspense> : content}
        {ephemeralTo !== undefined && (
          <EphemeralNotice isMine={ephemeralTo === meId} onDismiss={() => actions.dismiss(message.id)} />
        )}
        {message.is_pinned && <Pinned />}
        <Reactions
          message={message}
          rights={props.rights}
          onReact={(emoji) => actions.react(message, emoji)}
          onShowWho={(emoji) => actions.showReactors(message, emoji)}
        />
      </div>
      <MenuButton message={message} onPress={() => actions.menu(message)} />
      {props.mark && <Suspense>{props.mark}</Suspense>}
    </article>
  )
})

export const nameOf = ({ nickname, username }: Author): string => nickname || username

/** Somebody joined: a line of its own kind, with a place for a wave at its end. */
export function Welcome(props: { message: Message; children?: ReactNode }) {
  const { author, content, create_at: at } = props.message
  const t = useText(text)
  const locale = useLocale()
  // The first line is said in the reader's language; what follows is the guild's.
  const [, ...words] = content.split('\n')
  return (
    <p className={styles.welcome}>
      {t.welcome(nameOf(author))} <time dateTime={new Date(at).toISOString()}>{clockLabel(at, locale)}</time>
      {words.map((line) => `\n${line}`)}
      {props.children}
    </p>
  )
}

/** The picture of the author. The name is a button to the same place, for keyboard and screen reader. */
function AuthorPicture({ author, onPress }: { author: Author; onPress: () => void }) {
  return (
    <button
      type="button"
      className={styles.face}
      data-part="face"
      tabIndex={-1}
      aria-hidden="true"
      onClick={onPress}
    >
      <Avatar of={author} size={40} />
    </button>
  )
}

/** What the message says, with what it answers and what it links to; a line in its place if that fails. */
function Content(props: { message: Message; context: MessageContext; onJump: (id: string) => void }) {
  const { message, context } = props
  const t = useText(text)
  const tCard = useText(invalidText)
  const isCard = kindOf(message.type, 'specification') === 'card'
  return (
    <ErrorBoundary
      resetKey={message.content}
      fallback={<Unsupported>{isCard ? tCard.invalid : t.unsupported}</Unsupported>}
    >
      <QuotedMessage {...props} />
      <MessageContent message={message} context={context} />
      {message.embeds.length > 0 && <Embeds all={message.embeds} />}
      <Invites message={message} own={message.author.id === context.me.id} />
    </ErrorBoundary>
  )
}

function Pinned() {
  const t = useText(text)
  return (
    <p className={styles.pinned}>
      <PinIcon size={14} />
      {t.pinned}
    </p>
  )
}

function MenuButton({ message, onPress }: { message: Message; onPress: () => void }) {
  const t = useText(text)
  return (
    <button
      type="button"
      className={styles.more}
      data-part="message-menu-button"
      aria-label={t.moreActions(nameOf(message.author))}
      onClick={onPress}
    >
      <MoreIcon size={20} />
    </button>
  )
}

/** Invite links of this server are shown as cards. chat.md §5. */
function Invites({ message, own }: { message: Message; own: boolean }) {
  const kind = kindOf(message.type, 'specification')
  const codes =
    kind === 'kmarkdown' || kind === 'text'
      ? ownCodesIn(message.content, location.host, MESSAGE_INVITES_MAX)
      : []
  return codes.map((code) => (
    <Suspense key={code} fallback={<div className={styles.invitePlaceholder} />}>
      <InviteCard code={code} own={own} />
    </Suspense>
  ))
}
