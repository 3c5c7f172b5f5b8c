/** Reducer of the send queue. */
import type { Message } from '@guildhall/wire/message/message.ts'
import type { Outgoing, Room } from '../room.ts'
import type { RoomEvent } from '../roomEvent.ts'

/** Whether this user sent the message from a page; only such messages carry a nonce. */
export const isOwnMessage = (room: Room, message: Message): boolean =>
  message.author.id === room.me && message.nonce !== ''

/** The room without this message in its send queue. */
export const withoutOutgoing = (room: Room, nonce: string): Room =>
  room.sendQueue.some((it) => it.nonce === nonce)
    ? { ...room, sendQueue: room.sendQueue.filter((it) => it.nonce !== nonce) }
    : room

const withOutgoing = (room: Room, nonce: string, to: Partial<Outgoing>): Room => ({
  ...room,
  sendQueue: room.sendQueue.map((it) => (it.nonce === nonce ? { ...it, ...to } : it)),
})

type QueueEvent = Extract<
  RoomEvent,
  {
    type: 'send' | 'sending' | 'sendFailed' | 'sendUnanswered' | 'queueRestored' | 'retry' | 'discard'
  }
>

/** Applies an event of the send queue, except `sent`, which also adds the message to the room. */
export function reduceSendQueue(room: Room, event: QueueEvent): Room {
  switch (event.type) {
    case 'send':
      return queued(room, event)
    case 'sending':
      return withOutgoing(room, event.nonce, { state: 'sending' })
    case 'sendFailed':
      return sendFailed(room, event)
    case 'sendUnanswered':
      return withOutgoing(room, event.nonce, { state: 'queued' })
    case 'queueRestored':
      return {
        ...room,
        sendQueue: [...event.sendQueue.filter((it) => !isKnownNonce(room, it.nonce)), ...room.sendQueue],
      }
    case 'retry':
      return room.sendQueue.some((it) => it.nonce === event.nonce && it.state === 'failed')
        ? withOutgoing(room, event.nonce, { state: 'queued', why: '' })
        : room
    case 'discard':
      return withoutOutgoing(room, event.nonce)
  }
}

function queued(room: Room, event: Extract<RoomEvent, { type: 'send' }>): Room {
  const outgoing: Outgoing = {
    nonce: event.nonce,
    content: event.content,
    at: event.at,
    state: 'queued',
    why: '',
    ...(event.media && { media: event.media }),
    ...(event.names && { names: event.names }),
    ...(event.quote && { quote: event.quote }),
  }
  // It is shown below the newest message, so the reader leaves the history window.
  return {
    ...room,
    historyWindow: null,
    sendQueue: [...withoutOutgoing(room, event.nonce).sendQueue, outgoing],
  }
}

function sendFailed(
  room: Room,
  { nonce, state = 'failed', why, unquoted }: Extract<RoomEvent, { type: 'sendFailed' }>,
): Room {
  const quote = room.sendQueue.find((it) => it.nonce === nonce)?.quote
  const withoutQuote = unquoted && quote ? { quote: { ...quote, content: '', can_jump: false } } : {}
  return withOutgoing(room, nonce, { state, why, ...withoutQuote })
}

/** Whether an own message of this nonce is stored in the room or in its send queue. */
function isKnownNonce(room: Room, nonce: string): boolean {
  const isStored = (it: Message) => it.nonce === nonce && isOwnMessage(room, it)
  return (
    room.sendQueue.some((it) => it.nonce === nonce) ||
    room.run.some(isStored) ||
    (room.resync?.messages.some(isStored) ?? false)
  )
}
