/** Applies changes of messages and of their authors to every copy in a room. */
import type { Message } from '@guildhall/wire/message/message.ts'
import { withoutQuoted } from '@guildhall/wire/message/quote.ts'
import type { AuthorChange } from './authorChange.ts'
import { applyChange, type MessageChange } from './messageChange.ts'
import { replaced } from './messageList.ts'
import type { Room } from './room.ts'

/** Maps every list of messages in the room; `to` returns the same list when it changes nothing. */
function mapMessages(room: Room, to: (all: readonly Message[]) => readonly Message[]): Room {
  const { resync, historyWindow, ephemeral } = room
  return {
    ...room,
    ephemeral: ephemeral.map((it) => ({ ...it, message: to([it.message])[0] ?? it.message })),
    run: to(room.run),
    resync: resync && { ...resync, messages: to(resync.messages) },
    historyWindow: historyWindow && { ...historyWindow, messages: to(historyWindow.messages) },
  }
}

/** Applies a change to all copies of its message. */
export function withChange(room: Room, change: MessageChange): Room {
  const id = change.body.msg_id
  const changesSinceRequest = room.changesSinceRequest && [...room.changesSinceRequest, change]
  return mapMessages({ ...room, changesSinceRequest }, (all) =>
    replaced(all, id, (it) => applyChange(it, change, room.me) ?? it),
  )
}

/** Deletes a message, and its content from the messages that quote it. */
export function withoutMessage(room: Room, id: string): Room {
  const isIt = (it: string) => it === id
  return mapMessages({ ...room, deletedIds: new Set(room.deletedIds).add(id) }, (all) => {
    const rest = all.filter((it) => it.id !== id).map((it) => withoutQuoted(it, isIt))
    return rest.length === all.length && rest.every((it, at) => it === all[at]) ? all : rest
  })
}

/** Gives the author's messages the author's current name and roles. */
export function withAuthorChange(room: Room, event: AuthorChange): Room {
  const changesSinceRequest = room.changesSinceRequest && [...room.changesSinceRequest, event]
  return mapMessages({ ...room, changesSinceRequest }, (all) => {
    const now = all.map((it) => withAuthor(it, event))
    return now.some((it, at) => it !== all[at]) ? now : all
  })
}

function withAuthor(message: Message, event: AuthorChange): Message {
  const { author } = message
  if (event.type === 'roleDeleted') {
    if (!author.roles.includes(event.roleId)) return message
    return { ...message, author: { ...author, roles: author.roles.filter((it) => it !== event.roleId) } }
  }
  if (author.id !== event.userId) return message
  if (event.type === 'faceChanged') {
    const { is_vip = author.is_vip, ...identity } = event.identity
    return { ...message, author: { ...author, ...identity, is_vip } }
  }
  const { nickname, roles } = event.as ?? { nickname: author.username, roles: [] }
  return { ...message, author: { ...author, nickname: nickname || author.username, roles: [...roles] } }
}

/** A loaded page with the changes received since it was requested, some of which it may include already. */
export function withChangesSinceRequest(room: Room, messages: readonly Message[]): readonly Message[] {
  const changes = room.changesSinceRequest ?? []
  const existing = messages
    .filter((it) => !room.deletedIds.has(it.id))
    .map((it) => withoutQuoted(it, (id) => room.deletedIds.has(id)))
  if (changes.length === 0) return existing
  return existing.map((message) =>
    changes.reduce((now, it) => {
      if ('type' in it) return withAuthor(now, it)
      return it.body.msg_id === now.id ? (applyChange(now, it, room.me) ?? now) : now
    }, message),
  )
}
