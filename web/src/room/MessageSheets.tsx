import type { Guild } from '@guildhall/wire/channel/channel.ts'
import type { Message } from '@guildhall/wire/message/message.ts'
import { useState } from 'react'
import { EditSheet } from '../composer/EditSheet.tsx'
import { MessageMenu } from '../message/MessageMenu.tsx'
import type { Rights } from '../message/rights.ts'
import type { RoomController } from '../roomStore/roomController.ts'

/** The menu of a message, and the sheet that edits it. */
export function MessageSheets(props: {
  message: Message
  isEphemeral: boolean
  rights: Rights
  guild: Guild | null
  actions: RoomController
  onReply: () => void
  onShowReactors: () => void
  onClose: () => void
}) {
  const [isEditing, setIsEditing] = useState(false)
  return isEditing ? <EditSheet {...props} /> : <MessageMenu {...props} onEdit={() => setIsEditing(true)} />
}
