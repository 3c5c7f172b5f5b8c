/**
 * State machine of the gateway connection: reconnects with backoff, heartbeats, resumes a session at its
 * cursor, and puts events in order. A pure function `(state, input, now, chance) → [state, effects]`;
 * `gatewayClient.ts` performs the effects. Times are ms; `chance` is a random number from 0 to 1. chat.md §4
 * "Gateway connection states" and §9.
 */
import type { ClientFrame, EventFrame, ServerFrame } from '@guildhall/wire/gateway/frame.ts'
import { gatewayCode, signal } from '@guildhall/wire/gateway/frame.ts'
import * as timing from '@guildhall/wire/gateway/timing.ts'
import {
  emptyWatch,
  expectSeq,
  MISSING_WAIT_MS,
  type MissingEventWatch,
  markDelivered,
  pauseWatch,
  restartWatch,
} from './missingEvents.ts'
import { reorder } from './reorder.ts'

/** A tick this late, ms, means that the page was suspended: the awaited frame may have come and gone. */
export const SUSPENDED_MS = 5_000
/** How long the answer to a probe after a suspension may take, ms. */
export const WAKE_WAIT_MS = 2_000
/** The state of the connection. */
export interface ConnectionState {
  /**
   * idle: not started. connecting: a socket is being opened, or its hello is awaited. connected. waiting:
   * backoff until
   * `due`, then the next attempt. lost: all attempts failed; waits for the network or somebody who uses the
   * page, and tries every minute.
   */
  readonly phase: 'idle' | 'connecting' | 'connected' | 'waiting' | 'lost'
  /** The next deadline, ms; null: none. */
  readonly due: number | null
  /** True from the first hello on: from then on the page stays visible. */
  readonly hasConnected: boolean
  readonly session: string | null
  /** The cursor: the number of the event delivered last, 0 at the start of a session. */
  readonly sn: number
  /** When the last attempt or connection ended, ms. */
  readonly closedAt: number
  /** Events that wait for a missing one before them. */
  readonly reorderBuffer: readonly EventFrame[]
  /** Attempts since it was last connected. */
  readonly attempts: number
  /** What `due` means while connected: the next heartbeat, or the answer to a ping or a resume. */
  readonly awaits: 'ping' | 'answer'
  /**
   * Pings on this socket without an answer: an answer that waited while the page slept is not that of its
   * probe.
   */
  readonly pings: number
  /** Resumes sent without an answer. */
  readonly resumeAttempts: number
  /** The token in the address has expired. */
  readonly staleAddress: boolean
  /** The current attempt uses a refreshed token: when it fails as well, only the network can help. */
  readonly tokenRefreshed: boolean
  /** The awaited answer is that of a probe: without it a new socket is opened at once. */
  readonly probing: boolean
  readonly watch: MissingEventWatch
}

export type Input =
  | { readonly type: 'start' | 'stop' | 'closed' | 'tick' }
  | { readonly type: 'frame'; readonly frame: ServerFrame }
  /** The network is back, the page is visible again, or the user wants to try again. */
  | { readonly type: 'awake' }
  /** Somebody uses the page, or a call was answered: what is waited for may be there. */
  | { readonly type: 'wanted' }
  /** The browser says that the network is gone. */
  | { readonly type: 'offline' }
  /** A call got no answer: the connection may be dead as well. */
  | { readonly type: 'unanswered' }
  /** A call's answer contained `seq` of a guild: the session delivers that event, or began after it. */
  | { readonly type: 'known'; readonly guild: string; readonly seq: number }

export type Effect =
  /**
   * Open a socket in place of any other. `resume` continues the session; `refresh` requests a new address.
   */
  | {
      readonly do: 'open'
      readonly resume: { session: string; sn: number } | null
      readonly refresh: boolean
    }
  | { readonly do: 'close' }
  | { readonly do: 'send'; readonly frame: ClientFrame }
  | { readonly do: 'deliver'; readonly frames: readonly EventFrame[] }
  /** A new session began: what is on screen has to be requested again. */
  | { readonly do: 'refetch' }

