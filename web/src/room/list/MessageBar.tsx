import { kindOf } from '@guildhall/wire/message/kind.ts'
import type { Message } from '@guildhall/wire/message/message.ts'
import { canReact } from '@guildhall/wire/permission/permission.ts'
import { type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { readStored } from '../../kit/browser/storage.ts'
import { clockLabel } from '../../kit/format/time.ts'
import { useLocale, useText } from '../../kit/i18n.ts'
import { EmojiIcon } from '../../message/EmojiIcon.tsx'
import { sheetText } from '../../message/menu/sheetText.ts'
import type { Rights } from '../../message/rights.ts'
import { text as messageText } from '../../message/text.ts'
import { EditIcon } from '../../ui/icon/channelIcons.tsx'
import { MoreIcon, ReplyIcon } from '../../ui/icon/icons.tsx'
import { choosable, stepped } from '../choose/chosen.ts'
import type { ChosenMessage } from '../sheet/ListSheets.tsx'
import { OWN_TAPS, rowAt } from '../tools/rowAt.ts'
import styles from './MessageBar.module.css'
import type { Row } from './rows.ts'

export interface MessageBarProps {
  scroller: RefObject<HTMLElement | null>
  rows: readonly Row[]
  rights: Rights
  open: ChosenMessage | null
  onReply: (message: Message) => void
  onOpen: (open: ChosenMessage) => void
}

/** How far the bar stands above the upper edge of its message, px. */
const LIFTED = 16

/** So long after the list scrolled it rests, ms. */
const RESTS_MS = 100

/**
 * For a mouse: what is most often done with the message under the pointer, beside it, and when it was sent
 * where its group does not say. A double click replies, or what was chosen instead. A keyboard has the menu.
 */
export default function MessageBar(props: MessageBarProps) {
  const { rows, rights, onReply, onOpen } = props
  const t = useText(sheetText)
  const tRow = useText(messageText)
  const locale = useLocale()
  const latest = useRef(props)
  latest.current = props
  const under = useUnderMouse(latest)
  useEditLast(latest)
  useShiftArrows(latest)
  const row = rows.find((it) => it.kind === 'message' && it.message.id === under?.id)
  if (!under || row?.kind !== 'message' || props.open?.chosen) return null
  const { message, head } = row
  return (
    <>
      {!head && (
        <time className={styles.time} style={{ top: under.top }} aria-hidden="true">
          {clockLabel(message.create_at, locale)}
        </time>
      )}
      <div
        className={styles.bar}
        style={{ top: Math.max(0, under.top - LIFTED) }}
        role="toolbar"
        aria-label={t.messageOf(nameOf(message))}
      >
        {canReact(rights, true) && (
          <BarButton label={t.moreEmoji} onPress={() => onOpen({ id: message.id, step: 'emoji' })}>
            <EmojiIcon size={20} />
          </BarButton>
        )}
        {rights.canSend && (
          <BarButton label={t.reply} onPress={() => onReply(message)}>
            <ReplyIcon size={20} />
          </BarButton>
        )}
        {mayEdit(message, rights) && (
          <BarButton label={t.edit} onPress={() => onOpen({ id: message.id, step: 'edit' })}>
            <EditIcon size={20} />
          </BarButton>
        )}
        <BarButton label={tRow.moreActions(nameOf(message))} onPress={() => onOpen({ id: message.id })}>
          <MoreIcon size={20} />
        </BarButton>
      </div>
    </>
  )
}

/** A message and where its row begins below the upper edge of the list, px. */
interface Under {
  readonly id: string
  readonly top: number
}

/** The message under the mouse; null: none. */
function useUnderMouse(latest: RefObject<MessageBarProps>): Under | null {
  const [under, setUnder] = useState<Under | null>(null)
  useLayoutEffect(() => {
    const box = latest.current.scroller.current
    const list = box?.parentElement
    if (!box || !list) return
    let mouse: { readonly x: number; readonly y: number } | null = null
    let resting: ReturnType<typeof setTimeout> | undefined
    const show = (target: Element | null) => {
      const found = target && rowAt(target, latest.current.rows)
      if (!found) return setUnder(null)
      const top = found.element.getBoundingClientRect().top - list.getBoundingClientRect().top
      setUnder({ id: found.row.message.id, top })
    }
    const leave = () => {
      mouse = null
      setUnder(null)
    }
    const over = ({ target, pointerType }: PointerEvent) => {
      if (pointerType !== 'mouse') return leave()
      if (box.contains(target as Node)) show(target as Element)
    }
    const moved = ({ clientX: x, clientY: y }: PointerEvent) => {
      mouse = { x, y }
    }
    // Other rows come under a mouse that rests, when a message arrives too.
    const scrolled = () => {
      setUnder(null)
      clearTimeout(resting)
      resting = setTimeout(() => show(mouse && document.elementFromPoint(mouse.x, mouse.y)), RESTS_MS)
    }
    const twice = ({ target }: MouseEvent) => {
      if ((target as Element).closest(OWN_TAPS)) return
      const found = rowAt(target as Element, latest.current.rows)
      if (found) doubleClicked(found.row.message, latest.current)
    }
    // The mouse may rest on a message since before this was loaded.
    const rested = box.querySelector('[data-part=message]:hover')
    if (rested && matchMedia('(hover: hover)').matches) {
      const { left, top, height } = rested.getBoundingClientRect()
      mouse = { x: left + 1, y: top + height / 2 }
      show(rested)
    }
    list.addEventListener('pointerover', over)
    list.addEventListener('pointermove', moved)
    list.addEventListener('pointerleave', leave)
    box.addEventListener('scroll', scrolled, { passive: true })
    box.addEventListener('dblclick', twice)
    return () => {
      clearTimeout(resting)
      list.removeEventListener('pointerover', over)
      list.removeEventListener('pointermove', moved)
      list.removeEventListener('pointerleave', leave)
      box.removeEventListener('scroll', scrolled)
      box.removeEventListener('dblclick', twice)
    }
  }, [latest])
  return under
}

/** Shift with an arrow chooses the message that had the focus and the one that gets it. */
function useShiftArrows(latest: RefObject<MessageBarProps>): void {
  useLayoutEffect(() => {
    const box = latest.current.scroller.current
    const onKey = ({ key, shiftKey, target }: KeyboardEvent) => {
      const by = key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0
      const { rows, open, onOpen } = latest.current
      const from = rowAt(target as Element, rows)
      if (by === 0 || !shiftKey || !from || from.element !== target) return
      const all = choosable(rows)
      const to = all[all.indexOf(from.row.message) + by]
      const chosen = to && stepped(open?.chosen ?? [], from.row.message, to)
      if (chosen) onOpen({ id: to.id, chosen })
    }
    box?.addEventListener('keydown', onKey)
    return () => box?.removeEventListener('keydown', onKey)
  }, [latest])
}

/** ↑ in an empty field edits one's last message. */
function useEditLast(latest: RefObject<MessageBarProps>): void {
  useLayoutEffect(() => {
    // What is typed after the key must not wait for the field.
    import('../../composer/EditField.tsx').catch(() => undefined)
    const onKey = (event: KeyboardEvent) => {
      const field = event.target
      const isPlain = !(event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || event.isComposing)
      if (event.key !== 'ArrowUp' || !isPlain || event.defaultPrevented || readStored('keys') === 'off')
        return
      if (!(field instanceof HTMLTextAreaElement) || field.value !== '') return
      if (field.dataset.part !== 'composer-input') return
      const { rows, rights, onOpen } = latest.current
      const last = rows.findLast(
        (it) => it.kind === 'outgoing' || (it.kind === 'message' && mayEdit(it.message, rights)),
      )
      // The last one is still on its way: the one before it is not meant.
      if (last?.kind !== 'message') return
      event.preventDefault()
      onOpen({ id: last.message.id, step: 'edit' })
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [latest])
}

const nameOf = ({ author }: Message): string => author.nickname || author.username

const mayEdit = (message: Message, { meId, canSend }: Rights): boolean =>
  canSend && message.author.id === meId && kindOf(message.type, 'specification') === 'kmarkdown'

function doubleClicked(message: Message, { rights, onReply, onOpen }: MessageBarProps): void {
  const act = readStored('double_click') ?? 'reply'
  if (act === 'none' || !rights.canSend || (act === 'edit' && !mayEdit(message, rights))) return
  // The word that the click has selected is not meant.
  getSelection()?.removeAllRanges()
  if (act === 'reply') onReply(message)
  else onOpen({ id: message.id, step: 'edit' })
}

/** Not in the order of Tab: each message has a button for the keyboard. */
const BarButton = (props: { label: string; onPress: () => void; children: ReactNode }) => (
  <button
    type="button"
    className={styles.button}
    tabIndex={-1}
    aria-label={props.label}
    title={props.label}
    onClick={props.onPress}
  >
    {props.children}
  </button>
)
