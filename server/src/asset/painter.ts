/**
 * The pool of processes that re-encode pictures: bounded, fair between people, and safe from what a picture
 * does to its decoder.
 */
import { type ChildProcess, fork } from 'node:child_process'
import path from 'node:path'
import { fail } from '@guildhall/wire/failure.ts'
import type { UserId } from '@guildhall/wire/id.ts'
import { type Bytes, MINUTE_MS, SECOND_MS } from '@guildhall/wire/unit.ts'
import { clock } from '../kit/clock.ts'
import type { Painted } from './reencode.ts'
import type { FromProcess, Order, ToProcess } from './reencodeProcess.ts'

const PROCESS = path.join(import.meta.dirname, 'reencodeProcess.ts')

/** Bounds of the pool. */
export interface PainterLimits {
  /** Processes, and so pictures decoded at once. */
  readonly processes: number
  /** A picture that takes longer ends its process, ms. */
  readonly pictureMs: number
  /** A process that takes more ends. The largest pictures take about 0.7 GB. */
  readonly memory: Bytes
  /** Pixels decoded for one person within a minute: eleven of the largest pictures. */
  readonly pixelsPerMinute: number
  /** Pictures of one person that wait; further ones are refused. */
  readonly waiting: number
  /** A process without work ends after this time, ms. */
  readonly idleMs: number
}

export const PAINTER_LIMITS: PainterLimits = {
  processes: 2,
  pictureMs: 30 * SECOND_MS,
  memory: 1024 * 1024 * 1024,
  pixelsPerMinute: 275_000_000,
  waiting: 60,
  idleMs: MINUTE_MS,
}

/** Re-encodes pictures outside of this process. */
export interface Painter {
  /**
   * Re-encodes a person's picture, see `reencode`; null when it is broken. People take turns, and one person
   * has one picture decoded at a time.
   * @throws Failure asset.too_many_pixels, too_many, asset.not_image (it ended its process, or took too long)
   */
  paint(userId: UserId, order: Order): Promise<Painted | null>
  /** The ids of the running processes. */
  pids(): number[]
  /** Ends all processes; pictures under way are refused. */
  close(): void
}

/** No process is started before the first picture. */
export const openPainter = (limits: Partial<PainterLimits> = {}): Painter =>
  new Pool({ ...PAINTER_LIMITS, ...limits })

interface Job {
  readonly userId: UserId
  readonly order: Order
  readonly resolve: (painted: Painted | null) => void
  readonly reject: (error: unknown) => void
}

class Pool implements Painter {
  readonly #limits: PainterLimits
  /** Waiting pictures by person; the first person is the next. */
  readonly #waiting = new Map<UserId, Job[]>()
  readonly #served = new Set<UserId>()
  readonly #idle: Worker[] = []
  readonly #workers = new Set<Worker>()
  readonly #budget: PixelBudget
  #isClosed = false

  constructor(limits: PainterLimits) {
    this.#limits = limits
    this.#budget = new PixelBudget(limits.pixelsPerMinute)
  }

