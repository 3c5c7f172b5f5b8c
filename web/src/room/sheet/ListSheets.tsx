import type { Guild } from '@guildhall/wire/channel/channel.ts'
import type { Emoji, Message } from '@guildhall/wire/message/message.ts'
import ReactorsSheet from '../../message/menu/ReactorsSheet.tsx'
import type { Rights } from '../../message/rights.ts'
import type { RoomController } from '../../roomStore/roomController.ts'
import ChooseBar from '../choose/ChooseBar.tsx'
import type { Row } from '../list/rows.ts'
import { MessageSheets } from './MessageSheets.tsx'

/**
 * What is open of a message: with `chosen` the bar of several, with an emoji who reacted with it, otherwise
 * its menu or a step of it. It is edited in its row.
 */
export interface ChosenMessage {
  readonly id: string
  readonly emoji?: Emoji
  readonly step?: 'emoji' | 'edit' | 'forward'
  /** Those that are chosen together with it, which was pressed last. */
  readonly chosen?: readonly Message[]
  /** What was pressed of it: a picture and a link have more in the menu. */
  readonly at?: Element | undefined
}

interface ListSheetsProps {
  open: ChosenMessage
  rows: readonly Row[]
  rights: Rights
  actions: RoomController
  guild: Guild | null
  onReply: (message: Message) => void
  onChange: (open: ChosenMessage | null) => void
}

/** The sheet that is open of a message, as long as the message is in the list. Loaded with the first one. */
export default function ListSheets(props: ListSheetsProps) {
  const { open, onChange } = props
  if (open.chosen) return <ChooseBar {...props} chosen={open.chosen} onClose={() => onChange(null)} />
  return <MessageSheet {...props} />
}

function MessageSheet(props: ListSheetsProps) {
  const { open, onChange } = props
  const row = props.rows.find((it) => it.kind === 'message' && it.message.id === open.id)
  if (row?.kind !== 'message' || open.step === 'edit') return null
  const { message } = row
  const onClose = () => onChange(null)
  return open.emoji ? (
    <ReactorsSheet message={message} emoji={open.emoji} onClose={onClose} />
  ) : (
    <MessageSheets
      key={message.id}
      first={open.step}
      at={open.at}
      rights={props.rights}
      actions={props.actions}
      message={message}
      isEphemeral={row.ephemeralTo !== undefined}
      guild={props.guild}
      onReply={() => props.onReply(message)}
      onEdit={() => onChange({ id: message.id, step: 'edit' })}
      onChoose={() => onChange({ id: message.id, chosen: [message] })}
      onShowReactors={() => {
        const emoji = message.reactions[0]?.emoji
        onChange(emoji ? { id: message.id, emoji } : null)
      }}
      onClose={onClose}
    />
  )
}
