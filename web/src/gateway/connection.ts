import type { ClientFrame, EventFrame, ServerFrame } from '@guildhall/wire/gateway/frame.ts'
import { gatewayCode, signal } from '@guildhall/wire/gateway/frame.ts'
import * as timing from '@guildhall/wire/gateway/timing.ts'
import { inOrder } from './inOrder.ts'

/** A tick so much later than it was due, ms, means that the page was asleep: what was awaited may have come and gone. */
export const ASLEEP_MS = 5_000
/** How long a line that was slept over may take to answer, ms; the ordinary wait is for lines in use. */
export const WAKE_WAIT_MS = 2_000
/** How long a message the page knows of may take to come by the line, ms; then a resume, then a fresh session. */
export const MISSING_WAIT_MS = 10_000

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
  /** The attempt under way follows a refreshed token: when it fails as well, only the network can help. */
  readonly refreshed: boolean
  /** The answer awaited is that of a line slept over: without it a new socket is opened at once. */
  readonly woken: boolean
  readonly watch: Watch
}

/**
 * Looks for a line that answers pings but delivers nothing. Each guild numbers its events, and the answers to calls
 * tell of numbers as well: one that is known and does not come is missing.
 */
interface Watch {
  /** The newest number by guild that this session delivered, or need not deliver because it was there before. */
  readonly heard: Readonly<Record<string, number>>
  /** The newest number by guild that a call's answer told of. */
  readonly known: Readonly<Record<string, number>>
  /** When to act on what is missing, ms; null while nothing is, or no line stands. */
  readonly due: number | null
  /** A resume has been asked for on its account. */
  readonly asked: boolean
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

const watching: Watch = { heard: {}, known: {}, due: null, asked: false }

const isBehind = ({ heard, known }: Watch) =>
  Object.entries(known).some(([guild, seq]) => seq > (heard[guild] ?? seq))

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
  refreshed: false,
  woken: false,
  watch: watching,
}

/** When the next tick is wanted, ms; null when none is. */
export const dueOf = (line: Line): number | null =>
  line.due === null || line.watch.due === null ? line.due : Math.min(line.due, line.watch.due)

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

function open(line: Line, now: number): Step {
  const resume = line.session === null ? null : { session: line.session, sn: line.sn }
  return [
    { ...line, phase: 'connecting', due: now + timing.HELLO_WAIT_MS, staleAddress: false, woken: false },
    [{ do: 'open', resume, refresh: line.staleAddress }],
  ]
}

/**
 * The socket is gone: the next attempt after 2^(n-1) seconds and up to 30 % more, or the wait for the network, which
 * is also where an attempt with a refreshed token ends. chat.md §4 and §9.
 */
