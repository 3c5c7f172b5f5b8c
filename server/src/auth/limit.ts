/** How often one may ask for codes and try to log in. Decision 35. */
import { CODE_LIVES_MS, CODE_RESEND_MS, CODE_TRIES } from '@guildhall/wire/auth/auth.ts'
import type { Mobile } from '@guildhall/wire/auth/mobile.ts'
import type { UserId } from '@guildhall/wire/id.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@guildhall/wire/unit.ts'
import { clock } from '../kit/clock.ts'
import { wideNetworkOf } from '../kit/limits/network.ts'
import type { Attempt, RateLimit } from '../kit/limits/rateLimitDatabase.ts'
import { isPhone, keyOf } from './number.ts'

/** Who asks or tries: for which number, from where. */
export interface Origin {
  readonly number: Mobile
  /** The network of the client: an IPv4 address or an IPv6 /64. */
  readonly network: string
  /**
   * The number is logged in there. Such a network is counted by itself, so that strangers cannot use up its
   * tries.
   */
  readonly isKnown: boolean
  /** The number has an account: whoever is behind an address of many people is not kept out of theirs. */
  readonly hasAccount: boolean
}

/** Which numbers codes are sent to, and how many. */
export interface SmsRules {
  /** Dialing prefixes without `+`. The first has no limit of its own. */
  readonly prefixes: readonly string[]
  /** Messages a day in the server's time zone, all nodes together; null: no bound. */
  readonly dailyMax: number | null
  /** The part of a day's messages that is kept for numbers with an account, percent; absent: none. */
  readonly reservedShare?: number | undefined
}
export interface CodeRules extends SmsRules {
  /**
   * A network that asks for codes of many numbers has to solve captchas, so that it may be one of many
   * people.
   */
  readonly hasCaptchas: boolean
}

/** Confirmations of an owner, before something that cannot be undone. */
export const CONFIRMS_PER_PERSON: RateLimit = {
  name: 'confirm by person',
  most: 10,
  windowMs: 15 * MINUTE_MS,
}
/** Changes of a person's picture, each of which is told to all their guilds. */
export const AVATARS_PER_PERSON: RateLimit = { name: 'avatar by person', most: 20, windowMs: DAY_MS }
/** Changes of the ring around a person's face, each of which is told to all their guilds, too. */
export const AVATAR_FRAMES_PER_PERSON: RateLimit = { name: 'frame by person', most: 60, windowMs: DAY_MS }
/** Changes of a person's name. */
export const RENAMES_PER_PERSON: RateLimit = { name: 'rename by person', most: 10, windowMs: DAY_MS }
/** Between two codes. A limit of its own, because its refusal says how long to wait. */
export const CODE_SPACING: RateLimit = { name: 'code spacing', most: 1, windowMs: CODE_RESEND_MS }
/** Wrong codes of one network for one number; asking for another code starts again. */
export const WRONG_CODES_HERE: RateLimit = {
  name: 'wrong code by number and place',
  most: CODE_TRIES,
  windowMs: CODE_LIVES_MS,
}
const WRONG_CODES_PER_NETWORK = by('wrong code by place', 100, 15 * MINUTE_MS)
const WRONG_CODES_PER_WIDE_NETWORK = by('wrong code by wide place', 300, 15 * MINUTE_MS)
const CODES_HERE = by('code by number and place', 5, HOUR_MS)
const CODES_PER_NUMBER = by('code by number', 10, HOUR_MS)
const CODES_PER_NUMBER_DAY = by('code by number and day', 20, DAY_MS)
/**
 * Schools and carriers have many people behind one address. Where captchas are off, nothing else tells them
 * from a program. Numbers with an account are counted too, without a bound: the database is asked the same
 * for them, so that the time of an answer does not tell.
 */
const codesPerNetwork = (name: string, most: number, { hasAccount }: Origin) =>
  hasAccount ? by(`${name}, known`, INT_MAX, HOUR_MS) : by(name, most, HOUR_MS)
const CODES_PER_PREFIX = by('code by prefix', 100, HOUR_MS)

export const PASSWORDS_HERE = by('password by number and place', 10, 15 * MINUTE_MS)
export const PASSWORDS_HERE_WIDE = by('password by number and wide place', 20, 15 * MINUTE_MS)
export const PASSWORDS_PER_NUMBER = by('password by number', 100, HOUR_MS)
const PASSWORDS_PER_NETWORK = by('password by place', 100, 15 * MINUTE_MS)
const PASSWORDS_PER_WIDE_NETWORK = by('password by wide place', 300, 15 * MINUTE_MS)

const THIRD_PARTIES_PER_NETWORK = by('third party by place', 100, 15 * MINUTE_MS)
const THIRD_PARTIES_PER_WIDE_NETWORK = by('third party by wide place', 300, 15 * MINUTE_MS)

/** What a login by a third party counts against: each asks the provider. */
export function thirdPartyAttempts(network: string): Attempt[] {
  const wide = wideNetworkOf(network)
  return [
    [THIRD_PARTIES_PER_NETWORK, network],
    ...when(wide !== null, [THIRD_PARTIES_PER_WIDE_NETWORK, wide ?? '']),
  ]
}

