/** Reducer of a room: a pure function from state and event to the next state. */
import type { Message } from '@guildhall/wire/message/message.ts'
import { withoutQuoted } from '@guildhall/wire/message/quote.ts'
import { withEphemeral, withEphemeralEdit } from './ephemeral.ts'
import { joinResync, pageLoaded, pageRestored, withNeededResync } from './history/historyPages.ts'
import { mergeWindow, windowExtended, windowLoaded } from './history/historyWindow.ts'
import { inserted, isBeforeAll } from './messageList.ts'
import { withAuthorChange, withChange, withoutMessage } from './messageUpdates.ts'
import { emptyResync, type OptimisticAction, type Room, withNewestOnly } from './room.ts'
import type { RoomEvent } from './roomEvent.ts'
import { isOwnMessage, reduceSendQueue, withoutOutgoing } from './sendQueue/outgoing.ts'

/** Applies an event, then starts a resync, merges the window and drops finished actions where that is due. */
export function reduceRoom(room: Room, event: RoomEvent): Room {
  return withoutFinishedActions(mergeWindow(withNeededResync(reduceEvent(room, event))))
}

function reduceEvent(room: Room, event: RoomEvent): Room {
  switch (event.type) {
    case 'historyRequested':
      return { ...room, changesSinceRequest: [] }
    case 'historyFailed':
      return { ...room, changesSinceRequest: null }
    case 'pageRestored':
      return pageRestored(room, event)
    case 'pageLoaded':
      return pageLoaded(room, event)
    case 'windowLoaded':
      return windowLoaded(room, event)
    case 'windowExtended':
      return windowExtended(room, event)
    case 'returnedToNewest':
      return room.historyWindow ? { ...room, historyWindow: null } : room
    case 'messageReceived':
      return withMessage(room, event.message, event.message.seq)
    case 'messageChanged':
      return event.change.name === 'deleted_message'
        ? withoutMessage(room, event.change.body.msg_id)
        : withChange(room, event.change)
    case 'messageDeleted':
      return withoutMessage(room, event.id)
    case 'olderForgotten':
      return withNewestOnly(room)
    case 'ephemeralReceived':
      return { ...room, ephemeral: withEphemeral(room.ephemeral, event.ephemeral) }
    case 'ephemeralEditReceived':
      return { ...room, ephemeralEdits: withEphemeralEdit(room.ephemeralEdits, event.edit) }
    case 'dismissed':
      return dismissed(room, event.id)
    case 'authorChanged':
    case 'faceChanged':
    case 'roleDeleted':
      return withAuthorChange(room, event)
    case 'sessionReset':
      return sessionReset(room)
    case 'actionStarted':
    case 'actionConfirmed':
    case 'actionFailed':
      return { ...room, optimisticActions: reduceActions(room.optimisticActions, event) }
    case 'sent':
      return sent(room, event)
    default:
      return reduceSendQueue(room, event)
  }
}

/** Everything loaded in the last session has to be verified again. */
function sessionReset(room: Room): Room {
  return {
    ...room,
    resync: emptyResync,
    epoch: room.epoch + 1,
    verifiedFrom: Number.POSITIVE_INFINITY,
    pages: 0,
    historyWindow: room.historyWindow && { ...room.historyWindow, isStale: true },
  }
}

function dismissed(room: Room, id: string): Room {
  const ephemeralEdits = new Map(room.ephemeralEdits)
  ephemeralEdits.delete(id)
  return { ...room, ephemeralEdits, ephemeral: room.ephemeral.filter((it) => it.message.id !== id) }
}

function reduceActions(
  all: readonly OptimisticAction[],
  event: Extract<RoomEvent, { type: 'actionStarted' | 'actionConfirmed' | 'actionFailed' }>,
): readonly OptimisticAction[] {
  const { key } = event
  switch (event.type) {
    case 'actionStarted':
      return [...all, { key, id: event.id, action: event.action, revision: null }]
    case 'actionConfirmed':
      return all.map((it) => (it.key === key ? { ...it, revision: event.revision } : it))
    case 'actionFailed':
      return all.filter((it) => it.key !== key)
  }
}

/** Drops actions that the message already includes, and those of messages that are gone. */
function withoutFinishedActions(room: Room): Room {
  const isOpen = ({ id, revision }: OptimisticAction) => {
    const message =
      room.run.find((it) => it.id === id) ?? room.historyWindow?.messages.find((it) => it.id === id)
    return message !== undefined && (revision === null || message.revision < revision)
  }
  return room.optimisticActions.length === 0 || room.optimisticActions.every(isOpen)
    ? room
    : { ...room, optimisticActions: room.optimisticActions.filter(isOpen) }
}

/**
 * Adds a message that was received or that a send answered with; the second of the two changes nothing. An
 * own one leaves the send queue by its nonce, so it is never shown twice. `contiguousTo` is the number it
 * proves the room complete up to. A message older than everything here is left to its page: in front of the
 * first message it would look like the end of that page, and the messages between would never be loaded.
 */
function withMessage(room: Room, received: Message, contiguousTo: number): Room {
  const rest = isOwnMessage(room, received) ? withoutOutgoing(room, received.nonce) : room
  if (rest.deletedIds.has(received.id)) return rest
  const message = withoutQuoted(received, (id) => rest.deletedIds.has(id))
  const { resync } = rest
  if (resync) {
    if (resync.loaded && isBeforeAll(message, resync.messages)) return rest
    const messages = inserted(resync.messages, message)
    return joinResync({
      ...rest,
      resync: { ...resync, messages, contiguousTo: Math.max(resync.contiguousTo, contiguousTo) },
    })
  }
  if (!rest.atStart && isBeforeAll(message, rest.run)) return rest
  return {
    ...rest,
    run: inserted(rest.run, message),
    contiguousTo: Math.max(rest.contiguousTo, contiguousTo),
  }
}

/**
 * The answer to a send. One from an earlier epoch may show a message that was deleted while nobody received
 * events; if it was not deleted, the page loaded now or the connection delivers it.
 */
function sent(room: Room, event: Extract<RoomEvent, { type: 'sent' }>): Room {
  const rest = withoutOutgoing(room, event.nonce)
  return event.epoch === room.epoch ? withMessage(rest, event.message, 0) : rest
}
