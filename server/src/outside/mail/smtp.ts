/** Mail by a server that speaks SMTP. */
import { createTransport } from 'nodemailer'
import { type SmsProvider, SmsRefused } from '../sms/sms.ts'
import type { WriteMail } from './mail.ts'

/** A connection that answers nothing is given up after this time, ms, when nobody waits for it any more. */
const SILENCE_MS = 10_000

/** What an error of the library tells. */
interface SmtpError {
  readonly code?: string
  readonly command?: string
  readonly response?: string
  readonly responseCode?: number
  readonly message?: string
}

/** Matches nothing: no address was named. */
const NO_ADDRESS = /(?!)/g

const transportTo = (url: string, silenceMs: number) =>
  createTransport({
    url,
    connectionTimeout: silenceMs,
    greetingTimeout: silenceMs,
    socketTimeout: silenceMs,
    // The content is ours: it names no files and no addresses to fetch.
    disableFileAccess: true,
    disableUrlAccess: true,
  })

/**
 * Connects to the mail server at `url`, greets it and logs in; sends nothing. `silenceMs`: how long it may
 * say nothing.
 * @throws SmsRefused when it refuses the greeting or the account, Error when it does not answer usefully
 */
export async function greetSmtp(url: string, silenceMs: number): Promise<void> {
  const transport = transportTo(url, silenceMs)
  try {
    await transport.verify()
  } catch (error) {
    throw judgeSmtp(error as SmtpError, NO_ADDRESS)
  } finally {
    transport.close()
  }
}

/** The mail server at `url`, as one of those that send codes. `from`: the sender. */
export function openSmtp(
  { url, from }: { readonly url: string; readonly from: string },
  write: WriteMail,
): SmsProvider {
  const transport = transportTo(url, SILENCE_MS)
  return {
    name: 'smtp',
    async send(message, signal) {
      const address = message.mobile
      const late = new Promise<never>((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason), { once: true })
      })
      const sending = transport.sendMail({
        from,
        to: { name: '', address },
        ...write(message),
        headers: { 'Auto-Submitted': 'auto-generated' },
      })
      await Promise.race([sending, late]).catch((error: unknown) => {
        sending.catch(() => undefined)
        if (signal.aborted) throw error
        throw judgeSmtp(error as SmtpError, address)
      })
    },
  }
}

/**
 * What an error says of the message: refused for its address, refused for our account, or not known. Enhanced
 * codes go before plain ones, since servers say 550 of strangers who may not send, too. RFC 3463.
 */
function judgeSmtp(error: SmtpError, address: string | RegExp): Error {
  const { command = '', response = '', responseCode = 0 } = error
  const said = `${command} ${response || error.message}`
    .replaceAll(address, '…')
    .replace(/\S+@\S+/g, '…')
    .trim()
  const status = /^\d{3}[ -]5\.(\d)\./.exec(response)?.[1]
  const isOfAddress = command.startsWith('RCPT') && (status === '1' || (!status && responseCode !== 554))
  if (responseCode >= 500) return new SmsRefused(isOfAddress ? 'number' : 'provider', 'smtp', said)
  if (error.code === 'EAUTH') return new SmsRefused('provider', 'smtp', said)
  return new Error(`smtp does not answer usefully: ${error.code ?? ''} ${said}`)
}
