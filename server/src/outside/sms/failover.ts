/**
 * One way to send over several providers: retries, time-outs, and the next provider when one fails. Decision
 * 36.
 */
import { performance } from 'node:perf_hooks'
import { SECOND_MS } from '@guildhall/wire/unit.ts'
import type { Log } from '../../kit/log.ts'
import { type CodeMessage, type Sms, type SmsProvider, SmsRefused } from './sms.ts'

/**
 * How a request to a provider ended. `refused`: because of the number; `failed`: the provider does not send
 * for us.
 */
export const SMS_OUTCOMES = ['accepted', 'refused', 'failed', 'timeout', 'unreachable'] as const
export type SmsOutcome = (typeof SMS_OUTCOMES)[number]

/** All of it together ends before the page gives a call up, which it does after five seconds. */
export const SENDING_MS = 4.5 * SECOND_MS
const TRY_MS = 2 * SECOND_MS
const TRIES = 2
const BACKOFF_MS = 150
/** A try with less time than this is not worth making. */
const LEAST_MS = 300

export interface SmsFailover {
  /** In the order in which they are asked. */
  readonly providers: readonly SmsProvider[]
  readonly onOutcome: (provider: string, outcome: SmsOutcome) => void
  readonly log: Log
  /** How long one request may take, ms; two seconds when absent. */
  readonly tryMs?: number
}

/**
 * Asks the providers one after the other until one accepts. A request that got no useful answer is repeated
 * once, a slow one only when there is nobody else to ask. A number that one provider refuses is not tried
 * with another. After a time-out, or an answer that says nothing, the message may still arrive; it has the
 * same code as the next one. So a refusal that comes later is not what it ends with: the code may be in
 * somebody's hand.
 */
export function openSmsFailover(input: SmsFailover): Sms {
  return {
    async send(message) {
      const until = performance.now() + SENDING_MS
      let unsure: unknown = null
      let last: unknown = new Error('there is no provider')
      for (const [at, provider] of input.providers.entries()) {
        const isLast = at === input.providers.length - 1
        const outcome = await sendBy(input, provider, message, { until, isLast })
        if (outcome === null) return
        last = outcome.error
        unsure = outcome.unsure ?? unsure
        if (last instanceof SmsRefused && last.reason === 'number') break
      }
      throw unsure ?? last
    },
  }
}

/**
 * Null when the provider accepted, else why it did not; `unsure`: of a try after which the message may arrive
 * all the same.
 */
async function sendBy(
  input: SmsFailover,
  provider: SmsProvider,
  message: CodeMessage,
  { until, isLast }: { readonly until: number; readonly isLast: boolean },
): Promise<{ readonly error: unknown; readonly unsure: unknown } | null> {
  let unsure: unknown = null
  let error: unknown = new Error(`${provider.name} was not asked: the time is over`)
  for (let tries = 1; tries <= TRIES; tries++) {
    const leftMs = until - performance.now()
    if (leftMs < LEAST_MS) break
    const signal = AbortSignal.timeout(Math.ceil(Math.min(input.tryMs ?? TRY_MS, leftMs)))
    try {
      await provider.send(message, signal)
      input.onOutcome(provider.name, 'accepted')
      return null
    } catch (thrown) {
      error = thrown
      const outcome = outcomeOf(thrown, signal)
      input.onOutcome(provider.name, outcome)
      input.log.warn({ provider: provider.name, outcome, reason: reasonOf(thrown) }, 'a code was not sent')
      const isFinal = outcome === 'refused' || outcome === 'failed'
      if (!isFinal) unsure = thrown
      if (isFinal || (outcome === 'timeout' && !isLast)) break
    }
    if (tries < TRIES) await new Promise((resolve) => setTimeout(resolve, BACKOFF_MS * (1 + Math.random())))
  }
  return { error, unsure }
}

function outcomeOf(error: unknown, signal: AbortSignal): SmsOutcome {
  if (error instanceof SmsRefused) return error.reason === 'number' ? 'refused' : 'failed'
  return signal.aborted ? 'timeout' : 'unreachable'
}

/**
 * The message of an error of ours, or the code of one of the network: neither has the number or the code in
 * it.
 */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const cause = error.cause as { readonly code?: unknown } | undefined
  return typeof cause?.code === 'string' ? cause.code : error.message
}
