import type { ReactNode } from 'react'
import { useTheme } from '../kit/browser/useTheme.ts'
import { clockLabel, sameDay, timeLabel } from '../kit/format/time.ts'
import { useLocale } from '../kit/i18n.ts'
import { EmojiText } from '../ui/picture/EmojiText.tsx'
import { type NameColors, nameLook } from '../ui/picture/nameLook.ts'
import styles from './MessageRow.module.css'

/** Where a message stands in the list, and when it is looked at. */
export interface RowPosition {
  /** It begins a group: its author and time are shown, otherwise only said to screen readers. */
  readonly head: boolean
  /** A day separator stands above, so the time needs no day; nor does one of today. */
  readonly isUnderDay?: boolean
  /** The time that labels relate to, ms. */
  readonly now: number
}

/** The line above a message: who wrote it, and when. `at`: ms since the epoch. */
export function MessageHeader(props: {
  row: RowPosition
  name: string
  colors: NameColors
  at: number
  /** The name is a button. */
  onPress?: (() => void) | false
  /** Marks and tags behind the name. */
  children?: ReactNode
}) {
  const { at, onPress } = props
  const { head, isUnderDay, now } = props.row
  const locale = useLocale()
  const look = nameLook(props.colors, useTheme())
  const name = <EmojiText>{props.name}</EmojiText>
  return (
    <p className={head ? styles.header : 'unseen'}>
      {onPress ? (
        <button type="button" className={styles.name} data-part="author" {...look} onClick={onPress}>
          {name}
        </button>
      ) : (
        <b className={styles.name} {...look}>
          {name}
        </b>
      )}
      {props.children}
      <time className={styles.time} dateTime={new Date(at).toISOString()}>
        {isUnderDay || sameDay(at, now) ? clockLabel(at, locale) : timeLabel(at, now, locale)}
      </time>
    </p>
  )
}
