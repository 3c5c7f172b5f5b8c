import type { GuildId, UserId } from '@guildhall/wire/id.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type EventLog, type GuildEvent, type LiveEvent, openBus, type Relay, type Topic } from './bus.ts'

const event = (seq: number, guildId = '7'): GuildEvent => ({
  to: 'guild',
  guildId: guildId as GuildId,
  channelId: null,
  seq,
  at: seq,
  kind: 'joined_guild',
  body: { seq },
})

/** A log of committed events that records its reads. */
function logOf(committed: readonly LiveEvent[], last = 0) {
  const reads: number[] = []
  const log: EventLog = {
    async after(_topic, seq, limit) {
      reads.push(seq)
      return committed.filter((each) => each.seq > seq).slice(0, limit)
    },
    lastBefore: async () => last,
  }
  return { log, reads }
}

function subscribed(log: EventLog) {
  const bus = openBus(log)
  const received: number[] = []
  bus.subscribe(({ seq }) => received.push(seq))
  return { bus, received }
}

it('a delivered event is not delivered again', async () => {
  const { log } = logOf([event(1)])
  const { bus, received } = subscribed(log)
  for (let times = 0; times < 3; times++) bus.publish(event(1))
  await bus.settled()
  bus.publish(event(1))
  expect(received).toEqual([1])
})

it('events from before the start of the process are not delivered', async () => {
  const { log } = logOf([event(1), event(2), event(3)], 2)
  const { bus, received } = subscribed(log)
  bus.publish(event(3))
  await bus.settled()
  expect(received).toEqual([3])
})

it('an event with a later number waits for the one before it', async () => {
  const { log } = logOf([event(1), event(2), event(3)])
  const { bus, received } = subscribed(log)
  bus.publish(event(1))
  await bus.settled()
  bus.publish(event(3))
  expect(received).toEqual([1])
  bus.publish(event(2))
  expect(received).toEqual([1, 2, 3])
})

it('a hole that stays open is read from the log', async () => {
  const { log, reads } = logOf([1, 2, 3, 4].map((seq) => event(seq)))
  const { bus, received } = subscribed(log)
  bus.publish(event(1))
  await bus.settled()
  const before = reads.length
  bus.publish(event(4))
  await bus.settled()
  expect(received).toEqual([1, 2, 3, 4])
  expect(reads.slice(before)).toEqual([1])
})

it('a number that the log lacks as well is skipped', async () => {
  const { log } = logOf([event(1), event(4), event(5)])
  const { bus, received } = subscribed(log)
  bus.publish(event(1))
  bus.publish(event(5))
  await bus.settled()
  bus.hint('guild:7' as Topic, 9)
  await bus.settled()
  bus.publish(event(10))
  expect(received).toEqual([1, 4, 5, 10])
})

/** A log whose answers are delayed until `answerOne`. */
function slowLog(committed: readonly LiveEvent[], last = 0) {
  const { log } = logOf(committed, last)
  const held: (() => void)[] = []
  const after: EventLog['after'] = async (...asked) => {
    const answer = await log.after(...asked)
    await new Promise<void>((go) => held.push(go))
    return answer
  }
  const answerOne = async () => {
    while (held.length === 0) await new Promise(setImmediate)
    held.shift()!()
    await new Promise(setImmediate)
  }
  return { log: { ...log, after }, answerOne }
}

it('an outdated answer of the log skips nothing', async () => {
  const committed = [1, 2, 3].map((seq) => event(seq))
  const { log, answerOne } = slowLog(committed, 1)
  const { bus, received } = subscribed(log)
  bus.hint('guild:7' as Topic, 3)
  // The log's answer to what follows 1 is 2 and 3. Both are published meanwhile, and the last of the later
  // ones arrives first.
  await new Promise((go) => setTimeout(go, 30))
  committed.push(event(4), event(5), event(6))
  for (const seq of [2, 3, 6]) bus.publish(event(seq))
  await answerOne()
  expect(received).toEqual([2, 3])
  bus.publish(event(4))
  bus.publish(event(5))
  expect(received).toEqual([2, 3, 4, 5, 6])
})

it('a watcher whose state includes an event does not keep it from the others', async () => {
  const { log } = logOf([event(1), event(2)], 1)
  const { bus, received } = subscribed(log)
  await bus.watch('guild:7')
  // Committed, read, and published only then: now, or while it is looked up where this process begins.
  bus.start('guild:7', 2)
  bus.publish(event(2))
  bus.start('guild:7', 2)
  await bus.settled()
  expect(received).toEqual([2])
})

it('what was committed after a watcher read its state is delivered, also by the process before this one', async () => {
  const { log } = logOf([event(1), event(2)], 2)
  const { bus, received } = subscribed(log)
  await bus.watch('guild:7')
  bus.start('guild:7', 1)
  bus.hint('guild:7', 2)
  await bus.settled()
  expect(received).toEqual([2])
})

it('a hint from another process delivers what it committed', async () => {
  const { log } = logOf([event(1), event(2)])
  const { bus, received } = subscribed(log)
  bus.hint('guild:7' as Topic, 2)
  await bus.settled()
  expect(received).toEqual([1, 2])
})

it('a subscriber that throws does not keep the event from the others', async () => {
  const { log } = logOf([event(1)])
  const bus = openBus(log)
  const received: number[] = []
  bus.subscribe(() => {
    throw new Error('broken')
  })
  bus.subscribe(({ seq }) => received.push(seq))
  bus.publish(event(1))
  await bus.settled()
  expect(received).toEqual([1])
})

