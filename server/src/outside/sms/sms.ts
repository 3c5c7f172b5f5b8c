import { Unreadable } from '../answer.ts'

/** A verification code to be sent to a person. */
export interface CodeMessage {
  /** Dialing prefix without `+`. */
  readonly prefix: string
  readonly mobile: string
  readonly code: string
  /** What it is for: a `CodeType`. */
  readonly type: string
}

/** Sends text messages. `send` resolves once a provider accepted the message, and rejects otherwise. */
export interface Sms {
  send(message: CodeMessage): Promise<void>
}

/** A company that sends text messages. */
export interface SmsProvider {
  /** As metrics name it. */
  readonly name: string
  /**
   * One request: resolves once the message was accepted.
   * @throws SmsRefused when the provider answered that it does not send; anything else when it did not answer
   *   usefully
   */
  send(message: CodeMessage, signal: AbortSignal): Promise<void>
}

/** Characters of what a mail server says, which are kept for the operator. */
const SAID_MAX = 200

/**
 * A provider's answer that it does not send the message. `number`: because of the number, so that another try
 * or another provider would be wrong. `provider`: because of the account, the template or the load, so that
 * another provider may.
 */
export class SmsRefused extends Error {
  override name = 'SmsRefused'
  readonly reason: 'number' | 'provider'

  constructor(reason: 'number' | 'provider', provider: string, code: string) {
    super(
      `${provider} does not send: ${/^[\w.-]{1,80}$/.test(code) || provider === 'smtp' ? code.slice(0, SAID_MAX) : 'without a code'}`,
    )
    this.reason = reason
  }
}

/**
 * Goes on after a provider's own code of a message, and says which refusal another one is. An answer without
 * a code says nothing of the message: it may have been sent.
 * @throws Unreadable, SmsRefused, Error for a code of `passing`
 */
export function judgeCode(
  code: unknown,
  input: { readonly name: string; readonly ofNumber: RegExp; readonly passing: RegExp },
): void {
  if (typeof code !== 'string' || code === '') throw new Unreadable(`${input.name} answers without a code`)
  if (/^ok$/i.test(code)) return
  if (input.passing.test(code)) throw new Error(`${input.name} answers ${code}`)
  throw new SmsRefused(input.ofNumber.test(code) ? 'number' : 'provider', input.name, code)
}
