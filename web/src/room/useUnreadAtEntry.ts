import type { ChannelId, GuildId } from '@guildhall/wire/id.ts'
import { firstUnread, listUnread } from '@guildhall/wire/message/reading.ts'
import { useEffect, useState } from 'react'
import { useRouteQuery } from '../kit/routeQuery.ts'
import type { Room } from '../roomStore/room.ts'

/** What was unread when the room was opened; it stays while the read mark moves. */
export interface UnreadAtEntry {
  /**
   * The line "new messages" stands above the first message of others after this `seq`. Null: there is no line; undefined:
   * not loaded.
   */
  readonly readSeq: number | null | undefined
  /** Unread messages, at most `UNREAD_MAX`. */
  readonly count: number
  /** The first of them; null: not loaded, or none. */
  readonly first: { readonly id: string; readonly seq: number } | null
}

/** Asks once per visit of the room what is unread, and again for the first message when that one is deleted. */
export function useUnreadAtEntry(guildId: GuildId, channelId: ChannelId, room: Room): UnreadAtEntry {
  const unread = useRouteQuery(listUnread, { guild_id: guildId })
  const [entered, setEntered] = useState<{ channelId: string; mark: number; count: number } | null>(null)
  if (unread.status !== 'loading' && entered?.channelId !== channelId) {
    const counts = unread.answer?.find((it) => it.channel_id === channelId)
    setEntered({ channelId, mark: counts?.read_seq ?? 0, count: counts?.unread_count ?? 0 })
  }
  const { mark = 0, count = 0 } = entered ?? {}
  // The counts arrive with the messages, the answer after them: a line that is drawn later would move the messages.
  const [counted, setCounted] = useState<number | null>(null)
  const seq = count > 0 && mark === 0 && counted === null ? seqOfFirst(room, count) : null
  if (seq !== null) setCounted(seq)
  const found = useRouteQuery(firstUnread, { channel_id: channelId, after: mark }, count > 0)
  const answer = count > 0 ? found.answer?.first : null
  const isDeleted = answer ? room.deletedIds.has(answer.msg_id) : false
  const { refetch } = found
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each deleted message
  useEffect(() => {
    if (isDeleted) refetch()
  }, [isDeleted, answer?.msg_id])
  const first = answer ? { id: answer.msg_id, seq: answer.seq } : null
  if (!entered) return { readSeq: undefined, count, first }
  // Without a mark everything before the person joined is old too.
  const firstSeq = first?.seq ?? counted
  const readSeq = mark > 0 ? mark : firstSeq && firstSeq - 1
  return { readSeq: count > 0 ? readSeq : null, count, first }
}

/** The number of the first of the last `count` messages of others; null when it is not loaded. */
function seqOfFirst(room: Room, count: number): number | null {
  return room.run.filter(({ author }) => author.id !== room.me).at(-count)?.seq ?? null
}
