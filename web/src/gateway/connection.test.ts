import type { EventFrame, ServerFrame } from '@guildhall/wire/gateway/frame.ts'
import { describe, expect, test } from 'vitest'
import {
  type ConnectionState,
  type Effect,
  type Input,
  idle,
  nextDeadline,
  SUSPENDED_MS,
  statusOf,
  transition,
  WAKE_WAIT_MS,
} from './connection.ts'
import { MISSING_WAIT_MS } from './missingEvents.ts'

const event = (sn: number, extra = {}): EventFrame => ({
  s: 0,
  sn,
  d: {
    channel_type: 'GROUP',
    type: 9,
    target_id: '1',
    author_id: '2',
    content: `#${sn}`,
    msg_id: 'm',
    msg_timestamp: 0,
    nonce: '',
    extra,
  },
})
const hello = (session: string): ServerFrame => ({ s: 1, d: { code: 0, session_id: session } })
const refused = (code: number): ServerFrame => ({ s: 1, d: { code } })

/** A connection with a manual clock that records its effects. */
function apply(chance = 0) {
  let state: ConnectionState = idle
  let now = 0
  let done: Effect[] = []
  const dispatch = (input: Input) => {
    const [next, effects] = transition(state, input, now, chance)
    state = next
    done.push(...effects)
  }
  return {
    dispatch,
    start: () => dispatch({ type: 'start' }),
    frame: (frame: ServerFrame) => dispatch({ type: 'frame', frame }),
    close: () => dispatch({ type: 'closed' }),
    /** Lets `ms` pass, with a tick at every deadline on the way. */
    pass(ms: number) {
      const end = now + ms
      for (let due = nextDeadline(state); due !== null && due <= end; due = nextDeadline(state)) {
        now = Math.max(now, due)
        dispatch({ type: 'tick' })
      }
      now = end
    },
    /** Suspends the page for `ms`; its timer fires first afterwards. */
    sleep(ms: number) {
      now += ms
      dispatch({ type: 'tick' })
    },
    /** Returns and clears the recorded effects. */
    takeEffects() {
      const effects = done
      done = []
      return effects
    },
    get state() {
      return state
    },
  }
}

function connectedClient(chance = 0) {
  const it = apply(chance)
  it.start()
  it.frame(hello('s1'))
  it.takeEffects()
  return it
}

test('an idle connection ignores every input', () => {
  const it = apply()
  it.close()
  it.frame(hello('s'))
  it.dispatch({ type: 'awake' })
  it.pass(1_000_000)
  expect(it.takeEffects()).toEqual([])
  expect(it.state).toEqual(idle)
})

test('without a hello within six seconds it disconnects', () => {
  const it = apply()
  it.start()
  it.takeEffects()
  it.pass(5_999)
  expect(it.takeEffects()).toEqual([])
  it.pass(1)
  expect(it.takeEffects()).toEqual([{ do: 'close' }])
  expect(it.state.phase).toBe('waiting')
})

test('a refused hello does not connect, and the next attempt requests a new address', () => {
  const it = apply()
  it.start()
  it.frame(refused(40101))
  expect(it.state.phase).toBe('waiting')
  it.takeEffects()
  it.pass(1_000)
  expect(it.takeEffects()).toEqual([{ do: 'open', resume: null, refresh: true }])
})

test('an expired token is refreshed at once; if that fails, it waits for the network', () => {
  const it = apply()
  it.start()
  it.takeEffects()
  it.frame(refused(40103))
  expect(it.takeEffects()).toEqual([{ do: 'close' }, { do: 'open', resume: null, refresh: true }])
  it.frame(refused(40103))
  expect(it.state.phase).toBe('lost')
  it.takeEffects()
  it.pass(60_000)
  expect(it.takeEffects()).toEqual([{ do: 'open', resume: null, refresh: true }])
})

test('a token that expired while disconnected is refreshed and the session resumed', () => {
  const it = connectedClient()
  it.frame(event(1))
  it.close()
  it.pass(1_000)
  it.takeEffects()
  it.frame(refused(40103))
  expect(it.takeEffects()).toEqual([
    { do: 'close' },
    { do: 'open', resume: { session: 's1', sn: 1 }, refresh: true },
  ])
})

