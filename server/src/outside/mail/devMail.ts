/** Mail for development: shown instead of sent. */
import { clock } from '../../kit/clock.ts'
import type { Sms } from '../sms/sms.ts'
import type { MailContent, WriteMail } from './mail.ts'

/** A mail as `GET /dev/mailbox` shows it. */
export interface SentMail extends MailContent {
  readonly address: string
  readonly code: string
  /** What the code is for: a `CodeType`. */
  readonly type: string
  /** ms */
  readonly at: number
}

export interface DevMail extends Sms {
  /** Mail to an address, or all, newest first. */
  read(address?: string): SentMail[]
}

const KEEPS = 500

/** Keeps mail readable instead of sending it: for development, tests and trying the product. The last 500. */
export function openDevMail(write: WriteMail): DevMail {
  let sent: SentMail[] = []
  return {
    async send(message) {
      const { mobile: address, code, type } = message
      sent = [{ address, code, type, at: clock.now(), ...write(message) }, ...sent].slice(0, KEEPS)
    },
    read: (address) => (address === undefined ? sent : sent.filter((each) => each.address === address)),
  }
}
