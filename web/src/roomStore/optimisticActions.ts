import type { ChannelId, MessageId } from '@guildhall/wire/id.ts'
import {
  addReaction,
  deleteMessage,
  deleteReaction,
  pinMessage,
  unpinMessage,
  updateMessage,
} from '@guildhall/wire/message/action.ts'
import { CallFailure } from '../kit/call.ts'
import type { MessageAction } from './messageChange.ts'
import type { RoomEvent } from './roomEvent.ts'
import type { StoreServices } from './roomServices.ts'

/** Actions on messages: reactions, edits and pins are shown at once and taken back when the call fails. */
export class OptimisticActions {
  private readonly channelId: ChannelId
  private readonly services: StoreServices
  private readonly dispatch: (event: RoomEvent) => void
  private lastKey = 0
  /** The last pending call by message id: the actions on one message are sent in order. */
  private readonly pending = new Map<string, Promise<unknown>>()

  constructor(channelId: ChannelId, services: StoreServices, dispatch: (event: RoomEvent) => void) {
    this.channelId = channelId
    this.services = services
    this.dispatch = dispatch
  }

  /** Returns why the action failed, or null. */
  async act(id: string, action: MessageAction): Promise<CallFailure | null> {
    this.lastKey += 1
    const key = this.lastKey
    this.dispatch({ type: 'actionStarted', key, id, action })
    const before = this.pending.get(id)
    const mine = (async () => {
      await before
      try {
        const { revision } = await this.callFor(id as MessageId, action)
        this.dispatch({ type: 'actionConfirmed', key, revision })
        return null
      } catch (error) {
        this.dispatch({ type: 'actionFailed', key })
        if (!(error instanceof CallFailure)) throw error
        return error
      }
    })()
    this.pending.set(id, mine)
    const failure = await mine
    if (this.pending.get(id) === mine) this.pending.delete(id)
    return failure
  }

  /** Deletes a message, which is not optimistic: it is removed once the server agrees. Returns why it failed, or null. */
  async deleteMessage(id: string): Promise<CallFailure | null> {
    try {
      await this.services.call(deleteMessage, { msg_id: id as MessageId })
    } catch (error) {
      if (!(error instanceof CallFailure)) throw error
      if (error.name !== 'message.unknown') return error
    }
    this.dispatch({ type: 'messageDeleted', id })
    return null
  }

  private callFor(id: MessageId, action: MessageAction): Promise<{ revision: number }> {
    const { call } = this.services
    switch (action.kind) {
      case 'react':
        return call(addReaction, { msg_id: id, emoji: action.emoji.id })
      case 'unreact':
        return call(deleteReaction, { msg_id: id, emoji: action.emoji.id })
      case 'edit':
        return call(updateMessage, { msg_id: id, content: action.content })
      case 'pin':
        return call(pinMessage, { target_id: this.channelId, msg_id: id })
      case 'unpin':
        return call(unpinMessage, { target_id: this.channelId, msg_id: id })
    }
  }
}
