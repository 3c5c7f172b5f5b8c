/**
 * How often calls may be made, beside the windows that the public protocol states (`rateLimit.ts`), and the
 * pace of one connection (`pace.ts`).
 */
import { MINUTE_MS, SECOND_MS } from '@guildhall/wire/unit.ts'
import type { RateLimit } from '../limits/rateLimit.ts'

/** What changes something costs more than what reads. */
export type CallClass = 'read' | 'write'

/** All calls of one person, whatever the session. A page that is used quickly makes some tens a minute. */
export const CALLS_PER_PERSON: Readonly<Record<CallClass, RateLimit>> = {
  read: { name: 'reads by person', most: 1_200, windowMs: MINUTE_MS },
  write: { name: 'writes by person', most: 600, windowMs: MINUTE_MS },
}
/** All calls of people behind one network, such as a school or a mobile operator. */
export const CALLS_PER_NETWORK: Readonly<Record<CallClass, RateLimit>> = {
  read: { name: 'reads by place', most: 24_000, windowMs: MINUTE_MS },
  write: { name: 'writes by place', most: 12_000, windowMs: MINUTE_MS },
}
/** Calls without a session from one network. */
export const CALLS_PER_GUEST_NETWORK: Readonly<Record<CallClass, RateLimit>> = {
  read: { name: 'reads by guests', most: 3_000, windowMs: MINUTE_MS },
  write: { name: 'writes by guests', most: 600, windowMs: MINUTE_MS },
}

/** Addresses at which there is nothing, and short ones, that one network may open. */
export const UNKNOWN_PER_NETWORK: RateLimit = {
  name: 'unknown addresses by network',
  most: 300,
  windowMs: MINUTE_MS,
}

/**
 * Requests that a connection may make at once; then it has REQUESTS_PER_S. A page makes some tens while it
 * opens.
 */
export const REQUESTS_AT_ONCE = 50
export const REQUESTS_PER_S = 20
/** Unanswered requests of one connection (pipelining). Browsers and proxies wait for each answer. */
export const UNANSWERED_MAX = 16
/**
 * A connection with more of them is neither read nor answered for this long, then closed: reconnecting costs
 * us more.
 */
export const HELD_MS = 10 * SECOND_MS
/** Connections held at once; further ones are closed at once, because each holds what it sent. */
export const HELD_MAX = 100
