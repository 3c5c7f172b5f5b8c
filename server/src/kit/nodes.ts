/** This node among its equals. What they tell each other may be lost: the database is the truth, this is the way to it. */
import { SECOND_MS } from '@guildhall/wire/unit.ts'
import { ids } from './ids.ts'
import type { Log } from './log.ts'
import type { Redis } from './redis.ts'

export interface Nodes {
  /** Fresh for each process. */
  readonly id: string
  /** Tells every other node. Lost when Redis is away: whoever uses it has another way to the truth. */
  broadcast(kind: string, body: unknown): void
  /** Hears what the others tell under a name. Returns the way out. */
  onMessage(kind: string, listener: (body: unknown, from: string) => void): () => void
  /** Asks all others; the first one that answers something else than null wins; null after `withinMs`, or when alone. */
  request(kind: string, body: unknown, withinMs: number): Promise<unknown>
  /** Answers what others ask under a name; null, or a failure, leaves it to another. Returns the way out. */
  onRequest(kind: string, listener: (body: unknown) => Promise<unknown>): () => void
  /** False while nothing told is heard. Always true for a node that is alone: it has nobody to miss. */
  isConnected(): boolean
  /** The other nodes that were heard of in the last seconds. */
  others(): readonly string[]
  /** Hears of a node that came or is gone. Returns the way out. */
  onChange(listener: (id: string, isHere: boolean) => void): () => void
  /** Says goodbye. */
  close(): void
}

/** What travels: who says it, under which name, what; `ask` names a question, `to` the one it is answered to. */
interface Word {
  readonly from: string
  readonly kind: string
  readonly body: unknown
  readonly ask?: string
}

interface Question {
  /** Who has not answered yet. */
  readonly waitsFor: Set<string>
  readonly done: (body: unknown) => void
}

const BEAT_EVERY_MS = SECOND_MS
/** A node that was not heard of for this long is gone. */
export const LOST_AFTER_MS = 4 * SECOND_MS

const BEAT = '.beat'
const GONE = '.gone'
const ANSWER = '.answer'

/** A node without `REDIS_URL`. */
export const alone = (): Nodes => ({
  id: ids.uuid(),
  broadcast() {},
  onMessage: () => () => undefined,
  request: async () => null,
  onRequest: () => () => undefined,
  isConnected: () => true,
  others: () => [],
  onChange: () => () => undefined,
  close() {},
})

/** Joins the nodes that share `redis` and `prefix`. Never throws and never waits: Redis may be away. */
export function openNodes({
  redis,
  prefix,
  log,
}: {
  readonly redis: Redis
  /** Begins the name of every channel, so that two systems can share one Redis. */
  readonly prefix: string
  readonly log: Log
}): Nodes {
  const id = ids.uuid()
  const all = `${prefix}nodes`
  const mine = (node: string) => `${prefix}node:${node}`
  const listeners = new Map<string, Set<(body: unknown, from: string) => void>>()
  const answerers = new Map<string, (body: unknown) => Promise<unknown>>()
  /** When each other node was heard of last, `performance.now()`. */
  const seen = new Map<string, number>()
  const watchers = new Set<(id: string, isHere: boolean) => void>()
  const open = new Map<string, Question>()
  let closed = false
  /** Since when everybody has had the time to be heard of; before it nobody knows who is there. */
  let knowsAt = Number.POSITIVE_INFINITY

  function changed(node: string, isHere: boolean): void {
    for (const watcher of watchers) guarded(() => watcher(node, isHere))
  }

  function guarded(act: () => void): void {
    try {
      act()
    } catch (error) {
      log.error({ err: error }, 'a word of another node could not be heard')
    }
  }

  function see(node: string): void {
    const isNew = !seen.has(node)
    seen.set(node, performance.now())
    if (!isNew) return
    // So that it need not wait for the next beat to know of this one.
    say(all, BEAT, null)
    changed(node, true)
  }

  function forget(node: string): void {
    if (!seen.delete(node)) return
    for (const question of open.values()) leaveOut(question, node)
    changed(node, false)
  }

  /** A node has nothing to say to a question: once that holds for all who may be there, nobody has. */
  function leaveOut({ waitsFor, done }: Question, node: string): void {
    waitsFor.delete(node)
    if (waitsFor.size > 0) return
    const waitMs = knowsAt - performance.now()
    if (waitMs <= 0) done(null)
    else if (waitMs <= 2 * BEAT_EVERY_MS) setTimeout(() => waitsFor.size === 0 && done(null), waitMs).unref()
  }

  function say(channel: string, kind: string, body: unknown, ask?: string): void {
    if (closed) return
    redis.publish(channel, JSON.stringify({ from: id, kind, body, ...(ask && { ask }) } satisfies Word))
  }

  function hearWord(text: string): void {
    const word = JSON.parse(text) as Word
    const { from, kind, body, ask } = word
    if (from === id || closed) return
    if (kind === GONE) return forget(from)
    see(from)
    if (kind === ANSWER) {
      const question = ask ? open.get(ask) : undefined
      if (!question) return
      if (body === null) leaveOut(question, from)
      else question.done(body)
    } else if (ask) {
      const answerer = answerers.get(kind)
      const asked = answerer ? answerer(body) : Promise.resolve(null)
      asked.then(
        (answer) => say(mine(from), ANSWER, answer ?? null, ask),
        (error: unknown) => {
          log.warn({ err: error, kind }, 'another node could not be answered')
          say(mine(from), ANSWER, null, ask)
        },
      )
    } else for (const listener of listeners.get(kind) ?? []) guarded(() => listener(body, from))
  }
  const onText = (text: string) => guarded(() => hearWord(text))

  const beats = setInterval(() => {
    const now = performance.now()
    for (const [node, at] of seen) if (now - at > LOST_AFTER_MS) forget(node)
    say(all, BEAT, null)
  }, BEAT_EVERY_MS)
  beats.unref()
  redis.onChange((connected) => {
    knowsAt = connected ? performance.now() + 2 * BEAT_EVERY_MS : Number.POSITIVE_INFINITY
    if (connected) say(all, BEAT, null)
  })
  void redis.subscribe(mine(id), onText)
  redis.subscribe(all, onText).then(() => say(all, BEAT, null))

  return {
    id,
    broadcast: (kind, body) => say(all, kind, body),
    onMessage(kind, listener) {
      const heard = listeners.get(kind) ?? new Set()
      listeners.set(kind, heard)
      heard.add(listener)
      return () => void heard.delete(listener)
    },
    async request(kind, body, withinMs) {
      if (!redis.isConnected()) return null
      const waitsFor = new Set(seen.keys())
      if (waitsFor.size === 0 && performance.now() > knowsAt) return null
      const key = ids.uuid()
      return new Promise((resolve) => {
        const timer = setTimeout(() => done(null), withinMs)
        const done = (answer: unknown) => {
          clearTimeout(timer)
          open.delete(key)
          resolve(answer)
        }
        open.set(key, { waitsFor, done })
        say(all, kind, body, key)
      })
    },
    onRequest(kind, listener) {
      answerers.set(kind, listener)
      return () => void answerers.delete(kind)
    },
    isConnected: () => redis.isConnected(),
    others: () => [...seen.keys()],
    onChange(listener) {
      watchers.add(listener)
      return () => void watchers.delete(listener)
    },
    close() {
      say(all, GONE, null)
      closed = true
      clearInterval(beats)
    },
  }
}