test('if no address is available after the token expired, it waits for the network', () => {
  const it = apply()
  it.start()
  it.frame(refused(40103))
  it.close()
  expect(statusOf(it.state)).toBe('offline')
  it.takeEffects()
  it.dispatch({ type: 'awake' })
  expect(it.takeEffects()).toEqual([{ do: 'open', resume: null, refresh: true }])
})

test('backoff is one, two, four and eight seconds, then a minute at a time for the network', () => {
  const it = apply()
  it.start()
  const waits: number[] = []
  for (let i = 0; i < 7; i++) {
    it.close()
    let waited = 0
    while (it.state.phase !== 'connecting') {
      it.pass(500)
      waited += 500
    }
    waits.push(waited)
  }
  expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 60_000, 60_000, 60_000])
})

test('the backoff has up to thirty percent of jitter', () => {
  const it = apply(0.9999)
  it.start()
  it.close()
  expect(it.state.due).toBeCloseTo(1_299.97, 1)
})

describe('somebody who uses the page, or a call that is answered, ends the wait', () => {
  const lost = () => {
    const it = apply()
    it.start()
    for (let i = 0; i < 5; i++) {
      it.close()
      if (i < 4) it.pass(8_000)
    }
    expect(it.state.phase).toBe('lost')
    it.takeEffects()
    return it
  }
  const opened = (it: ReturnType<typeof apply>) =>
    it.takeEffects().filter((done) => done.do === 'open').length

  test('for the network', () => {
    const it = lost()
    it.pass(20_000)
    it.dispatch({ type: 'wanted' })
    it.pass(0)
    expect(opened(it)).toBe(1)
  })
  test('of the backoff', () => {
    const it = connectedClient()
    for (const wait of [1_000, 2_000, 4_000]) {
      it.close()
      it.pass(wait)
    }
    it.close()
    it.takeEffects()
    it.pass(3_000)
    it.dispatch({ type: 'wanted' })
    it.pass(0)
    expect(opened(it)).toBe(1)
  })
  test('but a second passes between two attempts, however much is typed', () => {
    const it = lost()
    for (let key = 0; key < 10; key++) it.dispatch({ type: 'wanted' })
    it.pass(999)
    expect(opened(it)).toBe(0)
    it.pass(1)
    expect(opened(it)).toBe(1)
    it.close()
    it.dispatch({ type: 'wanted' })
    it.pass(1_000)
    expect(opened(it)).toBe(1)
  })
  test('and a minute, if nobody does anything more', () => {
    const it = lost()
    it.dispatch({ type: 'wanted' })
    it.pass(1_000)
    it.close()
    it.takeEffects()
    it.pass(59_999)
    expect(opened(it)).toBe(0)
    it.pass(1)
    expect(opened(it)).toBe(1)
  })
  test('and nothing else: an attempt under way and a connection go on', () => {
    const it = connectedClient()
    it.dispatch({ type: 'wanted' })
    it.pass(0)
    expect(it.takeEffects()).toEqual([])
  })
})

test('the network coming back ends the backoff', () => {
  const it = apply()
  it.start()
  for (let i = 0; i < 5; i++) {
    it.close()
    if (i < 4) it.pass(8_000)
  }
  expect(statusOf(it.state)).toBe('offline')
  it.takeEffects()
  it.dispatch({ type: 'awake' })
  expect(it.takeEffects()).toMatchObject([{ do: 'open' }])
  expect(it.state.attempts).toBe(0)
})

test('the network going away is shown at once, and its return continues the session at once', () => {
  const it = connectedClient()
  it.frame(event(1))
  it.takeEffects()
  it.dispatch({ type: 'offline' })
  expect(it.takeEffects()).toEqual([{ do: 'close' }])
  expect(statusOf(it.state)).toBe('offline')
  it.dispatch({ type: 'offline' })
  expect(it.takeEffects()).toEqual([])
  it.dispatch({ type: 'awake' })
  expect(it.takeEffects()).toEqual([{ do: 'open', resume: { session: 's1', sn: 1 }, refresh: false }])
})

test('a network that only seemed to be away is found by the minute', () => {
  const it = connectedClient()
  it.dispatch({ type: 'offline' })
  it.takeEffects()
  it.pass(60_000)
  expect(it.takeEffects()).toEqual([{ do: 'open', resume: { session: 's1', sn: 0 }, refresh: false }])
})

