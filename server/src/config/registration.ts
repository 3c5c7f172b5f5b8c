/** The variables of the ways to register and log in, and of the mail server. */
import { addressProblem, foldAddress } from '@guildhall/wire/auth/address.ts'
import { WAYS, type Way } from '@guildhall/wire/auth/ways.ts'
import { ConfigError } from './configError.ts'
import type { Read } from './variables.ts'

/** By what one registers and logs in, and who sends mail. */
export interface RegistrationConfig {
  /** At least one, in the order in which pages offer them. */
  readonly ways: readonly Way[]
  /** Null: mail is not sent, and shown at `/dev/mailbox` where a way needs it. */
  readonly smtp: SmtpConfig | null
}

/** A mail server that takes mail for everybody, and the sender. */
export interface SmtpConfig {
  /** `smtp://` or `smtps://`, with the account where it needs one. */
  readonly url: string
  /** The sender's address, with or without a name before it. */
  readonly from: string
}

/** @throws ConfigError naming the variable */
export function readRegistration(read: Read, production: boolean): RegistrationConfig {
  const ways = readWays(read('REGISTRATION') ?? 'sms')
  const smtp = readSmtp(read)
  if (production && ways.includes('email') && smtp === null)
    throw new ConfigError(
      'REGISTRATION has email, and SMTP_URL is not set: in production somebody must send the mail. Set SMTP_URL=smtps://USER:PASSWORD@HOST and MAIL_FROM.',
    )
  return { ways, smtp }
}

function readWays(value: string): readonly Way[] {
  const ways = value.split(',').map((each) => {
    const found = WAYS.find((way) => way === each.trim())
    if (!found) throw new ConfigError(`REGISTRATION must be of ${WAYS.join(', ')}, not "${each.trim()}".`)
    return found
  })
  return [...new Set(ways)]
}

function readSmtp(read: Read): SmtpConfig | null {
  const value = read('SMTP_URL')
  const from = read('MAIL_FROM')
  if (value === null) {
    if (from !== null) throw new ConfigError('MAIL_FROM is set, but SMTP_URL is not: nobody sends the mail.')
    return null
  }
  const url = URL.canParse(value) ? new URL(value) : null
  const isPlain = url && url.hostname !== '' && url.search === '' && /^\/?$/.test(url.pathname)
  if (!isPlain || !['smtp:', 'smtps:'].includes(url.protocol))
    throw new ConfigError('SMTP_URL must look like smtps://user:password@host:465 or smtp://host:587.')
  if (from === null) throw new ConfigError('MAIL_FROM is missing: SMTP_URL needs the address of the sender.')
  const [, named, bare = named ?? from] = /^[^<>\r\n]*<([^<>]+)>$/.exec(from) ?? []
  if (addressProblem(foldAddress(bare)) !== null)
    throw new ConfigError(`MAIL_FROM must be an address, or NAME <ADDRESS>, not "${from}".`)
  return { url: value, from }
}
