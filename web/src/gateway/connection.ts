import type { ClientFrame, EventFrame, ServerFrame } from '@guildhall/wire/gateway/frame.ts'
import { gatewayCode, signal } from '@guildhall/wire/gateway/frame.ts'
import * as timing from '@guildhall/wire/gateway/timing.ts'
import { reorder } from './reorder.ts'

/** A tick so much later than it was due, ms, means that the page was asleep: what was awaited may have come and gone. */
export const SLEEP_DETECTED_MS = 5_000
/** How long a line that was slept over may take to answer, ms; the ordinary wait is for lines in use. */
export const WAKE_WAIT_MS = 2_000
/** How long a message the page knows of may take to come by the line, ms; then a resume, then a fresh session. */
export const MISSING_WAIT_MS = 10_000

/**
 * The line to the server as a pure machine: `(line, input, now, chance) → [line, effects]`. `socket.ts` performs
 * the effects. Times are ms; `chance` is a random number from 0 to 1, handed in so that a test can hold it still.
 * chat.md §4 "Gateway connection states" and §9.
 */
export interface ConnectionState {
  /**
   * idle: not wanted. connecting: a socket is being opened and its hello awaited. connected. waiting: until
   * `due`, then the next attempt. lost: the attempts are used up; waits for the network, looking every minute.
   */
  readonly phase: 'idle' | 'connecting' | 'connected' | 'waiting' | 'lost'
  /** What the machine waits for next, ms; null when for nothing. */
  readonly due: number | null
  /** True from the first hello on. The page never hides again what it has shown once. */
  readonly hasConnected: boolean
  readonly session: string | null
  /** The number of the event delivered last, 0 at the start of a session. */
  readonly sn: number
  readonly reorderBuffer: readonly EventFrame[]
  /** Attempts since the line last stood. */
  readonly attempts: number
  /** What `due` means while connected: the next ping, or the answer to one, or to a resume. */
  readonly awaits: 'ping' | 'answer'
  /** Resumes asked for without an answer. */
  readonly resumeAttempts: number
  /** The address holds a token that is no longer good. */
  readonly staleAddress: boolean
  /** The attempt under way follows a refreshed token: when it fails as well, only the network can help. */
  readonly refreshed: boolean
  /** The answer awaited is that of a line slept over: without it a new socket is opened at once. */
  readonly probing: boolean
  readonly watch: MissingEventWatch
}

/**
 * Looks for a line that answers pings but delivers nothing. Each guild numbers its events, and the answers to calls
 * tell of numbers as well: one that is known and does not come is missing.
 */
interface MissingEventWatch {
  /** The newest number by guild that this session delivered, or need not deliver because it was there before. */
  readonly delivered: Readonly<Record<string, number>>
  /** The newest number by guild that a call's answer told of. */
  readonly expected: Readonly<Record<string, number>>
  /** When to act on what is missing, ms; null while nothing is, or no line stands. */
  readonly due: number | null
  /** A resume has been asked for on its account. */
  readonly resumeSent: boolean
}

export type Input =
  | { readonly type: 'start' | 'stop' | 'closed' | 'tick' }
  | { readonly type: 'frame'; readonly frame: ServerFrame }
  /** The browser says the network is there, or the page is looked at again. */
  | { readonly type: 'awake' }
  /** A call's answer told of number `seq` of a guild, which the line delivers too, or has before this session. */
  | { readonly type: 'known'; readonly guild: string; readonly seq: number }

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

const emptyWatch: MissingEventWatch = { delivered: {}, expected: {}, due: null, resumeSent: false }

const isBehind = ({ delivered, expected }: MissingEventWatch) =>
  Object.entries(expected).some(([guild, seq]) => seq > (delivered[guild] ?? seq))

export const idle: ConnectionState = {
  phase: 'idle',
  due: null,
  hasConnected: false,
  session: null,
  sn: 0,
  reorderBuffer: [],
  attempts: 0,
  awaits: 'ping',
  resumeAttempts: 0,
  staleAddress: false,
  refreshed: false,
  probing: false,
  watch: emptyWatch,
}

/** When the next tick is wanted, ms; null when none is. */
export const nextDeadline = (line: ConnectionState): number | null =>
  line.due === null || line.watch.due === null ? line.due : Math.min(line.due, line.watch.due)

type Step = readonly [ConnectionState, readonly Effect[]]

export function transition(line: ConnectionState, input: Input, now: number, chance: number): Step {
  if (input.type === 'start') return line.phase === 'idle' ? connect(line, now) : [line, []]
  if (line.phase === 'idle') return [line, []]
  switch (input.type) {
    case 'stop':
      return [idle, [{ do: 'close' }]]
    case 'closed':
      return disconnect(line, now, chance)
    case 'awake':
      return probe(line, now)
    case 'known':
      return [{ ...line, watch: known(line, input.guild, input.seq, now) }, []]
    case 'tick':
      return tick(line, now, chance)
    case 'frame':
      return line.phase === 'connecting' || line.phase === 'connected'
        ? receive(line, input.frame, now, chance)
        : [line, []]
  }
}