/** The state before `start` and after `stop`. */
export const idle: ConnectionState = {
  phase: 'idle',
  due: null,
  hasConnected: false,
  session: null,
  sn: 0,
  closedAt: 0,
  reorderBuffer: [],
  attempts: 0,
  awaits: 'ping',
  pings: 0,
  resumeAttempts: 0,
  staleAddress: false,
  tokenRefreshed: false,
  probing: false,
  watch: emptyWatch,
}

/** When the next `tick` is due, ms; null: never. */
export const nextDeadline = (state: ConnectionState): number | null =>
  state.due === null || state.watch.due === null ? state.due : Math.min(state.due, state.watch.due)

/** The next state, and the effects to perform in this order. */
type Step = readonly [ConnectionState, readonly Effect[]]

export function transition(state: ConnectionState, input: Input, now: number, chance: number): Step {
  if (input.type === 'start') return state.phase === 'idle' ? connect(state, now) : [state, []]
  if (state.phase === 'idle') return [state, []]
  switch (input.type) {
    case 'stop':
      return [idle, [{ do: 'close' }]]
    case 'closed':
      return disconnect(state, now, chance)
    case 'awake':
      return probe(state, now, true)
    case 'wanted':
      return [hurry(state, now, chance), []]
    case 'offline':
      return state.phase === 'lost' ? [state, []] : waitForNetwork(state, now)
    case 'unanswered':
      return state.phase === 'connected' ? probe(state, now, false) : [state, []]
    case 'known':
      return [
        {
          ...state,
          watch: expectSeq(state.watch, input.guild, input.seq, {
            isConnected: state.phase === 'connected',
            now,
          }),
        },
        [],
      ]
    case 'tick':
      return tick(state, now, chance)
    case 'frame':
      return state.phase === 'connecting' || state.phase === 'connected'
        ? receive(state, input.frame, now, chance)
        : [state, []]
  }
}

function connect(state: ConnectionState, now: number): Step {
  const resume = state.session === null ? null : { session: state.session, sn: state.sn }
  return [
    {
      ...state,
      phase: 'connecting',
      due: now + timing.HELLO_WAIT_MS,
      staleAddress: false,
      probing: false,
      pings: 0,
    },
    [{ do: 'open', resume, refresh: state.staleAddress }],
  ]
}

/**
 * The socket closed. Exponential backoff: the nth attempt follows after 2^(n-1) seconds and up to 30 %
 * jitter. After the last one, or when an attempt with a refreshed token failed, it waits for the network.
 * chat.md §4 and §9.
 */
function disconnect(state: ConnectionState, now: number, chance: number): Step {
  if (state.phase === 'waiting' || state.phase === 'lost') return [state, []]
  const attempts = state.attempts + 1
  if (state.tokenRefreshed || attempts > timing.RECONNECTS_MAX)
    return waitForNetwork({ ...state, attempts }, now)
  const due = now + jittered(timing.RECONNECT_BASE_MS * 2 ** (attempts - 1), chance)
  return [{ ...closed(state, now), attempts, phase: 'waiting', due }, [{ do: 'close' }]]
}

const jittered = (wait: number, chance: number) => wait * (1 + timing.RECONNECT_JITTER * chance)

/** The next attempt follows at once, or when a second has passed since the last one: people type fast. */
function hurry(state: ConnectionState, now: number, chance: number): ConnectionState {
  if (state.phase !== 'waiting' && state.phase !== 'lost') return state
  const soonest = Math.max(now, state.closedAt + jittered(timing.RECONNECT_BASE_MS, chance))
  return { ...state, due: Math.min(state.due ?? soonest, soonest) }
}

/**
 * Nothing can be reached: closes the socket and tries again when the network is back, when the page is used,
 * and every minute.
 */
function waitForNetwork(state: ConnectionState, now: number): Step {
  const staleAddress = state.staleAddress || state.tokenRefreshed
  return [
    { ...closed(state, now), staleAddress, phase: 'lost', due: now + timing.NETWORK_POLL_MS },
    [{ do: 'close' }],
  ]
}

