import { useState } from 'react'
import { useText } from '../../kit/i18n.ts'
import { CloseIcon, UpIcon } from '../../ui/icon/icons.tsx'
import { text } from '../text.ts'
import type { Row } from './rows.ts'
import styles from './UnreadBar.module.css'
import { unreadText } from './unreadText.ts'
import type { UnreadAtEntry } from './useUnreadAtEntry.ts'

/**
 * The way up to the first unread message, while it is above what is on screen; gone for good once it was
 * seen, or put away.
 */
export function UnreadBar(props: {
  unread: UnreadAtEntry
  rows: readonly Row[]
  /** The index of the first row on screen; null: not known yet. */
  firstShown: number | null
  onPress: (id: string) => void
}) {
  const { unread, rows, firstShown } = props
  const t = useText(text)
  const tUnread = useText(unreadText)
  const [isSeen, setIsSeen] = useState(false)
  const { first, count } = unread
  if (!first || firstShown === null || isSeen) return null
  const shown = rows.slice(firstShown).find((row) => row.kind === 'message')
  if (shown?.kind !== 'message') return null
  if (shown.message.seq <= first.seq) {
    setIsSeen(true)
    return null
  }
  return (
    <div className={styles.bar} data-part="unread-bar">
      <button type="button" className={styles.go} onClick={() => props.onPress(first.id)}>
        {t.newMessages(count)}
        <UpIcon size={18} />
        <span className="unseen">{tUnread.toFirstUnread}</span>
      </button>
      <button
        type="button"
        className={styles.away}
        aria-label={tUnread.putAway}
        title={tUnread.putAway}
        onClick={() => setIsSeen(true)}
      >
        <CloseIcon size={16} />
      </button>
    </div>
  )
}
