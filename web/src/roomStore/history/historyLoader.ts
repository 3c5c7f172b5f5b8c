import type { MessageId } from '@guildhall/wire/id.ts'
import type { Message } from '@guildhall/wire/message/message.ts'
import { CallFailure, isTransient } from '../../kit/call.ts'
import { currentText } from '../../kit/i18n.ts'
import type { Conversation, HistoryQuery } from '../conversation.ts'
import { neededPage, neededWindow, visibleMessages } from '../room.ts'
import type { RoomEvent } from '../roomEvent.ts'
import type { RoomModel, RoomSnapshot } from '../roomModel.ts'
import type { StoreServices, Timer } from '../roomServices.ts'
import { text } from '../text.ts'
import { HistoryRequests } from './historyRequests.ts'

/** Minimum time between two pages that the reader scrolls to, ms. chat.md §9 "load-more delay". */
const PAGE_INTERVAL_MS = 1_000
/** Delay before a page that was not answered for now is requested again, ms. */
const RETRY_MS = 3_000

/** Loads the history of a room: fills gaps, loads pages on scroll, opens the history window for a jump. */
export class HistoryLoader {
  private readonly model: RoomModel
  private readonly services: StoreServices
  private readonly dispatch: (event: RoomEvent) => void
  private readonly requests: HistoryRequests
  private focus: string | null = null
  /** The end of the list that was requested last. */
  private lastSide: 'older' | 'newer' = 'older'
  private lastPageAt = 0
  private retryTimer: Timer | null = null
  private jumpCount = 0

  constructor(
    conversation: Conversation,
    model: RoomModel,
    services: StoreServices,
    dispatch: (event: RoomEvent) => void,
  ) {
    this.model = model
    this.services = services
    this.dispatch = dispatch
    this.requests = new HistoryRequests(conversation, model, services)
  }

  /** Loads the page that the room needs next, if any, while the room is observed. */
  async catchUp(): Promise<void> {
    if (this.model.snapshot.loading || !this.model.isObserved) return
    const { room } = this.model
    const page = neededPage(room)
    if (page) return void (await this.loadPage(page.before, 'newest'))
    const anchorId = neededWindow(room)
    if (anchorId === null) return
    const isFocusThere = room.historyWindow?.messages.some((it) => it.id === this.focus)
    const failure = await this.loadWindow(isFocusThere && this.focus ? this.focus : anchorId)
    // The anchor is deleted, so the window can no longer be loaded.
    if (failure?.name === 'message.unknown') this.dispatch({ type: 'returnedToNewest' })
  }

  /** The page before the oldest message shown, at most once per `PAGE_INTERVAL_MS`. */
  loadOlder(): void {
    const { room } = this.model
    if (this.isBusy() || (room.historyWindow ?? room).atStart) return
    this.lastPageAt = this.services.now()
    this.loadOlderPage()
  }

  /** The page after the history window, at most once per `PAGE_INTERVAL_MS`. */
  loadNewer(): void {
    const last = this.model.room.historyWindow?.messages.at(-1)
    if (!last || this.isBusy()) return
    this.lastPageAt = this.services.now()
    this.lastSide = 'newer'
    void this.extendWindow('after', last.id)
  }

  /** Requests the page again that failed. */
  retry(): void {
    const last = this.model.room.historyWindow?.messages.at(-1)
    if (this.needsPage()) void this.catchUp()
    else if (this.model.snapshot.loading) return
    else if (this.lastSide === 'newer' && last) void this.extendWindow('after', last.id)
    else this.loadOlderPage()
  }

  /** The message the reader looks at: a stale window is loaded again around it. */
  setFocus(id: string): void {
    this.focus = id
  }

  /**
   * Brings a message into the room. Returns null when it is there, or why not: `message.unknown` when
   * deleted.
   */
  async jumpTo(id: string): Promise<CallFailure | null> {
    this.jumpCount += 1
    const jump = this.jumpCount
    const isIn = (all: readonly Message[] | undefined) => all?.some((it) => it.id === id) ?? false
    await this.requests.idle()
    // A later jump replaces this one.
    if (jump !== this.jumpCount) return null
    const { epoch, historyWindow, run, deletedIds } = this.model.room
    if (isIn(historyWindow?.messages)) return null
    if (isIn(run)) {
      this.dispatch({ type: 'returnedToNewest' })
      return null
    }
    if (deletedIds.has(id)) return deletedFailure()
    const failure = await this.load(
      'around',
      { msgid: id as MessageId, flag: 'around' },
      (messages, asked) =>
        // Around a deleted message there is nothing to show: the reader stays.
        messages.some((it) => it.id === id)
          ? { type: 'windowLoaded', at: id, epoch: asked, messages }
          : { type: 'historyFailed' },
    )
    if (failure) return failure.name === 'message.unknown' ? deletedFailure() : failure
    const { room } = this.model
    if (isIn(visibleMessages(room))) return null
    // A session began meanwhile and the page was discarded: it is requested again.
    return room.epoch !== epoch && room.historyWindow === historyWindow ? this.jumpTo(id) : deletedFailure()
  }

  close(): void {
    this.stopRetry()
  }

  private needsPage(): boolean {
    const { room } = this.model
    return neededPage(room) !== null || neededWindow(room) !== null
  }

  private isBusy(): boolean {
    return (
      this.model.snapshot.loading !== null ||
      this.needsPage() ||
      this.services.now() - this.lastPageAt < PAGE_INTERVAL_MS
    )
  }

  private loadOlderPage(): void {
    this.lastSide = 'older'
    const { historyWindow, run } = this.model.room
    if (historyWindow?.messages[0]) void this.extendWindow('before', historyWindow.messages[0].id)
    else if (run[0]) void this.loadPage(run[0].id, 'older')
  }

  private loadPage(before: string | null, loading: 'newest' | 'older'): Promise<CallFailure | null> {
    const query = before === null ? {} : { msgid: before as MessageId }
    return this.load(loading, query, (messages, epoch) => ({ type: 'pageLoaded', before, epoch, messages }))
  }

  private extendWindow(side: 'before' | 'after', anchor: string): Promise<CallFailure | null> {
    return this.load(
      side === 'before' ? 'older' : 'newer',
      { msgid: anchor as MessageId, flag: side },
      (messages, epoch) => ({ type: 'windowExtended', side, anchor, epoch, messages }),
    )
  }

  private loadWindow(at: string): Promise<CallFailure | null> {
    return this.load('around', { msgid: at as MessageId, flag: 'around' }, (messages, epoch) => ({
      type: 'windowLoaded',
      at,
      epoch,
      messages,
    }))
  }

  private async load(
    loading: NonNullable<RoomSnapshot['loading']>,
    query: HistoryQuery,
    toEvent: (messages: readonly Message[], epoch: number) => RoomEvent,
  ): Promise<CallFailure | null> {
    try {
      const failure = await this.requests.load(loading, query, toEvent)
      if (failure === null) void this.catchUp()
      else this.retryLater(failure)
      return failure
    } finally {
      this.requests.settle()
    }
  }

  /** Only while messages are shown: an empty room shows the failure and a button instead. */
  private retryLater(failure: CallFailure): void {
    this.stopRetry()
    if (!isTransient(failure) || this.model.room.run.length === 0 || !this.needsPage()) return
    this.retryTimer = this.services.timers.start(() => void this.catchUp(), RETRY_MS)
  }

  private stopRetry(): void {
    if (this.retryTimer !== null) this.services.timers.stop(this.retryTimer)
    this.retryTimer = null
  }
}

const deletedFailure = () => new CallFailure('message.unknown', currentText(text).quotedDeleted)
