/**
 * The gateway's limits. Those of a stream's memory are in `transport/transport.ts`, times that clients know
 * in `wire`.
 */
import { SECOND_MS } from '@guildhall/wire/unit.ts'

/** Connections of one network. Enough for a university or a mobile network behind one address. */
export const NETWORK_CONNECTIONS_MAX = 1_000
/** Handshakes at a time. */
export const HANDSHAKES_MAX = 1_000
/**
 * Connections that one network may open in this time. After a restart a university gets back within a minute:
 * pages that are refused come again.
 */
export const NETWORK_HANDSHAKES_MAX = 200
export const NETWORK_HANDSHAKES_WINDOW_MS = 10 * SECOND_MS
/** Sessions of one person, connected or resumable; past it the one that was disconnected longest ends. */
export const PERSON_SESSIONS_MAX = 20
/** A socket that accepts nothing for this long is terminated, so that its client can reconnect and resume. */
export const BLOCKED_MAX_MS = 30 * SECOND_MS
/** Frames a client may send in ten seconds; a regular one sends one every thirty. */
export const FRAMES_MAX = 60
export const FRAMES_WINDOW_MS = 10 * SECOND_MS
/**
 * Bytes replayed to one session in this time: enough to resume a few times, too few to be asked for at every
 * ping.
 */
export const REPLAYED_BYTES_MAX = 8 * 1024 * 1024
export const REPLAYED_WINDOW_MS = 60 * SECOND_MS
