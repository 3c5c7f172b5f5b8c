/**
 * The handoff journal: records in the background which events this node sent and in which order, so that any
 * node can take over its sessions (`rebuild.ts`). A delivery costs nothing here: only events are recorded,
 * consecutive numbers of one topic as a range, and a session's `sn` now and then. Its only effect besides the
 * store is a timer.
 */
import type { GuildId, UserId } from '@guildhall/wire/id.ts'
import { SECOND_MS } from '@guildhall/wire/unit.ts'
import type { Topic } from '../../kit/events/bus.ts'
import type { GatewaySession } from '../session.ts'

/** The state of a session after a page of its node's journal. */
export interface SessionMark {
  readonly id: string
  readonly userId: UserId
  readonly loginId: string
  readonly compress: boolean
  readonly sn: number
  readonly guilds: readonly GuildId[]
  /** When its client disconnected, ms; null while it is connected. */
  readonly lostAt: number | null
}

/** Events `from` to `to` of a topic were sent one after the other. */
export interface EventRange {
  readonly topic: Topic
  readonly from: number
  to: number
}

export interface JournalPage {
  readonly nodeId: string
  readonly no: number
  readonly at: number
  readonly ranges: readonly EventRange[]
  /** The last number of topics that this node began to follow, beside those in `ranges`. */
  readonly bases: ReadonlyMap<Topic, number>
  readonly marks: readonly SessionMark[]
  /** Sessions that ended. */
  readonly ended: readonly string[]
}

export interface JournalStore {
  /** Writes a page; idempotent. Returns the marked sessions that another node has claimed. */
  write(page: JournalPage): Promise<readonly string[]>
}

export interface JournalPorts {
  readonly store: JournalStore
  readonly nodeId: string
  now(): number
  guildsOf(userId: UserId): Iterable<GuildId>
  sessions(): Iterable<GatewaySession>
  /** Delivers pending events, so that `sn` includes every recorded event. */
  flushPending(): void
  /** Another node has claimed this session. */
  onClaimed(sessionId: string): void
  onError(error: unknown): void
}

/** Pages are written at most this often; after a pause a page is written almost at once. */
export const FLUSH_MS = 100
const FLUSH_SOON_MS = 5
const RETRY_MS = 500
/** The greatest age of a session's mark while the session receives events. */
export const MARK_MS = 20 * SECOND_MS
/** Sessions marked by one page. */
const MARKS_MAX = 1_000

export class Journal {
  readonly #ports: JournalPorts
  #no = 0
  #ranges: EventRange[] = []
  #bases = new Map<Topic, number>()
  readonly #changed = new Set<GatewaySession>()
  #ended: string[] = []
  #timer: NodeJS.Timeout | null = null
  #writing: Promise<void> | null = null
  #markedAt: number
  #writtenAt = 0
  #pageStartedAt = Number.NEGATIVE_INFINITY
  #isClosed = false

  constructor(ports: JournalPorts) {
    this.#ports = ports
    this.#markedAt = ports.now()
  }

  /** This node follows a topic from number `seq` on. */
  recordBase(topic: Topic, seq: number): void {
    this.#bases.set(topic, Math.max(seq, this.#bases.get(topic) ?? 0))
    this.#scheduleWrite()
  }

  /** An event is sent in the same turn of the event loop. */
  recordEvent(topic: Topic, seq: number): void {
    const last = this.#ranges.at(-1)
    if (last?.topic === topic && last.to === seq - 1) last.to = seq
    else this.#ranges.push({ topic, from: seq, to: seq })
    this.#scheduleWrite()
  }

  /** A session is new, was disconnected or resumed, or its guilds changed. */
  recordSession(session: GatewaySession): void {
    this.#changed.add(session)
    this.#scheduleWrite()
  }

  recordEnd(sessionId: string): void {
    this.#ended.push(sessionId)
    this.#scheduleWrite()
  }