  async paint(userId: UserId, order: Order): Promise<Painted | null> {
    if (this.#isClosed) throw fail('unavailable')
    const mine = this.#waiting.get(userId) ?? []
    if (mine.length >= this.#limits.waiting) throw fail('too_many')
    const done = new Promise<Painted | null>((resolve, reject) => {
      mine.push({ userId, order, resolve, reject })
    })
    this.#waiting.set(userId, mine)
    this.#serve()
    return done
  }

  pids(): number[] {
    return [...this.#workers].flatMap(({ pid }) => pid ?? [])
  }

  close(): void {
    this.#isClosed = true
    for (const jobs of this.#waiting.values()) for (const job of jobs) job.reject(fail('unavailable'))
    this.#waiting.clear()
    for (const worker of [...this.#workers]) worker.end()
  }

  /** Gives waiting pictures to free processes. */
  #serve(): void {
    while (this.#idle.length > 0 || this.#workers.size < this.#limits.processes) {
      const job = this.#next()
      if (!job) return
      const worker = this.#idle.pop() ?? this.#start()
      this.#served.add(job.userId)
      void this.#work(job, worker)
    }
  }

  async #work(job: Job, worker: Worker, mayRetry = true): Promise<void> {
    const { userId } = job
    try {
      job.resolve(await worker.run(job.order, (pixels) => this.#budget.take(userId, pixels)))
    } catch (error) {
      const isInnocent = error instanceof EndedBefore
      if (isInnocent && mayRetry && !this.#isClosed) return this.#work(job, this.#start(), false)
      job.reject(isInnocent ? fail('asset.not_image') : error)
    }
    this.#served.delete(userId)
    this.#putLast(userId)
    if (this.#workers.has(worker)) this.#idle.push(worker)
    this.#serve()
  }

  /** People take turns: who was served waits behind all others. */
  #putLast(userId: UserId): void {
    const jobs = this.#waiting.get(userId)
    if (!jobs) return
    this.#waiting.delete(userId)
    this.#waiting.set(userId, jobs)
  }

  /** The first picture of the next person who has none in work. */
  #next(): Job | null {
    for (const [userId, jobs] of this.#waiting) {
      if (this.#served.has(userId)) continue
      const job = jobs.shift()
      if (jobs.length === 0) this.#waiting.delete(userId)
      if (job) return job
    }
    return null
  }

  #start(): Worker {
    const worker = new Worker(this.#limits, () => {
      this.#workers.delete(worker)
      const at = this.#idle.indexOf(worker)
      if (at >= 0) this.#idle.splice(at, 1)
    })
    this.#workers.add(worker)
    return worker
  }
}

/** A process ended before it decoded anything of a picture: the one before may have been too much for it. */
class EndedBefore extends Error {}

/** One process and the picture it works on. */
class Worker {
  readonly #child: ChildProcess
  readonly #limits: PainterLimits
  #isReady = false
  #isLate = false
  #hasBegun = false
  #onMessage: ((message: FromProcess) => void) | null = null
  #onEnd: ((error: unknown) => void) | null = null
  #idleTimer: NodeJS.Timeout | undefined

  constructor(limits: PainterLimits, onEnd: () => void) {
    this.#limits = limits
    this.#child = fork(PROCESS, [String(limits.memory)], {
      // It needs no address and no secret of the server.
      env: {},
      execArgv: ['--max-old-space-size=64'],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    const ended = () => {
      onEnd()
      clearTimeout(this.#idleTimer)
      this.#onEnd?.(this.#reason())
      this.#onEnd = null
    }
    this.#child.on('error', ended)
    this.#child.on('exit', ended)
    this.#child.on('message', (message: FromProcess) => {
      if (message.is === 'ready') this.#isReady = true
      else this.#onMessage?.(message)
    })
  }

  /** Why a picture is not re-encoded whose process ended. */
  #reason(): Error {
    if (this.#hasBegun || this.#isLate) return fail('asset.not_image')
    return this.#isReady ? new EndedBefore() : new Error('the process for pictures does not start')
  }

  get pid(): number | undefined {
    return this.#child.pid
  }

  /**
   * @throws Failure asset.too_many_pixels, too_many, asset.not_image; EndedBefore
   */
  async run(order: Order, mayDecode: (pixels: number) => boolean): Promise<Painted | null> {
    clearTimeout(this.#idleTimer)
    this.#hasBegun = false
    // A picture under way keeps this process alive, an idle child does not.
    this.#child.ref()
    this.#child.channel?.ref()
    const timer = setTimeout(() => {
      this.#isLate = true
      this.end()
    }, this.#limits.pictureMs)
    try {
      return await new Promise<Painted | null>((resolve, reject) => {
        this.#onEnd = reject
        this.#onMessage = (message) => {
          if (message.is === 'head') {
            this.#hasBegun = true
            this.#notify({ mayDecode: mayDecode(message.pixels) })
          } else if (message.is === 'done') resolve(message.painted)
          else reject(fail(message.is === 'too large' ? 'asset.too_many_pixels' : 'too_many'))
        }
        this.#notify({ order })
      })
    } finally {
      clearTimeout(timer)
      this.#onMessage = null
      this.#onEnd = null
      this.#child.unref()
      this.#child.channel?.unref()
      this.#idleTimer = setTimeout(() => this.end(), this.#limits.idleMs).unref()
    }
  }

  end(): void {
    this.#child.kill('SIGKILL')
  }

  /** A process that ended meanwhile is reported by its exit. */
  #notify(message: ToProcess): void {
    this.#child.send(message, () => undefined)
  }
}

const PEOPLE_SWEPT_ABOVE = 1_000

/** Counts pixels per person in windows of a minute, on this node. */
class PixelBudget {
  readonly #most: number
  readonly #windows = new Map<UserId, { until: number; spent: number }>()

  constructor(most: number) {
    this.#most = most
  }

  take(userId: UserId, pixels: number): boolean {
    const now = clock.now()
    let window = this.#windows.get(userId)
    if (!window || window.until <= now || window.until > now + MINUTE_MS) {
      if (this.#windows.size > PEOPLE_SWEPT_ABOVE)
        for (const [id, { until }] of this.#windows) if (until <= now) this.#windows.delete(id)
      window = { until: now + MINUTE_MS, spent: 0 }
      this.#windows.set(userId, window)
    }
    if (window.spent + pixels > this.#most) return false
    window.spent += pixels
    return true
  }
}
