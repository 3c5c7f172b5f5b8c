/** Metrics of what people do at the door: codes, captchas, registrations, errors of pages. */
import { Counter, Gauge, type Registry } from 'prom-client'
import { known } from './meters.ts'

/** Metrics of sending codes. */
export interface SmsMetrics {
  /** The outcomes of a provider are counted from zero, so that the first failure is a rise. */
  expect(provider: string, outcomes: readonly string[]): void
  /** A request to a provider ended. */
  sent(provider: string, outcome: string): void
  /** `sent` returns the messages of today, called at each scrape; `most` is their bound, null without one. */
  watchDay(sent: () => Promise<number>, most: number | null): void
}

/** Metrics of captchas. */
export interface CaptchaMetrics {
  /** `asked`: a call was refused until one of this kind is solved; `solved` or `wrong`: one was answered. */
  counted(kind: string, outcome: 'asked' | 'solved' | 'wrong'): void
}

/** Metrics of errors of pages. */
export interface ClientErrorMetrics {
  /** A page reported an error. `name` is one of few. */
  counted(name: string): void
}

/** Metrics of registrations. */
export interface RegistrationMetrics {
  /** An account was made. `source`: 0 to 6, or `none`; `via`: by what its inviter is known, or `none`. */
  counted(source: string, via: string): void
}

export function smsMeters(registry: Registry): SmsMetrics {
  const registers = [registry]
  const requests = new Counter({
    name: 'guildhall_sms_sent_total',
    help: 'Requests to SMS providers by how they ended',
    labelNames: ['provider', 'outcome'],
    registers,
  })
  return {
    expect(provider, outcomes) {
      for (const outcome of outcomes) requests.inc({ provider, outcome }, 0)
    },
    sent: (provider, outcome) => requests.inc({ provider, outcome }),
    watchDay(sent, most) {
      if (most !== null)
        new Gauge({ name: 'guildhall_sms_day_max', help: 'Codes a day at most', registers }).set(most)
      new Gauge({
        name: 'guildhall_sms_day_messages',
        help: 'Codes sent today, all nodes together',
        registers,
        async collect() {
          const count = await known(sent)
          if (count !== null) this.set(count)
        },
      })
    },
  }
}

export function captchaMeters(registry: Registry): CaptchaMetrics {
  const counter = new Counter({
    name: 'guildhall_captchas_total',
    help: 'Captchas that were asked for, and answers to them, by kind',
    labelNames: ['kind', 'outcome'],
    registers: [registry],
  })
  return { counted: (kind, outcome) => counter.inc({ kind, outcome }) }
}

export function clientErrorMeters(registry: Registry): ClientErrorMetrics {
  const counter = new Counter({
    name: 'guildhall_client_errors_total',
    help: 'Errors that pages reported, by name',
    labelNames: ['name'],
    registers: [registry],
  })
  return { counted: (name) => counter.inc({ name }) }
}

export function registrationMeters(registry: Registry): RegistrationMetrics {
  const counter = new Counter({
    name: 'guildhall_registrations_total',
    help: 'Accounts that were made, by where they come from and by what they were invited',
    labelNames: ['source', 'via'],
    registers: [registry],
  })
  return { counted: (source, via) => counter.inc({ source, via }) }
}
