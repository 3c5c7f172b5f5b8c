/**
 * A Redis Cluster: a link to each master. Channels are sharded (`SPUBLISH`, `SSUBSCRIBE`): each lies on the
 * master that has its slot, and a message goes to no other server. The client's own cluster is not used: it
 * subscribes again without saying whether that worked, and nobody learns that messages may be missed
 * (decision 133).
 */
import { randomUUID } from 'node:crypto'
import type { RedisAddress } from './address.ts'
import { askOnce } from './client.ts'
import { Link } from './link.ts'
import { RedisLinks } from './links.ts'
import { readSlotMap, SLOTS, type SlotMap, type SlotRange, slotOf } from './slots.ts'

/** How often the cluster is asked who has which slots, ms: while all is well, and while something is away. */
const MAP_EVERY_MS = 10_000
const MAP_AWAY_EVERY_MS = 1_000
/** After a slot has moved: how soon it is asked, and how often at most; ms. */
const MAP_SOON_MS = 20
const MAP_AGAIN_MS = 250

interface Master {
  readonly link: Link
  /** The slots that it has, as text. */
  slots: string
}

export class RedisCluster extends RedisLinks {
  readonly #seeds: readonly string[]
  readonly #answerWithinMs: number
  readonly #id = randomUUID()
  /** By URL. */
  readonly #masters = new Map<string, Master>()
  /** By slot. */
  #owners: readonly (Link | undefined)[] = []
  /** Links that have lost subscriptions, since the last time that the slots were looked for. */
  readonly #moved = new Set<Link>()
  #isStale = true
  #isMapping = false
  #mappedAt = 0
  #timer: NodeJS.Timeout | undefined
  /** When the slots are looked for next, ms. */
  #dueAt = Number.POSITIVE_INFINITY

  constructor({ urls }: RedisAddress, answerWithinMs: number) {
    super()
    this.#seeds = urls
    this.#answerWithinMs = answerWithinMs
    void this.#map()
  }

  override close(): void {
    clearTimeout(this.#timer)
    super.close()
  }

  protected override links(): readonly Link[] {
    return [...this.#masters.values()].map(({ link }) => link)
  }

  protected override linkOf(key: string): Link | undefined {
    return this.#owners[slotOf(key)]
  }

  protected override isMapped(): boolean {
    return !this.#isStale
  }

  #onMoved(link: Link): void {
    this.#moved.add(link)
    this.#isStale = true
    this.update(new Error('slots have moved'))
    if (!this.#isMapping)
      this.#mapIn(Math.max(MAP_SOON_MS, this.#mappedAt + MAP_AGAIN_MS - performance.now()))
  }

  /** Looks for the slots after `waitMs` at the latest. */
  #mapIn(waitMs: number): void {
    const dueAt = performance.now() + waitMs
    if (this.isClosed || dueAt >= this.#dueAt) return
    clearTimeout(this.#timer)
    this.#dueAt = dueAt
    this.#timer = setTimeout(() => void this.#map(), waitMs)
    this.#timer.unref()
  }

  /** Finds out which master has which slots, and when to do so again. Never rejects. */
  async #map(): Promise<void> {
    this.#dueAt = Number.POSITIVE_INFINITY
    this.#isMapping = true
    const moved = new Set(this.#moved)
    this.#moved.clear()
    let why: Error | null = null
    try {
      const { ranges } = await this.#newestMap()
      if (this.isClosed) return
      this.#assign(ranges, moved)
      if (this.#owners.includes(undefined)) why = new Error('some slots have no server')
    } catch (error) {
      why = error as Error
      for (const link of moved) this.#moved.add(link)
    }
    this.#isMapping = false
    this.#mappedAt = performance.now()
    this.#isStale = why !== null || this.#moved.size > 0
    this.update(why)
    if (why === null && this.#moved.size > 0) this.#mapIn(MAP_AGAIN_MS)
    else this.#mapIn(this.isConnected() ? MAP_EVERY_MS : MAP_AWAY_EVERY_MS)
  }

  /** @throws when no server answers */
  async #newestMap(): Promise<SlotMap> {
    const known = await Promise.all(this.links().map((link) => link.slotMap()))
    const newest = newestOf(known.filter((map) => map !== null))
    if (newest) return newest
    let why: unknown
    const asked = this.#seeds.map((url) =>
      askOnce(url, (client) => readSlotMap(client, url)).catch((error: unknown) => {
        why = error
        return null
      }),
    )
    const found = newestOf((await Promise.all(asked)).filter((map) => map !== null))
    if (!found) throw why
    return found
  }

  #assign(ranges: readonly SlotRange[], moved: ReadonlySet<Link>): void {
    const urls = new Array<string | undefined>(SLOTS).fill(undefined)
    const slots = new Map<string, string>()
    for (const { from, to, url } of ranges) {
      urls.fill(url, from, to + 1)
      slots.set(url, `${slots.get(url) ?? ''} ${from}-${to}`)
    }
    for (const [url, { link }] of this.#masters) {
      if (slots.has(url)) continue
      link.close()
      this.#masters.delete(url)
    }
    const changed = [...this.#masters].filter(
      ([url, master]) => master.slots !== slots.get(url) || moved.has(master.link),
    )
    for (const [url, has] of slots) {
      const master = this.#masters.get(url)
      if (master) master.slots = has
      else this.#masters.set(url, { link: this.#openLink(url, urls), slots: has })
    }
    this.#owners = urls.map((url) => (url === undefined ? undefined : this.#masters.get(url)?.link))
    for (const [url, { link }] of changed) link.resubscribe(this.#heartbeatChannel(url, urls))
  }

  #openLink(url: string, urls: readonly (string | undefined)[]): Link {
    const link: Link = new Link({
      url,
      answerWithinMs: this.#answerWithinMs,
      isShard: true,
      heartbeatChannel: this.#heartbeatChannel(url, urls),
      channels: () => this.channels().filter((channel) => this.linkOf(channel) === link),
      receive: (channel, text) => this.receive(channel, text),
      onChange: (why) => {
        this.update(why)
        if (!link.isConnected() && !this.#isMapping) this.#mapIn(MAP_AWAY_EVERY_MS)
      },
      onMoved: () => this.#onMoved(link),
    })
    return link
  }

  /** A channel that lies on this server. */
  #heartbeatChannel(url: string, urls: readonly (string | undefined)[]): string {
    for (let n = 0; ; n += 1) {
      const channel = `guildhall:echo:${this.#id}:{${n}}`
      if (urls[slotOf(channel)] === url) return channel
    }
  }
}

const newestOf = (maps: readonly SlotMap[]): SlotMap | undefined =>
  maps.toSorted((a, b) => Number(b.isOk) - Number(a.isOk) || b.epoch - a.epoch)[0]
