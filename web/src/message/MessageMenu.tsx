import type { Guild } from '@guildhall/wire/channel/channel.ts'
import { emojiId } from '@guildhall/wire/message/emoji.ts'
import { kindOf } from '@guildhall/wire/message/kind.ts'
import type { Emoji, Message } from '@guildhall/wire/message/message.ts'
import { canManageMessages, canReact } from '@guildhall/wire/permission/permission.ts'
import { useEffect, useRef, useState } from 'react'
import { EmojiBoard } from '../emoji/emoji.tsx'
import { copyText } from '../kit/clipboard.ts'
import { useText } from '../kit/i18n.ts'
import { paths } from '../kit/paths.ts'
import { openReport } from '../kit/report.ts'
import { reportText } from '../kit/reportText.ts'
import { text as kmarkdownText } from '../kmarkdown/text.ts'
import type { RoomController } from '../roomStore/roomController.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { CloseIcon, CopyIcon, EditIcon, PinIcon, ReplyIcon } from '../ui/icons.tsx'
import { FlagIcon, ForwardIcon, LinkIcon, TrashIcon } from '../ui/laterIcons.tsx'
import menuStyles from '../ui/Menu.module.css'
import { MenuItem } from '../ui/MenuItem.tsx'
import { Sheet } from '../ui/Sheet.tsx'
import { toast } from '../ui/Toast.tsx'
import { EmojiIcon } from './EmojiIcon.tsx'
import styles from './MessageMenu.module.css'
import { mayReact, type Rights } from './rights.ts'
import { sheetText } from './sheetText.ts'
import { text } from './text.ts'
import { toastFailure } from './toastFailure.ts'

/** Quick reactions. */
const QUICK: readonly Emoji[] = ['👍', '❤️', '😂', '🎉', '😮', '🙏'].map((name) => ({
  id: emojiId(name),
  name,
}))

/** The kinds that can be forwarded; cards belong to their bots. */
const FORWARDED: ReadonlySet<string> = new Set(['text', 'kmarkdown', 'image', 'file', 'video', 'voice'])

