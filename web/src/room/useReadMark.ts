import { useEffect, useRef } from 'react'
import type { RoomController } from '../roomStore/roomController.ts'

/** Whether somebody sees the newest message. */
const isSeen = (atEnd: boolean) => atEnd && document.visibilityState === 'visible'

/**
 * Marks the room as read while its newest message is on screen and the page is visible. Returns the `seq` of
 * the newest message seen. `isReadKnown`: the position of the mark was loaded; before that it is not moved.
 */
export function useReadMark(
  actions: RoomController,
  { atEnd, newestSeq, isReadKnown }: { atEnd: boolean; newestSeq: number; isReadKnown: boolean },
): number {
  // No state: a message that is seen as it comes would draw the list twice.
  const seenSeq = useRef(0)
  if (isSeen(atEnd)) seenSeq.current = newestSeq
  useEffect(() => {
    const markSeen = () => {
      if (!isSeen(atEnd)) return
      seenSeq.current = newestSeq
      if (newestSeq > 0 && isReadKnown) actions.markRead()
    }
    markSeen()
    document.addEventListener('visibilitychange', markSeen)
    return () => document.removeEventListener('visibilitychange', markSeen)
  }, [atEnd, newestSeq, actions, isReadKnown])
  return seenSeq.current
}
