import type { RoomController } from '../../roomStore/roomController.ts'
import type { MessageBarProps } from '../list/MessageBar.tsx'

/** What the tools of a list know of it. */
export interface ToolsProps extends MessageBarProps {
  readonly actions: RoomController
}
