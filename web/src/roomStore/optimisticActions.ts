import type { MessageId } from '@guildhall/wire/id.ts'
import { CallFailure } from '../kit/call.ts'
import type { Conversation } from './conversation.ts'
import type { MessageAction } from './messageChange.ts'
import type { RoomEvent } from './roomEvent.ts'

/** Actions on messages: reactions, edits and pins are shown at once and taken back when the call fails. */
export class OptimisticActions {
  private readonly conversation: Conversation
  private readonly dispatch: (event: RoomEvent) => void
  private lastKey = 0
  /** The last pending call by message id: the actions on one message are sent in order. */
  private readonly pending = new Map<string, Promise<unknown>>()

  constructor(conversation: Conversation, dispatch: (event: RoomEvent) => void) {
    this.conversation = conversation
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
        const { revision } = await this.conversation.act(id as MessageId, action)
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

  /**
   * Deletes a message, which is not optimistic: it is removed once the server agrees. Returns why it failed,
   * or null.
   */
  async deleteMessage(id: string): Promise<CallFailure | null> {
    try {
      await this.conversation.deleteMessage(id as MessageId)
    } catch (error) {
      if (!(error instanceof CallFailure)) throw error
      if (error.name !== 'message.unknown') return error
    }
    this.dispatch({ type: 'messageDeleted', id })
    return null
  }
}
