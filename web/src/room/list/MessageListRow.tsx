import { memo, type ReactNode } from 'react'
import { notifyUser } from '../../kit/call.ts'
import { dayLabel } from '../../kit/format/time.ts'
import { useLocale, useText } from '../../kit/i18n.ts'
import { MessageRow, type RowActions } from '../../message/MessageRow.tsx'
import type { MessageContext } from '../../message/messageContext.ts'
import { OutgoingRow } from '../../message/OutgoingRow.tsx'
import type { Rights } from '../../message/rights.ts'
import type { RoomController } from '../../roomStore/roomController.ts'
import { ChatIcon, TextChannelIcon } from '../../ui/icon/icons.tsx'
import { text } from '../text.ts'
import styles from './MessageListRow.module.css'
import type { Row } from './rows.ts'

/** What stands above the first message; of a channel by default. */
export interface Start {
  readonly title: string
  readonly why: string
}

/** Whether two objects have the same fields, but for those of `but`. */
function isAlike<T extends object>(before: T, now: T, but?: keyof T): boolean {
  const keys = Object.keys(now) as (keyof T)[]
  return (
    keys.length === Object.keys(before).length && keys.every((it) => it === but || before[it] === now[it])
  )
}

interface MessageListRowProps {
  row: Row
  /** The time that day and time labels relate to, ms. */
  now: number
  context: MessageContext
  rights: Rights
  channelName: string
  start?: Start | undefined
  isWaiting: boolean
  isFlashed: boolean
  edit?: ReactNode
  mark?: ReactNode
  actions: RoomController
  rowActions: RowActions
}

/**
 * One row of the list, of whichever kind. Rows are made anew with each message: those that say the same
 * stay.
 */
export const MessageListRow = memo(
  ListRow,
  (before, now) => isAlike(before, now, 'row') && isAlike(before.row, now.row),
)

function ListRow(props: MessageListRowProps) {
  const { row, now, context, actions } = props
  const t = useText(text)
  const locale = useLocale()
  switch (row.kind) {
    case 'start':
      return <StartRow start={props.start} channelName={props.channelName} />
    case 'day':
      return (
        <div className={styles.day}>
          <span>{dayLabel(row.at, now, locale)}</span>
        </div>
      )
    case 'new':
      return (
        <div className={styles.newDivider} data-part="new-divider">
          <span>{t.newMessagesBelow}</span>
        </div>
      )
    case 'message':
      return (
        <MessageRow
          message={row.message}
          head={row.head}
          isUnderDay={row.isUnderDay}
          now={now}
          context={context}
          rights={props.rights}
          actions={props.rowActions}
          flash={props.isFlashed}
          edit={props.edit}
          mark={props.mark}
          ephemeralTo={row.ephemeralTo}
          joined={row.joined}
        />
      )
    case 'outgoing':
      return (
        <OutgoingRow
          outgoing={row.outgoing}
          head={row.head}
          isUnderDay={row.isUnderDay}
          now={now}
          context={context}
          isWaiting={props.isWaiting}
          onRetry={() => actions.retry(row.outgoing.nonce)}
          onDiscard={() => discard(actions, row.outgoing.nonce)}
        />
      )
  }
}

/** Discards a message of the send queue, or says why it cannot. */
const discard = (actions: RoomController, nonce: string) =>
  void actions.discard(nonce).then((why) => why && notifyUser(why.message))

/** Above the first message: what begins here. */
function StartRow({ start, channelName }: { start: Start | undefined; channelName: string }) {
  const t = useText(text)
  return (
    <div className={styles.start}>
      <span className={styles.startArt}>
        {start ? <ChatIcon size={32} /> : <TextChannelIcon size={32} />}
      </span>
      <h2 className={styles.startTitle}>{start?.title ?? t.channelStart(channelName)}</h2>
      <p>{start?.why ?? t.channelStartWhy}</p>
    </div>
  )
}
