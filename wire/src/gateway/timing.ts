/**
 * Heartbeat, resume and reconnect timing of the gateway, ms. chat.md §9 for the page, protocol.md §2.5 for
 * the server.
 */
import { MINUTE_MS, SECOND_MS } from '../unit.ts'

export const HELLO_WAIT_MS = 6 * SECOND_MS
/** The heartbeat: a ping every 30 to 35 s. */
export const PING_EVERY_MS = 30 * SECOND_MS
export const PING_JITTER_MS = 5 * SECOND_MS
export const PONG_WAIT_MS = 6 * SECOND_MS
/** After more failed resumes than this the connection is closed. */
export const RESUMES_MAX = 2
/** The wait before the first resume; doubles with each (backoff). */
export const RESUME_WAIT_MS = 2 * SECOND_MS
/** Reconnect n waits 2^(n-1) seconds and up to 30 % more (exponential backoff with jitter). */
export const RECONNECT_BASE_MS = SECOND_MS
export const RECONNECT_JITTER = 0.3
/** After more attempts than this the client polls the network every minute. */
export const RECONNECTS_MAX = 4
export const NETWORK_POLL_MS = MINUTE_MS

/** The server closes a connection that is silent for longer. */
export const IDLE_MS = 75 * SECOND_MS
/** How long a disconnected session can be resumed. */
export const RESUMABLE_MS = 5 * MINUTE_MS
