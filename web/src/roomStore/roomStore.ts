/** The rooms this page has opened. Each stays open until another user's session begins. */
import type { Message } from '@guildhall/wire/message/message.ts'
import type { AuthorChange } from './authorChange.ts'
import { channelConversation } from './conversation.ts'
import { EPHEMERAL_MAX } from './ephemeral.ts'
import type { MessageChange } from './messageChange.ts'
import { RoomController } from './roomController.ts'
import type { EphemeralEvent } from './roomEvent.ts'
import type { RoomServices, StoreServices } from './roomServices.ts'

export type { Conversation, HistoryQuery } from './conversation.ts'
export type { MessageAction, MessageChange } from './messageChange.ts'
export type { RoomServices } from './roomServices.ts'

export class RoomStore {
  private readonly services: StoreServices
  private readonly rooms = new Map<string, RoomController>()
  /**
   * Ephemeral events of rooms that are not open: they are delivered once, and no page of the history has
   * them.
   */
  private readonly unopened = new Map<string, readonly EphemeralEvent[]>()
  private isConnected = true
  private lastSendTime = 0

  constructor(services: RoomServices) {
    this.services = {
      ...services,
      isConnected: () => this.isConnected,
      nextSendTime: () => {
        this.lastSendTime = Math.max(services.now(), this.lastSendTime + 1)
        return this.lastSendTime
      },
    }
  }

  /** The room of a channel, or of a private conversation by its code, as the user `me` sees it. */
  open(channelId: string, me: string): RoomController {
    const known = this.rooms.get(channelId)
    if (known && known.snapshot().room.me === me) return known
    known?.close()
    const { call, conversationOf = channelConversation } = this.services
    const room = new RoomController(conversationOf(channelId, call), me, this.services)
    this.rooms.set(channelId, room)
    for (const event of this.unopened.get(channelId) ?? []) room.dispatch(event)
    this.unopened.delete(channelId)
    return room
  }

  /** Sends what other pages of this user left unsent, whichever channel it is for. */
  async resumeSending(me: string): Promise<void> {
    const unsent = await this.services.storage.list(me)
    for (const channelId of new Set(unsent.map((it) => it.channelId))) {
      const known = this.rooms.get(channelId)
      // Opening a room does it too.
      if (known?.snapshot().room.me === me) await known.restoreUnsent()
      else this.open(channelId, me)
    }
  }

  /** A message was received. Rooms that are not open load it when they are opened. */
  receiveMessage(message: Message): void {
    this.rooms.get(message.channel_id)?.dispatch({ type: 'messageReceived', message })
  }

  /** A change of a message was received. */
  receiveChange(channelId: string, change: MessageChange): void {
    this.rooms.get(channelId)?.dispatch({ type: 'messageChanged', change })
  }

  /** A room that is open. */
  opened(channelId: string): RoomController | undefined {
    return this.rooms.get(channelId)
  }

  /** An ephemeral message or edit was received. */
  receiveEphemeral(channelId: string, event: EphemeralEvent): void {
    const room = this.rooms.get(channelId)
    if (room) return room.dispatch(event)
    this.unopened.set(channelId, [...(this.unopened.get(channelId) ?? []), event].slice(-EPHEMERAL_MAX))
  }

  /**
   * A member of a guild has another name or other roles, or left; or a role was deleted. Without a guild:
   * private conversations.
   */
  receiveAuthorChange(guildId: string, event: AuthorChange): void {
    for (const room of this.rooms.values()) {
      const { run, resync } = room.snapshot().room
      const message = run[0] ?? resync?.messages[0]
      const isThere = message ? message.guild_id === guildId : room.isPrivate === (guildId === '')
      if (isThere) room.dispatch(event)
    }
  }

  /** A new gateway session began: every room looks for what it missed. */
  resetSession(): void {
    for (const room of this.rooms.values()) room.dispatch({ type: 'sessionReset' })
  }

  /** A channel may be viewed, perhaps again: what was said while it was hidden is missing. */
  resetRoom(channelId: string): void {
    this.rooms.get(channelId)?.dispatch({ type: 'sessionReset' })
  }

  /** Whether the gateway is connected. Without it nothing is sent. */
  setConnected(isConnected: boolean): void {
    if (this.isConnected === isConnected) return
    this.isConnected = isConnected
    for (const room of this.rooms.values()) room.resume()
  }

  /** Closes all rooms: another user may log in next. */
  clear(): void {
    for (const room of this.rooms.values()) room.close()
    this.rooms.clear()
    this.unopened.clear()
  }
}
