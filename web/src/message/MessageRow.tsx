import { ownCodesIn } from '@guildhall/wire/card/invite.ts'
import type { Guild } from '@guildhall/wire/channel/channel.ts'
import { emojiAlone } from '@guildhall/wire/kmarkdown/jumbo.ts'
import { parse, parseLegacy, withoutOverrides } from '@guildhall/wire/kmarkdown/kmarkdown.ts'
import { mediaKinds } from '@guildhall/wire/message/attachment.ts'
import { emojiCharacters } from '@guildhall/wire/message/emoji.ts'
import { kindOf } from '@guildhall/wire/message/kind.ts'
import { isMentioned } from '@guildhall/wire/message/mentioned.ts'
import type { Emoji, Message } from '@guildhall/wire/message/message.ts'
import { quoteIn } from '@guildhall/wire/message/quote.ts'
import type { Self } from '@guildhall/wire/user/user.ts'
import { lazy, memo, Suspense, useMemo } from 'react'
import { likelyCardHeight } from '../card/cardHeight.ts'
import { useLocale, useText } from '../kit/i18n.ts'
import { useTheme } from '../kit/theme.ts'
import { clockLabel, timeLabel } from '../kit/time.ts'
import { CustomEmoji, KMarkdown } from '../kmarkdown/KMarkdown.tsx'
import { namesIn, pictureOf } from '../kmarkdown/names.ts'
import { Embeds } from '../media/Embeds.tsx'
import { Media } from '../media/Media.tsx'
import type { Outgoing } from '../roomStore/room.ts'
import { text } from '../roomStore/text.ts'
import { readable } from '../ui/contrast.ts'
import { AlertIcon, ClockIcon, MoreIcon, PinIcon } from '../ui/icons.tsx'
import { Avatar, Spinner } from '../ui/parts.tsx'
import { QuietLine } from './EphemeralNotice.tsx'
import { Guard } from './ErrorBoundary.tsx'
import { Quoted } from './Quoted.tsx'
import { mayReact, type Rights } from './rights.ts'
import { useLongPress } from './useLongPress.ts'

const Cards = lazy(() => import('../card/Cards.tsx'))
const InviteCard = lazy(() => import('../card/InviteCard.tsx'))
/** Of one message so many invites are shown. */
const INVITES_MAX = 2

/** The guild's names and colours behind ids, as far as the page knows them. */
export interface Place {
  readonly me: Self
  readonly guild: Guild | null
}

/** The colour of a member's name: that of the highest role that has one. protocol.md §5.1. */
function roleColor(roles: readonly number[], guild: Guild | null): number {
  const own = guild?.roles.filter((role) => role.color !== 0 && roles.includes(role.role_id)) ?? []
  return own.sort((a, b) => a.position - b.position)[0]?.color ?? 0
}

/** What a row tells of. The same object as long as the room is open, or every row would be drawn anew. */
export interface RowTells {
  readonly menu: (message: Message) => void
  readonly react: (message: Message, emoji: Emoji) => void
  /** Goes to a message, the one that is answered. */
  readonly jump: (id: string) => void
  /** Puts away what the reader alone sees. */
  readonly dismiss: (id: string) => void
}

