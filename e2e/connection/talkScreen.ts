/** What a screen of the long talk shows at one moment, and whether that is true. */
import type { CDPSession } from '@playwright/test'
import {
  HELLO_WAIT_MS,
  NETWORK_POLL_MS,
  PING_EVERY_MS,
  PING_JITTER_MS,
  PONG_WAIT_MS,
  RESUME_WAIT_MS,
} from '../../wire/src/gateway/timing.ts'
import { CALL_TIMEOUT_MS } from '../../wire/src/limit.ts'

/** What a slow machine may add to every time, ms. */
const SLACK_MS = 5_000
/** Untruths of one screen that are printed when they are found; the failed test shows all. */
const LOGGED_MAX = 10
/** A bar may stay this long after the connection is there, ms. */
const BAR_LEAVES_MS = 5_000
/** A message may carry its waiting sign this long after it was stored, while its page is connected, ms. */
export const SIGN_LEAVES_MS = 15_000
/**
 * A page that was woken probes its connection, and has its answer within this time, ms: `WAKE_WAIT_MS` of the
 * page.
 */
const WAKE_WAIT_MS = 2_000
/** A dead connection on which nothing is answered is noticed within this time, ms: pong, then two resumes. */
const UNANSWERED_MS = PONG_WAIT_MS + RESUME_WAIT_MS * 3
/** The same without a send: the next heartbeat comes first. */
const SILENT_MS = PING_EVERY_MS + PING_JITTER_MS + UNANSWERED_MS
/** Connected again after the network is back, ms: noticing, then the poll, and one attempt that fails. */
const BACK_MS = SILENT_MS + NETWORK_POLL_MS + 2 * HELLO_WAIT_MS

/** A message on screen. */
export interface ShownRow {
  readonly token: string
  readonly text: string
  readonly isOutgoing: boolean
  /** An outgoing one says that it waits, is being sent, or failed. */
  readonly hasSign: boolean
  readonly reactions: readonly string[]
}

export interface Sample {
  readonly path: string
  /** The words of the connection bar; null: there is no bar. */
  readonly bar: string | null
  /** Visible elements. */
  readonly elements: number
  readonly rows: readonly ShownRow[]
  readonly draft: string | null
}

/** Runs in the page. `token`: what the texts and pictures of the talk begin with. */
function look(tokenSource: string): Sample {
  const token = new RegExp(tokenSource)
  const isSeen = (it: Element) => {
    const box = it.getBoundingClientRect()
    return box.width > 0 && box.height > 0 && box.bottom > 0 && box.top < innerHeight
  }
  const rows = [...document.querySelectorAll('[data-part=message],[data-part=outgoing-message]')]
    .map((row) => {
      const content = row.querySelector('[data-part=message-text]')?.cloneNode(true) as Element | undefined
      for (const it of content?.querySelectorAll('[data-part=edited]') ?? []) it.remove()
      const picture = row.querySelector('[data-part=picture]')?.ariaLabel ?? ''
      const text = content?.textContent?.trim() || picture
      const isOutgoing = row.matches('[data-part=outgoing-message]')
      const signs = row.querySelectorAll('[role=img][aria-label],[role=status],[role=alert]')
      return {
        top: row.getBoundingClientRect().top,
        token: token.exec(text)?.[0] ?? '',
        text,
        isOutgoing,
        hasSign: [...signs].some((it) => it.getBoundingClientRect().height > 0),
        reactions: [...row.querySelectorAll('[data-part=reaction]')].map((it) => it.ariaLabel ?? ''),
      }
    })
    .sort((a, b) => a.top - b.top)
    .map(({ top: _, ...row }) => row)
  const field = document.querySelector<HTMLTextAreaElement>('[data-part=composer-input]')
  return {
    path: location.pathname,
    bar: document.querySelector('[role=status][data-face] p')?.textContent ?? null,
    elements: [...document.body.querySelectorAll('*')].filter(isSeen).length,
    rows,
    draft: field?.value ?? null,
  }
}

export const TOKEN = /[甲乙][机桌副]-\d{4}/

/**
 * Null while the page is replaced by another. Not an action of the runner, so that a trace does not record
 * each.
 */