function connect(line: ConnectionState, now: number): Step {
  const resume = line.session === null ? null : { session: line.session, sn: line.sn }
  return [
    { ...line, phase: 'connecting', due: now + timing.HELLO_WAIT_MS, staleAddress: false, probing: false },
    [{ do: 'open', resume, refresh: line.staleAddress }],
  ]
}

/**
 * The socket is gone: the next attempt after 2^(n-1) seconds and up to 30 % more, or the wait for the network, which
 * is also where an attempt with a refreshed token ends. chat.md §4 and §9.
 */
function disconnect(line: ConnectionState, now: number, chance: number): Step {
  if (line.phase === 'waiting' || line.phase === 'lost') return [line, []]
  const attempts = line.attempts + 1
  const lost: ConnectionState = {
    ...line,
    attempts,
    refreshed: false,
    probing: false,
    resumeAttempts: 0,
    watch: pauseWatch(line.watch),
  }
  if (line.refreshed || attempts > timing.RECONNECTS_MAX)
    return [
      {
        ...lost,
        phase: 'lost',
        staleAddress: line.staleAddress || line.refreshed,
        due: now + timing.NETWORK_POLL_MS,
      },
      [{ do: 'close' }],
    ]
  const wait = timing.RECONNECT_BASE_MS * 2 ** (attempts - 1) * (1 + timing.RECONNECT_JITTER * chance)
  return [{ ...lost, phase: 'waiting', due: now + wait }, [{ do: 'close' }]]
}

/** Gives the socket up for a new one without a wait. */
function reconnectNow(line: ConnectionState, now: number): Step {
  const [next, effects] = connect(
    { ...line, attempts: 1, resumeAttempts: 0, watch: pauseWatch(line.watch) },
    now,
  )
  return [next, [{ do: 'close' }, ...effects]]
}

/**
 * The page is looked at again, or the network is back: both may have killed the line silently, so it is asked at once
 * and has little time to answer.
 */
function probe(line: ConnectionState, now: number): Step {
  if (line.phase === 'waiting' || line.phase === 'lost') return connect({ ...line, attempts: 0 }, now)
  if (line.phase === 'connecting')
    return isOverdueBySleep(line.due, now) ? reconnectNow(line, now) : [line, []]
  if (line.awaits === 'answer' && !isOverdueBySleep(line.due, now)) return [line, []]
  const [asked, effects] = ping({ ...line, resumeAttempts: 0 }, now)
  return [{ ...asked, probing: true, due: now + WAKE_WAIT_MS }, effects]
}

const isOverdueBySleep = (due: number | null, now: number) => due !== null && now - due >= SLEEP_DETECTED_MS

function tick(line: ConnectionState, now: number, chance: number): Step {
  if (isOverdueBySleep(line.due, now)) return probe(line, now)
  if (line.due !== null && now >= line.due) return onDeadline(line, now, chance)
  return line.phase === 'connected' && line.watch.due !== null && now >= line.watch.due
    ? recoverMissing(line, now)
    : [line, []]
}

function onDeadline(line: ConnectionState, now: number, chance: number): Step {
  if (line.phase === 'waiting' || line.phase === 'lost') return connect(line, now)
  if (line.phase === 'connecting') return disconnect(line, now, chance)
  if (line.awaits === 'ping') return ping(line, now)
  return line.probing ? reconnectNow(line, now) : resume(line, now, chance)
}

/** What is missing did not come: asked for on this session first, then by a fresh one, which asks for everything. */
function recoverMissing(line: ConnectionState, now: number): Step {
  if (!line.watch.resumeSent)
    return [
      { ...line, watch: { ...line.watch, resumeSent: true, due: now + MISSING_WAIT_MS } },
      [{ do: 'send', frame: { s: signal.resume, sn: line.sn } }],
    ]
  return reconnectNow({ ...line, session: null, sn: 0, reorderBuffer: [], watch: emptyWatch }, now)
}

/** The first number a session hears of in a guild may be older than it; from there on the line has to bring each. */
function known(line: ConnectionState, guild: string, seq: number, now: number): MissingEventWatch {
  const { watch } = line
  const heard = watch.delivered[guild]
  if (heard === undefined) return { ...watch, delivered: { ...watch.delivered, [guild]: seq } }
  if (seq <= Math.max(heard, watch.expected[guild] ?? 0)) return watch
  const due = watch.due ?? (line.phase === 'connected' ? now + MISSING_WAIT_MS : null)
  return { ...watch, expected: { ...watch.expected, [guild]: seq }, due }
}

const pauseWatch = (watch: MissingEventWatch): MissingEventWatch => ({
  ...watch,
  due: null,
  resumeSent: false,
})

/** What is still missing has the whole wait from now on. */
const restartWatch = (watch: MissingEventWatch, now: number): MissingEventWatch => ({
  ...watch,
  due: isBehind(watch) ? now + MISSING_WAIT_MS : null,
  resumeSent: false,
})

