import { copyAddress, EMOJI_COPY_SIDE } from '@guildhall/wire/asset/pictureSize.ts'
import { emojiPicture } from '@guildhall/wire/emoji/emoji.ts'
import { emojiCharacters } from '@guildhall/wire/message/emoji.ts'
import type { Emoji } from '@guildhall/wire/message/message.ts'
import { type MouseEvent, type PointerEvent, useRef } from 'react'
import { useText } from '../kit/i18n.ts'
import { useFailedLoad } from '../kit/picture/useFailedLoad.ts'
import { suppressGhostClick } from '../ui/overlay/suppressGhostClick.ts'
import { type Cell, keepFocus } from './cell.ts'
import styles from './EmojiCell.module.css'
import { text } from './text.ts'

/** Long press: delay before the skin tones are shown, ms, and maximum movement, px. */
const HOLD_MS = 400
const STRAY_PX = 10

/** What cells do. The same object at every render, or every row is rendered again. */
export interface CellActions {
  readonly pick: (emoji: Emoji) => void
  /** Shows the skin tones of a cell at its element. */
  readonly tones: (of: Cell, from: HTMLElement) => void
}

/** A cell of the grid. A long press or the context menu shows the skin tones of an emoji that has them. */
export function EmojiCell(props: {
  cell: Cell
  at: string
  column: number
  isStop: boolean
  on: CellActions
}) {
  const { cell, on } = props
  const { hasTones, label } = cell
  const t = useText(text)
  const { onPointerDown, end, ...holding } = useHold((from) => on.tones(cell, from))
  return (
    // biome-ignore lint/a11y/useSemanticElements: see the grid
    <button
      type="button"
      role="gridcell"
      className={styles.cell}
      data-at={props.at}
      data-tones={hasTones || undefined}
      aria-colindex={props.column + 1}
      aria-label={label}
      aria-haspopup={hasTones || undefined}
      title={hasTones ? t.withTones(label) : label}
      tabIndex={props.isStop ? 0 : -1}
      onPointerDown={(event) => {
        keepFocus(event)
        if (hasTones) onPointerDown(event)
      }}
      onClick={() => {
        end()
        on.pick(cell)
      }}
      {...(hasTones && holding)}
    >
      <EmojiFace emoji={cell} />
    </button>
  )
}

/** Handlers that call `show` at a long press or for the context menu. `end`: it is no long press. */
function useHold(show: (from: HTMLElement) => void) {
  const longPress = useRef<{ timer: ReturnType<typeof setTimeout>; x: number; y: number } | null>(null)
  /** A long press showed the tones; some browsers then fire `contextmenu` as well. */
  const isByFinger = useRef(false)
  const end = () => {
    if (longPress.current) clearTimeout(longPress.current.timer)
    longPress.current = null
  }
  return {
    end,
    onPointerDown({ button, currentTarget: from, clientX: x, clientY: y }: PointerEvent<HTMLElement>) {
      isByFinger.current = false
      if (button !== 0) return
      const timer = setTimeout(() => {
        isByFinger.current = true
        suppressGhostClick()
        end()
        show(from)
      }, HOLD_MS)
      longPress.current = { timer, x, y }
    },
    onPointerMove(event: PointerEvent) {
      const start = longPress.current
      if (start && Math.hypot(event.clientX - start.x, event.clientY - start.y) > STRAY_PX) end()
    },
    onPointerUp: end,
    onPointerCancel: end,
    onPointerLeave: end,
    onContextMenu(event: MouseEvent<HTMLElement>) {
      event.preventDefault()
      if (!isByFinger.current) {
        end()
        show(event.currentTarget)
      }
      isByFinger.current = false
    },
  }
}

/** An emoji in a cell: its characters, or its picture. */
function EmojiFace({ emoji }: { emoji: Emoji }) {
  const { id, name } = emoji
  const characters = emojiCharacters(id)
  const { hasFailed, fail } = useFailedLoad(id)
  if (characters !== null) return characters
  if (hasFailed) return <span className={styles.cellName}>{name}</span>
  return (
    <img
      className={styles.cellPicture}
      src={copyAddress(emojiPicture(id), EMOJI_COPY_SIDE)}
      alt=""
      loading="lazy"
      decoding="async"
      draggable={false}
      onError={fail}
    />
  )
}