/** A message in the list. chat.md §2 "Text room" and §3 "Message types". */
export const MessageRow = memo(function MessageRow(props: {
  message: Message
  head: boolean
  now: number
  place: Place
  rights: Rights
  on: RowTells
  /** The reader just jumped here. */
  flash?: boolean
  /** One person alone sees it so: who. */
  quietTo?: string | undefined
}) {
  const { message, head, place, rights, on } = props
  const press = useLongPress(() => on.menu(message))
  const t = useText(text)
  const locale = useLocale()
  const theme = useTheme()
  const { author } = message
  const name = author.nickname || author.username
  const color = readable(roleColor(author.roles, place.guild), theme)
  const mentioned =
    message.author.id !== place.me.id && isMentioned(message, place.me.id, place.guild?.my_roles ?? [])
  const at = new Date(message.create_at).toISOString()

  if (kindOf(message.type, 'specification') === 'welcome')
    return (
      <p className="message-welcome">
        {t.welcome(name)} <time dateTime={at}>{clockLabel(message.create_at, locale)}</time>
      </p>
    )
  return (
    <article
      className="message message-stored"
      tabIndex={-1}
      data-head={head || undefined}
      data-mentioned={mentioned || undefined}
      data-quiet={props.quietTo !== undefined || undefined}
      data-flash={props.flash || undefined}
      {...press}
    >
      {head && <Avatar id={author.id} name={name} src={author.avatar} size={40} />}
      <div className="message-body">
        <p className={head ? 'message-who' : 'unseen'}>
          <b className="message-name" style={color ? { color } : undefined}>
            {name}
          </b>
          {author.bot && <span className="message-bot">{t.bot}</span>}
          <time className="message-time" dateTime={at}>
            {timeLabel(message.create_at, props.now, locale)}
          </time>
        </p>
        <Guard
          of={message.content}
          broken={
            <p className="message-words message-strange">
              {kindOf(message.type, 'specification') === 'card' ? t.cardBroken : t.unsupported}
            </p>
          }
        >
          <Answered message={message} place={place} onJump={on.jump} />
          <Words message={message} place={place} />
          {message.embeds.length > 0 && <Embeds all={message.embeds} />}
          <Invites message={message} own={message.author.id === place.me.id} />
        </Guard>
        {props.quietTo !== undefined && (
          <QuietLine isMine={props.quietTo === place.me.id} onDismiss={() => on.dismiss(message.id)} />
        )}
        {message.is_pinned && (
          <p className="message-pinned">
            <PinIcon size={14} />
            {t.pinned}
          </p>
        )}
        {message.reactions.length > 0 && (
          <ul className="reactions" aria-label={t.react}>
            {message.reactions.map(({ emoji, count, me }) => (
              <li key={emoji.id}>
                <button
                  type="button"
                  className="reaction"
                  aria-pressed={me}
                  aria-label={t.reaction(emoji.name || emoji.id, count)}
                  disabled={!mayReact(message, emoji.id, rights)}
                  onClick={() => on.react(message, emoji)}
                >
                  <span className="reaction-emoji">
                    {emojiCharacters(emoji.id) ?? (
                      <CustomEmoji name={emoji.name || emoji.id} src={pictureOf(emoji.id)} />
                    )}
                  </span>
                  <span>{count}</span>
                </button>
              </li>
            ))}
          </ul>
        )}
      </div>
      <button
        type="button"
        className="message-more"
        aria-label={t.more(name)}
        onClick={() => on.menu(message)}
      >
        <MoreIcon size={20} />
      </button>
    </article>
  )
})

/** Links to invites of this house are shown as what they lead to. chat.md §5. */
function Invites({ message, own }: { message: Message; own: boolean }) {
  const kind = kindOf(message.type, 'specification')
  const codes =
    kind === 'kmarkdown' || kind === 'text' ? ownCodesIn(message.content, location.host, INVITES_MAX) : []
  return codes.map((code) => (
    <Suspense key={code} fallback={<div className="message-invite" />}>
      <InviteCard code={code} own={own} />
    </Suspense>
  ))
}

function Answered(props: { message: Message; place: Place; onJump: (id: string) => void }) {
  const { message, place } = props
  const english = useLocale() === 'en'
  const quote = useMemo(() => quoteIn(message), [message])
  const names = useMemo(() => namesIn(null, place.guild, english), [place.guild, english])
  return quote && <Quoted quote={quote} names={names} onJump={props.onJump} />
}

