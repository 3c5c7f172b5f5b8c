/** The messages between the bench and the processes in which its people are. */
import type { Call } from '../room/caller.ts'

/** Somebody who connects, and the port of the first node. */
export interface Visitor {
  readonly token: string
  readonly port: number
}

export type PeopleAsk =
  /** Connect, and stay. Answers once everybody has had their hello. */
  | { ask: 'connect'; visitors: readonly Visitor[] }
  /** Everybody who is connected sends a heartbeat this often, spread over that time. */
  | { ask: 'heartbeats'; everyMs: number }
  /** Come, stay for a while and go, so many a second. Answers with how many came. */
  | { ask: 'visit'; visitors: readonly Visitor[]; ratePerS: number; forMs: number; stayMs: number }
  /** Call, so many a second on all nodes in turn, or as many as go when that is 0. Answers with `Called`. */
  | { ask: 'call'; calls: readonly Call[]; ports: readonly number[]; ratePerS: number; forMs: number }
  /** Answers with `Seen`. */
  | { ask: 'seen' }
  /** Who loses their connection connects again to one of these nodes. */
  | { ask: 'nodes'; ports: readonly number[] }

export interface Called {
  /** How often each call succeeded, in their order. */
  readonly succeeded: readonly number[]
  readonly refused: number
}

/** What people saw since the process began. */
export interface Seen {
  readonly connected: number
  /** Events that were received. */
  readonly events: number
  /** How long those who lost their connection were without one, ms, and how many of them resumed. */
  readonly awayMs: readonly number[]
  readonly resumed: number
}
