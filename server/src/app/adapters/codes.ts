/** Who sends the codes: to numbers by SMS, to addresses by mail. */
import { MAIL } from '@guildhall/wire/auth/address.ts'
import { writeCodeMail } from '../../auth/auth.ts'
import type { Config } from '../../config.ts'
import type { Log } from '../../kit/log.ts'
import type { Metrics } from '../../kit/metrics/metrics.ts'
import { type DevMail, openDevMail } from '../../outside/mail/devMail.ts'
import { openSmtp } from '../../outside/mail/smtp.ts'
import { type DevSms, openDevSms } from '../../outside/sms/devSms.ts'
import { openSmsFailover, SMS_OUTCOMES } from '../../outside/sms/failover.ts'
import type { Sms } from '../../outside/sms/sms.ts'
import { openSms } from './sms.ts'

/** A mail server is asked once, ms: it may look at the sender for a while before it answers. */
const SMTP_MS = 4_000

/** What sends the codes, and what keeps those that are not sent. */
export interface Codes {
  readonly sms: Sms
  readonly devSms: DevSms
  readonly devMail: DevMail
}

export function openCodes(
  { sms: smsConfig, registration }: Pick<Config, 'sms' | 'registration'>,
  { metrics, log }: { readonly metrics: Metrics; readonly log: Log },
): Codes {
  const devSms = openDevSms()
  const devMail = openDevMail(writeCodeMail)
  const sms = openSms(smsConfig, { devSms, metrics, log })
  const { smtp } = registration
  if (smtp) metrics.sms.expect('smtp', SMS_OUTCOMES)
  const mail = smtp
    ? openSmsFailover({
        providers: [openSmtp(smtp, writeCodeMail)],
        onOutcome: metrics.sms.sent,
        log,
        tryMs: SMTP_MS,
      })
    : devMail
  return {
    devSms,
    devMail,
    sms: { send: (message) => (message.prefix === MAIL ? mail : sms).send(message) },
  }
}