const closed = (state: ConnectionState, now: number): ConnectionState => ({
  ...state,
  closedAt: now,
  tokenRefreshed: false,
  probing: false,
  resumeAttempts: 0,
  watch: pauseWatch(state.watch),
})

/** Replaces the socket without backoff. */
function reconnectNow(state: ConnectionState, now: number): Step {
  const [next, effects] = connect(
    { ...state, attempts: 1, resumeAttempts: 0, watch: pauseWatch(state.watch) },
    now,
  )
  return [next, [{ do: 'close' }, ...effects]]
}

/**
 * The page is visible again, the network is back, or a call got no answer. The connection may have died
 * silently, so it is pinged at once and has little time to answer. `slept`: an answer that is awaited may
 * have been lost meanwhile; otherwise it is waited for.
 */
function probe(state: ConnectionState, now: number, slept: boolean): Step {
  if (state.phase === 'waiting' || state.phase === 'lost') return connect({ ...state, attempts: 0 }, now)
  if (state.phase === 'connecting')
    return wasSuspended(state.due, now) ? reconnectNow(state, now) : [state, []]
  const isAsked = state.awaits === 'answer' && !wasSuspended(state.due, now)
  if (isAsked && (state.probing || !slept)) return [state, []]
  const [asked, effects] = ping({ ...state, resumeAttempts: 0 }, now)
  return [{ ...asked, probing: true, due: now + WAKE_WAIT_MS }, effects]
}

const wasSuspended = (due: number | null, now: number) => due !== null && now - due >= SUSPENDED_MS

function tick(state: ConnectionState, now: number, chance: number): Step {
  if (wasSuspended(state.due, now)) return probe(state, now, true)
  if (state.due !== null && now >= state.due) return onDeadline(state, now, chance)
  return state.phase === 'connected' && state.watch.due !== null && now >= state.watch.due
    ? recoverMissing(state, now)
    : [state, []]
}

function onDeadline(state: ConnectionState, now: number, chance: number): Step {
  if (state.phase === 'waiting' || state.phase === 'lost') return connect(state, now)
  if (state.phase === 'connecting') return disconnect(state, now, chance)
  if (state.awaits === 'ping') return ping(state, now)
  return state.probing ? reconnectNow(state, now) : resume(state, now, chance)
}

/**
 * Expected events did not come: a resume of this session first, then a new session, which requests everything
 * again.
 */
function recoverMissing(state: ConnectionState, now: number): Step {
  if (!state.watch.resumeSent)
    return [
      { ...state, watch: { ...state.watch, resumeSent: true, due: now + MISSING_WAIT_MS } },
      [{ do: 'send', frame: { s: signal.resume, sn: state.sn } }],
    ]
  return reconnectNow({ ...state, session: null, sn: 0, reorderBuffer: [], watch: emptyWatch }, now)
}

function ping(state: ConnectionState, now: number): Step {
  return [
    { ...state, awaits: 'answer', pings: state.pings + 1, probing: false, due: now + timing.PONG_WAIT_MS },
    [{ do: 'send', frame: { s: signal.ping, sn: state.sn } }],
  ]
}

/**
 * Requests the events after the cursor on the open socket. After `RESUMES_MAX` attempts the socket is given
 * up.
 */
function resume(state: ConnectionState, now: number, chance: number): Step {
  const resumes = state.resumeAttempts + 1
  if (resumes > timing.RESUMES_MAX) return disconnect(state, now, chance)
  return [
    {
      ...state,
      resumeAttempts: resumes,
      awaits: 'answer',
      probing: false,
      due: now + timing.RESUME_WAIT_MS * 2 ** (resumes - 1),
    },
    [{ do: 'send', frame: { s: signal.resume, sn: state.sn } }],
  ]
}

const nextPing = (now: number, chance: number) => now + timing.PING_EVERY_MS + timing.PING_JITTER_MS * chance

