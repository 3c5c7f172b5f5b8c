import type { Message } from '@guildhall/wire/message/message.ts'
import { CallFailure } from '../../kit/call.ts'
import type { Conversation, HistoryQuery } from '../conversation.ts'
import type { RoomEvent } from '../roomEvent.ts'
import type { RoomModel, RoomSnapshot } from '../roomModel.ts'
import type { StoreServices } from '../roomServices.ts'

/** Requests pages of a room's history, one at a time. */
export class HistoryRequests {
  private readonly conversation: Conversation
  private readonly model: RoomModel
  private readonly services: StoreServices
  private idleWaiters: (() => void)[] = []

  constructor(conversation: Conversation, model: RoomModel, services: StoreServices) {
    this.conversation = conversation
    this.model = model
    this.services = services
  }

  /** Requests a page; `toEvent` turns it into the event to reduce. Returns why it failed, or null. */
  async load(
    loading: NonNullable<RoomSnapshot['loading']>,
    query: HistoryQuery,
    toEvent: (messages: readonly Message[], epoch: number) => RoomEvent,
  ): Promise<CallFailure | null> {
    const model = this.model
    model.reduce({ type: 'historyRequested' }, { loading, failure: null })
    const { epoch } = model.room
    try {
      const messages = await this.conversation.history(query)
      const newest = messages.at(-1)
      if (newest) this.services.reportSeq(newest.guild_id, newest.seq)
      model.reduce(toEvent(messages, epoch), { loading: null })
      return null
    } catch (error) {
      if (!(error instanceof CallFailure)) throw error
      if (error.name === 'forbidden' || error.name === 'chat.unknown')
        void this.services.pages.remove(this.conversation.id)
      // A failed jump is reported to its caller; the messages on screen are complete.
      const failure = loading === 'around' ? null : error
      model.reduce({ type: 'historyFailed' }, { loading: null, failure })
      return error
    }
  }

  /** Resolves when no page is being loaded. */
  async idle(): Promise<void> {
    while (this.model.snapshot.loading) await new Promise<void>((resolve) => this.idleWaiters.push(resolve))
  }

  /** Wakes those who wait in `idle`. */
  settle(): void {
    const waiters = this.idleWaiters
    this.idleWaiters = []
    for (const resolve of waiters) resolve()
  }
}