function Words({ message, place }: { message: Message; place: Place }) {
  const t = useText(text)
  const english = useLocale() === 'en'
  const kind = kindOf(message.type, 'specification')
  const nodes = useMemo(() => {
    if (kind === 'kmarkdown') return parse(message.content)
    return kind === 'text' ? parseLegacy(message.content) : []
  }, [kind, message.content])
  const names = useMemo(() => namesIn(message, place.guild, english), [message, place.guild, english])
  if (kind === 'kmarkdown' || kind === 'text')
    return (
      <div className="message-words" data-jumbo={emojiAlone(nodes) > 0 || undefined}>
        <KMarkdown
          nodes={nodes}
          names={names}
          reader={{ id: place.me.id, roles: place.guild?.my_roles ?? [] }}
        />
        {message.updated_at > 0 && <span className="message-edited">{t.edited}</span>}
      </div>
    )
  if (kind === 'card')
    return (
      <>
        <Suspense
          fallback={<div className="message-cards" style={{ height: likelyCardHeight(message.content) }} />}
        >
          <Cards
            content={message.content}
            place={{
              messageId: message.id,
              names,
              reader: { id: place.me.id, roles: place.guild?.my_roles ?? [] },
              own: message.author.id === place.me.id,
            }}
          />
        </Suspense>
        {message.updated_at > 0 && <span className="message-edited">{t.edited}</span>}
      </>
    )
  if (kind === 'plain') return <div className="message-words">{withoutOverrides(message.content)}</div>
  if (kind !== null && kind in mediaKinds) return <Media it={message} />
  return <div className="message-words message-strange">{kind === null ? t.unknown : t.unsupported}</div>
}

/** A message on its way, drawn as it will stand. */
export function OutgoingRow(props: {
  outgoing: Outgoing
  head: boolean
  now: number
  place: Place
  /** It waits for the network. */
  isWaiting: boolean
  onRetry: () => void
  onDiscard: () => void
}) {
  const { outgoing, head, place } = props
  const t = useText(text)
  const locale = useLocale()
  const theme = useTheme()
  const english = locale === 'en'
  const nodes = useMemo(
    () => (outgoing.media ? [] : parse(outgoing.content)),
    [outgoing.media, outgoing.content],
  )
  const names = useMemo(
    () => namesIn(null, place.guild, english, outgoing.names),
    [place.guild, english, outgoing.names],
  )
  const { me, guild } = place
  const name = guild?.user_config.nickname || me.username
  const color = readable(roleColor(guild?.my_roles ?? [], guild), theme)
  const failed = outgoing.state === 'failed'
  const waiting = outgoing.state === 'queued' && props.isWaiting
  return (
    <article className="message" data-head={head || undefined} data-state={outgoing.state}>
      {head && <Avatar id={me.id} name={name} src={me.avatar} size={40} />}
      <div className="message-body">
        <p className={head ? 'message-who' : 'unseen'}>
          <b className="message-name" style={color ? { color } : undefined}>
            {name}
          </b>
          <time className="message-time">{timeLabel(outgoing.at, props.now, locale)}</time>
        </p>
        {outgoing.quote && <Quoted quote={outgoing.quote} names={names} />}
        {outgoing.media && <Media it={{ ...outgoing.media, content: outgoing.content }} />}
        <div className="message-words" data-jumbo={emojiAlone(nodes) > 0 || undefined}>
          {!outgoing.media && (
            <KMarkdown nodes={nodes} names={names} reader={{ id: me.id, roles: guild?.my_roles ?? [] }} />
          )}
          {!failed && !waiting && (
            <span className="message-sending" role="img" aria-label={t.sending}>
              <Spinner size={12} />
            </span>
          )}
        </div>
        {waiting && (
          <p className="message-waiting" role="status">
            <ClockIcon size={14} />
            {t.waiting}
          </p>
        )}
        {failed && (
          <div className="message-failed" role="alert">
            <AlertIcon size={16} />
            <span className="message-why">
              {t.failed}
              {outgoing.why && ` · ${outgoing.why}`}
            </span>
            <button type="button" className="message-act" onClick={props.onRetry}>
              {t.retry}
            </button>
            <button type="button" className="message-act message-act-danger" onClick={props.onDiscard}>
              {t.remove}
            </button>
          </div>
        )}
      </div>
    </article>
  )
}
