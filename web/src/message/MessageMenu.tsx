import type { Guild } from '@guildhall/wire/channel/channel.ts'
import { mentionText } from '@guildhall/wire/kmarkdown/kmarkdown.ts'
import { emojiId } from '@guildhall/wire/message/emoji.ts'
import { kindOf } from '@guildhall/wire/message/kind.ts'
import { COMPOSER_MAX, type Emoji, type Message } from '@guildhall/wire/message/message.ts'
import { canManageMessages, canReact } from '@guildhall/wire/permission/permission.ts'
import { useMemo, useRef, useState } from 'react'
import { EmojiBoard, useNamedEmoji } from '../emoji/emoji.tsx'
import type { CallFailure } from '../kit/call.ts'
import { copyWords } from '../kit/clipboard.ts'
import { useLocale, useText } from '../kit/i18n.ts'
import { CloseIcon, CopyIcon, EditIcon, PinIcon, ReplyIcon, TrashIcon } from '../ui/icons.tsx'
import { Button } from '../ui/parts.tsx'
import { Dialog, Sheet } from '../ui/Sheet.tsx'
import { toast } from '../ui/Toast.tsx'
import { EmojiIcon } from './EmojiDock.tsx'
import type { LiveRoom } from './message.ts'
import { namesIn } from './names.ts'
import { text } from './text.ts'
import { calledIn, decoded, encoded, type Written } from './token.ts'
import { useField } from './useField.ts'
import { useMention } from './useMention.tsx'

/** What is offered first. */
const QUICK: readonly Emoji[] = ['👍', '❤️', '😂', '🎉', '😮', '🙏'].map((name) => ({
  id: emojiId(name),
  name,
}))

/** What a reader may do here. */
export interface Rights {
  readonly meId: string
  readonly mobile_verified: boolean
  readonly permissions: number
  readonly canSend: boolean
}

/** Whether a reader may put this emoji on a message, or take their own back. */
export function mayReact(message: Message, id: string, rights: Rights): boolean {
  const known = message.reactions.find((it) => it.emoji.id === id)
  return known?.me === true || canReact(rights, known === undefined)
}

/** Says why something did not happen; null: it did. */
export const complain = (failure: CallFailure | null): void => {
  if (failure) toast(failure.message)
}

/** What can be done with a message: reactions at hand, then what its reader has the right to. protocol.md §8.4. */
export function MessageMenu(props: {
  message: Message
  rights: Rights
  /** Whose names and emoji there are; null until it is known. */
  guild: Guild | null
  actions: LiveRoom
  /** One person alone sees it so. */
  isQuiet: boolean
  onReply: () => void
  onClose: () => void
}) {
  const { message, rights, actions, onClose } = props
  const t = useText(text)
  const [step, setStep] = useState<'menu' | 'emoji' | 'edit' | 'delete'>('menu')
  const isOwn = message.author.id === rights.meId
  const isManager = canManageMessages(rights.permissions)
  const isWords = kindOf(message.type, 'specification') === 'kmarkdown'
  const name = message.author.nickname || message.author.username

  if (step === 'edit') return <EditSheet {...props} />
  if (step === 'delete')
    return (
      <Dialog
        title={t.deleteTitle}
        words={t.deleteWords}
        confirm={t.remove}
        danger
        onConfirm={() => {
          onClose()
          void actions.remove(message.id).then(complain)
        }}
        onClose={onClose}
      />
    )

  const react = (emoji: Emoji) => {
    const isOn = message.reactions.some((it) => it.me && it.emoji.id === emoji.id)
    onClose()
    void actions.act(message.id, { kind: isOn ? 'unreact' : 'react', emoji }).then(complain)
  }
  if (step === 'emoji' && props.guild)
    return (
      <Sheet title={t.react} onClose={onClose}>
        <div className="menu-emoji">
          <EmojiBoard guildId={props.guild.id} guildName={props.guild.name} onPick={react} />
        </div>
      </Sheet>
    )
  const copy = async () => {
    onClose()
    const isCopied = await copyWords(message.kmarkdown.raw_content)
    toast(isCopied ? t.copied : t.copyFailed)
  }
  if (props.isQuiet)
    return (
      <Sheet title={t.messageOf(name)} onClose={onClose}>
        <div className="menu">
          <button type="button" className="menu-item" onClick={() => void copy()}>
            <CopyIcon />
            <span className="menu-item-words">{t.copy}</span>
          </button>
          <button
            type="button"
            className="menu-item"
            onClick={() => {
              onClose()
              actions.dismiss(message.id)
            }}
          >
            <CloseIcon />
            <span className="menu-item-words">{t.dismiss}</span>
          </button>
        </div>
      </Sheet>
    )
  const quick = QUICK.filter((emoji) => mayReact(message, emoji.id, rights))
  return (
    <Sheet title={t.messageOf(name)} onClose={onClose}>
      {quick.length > 0 && (
        <ul className="quick" aria-label={t.react}>
          {quick.map((emoji) => (
            <li key={emoji.id}>
              <button
                type="button"
                className="quick-emoji"
                aria-pressed={message.reactions.some((it) => it.me && it.emoji.id === emoji.id)}
                onClick={() => react(emoji)}
              >
                {emoji.name}
              </button>
            </li>
          ))}
          {props.guild && canReact(rights, true) && (
            <li>
              <button
                type="button"
                className="quick-more"
                aria-label={t.moreEmoji}
                title={t.moreEmoji}
                onClick={() => setStep('emoji')}
              >
                <EmojiIcon size={24} />
              </button>
            </li>
          )}
        </ul>
      )}
      <div className="menu">
        {rights.canSend && (
          <button
            type="button"
            className="menu-item"
            onClick={() => {
              onClose()
              props.onReply()
            }}
          >
            <ReplyIcon />
            <span className="menu-item-words">{t.reply}</span>
          </button>
        )}
        <button type="button" className="menu-item" onClick={() => void copy()}>
          <CopyIcon />
          <span className="menu-item-words">{t.copy}</span>
        </button>
        {isOwn && isWords && rights.canSend && (
          <button type="button" className="menu-item" onClick={() => setStep('edit')}>
            <EditIcon />
            <span className="menu-item-words">{t.edit}</span>
          </button>
        )}
        {isManager && (
          <button
            type="button"
            className="menu-item"
            onClick={() => {
              onClose()
              void actions.act(message.id, { kind: message.is_pinned ? 'unpin' : 'pin' }).then(complain)
            }}
          >
            <PinIcon />
            <span className="menu-item-words">{message.is_pinned ? t.unpin : t.pin}</span>
          </button>
        )}
        {(isOwn || isManager) && (
          <button type="button" className="menu-item menu-item-danger" onClick={() => setStep('delete')}>
            <TrashIcon />
            <span className="menu-item-words">{t.remove}</span>
          </button>
        )}
      </div>
    </Sheet>
  )
}

