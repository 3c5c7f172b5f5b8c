import type { Guild } from '@guildhall/wire/channel/channel.ts'
import { emojiId } from '@guildhall/wire/message/emoji.ts'
import { kindOf } from '@guildhall/wire/message/kind.ts'
import type { Emoji, Message } from '@guildhall/wire/message/message.ts'
import { canManageMessages, canReact } from '@guildhall/wire/permission/permission.ts'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { EmojiBoard } from '../../emoji/emoji.tsx'
import { copyText } from '../../kit/browser/clipboard.ts'
import { useText } from '../../kit/i18n.ts'
import { paths } from '../../kit/paths.ts'
import { openReport } from '../../kit/report.ts'
import { reportText } from '../../kit/reportText.ts'
import { text as kmarkdownText } from '../../kmarkdown/text.ts'
import type { RoomController } from '../../roomStore/roomController.ts'
import { EditIcon } from '../../ui/icon/channelIcons.tsx'
import { CloseIcon, CopyIcon, PinIcon, ReplyIcon } from '../../ui/icon/icons.tsx'
import {
  CheckIcon,
  FlagIcon,
  ForwardIcon,
  LinkIcon,
  SelectIcon,
  TrashIcon,
} from '../../ui/icon/laterIcons.tsx'
import { Dialog } from '../../ui/overlay/Dialog.tsx'
import menuStyles from '../../ui/overlay/Menu.module.css'
import { MenuItem } from '../../ui/overlay/MenuItem.tsx'
import { Sheet } from '../../ui/overlay/Sheet.tsx'
import { toast } from '../../ui/overlay/Toast.tsx'
import { EmojiIcon } from '../EmojiIcon.tsx'
import { hasReacted, mayReact, type Rights } from '../rights.ts'
import { text } from '../text.ts'
import { toastFailure } from '../toastFailure.ts'
import { toggleReaction } from '../toggleReaction.ts'
import styles from './MessageMenu.module.css'
import { PressedItems } from './PressedItems.tsx'
import SelectText from './SelectText.tsx'
import { sheetText } from './sheetText.ts'

/** Quick reactions. */
const QUICK: readonly Emoji[] = ['👍', '❤️', '😂', '🎉', '😮', '🙏'].map((name) => ({
  id: emojiId(name),
  name,
}))

/** The kinds that can be forwarded; cards belong to their bots. */
const FORWARDED: ReadonlySet<string> = new Set(['text', 'kmarkdown', 'image', 'file', 'video', 'voice'])

/** Whether a message can be forwarded. */
export const isForwarded = ({ type }: Message): boolean => FORWARDED.has(kindOf(type, 'specification') ?? '')

interface MenuProps {
  message: Message
  rights: Rights
  actions: RoomController
  onReply: () => void
  onEdit: () => void
  onForward: () => void
  /** Several messages are to be chosen, this one first. */
  onChoose: () => void
  onShowReactors: () => void
  onClose: () => void
}

/** The menu of a message, and what it leads to. protocol.md §8.4. */
export function MessageMenu(
  props: MenuProps & {
    /** Null until it is loaded. */
    guild: Guild | null
    /** It opens with all emoji to react with. */
    isEmojiOpen?: boolean
    /** What was pressed of the message. */
    at: Element | undefined
    /** The message is ephemeral or has an ephemeral edit. */
    isEphemeral: boolean
  },
) {
  const { message, actions, guild, onClose } = props
  const [step, setStep] = useState<'menu' | 'emoji' | 'delete' | 'text'>(props.isEmojiOpen ? 'emoji' : 'menu')
  const react = (emoji: Emoji) => {
    onClose()
    toggleReaction(actions, message, emoji)
  }
  if (step === 'delete') return <DeleteDialog message={message} actions={actions} onClose={onClose} />
  if (step === 'text') return <SelectText message={message} onClose={onClose} />
  if (step === 'emoji') return <EmojiSheet guild={guild} onPick={react} onClose={onClose} />
  return (
    <MenuSheet message={message} onClose={onClose}>
      {props.isEphemeral ? (
        <EphemeralMenu message={message} actions={actions} onClose={onClose} />
      ) : (
        <>
          <QuickReactions
            message={message}
            rights={props.rights}
            onReact={react}
            onMore={guild || message.guild_id === '' ? () => setStep('emoji') : null}
          />
          <PressedItems at={props.at} onClose={onClose} />
          <MenuItems {...props} onDelete={() => setStep('delete')} onSelect={() => setStep('text')} />
        </>
      )}
    </MenuSheet>
  )
}

const nameOf = ({ author }: Message): string => author.nickname || author.username

function MenuSheet(props: { message: Message; onClose: () => void; children: ReactNode }) {
  const t = useText(sheetText)
  return (
    <Sheet popover="menu" title={t.messageOf(nameOf(props.message))} onClose={props.onClose}>
      {props.children}
    </Sheet>
  )
}

