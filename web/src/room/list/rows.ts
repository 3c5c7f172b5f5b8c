import { joinsGroup } from '@guildhall/wire/message/group.ts'
import { kindNumber } from '@guildhall/wire/message/kind.ts'
import type { Message } from '@guildhall/wire/message/message.ts'
import { sameDay } from '../../kit/format/time.ts'
import { type EphemeralMessage, ephemeralEditOf } from '../../roomStore/ephemeral.ts'
import { currentMessages, type Outgoing, type Room, visibleMessages } from '../../roomStore/room.ts'
import { sliceWindow, type WindowedMessages } from './listWindow.ts'

/** The kind of messages that the composer sends. */
const KMARKDOWN = kindNumber('kmarkdown', 'specification')
const WELCOME = kindNumber('welcome', 'specification')
/**
 * A row of joins ends where `seq`, which also counts other events of the guild, is a multiple of it, whatever
 * is loaded: so a window of messages keeps some rows, and none changes when older ones come.
 */
const JOINED_SPAN = 120

/** A row of the list. `key` is stable while the row shows the same thing. */
export type Row =
  | { readonly kind: 'start'; readonly key: string }
  | { readonly kind: 'day'; readonly key: string; readonly at: number }
  | { readonly kind: 'new'; readonly key: string }
  | {
      readonly kind: 'message'
      readonly key: string
      readonly head: boolean
      /** A day separator stands above, so the time needs no day. */
      readonly isUnderDay: boolean
      readonly message: Message
      /** Of people who joined one after the other: their welcomes, `message` is the first. */
      readonly joined?: readonly Message[]
      /** Ephemeral: the recipient's user id. */
      readonly ephemeralTo?: string
      /** An ephemeral message, which is not part of the channel's history. */
      readonly isEphemeral?: true
    }
  | {
      readonly kind: 'outgoing'
      readonly key: string
      readonly head: boolean
      readonly isUnderDay: boolean
      readonly outgoing: Outgoing
    }

/**
 * The rows of a room: its start, day separators, messages in groups, and the send queue. Only the first row
 * of the channel may be a separator: the scroll position is anchored to the top row, and a separator would
 * move when older messages are loaded. An own message keeps its key when it is stored, so it does not
 * flicker. A history window is shown without the newer messages and the send queue. Ephemeral messages stand
 * alone, without grouping. The line "new messages" follows `seq` `read`, if known. `part`: the messages to
 * show. chat.md §4.
 */
export function rowsOf(
  room: Room,
  read: number | null | undefined = null,
  part: WindowedMessages = sliceWindow(room, null),
): Row[] {
  const { atStart } = part
  const rows: Row[] = atStart ? [{ kind: 'start', key: 'start' }] : []
  /** The message above, if a message may be grouped with it. */
  let above: Parameters<typeof joinsGroup>[0]
  let day: number | undefined
  let isUnderDay = false
  /** Adds a separator when a day begins. `isFirst`: the first row has one. */
  const addDay = (id: string, at: number, isFirst = atStart) => {
    const isNew = day === undefined ? isFirst : !sameDay(day, at)
    if (isNew) rows.push({ kind: 'day', key: `day-${id}`, at })
    isUnderDay ||= isNew
    day = at
    return isNew
  }
  const messages = visibleMessages(room, part.messages)
  const firstNew = firstNewIn(messages, read, room.me)
  for (const { message, to } of withEphemeral(messages, ephemeralIn(room, part))) {
    const isNewDay = addDay(message.id, message.create_at)
    if (to !== undefined) {
      const row = { kind: 'message', key: message.id, head: true, isUnderDay, message } as const
      rows.push({ ...row, ephemeralTo: to, isEphemeral: true })
      above = undefined
      continue
    }
    // Not above the first row (see above) unless the channel begins there.
    const isLine = message === firstNew && (atStart || message !== messages[0])
    if (isLine) rows.push({ kind: 'new', key: 'new' })
    const last = rows.at(-1)
    if (
      message.type === WELCOME &&
      last?.kind === 'message' &&
      last.joined &&
      joinedIn(last.message) === joinedIn(message)
    ) {
      // Its key is that of the newest: older ones that are loaded do not change it.
      rows[rows.length - 1] = { ...last, key: message.id, joined: [...last.joined, message] }
      continue
    }
    const own = message.author.id === room.me && message.nonce !== ''
    rows.push({
      kind: 'message',
      key: own ? message.nonce : message.id,
      head: isNewDay || isLine || !joinsGroup(above, message),
      isUnderDay,
      message,
      ...(message.type === WELCOME && { joined: [message] }),
      ...ephemeralTo(room, message),
    })
    above = message
  }
  // The send queue belongs below the newest message, which may not be shown.
  for (const outgoing of room.historyWindow || !part.atEnd ? [] : room.sendQueue) {
    const isNewDay = addDay(outgoing.nonce, outgoing.at, true)
    const like = { author: { id: room.me }, create_at: outgoing.at, type: outgoing.media?.type ?? KMARKDOWN }
    const head = isNewDay || !joinsGroup(above, like)
    rows.push({ kind: 'outgoing', key: outgoing.nonce, head, isUnderDay, outgoing })
    above = like
  }
  return rows
}

/** Which row of joins a message belongs to. */
const joinedIn = ({ seq }: Message) => Math.floor(seq / JOINED_SPAN)

/** The first message of others after `seq` `read`. */
const firstNewIn = (messages: readonly Message[], read: number | null | undefined, me: string) =>
  typeof read === 'number' ? messages.find(({ seq, author }) => seq > read && author.id !== me) : undefined

/** The messages with the ephemeral ones among them, by `seq`. `to`: the recipient of an ephemeral one. */
function* withEphemeral(
  messages: readonly Message[],
  ephemeral: readonly EphemeralMessage[],
): Generator<{ readonly message: Message; readonly to?: string }> {
  let at = 0
  for (const message of messages) {
    for (let next = ephemeral[at]; next && next.message.seq < message.seq; next = ephemeral[at]) {
      yield next
      at += 1
    }
    yield { message }
  }
  yield* ephemeral.slice(at)
}

function ephemeralTo(room: Room, { id }: Message): { readonly ephemeralTo?: string } {
  const view = room.ephemeralEdits.size > 0 ? room.ephemeralEdits.get(id) : undefined
  const message = view && currentMessages(room).find((it) => it.id === id)
  return view?.visible_only && message && ephemeralEditOf(room.ephemeralEdits, message)
    ? { ephemeralTo: view.visible_only }
    : {}
}

/** The ephemeral messages within the window; those beyond an open end belong further on. */
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

/** The number of messages of others after `seq` `seen`. */
export function countNewSince(room: Room, seen: number): number {
  let count = 0
  for (let i = room.run.length - 1; i >= 0; i--) {
    const message = room.run[i]
    if (!message || message.seq <= seen) break
    if (message.author.id !== room.me) count += 1
  }
  return count
}