it('a person and a guild of the same id are separate topics', async () => {
  const { log } = logOf([])
  const { bus, received } = subscribed(log)
  bus.publish(event(1))
  bus.publish({ to: 'person', userId: '7' as UserId, seq: 1, at: 1, kind: 'self_joined_guild', body: {} })
  await bus.settled()
  expect(received).toEqual([1, 1])
})

it('whatever the order, repetition and loss of publications, each event is delivered once and in order', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 30 }).chain((count) =>
        fc.record({
          count: fc.constant(count),
          // The last one always arrives: a loss at the very end is noticed with the next event.
          published: fc.array(fc.integer({ min: 1, max: count }), { maxLength: 40 }),
        }),
      ),
      async ({ count, published }) => {
        const all = Array.from({ length: count }, (_, index) => event(index + 1))
        const { log } = logOf(all)
        const { bus, received } = subscribed(log)
        for (const seq of [...published, count]) bus.publish(event(seq))
        await bus.settled()
        expect(received).toEqual(all.map(({ seq }) => seq))
      },
    ),
    { seed: 20260101, numRuns: 60 },
  )
})

describe('with other processes', () => {
  /** A relay to other processes: `sendRemote` sends an event of theirs. */
  function relayOf() {
    const takers = new Map<Topic, (event: LiveEvent) => void>()
    const sent: number[] = []
    const relay: Relay = {
      send: (_topic, { seq }) => sent.push(seq),
      watch: async (topic, take) => void takers.set(topic, take),
      unwatch: (topic) => takers.delete(topic),
    }
    return {
      relay,
      sent,
      takers,
      sendRemote: (input: LiveEvent) => takers.get(`guild:${(input as GuildEvent).guildId}`)?.(input),
    }
  }
  function open(log: EventLog) {
    const others = relayOf()
    const bus = openBus(log, undefined, undefined, others.relay)
    const received: number[] = []
    bus.subscribe(({ seq }) => received.push(seq))
    return { bus, received, ...others }
  }

  it('a topic without watchers is sent to the others, and neither delivered nor read here', async () => {
    const { log, reads } = logOf([event(1), event(2)])
    const { bus, received, sent } = open(log)
    bus.publish(event(1))
    bus.hint('guild:7', 2)
    await bus.settled()
    expect([received, reads, sent]).toEqual([[], [], [1]])
    expect(bus.topics()).toEqual([])
  })

  it('their events are delivered once and in order, and not sent back', async () => {
    const { log } = logOf([event(1), event(2), event(3)])
    const { bus, received, sent, sendRemote } = open(log)
    await bus.watch('guild:7')
    bus.start('guild:7', 0)
    sendRemote(event(2))
    sendRemote(event(1))
    bus.publish(event(3))
    sendRemote(event(2))
    expect(received).toEqual([1, 2, 3])
    expect(sent).toEqual([3])
  })

  it('events before begin wait, and those that the state includes are not delivered', async () => {
    const { log, reads } = logOf([event(1), event(2), event(3)])
    const { bus, received, sendRemote } = open(log)
    await bus.watch('guild:7')
    sendRemote(event(2))
    sendRemote(event(3))
    expect(received).toEqual([])
    bus.start('guild:7', 2)
    await bus.settled()
    expect(received).toEqual([3])
    expect(reads).toEqual([])
  })

  it('a watcher whose state is older than that of another is told, and reads it again', async () => {
    const { log } = logOf([event(1), event(2), event(3)])
    const { bus, received, sendRemote } = open(log)
    await bus.watch('guild:7')
    await bus.watch('guild:7')
    expect(bus.start('guild:7', 2)).toBe(2)
    expect(bus.start('guild:7', 1)).toBe(2)
    sendRemote(event(3))
    expect(bus.start('guild:7', 2)).toBe(2)
    expect(received).toEqual([3])
  })

  it('a lost event is read from the log, after a later one or a hint', async () => {
    const committed = [event(1), event(2)]
    const { log } = logOf(committed)
    const { bus, received, sendRemote } = open(log)
    await bus.watch('guild:7')
    bus.start('guild:7', 0)
    sendRemote(event(2))
    await bus.settled()
    expect(received).toEqual([1, 2])
    committed.push(event(3), event(4))
    bus.hint('guild:7', 4)
    await bus.settled()
    expect(received).toEqual([1, 2, 3, 4])
  })

  it('reach waits until the bus is as far as the log', async () => {
    const { log } = logOf([event(1), event(2), event(3)])
    const { bus, received } = open(log)
    await bus.reach('guild:7', 3)
    await bus.watch('guild:7')
    bus.start('guild:7', 1)
    await bus.reach('guild:7', 3)
    expect(received).toEqual([2, 3])
  })

  it('an answer of the log for former watchers is not delivered to new ones', async () => {
    const { log, answerOne } = slowLog([event(1), event(2), event(3)])
    const { bus, received, sendRemote } = open(log)
    await bus.watch('guild:7')
    bus.start('guild:7', 0)
    bus.hint('guild:7', 3)
    bus.unwatch('guild:7')
    await bus.watch('guild:7')
    bus.start('guild:7', 2)
    await answerOne()
    expect(received).toEqual([])
    sendRemote(event(3))
    expect(received).toEqual([3])
  })

  it('a topic is delivered until its last watcher is gone', async () => {
    const { log } = logOf([event(1), event(2)])
    const { bus, received, takers, sendRemote } = open(log)
    await bus.watch('guild:7')
    await bus.watch('guild:7')
    bus.start('guild:7', 0)
    bus.unwatch('guild:7')
    sendRemote(event(1))
    bus.unwatch('guild:7')
    sendRemote(event(2))
    expect(received).toEqual([1])
    expect(takers.size).toBe(0)
  })
})
