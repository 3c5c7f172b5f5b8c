import type { ClientFrame, EventFrame, ServerFrame } from '@guildhall/wire/gateway/frame.ts'
import { gatewayCode, signal } from '@guildhall/wire/gateway/frame.ts'
import * as timing from '@guildhall/wire/gateway/timing.ts'
import { inOrder } from './inOrder.ts'

/**
 * The line to the server as a pure machine: `(line, input, now, chance) → [line, effects]`. `socket.ts` performs
 * the effects. Times are ms; `chance` is a random number from 0 to 1, handed in so that a test can hold it still.
 * chat.md §4 "Gateway connection states" and §9.
 */
export interface Line {
  /**
   * idle: not wanted. connecting: a socket is being opened and its hello awaited. connected. waiting: until
   * `due`, then the next attempt. lost: the attempts are used up; waits for the network, looking every minute.
   */
  readonly phase: 'idle' | 'connecting' | 'connected' | 'waiting' | 'lost'
  /** What the machine waits for next, ms; null when for nothing. */
  readonly due: number | null
  /** True from the first hello on. The page never hides again what it has shown once. */
  readonly everConnected: boolean
  readonly session: string | null
  /** The number of the event delivered last, 0 at the start of a session. */
  readonly sn: number
  readonly held: readonly EventFrame[]
  /** Attempts since the line last stood. */
  readonly attempts: number
  /** What `due` means while connected: the next ping, or the answer to one, or to a resume. */
  readonly awaits: 'ping' | 'answer'
  /** Resumes asked for without an answer. */
  readonly resumes: number
  /** The address holds a token that is no longer good. */
  readonly staleAddress: boolean
}

export type Input =
  | { readonly type: 'start' | 'stop' | 'closed' | 'tick' }
  | { readonly type: 'frame'; readonly frame: ServerFrame }
  /** The browser says the network is there, or the page is looked at again. */
  | { readonly type: 'awake' }

export type Effect =
  /** Open a socket, dropping any other. `resume` takes the old session up; `refresh` asks for a new address. */
  | {
      readonly do: 'open'
      readonly resume: { session: string; sn: number } | null
      readonly refresh: boolean
    }
  | { readonly do: 'close' }
  | { readonly do: 'send'; readonly frame: ClientFrame }
  | { readonly do: 'deliver'; readonly frames: readonly EventFrame[] }
  /** A session began that knows nothing of before: what is on screen must be asked for again. */
  | { readonly do: 'refetch' }

export const idle: Line = {
  phase: 'idle',
  due: null,
  everConnected: false,
  session: null,
  sn: 0,
  held: [],
  attempts: 0,
  awaits: 'ping',
  resumes: 0,
  staleAddress: false,
}

type Step = readonly [Line, readonly Effect[]]

export function step(line: Line, input: Input, now: number, chance: number): Step {
  if (input.type === 'start') return line.phase === 'idle' ? open(line, now) : [line, []]
  if (line.phase === 'idle') return [line, []]
  switch (input.type) {
    case 'stop':
      return [idle, [{ do: 'close' }]]
    case 'closed':
      return lose(line, now, chance)
    case 'awake':
      return awake(line, now)
    case 'tick':
      return line.due === null || now < line.due ? [line, []] : overdue(line, now, chance)
    case 'frame':
      return line.phase === 'connecting' || line.phase === 'connected'
        ? receive(line, input.frame, now, chance)
        : [line, []]
  }
}

function open(line: Line, now: number): Step {
  const resume = line.session === null ? null : { session: line.session, sn: line.sn }
  return [
    { ...line, phase: 'connecting', due: now + timing.HELLO_WAIT_MS, staleAddress: false },
    [{ do: 'open', resume, refresh: line.staleAddress }],
  ]
}

/** The socket is gone: the next attempt after 2^(n-1) seconds and up to 30 % more, or the wait for the network. */
function lose(line: Line, now: number, chance: number): Step {
  if (line.phase === 'waiting' || line.phase === 'lost') return [line, []]
  const attempts = line.attempts + 1
  if (attempts > timing.RECONNECTS_MAX)
    return [{ ...line, phase: 'lost', attempts, due: now + timing.NETWORK_POLL_MS }, [{ do: 'close' }]]
  const wait = timing.RECONNECT_BASE_MS * 2 ** (attempts - 1) * (1 + timing.RECONNECT_JITTER * chance)
  return [{ ...line, phase: 'waiting', attempts, due: now + wait }, [{ do: 'close' }]]
}

