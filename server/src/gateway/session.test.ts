import type { UserId } from '@guildhall/wire/id.ts'
import { describe, expect, it } from 'vitest'
import { CROSSING_MS, closeCode, REPLAY_EVENTS_MAX, REPLAY_MS, Session, type Wire } from './session.ts'
import { SharedEvent } from './transport/frames.ts'

const event = (content: string) =>
  new SharedEvent({
    channel_type: 'GROUP',
    type: 9,
    target_id: '2001',
    author_id: '100000001',
    content,
    msg_id: '26af7ebe-0000-4000-8000-000000000001',
    msg_timestamp: 0,
    nonce: '',
    extra: {},
  })

/** A socket that remembers what it was given, in the short form `s`, or `sn:content` for events. */
function fakeWire() {
  const said: string[] = []
  const closed: number[] = []
  const wire: Wire = {
    send: (frame) => {
      const it = JSON.parse(String(frame))
      said.push(it.s === 0 ? `${it.sn}:${it.d.content}` : it.d?.code ? `${it.s}/${it.d.code}` : String(it.s))
    },
    close: (code) => closed.push(code),
  }
  return { wire, said, closed }
}

const openSession = () =>
  new Session({
    id: 'aaaaaaaa-0000-4000-8000-000000000001',
    userId: '100000001' as UserId,
    loginId: 'login',
    compress: false,
    now: 0,
    deflate: (text) => Buffer.from(text),
  })

describe('a line', () => {
  it('that reports a number never given out is told to start afresh', () => {
    const session = openSession()
    const { wire, said, closed } = fakeWire()
    session.open(wire, 0)
    session.hear('{"s":2,"sn":5}', 0)
    expect(said).toEqual(['1', '3', '5/40108'])
    expect(closed).toEqual([closeCode.refused])
  })

  it('cannot resume after what it lacks has been let go, and is left as it was', () => {
    const session = openSession()
    for (let n = 0; n <= REPLAY_EVENTS_MAX; n += 1) session.deliver(event(''), 0)
    const { wire, said } = fakeWire()
    expect(session.resume(wire, 0, 0)).toBe(40108)
    expect(said).toEqual([])
    expect(session.wire).toBeNull()
    expect(session.resume(wire, 1, 0)).toBe(0)
  })

  it('cannot resume what is older than the buffer’s minutes', () => {
    const session = openSession()
    session.deliver(event('old'), 0)
    session.deliver(event('new'), REPLAY_MS + 1)
    expect(session.resume(fakeWire().wire, 0, REPLAY_MS + 1)).toBe(40108)
  })

  it('that floods is let go', () => {
    const session = openSession()
    const { wire, closed } = fakeWire()
    session.open(wire, 0)
    for (let n = 0; n < 61; n += 1) session.hear('{"s":2}', 1)
    expect(closed).toEqual([closeCode.flooded])
  })

  it('ignores what is no frame and signals it does not know', () => {
    const session = openSession()
    const { wire, said, closed } = fakeWire()
    session.open(wire, 0)
    for (const raw of ['', 'nonsense', '[]', '{"s":"x"}', '{"s":99}', '{"s":3}']) session.hear(raw, 0)
    expect(said).toEqual(['1'])
    expect(closed).toEqual([])
  })

  it('numbers its events from 1 without holes', () => {
    const session = openSession()
    const { wire, said } = fakeWire()
    session.open(wire, 0)
    for (const word of ['a', 'b', 'c']) session.deliver(event(word), 0)
    expect(said).toEqual(['1', '1:a', '2:b', '3:c'])
  })

  it('whose page shows another guild may hear a little later; once it looks, or says nothing of it, at once', () => {
    const session = openSession()
    const waits: boolean[] = []
    let flushed = 0
    const wire: Wire = {
      send: () => {},
      event: (_event, _sn, canWait) => waits.push(canWait ?? false),
      flush: () => {
        flushed += 1
      },
      close: () => {},
    }
    session.open(wire, 0)
    session.deliver(event('a'), 0, '10')
    session.hear('{"s":7,"d":{"guild_id":"20"}}', 0)
    session.deliver(event('b'), 0, '10')
    session.deliver(event('c'), 0, '20')
    session.deliver(event('own'), 0)
    session.hear('{"s":7,"d":{"guild_id":null}}', 0)
    session.deliver(event('d'), 0, '20')
    session.detach(wire, 0)
    session.resume(wire, 5, 0)
    session.deliver(event('e'), 0, '20')
    expect(waits).toEqual([false, true, false, false, true, false])
    expect(flushed).toBe(2)
  })

  it('that heard something before its hello is told it right after', () => {
    const session = openSession()
    session.deliver(event('a'), 0)
    const { wire, said } = fakeWire()
    session.open(wire, 0)
    session.deliver(event('b'), 0)
    expect(said).toEqual(['1', '1:a', '2:b'])
  })

  it('taken over from another node goes on after its client’s number, with what was owed and what came meanwhile', () => {
    const session = openSession()
    session.gather()
    session.deliver(event('later'), 0)
    expect(session.sn).toBe(0)
    session.takeUp(7, [event('owed')], 0)
    const { wire, said } = fakeWire()
    expect(session.resume(wire, 7, 0)).toBe(0)
    expect(said).toEqual(['1', '8:owed', '9:later', '6'])
  })

  it('resumes with hello, exactly what was missed, and the acknowledgement', () => {
    const session = openSession()
    const first = fakeWire()
    session.open(first.wire, 0)
    session.deliver(event('a'), 0)
    session.deliver(event('b'), 0)
    session.detach(first.wire, 0)
    session.deliver(event('c'), 0)
    const second = fakeWire()
    expect(session.resume(second.wire, 1, 10)).toBe(0)
    session.deliver(event('d'), 20)
    expect(second.said).toEqual(['1', '2:b', '3:c', '6', '4:d'])
  })

  it('that comes back while the old socket still hangs lets the old one go', () => {
    const session = openSession()
    const first = fakeWire()
    const second = fakeWire()
    session.open(first.wire, 0)
    session.resume(second.wire, 0, 0)
    expect(first.closed).toEqual([closeCode.replaced])
    session.detach(first.wire, 1)
    expect(session.wire).toBe(second.wire)
  })

  it('gets again on a ping what was lost, but not what merely crossed it', () => {
    const session = openSession()
    const { wire, said } = fakeWire()
    session.open(wire, 0)
    session.deliver(event('lost'), 0)
    session.deliver(event('fresh'), CROSSING_MS)
    said.length = 0
    session.hear('{"s":2,"sn":0}', CROSSING_MS + 1)
    expect(said).toEqual(['3', '1:lost'])
  })

  it('gets everything after its number again when it asks on a live line', () => {
    const session = openSession()
    const { wire, said } = fakeWire()
    session.open(wire, 0)
    for (const word of ['a', 'b', 'c']) session.deliver(event(word), 0)
    said.length = 0
    session.hear('{"s":4,"sn":1}', 0)
    expect(said).toEqual(['2:b', '3:c', '6'])
  })

  it('can still resume from what it acknowledged last', () => {
    const session = openSession()
    const first = fakeWire()
    session.open(first.wire, 0)
    for (const word of ['a', 'b', 'c']) session.deliver(event(word), 0)
    session.hear('{"s":2,"sn":2}', 0)
    const second = fakeWire()
    expect(session.resume(second.wire, 2, 0)).toBe(0)
    expect(second.said).toEqual(['1', '3:c', '6'])
    expect(session.resume(fakeWire().wire, 1, 0)).toBe(40108)
  })
})
