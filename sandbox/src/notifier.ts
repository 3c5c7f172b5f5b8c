/**
 * Tells the server what happened, and again while it does not take it. What is still to be told is in the
 * book.
 */

import { clock } from '@guildhall/server/kit/clock.ts'
import { ids } from '@guildhall/server/kit/ids.ts'
import type { PayWay } from '@guildhall/server/outside/payment/payProvider.ts'
import { SECOND_MS } from '@guildhall/wire/unit.ts'
import type { Book, Evil, Key, Note, Refund, Trade } from './book.ts'
import type { Answered, ToldMessage } from './control.ts'
import type { Dialogue } from './dialogue.ts'

/** Both providers give an answer up after five seconds. */
const ANSWER_MS = 5 * SECOND_MS
const LOOKS_EVERY_MS = 200
/** How many copies of a message are sent at the same time. */
const TOGETHER = 8
/** The longest answer that is read, characters. */
const ANSWER_MAX = 4_096

export interface Sent {
  readonly message: ToldMessage
  readonly answered: Answered
}

export interface NewNote {
  /** Null: the payment is told. */
  readonly refund: Refund | null
  readonly evil: Evil
  /** A lost message is never sent; a late one by a timer. */
  readonly isLost?: boolean
  readonly lateMs?: number
}

export interface Notifier {
  /** A message that is to be sent, and that `tell` sends now. */
  note(trade: Key, it: NewNote): Note
  /** Sends a message now, so many times, a few at once. */
  tell(trade: Key, note: Note, times?: number): Promise<readonly Sent[]>
  close(): Promise<void>
}

/** `waitFactor`: how much of the providers' waiting times is waited. */
export function openNotifier(
  book: Book,
  dialogueOf: (way: PayWay) => Dialogue,
  { waitFactor }: { readonly waitFactor: number },
): Notifier {
  const underway = new Map<string, Promise<readonly Sent[]>>()
  const closing = new AbortController()

  function note(key: Key, { refund, evil, isLost = false, lateMs }: NewNote): Note {
    const made: Note = {
      id: ids.uuid(),
      refundNo: refund?.refundNo ?? '',
      evil,
      sent: 0,
      isTaken: false,
      // What is told at once may be repeated by the timer after a kill.
      nextAt: isLost ? null : clock.now() + (lateMs ?? 0) * waitFactor,
    }
    book.note(key, made)
    return made
  }

  async function send(key: Key, it: Note): Promise<Sent> {
    const trade = book.find(key)!
    const refund = trade.refunds.find(({ refundNo }) => refundNo === it.refundNo) ?? null
    const message = await dialogueOf(key.way).notificationOf({ id: it.id, trade, refund, evil: it.evil })
    const answered = await post(refund?.notifyUrl || trade.notifyUrl, message, closing.signal)
    return { message: { ...message, at: clock.now() }, answered }
  }

  /** What becomes of a message. A forged one is not repeated: only the provider repeats. */
  function judge(key: Key, before: Note, sent: readonly Sent[]): void {
    const { waits, wasTaken } = dialogueOf(key.way)
    const isTaken =
      before.isTaken ||
      sent.some(({ answered, message }) => wasTaken(answered.status, answered.body, message))
    const wait = waits[before.sent]
    const isOver =
      isTaken || wait === undefined || before.evil.forge !== undefined || before.evil.probe === true
    const nextAt = isOver ? null : clock.now() + wait * waitFactor
    book.note(key, { ...before, sent: before.sent + sent.length, isTaken, nextAt })
  }

  async function tellNow(key: Key, id: string, times: number): Promise<readonly Sent[]> {
    const it = book.find(key)?.notes.find((each) => each.id === id)
    if (!it) return []
    const sent: Sent[] = []
    let left = times
    const one = async () => {
      while (left > 0) {
        left -= 1
        sent.push(await send(key, it))
      }
    }
    await Promise.all(Array.from({ length: Math.min(times, TOGETHER) }, one))
    // What is cut off by the end of the sandbox is sent again at its next start.
    if (!closing.signal.aborted) judge(key, it, sent)
    return sent
  }

  function tell(key: Key, { id }: Note, times = 1): Promise<readonly Sent[]> {
    const before = underway.get(id) ?? Promise.resolve([])
    const work = before
      .then(() => tellNow(key, id, times))
      .finally(() => {
        if (underway.get(id) === work) underway.delete(id)
      })
    underway.set(id, work)
    return work
  }

  const look = () => {
    for (const { trade, note: it } of book.pending())
      if (!underway.has(it.id) && (it.nextAt ?? 0) <= clock.now()) tell(trade, it).catch(console.error)
  }
  // A kill may have come between a payment and its message.
  for (const trade of book.all()) for (const it of untold(trade)) note(trade, { refund: it, evil: {} })
  const timer = setInterval(look, LOOKS_EVERY_MS)
  return {
    note,
    tell,
    async close() {
      clearInterval(timer)
      closing.abort()
      await Promise.allSettled(underway.values())
    },
  }
}

/** The payment, as null, and the refunds that have no message. */
function untold(trade: Trade): (Refund | null)[] {
  const has = (refundNo: string) => trade.notes.some((it) => it.refundNo === refundNo)
  const refunds = trade.refunds.filter(
    (it) => it.state !== 'waiting' && it.notifyUrl !== '' && !has(it.refundNo),
  )
  return [...(trade.state === 'paid' && !has('') ? [null] : []), ...refunds]
}

/** Sends a message to the server. */
export async function post(
  url: string,
  { headers, body }: Pick<ToldMessage, 'headers' | 'body'>,
  closing: AbortSignal,
): Promise<Answered> {
  try {
    const signal = AbortSignal.any([closing, AbortSignal.timeout(ANSWER_MS)])
    const answer = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'manual' })
    return { status: answer.status, body: (await answer.text()).slice(0, ANSWER_MAX) }
  } catch (cause) {
    return { status: 0, body: cause instanceof Error ? cause.name : '' }
  }
}