function lose(line: Line, now: number, chance: number): Step {
  if (line.phase === 'waiting' || line.phase === 'lost') return [line, []]
  const attempts = line.attempts + 1
  const lost: Line = {
    ...line,
    attempts,
    refreshed: false,
    woken: false,
    resumes: 0,
    watch: paused(line.watch),
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
function replace(line: Line, now: number): Step {
  const [next, effects] = open({ ...line, attempts: 1, resumes: 0, watch: paused(line.watch) }, now)
  return [next, [{ do: 'close' }, ...effects]]
}

/**
 * The page is looked at again, or the network is back: both may have killed the line silently, so it is asked at once
 * and has little time to answer.
 */
function awake(line: Line, now: number): Step {
  if (line.phase === 'waiting' || line.phase === 'lost') return open({ ...line, attempts: 0 }, now)
  if (line.phase === 'connecting') return late(line.due, now) ? replace(line, now) : [line, []]
  if (line.awaits === 'answer' && !late(line.due, now)) return [line, []]
  const [asked, effects] = ping({ ...line, resumes: 0 }, now)
  return [{ ...asked, woken: true, due: now + WAKE_WAIT_MS }, effects]
}

const late = (due: number | null, now: number) => due !== null && now - due >= ASLEEP_MS

function tick(line: Line, now: number, chance: number): Step {
  if (late(line.due, now)) return awake(line, now)
  if (line.due !== null && now >= line.due) return overdue(line, now, chance)
  return line.phase === 'connected' && line.watch.due !== null && now >= line.watch.due
    ? missed(line, now)
    : [line, []]
}

function overdue(line: Line, now: number, chance: number): Step {
  if (line.phase === 'waiting' || line.phase === 'lost') return open(line, now)
  if (line.phase === 'connecting') return lose(line, now, chance)
  if (line.awaits === 'ping') return ping(line, now)
  return line.woken ? replace(line, now) : resume(line, now, chance)
}

/** What is missing did not come: asked for on this session first, then by a fresh one, which asks for everything. */
function missed(line: Line, now: number): Step {
  if (!line.watch.asked)
    return [
      { ...line, watch: { ...line.watch, asked: true, due: now + MISSING_WAIT_MS } },
      [{ do: 'send', frame: { s: signal.resume, sn: line.sn } }],
    ]
  return replace({ ...line, session: null, sn: 0, held: [], watch: watching }, now)
}

/** The first number a session hears of in a guild may be older than it; from there on the line has to bring each. */
function known(line: Line, guild: string, seq: number, now: number): Watch {
  const { watch } = line
  const heard = watch.heard[guild]
  if (heard === undefined) return { ...watch, heard: { ...watch.heard, [guild]: seq } }
  if (seq <= Math.max(heard, watch.known[guild] ?? 0)) return watch
  const due = watch.due ?? (line.phase === 'connected' ? now + MISSING_WAIT_MS : null)
  return { ...watch, known: { ...watch.known, [guild]: seq }, due }
}

const paused = (watch: Watch): Watch => ({ ...watch, due: null, asked: false })

/** What is still missing has the whole wait from now on. */
const renewed = (watch: Watch, now: number): Watch => ({
  ...watch,
  due: isBehind(watch) ? now + MISSING_WAIT_MS : null,
  asked: false,
})

/** The numbers these events carry are here: a line that delivers has time for the rest. */
function heard(watch: Watch, frames: readonly EventFrame[], now: number): Watch {
  let all = watch.heard
  for (const { d } of frames) {
    const { guild_id: guild, seq } = d.extra
    if (typeof guild !== 'string' || typeof seq !== 'number' || seq <= (all[guild] ?? 0)) continue
    all = { ...all, [guild]: seq }
  }
  if (all === watch.heard) return watch
  return watch.due === null ? { ...watch, heard: all } : renewed({ ...watch, heard: all }, now)
}

function ping(line: Line, now: number): Step {
  return [
    { ...line, awaits: 'answer', woken: false, due: now + timing.PONG_WAIT_MS },
    [{ do: 'send', frame: { s: signal.ping, sn: line.sn } }],
  ]
}

/** Asks for everything after `sn` on the living line; when that has failed more than twice, gives the line up. */
function resume(line: Line, now: number, chance: number): Step {
  const resumes = line.resumes + 1
  if (resumes > timing.RESUMES_MAX) return lose(line, now, chance)
  return [
    {
      ...line,
      resumes,
      awaits: 'answer',
      woken: false,
      due: now + timing.RESUME_WAIT_MS * 2 ** (resumes - 1),
    },
    [{ do: 'send', frame: { s: signal.resume, sn: line.sn } }],
  ]
}

const nextPing = (now: number, chance: number) => now + timing.PING_EVERY_MS + timing.PING_JITTER_MS * chance

/** The line has answered: all is well until the next ping. */
function well(line: Line, now: number, chance: number): Line {
  return { ...line, resumes: 0, woken: false, awaits: 'ping', due: nextPing(now, chance) }
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
  if (code === gatewayCode.tokenExpired && !line.refreshed) {
    // Expired is the ordinary end of an address: the next one is asked for without a wait. chat.md §4.
    const [next, effects] = replace({ ...line, staleAddress: true }, now)
    return [{ ...next, refreshed: true }, effects]
  }
  if (code !== gatewayCode.ok || session === null) return lose({ ...line, staleAddress: true }, now, chance)

  const fresh = session !== line.session
  const standing: Line = {
    ...well(line, now, chance),
    phase: 'connected',
    everConnected: true,
    attempts: 0,
    refreshed: false,
    session,
    ...(fresh ? { sn: 0, held: [] } : {}),
    watch: fresh ? watching : renewed(line.watch, now),
  }
  return [standing, fresh ? [{ do: 'refetch' }] : []]
}

function event(line: Line, frame: EventFrame, now: number, chance: number): Step {
  const { ready, last, held, gap } = inOrder(line.sn, line.held, frame)
  const after: Line = { ...line, sn: last, held, watch: heard(line.watch, ready, now) }
  const delivery: Effect[] = ready.length > 0 ? [{ do: 'deliver', frames: ready }] : []
  if (!gap) return [line.held.length > 0 ? well(after, now, chance) : after, delivery]
  // One resume per gap; its deadline brings the next.
  if (line.held.length > 0) return [after, delivery]
  const [asking, effects] = resume(after, now, chance)
  return [asking, [...delivery, ...effects]]
}

/** What the person is told about the line. */
export type Face = 'connecting' | 'connected' | 'reconnecting' | 'offline'

export function faceOf(line: Line): Face {
  if (line.phase === 'connected') return 'connected'
  if (line.phase === 'lost') return 'offline'
  return line.everConnected || line.attempts > 1 ? 'reconnecting' : 'connecting'
}
