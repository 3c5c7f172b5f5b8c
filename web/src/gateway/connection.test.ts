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
function drive(chance = 0) {
  let line: ConnectionState = idle
  let now = 0
  let done: Effect[] = []
  const put = (input: Input) => {
    const [next, effects] = transition(line, input, now, chance)
    line = next
    done.push(...effects)
  }
  return {
    put,
    start: () => put({ type: 'start' }),
    frame: (frame: ServerFrame) => put({ type: 'frame', frame }),
    close: () => put({ type: 'closed' }),
    /** Lets `ms` pass, with a tick at every deadline on the way. */
    pass(ms: number) {
      const end = now + ms
      for (let due = nextDeadline(line); due !== null && due <= end; due = nextDeadline(line)) {
        now = Math.max(now, due)
        put({ type: 'tick' })
      }
      now = end
    },
    /** Suspends the page for `ms`; its timer fires first afterwards. */
    sleep(ms: number) {
      now += ms
      put({ type: 'tick' })
    },
    /** Returns and clears the recorded effects. */
    took() {
      const taken = done
      done = []
      return taken
    },
    get line() {
      return line
    },
  }
}

function standing(chance = 0) {
  const it = drive(chance)
  it.start()
  it.frame(hello('s1'))
  it.took()
  return it
}

test('an idle connection ignores every input', () => {
  const it = drive()
  it.close()
  it.frame(hello('s'))
  it.put({ type: 'awake' })
  it.pass(1_000_000)
  expect(it.took()).toEqual([])
  expect(it.line).toEqual(idle)
})

test('without a hello within six seconds it disconnects', () => {
  const it = drive()
  it.start()
  it.took()
  it.pass(5_999)
  expect(it.took()).toEqual([])
  it.pass(1)
  expect(it.took()).toEqual([{ do: 'close' }])
  expect(it.line.phase).toBe('waiting')
})

test('a refused hello does not connect, and the next attempt requests a new address', () => {
  const it = drive()
  it.start()
  it.frame(refused(40101))
  expect(it.line.phase).toBe('waiting')
  it.took()
  it.pass(1_000)
  expect(it.took()).toEqual([{ do: 'open', resume: null, refresh: true }])
})

test('an expired token is refreshed at once; if that fails, it waits for the network', () => {
  const it = drive()
  it.start()
  it.took()
  it.frame(refused(40103))
  expect(it.took()).toEqual([{ do: 'close' }, { do: 'open', resume: null, refresh: true }])
  it.frame(refused(40103))
  expect(it.line.phase).toBe('lost')
  it.took()
  it.pass(60_000)
  expect(it.took()).toEqual([{ do: 'open', resume: null, refresh: true }])
})

test('a token that expired while disconnected is refreshed and the session resumed', () => {
  const it = standing()
  it.frame(event(1))
  it.close()
  it.pass(1_000)
  it.took()
  it.frame(refused(40103))
  expect(it.took()).toEqual([
    { do: 'close' },
    { do: 'open', resume: { session: 's1', sn: 1 }, refresh: true },
  ])
})

test('if no address is available after the token expired, it waits for the network', () => {
  const it = drive()
  it.start()
  it.frame(refused(40103))
  it.close()
  expect(statusOf(it.line)).toBe('offline')
  it.took()
  it.put({ type: 'awake' })
  expect(it.took()).toEqual([{ do: 'open', resume: null, refresh: true }])
})

test('backoff is one, two, four and eight seconds, then a minute at a time for the network', () => {
  const it = drive()
  it.start()
  const waits: number[] = []
  for (let i = 0; i < 7; i++) {
    it.close()
    let waited = 0
    while (it.line.phase !== 'connecting') {
      it.pass(500)
      waited += 500
    }
    waits.push(waited)
  }
  expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 60_000, 60_000, 60_000])
})

test('the backoff has up to thirty percent of jitter', () => {
  const it = drive(0.9999)
  it.start()
  it.close()
  expect(it.line.due).toBeCloseTo(1_299.97, 1)
})

test('the network coming back ends the backoff', () => {
  const it = drive()
  it.start()
  for (let i = 0; i < 5; i++) {
    it.close()
    if (i < 4) it.pass(8_000)
  }
  expect(statusOf(it.line)).toBe('offline')
  it.took()
  it.put({ type: 'awake' })
  expect(it.took()).toMatchObject([{ do: 'open' }])
  expect(it.line.attempts).toBe(0)
})