/** The server has answered: the next heartbeat is scheduled. */
function scheduleHeartbeat(state: ConnectionState, now: number, chance: number): ConnectionState {
  return {
    ...state,
    resumeAttempts: 0,
    pings: 0,
    probing: false,
    awaits: 'ping',
    due: nextPing(now, chance),
  }
}

function receive(state: ConnectionState, frame: ServerFrame, now: number, chance: number): Step {
  switch (frame.s) {
    case signal.hello:
      return onHello(state, frame.d.code, frame.d.session_id ?? frame.d.sessionId ?? null, now, chance)
    case signal.event:
      return state.phase === 'connected' ? onEvent(state, frame, now, chance) : [state, []]
    case signal.pong:
      return [onPong(state, now, chance), []]
    case signal.reconnect:
      // The session cannot be continued: a new one, at a new address.
      return disconnect(
        { ...state, session: null, sn: 0, reorderBuffer: [], staleAddress: true },
        now,
        chance,
      )
    case signal.resumeAck:
      // Without a session id the server requests a ping. protocol.md §9.4.
      if (!(frame.d?.session_id ?? frame.d?.sessionId)) return ping(state, now)
      return state.reorderBuffer.length > 0
        ? resume(state, now, chance)
        : [scheduleHeartbeat(state, now, chance), []]
  }
}

function onPong(state: ConnectionState, now: number, chance: number): ConnectionState {
  const pings = Math.max(0, state.pings - 1)
  return state.reorderBuffer.length > 0 || pings > 0
    ? { ...state, pings }
    : scheduleHeartbeat(state, now, chance)
}

function onHello(
  state: ConnectionState,
  code: number,
  session: string | null,
  now: number,
  chance: number,
): Step {
  if (code === gatewayCode.tokenExpired && !state.tokenRefreshed) {
    // An expired token is the normal end of an address: a new one is requested without backoff. chat.md §4.
    const [next, effects] = reconnectNow({ ...state, staleAddress: true }, now)
    return [{ ...next, tokenRefreshed: true }, effects]
  }
  if (code !== gatewayCode.ok || session === null)
    return disconnect({ ...state, staleAddress: true }, now, chance)

  const fresh = session !== state.session
  const connected: ConnectionState = {
    ...scheduleHeartbeat(state, now, chance),
    phase: 'connected',
    hasConnected: true,
    attempts: 0,
    tokenRefreshed: false,
    session,
    sn: fresh ? 0 : state.sn,
    // What waits in it is sent again, and another node may have numbered it in another order.
    reorderBuffer: [],
    watch: fresh ? emptyWatch : restartWatch(state.watch, now),
  }
  return [connected, fresh ? [{ do: 'refetch' }] : []]
}

function onEvent(state: ConnectionState, frame: EventFrame, now: number, chance: number): Step {
  const { ready, last, buffered, gap } = reorder(state.sn, state.reorderBuffer, frame)
  const after: ConnectionState = {
    ...state,
    sn: last,
    reorderBuffer: buffered,
    watch: markDelivered(state.watch, ready, now),
  }
  const delivery: Effect[] = ready.length > 0 ? [{ do: 'deliver', frames: ready }] : []
  if (!gap) return [state.reorderBuffer.length > 0 ? scheduleHeartbeat(after, now, chance) : after, delivery]
  // One resume per gap; its deadline sends the next.
  if (state.reorderBuffer.length > 0) return [after, delivery]
  const [asking, effects] = resume(after, now, chance)
  return [asking, [...delivery, ...effects]]
}

/** What the user is shown. */
export type ConnectionStatus = 'connecting' | 'connected' | 'reconnecting' | 'offline'

/** Derives what the user is shown. */
export function statusOf(state: ConnectionState): ConnectionStatus {
  if (state.phase === 'connected') return 'connected'
  if (state.phase === 'lost') return 'offline'
  return state.hasConnected || state.attempts > 1 ? 'reconnecting' : 'connecting'
}
