import { gatewayCode } from '@guildhall/wire/gateway/frame.ts'
import type { UserId } from '@guildhall/wire/id.ts'
import { describe, expect, it } from 'vitest'
import { fakeConnection, MANUAL, TRANSPORTS, textEvent } from '../testing/gateway.ts'
import { closeCode } from './closeCode.ts'
import { REPLAYED_BYTES_MAX, REPLAYED_WINDOW_MS } from './limit.ts'
import { CROSSING_MS, GatewaySession } from './session.ts'
import type { Connection } from './transport/transport.ts'
import { REPLAY_EVENTS_MAX, REPLAY_MS } from './transport/transport.ts'

/** A connection that records its frames in the short form `s`, or `sn:content` for events. */
function recordingConnection() {
  const sent: string[] = []
  const closed: number[] = []
  const connection = fakeConnection(
    (frame) => {
      const it = JSON.parse(frame)
      sent.push(it.s === 0 ? `${it.sn}:${it.d.content}` : it.d?.code ? `${it.s}/${it.d.code}` : String(it.s))
    },
    (code) => closed.push(code),
  )
  return { connection, sent, closed }
}

describe.each(TRANSPORTS)('a session on the $name transport', (implementation) => {
  const openSession = () =>
    new GatewaySession({
      id: 'aaaaaaaa-0000-4000-8000-000000000001',
      userId: '100000001' as UserId,
      loginId: 'login',
      compress: false,
      now: 0,
      transport: implementation.open(MANUAL),
    })

  it('that gets an sn it never sent asks the client to reconnect', () => {
    const session = openSession()
    const { connection, sent, closed } = recordingConnection()
    session.open(connection, 0)
    session.receive('{"s":2,"sn":5}', 0)
    expect(sent).toEqual(['1', '3', '5/40108'])
    expect(closed).toEqual([closeCode.refused])
  })

  it('cannot be resumed after a missed event was dropped, and is unchanged by the attempt', () => {
    const session = openSession()
    for (let n = 0; n <= REPLAY_EVENTS_MAX; n += 1) session.send(textEvent(''), 0)
    const { connection, sent } = recordingConnection()
    expect(session.resume(connection, 0, 0)).toBe(40108)
    expect(sent).toEqual([])
    expect(session.connection).toBeNull()
    expect(session.resume(connection, 1, 0)).toBe(0)
  })

  it('cannot be resumed when a missed event is older than the replay buffer keeps', () => {
    const session = openSession()
    session.send(textEvent('old'), 0)
    session.send(textEvent('new'), REPLAY_MS + 1)
    expect(session.resume(recordingConnection().connection, 0, REPLAY_MS + 1)).toBe(40108)
  })

  it('closes a connection that floods', () => {
    const session = openSession()
    const { connection, closed } = recordingConnection()
    session.open(connection, 0)
    for (let n = 0; n < 61; n += 1) session.receive('{"s":2}', 1)
    expect(closed).toEqual([closeCode.flooded])
  })

  it.each([
    ['Latin', 'x', 100_000],
    ['Chinese', '说', 33_000],
  ])(
    'gets a bounded amount of %s replayed in a minute, however often its client asks, and the rest later',
    (...[, character, times]) => {
      const session = openSession()
      let bytes = 0
      const connection = fakeConnection(
        (frame) => {
          bytes += Buffer.byteLength(frame)
        },
        () => undefined,
      )
      session.open(connection, 0)
      for (let n = 0; n < 15; n += 1) session.send(textEvent(character.repeat(times)), 0)
      let now = CROSSING_MS + 1
      bytes = 0
      for (let n = 0; n < 50; n += 1) session.receive('{"s":2,"sn":1}', now)
      expect(bytes).toBeGreaterThan(REPLAYED_BYTES_MAX / 2)
      expect(bytes).toBeLessThan(REPLAYED_BYTES_MAX + 2 * 1024 * 1024)
      expect(session.resume(recordingConnection().connection, 1, now)).toBe(gatewayCode.sessionExpired)
      now += REPLAYED_WINDOW_MS
      bytes = 0
      session.receive('{"s":2,"sn":1}', now)
      expect(bytes).toBeGreaterThan(1_000_000)
      expect(session.resume(recordingConnection().connection, 1, now)).toBe(gatewayCode.ok)
    },
  )

  it('ignores invalid frames and unknown signals', () => {
    const session = openSession()
    const { connection, sent, closed } = recordingConnection()
    session.open(connection, 0)
    for (const raw of ['', 'nonsense', '[]', '{"s":"x"}', '{"s":99}', '{"s":3}']) session.receive(raw, 0)
    expect(sent).toEqual(['1'])
    expect(closed).toEqual([])
  })

  it('numbers its events from 1 without holes', () => {
    const session = openSession()
    const { connection, sent } = recordingConnection()
    session.open(connection, 0)
    for (const word of ['a', 'b', 'c']) session.send(textEvent(word), 0)
    expect(sent).toEqual(['1', '1:a', '2:b', '3:c'])
  })

  it('may delay events of guilds that the client does not show, and no others', () => {
    const session = openSession()
    const waits: boolean[] = []
    let flushed = 0
    const connection: Connection = {
      ...fakeConnection(),
      sendEvent: (_event, _sn, canWait) => waits.push(canWait),
      flush: () => {
        flushed += 1
      },
    }
    session.open(connection, 0)
    session.send(textEvent('a'), 0, '10')
    session.receive('{"s":7,"d":{"guild_id":"20"}}', 0)
    session.send(textEvent('b'), 0, '10')
    session.send(textEvent('c'), 0, '20')
    session.send(textEvent('own'), 0)
    session.receive('{"s":7,"d":{"guild_id":null}}', 0)
    session.send(textEvent('d'), 0, '20')
    session.detach(connection, 0)
    session.resume(connection, 5, 0)
    session.send(textEvent('e'), 0, '20')
    expect(waits).toEqual([false, true, false, false, true, false])
    expect(flushed).toBe(2)
  })

  it('sends events that came before the hello right after it', () => {
    const session = openSession()
    session.send(textEvent('a'), 0)
    const { connection, sent } = recordingConnection()
    session.open(connection, 0)
    session.send(textEvent('b'), 0)
    expect(sent).toEqual(['1', '1:a', '2:b'])
  })

  it('taken over from another node continues after the client’s sn with missed and collected events', () => {
    const session = openSession()
    session.startTakeover()
    session.send(textEvent('later'), 0)
    expect(session.sn).toBe(0)
    session.finishTakeover(7, [textEvent('missed')], 0)
    const { connection, sent } = recordingConnection()
    expect(session.resume(connection, 7, 0)).toBe(0)
    expect(sent).toEqual(['1', '8:missed', '9:later', '6'])
  })

  it('is resumed with hello, exactly the missed events, and the acknowledgement', () => {
    const session = openSession()
    const first = recordingConnection()
    session.open(first.connection, 0)
    session.send(textEvent('a'), 0)
    session.send(textEvent('b'), 0)
    session.detach(first.connection, 0)
    session.send(textEvent('c'), 0)
    const second = recordingConnection()
    expect(session.resume(second.connection, 1, 10)).toBe(0)
    session.send(textEvent('d'), 20)
    expect(second.sent).toEqual(['1', '2:b', '3:c', '6', '4:d'])
  })

  it('resumed on a second connection closes the first', () => {
    const session = openSession()
    const first = recordingConnection()
    const second = recordingConnection()
    session.open(first.connection, 0)
    session.resume(second.connection, 0, 0)
    expect(first.closed).toEqual([closeCode.replaced])
    session.detach(first.connection, 1)
    expect(session.connection).toBe(second.connection)
  })

  it('replays on a ping what was lost, but not what crossed the ping', () => {
    const session = openSession()
    const { connection, sent } = recordingConnection()
    session.open(connection, 0)
    session.send(textEvent('lost'), 0)
    session.send(textEvent('fresh'), CROSSING_MS)
    sent.length = 0
    session.receive('{"s":2,"sn":0}', CROSSING_MS + 1)
    expect(sent).toEqual(['3', '1:lost'])
  })

  it('replays everything after the sn of a resume frame', () => {
    const session = openSession()
    const { connection, sent } = recordingConnection()
    session.open(connection, 0)
    for (const word of ['a', 'b', 'c']) session.send(textEvent(word), 0)
    sent.length = 0
    session.receive('{"s":4,"sn":1}', 0)
    expect(sent).toEqual(['2:b', '3:c', '6'])
  })

  it('can still be resumed from the last acknowledged sn', () => {
    const session = openSession()
    const first = recordingConnection()
    session.open(first.connection, 0)
    for (const word of ['a', 'b', 'c']) session.send(textEvent(word), 0)
    session.receive('{"s":2,"sn":2}', 0)
    const second = recordingConnection()
    expect(session.resume(second.connection, 2, 0)).toBe(0)
    expect(second.sent).toEqual(['1', '3:c', '6'])
    expect(session.resume(recordingConnection().connection, 1, 0)).toBe(40108)
  })
})
