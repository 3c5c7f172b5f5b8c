/** Watch for missing events, a part of the connection's state. */
import type { EventFrame } from '@guildhall/wire/gateway/frame.ts'

/** How long an expected event may take to come, ms; then a resume is sent, then a new session begun. */
export const MISSING_WAIT_MS = 10_000

/**
 * Detects a connection that answers pings but delivers nothing. Each guild numbers its events, and answers to
 * calls contain such numbers (`seq`): an event whose number is known and that does not come is missing.
 */
export interface MissingEventWatch {
  /** The newest `seq` by guild that this session delivered, or that existed before it. */
  readonly delivered: Readonly<Record<string, number>>
  /** The newest `seq` by guild that an answer contained. */
  readonly expected: Readonly<Record<string, number>>
  /** When to recover missing events, ms; null while none is missing, or while not connected. */
  readonly due: number | null
  /** A resume was sent for them. */
  readonly resumeSent: boolean
}

export const emptyWatch: MissingEventWatch = { delivered: {}, expected: {}, due: null, resumeSent: false }

/** Whether an expected event was not delivered. */
const isBehind = ({ delivered, expected }: MissingEventWatch) =>
  Object.entries(expected).some(([guild, seq]) => seq > (delivered[guild] ?? seq))

/** The first number known of a guild may be older than the session; later ones have to be delivered. */
export function expectSeq(
  watch: MissingEventWatch,
  guild: string,
  seq: number,
  { isConnected, now }: { isConnected: boolean; now: number },
): MissingEventWatch {
  const delivered = watch.delivered[guild]
  if (delivered === undefined) return { ...watch, delivered: { ...watch.delivered, [guild]: seq } }
  if (seq <= Math.max(delivered, watch.expected[guild] ?? 0)) return watch
  const due = watch.due ?? (isConnected ? now + MISSING_WAIT_MS : null)
  return { ...watch, expected: { ...watch.expected, [guild]: seq }, due }
}

/** The watch while not connected. */
export const pauseWatch = (watch: MissingEventWatch): MissingEventWatch => ({
  ...watch,
  due: null,
  resumeSent: false,
})

/** Gives the events still missing the whole wait from now on. */
export const restartWatch = (watch: MissingEventWatch, now: number): MissingEventWatch => ({
  ...watch,
  due: isBehind(watch) ? now + MISSING_WAIT_MS : null,
  resumeSent: false,
})

/** These events were delivered. A connection that delivers gets the whole wait for the rest. */
export function markDelivered(
  watch: MissingEventWatch,
  frames: readonly EventFrame[],
  now: number,
): MissingEventWatch {
  let all = watch.delivered
  for (const { d } of frames) {
    const { guild_id: guild, seq } = d.extra
    if (typeof guild !== 'string' || typeof seq !== 'number' || seq <= (all[guild] ?? 0)) continue
    all = { ...all, [guild]: seq }
  }
  if (all === watch.delivered) return watch
  return watch.due === null ? { ...watch, delivered: all } : restartWatch({ ...watch, delivered: all }, now)
}
