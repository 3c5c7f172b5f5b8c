import { copyAddress, EMOJI_COPY_SIDE } from '@guildhall/wire/asset/name.ts'
import { emojiPicture } from '@guildhall/wire/emoji/emoji.ts'
import { emojiCharacters } from '@guildhall/wire/message/emoji.ts'
import type { Emoji } from '@guildhall/wire/message/message.ts'
import { type PointerEvent, useRef, useState } from 'react'
import { useText } from '../kit/i18n.ts'
import { suppressGhostClick } from '../ui/suppressGhostClick.ts'
import { type Cell, keepFocus } from './cell.ts'
import styles from './EmojiCell.module.css'
import { text } from './text.ts'

/** Long press: delay before the skin tones are shown, ms, and maximum movement, px. */
const HOLD_MS = 400
const STRAY_PX = 10

/** A cell of the grid. A long press or the context menu shows the skin tones of an emoji that has them. */
export function EmojiCell(props: {
  cell: Cell
  at: string
  column: number
  isStop: boolean
  on: { readonly pick: (it: Emoji) => void; readonly tones: (of: Cell, from: HTMLElement) => void }
}) {
  const { cell, on } = props
  const t = useText(text)
  const longPress = useRef<{ timer: ReturnType<typeof setTimeout>; x: number; y: number } | null>(null)
  /** A long press showed the tones; some browsers then fire `contextmenu` as well. */
  const isByFinger = useRef(false)
  const end = () => {
    if (longPress.current) clearTimeout(longPress.current.timer)
    longPress.current = null
  }
  const show = (from: HTMLElement) => {
    end()
    on.tones(cell, from)
  }
  const holding = cell.hasTones && {
    onPointerMove(event: PointerEvent) {
      const start = longPress.current
      if (start && Math.hypot(event.clientX - start.x, event.clientY - start.y) > STRAY_PX) end()
    },
    onPointerUp: end,
    onPointerCancel: end,
    onPointerLeave: end,
    onContextMenu(event: { preventDefault(): void; currentTarget: HTMLElement }) {
      event.preventDefault()
      if (!isByFinger.current) show(event.currentTarget)
      isByFinger.current = false
    },
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: see the grid
    <button
      type="button"
      role="gridcell"
      className={styles.cell}
      data-at={props.at}
      data-tones={cell.hasTones || undefined}
      aria-colindex={props.column + 1}
      aria-label={cell.label}
      aria-haspopup={cell.hasTones || undefined}
      title={cell.hasTones ? t.withTones(cell.label) : cell.label}
      tabIndex={props.isStop ? 0 : -1}
      onPointerDown={(event) => {
        keepFocus(event)
        isByFinger.current = false
        if (!cell.hasTones || event.button !== 0) return
        const from = event.currentTarget
        longPress.current = {
          timer: setTimeout(() => {
            isByFinger.current = true
            suppressGhostClick()
            show(from)
          }, HOLD_MS),
          x: event.clientX,
          y: event.clientY,
        }
      }}
      onClick={() => {
        end()
        on.pick(cell)
      }}
      {...holding}
    >
      <EmojiFace it={cell} />
    </button>
  )
}

/** An emoji in a cell: its characters, or its picture. */
function EmojiFace({ it }: { it: Emoji }) {
  const characters = emojiCharacters(it.id)
  const [isGone, setIsGone] = useState(false)
  if (characters !== null) return characters
  if (isGone) return <span className={styles.cellName}>{it.name}</span>
  return (
    <img
      className={styles.cellPicture}
      src={copyAddress(emojiPicture(it.id), EMOJI_COPY_SIDE)}
      alt=""
      loading="lazy"
      decoding="async"
      draggable={false}
      onError={() => setIsGone(true)}
    />
  )
}