test('a heartbeat is sent every thirty to thirty-five seconds', () => {
  const early = standing(0)
  early.pass(30_000)
  expect(early.took()).toEqual([{ do: 'send', frame: { s: 2, sn: 0 } }])
  const late = standing(1)
  late.pass(34_999)
  expect(late.took()).toEqual([])
  late.pass(1)
  expect(late.took()).toEqual([{ do: 'send', frame: { s: 2, sn: 0 } }])
})

test('a pong in time keeps the connection, and the next ping follows', () => {
  const it = standing()
  it.pass(30_000)
  it.pass(5_999)
  it.frame({ s: 3 })
  it.took()
  it.pass(29_999)
  expect(it.took()).toEqual([])
  it.pass(1)
  expect(it.took()).toEqual([{ do: 'send', frame: { s: 2, sn: 0 } }])
})

test('a missed pong leads to two resumes at growing intervals, then to a new socket for the same session', () => {
  const it = standing()
  it.frame(event(1))
  it.pass(30_000)
  it.took()
  it.pass(6_000)
  expect(it.took()).toEqual([{ do: 'send', frame: { s: 4, sn: 1 } }])
  it.pass(2_000)
  expect(it.took()).toEqual([{ do: 'send', frame: { s: 4, sn: 1 } }])
  it.pass(3_999)
  expect(it.took()).toEqual([])
  it.pass(1)
  expect(it.took()).toEqual([{ do: 'close' }])
  expect(statusOf(it.line)).toBe('reconnecting')
  it.pass(1_000)
  expect(it.took()).toEqual([{ do: 'open', resume: { session: 's1', sn: 1 }, refresh: false }])
})

test('a late frame of a replaced socket is ignored', () => {
  const it = standing()
  it.close()
  it.took()
  it.frame(event(1))
  expect(it.took()).toEqual([])
  expect(it.line.sn).toBe(0)
})

test('events are delivered once and in order; a gap sends one resume', () => {
  const it = standing()
  it.frame(event(1))
  it.frame(event(1))
  it.frame(event(3))
  it.frame(event(4))
  expect(it.took()).toEqual([
    { do: 'deliver', frames: [event(1)] },
    { do: 'send', frame: { s: 4, sn: 1 } },
  ])
  it.frame(event(2))
  expect(it.took()).toEqual([{ do: 'deliver', frames: [event(2), event(3), event(4)] }])
  expect(it.line).toMatchObject({ sn: 4, reorderBuffer: [], resumeAttempts: 0, awaits: 'ping' })
})

test('a gap that no resume fills disconnects', () => {
  const it = standing()
  it.frame(event(2))
  it.pass(6_000)
  expect(it.line.phase).toBe('waiting')
})

test('a resumed session keeps its cursor; a new one starts at zero and requests everything again', () => {
  const it = standing()
  it.frame(event(1))
  it.close()
  it.pass(1_000)
  it.took()
  it.frame(hello('s1'))
  expect(it.took()).toEqual([])
  expect(it.line.sn).toBe(1)
  it.close()
  it.pass(1_000)
  it.took()
  it.frame(hello('s2'))
  expect(it.took()).toEqual([{ do: 'refetch' }])
  expect(it.line).toMatchObject({ sn: 0, session: 's2' })
})

test('a reconnect signal drops the session and requests a new address', () => {
  const it = standing()
  it.frame(event(1))
  it.took()
  it.frame({ s: 5, d: { code: 40108 } })
  it.pass(1_000)
  expect(it.took()).toEqual([{ do: 'close' }, { do: 'open', resume: null, refresh: true }])
  it.frame(hello('s2'))
  expect(it.took()).toEqual([{ do: 'refetch' }])
})

test('signal six requests a ping without a session id, and ends a replay with one', () => {
  const it = standing()
  it.frame({ s: 6 })
  expect(it.took()).toEqual([{ do: 'send', frame: { s: 2, sn: 0 } }])
  it.frame({ s: 6, d: { sessionId: 's1' } })
  expect(it.line).toMatchObject({ awaits: 'ping', resumeAttempts: 0 })
})

test('the status is connecting at first, then reconnecting, and offline in the end', () => {
  const it = drive()
  it.start()
  expect(statusOf(it.line)).toBe('connecting')
  it.frame(hello('s'))
  expect(statusOf(it.line)).toBe('connected')
  it.close()
  expect(statusOf(it.line)).toBe('reconnecting')
  it.put({ type: 'stop' })
  expect(it.line).toEqual(idle)
})