test('a call without an answer pings the connection, which then has little time', () => {
  const it = connectedClient()
  it.dispatch({ type: 'unanswered' })
  it.dispatch({ type: 'unanswered' })
  expect(it.takeEffects()).toEqual([{ do: 'send', frame: { s: 2, sn: 0 } }])
  it.pass(WAKE_WAIT_MS)
  expect(it.takeEffects()).toEqual([
    { do: 'close' },
    { do: 'open', resume: { session: 's1', sn: 0 }, refresh: false },
  ])
  expect(statusOf(it.state)).toBe('reconnecting')
})

test('a call without an answer does not shorten the backoff', () => {
  const it = connectedClient()
  it.close()
  it.takeEffects()
  it.dispatch({ type: 'unanswered' })
  expect(it.takeEffects()).toEqual([])
})

test('a heartbeat is sent every thirty to thirty-five seconds', () => {
  const early = connectedClient(0)
  early.pass(30_000)
  expect(early.takeEffects()).toEqual([{ do: 'send', frame: { s: 2, sn: 0 } }])
  const late = connectedClient(1)
  late.pass(34_999)
  expect(late.takeEffects()).toEqual([])
  late.pass(1)
  expect(late.takeEffects()).toEqual([{ do: 'send', frame: { s: 2, sn: 0 } }])
})

test('a pong in time keeps the connection, and the next ping follows', () => {
  const it = connectedClient()
  it.pass(30_000)
  it.pass(5_999)
  it.frame({ s: 3 })
  it.takeEffects()
  it.pass(29_999)
  expect(it.takeEffects()).toEqual([])
  it.pass(1)
  expect(it.takeEffects()).toEqual([{ do: 'send', frame: { s: 2, sn: 0 } }])
})

test('a missed pong leads to two resumes at growing intervals, then to a new socket for the same session', () => {
  const it = connectedClient()
  it.frame(event(1))
  it.pass(30_000)
  it.takeEffects()
  it.pass(6_000)
  expect(it.takeEffects()).toEqual([{ do: 'send', frame: { s: 4, sn: 1 } }])
  it.pass(2_000)
  expect(it.takeEffects()).toEqual([{ do: 'send', frame: { s: 4, sn: 1 } }])
  it.pass(3_999)
  expect(it.takeEffects()).toEqual([])
  it.pass(1)
  expect(it.takeEffects()).toEqual([{ do: 'close' }])
  expect(statusOf(it.state)).toBe('reconnecting')
  it.pass(1_000)
  expect(it.takeEffects()).toEqual([{ do: 'open', resume: { session: 's1', sn: 1 }, refresh: false }])
})

test('a late frame of a replaced socket is ignored', () => {
  const it = connectedClient()
  it.close()
  it.takeEffects()
  it.frame(event(1))
  expect(it.takeEffects()).toEqual([])
  expect(it.state.sn).toBe(0)
})

test('events are delivered once and in order; a gap sends one resume', () => {
  const it = connectedClient()
  it.frame(event(1))
  it.frame(event(1))
  it.frame(event(3))
  it.frame(event(4))
  expect(it.takeEffects()).toEqual([
    { do: 'deliver', frames: [event(1)] },
    { do: 'send', frame: { s: 4, sn: 1 } },
  ])
  it.frame(event(2))
  expect(it.takeEffects()).toEqual([{ do: 'deliver', frames: [event(2), event(3), event(4)] }])
  expect(it.state).toMatchObject({ sn: 4, reorderBuffer: [], resumeAttempts: 0, awaits: 'ping' })
})

test('what waited for a missing event goes with its socket: another node may number the rest in another order', () => {
  const it = connectedClient()
  it.frame(event(1))
  it.frame(event(3))
  it.close()
  it.pass(1_000)
  it.frame(hello('s1'))
  it.takeEffects()
  it.frame(event(2))
  it.frame(event(3))
  expect(it.takeEffects()).toEqual([
    { do: 'deliver', frames: [event(2)] },
    { do: 'deliver', frames: [event(3)] },
  ])
})

test('a gap that no resume fills disconnects', () => {
  const it = connectedClient()
  it.frame(event(2))
  it.pass(6_000)
  expect(it.state.phase).toBe('waiting')
})

