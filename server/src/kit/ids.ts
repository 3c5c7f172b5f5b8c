/** Ids, tokens and random digits. */
import { randomBytes } from 'node:crypto'
import { REFERRAL_LENGTH, REFERRAL_LETTERS } from '@guildhall/wire/invite/referral.ts'
import { clock } from './clock.ts'

let source: (length: number) => Uint8Array = drawn

const DRAWN_BYTES = 4_096
let pool = Buffer.alloc(0)

/**
 * Random bytes, drawn from the system a page at a time: asking it for each id costs more than the rest of the
 * id.
 */
function drawn(length: number): Uint8Array {
  if (pool.length < length) pool = randomBytes(Math.max(DRAWN_BYTES, length))
  const bytes = pool.subarray(0, length)
  pool = pool.subarray(length)
  return bytes
}

// Letters and digits without 0 O 1 l I, which people confuse when they read a code aloud.
const CLEAR_LETTERS = '23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const DIGITS = '0123456789'

let lastAt = 0
let lastCount = 0

/** The only source of identifiers and secrets on the server, all from the operating system's randomness. */
export const ids = {
  /** A UUID version 7: later ones of this process sort after earlier ones, also within one millisecond. */
  uuid(): string {
    const bytes = Buffer.from(source(16))
    const { at, count } = nextTick(((bytes[6]! & 0x07) << 8) | bytes[7]!)
    bytes.writeUIntBE(at, 0, 6)
    bytes.writeUInt16BE(0x7000 | count, 6)
    bytes[8] = (bytes[8]! & 0x3f) | 0x80
    const hex = bytes.toString('hex')
    return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
  },
  /** The code of an invite link: six letters and digits that are hard to confuse, about 3·10^10 possible. */
  inviteCode(): string {
    return pick(CLEAR_LETTERS, 6)
  },
  /**
   * A user's code: eight letters and digits that are hard to confuse, in one case because people type it;
   * about 8·10^11.
   */
  referralCode(): string {
    return pick(REFERRAL_LETTERS, REFERRAL_LENGTH)
  },
  /**
   * A recovery code: ten letters and digits that are hard to confuse, in one case because people type it;
   * 2^49.
   */
  recoveryCode(): string {
    return pick(REFERRAL_LETTERS, 10)
  },
  /** A redeem code: twenty letters and digits that are hard to confuse, in groups of five; about 2^99. */
  couponCode(): string {
    return Array.from({ length: 4 }, () => pick(REFERRAL_LETTERS, 5)).join('-')
  },
  /** A bearer token or session id: 43 letters and digits, 256 bits. */
  token(): string {
    return pick(LETTERS, 43)
  },
  /**
   * A bot's token: 35 characters in three parts, the last 166 random bits, the middle one a number in base 64
   * that means nothing. Typed clients check only this shape. protocol.md §1.2.
   */
  botToken(): string {
    const number = Buffer.from(pick('123456789', 3)).toString('base64')
    return `1/${number}/${pick(LETTERS, 28)}`
  },
  /** A phone verification code of `length` digits. May start with 0. */
  digits(length: number): string {
    return pick(DIGITS, length)
  },
  /** A whole number from 0 to `count` - 1, each equally likely; `count` at most 65 536. */
  below(count: number): number {
    const limit = 65_536 - (65_536 % count)
    for (;;) {
      const [high = 0, low = 0] = source(2)
      const drawn = high * 256 + low
      if (drawn < limit) return drawn % count
    }
  },
}

/**
 * Below all ids of `ids.uuid()` of a moment and later, and above those before it: a time in an index of ids,
 * ms.
 */
export function firstUuidOf(at: number): string {
  const hex = at.toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`
}

/** The time in an id of `ids.uuid()`, ms. It never goes back, also when the clock does. */
export const timeOfUuid = (id: string): number => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)

/**
 * Names that only have to be unique, such as those of requests in a log: a prefix that no other process has,
 * and a count. Not for secrets: they can be guessed.
 */
export function openNames(): () => string {
  const start = ids.uuid().slice(-12)
  let count = 0
  return () => {
    count += 1
    return `${start}-${count.toString(36)}`
  }
}

/** Replaces the randomness until the returned function is called. For tests. */
export function replaceRandom(bytes: (length: number) => Uint8Array): () => void {
  const before = source
  source = bytes
  return () => {
    source = before
  }
}

/** A pair that only grows: the time, and a 12 bit count within it that starts at `start`. */
function nextTick(start: number): { at: number; count: number } {
  const now = clock.now()
  if (now > lastAt) {
    lastAt = now
    lastCount = start
  } else if (lastCount < 0xfff) {
    lastCount += 1
  } else {
    // A burst of more than two thousand in one millisecond, or a clock set back: borrow from the next
    // millisecond.
    lastAt += 1
    lastCount = start
  }
  return { at: lastAt, count: lastCount }
}

/**
 * Forgets the time of the last id, which may be in the future after a test that moved the clock. For tests.
 */
export function forgetLastId(): void {
  lastAt = 0
}

/**
 * `length` characters of `alphabet`, each equally likely: bytes past the last whole multiple are discarded.
 */
function pick(alphabet: string, length: number): string {
  const limit = 256 - (256 % alphabet.length)
  let text = ''
  while (text.length < length) {
    for (const byte of source(length)) {
      if (byte < limit && text.length < length) text += alphabet[byte % alphabet.length]
    }
  }
  return text
}
