/** Eight nodes, their PostgreSQL and Redis, and the processes in which their people are. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { openStore, type Store } from '../../../server/src/kit/database/store.ts'
import { askOnce } from '../../../server/src/kit/redis/client.ts'
import { openTestPostgres, type TestPostgres } from '../../../server/src/testing/database/postgres.ts'
import { openTestRedis, type TestRedis } from '../../../server/src/testing/nodes/redis.ts'
import { freePort } from '../../../server/src/testing/port.ts'
import { cpuOfTree } from '../kit/others.ts'
import { Child } from '../room/ask.ts'
import type { Call } from '../room/caller.ts'
import type { Called, PeopleAsk, Seen } from './ask.ts'

export const NODES = 8
/** A process may have 20 000 files on many machines. */
const PEOPLE_PROCESSES = 4
/** As on a machine of a database: more connections than Debian's default, and more memory. */
const POSTGRES = ['max_connections=300', 'shared_buffers=1GB', 'max_wal_size=4GB']
const HEARTBEAT_MS = 30_000
/** So that no answer takes too long. */
const CONNECTED_AT_ONCE = 5_000

/** What everything has used since it began. */
export interface Used {
  /** When, ms. */
  readonly at: number
  /** CPU of each node, µs. */
  readonly nodes: readonly number[]
  readonly databaseUs: number
  readonly redisUs: number
  /** What Redis received and sent. */
  readonly redisBytes: number
  /** Events that people received. */
  readonly events: number
}

export class System {
  readonly store: Store
  readonly #postgres: TestPostgres
  readonly #redis: TestRedis
  readonly #nodes: Child[]
  readonly #people: readonly Child<PeopleAsk>[]
  readonly #directory: string

  private constructor(
    parts: Pick<System, 'store'> & {
      readonly postgres: TestPostgres
      readonly redis: TestRedis
      readonly nodes: Child[]
      readonly people: readonly Child<PeopleAsk>[]
      readonly directory: string
    },
  ) {
    this.store = parts.store
    this.#postgres = parts.postgres
    this.#redis = parts.redis
    this.#nodes = parts.nodes
    this.#people = parts.people
    this.#directory = parts.directory
  }

  /** Opens it; the nodes come with `startNodes`, after the world was made. */
  static async open(): Promise<System> {
    const directory = await mkdtemp(path.join(tmpdir(), 'guildhall-bench-'))
    const [postgres, redis] = await Promise.all([openTestPostgres(POSTGRES), openTestRedis()])
    const store = await openStore({ dataDir: path.join(directory, 'data'), databaseUrl: postgres.url })
    const people = Array.from({ length: PEOPLE_PROCESSES }, () => new Child<PeopleAsk>('../scale/people'))
    for (const child of people) await child.started()
    return new System({ store, postgres, redis, nodes: [], people, directory })
  }

  async startNodes(): Promise<void> {
    for (let n = 0; n < NODES; n += 1) {
      const node = new Child('server', {
        PORT: String(await freePort()),
        DATABASE_URL: this.#postgres.url,
        REDIS_URL: this.#redis.url,
        UPLOADS_SHARED_DIR: path.join(this.#directory, 'uploads'),
      })
      this.#nodes.push(await node.started())
    }
    for (const child of this.#people) {
      await child.ask({ ask: 'nodes', ports: this.ports() })
      await child.ask({ ask: 'heartbeats', everyMs: HEARTBEAT_MS })
    }
  }

  ports = (): number[] => this.#nodes.map(({ port }) => port)

  /** Connects people to the nodes in turn. */
  async connect(tokens: readonly string[]): Promise<void> {
    const ports = this.ports()
    const all = tokens.map((token, n) => ({ token, port: ports[n % ports.length]! }))
    for (let from = 0; from < all.length; from += CONNECTED_AT_ONCE) {
      const some = all.slice(from, from + CONNECTED_AT_ONCE)
      const share = Math.ceil(some.length / this.#people.length)
      await Promise.all(
        this.#people.map((child, at) =>
          child.ask({ ask: 'connect', visitors: some.slice(at * share, (at + 1) * share) }),
        ),
      )
    }
  }

  heartbeats(everyMs: number): Promise<unknown> {
    return Promise.all(this.#people.map((child) => child.ask({ ask: 'heartbeats', everyMs })))
  }

  normalHeartbeats(): Promise<unknown> {
    return this.heartbeats(HEARTBEAT_MS)
  }

  /**
   * Makes calls, so many a second, or as many as go when that is 0; the answer has how often each succeeded.
   * `by`: the process of people that makes them, which does one thing at a time.
   */
  async call(
    calls: readonly Call[],
    { ratePerS, forMs, by = 0 }: { readonly ratePerS: number; readonly forMs: number; readonly by?: number },
  ): Promise<Called> {
    return this.#people[by]!.ask<Called>({ ask: 'call', calls, ports: this.ports(), ratePerS, forMs })
  }

  /** People come to the nodes in turn, or all to the first, and go. Returns how many. By the last process. */
  async visit(input: {
    readonly tokens: readonly string[]
    readonly ratePerS: number
    readonly forMs: number
    readonly stayMs: number
    readonly isToFirst?: boolean
  }): Promise<number> {
    const ports = input.isToFirst ? this.ports().slice(0, 1) : this.ports()
    const visitors = input.tokens.map((token, n) => ({ token, port: ports[n % ports.length]! }))
    const { ratePerS, forMs, stayMs } = input
    return this.#people.at(-1)!.ask<number>({ ask: 'visit', visitors, ratePerS, forMs, stayMs })
  }

  async seen(): Promise<Seen> {
    const all = await Promise.all(this.#people.map((child) => child.ask<Seen>({ ask: 'seen' })))
    const sum = (of: (it: Seen) => number) => all.reduce((total, it) => total + of(it), 0)
    return {
      connected: sum((it) => it.connected),
      events: sum((it) => it.events),
      awayMs: all.flatMap((it) => it.awayMs),
      resumed: sum((it) => it.resumed),
    }
  }

  async used(): Promise<Used> {
    const [nodes, { events }, stats] = await Promise.all([
      Promise.all(this.#nodes.map((node) => node.ask<number>({ ask: 'cpu' }))),
      this.seen(),
      askOnce(this.#redis.url, (client) => client.info('stats')),
    ])
    const bytes = (name: string) => Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(stats)?.[1])
    return {
      at: performance.now(),
      nodes,
      databaseUs: cpuOfTree(this.#postgres.pid()) * 1_000,
      redisUs: cpuOfTree(this.#redis.pid()) * 1_000,
      redisBytes: bytes('total_net_input_bytes') + bytes('total_net_output_bytes'),
      events,
    }
  }

  /** Memory of each node, bytes. */
  memory(): Promise<number[]> {
    return Promise.all(this.#nodes.map((node) => node.ask<number>({ ask: 'memory' })))
  }

  /** Kills the last node; whoever was on it comes back to the others. */
  async killNode(): Promise<void> {
    const node = this.#nodes.pop()
    for (const child of this.#people) await child.ask({ ask: 'nodes', ports: this.ports() })
    await node!.kill()
  }

  async close(): Promise<void> {
    await Promise.all(this.#people.map((child) => child.kill()))
    await Promise.all(this.#nodes.map((node) => node.end()))
    await this.store.close()
    await this.#redis.close()
    await this.#postgres.close()
    await rm(this.#directory, { recursive: true, force: true })
  }
}
