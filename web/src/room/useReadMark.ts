import { useEffect, useState } from 'react'
import type { RoomController } from '../roomStore/roomController.ts'

/**
 * Marks the room as read while its newest message is on screen and the page is visible. Returns the `seq` of
 * the newest message seen. `isReadKnown`: the position of the mark was loaded; before that it is not moved.
 */
export function useReadMark(
  actions: RoomController,
  { atEnd, newestSeq, isReadKnown }: { atEnd: boolean; newestSeq: number; isReadKnown: boolean },
): number {
  const [seenSeq, setSeenSeq] = useState(0)
  useEffect(() => {
    const markSeen = () => {
      if (!atEnd || document.visibilityState !== 'visible') return
      setSeenSeq(newestSeq)
      if (newestSeq > 0 && isReadKnown) actions.markRead()
    }
    markSeen()
    document.addEventListener('visibilitychange', markSeen)
    return () => document.removeEventListener('visibilitychange', markSeen)
  }, [atEnd, newestSeq, actions, isReadKnown])
  return seenSeq
}