/** The menu of a message: quick reactions, then the actions its reader has the right to. protocol.md §8.4. */
export function MessageMenu(props: {
  message: Message
  rights: Rights
  /** Null until it is loaded. */
  guild: Guild | null
  actions: RoomController
  /** The message is ephemeral or has an ephemeral edit. */
  isEphemeral: boolean
  onReply: () => void
  onEdit: () => void
  onForward: () => void
  onShowReactors: () => void
  onClose: () => void
}) {
  const { message, rights, actions, onClose } = props
  const t = useText(sheetText)
  const tRow = useText(text)
  const tKMarkdown = useText(kmarkdownText)
  const tReport = useText(reportText)
  const [step, setStep] = useState<'menu' | 'emoji' | 'delete'>('menu')
  const board = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // The pressed button is gone.
    if (step === 'emoji') board.current?.focus({ preventScroll: true })
  }, [step])
  const isOwn = message.author.id === rights.meId
  const isManager = canManageMessages(rights.permissions)
  const isWords = kindOf(message.type, 'specification') === 'kmarkdown'
  const name = message.author.nickname || message.author.username
  const isPrivate = message.guild_id === ''

  if (step === 'delete')
    return (
      <Dialog
        title={t.deleteTitle}
        message={t.deleteWarning}
        confirm={tRow.remove}
        danger
        onConfirm={() => {
          onClose()
          void actions.deleteMessage(message.id).then(toastFailure)
        }}
        onClose={onClose}
      />
    )

  const react = (emoji: Emoji) => {
    const isOn = message.reactions.some((it) => it.me && it.emoji.id === emoji.id)
    onClose()
    void actions.act(message.id, { kind: isOn ? 'unreact' : 'react', emoji }).then(toastFailure)
  }
  if (step === 'emoji')
    return (
      <Sheet title={tRow.reactions} onClose={onClose}>
        <div className={styles.emojiBoard} ref={board} tabIndex={-1}>
          <EmojiBoard guildId={props.guild?.id ?? null} guildName={props.guild?.name ?? ''} onPick={react} />
        </div>
      </Sheet>
    )
  const copy = async () => {
    onClose()
    const isCopied = await copyText(message.kmarkdown.raw_content)
    toast(isCopied ? tKMarkdown.copied : tKMarkdown.copyFailed)
  }
  const copyLink = async () => {
    onClose()
    const address = paths.message(message.guild_id, message.channel_id, message.id)
    const isCopied = await copyText(`${location.origin}${address}`)
    toast(isCopied ? t.linkCopied : tKMarkdown.copyFailed)
  }
  if (props.isEphemeral)
    return (
      <Sheet title={tRow.messageOf(name)} onClose={onClose}>
        <div className={menuStyles.menu}>
          <MenuItem icon={<CopyIcon />} label={t.copy} onPress={() => void copy()} />
          <MenuItem
            icon={<CloseIcon />}
            label={tRow.dismiss}
            onPress={() => {
              onClose()
              actions.dismiss(message.id)
            }}
          />
        </div>
      </Sheet>
    )
  return (
    <Sheet title={tRow.messageOf(name)} onClose={onClose}>
      <QuickReactions
        message={message}
        rights={rights}
        onReact={react}
        onMore={props.guild || isPrivate ? () => setStep('emoji') : null}
      />
      <div className={menuStyles.menu}>
        {rights.canSend && (
          <MenuItem
            icon={<ReplyIcon />}
            label={t.reply}
            onPress={() => {
              onClose()
              props.onReply()
            }}
          />
        )}
        <MenuItem icon={<CopyIcon />} label={t.copy} onPress={() => void copy()} />
        {!isPrivate && <MenuItem icon={<LinkIcon />} label={t.copyLink} onPress={() => void copyLink()} />}
        {FORWARDED.has(kindOf(message.type, 'specification') ?? '') && (
          <MenuItem icon={<ForwardIcon />} label={t.forward} onPress={props.onForward} />
        )}
        {message.reactions.length > 0 && (
          <MenuItem icon={<EmojiIcon />} label={t.whoReacted} onPress={props.onShowReactors} />
        )}
        {isOwn && isWords && rights.canSend && (
          <MenuItem icon={<EditIcon />} label={t.edit} onPress={props.onEdit} />
        )}
        {isManager && (
          <MenuItem
            icon={<PinIcon />}
            label={message.is_pinned ? t.unpin : t.pin}
            onPress={() => {
              onClose()
              void actions.act(message.id, { kind: message.is_pinned ? 'unpin' : 'pin' }).then(toastFailure)
            }}
          />
        )}
        {!isOwn && (
          <MenuItem
            icon={<FlagIcon />}
            label={tReport.report}
            onPress={() => {
              onClose()
              openReport({ kind: 'message', id: message.id, name })
            }}
          />
        )}
        {(isOwn || isManager) && (
          <MenuItem icon={<TrashIcon />} label={tRow.remove} isDanger onPress={() => setStep('delete')} />
        )}
      </div>
    </Sheet>
  )
}

/** A row of quick reactions, and a button for all the others (`onMore`, null: not loaded). */
function QuickReactions(props: {
  message: Message
  rights: Rights
  onReact: (emoji: Emoji) => void
  onMore: (() => void) | null
}) {
  const { message, rights, onReact, onMore } = props
  const t = useText(sheetText)
  const tRow = useText(text)
  const quick = QUICK.filter((emoji) => mayReact(message, emoji.id, rights))
  if (quick.length === 0) return null
  return (
    <ul className={styles.quick} aria-label={tRow.reactions}>
      {quick.map((emoji) => (
        <li key={emoji.id}>
          <button
            type="button"
            className={styles.quickEmoji}
            data-part="quick-emoji"
            aria-pressed={message.reactions.some((it) => it.me && it.emoji.id === emoji.id)}
            onClick={() => onReact(emoji)}
          >
            {emoji.name}
          </button>
        </li>
      ))}
      {onMore && canReact(rights, true) && (
        <li>
          <button
            type="button"
            className={styles.quickMore}
            data-part="more-emoji"
            aria-label={t.moreEmoji}
            title={t.moreEmoji}
            onClick={onMore}
          >
            <EmojiIcon size={24} />
          </button>
        </li>
      )}
    </ul>
  )
}
