/** Tells the server what happened, and again while it does not take it. */
import { clock } from '@guildhall/server/kit/clock.ts'
import { ids } from '@guildhall/server/kit/ids.ts'
import type { PayWay } from '@guildhall/wire/payWay.ts'
import { SECOND_MS } from '@guildhall/wire/unit.ts'
import type { Answered, NotifiedMessage } from './control.ts'
import type { Dialogue, SandboxMessage } from './dialogue.ts'
import type { Delivery } from './tradeStore.ts'

/** Both providers give an answer up after five seconds. */
const ANSWER_MS = 5 * SECOND_MS
const LOOKS_EVERY_MS = 200
/** The longest answer that is read, characters. */
const ANSWER_MAX = 4_096

export interface Sent {
  readonly message: NotifiedMessage
  readonly answered: Answered
}

/**
 * What is told of trades, or of contracts, and where it is kept what is still to be told. `What`: which of
 * the things that can be told of one.
 */
export interface Outbox<Subject, What> {
  /** How many copies of a message are sent at the same time. */
  readonly together: number
  /** As they are kept now; null: they are not. */
  find(subject: Subject, id: string): { readonly subject: Subject; readonly delivery: Delivery & What } | null
  keep(subject: Subject, delivery: Delivery & What): void
  /** What is still to be sent. */
  pending(): Iterable<{ readonly subject: Subject; readonly delivery: Delivery & What }>
  urlOf(subject: Subject, delivery: Delivery & What): string
  write(dialogue: Dialogue, subject: Subject, delivery: Delivery & What): Promise<SandboxMessage>
}

/** A lost message is never sent; a late one by a timer. */
export interface Sending {
  readonly isLost?: boolean
  readonly lateMs?: number
}

export class Notifier<Subject extends { readonly way: PayWay }, What> {
  readonly #outbox: Outbox<Subject, What>
  readonly #dialogueOf: (way: PayWay) => Dialogue
  readonly #waitFactor: number
  readonly #underway = new Map<string, Promise<readonly Sent[]>>()
  readonly #closing = new AbortController()
  readonly #timer: NodeJS.Timeout

  /** `waitFactor`: how much of the providers' waiting times is waited. */
  constructor(
    outbox: Outbox<Subject, What>,
    dialogueOf: (way: PayWay) => Dialogue,
    { waitFactor }: { readonly waitFactor: number },
  ) {
    this.#outbox = outbox
    this.#dialogueOf = dialogueOf
    this.#waitFactor = waitFactor
    this.#timer = setInterval(() => this.#look(), LOOKS_EVERY_MS)
  }

  /** A message that is to be sent, and that `notify` sends now. */
  add(
    subject: Subject,
    input: What & Pick<Delivery, 'tamper'>,
    { isLost = false, lateMs = 0 }: Sending = {},
  ): Delivery & What {
    // What is told at once may be repeated by the timer after a kill.
    const nextAt = isLost ? null : clock.now() + lateMs * this.#waitFactor
    const made = { ...input, id: ids.uuid(), sent: 0, isTaken: false, nextAt }
    this.#outbox.keep(subject, made)
    return made
  }

  /** Sends a message now, so many times. */
  notify(subject: Subject, { id }: Delivery, times = 1): Promise<readonly Sent[]> {
    const work = (this.#underway.get(id) ?? Promise.resolve([]))
      .then(() => this.#notifyNow(subject, id, times))
      .finally(() => {
        if (this.#underway.get(id) === work) this.#underway.delete(id)
      })
    this.#underway.set(id, work)
    return work
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    this.#closing.abort()
    await Promise.allSettled(this.#underway.values())
  }

  #look(): void {
    for (const { subject, delivery } of this.#outbox.pending())
      if (!this.#underway.has(delivery.id) && (delivery.nextAt ?? 0) <= clock.now())
        this.notify(subject, delivery).catch(console.error)
  }

  async #notifyNow(key: Subject, id: string, times: number): Promise<readonly Sent[]> {
    const before = this.#outbox.find(key, id)?.delivery
    if (!before) return []
    const sent: Sent[] = []
    let left = times
    const one = async () => {
      while (left > 0) {
        left -= 1
        sent.push(await this.#send(key, before))
      }
    }
    await Promise.all(Array.from({ length: Math.min(times, this.#outbox.together) }, one))
    // What is cut off by the end of the sandbox is sent again at its next start.
    if (!this.#closing.signal.aborted) this.#judge(key, before, sent)
    return sent
  }

  async #send(key: Subject, delivery: Delivery & What): Promise<Sent> {
    const subject = this.#outbox.find(key, delivery.id)?.subject ?? key
    const message = await this.#outbox.write(this.#dialogueOf(key.way), subject, delivery)
    const answered = await post(this.#outbox.urlOf(subject, delivery), message, this.#closing.signal)
    return { message: { ...message, at: clock.now() }, answered }
  }

  /** What becomes of a message. A forged one is not repeated: only the provider repeats. */
  #judge(key: Subject, before: Delivery & What, sent: readonly Sent[]): void {
    const dialogue = this.#dialogueOf(key.way)
    const isTaken =
      before.isTaken ||
      sent.some(({ answered, message }) => dialogue.wasTaken(answered.status, answered.body, message))
    const wait = dialogue.waits[before.sent]
    const { forge, probe } = before.tamper
    const isOver = isTaken || wait === undefined || forge !== undefined || probe === true
    const nextAt = isOver ? null : clock.now() + wait * this.#waitFactor
    this.#outbox.keep(key, { ...before, sent: before.sent + sent.length, isTaken, nextAt })
  }
}

/** Sends a message to the server. */
async function post(url: string, { headers, body }: SandboxMessage, closing: AbortSignal): Promise<Answered> {
  try {
    const signal = AbortSignal.any([closing, AbortSignal.timeout(ANSWER_MS)])
    const answer = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'manual' })
    return { status: answer.status, body: (await answer.text()).slice(0, ANSWER_MAX) }
  } catch (cause) {
    return { status: 0, body: cause instanceof Error ? cause.name : '' }
  }
}
