import { CallFailure } from '../kit/call.ts'
import type { Conversation } from './conversation.ts'
import type { RoomModel } from './roomModel.ts'
import type { StoreServices, Timer } from './roomServices.ts'

/** Minimum time between two moves of the read mark, ms. */
const INTERVAL_MS = 1_000

/** Moves the user's read mark of a channel to the newest message, on all their devices, at a limited rate. */
export class ReadMark {
  private readonly conversation: Conversation
  private readonly model: RoomModel
  private readonly services: StoreServices
  /** `seq` of the message the mark was moved to. */
  private seq = 0
  /** Runs until the mark may be moved again. */
  private timer: Timer | null = null

  constructor(conversation: Conversation, model: RoomModel, services: StoreServices) {
    this.conversation = conversation
    this.model = model
    this.services = services
  }

  /** Everything in the room has been read. */
  markRead(): void {
    const last = this.model.room.run.at(-1)
    if (!last || last.seq <= this.seq || this.timer !== null || !this.services.isConnected()) return
    this.seq = last.seq
    this.timer = this.services.timers.start(() => {
      this.timer = null
      this.markRead()
    }, INTERVAL_MS)
    this.conversation.markRead(last.id).catch((error: unknown) => {
      if (!(error instanceof CallFailure)) throw error
      // The next message that is read moves it.
      this.seq = 0
    })
  }

  close(): void {
    if (this.timer !== null) this.services.timers.stop(this.timer)
  }
}