/** A network that came back may have killed the line silently: ask at once instead of waiting for the next ping. */
function awake(line: Line, now: number): Step {
  if (line.phase === 'waiting' || line.phase === 'lost') return open({ ...line, attempts: 0 }, now)
  if (line.phase === 'connected' && line.awaits === 'ping') return ping(line, now)
  return [line, []]
}

function overdue(line: Line, now: number, chance: number): Step {
  if (line.phase === 'waiting' || line.phase === 'lost') return open(line, now)
  if (line.phase === 'connecting') return lose(line, now, chance)
  return line.awaits === 'ping' ? ping(line, now) : resume(line, now, chance)
}

function ping(line: Line, now: number): Step {
  return [
    { ...line, awaits: 'answer', due: now + timing.PONG_WAIT_MS },
    [{ do: 'send', frame: { s: signal.ping, sn: line.sn } }],
  ]
}

/** Asks for everything after `sn` on the living line; when that has failed more than twice, gives the line up. */
function resume(line: Line, now: number, chance: number): Step {
  const resumes = line.resumes + 1
  if (resumes > timing.RESUMES_MAX) return lose({ ...line, resumes: 0 }, now, chance)
  return [
    { ...line, resumes, awaits: 'answer', due: now + timing.RESUME_WAIT_MS * 2 ** (resumes - 1) },
    [{ do: 'send', frame: { s: signal.resume, sn: line.sn } }],
  ]
}

const nextPing = (now: number, chance: number) => now + timing.PING_EVERY_MS + timing.PING_JITTER_MS * chance

/** The line has answered: all is well until the next ping. */
function well(line: Line, now: number, chance: number): Line {
  return { ...line, resumes: 0, awaits: 'ping', due: nextPing(now, chance) }
}

function receive(line: Line, frame: ServerFrame, now: number, chance: number): Step {
  switch (frame.s) {
    case signal.hello:
      return greeted(line, frame.d.code, frame.d.session_id ?? frame.d.sessionId ?? null, now, chance)
    case signal.event:
      return line.phase === 'connected' ? event(line, frame, now, chance) : [line, []]
    case signal.pong:
      return [line.held.length > 0 ? line : well(line, now, chance), []]
    case signal.reconnect:
      // The session is beyond saving: a fresh one, at an address of its own.
      return lose({ ...line, session: null, sn: 0, held: [], staleAddress: true }, now, chance)
    case signal.resumeAck:
      // Without a session id it is the server asking for a ping. protocol.md §9.4.
      if (!(frame.d?.session_id ?? frame.d?.sessionId)) return ping(line, now)
      return line.held.length > 0 ? resume(line, now, chance) : [well(line, now, chance), []]
  }
}

function greeted(line: Line, code: number, session: string | null, now: number, chance: number): Step {
  if (code === gatewayCode.tokenExpired && line.attempts === 0) {
    // Expired is the ordinary end of an address: the next one is asked for without a wait.
    const [next, effects] = open({ ...line, attempts: 1, staleAddress: true }, now)
    return [next, [{ do: 'close' }, ...effects]]
  }
  if (code !== gatewayCode.ok || session === null) return lose({ ...line, staleAddress: true }, now, chance)

  const fresh = session !== line.session
  const standing: Line = {
    ...well(line, now, chance),
    phase: 'connected',
    everConnected: true,
    attempts: 0,
    session,
    ...(fresh ? { sn: 0, held: [] } : {}),
  }
  return [standing, fresh ? [{ do: 'refetch' }] : []]
}

function event(line: Line, frame: EventFrame, now: number, chance: number): Step {
  const { ready, last, held, gap } = inOrder(line.sn, line.held, frame)
  const heard: Line = { ...line, sn: last, held }
  const delivery: Effect[] = ready.length > 0 ? [{ do: 'deliver', frames: ready }] : []
  if (!gap) return [line.held.length > 0 ? well(heard, now, chance) : heard, delivery]
  // One resume per gap; its deadline brings the next.
  if (line.held.length > 0) return [heard, delivery]
  const [asking, effects] = resume(heard, now, chance)
  return [asking, [...delivery, ...effects]]
}

/** What the person is told about the line. */
export type Face = 'connecting' | 'connected' | 'reconnecting' | 'offline'

export function faceOf(line: Line): Face {
  if (line.phase === 'connected') return 'connected'
  if (line.phase === 'lost') return 'offline'
  return line.everConnected || line.attempts > 1 ? 'reconnecting' : 'connecting'
}
