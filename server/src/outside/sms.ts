/** A verification code on its way to a person. */
export interface CodeMessage {
  /** Dialing prefix without `+`. */
  readonly prefix: string
  readonly mobile: string
  readonly code: string
  /** What it is for: `invite-h5`, `register` or `login`. */
  readonly type: string
}

/** Whoever delivers text messages. `send` resolves once the message was accepted, and rejects when it was not. */
export interface Sms {
  send(message: CodeMessage): Promise<void>
}
