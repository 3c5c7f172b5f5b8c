import type { Quote } from '@guildhall/wire/message/quote.ts'
import { useEffect } from 'react'
import { saveReply, useReply } from '../composer/draft/replyDraft.ts'
import type { Room } from '../roomStore/room.ts'

/** The message that the draft replies to; a reply to a deleted message is dropped. */
export function useExistingReply(channelId: string, room: Room): Quote | null {
  const reply = useReply(channelId)
  const isDeleted = reply !== null && room.deletedIds.has(reply.id)
  useEffect(() => {
    if (isDeleted) saveReply(channelId, null)
  }, [isDeleted, channelId])
  return reply
}