/** Codes of an authenticator app: three of a million are right at any time. */
export const SECOND_FACTORS_HERE = by('second factor by person and place', 5, 15 * MINUTE_MS)
const SECOND_FACTORS_HERE_DAY = by('second factor by person, place and day', 30, DAY_MS)
const SECOND_FACTORS_PER_PERSON = by('second factor by person', 15, HOUR_MS)
const SECOND_FACTORS_PER_PERSON_DAY = by('second factor by person and day', 50, DAY_MS)
/**
 * Recovery codes cannot be guessed. They are counted by themselves, so that strangers who try codes keep
 * nobody from using one.
 */
const RECOVERY_HERE = by('recovery code by person and place', 10, 15 * MINUTE_MS)
const RECOVERY_PER_NETWORK = by('recovery code by place', 100, 15 * MINUTE_MS)

/** What a code of an authenticator app counts against. */
export const secondFactorAttempts = (userId: UserId, network: string, isKnown: boolean): Attempt[] => [
  [SECOND_FACTORS_HERE, `${userId} ${network}`],
  [SECOND_FACTORS_HERE_DAY, `${userId} ${network}`],
  ...when(!isKnown, [SECOND_FACTORS_PER_PERSON, userId], [SECOND_FACTORS_PER_PERSON_DAY, userId]),
]

export const recoveryAttempts = (userId: UserId, network: string): Attempt[] => [
  [RECOVERY_HERE, `${userId} ${network}`],
  [RECOVERY_PER_NETWORK, network],
]

/** What an account that is made by an invite, without a code, counts against. */
export function nameAttempts(network: string, hasCaptchas: boolean): Attempt[] {
  const wide = wideNetworkOf(network)
  return [
    [by('name registration by place', hasCaptchas ? 600 : 30, HOUR_MS), network],
    ...when(wide !== null, [
      by('name registration by wide place', hasCaptchas ? 2_000 : 100, HOUR_MS),
      wide ?? '',
    ]),
  ]
}

function by(name: string, most: number, windowMs: number): RateLimit {
  return { name, most, windowMs }
}

export const hereKey = ({ number, network }: Pick<Origin, 'number' | 'network'>): string =>
  `${keyOf(number)} ${network}`
export const spacingKey = (input: Origin): string => (input.isKnown ? hereKey(input) : keyOf(input.number))

/** What a request for a code counts against, beside `CODE_SPACING` and the day's bound. */
export function codeAttempts(input: Origin, { prefixes, hasCaptchas }: CodeRules): Attempt[] {
  const { number, network } = input
  const wide = wideNetworkOf(network)
  return [
    [CODES_HERE, hereKey(input)],
    ...when(!input.isKnown, [CODES_PER_NUMBER, keyOf(number)], [CODES_PER_NUMBER_DAY, keyOf(number)]),
    [codesPerNetwork('code by place', hasCaptchas ? 600 : 30, input), network],
    ...when(wide !== null, [
      codesPerNetwork('code by wide place', hasCaptchas ? 2_000 : 100, input),
      wide ?? '',
    ]),
    ...when(isPhone(number) && number.prefix !== prefixes[0], [CODES_PER_PREFIX, number.prefix]),
  ]
}

/** What a wrong code counts against, beside `WRONG_CODES_HERE`. */
export function wrongCodeAttempts(network: string): Attempt[] {
  const wide = wideNetworkOf(network)
  return [
    [WRONG_CODES_PER_NETWORK, network],
    ...when(wide !== null, [WRONG_CODES_PER_WIDE_NETWORK, wide ?? '']),
  ]
}

/** What a try of a password counts against. */
export function passwordAttempts(input: Origin): Attempt[] {
  const { number, network } = input
  const wide = wideNetworkOf(network)
  return [
    [PASSWORDS_PER_NETWORK, network],
    ...when(wide !== null, [PASSWORDS_PER_WIDE_NETWORK, wide ?? '']),
    [PASSWORDS_HERE, hereKey(input)],
    ...when(wide !== null, [PASSWORDS_HERE_WIDE, `${keyOf(number)} ${wide}`]),
    ...when(!input.isKnown, [PASSWORDS_PER_NUMBER, keyOf(number)]),
  ]
}

const when = (applies: boolean, ...attempts: Attempt[]): Attempt[] => (applies ? attempts : [])

const INT_MAX = 2 ** 31 - 1

/**
 * What a message counts against today, in the server's time zone; `most` null: without a bound. The window is
 * longer than any day, and the key names the day.
 */
export const smsToday = (most: number | null): Attempt => [
  by('sms by day', most ?? INT_MAX, 2 * DAY_MS),
  dayName(),
]

/**
 * What a message to a number without an account counts against too, so that strangers leave a part of the
 * day's messages to people who log in. Numbers with an account are counted by themselves and without a bound,
 * so that the time of an answer does not tell.
 */
export function smsOfStrangersToday(
  { dailyMax, reservedShare = 0 }: SmsRules,
  { hasAccount }: Origin,
): Attempt {
  const most = dailyMax === null ? INT_MAX : Math.ceil((dailyMax * (100 - reservedShare)) / 100)
  return hasAccount
    ? [by('sms to accounts by day', INT_MAX, 2 * DAY_MS), dayName()]
    : [by('sms to strangers by day', most, 2 * DAY_MS), dayName()]
}

function dayName(): string {
  const now = new Date(clock.now())
  const two = (n: number) => String(n).padStart(2, '0')
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`
}
