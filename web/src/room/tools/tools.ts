import type { Room } from '../../roomStore/room.ts'
import type { RoomController } from '../../roomStore/roomController.ts'
import type { MessageBarProps } from '../list/MessageBar.tsx'
import type { UnreadAtEntry } from '../list/useUnreadAtEntry.ts'

/** What the tools of a list know of it. */
export interface ToolsProps extends MessageBarProps {
  readonly actions: RoomController
  readonly room: Room
  readonly unread: UnreadAtEntry
  /** The index of the first row on screen; null: not known yet. */
  readonly firstShown: number | null
  readonly jumpTo: (id: string) => void
}