  /** Marks sessions whose mark is old. Called every few seconds. */
  sweep(): void {
    const now = this.#ports.now()
    if (now - this.#markedAt >= MARK_MS) {
      this.#markedAt = now
      this.#ports.flushPending()
      for (const session of this.#ports.sessions()) {
        if (session.isJournalBehind) this.#changed.add(session)
      }
    }
    if (this.#changed.size > 0 || (now - this.#writtenAt >= MARK_MS / 2 && this.#hasSessions()))
      this.#scheduleWrite()
  }

  /** Resolves when these sessions are written in their present state or a later one. */
  async flushSessions(sessions: readonly GatewaySession[]): Promise<void> {
    for (const session of sessions) this.#changed.add(session)
    // A page that is being written was made before.
    if (this.#writing) await this.#writing
    while (sessions.some((session) => this.#changed.has(session))) await this.#write()
    if (this.#writing) await this.#writing
  }

  /** Writes the last pages, with every session. */
  async close(): Promise<void> {
    this.#isClosed = true
    if (this.#timer) clearTimeout(this.#timer)
    if (this.#writtenAt > 0) for (const session of this.#ports.sessions()) this.#changed.add(session)
    while (this.#writing || this.#hasWork()) await this.#write()
  }

  #hasSessions(): boolean {
    for (const _session of this.#ports.sessions()) return true
    return false
  }

  #hasWork(): boolean {
    return this.#ranges.length > 0 || this.#bases.size > 0 || this.#changed.size > 0 || this.#ended.length > 0
  }

  #scheduleWrite(): void {
    if (this.#timer || this.#writing || this.#isClosed) return
    const sinceMs = performance.now() - this.#pageStartedAt
    const delayMs = Math.max(FLUSH_SOON_MS, FLUSH_MS - sinceMs)
    this.#timer = setTimeout(() => {
      this.#timer = null
      void this.#write()
    }, delayMs)
    this.#timer.unref()
  }

  /** Makes a page of everything up to this moment; later records belong to the next page. */
  #startPage(): JournalPage {
    this.#pageStartedAt = performance.now()
    if (this.#changed.size > 0) this.#ports.flushPending()
    const marks = this.#takeMarks()
    const ended = new Set(this.#ended)
    const page = {
      nodeId: this.#ports.nodeId,
      no: this.#no + 1,
      at: this.#ports.now(),
      ranges: this.#ranges,
      bases: this.#bases,
      marks: marks.filter(({ id }) => !ended.has(id)),
      ended: this.#ended,
    }
    this.#no += 1
    this.#ranges = []
    this.#bases = new Map()
    this.#ended = []
    return page
  }

  #takeMarks(): SessionMark[] {
    const marks: SessionMark[] = []
    for (const session of this.#changed) {
      if (marks.length === MARKS_MAX) break
      this.#changed.delete(session)
      if (session.isTakingOver) continue
      session.markJournaled()
      marks.push({
        id: session.id,
        userId: session.userId,
        loginId: session.loginId,
        compress: session.compress,
        sn: session.sn,
        guilds: [...this.#ports.guildsOf(session.userId)],
        lostAt: session.isConnected ? null : session.lastSeenAt,
      })
    }
    return marks
  }

  #write(): Promise<void> {
    this.#writing ??= this.#writePage(this.#startPage()).finally(() => {
      this.#writing = null
      if (this.#hasWork()) this.#scheduleWrite()
    })
    return this.#writing
  }

  async #writePage(page: JournalPage): Promise<void> {
    for (;;) {
      try {
        const claimed = await this.#ports.store.write(page)
        this.#writtenAt = page.at
        for (const id of claimed) this.#ports.onClaimed(id)
        return
      } catch (error) {
        this.#ports.onError(error)
        if (this.#isClosed) return
        // No event is committed while the database is unavailable, so little is collected meanwhile.
        await new Promise((again) => setTimeout(again, RETRY_MS).unref())
      }
    }
  }
}