test('a resumed session keeps its cursor; a new one starts at zero and requests everything again', () => {
  const it = connectedClient()
  it.frame(event(1))
  it.close()
  it.pass(1_000)
  it.takeEffects()
  it.frame(hello('s1'))
  expect(it.takeEffects()).toEqual([])
  expect(it.state.sn).toBe(1)
  it.close()
  it.pass(1_000)
  it.takeEffects()
  it.frame(hello('s2'))
  expect(it.takeEffects()).toEqual([{ do: 'refetch' }])
  expect(it.state).toMatchObject({ sn: 0, session: 's2' })
})

test('a reconnect signal drops the session and requests a new address', () => {
  const it = connectedClient()
  it.frame(event(1))
  it.takeEffects()
  it.frame({ s: 5, d: { code: 40108 } })
  it.pass(1_000)
  expect(it.takeEffects()).toEqual([{ do: 'close' }, { do: 'open', resume: null, refresh: true }])
  it.frame(hello('s2'))
  expect(it.takeEffects()).toEqual([{ do: 'refetch' }])
})

test('signal six requests a ping without a session id, and ends a replay with one', () => {
  const it = connectedClient()
  it.frame({ s: 6 })
  expect(it.takeEffects()).toEqual([{ do: 'send', frame: { s: 2, sn: 0 } }])
  it.frame({ s: 6, d: { sessionId: 's1' } })
  expect(it.state).toMatchObject({ awaits: 'ping', resumeAttempts: 0 })
})

test('the status is connecting at first, then reconnecting, and offline in the end', () => {
  const it = apply()
  it.start()
  expect(statusOf(it.state)).toBe('connecting')
  it.frame(hello('s'))
  expect(statusOf(it.state)).toBe('connected')
  it.close()
  expect(statusOf(it.state)).toBe('reconnecting')
  it.dispatch({ type: 'stop' })
  expect(it.state).toEqual(idle)
})

test.each([
  ['a late timer', SUSPENDED_MS, 'tick'],
  ['a visible tab', 1_000, 'awake'],
] as const)('a connection that slept is probed at once with a short timeout: %s', (_, late, first) => {
  const it = connectedClient()
  if (first === 'tick') it.sleep(30_000 + late)
  else it.dispatch({ type: 'awake' })
  expect(it.takeEffects()).toEqual([{ do: 'send', frame: { s: 2, sn: 0 } }])
  it.pass(WAKE_WAIT_MS - 1)
  expect(it.takeEffects()).toEqual([])
  it.pass(1)
  expect(it.takeEffects()).toEqual([
    { do: 'close' },
    { do: 'open', resume: { session: 's1', sn: 0 }, refresh: false },
  ])
})

test('a connection that answers the probe after a suspension is kept', () => {
  const it = connectedClient()
  it.sleep(300_000)
  it.frame({ s: 3 })
  it.takeEffects()
  it.pass(29_999)
  expect(it.takeEffects()).toEqual([])
})

test('a pong missed during a suspension does not count: the connection is probed again', () => {
  const it = connectedClient()
  it.pass(30_000)
  it.takeEffects()
  it.sleep(600_000)
  expect(it.takeEffects()).toEqual([{ do: 'send', frame: { s: 2, sn: 0 } }])
  expect(it.state.phase).toBe('connected')
})

test('a socket that was being opened before a suspension is replaced', () => {
  const it = apply()
  it.start()
  it.takeEffects()
  it.sleep(60_000)
  expect(it.takeEffects()).toMatchObject([{ do: 'close' }, { do: 'open' }])
})

test('a page that wakes while a heartbeat waits for its answer probes as well', () => {
  const it = connectedClient()
  it.pass(30_000)
  it.takeEffects()
  it.sleep(4_000)
  it.dispatch({ type: 'awake' })
  expect(it.takeEffects()).toEqual([{ do: 'send', frame: { s: 2, sn: 0 } }])
  it.pass(WAKE_WAIT_MS)
  expect(it.takeEffects()).toEqual([
    { do: 'close' },
    { do: 'open', resume: { session: 's1', sn: 0 }, refresh: false },
  ])
})

test('an answer that arrived before the page slept is none to its probe', () => {
  const it = connectedClient()
  it.pass(30_000)
  it.sleep(4_000)
  it.dispatch({ type: 'awake' })
  it.takeEffects()
  it.frame({ s: 3 })
  it.pass(WAKE_WAIT_MS)
  expect(it.takeEffects()).toMatchObject([{ do: 'close' }, { do: 'open' }])
})

