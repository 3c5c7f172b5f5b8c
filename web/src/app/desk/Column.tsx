import type { KeyboardEvent, PointerEvent, ReactNode } from 'react'
import { useText } from '../../kit/i18n.ts'
import styles from './DeskFrame.module.css'
import { deskText } from './deskText.ts'
import { type Columns, type Side, WIDTH_MAX, WIDTH_MIN } from './useColumns.ts'

/** How far one key press moves the edge of a column, px. */
const STEP = 16

/** A column beside the open page; its edge can be pulled, and moved by the arrow keys. */
export function Column(props: { side: Side; label: string; columns: Columns; children: ReactNode }) {
  const { side, columns } = props
  const t = useText(deskText)
  const width = columns.widths[side]
  // The edge of the channels is at their right, that of the members at their left.
  const direction = side === 'channels' ? 1 : -1
  const Landmark = side === 'channels' ? 'section' : 'aside'
  const onKeyDown = ({ key }: KeyboardEvent) => {
    const step = key === 'ArrowRight' ? STEP : key === 'ArrowLeft' ? -STEP : 0
    if (step !== 0) columns.setWidth(side, width + direction * step, true)
  }
  const onPointerDown = (down: PointerEvent<HTMLElement>) => {
    const edge = down.currentTarget
    edge.focus()
    edge.setPointerCapture(down.pointerId)
    const widthAt = ({ clientX }: { clientX: number }) => width + direction * (clientX - down.clientX)
    edge.onpointermove = (move) => columns.setWidth(side, widthAt(move), false)
    edge.onpointerup = edge.onpointercancel = (up) => {
      edge.onpointermove = edge.onpointerup = edge.onpointercancel = null
      columns.setWidth(side, widthAt(up), true)
    }
  }
  return (
    <Landmark
      className={styles.column}
      aria-label={props.label}
      data-side={side}
      data-column
      style={{ width }}
    >
      {props.children}
      {/* biome-ignore lint/a11y/useSemanticElements: a rule cannot be moved */}
      <div
        className={styles.edge}
        role="separator"
        aria-orientation="vertical"
        aria-label={side === 'channels' ? t.channelsWidth : t.membersWidth}
        aria-valuemin={WIDTH_MIN}
        aria-valuemax={WIDTH_MAX}
        aria-valuenow={width}
        tabIndex={0}
        onKeyDown={onKeyDown}
        onPointerDown={onPointerDown}
        // The browser would drag the link that comes to lie below the pointer when the column grows.
        onMouseDown={(event) => event.preventDefault()}
      />
    </Landmark>
  )
}
