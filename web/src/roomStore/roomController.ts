import { type CallFailure, isTransient } from '../kit/call.ts'
import type { Conversation } from './conversation.ts'
import { HistoryLoader } from './history/historyLoader.ts'
import type { MessageAction } from './messageChange.ts'
import { OptimisticActions } from './optimisticActions.ts'
import { ReadMark } from './readMark.ts'
import { type Outgoing, withNewestOnly } from './room.ts'
import type { RoomEvent } from './roomEvent.ts'
import { RoomModel, type RoomSnapshot } from './roomModel.ts'
import type { StoreServices } from './roomServices.ts'
import { SendQueue } from './sendQueue/sendQueue.ts'

/** One room: its state, and everything a screen can do in it. The methods that screens pass on are bound. */
export class RoomController {
  private readonly model: RoomModel
  private readonly history: HistoryLoader
  private readonly sendQueue: SendQueue
  private readonly actions: OptimisticActions
  private readonly readMark: ReadMark
  private readonly services: StoreServices

  /** Nobody reads further up than the newest messages. */
  private isAtEnd = true

  /** Of a private conversation. */
  readonly isPrivate: boolean

  /** Resolves when what the device has of this room is in it. */
  readonly restored: Promise<void>

  /**
   * `me` is the reader's user id. Starts to restore what the device has, and to send what an earlier page
   * left unsent.
   */
  constructor(conversation: Conversation, me: string, services: StoreServices) {
    this.services = services
    this.isPrivate = conversation.isPrivate
    this.model = new RoomModel(
      me,
      () => this.sendQueue.isWaiting,
      (before, now) => {
        if (now.sendQueue !== before.sendQueue) this.sendQueue.persist(before.sendQueue, now.sendQueue)
        // While a gap is being filled, the page has holes.
        if (!now.resync && (now.run !== before.run || before.resync))
          services.pages.save(me, conversation.id, now)
      },
    )
    this.history = new HistoryLoader(conversation, this.model, services, this.dispatch)
    this.sendQueue = new SendQueue(conversation, this.model, services, this.dispatch, this.resume)
    this.actions = new OptimisticActions(conversation, this.dispatch)
    this.readMark = new ReadMark(conversation, this.model, services)
    void this.restoreUnsent()
    this.restored = services.pages.read(me, conversation.id).then((end) => {
      if (end.run.length > 0) this.model.reduce({ type: 'pageRestored', ...end })
    })
  }

  readonly snapshot = (): RoomSnapshot => this.model.snapshot

  /** Follows the room. Gaps are filled while somebody does. */
  readonly subscribe = (listener: () => void): (() => void) => {
    const unsubscribe = this.model.subscribe(listener)
    const { failure } = this.model.snapshot
    // Its next try may have been due while nobody followed the room.
    if (!failure || isTransient(failure)) void this.history.catchUp()
    return unsubscribe
  }

  /** Applies an event, then loads and sends what is due. */
  readonly dispatch = (event: RoomEvent): void => {
    this.model.reduce(event)
    const { isObserved, room } = this.model
    if ((this.isAtEnd || !isObserved) && withNewestOnly(room) !== room)
      this.model.reduce({ type: 'olderForgotten' })
    void this.history.catchUp()
    void this.sendQueue.sendNext()
    if (event.type === 'sessionReset') void this.sendQueue.checkHeld()
  }

  readonly loadOlder = (): void => this.history.loadOlder()

  /** For a reader in a history window: what came after what they see. */
  readonly loadNewer = (): void => this.history.loadNewer()

  /** Requests the page again that failed. */
  readonly retryLoading = (): void => this.history.retry()

  /**
   * Brings a message into the room. Returns null when it is there, or why not: `message.unknown` when
   * deleted.
   */
  readonly jumpTo = (id: string): Promise<CallFailure | null> => this.history.jumpTo(id)

  /** Leaves the history window. */
  readonly showNewest = (): void => this.dispatch({ type: 'returnedToNewest' })

  /** The message the reader looks at: a stale history window is loaded again around it. */
  readonly setFocus = (id: string): void => this.history.setFocus(id)

  /** Queues a message. */
  readonly send = (content: string, more?: Pick<Outgoing, 'media' | 'names' | 'quote'>): void => {
    const at = this.services.nextSendTime()
    this.dispatch({ type: 'send', nonce: this.services.newNonce(), content, at, ...more })
  }

  /** Queues a failed message again. */
  readonly retry = (nonce: string): void => this.dispatch({ type: 'retry', nonce })

  /** Removes a message that is not sent. Returns why that failed, or null. */
  readonly discard = (nonce: string): Promise<CallFailure | null> => this.sendQueue.discard(nonce)

  /** Optimistic: shown at once, taken back when it fails. Returns why it failed, or null. */
  readonly act = (id: string, action: MessageAction): Promise<CallFailure | null> =>
    this.actions.act(id, action)

  /** Returns why it failed, or null. */
  readonly deleteMessage = (id: string): Promise<CallFailure | null> => this.actions.deleteMessage(id)

  /** Hides an ephemeral message or edit, by the message's id. */
  readonly dismiss = (id: string): void => this.dispatch({ type: 'dismissed', id })

  /** Whether the reader is at the end of the list: older messages may then be forgotten. */
  readonly setAtEnd = (isAtEnd: boolean): void => {
    this.isAtEnd = isAtEnd
  }

  /** Everything in the room has been read. May be called often. */
  readonly markRead = (): void => this.readMark.markRead()

  /** Tries at once what waits for a retry or for the connection. */
  readonly resume = (): void => {
    this.sendQueue.stopWaiting()
    this.model.refresh()
    void this.history.catchUp()
    void this.sendQueue.sendNext()
  }

  /** Sends what other pages of the user left unsent: a tab that was closed, an earlier visit. */
  readonly restoreUnsent = (): Promise<void> => this.sendQueue.restore()

  /** Stops timers and sending. Unsent messages stay persisted. */
  close(): void {
    this.sendQueue.close()
    this.history.close()
    this.readMark.close()
  }
}