test('a probe beside a heartbeat is answered by the second of two pongs', () => {
  const it = connectedClient()
  it.pass(30_000)
  it.dispatch({ type: 'awake' })
  it.takeEffects()
  it.frame({ s: 3 })
  it.frame({ s: 3 })
  it.pass(29_999)
  expect(it.takeEffects()).toEqual([])
})

test('several wake events send one probe', () => {
  const it = connectedClient()
  it.dispatch({ type: 'awake' })
  it.dispatch({ type: 'awake' })
  it.dispatch({ type: 'tick' })
  expect(it.takeEffects()).toHaveLength(1)
})

describe('a connection that answers pings but delivers nothing', () => {
  const guildEvent = (sn: number, seq: number) => event(sn, { guild_id: '10', seq })
  const known = (seq: number) => ({ type: 'known', guild: '10', seq }) as const

  test('is resumed for the missing events, and then replaced by a new session', () => {
    const it = connectedClient()
    it.dispatch(known(5))
    it.dispatch(known(6))
    it.takeEffects()
    it.pass(MISSING_WAIT_MS)
    expect(it.takeEffects()).toEqual([{ do: 'send', frame: { s: 4, sn: 0 } }])
    it.frame({ s: 6, d: { session_id: 's1' } })
    it.pass(MISSING_WAIT_MS)
    expect(it.takeEffects()).toEqual([{ do: 'close' }, { do: 'open', resume: null, refresh: false }])
    it.frame(hello('s2'))
    expect(it.takeEffects()).toEqual([{ do: 'refetch' }])
    it.pass(MISSING_WAIT_MS * 2)
    expect(it.takeEffects()).toEqual([])
  })

  test.each([
    ['the first number of a guild may be older than the session', [known(5)]],
    ['a message that was delivered is not missing', [known(4), guildEvent(1, 6), known(6)]],
    ['a message that is delivered in time is not missing', [known(4), known(6), guildEvent(1, 6)]],
    [
      'a later one was delivered: this one is not visible to the user',
      [known(4), known(6), guildEvent(1, 7)],
    ],
  ])('%s', (_, inputs) => {
    const it = connectedClient()
    for (const input of inputs)
      if ('s' in input) it.frame(input)
      else it.dispatch(input)
    it.takeEffects()
    it.pass(29_000)
    expect(it.takeEffects()).toEqual([])
  })

  test('that delivers the first of two messages still has to deliver the second', () => {
    const it = connectedClient()
    it.dispatch(known(4))
    it.dispatch(known(6))
    it.dispatch(known(9))
    it.frame(guildEvent(1, 6))
    it.takeEffects()
    it.pass(MISSING_WAIT_MS)
    expect(it.takeEffects()).toEqual([{ do: 'send', frame: { s: 4, sn: 1 } }])
  })

  test('the wait for missing events restarts after a reconnect', () => {
    const it = connectedClient()
    it.dispatch(known(4))
    it.dispatch(known(6))
    it.close()
    it.pass(1_000)
    it.frame(hello('s1'))
    it.takeEffects()
    it.pass(MISSING_WAIT_MS - 1)
    expect(it.takeEffects()).toEqual([])
    it.pass(1)
    expect(it.takeEffects()).toEqual([{ do: 'send', frame: { s: 4, sn: 0 } }])
  })
})

describe('a node that is drained closes its connections (1012), and the page', () => {
  test.each([
    [0, 1_000],
    [0.5, 1_150],
    [1, 1_300],
  ])('resumes its session, at chance %d after %d ms', (chance, waitMs) => {
    const it = apply(chance)
    it.start()
    it.frame(hello('s1'))
    it.frame(event(1))
    it.takeEffects()
    it.close()
    expect(it.takeEffects()).toEqual([{ do: 'close' }])
    it.pass(waitMs - 1)
    expect(it.takeEffects()).toEqual([])
    it.pass(1)
    expect(it.takeEffects()).toEqual([{ do: 'open', resume: { session: 's1', sn: 1 }, refresh: false }])
    it.frame(hello('s1'))
    it.frame(event(2))
    expect(it.takeEffects()).toEqual([{ do: 'deliver', frames: [event(2)] }])
  })
})
