import type { VideoLooks } from '@guildhall/wire/message/attachment.ts'
import { kindNumber } from '@guildhall/wire/message/kind.ts'
import { CallFailure, isTransient } from '../../kit/call.ts'
import type { Conversation } from '../conversation.ts'
import { lazyHeldCalls } from '../held/lazyHeldCalls.ts'
import { nextToSend, type Outgoing, type OutgoingMedia } from '../room.ts'
import type { RoomEvent } from '../roomEvent.ts'
import type { RoomModel } from '../roomModel.ts'
import type { StoreServices, Timer } from '../roomServices.ts'

/** Delay before a message that got no answer is sent again, ms. */
const RETRY_MS = 3_000
/** Refusals of messages that the server keeps. */
const KEPT: Readonly<Partial<Record<string, Outgoing['state']>>> = {
  'content.held': 'held',
  'content.rejected': 'rejected',
}
const KMARKDOWN = kindNumber('kmarkdown', 'specification')
const VIDEO = kindNumber('video', 'specification')

/**
 * Sends a room's messages one at a time, in order, and retries while the network fails. The nonce makes
 * sending idempotent; unsent messages are persisted and outlive a reload.
 */
export class SendQueue {
  readonly conversation: Conversation
  readonly model: RoomModel
  readonly services: StoreServices
  readonly dispatch: (event: RoomEvent) => void
  private readonly resume: () => void
  private isRestored = false
  private isClosed = false
  /** Runs after a send that got no answer; nothing is sent until it ends. */
  private retryTimer: Timer | null = null

  /** `resume` is called when a retry is due; it ends the wait and sends next. */
  constructor(
    conversation: Conversation,
    model: RoomModel,
    services: StoreServices,
    dispatch: (event: RoomEvent) => void,
    resume: () => void,
  ) {
    this.conversation = conversation
    this.model = model
    this.services = services
    this.dispatch = dispatch
    this.resume = resume
  }

  /** Nothing is sent for now, for want of a connection or of an answer. */
  get isWaiting(): boolean {
    return !this.services.isConnected() || this.retryTimer !== null
  }

  /** Loads what other pages left unsent. Nothing is sent before it was done once. */
  async restore(): Promise<void> {
    const unsent = await this.services.storage.list(this.model.room.me)
    this.isRestored = true
    if (this.isClosed) return
    const sendQueue = unsent.filter((it) => it.channelId === this.conversation.id)
    this.dispatch({
      type: 'queueRestored',
      sendQueue: sendQueue.map(({ me: _, channelId: __, ...it }) => it),
    })
    await this.checkHeld()
  }

  /** Asks how held messages stand: the event of a decision may have been missed. */
  async checkHeld(): Promise<void> {
    if (this.model.room.sendQueue.some(isHeld)) await (await lazyHeldCalls()).check(this)
  }

  /**
   * Removes a message that is not sent; one that is held is taken back first. Returns why that failed, or
   * null.
   */
  async discard(nonce: string): Promise<CallFailure | null> {
    if (this.model.room.sendQueue.some((it) => it.nonce === nonce && isHeld(it)))
      return (await lazyHeldCalls()).takeBack(this, nonce)
    this.dispatch({ type: 'discard', nonce })
    return null
  }

  /** Persists added and changed messages, and deletes those that left the queue. */
  persist(before: readonly Outgoing[], now: readonly Outgoing[]): void {
    if (this.isClosed) return
    const { storage } = this.services
    const owner = { me: this.model.room.me, channelId: this.conversation.id }
    for (const it of before) if (!now.some(({ nonce }) => nonce === it.nonce)) void storage.remove(it.nonce)
    for (const it of now) if (!before.includes(it)) void storage.save({ ...it, ...owner })
  }

  /** Sends the next message unless one is being sent or the queue waits. */
  async sendNext(): Promise<void> {
    const next = nextToSend(this.model.room)
    if (!next || this.isWaiting || !this.isRestored || this.isClosed) return
    const { nonce } = next
    const { epoch } = this.model.room
    this.model.reduce({ type: 'sending', nonce })
    const outcome = await this.services.storage.runExclusively(nonce, () => this.send(next, epoch))
    if (outcome === 'busy') this.waitForRetry(nonce)
    if (outcome === 'gone') this.dispatch({ type: 'discard', nonce })
  }

  /** Ends the wait for a retry; the caller sends next. */
  stopWaiting(): void {
    if (this.retryTimer !== null) this.services.timers.stop(this.retryTimer)
    this.retryTimer = null
  }

  /** Stops sending. Unsent messages stay persisted. */
  close(): void {
    this.isClosed = true
    if (this.retryTimer !== null) this.services.timers.stop(this.retryTimer)
  }

  private async send(next: Outgoing, epoch: number): Promise<void> {
    const { nonce } = next
    try {
      const message = await this.conversation.send(contentOf(next), nonce)
      this.services.reportSeq(message.guild_id, message.seq)
      this.dispatch({ type: 'sent', nonce, epoch, message })
    } catch (error) {
      if (!(error instanceof CallFailure)) throw error
      if (isTransient(error)) this.waitForRetry(nonce)
      // Slow mode: it is sent when its time has come, and those behind it after that.
      else if (error.name === 'message.too_soon') this.waitForRetry(nonce, Number(error.extra.n) * 1_000)
      // The first attempt stored it, and it was deleted before this page received it.
      else if (error.name === 'message.deleted') this.dispatch({ type: 'discard', nonce })
      else
        this.dispatch({
          type: 'sendFailed',
          nonce,
          state: KEPT[error.name],
          why: String(error.extra.reason ?? error.message),
          unquoted: error.name === 'message.unknown',
        })
    }
  }

  private waitForRetry(nonce: string, ms = RETRY_MS): void {
    this.retryTimer = this.services.timers.start(this.resume, ms)
    this.dispatch({ type: 'sendUnanswered', nonce })
  }
}

/** The server has it, and it is no message. */
const isHeld = ({ state }: Outgoing): boolean => state === 'held' || state === 'rejected'

/** The `content` field of the call, protocol.md §8.1. */
function contentOf(next: Outgoing): string {
  return JSON.stringify({
    content: next.content,
    type: next.media?.type ?? KMARKDOWN,
    ...(next.media && videoFields(next.media)),
    ...(next.quote?.can_jump && { quote: next.quote.id }),
  })
}

/** What a video is sent with besides its address. */
function videoFields({ type, attachments }: OutgoingMedia): VideoLooks {
  if (type !== VIDEO) return {}
  const { cover, duration, width, height } = attachments
  return {
    ...(cover && { cover }),
    ...(duration && { duration }),
    ...(width && { width }),
    ...(height && { height }),
  }
}