export async function sampleOf(cdp: CDPSession): Promise<Sample | null> {
  try {
    const answer = cdp.send('Runtime.evaluate', {
      expression: `(${look})(${JSON.stringify(TOKEN.source)})`,
      returnByValue: true,
    })
    const { result } = await Promise.race([
      answer,
      new Promise<never>((_, fail) => setTimeout(() => fail(new Error('late')), 5_000)),
    ])
    return (result.value as Sample | undefined) ?? null
  } catch {
    return null
  }
}

/**
 * What happened to the line of a page. `silent`: nothing tells the page. `told`: its socket closes, or the
 * browser says so.
 */
export type Break = 'silent' | 'told' | 'woken' | 'loading'

/** What is really the case between one page and the server, as the test and the browser's sockets know it. */
export class Line {
  /** The way to the server carries bytes. */
  carries = true
  carriesSince = Date.now()
  /** A socket of the page received its first frame over a line that carries. */
  connectedSince: number | null = null
  /** The connection is dead or missing. */
  dead: { since: number; how: Break } | null = { since: Date.now(), how: 'loading' }
  /** When the page first sent something after the connection died. */
  sentAt: number | null = null
  /**
   * The longest time from the line's return, or from the connection's end on one that carries, to the next
   * connection, ms.
   */
  backAfterMs = 0
  private socket: object | null = null

  opened(socket: object): void {
    this.socket = socket
    this.end('told')
  }

  received(socket: object): void {
    if (socket !== this.socket || !this.carries) return
    if (this.connectedSince === null) {
      this.connectedSince = Date.now()
      const from = Math.max(this.carriesSince, this.dead?.since ?? 0)
      this.backAfterMs = Math.max(this.backAfterMs, this.connectedSince - from)
    }
    this.dead = null
    this.sentAt = null
  }

  closed(socket: object): void {
    if (socket === this.socket) this.end('told')
  }

  /** Nothing is carried from now on. `how` null: the sockets are still open and close later. */
  cut(how: Break | null): void {
    this.carries = false
    if (how) this.kill(how)
  }

  mend(): void {
    this.carries = true
    this.carriesSince = Date.now()
  }

  /** The page's socket is dead, whether the page knows or not. */
  kill(how: Break): void {
    this.socket = null
    this.connectedSince = null
    this.dead = { since: Date.now(), how }
    this.sentAt = null
  }

  sent(): void {
    this.sentAt ??= this.dead ? Date.now() : null
  }

  private end(how: Break): void {
    this.connectedSince = null
    this.dead ??= { since: Date.now(), how }
  }

  /** When, at the latest, the page shows that the connection is dead. */
  noticeBy(): number {
    if (!this.dead) return Number.POSITIVE_INFINITY
    const { since, how } = this.dead
    if (how === 'told') return since + SLACK_MS
    if (how === 'loading') return since + 2 * SLACK_MS
    if (how === 'woken') return since + WAKE_WAIT_MS + SLACK_MS
    const bySend =
      this.sentAt === null ? Number.POSITIVE_INFINITY : this.sentAt + CALL_TIMEOUT_MS + UNANSWERED_MS
    return Math.min(since + SILENT_MS, bySend) + SLACK_MS
  }

  /** When, at the latest, the page is connected again. */
  backBy(): number {
    return this.carries ? this.carriesSince + BACK_MS + SLACK_MS : Number.POSITIVE_INFINITY
  }
}

export interface Untruth {
  readonly at: string
  readonly who: string
  readonly what: string
}

/** A list of the talk's messages as a screen showed it first at this time. */
export interface ShownList {
  readonly who: string
  readonly at: number
  readonly rows: readonly ShownRow[]
  /** Messages stored before this time have lost their sign; null: the page was not connected long enough. */
  readonly signsUntil: number | null
}

/** The longest times that a screen took, ms. */
export interface Times {
  /** The connection was dead and there was no bar, by how it died. */
  unsaid: Record<Break, number>
  /** The connection was there and so was the bar. */
  wronglySaid: number
}