/** The numbers these events carry are here: a line that delivers has time for the rest. */
function heard(watch: MissingEventWatch, frames: readonly EventFrame[], now: number): MissingEventWatch {
  let all = watch.delivered
  for (const { d } of frames) {
    const { guild_id: guild, seq } = d.extra
    if (typeof guild !== 'string' || typeof seq !== 'number' || seq <= (all[guild] ?? 0)) continue
    all = { ...all, [guild]: seq }
  }
  if (all === watch.delivered) return watch
  return watch.due === null ? { ...watch, delivered: all } : restartWatch({ ...watch, delivered: all }, now)
}

function ping(line: ConnectionState, now: number): Step {
  return [
    { ...line, awaits: 'answer', probing: false, due: now + timing.PONG_WAIT_MS },
    [{ do: 'send', frame: { s: signal.ping, sn: line.sn } }],
  ]
}

/** Asks for everything after `sn` on the living line; when that has failed more than twice, gives the line up. */
function resume(line: ConnectionState, now: number, chance: number): Step {
  const resumes = line.resumeAttempts + 1
  if (resumes > timing.RESUMES_MAX) return disconnect(line, now, chance)
  return [
    {
      ...line,
      resumeAttempts: resumes,
      awaits: 'answer',
      probing: false,
      due: now + timing.RESUME_WAIT_MS * 2 ** (resumes - 1),
    },
    [{ do: 'send', frame: { s: signal.resume, sn: line.sn } }],
  ]
}

const nextPing = (now: number, chance: number) => now + timing.PING_EVERY_MS + timing.PING_JITTER_MS * chance

/** The line has answered: all is well until the next ping. */
function scheduleHeartbeat(line: ConnectionState, now: number, chance: number): ConnectionState {
  return { ...line, resumeAttempts: 0, probing: false, awaits: 'ping', due: nextPing(now, chance) }
}

function receive(line: ConnectionState, frame: ServerFrame, now: number, chance: number): Step {
  switch (frame.s) {
    case signal.hello:
      return onHello(line, frame.d.code, frame.d.session_id ?? frame.d.sessionId ?? null, now, chance)
    case signal.event:
      return line.phase === 'connected' ? onEvent(line, frame, now, chance) : [line, []]
    case signal.pong:
      return [line.reorderBuffer.length > 0 ? line : scheduleHeartbeat(line, now, chance), []]
    case signal.reconnect:
      // The session is beyond saving: a fresh one, at an address of its own.
      return disconnect({ ...line, session: null, sn: 0, reorderBuffer: [], staleAddress: true }, now, chance)
    case signal.resumeAck:
      // Without a session id it is the server asking for a ping. protocol.md §9.4.
      if (!(frame.d?.session_id ?? frame.d?.sessionId)) return ping(line, now)
      return line.reorderBuffer.length > 0
        ? resume(line, now, chance)
        : [scheduleHeartbeat(line, now, chance), []]
  }
}

function onHello(
  line: ConnectionState,
  code: number,
  session: string | null,
  now: number,
  chance: number,
): Step {
  if (code === gatewayCode.tokenExpired && !line.refreshed) {
    // Expired is the ordinary end of an address: the next one is asked for without a wait. chat.md §4.
    const [next, effects] = reconnectNow({ ...line, staleAddress: true }, now)
    return [{ ...next, refreshed: true }, effects]
  }
  if (code !== gatewayCode.ok || session === null)
    return disconnect({ ...line, staleAddress: true }, now, chance)

  const fresh = session !== line.session
  const standing: ConnectionState = {
    ...scheduleHeartbeat(line, now, chance),
    phase: 'connected',
    hasConnected: true,
    attempts: 0,
    refreshed: false,
    session,
    ...(fresh ? { sn: 0, reorderBuffer: [] } : {}),
    watch: fresh ? emptyWatch : restartWatch(line.watch, now),
  }
  return [standing, fresh ? [{ do: 'refetch' }] : []]
}

function onEvent(line: ConnectionState, frame: EventFrame, now: number, chance: number): Step {
  const { ready, last, held, gap } = reorder(line.sn, line.reorderBuffer, frame)
  const after: ConnectionState = {
    ...line,
    sn: last,
    reorderBuffer: held,
    watch: heard(line.watch, ready, now),
  }
  const delivery: Effect[] = ready.length > 0 ? [{ do: 'deliver', frames: ready }] : []
  if (!gap) return [line.reorderBuffer.length > 0 ? scheduleHeartbeat(after, now, chance) : after, delivery]
  // One resume per gap; its deadline brings the next.
  if (line.reorderBuffer.length > 0) return [after, delivery]
  const [asking, effects] = resume(after, now, chance)
  return [asking, [...delivery, ...effects]]
}

/** What the person is told about the line. */
export type ConnectionStatus = 'connecting' | 'connected' | 'reconnecting' | 'offline'

export function statusOf(line: ConnectionState): ConnectionStatus {
  if (line.phase === 'connected') return 'connected'
  if (line.phase === 'lost') return 'offline'
  return line.hasConnected || line.attempts > 1 ? 'reconnecting' : 'connecting'
}
