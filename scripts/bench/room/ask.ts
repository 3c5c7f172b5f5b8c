// The messages between the processes of the room benchmark. Each process loads only the modules it needs:
// garbage collection of a larger heap, on all processors, would distort the figures.
import { type ChildProcess, fork, type Serializable } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'

export const HOST = '127.0.0.1'
/** The upper bound of recorded latencies, ms. Latencies are counted in tenths of a millisecond. */
export const LATENCY_MAX_MS = 10_000
const ANSWER_MS = 300_000
export const TEXT = '今晚八点开荒，缺一个奶和两个输出，语音频道集合，迟到的请大家喝奶茶。See you there!'

export interface Seat {
  readonly token: string
  readonly gateway: string
}
export type Ask =
  | { ask: 'seed'; connections: number }
  | { ask: 'cpu' }
  /** To a server: what the process has in memory, bytes. */
  | { ask: 'memory' }
  /** `burst`: so many at once, and then as many gaps. */
  | { ask: 'broadcast'; times: number; gapMs: number; burst?: number }
  | { ask: 'open'; seats: readonly string[]; port: number; sendsHello: boolean }
  | {
      ask: 'send'
      port: number
      tokens: readonly string[]
      channelId: string
      ratePerS: number
      forMs: number
      /** So many are due at once. */
      burst?: number
      /** When the first message is due, ms since 1970; without it, at once. */
      startAt?: number
    }
  /**
   * Each token is a page that begins within `withinMs` and makes `calls`, one after the other, on a
   * connection of its own; `{gateway}` among them connects to its gateway address and waits for the hello.
   */
  | { ask: 'pages'; port: number; seats: readonly Seat[]; calls: readonly string[]; withinMs: number }
  | { ask: 'count' }
  /** Messages sent before `from`, ms since 1970, are not part of the figures. */
  | { ask: 'measure'; from: number }
  | { ask: 'received' }
  /** To the hostile member: begin the attacks of these names, or all of them. */
  | {
      ask: 'attack'
      port: number
      guildId: string
      channelId: string
      seat: Seat
      only: readonly string[]
      depth: number
    }
  /** End all attacks and say what came of them. */
  | { ask: 'stop' }

export interface Sent {
  readonly sent: number
  readonly tookMs: number
}
/** How long pages waited from their beginning to their last answer, ms, and how many calls were refused. */
export interface Waited {
  readonly p50: number
  readonly p99: number
  readonly max: number
  readonly refused: number
}
export interface Received {
  readonly count: number
  readonly p50: number
  readonly p99: number
  readonly max: number
}

/** What came of one attack. */
export interface Outcome {
  readonly name: string
  readonly connections: number
  readonly sent: number
  /** Answers by HTTP status, or frames by what they are. */
  readonly answers: Readonly<Record<string, number>>
  /** Connections that the server closed. */
  readonly closed: number
}

/** CPU time used by this process, µs. */
export const cpu = (): number => {
  const { user, system } = process.cpuUsage()
  return user + system
}

/** Handles the requests of the parent process, after sending it `started`. */
export function answer<A = Ask>(act: (input: A) => Promise<unknown>, started: number): void {
  process.on('message', (input: A) => {
    act(input).then(
      (value) => process.send?.(value),
      (error) => {
        console.error(error)
        process.exit(1)
      },
    )
  })
  process.on('disconnect', () => setTimeout(() => process.exit(0), 10_000).unref())
  process.send?.(started)
}

/** Variables of a server. By default no limit of calls applies, and its database is embedded. */
export type Settings = Readonly<Record<string, string>>

export class Child<A = Ask> {
  readonly #process: ChildProcess
  port = 0
  constructor(
    role: 'server' | 'bare' | 'bareSend' | 'clients' | 'pages' | '../hostile/attacker' | '../scale/people',
    settings: Settings = {},
  ) {
    this.#process = fork(path.join(import.meta.dirname, `${role}.ts`), [JSON.stringify(settings)], {
      execArgv: role === 'clients' ? ['--single-threaded-gc'] : [],
    })
  }
  async started(): Promise<this> {
    this.port = await this.#next()
    return this
  }
  ask<T>(input: A): Promise<T> {
    this.#process.send(input as Serializable)
    return this.#next()
  }
  /** Ends it at once, as a machine that loses its power does. */
  async kill(): Promise<void> {
    const ended = once(this.#process, 'exit')
    this.#process.kill('SIGKILL')
    await ended
  }
  async end(): Promise<void> {
    if (!this.#process.connected) return
    const ended = once(this.#process, 'exit')
    this.#process.disconnect()
    await ended
  }
  async #next<T>(): Promise<T> {
    const over = new AbortController()
    const late = AbortSignal.any([AbortSignal.timeout(ANSWER_MS), over.signal])
    const exited = once(this.#process, 'exit', { signal: late }).then(() => {
      throw new Error('a process of the bench ended')
    })
    const [value] = await Promise.race([once(this.#process, 'message', { signal: late }), exited])
    exited.catch(() => undefined)
    over.abort()
    return value as T
  }
}
