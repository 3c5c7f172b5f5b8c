/** When a captcha is asked for, and how many may be made and answered. Decision 51. */
import type { CaptchaKind } from '@guildhall/wire/captcha/captcha.ts'
import { HOUR_MS, MINUTE_MS } from '@guildhall/wire/unit.ts'
import { wideNetworkOf } from '../kit/limits/network.ts'
import type { RateLimit } from '../kit/limits/rateLimit.ts'
import type { Attempt } from '../kit/limits/rateLimitDatabase.ts'

/** `auto`: where there is a risk. */
export type CaptchaMode = 'auto' | 'always' | 'never'

/** What a captcha stands before: a request for a code, or a login by code, password or registration. */
export type Act = 'code' | 'login'

/** Who acts, as risks are counted. */
export interface Origin {
  /** A number as `auth` counts it, with its dialing prefix. */
  readonly number: string
  /** The network of the client. */
  readonly network: string
}

/** What a count tells, and which captcha is asked for then. */
interface Risk {
  readonly limit: RateLimit
  readonly kind: CaptchaKind
  readonly key: (input: Origin) => string | null
}

const here = ({ number, network }: Origin): string => `${number} ${network}`
const wide = ({ network }: Origin): string | null => wideNetworkOf(network)

const risk = (name: string, most: number, windowMs: number, kind: CaptchaKind, key: Risk['key']): Risk => ({
  limit: { name: `captcha: ${name}`, most, windowMs },
  kind,
  key,
})

/**
 * Wrong passwords and codes. The later ones ask for more: the first of those that are reached is asked for.
 */
export const FAILURES: readonly Risk[] = [
  risk('many failures by number and place', 6, 15 * MINUTE_MS, 'idiom', here),
  risk('failures by number and place', 3, 15 * MINUTE_MS, 'slider', here),
  risk('failures by place', 20, 15 * MINUTE_MS, 'slider', ({ network }) => network),
  risk('failures by wide place', 60, 15 * MINUTE_MS, 'slider', wide),
  // From everywhere together: a botnet that guesses one password.
  risk('failures by number', 20, HOUR_MS, 'slider', ({ number }) => number),
]

/**
 * What the answer to a picture is judged by: after one failure of a number on a network, or once failures
 * alone ask for a captcha, it counts with its proof of work only.
 */
export const guesses = (input: Origin, scale: number): Attempt[] =>
  countsOf(FAILURES, input, scale).map(([limit, key]) => [
    key === here(input) ? { ...limit, most: 1 } : limit,
    key,
  ])

/** Codes that were sent. Those of everybody together show that somebody sends messages for their cost. */
export const CODES: readonly Risk[] = [
  risk('codes by number and place', 3, 10 * MINUTE_MS, 'image', here),
  risk('codes by number', 5, HOUR_MS, 'image', ({ number }) => number),
  risk('codes by place', 8, 10 * MINUTE_MS, 'image', ({ network }) => network),
  risk('codes by wide place', 30, 10 * MINUTE_MS, 'image', wide),
  risk('codes of everybody', 600, 10 * MINUTE_MS, 'image', () => 'all'),
]

/** Numbers that one network used, for codes and logins. */
export const NUMBERS: readonly Risk[] = [
  risk('numbers by place', 8, HOUR_MS, 'image', ({ network }) => network),
  risk('numbers by wide place', 30, HOUR_MS, 'image', wide),
]

/** A number is new to a network once in this time. */
export const NUMBER_SEEN: RateLimit = { name: 'captcha: number seen', most: 1, windowMs: HOUR_MS }
export const seenKey = here

/** What an act is judged by. */
export const risksOf = (act: Act): readonly Risk[] =>
  act === 'code' ? [...CODES, ...NUMBERS] : [...FAILURES, ...NUMBERS]

/**
 * The counts of risks for who acts; those that a network does not have are left out. `scale`:
 * RATE_LIMIT_SCALE.
 */
export const countsOf = (risks: readonly Risk[], input: Origin, scale: number): Attempt[] =>
  risks.flatMap(({ limit, key }): Attempt[] => {
    const by = key(input)
    return by === null ? [] : [[{ ...limit, most: Math.max(1, Math.round(limit.most * scale)) }, by]]
  })

/** Challenges that are made for one network: each is a few milliseconds of a processor. */
export const MADE_PER_NETWORK: RateLimit = { name: 'captcha: made', most: 60, windowMs: MINUTE_MS }
/** Wrong answers of one network. With this many tries, guessing sliders succeeds four times in 15 minutes. */
export const WRONG_PER_NETWORK: RateLimit = { name: 'captcha: wrong', most: 30, windowMs: 15 * MINUTE_MS }
export const WRONG_PER_WIDE_NETWORK: RateLimit = {
  ...WRONG_PER_NETWORK,
  name: 'captcha: wrong, wide',
  most: 90,
}
/** Right answers of one network, by a person or a farm. */
export const SOLVED_PER_NETWORK: RateLimit = { name: 'captcha: solved', most: 200, windowMs: 15 * MINUTE_MS }
const SOLVED_PER_WIDE_NETWORK: RateLimit = { ...SOLVED_PER_NETWORK, name: 'captcha: solved, wide', most: 600 }

/** What an answer counts against before it is judged. A right one gets it back. */
export const answerAttempts = (network: string): Attempt[] =>
  byNetwork(WRONG_PER_NETWORK, WRONG_PER_WIDE_NETWORK, network)
/** What a right answer counts against. */
export const solvedAttempts = (network: string): Attempt[] =>
  byNetwork(SOLVED_PER_NETWORK, SOLVED_PER_WIDE_NETWORK, network)

function byNetwork(narrow: RateLimit, broad: RateLimit, network: string): Attempt[] {
  const net = wideNetworkOf(network)
  return net === null
    ? [[narrow, network]]
    : [
        [narrow, network],
        [broad, net],
      ]
}

/**
 * After each so many right answers of a network, a proof of work there takes twice as long, up to
 * `WORK_FACTOR_MAX`.
 */
export const WORK_DOUBLES_AFTER = 10
export const WORK_FACTOR_MAX = 8
