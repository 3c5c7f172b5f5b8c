/**
 * What this node handed to its lines, and in which order, written down in the background so that any node can take a
 * line up again (`rebuild.ts`). A delivery costs nothing here: only events are noted, a run of one guild's numbers as
 * one range, and a session's `sn` now and then. Pure but for its timer: the tables are a port.
 */
import type { GuildId, UserId } from '@guildhall/wire/id.ts'
import { SECOND_MS } from '@guildhall/wire/unit.ts'
import type { Topic } from '../../kit/bus.ts'
import type { Session } from '../session.ts'

/** Where a session stands after a page of its node's journal. */
export interface SessionMark {
  readonly id: string
  readonly userId: UserId
  readonly loginId: string
  readonly compress: boolean
  readonly sn: number
  readonly guilds: readonly GuildId[]
  /** When its socket went, ms; null while it has one. */
  readonly lostAt: number | null
}

/** Events `from` to `to` of a topic went to its lines, one after the other. */
export interface Range {
  readonly topic: Topic
  readonly from: number
  to: number
}

export interface JournalPage {
  readonly nodeId: string
  readonly no: number
  readonly at: number
  readonly ranges: readonly Range[]
  /** The last number of topics that began to be heard here, beside what `ranges` says. */
  readonly bases: ReadonlyMap<Topic, number>
  readonly marks: readonly SessionMark[]
  /** Sessions that ended. */
  readonly gone: readonly string[]
}

export interface JournalStore {
  /** Writes a page; the same page again changes nothing. Answers the marked sessions that another node has taken. */
  write(page: JournalPage): Promise<readonly string[]>
}

export interface JournalPorts {
  readonly store: JournalStore
  readonly nodeId: string
  now(): number
  guildsOf(userId: UserId): Iterable<GuildId>
  sessions(): Iterable<Session>
  /** Another node holds this session now. */
  taken(sessionId: string): void
  failed(error: unknown): void
}

/** Pages are written at most this often; what happens after a quiet time waits only for the rest of its turn. */
export const FLUSH_MS = 100
const SOON_MS = 5
const RETRY_MS = 500
/** How old a session's mark may become while it hears events. */
export const MARK_MS = 20 * SECOND_MS
/** Sessions marked at once. */
const MARKS_MAX = 1_000

export class Journal {
  readonly #ports: JournalPorts
  #no = 0
  #ranges: Range[] = []
  #bases = new Map<Topic, number>()
  readonly #changed = new Set<Session>()
  #gone: string[] = []
  #timer: NodeJS.Timeout | null = null
  #writing: Promise<void> | null = null
  #markedAt: number
  #seenAt = 0
  #turnedAt = Number.NEGATIVE_INFINITY
  #closed = false

  constructor(ports: JournalPorts) {
    this.#ports = ports
    this.#markedAt = ports.now()
  }

  /** A topic is heard here from number `seq` on. */
  begins(topic: Topic, seq: number): void {
    this.#bases.set(topic, Math.max(seq, this.#bases.get(topic) ?? 0))
    this.#wake()
  }

  /** An event is about to go to its lines, in the same turn. */
  passed(topic: Topic, seq: number): void {
    const last = this.#ranges.at(-1)
    if (last?.topic === topic && last.to === seq - 1) last.to = seq
    else this.#ranges.push({ topic, from: seq, to: seq })
    this.#wake()
  }

  /** A session is new, lost its socket or has it back, or hears other guilds. */
  changed(session: Session): void {
    this.#changed.add(session)
    this.#wake()
  }

  ended(sessionId: string): void {
    this.#gone.push(sessionId)
    this.#wake()
  }

  /** Marks what has not been marked for a while. Called now and then. */
  sweep(): void {
    const now = this.#ports.now()
    if (now - this.#markedAt >= MARK_MS) {
      this.#markedAt = now
      for (const session of this.#ports.sessions()) {
        if (session.sn !== session.markedSn) this.#changed.add(session)
      }
    }
    if (this.#changed.size > 0 || (now - this.#seenAt >= MARK_MS / 2 && this.#hasSessions())) this.#wake()
  }

  /** Returns when these sessions are written as they are now, or later. */
  async settle(sessions: readonly Session[]): Promise<void> {
    for (const session of sessions) this.#changed.add(session)
    // A page under way was turned before.
    if (this.#writing) await this.#writing
    while (sessions.some((session) => this.#changed.has(session))) await this.#write()
    if (this.#writing) await this.#writing
  }

  /** The last pages, with every session in them. */
  async close(): Promise<void> {
    this.#closed = true
    if (this.#timer) clearTimeout(this.#timer)
    if (this.#seenAt > 0) for (const session of this.#ports.sessions()) this.#changed.add(session)
    while (this.#writing || this.#hasWork()) await this.#write()
  }

  #hasSessions(): boolean {
    for (const _session of this.#ports.sessions()) return true
    return false
  }

  #hasWork(): boolean {
    return this.#ranges.length > 0 || this.#bases.size > 0 || this.#changed.size > 0 || this.#gone.length > 0
  }

  #wake(): void {
    if (this.#timer || this.#writing || this.#closed) return
    const sinceMs = performance.now() - this.#turnedAt
    const delayMs = Math.max(SOON_MS, FLUSH_MS - sinceMs)
    this.#timer = setTimeout(() => {
      this.#timer = null
      void this.#write()
    }, delayMs)
    this.#timer.unref()
  }

  /** Everything up to this moment as one page: what is handed on later belongs to the next. */
  #turnPage(): JournalPage {
    this.#turnedAt = performance.now()
    const marks: SessionMark[] = []
    for (const session of this.#changed) {
      if (marks.length === MARKS_MAX) break
      this.#changed.delete(session)
      if (session.isGathering) continue
      session.markedSn = session.sn
      marks.push({
        id: session.id,
        userId: session.userId,
        loginId: session.loginId,
        compress: session.compress,
        sn: session.sn,
        guilds: [...this.#ports.guildsOf(session.userId)],
        lostAt: session.wire ? null : session.heardAt,
      })
    }
    const gone = new Set(this.#gone)
    const page = {
      nodeId: this.#ports.nodeId,
      no: this.#no + 1,
      at: this.#ports.now(),
      ranges: this.#ranges,
      bases: this.#bases,
      marks: marks.filter(({ id }) => !gone.has(id)),
      gone: this.#gone,
    }
    this.#no += 1
    this.#ranges = []
    this.#bases = new Map()
    this.#gone = []
    return page
  }

  #write(): Promise<void> {
    this.#writing ??= this.#writePage(this.#turnPage()).finally(() => {
      this.#writing = null
      if (this.#hasWork()) this.#wake()
    })
    return this.#writing
  }

  async #writePage(page: JournalPage): Promise<void> {
    for (;;) {
      try {
        const taken = await this.#ports.store.write(page)
        this.#seenAt = page.at
        for (const id of taken) this.#ports.taken(id)
        return
      } catch (error) {
        this.#ports.failed(error)
        if (this.#closed) return
        // No event is committed while the database is away, so what waits here stays small.
        await new Promise((again) => setTimeout(again, RETRY_MS).unref())
      }
    }
  }
}