/** Judges the samples of one page. */
export class ScreenWatch {
  readonly untruths: Untruth[] = []
  readonly lists = new Map<string, ShownList>()
  readonly times: Times = {
    unsaid: { silent: 0, told: 0, woken: 0, loading: 0 },
    wronglySaid: 0,
  }
  samples = 0
  last: Sample | null = null
  private blankFor = 0
  private wasUnsaid = false
  private wasWronglySaid = false
  private hadRows = false
  private readonly who: string
  private readonly line: Line
  private readonly paths: RegExp

  constructor(who: string, line: Line, paths: RegExp) {
    this.who = who
    this.line = line
    this.paths = paths
  }

  /** The page is loaded anew, or its list is left: it may be without messages for a moment. */
  forget(): void {
    this.forgetRows()
    this.blankFor = 0
  }

  /** The same while it is loaded: it may be without messages, and not blank. */
  forgetRows(): void {
    this.hadRows = false
  }

  /** `from`: when the sample was asked for. */
  judge(now: Sample, from: number): void {
    this.samples += 1
    this.last = now
    this.judgeContent(now)
    this.judgeBar(now)
    this.judgeRows(now, from)
  }

  private judgeContent(now: Sample): void {
    const isRoom = /\/channels\/\d+\/\d+/.test(now.path)
    if (!this.paths.test(now.path)) this.say(`the screen is at ${now.path}`)
    if (!isRoom) this.hadRows = false
    const isEmpty = now.elements < 5 || (isRoom && this.hadRows && now.rows.length === 0)
    this.blankFor = isEmpty ? this.blankFor + 1 : 0
    if (this.blankFor === 2)
      this.say(`the screen is blank: ${now.elements} elements, ${now.rows.length} messages`)
    this.hadRows ||= isRoom && now.rows.length > 0
  }

  private judgeBar({ bar }: Sample): void {
    const { line, times } = this
    const at = Date.now()
    const isUnsaid = bar === null && line.dead !== null
    const isWronglySaid = bar !== null && line.connectedSince !== null
    // A page may know of its connection a moment before the test hears of it: what two looks saw is judged.
    const isCertain = isUnsaid === this.wasUnsaid && isWronglySaid === this.wasWronglySaid
    this.wasUnsaid = isUnsaid
    this.wasWronglySaid = isWronglySaid
    if (isCertain && bar === null && line.dead) {
      const { how, since } = line.dead
      times.unsaid[how] = Math.max(times.unsaid[how], at - since)
      if (at > line.noticeBy()) this.say(`no bar ${at - since} ms after the connection died (${how})`)
    }
    if (isCertain && bar !== null && line.connectedSince !== null) {
      const wrong = at - line.connectedSince
      times.wronglySaid = Math.max(times.wronglySaid, wrong)
      if (wrong > BAR_LEAVES_MS) this.say(`"${bar}" ${wrong} ms after it was connected`)
    }
    if (line.dead && at > line.backBy()) this.say('not connected long after the line was back')
  }

  private judgeRows({ rows }: Sample, from: number): void {
    const known = rows.filter(({ token }) => token !== '')
    const twice = known.filter((row, n) => known.findIndex(({ token }) => token === row.token) !== n)
    for (const { token } of twice) this.say(`${token} is shown twice`)
    for (const { token, isOutgoing, hasSign } of known)
      if (isOutgoing && !hasSign) this.say(`${token} is not stored and has no sign`)
    const { connectedSince } = this.line
    const isLong = connectedSince !== null && from - connectedSince > SIGN_LEAVES_MS
    // A sign that stays is looked at again and again.
    const signed = isLong && known.some(({ isOutgoing }) => isOutgoing) && Math.floor(from / SIGN_LEAVES_MS)
    const key = JSON.stringify([known.map((row) => [row.token, row.isOutgoing]), signed])
    if (known.length > 0 && !this.lists.has(key))
      this.lists.set(key, {
        who: this.who,
        at: Date.now(),
        rows: known,
        signsUntil: isLong ? from - SIGN_LEAVES_MS : null,
      })
  }

  private say(what: string): void {
    const untruth = { at: new Date().toISOString().slice(11, 23), who: this.who, what }
    if (this.untruths.length < LOGGED_MAX) console.log(`talk: ${untruth.at} ${untruth.who}: ${what}`)
    this.untruths.push(untruth)
  }
}
