import { joinsGroup } from '@guildhall/wire/message/group.ts'
import { kindNumber } from '@guildhall/wire/message/kind.ts'
import type { Message } from '@guildhall/wire/message/message.ts'
import { sameDay } from '../kit/time.ts'
import { type Cut, cut } from './part.ts'
import { type Outgoing, type Room, shown } from './room.ts'

/** What the composer sends. */
const KMARKDOWN = kindNumber('kmarkdown', 'specification')

/** What the list draws, one row each. `key` stays the same while a row is the same thing to the eye. */
export type Row =
  | { readonly kind: 'start'; readonly key: string }
  | { readonly kind: 'day'; readonly key: string; readonly at: number }
  | { readonly kind: 'new'; readonly key: string }
  | { readonly kind: 'message'; readonly key: string; readonly head: boolean; readonly message: Message }
  | { readonly kind: 'outgoing'; readonly key: string; readonly head: boolean; readonly outgoing: Outgoing }

/**
 * The room as rows: its beginning, the days, the messages in groups, and what is on its way. The first row of a
 * room with more above it is always a message: a separator there would go when older ones of its day come in, and
 * the reader's place hangs on the row at the top. One's own message keeps its key when it is stored, so it does not blink.
 * A reader far back sees that part of the past alone.
 * `part`: of which messages.
 * A line marks where what is new to the reader begins: after number `read`, when that is known. chat.md §4.
 */
export function rowsOf(
  room: Room,
  read: number | null | undefined = null,
  part: Cut = cut(room, null),
): Row[] {
  const { atStart } = part
  const rows: Row[] = atStart ? [{ kind: 'start', key: 'start' }] : []
  let before: Message | undefined
  let isOld = typeof read === 'number'
  for (const message of shown(room, part.messages)) {
    const newDay = before ? !sameDay(before.create_at, message.create_at) : atStart
    if (newDay) rows.push({ kind: 'day', key: `day-${message.id}`, at: message.create_at })
    const own = message.author.id === room.me && message.nonce !== ''
    const isNew = isOld && message.seq > (read ?? 0) && message.author.id !== room.me
    // Not above the first row, see above; nor when all there is is new.
    if (isNew && before) rows.push({ kind: 'new', key: 'new' })
    if (isNew) isOld = false
    rows.push({
      kind: 'message',
      key: own ? message.nonce : message.id,
      head: newDay || (isNew && before !== undefined) || !joinsGroup(before, message),
      message,
    })
    before = message
  }
  let last: { author: { id: string }; create_at: number; type: number } | undefined = before
  // What is on its way stands below the newest message, which may be elsewhere.
  for (const outgoing of room.past || !part.atEnd ? [] : room.outbox) {
    const newDay = !last || !sameDay(last.create_at, outgoing.at)
    if (newDay) rows.push({ kind: 'day', key: `day-${outgoing.nonce}`, at: outgoing.at })
    const like = { author: { id: room.me }, create_at: outgoing.at, type: outgoing.media?.type ?? KMARKDOWN }
    rows.push({ kind: 'outgoing', key: outgoing.nonce, head: newDay || !joinsGroup(last, like), outgoing })
    last = like
  }
  return rows
}

/** How many messages of others came after number `seen`. */
export function newSince(room: Room, seen: number): number {
  let count = 0
  for (let i = room.run.length - 1; i >= 0; i--) {
    const message = room.run[i]
    if (!message || message.seq <= seen) break
    if (message.author.id !== room.me) count += 1
  }
  return count
}
