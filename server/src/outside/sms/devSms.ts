/** SMS for development: codes are shown instead of sent. */
import { clock } from '../../kit/clock.ts'
import type { CodeMessage, Sms } from './sms.ts'

/** A code as `GET /dev/outbox` shows it. */
export interface SentCode extends CodeMessage {
  /** ms */
  readonly at: number
}

export interface DevSms extends Sms {
  /** Codes for a number, or all, newest first. */
  read(mobile?: string): SentCode[]
}

const KEEPS = 500

/**
 * Keeps codes readable instead of sending them: for development, tests and trying the product. The last 500.
 */
export function openDevSms(): DevSms {
  let sent: SentCode[] = []
  return {
    async send({ prefix, mobile, code, type }) {
      sent = [{ mobile, prefix, code, type, at: clock.now() }, ...sent].slice(0, KEEPS)
    },
    read: (mobile) => (mobile === undefined ? sent : sent.filter((each) => each.mobile === mobile)),
  }
}