test.each([
  ['a late timer', SUSPENDED_MS, 'tick'],
  ['a visible tab', 1_000, 'awake'],
] as const)('a connection that slept is probed at once with a short timeout: %s', (_, late, first) => {
  const it = standing()
  if (first === 'tick') it.sleep(30_000 + late)
  else it.put({ type: 'awake' })
  expect(it.took()).toEqual([{ do: 'send', frame: { s: 2, sn: 0 } }])
  it.pass(WAKE_WAIT_MS - 1)
  expect(it.took()).toEqual([])
  it.pass(1)
  expect(it.took()).toEqual([
    { do: 'close' },
    { do: 'open', resume: { session: 's1', sn: 0 }, refresh: false },
  ])
})

test('a connection that answers the probe after a suspension is kept', () => {
  const it = standing()
  it.sleep(300_000)
  it.frame({ s: 3 })
  it.took()
  it.pass(29_999)
  expect(it.took()).toEqual([])
})

test('a pong missed during a suspension does not count: the connection is probed again', () => {
  const it = standing()
  it.pass(30_000)
  it.took()
  it.sleep(600_000)
  expect(it.took()).toEqual([{ do: 'send', frame: { s: 2, sn: 0 } }])
  expect(it.line.phase).toBe('connected')
})

test('a socket that was being opened before a suspension is replaced', () => {
  const it = drive()
  it.start()
  it.took()
  it.sleep(60_000)
  expect(it.took()).toMatchObject([{ do: 'close' }, { do: 'open' }])
})

test('several wake events send one probe', () => {
  const it = standing()
  it.put({ type: 'awake' })
  it.put({ type: 'awake' })
  it.put({ type: 'tick' })
  expect(it.took()).toHaveLength(1)
})

describe('a connection that answers pings but delivers nothing', () => {
  const guildEvent = (sn: number, seq: number) => event(sn, { guild_id: '10', seq })
  const known = (seq: number) => ({ type: 'known', guild: '10', seq }) as const

  test('is resumed for the missing events, and then replaced by a new session', () => {
    const it = standing()
    it.put(known(5))
    it.put(known(6))
    it.took()
    it.pass(MISSING_WAIT_MS)
    expect(it.took()).toEqual([{ do: 'send', frame: { s: 4, sn: 0 } }])
    it.frame({ s: 6, d: { session_id: 's1' } })
    it.pass(MISSING_WAIT_MS)
    expect(it.took()).toEqual([{ do: 'close' }, { do: 'open', resume: null, refresh: false }])
    it.frame(hello('s2'))
    expect(it.took()).toEqual([{ do: 'refetch' }])
    it.pass(MISSING_WAIT_MS * 2)
    expect(it.took()).toEqual([])
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
    const it = standing()
    for (const input of inputs)
      if ('s' in input) it.frame(input)
      else it.put(input)
    it.took()
    it.pass(29_000)
    expect(it.took()).toEqual([])
  })

  test('that delivers the first of two messages still has to deliver the second', () => {
    const it = standing()
    it.put(known(4))
    it.put(known(6))
    it.put(known(9))
    it.frame(guildEvent(1, 6))
    it.took()
    it.pass(MISSING_WAIT_MS)
    expect(it.took()).toEqual([{ do: 'send', frame: { s: 4, sn: 1 } }])
  })

  test('the wait for missing events restarts after a reconnect', () => {
    const it = standing()
    it.put(known(4))
    it.put(known(6))
    it.close()
    it.pass(1_000)
    it.frame(hello('s1'))
    it.took()
    it.pass(MISSING_WAIT_MS - 1)
    expect(it.took()).toEqual([])
    it.pass(1)
    expect(it.took()).toEqual([{ do: 'send', frame: { s: 4, sn: 0 } }])
  })
})

describe('a node that is drained closes its connections (1012), and the page', () => {
  test.each([
    [0, 1_000],
    [0.5, 1_150],
    [1, 1_300],
  ])('resumes its session, at chance %d after %d ms', (chance, waitMs) => {
    const it = drive(chance)
    it.start()
    it.frame(hello('s1'))
    it.frame(event(1))
    it.took()
    it.close()
    expect(it.took()).toEqual([{ do: 'close' }])
    it.pass(waitMs - 1)
    expect(it.took()).toEqual([])
    it.pass(1)
    expect(it.took()).toEqual([{ do: 'open', resume: { session: 's1', sn: 1 }, refresh: false }])
    it.frame(hello('s1'))
    it.frame(event(2))
    expect(it.took()).toEqual([{ do: 'deliver', frames: [event(2)] }])
  })
})
