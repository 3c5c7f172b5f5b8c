import { joinsGroup } from '@guildhall/wire/message/group.ts'
import { kindNumber } from '@guildhall/wire/message/kind.ts'
import type { Message } from '@guildhall/wire/message/message.ts'
import { sameDay } from '../kit/time.ts'
import { type EphemeralMessage, ephemeralEditOf } from '../roomStore/ephemeral.ts'
import { currentMessages, type Outgoing, type Room, visibleMessages } from '../roomStore/room.ts'
import { sliceWindow, type WindowedMessages } from './listWindow.ts'

/** What the composer sends. */
const KMARKDOWN = kindNumber('kmarkdown', 'specification')

/** What the list draws, one row each. `key` stays the same while a row is the same thing to the eye. */
export type Row =
  | { readonly kind: 'start'; readonly key: string }
  | { readonly kind: 'day'; readonly key: string; readonly at: number }
  | { readonly kind: 'new'; readonly key: string }
  | {
      readonly kind: 'message'
      readonly key: string
      readonly head: boolean
      readonly message: Message
      /** One person alone sees it so: who. */
      readonly ephemeralTo?: string
      /** It is no message of the channel. */
      readonly isEphemeral?: true
    }
  | { readonly kind: 'outgoing'; readonly key: string; readonly head: boolean; readonly outgoing: Outgoing }

/**
 * The room as rows: its beginning, the days, the messages in groups, and what is on its way. The first row of a
 * room with more above it is always a message: a separator there would go when older ones of its day come in, and
 * the reader's place hangs on the row at the top. One's own message keeps its key when it is stored, so it does not blink.
 * A reader far back sees that part of the past alone.
 * What one person alone sees stands where it was said and by itself: nothing shares its head.
 * `part`: of which messages.
 * A line marks where what is new to the reader begins: after number `read`, when that is known. chat.md §4.
 */
export function rowsOf(
  room: Room,
  read: number | null | undefined = null,
  part: WindowedMessages = sliceWindow(room, null),
): Row[] {
  const { atStart } = part
  const rows: Row[] = atStart ? [{ kind: 'start', key: 'start' }] : []
  let before: Message | undefined
  /** The row before, unless it stands by itself. */
  let above: Message | undefined
  let day: number | undefined
  const isNewDay = (at: number) => (day === undefined ? atStart : !sameDay(day, at))
  const quiet = [...ephemeralIn(room, part)]
  const addQuiet = (until: number) => {
    for (let it = quiet[0]; it && it.message.seq < until; it = quiet[0]) {
      quiet.shift()
      const { message, to } = it
      if (isNewDay(message.create_at))
        rows.push({ kind: 'day', key: `day-${message.id}`, at: message.create_at })
      rows.push({ kind: 'message', key: message.id, head: true, message, ephemeralTo: to, isEphemeral: true })
      day = message.create_at
      above = undefined
    }
  }
  let isOld = typeof read === 'number'
  for (const message of visibleMessages(room, part.messages)) {
    addQuiet(message.seq)
    const newDay = isNewDay(message.create_at)
    if (newDay) rows.push({ kind: 'day', key: `day-${message.id}`, at: message.create_at })
    const own = message.author.id === room.me && message.nonce !== ''
    const isNew = isOld && message.seq > (read ?? 0) && message.author.id !== room.me
    // Not above the first row, see above; nor when all there is is new.
    if (isNew && before) rows.push({ kind: 'new', key: 'new' })
    if (isNew) isOld = false
    rows.push({
      kind: 'message',
      key: own ? message.nonce : message.id,
      head: newDay || (isNew && before !== undefined) || !joinsGroup(above, message),
      message,
      ...ephemeralTo(room, message),
    })
    before = message
    above = message
    day = message.create_at
  }
  addQuiet(Number.POSITIVE_INFINITY)
  let last: { author: { id: string }; create_at: number; type: number } | undefined = above
  // What is on its way stands below the newest message, which may be elsewhere.
  for (const outgoing of room.historyWindow || !part.atEnd ? [] : room.sendQueue) {
    const newDay = day === undefined || !sameDay(day, outgoing.at)
    if (newDay) rows.push({ kind: 'day', key: `day-${outgoing.nonce}`, at: outgoing.at })
    const like = { author: { id: room.me }, create_at: outgoing.at, type: outgoing.media?.type ?? KMARKDOWN }
    rows.push({ kind: 'outgoing', key: outgoing.nonce, head: newDay || !joinsGroup(last, like), outgoing })
    last = like
    day = outgoing.at
  }
  return rows
}

function ephemeralTo(room: Room, { id }: Message): { readonly ephemeralTo?: string } {
  const view = room.ephemeralEdits.size > 0 ? room.ephemeralEdits.get(id) : undefined
  const message = view && currentMessages(room).find((it) => it.id === id)
  return view?.visible_only && message && ephemeralEditOf(room.ephemeralEdits, message)
    ? { ephemeralTo: view.visible_only }
    : {}
}

/** Those that were said within a part: what lies at an open end of it may stand further on. */
function ephemeralIn(room: Room, part: WindowedMessages): readonly EphemeralMessage[] {
  if (room.ephemeral.length === 0) return room.ephemeral
  const first = part.messages[0]
  const last = part.messages.at(-1)
  const isLast = part.atEnd && !room.historyWindow
  return room.ephemeral.filter(
    ({ message: { seq } }) =>
      (part.atStart || (first !== undefined && seq >= first.seq)) &&
      (isLast || (last !== undefined && seq < last.seq)),
  )
}

/** How many messages of others came after number `seen`. */
export function countNewSince(room: Room, seen: number): number {
  let count = 0
  for (let i = room.run.length - 1; i >= 0; i--) {
    const message = room.run[i]
    if (!message || message.seq <= seen) break
    if (message.author.id !== room.me) count += 1
  }
  return count
}
