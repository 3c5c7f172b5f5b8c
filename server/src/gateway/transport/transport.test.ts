import type { GuildId, UserId } from '@guildhall/wire/id.ts'
import type { NumberDialect } from '@guildhall/wire/message/kind.ts'
import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { fakeConnection, TRANSPORTS, textEvent } from '../../testing/gateway.ts'
import { GatewaySession } from '../session.ts'
import { EncodedEvent } from './encodedEvent.ts'
import type { EventStream, Transport } from './transport.ts'

const A = '10' as GuildId
const B = '20' as GuildId

describe.each(TRANSPORTS)('broadcast events on the $name transport', ({ name, open }) => {
  let transport: Transport
  let scheduled: number
  let failures: unknown[]

  beforeEach(() => {
    scheduled = 0
    failures = []
    transport = open({
      scheduleFlush: () => {
        scheduled += 1
      },
      onError: (error) => failures.push(error),
    })
  })

  /** A session, and what its connection was sent: the number of each event and its text. */
  function openSession(dialect: NumberDialect = 'specification') {
    const session = new GatewaySession({
      id: 's',
      userId: '1' as UserId,
      loginId: 'l',
      compress: false,
      dialect,
      now: 0,
      transport,
    })
    const received: string[] = []
    const connection = fakeConnection((frame) => {
      const { sn, d, s } = JSON.parse(frame)
      if (s === 0) received.push(`${sn}:${d.content}`)
    })
    return { session, stream: session.stream, received, connection }
  }

  function openSessions(count: number) {
    const sessions = Array.from({ length: count }, () => openSession())
    for (const { session, connection } of sessions) session.open(connection, 0)
    return { sessions, streams: sessions.map(({ stream }) => stream) }
  }

  it.each([
    ['the first', 0],
    ['the last', 1],
  ])('that cannot be encoded for %s receiver are reported, and reach the others', (_, index) => {
    const bot = openSession('public')
    const person = openSession()
    for (const { session, connection } of [bot, person]) session.open(connection, 0)
    const broken = new EncodedEvent((dialect) => {
      if (dialect === 'public') throw new Error('no')
      return textEvent('a').body(dialect)
    })
    const streams = [person.stream]
    streams.splice(index, 0, bot.stream)
    transport.broadcast(streams, broken, 0, A)
    transport.broadcast(streams, textEvent('b'), 0, A)
    transport.flushPending()
    expect(person.received).toEqual(['1:a', '2:b'])
    expect(bot.received).toEqual(['1:b'])
    expect(failures).toEqual([new Error('no')])
  })

  it.skipIf(name === 'plain')('wait for each other, and schedule one flush', () => {
    const { sessions, streams } = openSessions(2)
    for (const word of ['a', 'b']) transport.broadcast(streams, textEvent(word), 0, A)
    expect(scheduled).toBe(1)
    expect(sessions[0]!.received).toEqual([])
    transport.flushPending()
    for (const { received } of sessions) expect(received).toEqual(['1:a', '2:b'])
  })

  it('do not wait when they are many or large', () => {
    const { sessions, streams } = openSessions(1)
    for (let n = 0; n < 256; n += 1) transport.broadcast(streams, textEvent('a'), 0, A)
    expect(sessions[0]!.received).toHaveLength(256)
    transport.broadcast(streams, textEvent('x'.repeat(70_000)), 0, A)
    expect(sessions[0]!.received).toHaveLength(257)
  })

  it('do not reach streams that were added after them', () => {
    const { sessions, streams } = openSessions(1)
    transport.broadcast(streams, textEvent('before'), 0, A)
    const late = openSession()
    late.session.open(late.connection, 0)
    streams.push(late.stream)
    transport.broadcast(streams, textEvent('after'), 0, A)
    transport.flushPending()
    expect(sessions[0]!.received).toEqual(['1:before', '2:after'])
    expect(late.received).toEqual(['1:after'])
  })

  it('are delivered before a session is read or used', () => {
    const { sessions, streams } = openSessions(1)
    const [{ session, received, connection }] = sessions as [(typeof sessions)[0]]
    const broadcast = (word: string) => transport.broadcast(streams, textEvent(word), 0, A)
    broadcast('a')
    transport.flushPending()
    expect(session.sn).toBe(1)
    broadcast('b')
    session.receive('{"s":2,"sn":1}', 0)
    expect(received).toEqual(['1:a', '2:b'])
    broadcast('c')
    session.send(textEvent('own'), 0)
    expect(received).toEqual(['1:a', '2:b', '3:c', '4:own'])
    broadcast('d')
    expect(session.resume(connection, 4, 0)).toBe(0)
    expect(received.slice(4)).toEqual(['5:d', '5:d'])
  })

  it('do not reach a session that ended, and are dropped when no session stores them', () => {
    const { sessions, streams } = openSessions(2)
    const broadcast = (word: string) => transport.broadcast(streams, textEvent(word), 0, A)
    broadcast('a')
    transport.flushPending()
    broadcast('b')
    sessions[0]!.session.end()
    broadcast('c')
    transport.flushPending()
    // The batched transport had not delivered the second one yet.
    const first = name === 'batched' ? ['1:a'] : ['1:a', '2:b']
    expect(sessions.map(({ received }) => received)).toEqual([first, ['1:a', '2:b', '3:c']])
    expect(transport.storedEvents).toBe(3)
    sessions[1]!.session.end()
    expect(transport.storedEvents).toBe(0)
  })

  it('reach each session in the order of the broadcasts, whoever else receives them', () => {
    const act = fc.oneof(
      { weight: 8, arbitrary: fc.record({ guild: fc.constantFrom(A, B), grow: fc.boolean() }) },
      { weight: 2, arbitrary: fc.constant('flush' as const) },
      { weight: 1, arbitrary: fc.record({ own: fc.nat(2) }) },
    )
    fc.assert(
      fc.property(fc.array(act, { maxLength: 60 }), (acts) => {
        const { sessions } = openSessions(3)
        // The second one is in both guilds.
        const [a, b, c] = sessions.map(({ stream }) => stream) as [EventStream, EventStream, EventStream]
        const lists = { [A]: [a, b], [B]: [b, c] } as Record<GuildId, EventStream[]>
        const all = [...sessions]
        const expected = new Map(all.map(({ stream }) => [stream, [] as string[]]))
        acts.forEach((it, n) => {
          const expectNext = (stream: EventStream) => {
            const text = expected.get(stream)!
            text.push(`${text.length + 1}:${n}`)
          }
          if (it === 'flush') transport.flushPending()
          else if ('own' in it) {
            sessions[it.own]!.session.send(textEvent(String(n)), 0)
            expectNext(sessions[it.own]!.stream)
          } else {
            transport.broadcast(lists[it.guild]!, textEvent(String(n)), 0, it.guild)
            for (const stream of lists[it.guild]!) expectNext(stream)
            if (!it.grow) return
            const late = openSession()
            late.session.open(late.connection, 0)
            expected.set(late.stream, [])
            all.push(late)
            lists[it.guild]!.push(late.stream)
          }
        })
        transport.flushPending()
        for (const { stream, received } of all) expect(received).toEqual(expected.get(stream))
        for (const { session } of all) session.end()
        expect(transport.storedEvents).toBe(0)
      }),
      { numRuns: 300, seed: 12 },
    )
  })
})
