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
   * @throws SmsRefused when the provider answered that it does not send; anything else when it did not answer usefully
   */
  send(message: CodeMessage, signal: AbortSignal): Promise<void>
}

/**
 * A provider's answer that it does not send the message. `number`: because of the number, so that another try or another
 * provider would be wrong. `provider`: because of the account, the template or the load, so that another provider may.
 */
export class SmsRefused extends Error {
  override name = 'SmsRefused'
  readonly because: 'number' | 'provider'

  constructor(because: 'number' | 'provider', provider: string, code: string) {
    super(`${provider} does not send: ${/^[\w.-]{1,80}$/.test(code) ? code : 'without a code'}`)
    this.because = because
  }
}

/** The JSON of an answer. @throws Error for a status from 500, and for anything that is not JSON: the request may be repeated */
export async function readAnswer(provider: string, answer: Response): Promise<unknown> {
  const text = await answer.text()
  try {
    if (answer.status < 500) return JSON.parse(text)
  } catch {
    // Falls through: a gateway's page instead of the provider's answer.
  }
  throw new Error(`${provider} answers with status ${answer.status}`)
}
