/**
 * The people of chaos: talkers, listeners, people who upload and people who ask for codes, all of whom keep
 * what they were told.
 */
import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { CALL_TIMEOUT_MS } from '@guildhall/wire/limit.ts'
import { openTalker, type Talker } from '../connection/talker.ts'
import { type Listener, listen } from '../listener.ts'
import { waitUntil } from '../waitUntil.ts'
import type { Nodes } from './chaosNodes.ts'

const TALKERS = 12
const SPEAKERS = ['owner', 'admin', 'member'] as const
const LISTENERS = 4
/** The average pause of a talker between two messages, ms. */
const SEND_EVERY_MS = 500
const UPLOAD_EVERY_MS = 1_100
const CODE_EVERY_MS = 500

/** A file that was accepted: the node that has it, and its path there. */
export interface Upload {
  readonly node: number
  readonly at: string
  readonly content: Buffer
}

export interface Clients {
  readonly talkers: readonly Talker[]
  readonly listeners: readonly Listener[]
  readonly uploads: readonly Upload[]
  /**
   * How often each answer was given: `upload 200 at 0`, `code accepted`; `code lost` when none was sent in
   * spite of that.
   */
  readonly answers: ReadonlyMap<string, number>
  readonly guildId: string
  readonly channelId: string
  /** All acknowledged messages: nonce → id. */
  acknowledged(): Map<string, string>
  /** Resolve when it has happened once more from now on; `nextMessages`: to every talker. */
  nextMessages(): Promise<void>
  nextRefusedUpload(node: number): Promise<void>
  /**
   * Somebody who asked for a code got this answer, within the time that the page waits: `accepted`, or a
   * failure.
   */
  nextCode(answer: string): Promise<void>
  /** Everybody is done: what is acknowledged is final. The connections stay. */
  finish(): Promise<void>
  close(): void
}

export async function openClients(nodes: Nodes): Promise<Clients> {
  const clients = new ChaosClients(nodes)
  await clients.start()
  return clients
}

interface Answer {
  readonly status: number
  readonly body: Record<string, unknown>
}

class ChaosClients implements Clients {
  readonly talkers: Talker[] = []
  readonly listeners: Listener[] = []
  readonly uploads: Upload[] = []
  readonly answers = new Map<string, number>()
  readonly guildId: string
  readonly channelId: string
  readonly #nodes: Nodes
  readonly #tokens = new Map<string, string>()
  #working: Promise<void>[] = []
  #isOver = false
  #codes = 0

  constructor(nodes: Nodes) {
    this.#nodes = nodes
    const { guilds, channels } = nodes.world
    this.guildId = guilds[0]!.id
    this.channelId = channels.find(
      (each) => each.guild_id === this.guildId && each.type === 1 && !each.is_readonly,
    )!.id
  }

