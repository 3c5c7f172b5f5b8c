import type { ChannelId, GuildId } from '@guildhall/wire/id.ts'
import type { Message } from '@guildhall/wire/message/message.ts'
import { firstUnread, listUnread, UNREAD_MAX } from '@guildhall/wire/message/readMark.ts'
import { useEffect, useState } from 'react'
import { useRouteQuery } from '../../kit/routeQuery.ts'
import type { Room } from '../../roomStore/room.ts'

/** What was unread when the room was opened; it stays while the read mark moves. */
export interface UnreadAtEntry {
  /**
   * The line "new messages" stands above the first message of others after this `seq`. Null: there is no
   * line; undefined: not loaded.
   */
  readonly readSeq: number | null | undefined
  /** Unread messages, at most `UNREAD_MAX`. */
  readonly count: number
  /** The first of them; null: not loaded, or none. */
  readonly first: { readonly id: string; readonly seq: number } | null
}

/**
 * Asks once per visit of the room what is unread, and again for the first message when that one is deleted.
 * The first is usually in the newest page: then the line is there when the room is first drawn, and nothing
 * is asked.
 */
export function useUnreadAtEntry(guildId: GuildId, channelId: ChannelId, room: Room): UnreadAtEntry {
  const [entered, setEntered] = useState<{ channelId: string; mark: number; count: number } | null>(null)
  // The counts change with each message, and only those of the entry are shown.
  const unread = useRouteQuery(listUnread, { guild_id: guildId }, true, entered?.channelId !== channelId)
  if (unread.status !== 'loading' && entered?.channelId !== channelId) {
    const counts = unread.answer?.find((it) => it.channel_id === channelId)
    setEntered({ channelId, mark: counts?.read_seq ?? 0, count: counts?.unread_count ?? 0 })
  }
  const { mark = 0, count = 0 } = entered ?? {}
  /** Null: it is not in the page; undefined: the page is not loaded. */
  const [inPage, setInPage] = useState<Message | null | undefined>()
  const isLoaded = room.resync === null
  if (inPage === undefined && count > 0 && isLoaded) setInPage(firstUnreadIn(room, mark, count))
  const isGone = inPage ? room.deletedIds.has(inPage.id) : false

  const isAsked = count > 0 && (inPage === null || isGone)
  const found = useRouteQuery(firstUnread, { channel_id: channelId, after: mark }, isAsked)
  const answer = isAsked ? found.answer?.first : null
  const isDeleted = answer ? room.deletedIds.has(answer.msg_id) : false
  const { refetch } = found
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each deleted message
  useEffect(() => {
    if (isDeleted) refetch()
  }, [isDeleted, answer?.msg_id])
  const known = inPage && !isGone ? { id: inPage.id, seq: inPage.seq } : null
  const first = known ?? (answer ? { id: answer.msg_id, seq: answer.seq } : null)
  if (!entered) return { readSeq: undefined, count, first }
  // Without a mark everything before the person joined is old too.
  const readSeq = mark > 0 ? mark : first && first.seq - 1
  return { readSeq: count > 0 ? readSeq : null, count, first }
}

/** The first unread message of others, when the newest page proves which one it is. */
function firstUnreadIn({ run, me }: Room, mark: number, count: number): Message | null {
  const ofOthers = run.filter((it) => it.author.id !== me)
  if (mark > 0 && (run[0]?.seq ?? 0) <= mark) return ofOthers.find((it) => it.seq > mark) ?? null
  return count < UNREAD_MAX ? (ofOthers.at(-count) ?? null) : null
}
