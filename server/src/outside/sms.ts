/** A verification code to be sent to a person. */
export interface CodeMessage {
  /** Dialing prefix without `+`. */
  readonly prefix: string
  readonly mobile: string
  readonly code: string
  /** What it is for: `invite-h5`, `register` or `login`. */
  readonly type: string
}

/** Sends text messages. `send` resolves once the provider accepted the message, and rejects otherwise. */
export interface Sms {
  send(message: CodeMessage): Promise<void>
}