  async start(): Promise<void> {
    const { world, url } = this.#nodes
    for (const name of SPEAKERS) {
      const { mobile, password } = world.people[name]!
      const session = await this.#call(0, '/api/v2/auth/login', { json: { mobile, password } })
      this.#tokens.set(name, String(session?.body.token))
    }
    for (let n = 0; n < TALKERS; n += 1) {
      const name = SPEAKERS[n % SPEAKERS.length]!
      this.talkers.push(
        openTalker({
          name: `${name}-${n}`,
          me: world.people[name]!.id,
          token: this.#tokens.get(name)!,
          channelId: this.channelId,
          urls: [url(0), url(1)],
          first: n % 2,
        }),
      )
    }
    for (let n = 0; n < LISTENERS; n += 1) {
      let node = n
      const addressOf = async () => {
        node += 1
        const state = await this.#call(node % 2, '/api/v2/user/user-state', {
          token: this.#tokens.get('owner')!,
        })
        return state?.status === 200 ? String(state.body.gateway_url) : null
      }
      this.listeners.push(listen(this.guildId, addressOf))
    }
    await waitUntil(() => this.talkers.every((talker) => talker.connection().phase === 'connected'))
    this.#working = [
      ...this.talkers.map((talker) => talker.talk(SEND_EVERY_MS, () => this.#isOver)),
      ...SPEAKERS.map((name) => this.#upload(name)),
      ...[0, 1].map((node) => this.#askForCodes(node)),
    ]
  }

  acknowledged(): Map<string, string> {
    return new Map(this.talkers.flatMap((talker) => [...talker.acknowledged]))
  }

  async nextMessages(): Promise<void> {
    const before = this.talkers.map((talker) => talker.acknowledged.size)
    await waitUntil(() => this.talkers.every((talker, n) => talker.acknowledged.size > before[n]!))
  }

  nextRefusedUpload(node: number): Promise<void> {
    return this.#next((answer) => /^upload [345]/.test(answer) && answer.endsWith(` at ${node}`))
  }

  nextCode(answer: string): Promise<void> {
    return this.#next((each) => each === `code ${answer}`)
  }

  async finish(): Promise<void> {
    this.#isOver = true
    await Promise.all(this.#working)
  }

  close(): void {
    this.#isOver = true
    for (const talker of this.talkers) talker.close()
    for (const listener of this.listeners) listener.stop()
  }

  /** Waits for one more of the answers that fit. */
  async #next(fits: (answer: string) => boolean): Promise<void> {
    const count = () => [...this.answers].reduce((sum, [answer, n]) => sum + (fits(answer) ? n : 0), 0)
    const before = count()
    await waitUntil(() => count() > before)
  }

  #note(answer: string): void {
    this.answers.set(answer, (this.answers.get(answer) ?? 0) + 1)
  }

  /** Null without an answer in time: the server may or may not have carried out the call. */
  async #call(
    node: number,
    at: string,
    it: { token?: string; json?: object; form?: FormData; network?: string },
  ): Promise<Answer | null> {
    try {
      const answer = await fetch(`${this.#nodes.url(node)}${at}`, {
        method: it.json || it.form ? 'POST' : 'GET',
        headers: {
          ...(it.token && { authorization: it.token }),
          ...(it.json && { 'content-type': 'application/json' }),
          ...(it.network && { 'x-forwarded-for': it.network }),
        },
        ...(it.json ? { body: JSON.stringify(it.json) } : it.form ? { body: it.form } : {}),
        signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
      })
      return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
    } catch {
      return null
    }
  }

  /** Uploads are not repeated: each is stored once or never. */
  async #upload(who: string): Promise<void> {
    for (let n = 0; !this.#isOver; n += 1) {
      const node = Math.floor(Math.random() * 2)
      const seed = createHash('sha256').update(`${who} ${n}`).digest()
      const content = Buffer.concat(Array.from({ length: 1 + ((n * 97) % 200) }, () => seed))
      const form = new FormData()
      form.append('file', new Blob([content as Uint8Array<ArrayBuffer>]), `${who}-${n}.bin`)
      const answer = await this.#call(node, '/api/v2/assets/file', { token: this.#tokens.get(who)!, form })
      this.#note(`upload ${answer?.status ?? 'unanswered'} at ${node}`)
      if (answer?.status === 200)
        this.uploads.push({ node, at: new URL(String(answer.body.url)).pathname, content })
      await pause(UPLOAD_EVERY_MS)
    }
  }

  /** Every code is for another number, and asked for from another network. */
  async #askForCodes(node: number): Promise<void> {
    while (!this.#isOver) {
      this.#codes += 1
      const mobile = `139${String(this.#codes).padStart(8, '0')}`
      const network = `198.18.${(this.#codes >> 8) & 255}.${this.#codes & 255}`
      const asked = performance.now()
      const answer = await this.#call(node, '/api/v3/auth/phone-verification', { json: { mobile }, network })
      const { error } = (answer?.body.data ?? {}) as { error?: string }
      this.#note(
        `code ${answer ? (error ?? 'accepted') : performance.now() - asked < CALL_TIMEOUT_MS ? 'unanswered' : 'late'}`,
      )
      const isSent = this.#nodes.sms.accepted.some(({ to }) => to.endsWith(mobile))
      if (answer && !error && !isSent) this.#note('code lost')
      await pause(CODE_EVERY_MS)
    }
  }
}