/** What is edited, its tokens as the names they stand for. */
function writtenOf(message: Message, guild: Guild | null, english: boolean): Written {
  const names = namesIn(message, guild, english)
  const isKnown = (tag: 'met' | 'rol' | 'chn', value: string) => {
    if (tag === 'rol') return names.role(Number(value)) !== null
    if (tag === 'chn') return names.channel(value) !== null
    return value === 'all' || value === 'here' || names.user(value) !== null
  }
  return decoded(message.content, (node) => {
    if (node.tagName === 'emj') return `:${names.emojiName?.(node.id) ?? node.name}:`
    return isKnown(node.tagName, node.value) ? mentionText(node.tagName, node.value, names) : null
  })
}

function EditSheet(props: {
  message: Message
  rights: Rights
  guild: Guild | null
  actions: LiveRoom
  onClose: () => void
}) {
  const t = useText(text)
  const english = useLocale() === 'en'
  const { message, guild, rights } = props
  const [written, setWritten] = useState(() => writtenOf(message, guild, english))
  const box = useRef<HTMLTextAreaElement>(null)
  const place = guild && { guild, channelId: message.channel_id, permissions: rights.permissions }
  const field = useField(box, written, setWritten)
  const mention = useMention(box, written, place, field.apply)
  const { words } = written
  const named = useNamedEmoji(message.guild_id, words)
  const content = useMemo(() => encoded(written, named).trim(), [written, named])
  const left = COMPOSER_MAX - content.length
  return (
    <Sheet title={t.editTitle} onClose={props.onClose}>
      <form
        className="edit"
        onSubmit={(event) => {
          event.preventDefault()
          props.onClose()
          if (content === props.message.content) return
          const doing = { kind: 'edit', content, names: calledIn(written) } as const
          void props.actions.act(props.message.id, doing).then(complain)
        }}
      >
        {mention.list}
        <textarea
          data-first
          ref={box}
          className="edit-input"
          rows={5}
          value={words}
          aria-label={t.input}
          aria-invalid={left < 0 || undefined}
          {...mention.field}
          onKeyDownCapture={(event) => {
            // On its way down: the sheet closes at Escape, and this one closes the list.
            if (mention.onKeyDown(event)) event.stopPropagation()
          }}
          onChange={(event) => mention.onTyped(field.onChange(event))}
          onCopy={field.onCopy}
          onCut={field.onCopy}
          onPaste={field.onPaste}
        />
        {left < 0 && (
          <p className="composer-count" data-over aria-live="polite">
            {t.over(-left)}
          </p>
        )}
        <Button type="submit" disabled={words.trim() === '' || left < 0}>
          {t.save}
        </Button>
      </form>
    </Sheet>
  )
}
