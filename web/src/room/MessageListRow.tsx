import { tellUser } from '../kit/call.ts'
import { useLocale, useText } from '../kit/i18n.ts'
import { dayLabel } from '../kit/time.ts'
import { MessageRow, type RowActions } from '../message/MessageRow.tsx'
import type { MessageContext } from '../message/messageContext.ts'
import { OutgoingRow } from '../message/OutgoingRow.tsx'
import type { Rights } from '../message/rights.ts'
import type { RoomController } from '../roomStore/roomController.ts'
import { ChatIcon, TextChannelIcon } from '../ui/icons.tsx'
import styles from './MessageListRow.module.css'
import type { Row } from './rows.ts'
import { text } from './text.ts'

/** One row of the list, of whichever kind. */
export function MessageListRow(props: {
  row: Row
  /** The time that day and time labels relate to, ms. */
  now: number
  place: MessageContext
  rights: Rights
  channelName: string
  start?: { readonly title: string; readonly why: string } | undefined
  isWaiting: boolean
  isFlashed: boolean
  actions: RoomController
  rowActions: RowActions
}) {
  const { row, now, place } = props
  const t = useText(text)
  const locale = useLocale()
  switch (row.kind) {
    case 'start':
      return (
        <div className={styles.start}>
          <span className={styles.startArt}>
            {props.start ? <ChatIcon size={32} /> : <TextChannelIcon size={32} />}
          </span>
          <h2 className={styles.startTitle}>{props.start?.title ?? t.channelStart(props.channelName)}</h2>
          <p>{props.start?.why ?? t.channelStartWhy}</p>
        </div>
      )
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
          place={place}
          rights={props.rights}
          actions={props.rowActions}
          flash={props.isFlashed}
          ephemeralTo={row.ephemeralTo}
        />
      )
    case 'outgoing':
      return (
        <OutgoingRow
          outgoing={row.outgoing}
          head={row.head}
          isUnderDay={row.isUnderDay}
          now={now}
          place={place}
          isWaiting={props.isWaiting}
          onRetry={() => props.actions.retry(row.outgoing.nonce)}
          onDiscard={() =>
            void props.actions.discard(row.outgoing.nonce).then((why) => why && tellUser(why.message))
          }
        />
      )
  }
}