/** Asks before a message is deleted. */
function DeleteDialog(props: { message: Message; actions: RoomController; onClose: () => void }) {
  const { message, actions, onClose } = props
  const t = useText(sheetText)
  const tRow = useText(text)
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
}

/** All emoji to react with. */
function EmojiSheet(props: { guild: Guild | null; onPick: (emoji: Emoji) => void; onClose: () => void }) {
  const { guild } = props
  const tRow = useText(text)
  const board = useRef<HTMLDivElement>(null)
  // The pressed button is gone.
  useEffect(() => board.current?.focus({ preventScroll: true }), [])
  return (
    <Sheet popover="wide" title={tRow.reactions} onClose={props.onClose}>
      <div className={styles.emojiBoard} ref={board} tabIndex={-1}>
        <EmojiBoard guildId={guild?.id ?? null} guildName={guild?.name ?? ''} onPick={props.onPick} />
      </div>
    </Sheet>
  )
}

function EphemeralMenu(props: { message: Message; actions: RoomController; onClose: () => void }) {
  const { message, actions, onClose } = props
  const tRow = useText(text)
  return (
    <div className={menuStyles.menu}>
      <CopyItem message={message} onClose={onClose} />
      <MenuItem
        icon={<CloseIcon />}
        label={tRow.dismiss}
        onPress={() => {
          onClose()
          actions.dismiss(message.id)
        }}
      />
    </div>
  )
}

function CopyItem({ message, onClose }: { message: Message; onClose: () => void }) {
  const t = useText(sheetText)
  const tKMarkdown = useText(kmarkdownText)
  const copy = async () => {
    onClose()
    const isCopied = await copyText(message.kmarkdown.raw_content)
    toast(isCopied ? tKMarkdown.copied : tKMarkdown.copyFailed)
  }
  return <MenuItem icon={<CopyIcon />} label={t.copy} onPress={() => void copy()} />
}

function CopyLinkItem({ message, onClose }: { message: Message; onClose: () => void }) {
  const t = useText(sheetText)
  const tKMarkdown = useText(kmarkdownText)
  const copyLink = async () => {
    onClose()
    const address = paths.message(message.guild_id, message.channel_id, message.id)
    const isCopied = await copyText(`${location.origin}${address}`)
    toast(isCopied ? t.linkCopied : tKMarkdown.copyFailed)
  }
  return <MenuItem icon={<LinkIcon />} label={t.copyLink} onPress={() => void copyLink()} />
}

/** A mouse chooses text where it stands. */
const isTouched = (): boolean => matchMedia('(any-pointer: coarse)').matches

/** The actions that the reader has the right to. */
function MenuItems(props: MenuProps & { onDelete: () => void; onSelect: () => void }) {
  const { message, rights, actions, onClose } = props
  const t = useText(sheetText)
  const tRow = useText(text)
  const tReport = useText(reportText)
  const kind = kindOf(message.type, 'specification')
  const isOwn = message.author.id === rights.meId
  const isManager = canManageMessages(rights.permissions)
  const hasWords = (kind === 'kmarkdown' || kind === 'text') && message.kmarkdown.raw_content !== ''
  const after = (act: () => void) => () => {
    onClose()
    act()
  }
  const pin = () =>
    void actions.act(message.id, { kind: message.is_pinned ? 'unpin' : 'pin' }).then(toastFailure)
  const report = () => openReport({ kind: 'message', ids: [message.id], name: nameOf(message) })
  return (
    <div className={menuStyles.menu}>
      {rights.canSend && <MenuItem icon={<ReplyIcon />} label={t.reply} onPress={after(props.onReply)} />}
      <CopyItem message={message} onClose={onClose} />
      {hasWords && isTouched() && (
        <MenuItem icon={<SelectIcon />} label={t.selectText} onPress={props.onSelect} />
      )}
      {message.guild_id !== '' && <CopyLinkItem message={message} onClose={onClose} />}
      {isForwarded(message) && (
        <MenuItem icon={<ForwardIcon />} label={t.forward} onPress={props.onForward} />
      )}
      <MenuItem icon={<CheckIcon />} label={t.choose} onPress={props.onChoose} />
      {message.reactions.length > 0 && (
        <MenuItem icon={<EmojiIcon />} label={t.whoReacted} onPress={props.onShowReactors} />
      )}
      {isOwn && kind === 'kmarkdown' && rights.canSend && (
        <MenuItem icon={<EditIcon />} label={t.edit} onPress={props.onEdit} />
      )}
      {isManager && (
        <MenuItem icon={<PinIcon />} label={message.is_pinned ? t.unpin : t.pin} onPress={after(pin)} />
      )}
      {!isOwn && <MenuItem icon={<FlagIcon />} label={tReport.report} onPress={after(report)} />}
      {(isOwn || isManager) && (
        <MenuItem icon={<TrashIcon />} label={tRow.remove} isDanger onPress={props.onDelete} />
      )}
    </div>
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
            aria-pressed={hasReacted(message, emoji.id)}
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
