import { Duplex } from 'node:stream'
import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { WebSocket } from 'ws'
import { SharedFrame } from './sharedFrame.ts'
import { SocketWriter } from './socketWriter.ts'
import { webSocketFrame } from './webSocketFrame.ts'
import { DELAY_MAX_MS, WRITE_GAP_MIN_MS, WRITE_GAP_MS, WriteScheduler } from './writeScheduler.ts'
import { storedZlib } from './zlib.ts'

const event = (content: string) =>
  new SharedFrame({
    channel_type: 'GROUP',
    type: 9,
    target_id: '1',
    author_id: '1',
    msg_id: '',
    msg_timestamp: 0,
    nonce: '',
    extra: {},
    content,
  })

/** A socket that accepts bytes only on request, and copies them only then. */
function slowSocket(isFast: () => boolean) {
  const taken: Buffer[] = []
  let take: (() => void) | null = null
  const socket = new Duplex({
    highWaterMark: 16 * 1024,
    read() {},
    write(chunk: Buffer, _encoding, done) {
      const read = () => {
        taken.push(Buffer.from(chunk))
        done()
      }
      if (isFast()) read()
      else take = read
    },
  })
  return {
    socket,
    received: () => Buffer.concat(taken),
    /** Accepts the last write. False when there is none. */
    take() {
      const read = take
      take = null
      read?.()
      return read !== null
    },
  }
}

function openWriter(compress: boolean, scheduler: WriteScheduler, isFast: () => boolean) {
  const sink = slowSocket(isFast)
  const ws = {
    OPEN: 1,
    readyState: 1,
    close: () => {},
    terminate() {
      ws.readyState = 3
    },
  }
  const writer = new SocketWriter({
    socket: sink.socket,
    compress,
    scheduler,
    now: () => 0,
    ws: ws as unknown as WebSocket,
  })
  return { ...sink, ws, writer }
}

const settle = () => new Promise(setImmediate)

// Timers of one test must not fire in the next one.
afterEach(async () => {
  vi.useRealTimers()
  await new Promise((over) => setTimeout(over, 2 * WRITE_GAP_MS))
})

describe('a socket writer', () => {
  it('writes everything once and in order, however slowly each socket accepts it', async () => {
    const act = fc.oneof(
      {
        weight: 6,
        arbitrary: fc.record({ send: fc.oneof(fc.nat(300), fc.nat(90_000)), canWait: fc.boolean() }),
      },
      { weight: 1, arbitrary: fc.record({ own: fc.nat(200) }) },
      { weight: 3, arbitrary: fc.record({ take: fc.nat(3) }) },
      { weight: 2, arbitrary: fc.constant('turn' as const) },
      { weight: 1, arbitrary: fc.constant('faster or slower' as const) },
    )
    await fc.assert(
      fc.asyncProperty(fc.array(act, { maxLength: 40 }), async (acts) => {
        let isFast = true
        const scheduler = new WriteScheduler()
        const connections = [false, true, false, true].map((compress) => ({
          ...openWriter(compress, scheduler, () => isFast),
          compress,
          expected: [] as Buffer[],
        }))
        let sn = 7
        for (const it of acts) {
          if (it === 'turn') await settle()
          else if (it === 'faster or slower') isFast = !isFast
          else if ('take' in it) connections[it.take]?.take()
          else if ('own' in it) {
            for (const { writer, expected, compress } of connections) {
              writer.send('x'.repeat(it.own))
              const frame = 'x'.repeat(it.own)
              expected.push(webSocketFrame(compress ? storedZlib(frame) : frame))
            }
          } else {
            const shared = event('y'.repeat(it.send))
            for (const [n, { writer, expected, compress }] of connections.entries()) {
              const own = sn + n * 5
              writer.sendEvent(shared, own, it.canWait)
              expected.push(webSocketFrame(compress ? shared.deflated(own) : shared.plain(own)))
            }
            sn += 1
          }
        }
        isFast = true
        await settle()
        for (const { writer, take, received, expected } of connections) {
          writer.flush()
          do await settle()
          while (take())
          expect(received().equals(Buffer.concat(expected))).toBe(true)
        }
      }),
      { numRuns: 150, seed: 41 },
    )
  })

  it('writes a delayed event within a second, however long ago another one was', async () => {
    vi.useFakeTimers()
    const scheduler = new WriteScheduler()
    const { writer, received } = openWriter(false, scheduler, () => true)
    let sn = 0
    for (let tenths = 0; tenths <= 30; tenths += 1) {
      writer.sendEvent(event('one'), ++sn, true)
      await vi.advanceTimersByTimeAsync(DELAY_MAX_MS)
      expect(received().toString().match(/"one"/g)).toHaveLength(sn)
      await vi.advanceTimersByTimeAsync((tenths * DELAY_MAX_MS) / 10)
    }
  })

  it('writes delayed events within a second in one write, or together with an event that cannot wait', async () => {
    vi.useFakeTimers()
    const scheduler = new WriteScheduler()
    const [first, second] = [
      openWriter(false, scheduler, () => true),
      openWriter(false, scheduler, () => true),
    ]
    const writes = vi.spyOn(first.socket, 'write')
    for (let sn = 1; sn <= 20; sn += 1)
      for (const { writer } of [first, second]) writer.sendEvent(event('a'), sn, true)
    await vi.advanceTimersByTimeAsync(0)
    expect(first.received()).toHaveLength(0)
    second.writer.sendEvent(event('b'), 21, false)
    await vi.advanceTimersByTimeAsync(0)
    expect(
      second
        .received()
        .toString()
        .match(/"content":"."/g)
        ?.at(-1),
    ).toBe('"content":"b"')
    await vi.advanceTimersByTimeAsync(DELAY_MAX_MS)
    expect(writes).toHaveBeenCalledTimes(1)
    expect(
      first
        .received()
        .toString()
        .match(/"content":"a"/g),
    ).toHaveLength(20)
    expect(
      second
        .received()
        .toString()
        .match(/"content":"."/g),
    ).toHaveLength(21)
    // No timer runs once nothing waits.
    await vi.advanceTimersByTimeAsync(3 * DELAY_MAX_MS)
    expect(vi.getTimerCount()).toBe(0)
    vi.useRealTimers()
  })

  it('writes at once after a pause, and at most once per gap otherwise', async () => {
    vi.useFakeTimers({
      toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'clearImmediate', 'performance'],
    })
    const scheduler = new WriteScheduler()
    const [busy, idle] = [openWriter(false, scheduler, () => true), openWriter(false, scheduler, () => true)]
    const writes = vi.spyOn(busy.socket, 'write')
    const turnOver = () => vi.advanceTimersByTimeAsync(1)
    busy.writer.sendEvent(event('a'), 1, false)
    await turnOver()
    expect(writes).toHaveBeenCalledTimes(1)
    for (let sn = 2; sn <= 4; sn += 1) {
      busy.writer.sendEvent(event('a'), sn, false)
      await turnOver()
    }
    expect(writes).toHaveBeenCalledTimes(1)
    // A connection that did not write a moment ago does not wait.
    idle.writer.sendEvent(event('b'), 1, false)
    await turnOver()
    expect(idle.received().toString()).toContain('"content":"b"')
    await vi.advanceTimersByTimeAsync(WRITE_GAP_MS)
    expect(writes).toHaveBeenCalledTimes(2)
    const numbers = busy
      .received()
      .toString()
      .match(/"sn":\d/g)
    expect(numbers).toEqual(['"sn":1', '"sn":2', '"sn":3', '"sn":4'])
    // Pending frames are written before the close.
    busy.writer.sendEvent(event('a'), 5, false)
    busy.writer.close(4000)
    expect(busy.received().toString()).toContain('"sn":5')
    await vi.advanceTimersByTimeAsync(2 * WRITE_GAP_MS)
    busy.writer.sendEvent(event('a'), 6, false)
    await turnOver()
    expect(busy.received().toString()).toContain('"sn":6')
    expect(vi.getTimerCount()).toBe(0)
    vi.useRealTimers()
  })

  it('pauses after a long round, so that events of the meantime leave in one write', async () => {
    vi.useFakeTimers()
    let now = 0
    const scheduler = new WriteScheduler(null, undefined, () => now)
    const crowd = Array.from({ length: 250 }, () => openWriter(false, scheduler, () => true))
    const writes = crowd.map(({ socket }) => vi.spyOn(socket, 'write'))
    for (const write of writes) {
      write.mockImplementation(() => {
        // Each write takes a twentieth of a millisecond.
        now += 0.05
        return true
      })
    }
    const send = (sn: number) => {
      for (const { writer } of crowd) writer.sendEvent(event(String(sn)), sn, false)
    }
    const written = () => writes.map((write) => write.mock.calls.length)
    const turns = async () => {
      for (let n = 0; n < 3; n += 1) await vi.advanceTimersByTimeAsync(1)
    }
    send(1)
    await turns()
    expect(new Set(written())).toEqual(new Set([1]))
    send(2)
    await vi.advanceTimersByTimeAsync(2)
    send(3)
    expect(new Set(written())).toEqual(new Set([1]))
    now += WRITE_GAP_MS
    await vi.advanceTimersByTimeAsync(WRITE_GAP_MS + 10)
    await turns()
    expect(new Set(written())).toEqual(new Set([2]))
    // After a pause nothing waits.
    now += 1_000
    send(4)
    await turns()
    expect(new Set(written())).toEqual(new Set([3]))
    vi.useRealTimers()
  })

  it('does not write twice in half a gap, however long the rounds are and however much was written before', {
    timeout: 60_000,
  }, async () => {
    vi.useFakeTimers()
    let now = 0
    const COST_MS = 0.03
    const scheduler = new WriteScheduler(null, undefined, () => now)
    const crowd = Array.from({ length: 1_000 }, () => {
      const line = openWriter(false, scheduler, () => true)
      const writtenAt: number[] = []
      vi.spyOn(line.socket, 'write').mockImplementation(() => {
        now += COST_MS
        writtenAt.push(now)
        return true
      })
      return { ...line, writtenAt }
    })
    let sn = 0
    const send = (content: string, canWait = false) => {
      sn += 1
      for (const { writer } of crowd) writer.sendEvent(event(content), sn, canWait)
    }
    const talk = async (times: number, canWait: (time: number) => boolean = () => false) => {
      for (let time = 0; time < times; time += 1) {
        send('a', canWait(time))
        now += 2
        await vi.advanceTimersByTimeAsync(2)
      }
    }
    for (const much of [70_000, 300_000]) {
      await talk(30, (time) => time % 7 === 0)
      for (let sentLength = 0; sentLength < much; sentLength += 2_000) send('b'.repeat(2_000))
      await talk(30, (time) => time % 7 === 0)
      for (const { writtenAt } of crowd) writtenAt.length = 0
      await talk(200)
      for (const { writtenAt } of crowd) {
        expect(writtenAt.length).toBeGreaterThan(2)
        for (let at = 1; at < writtenAt.length; at += 1)
          expect(writtenAt[at]! - writtenAt[at - 1]!).toBeGreaterThan(WRITE_GAP_MIN_MS - 100 * COST_MS)
      }
    }
    vi.useRealTimers()
  })

  it('does not wait for the end of a gap with more than the replay buffer holds', async () => {
    vi.useFakeTimers({
      toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'clearImmediate', 'performance'],
    })
    const { writer, socket } = openWriter(false, new WriteScheduler(), () => true)
    const writes = vi.spyOn(socket, 'write')
    writer.sendEvent(event('a'), 1, false)
    await vi.advanceTimersByTimeAsync(1)
    writes.mockClear()
    for (let sn = 2; sn <= 400; sn += 1) writer.sendEvent(event('b'.repeat(1_000)), sn, false)
    await vi.advanceTimersByTimeAsync(1)
    expect(writes).toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(2 * WRITE_GAP_MS)
    expect(vi.getTimerCount()).toBe(0)
    vi.useRealTimers()
  })

  it('writes events that arrive during a long round with the connections that are still to come', async () => {
    let isSaid = false
    const scheduler: WriteScheduler = new WriteScheduler(null, () => {
      isSaid = true
      for (const { writer } of crowd) writer.sendEvent(event('b'), 2, false)
    })
    const crowd = Array.from({ length: 250 }, () => openWriter(false, scheduler, () => true))
    const writes = crowd.map(({ socket }) => vi.spyOn(socket, 'write'))
    writes[50]!.mockImplementationOnce(() => {
      scheduler.scheduleFlush()
      return true
    })
    for (const { writer } of crowd) writer.sendEvent(event('a'), 1, false)
    for (let n = 0; n < 4; n += 1) await settle()
    expect(isSaid).toBe(true)
    const contentOf = (at: number) =>
      crowd[at]!.received()
        .toString()
        .match(/"content":"."/g)
        ?.join()
    expect(contentOf(0)).toBe('"content":"a"')
    expect(contentOf(249)).toBe('"content":"a","content":"b"')
    expect(writes[249]).toHaveBeenCalledTimes(1)
    await new Promise((over) => setTimeout(over, 2 * WRITE_GAP_MS))
    expect(contentOf(0)).toBe('"content":"a","content":"b"')
  })

  it('keeps at most one write of bytes in a blocked socket, and terminates it in the end', async () => {
    const { writer, ws, socket } = openWriter(false, new WriteScheduler(), () => false)
    let sn = 0
    for (; ws.readyState === 1 && sn < 1_000; sn += 1) {
      writer.sendEvent(event('z'.repeat(10_000)), sn, false)
      if (sn % 3 === 0) await settle()
      expect(socket.writableLength).toBeLessThan(128 * 1024)
    }
    expect(ws.readyState).toBe(3)
    expect(sn).toBeGreaterThan(50)
  })

  it('keeps a whole replay for a blocked socket', () => {
    const { writer, ws } = openWriter(false, new WriteScheduler(), () => false)
    for (let sn = 1; sn <= 200; sn += 1) writer.sendEvent(event('z'.repeat(10_000)), sn, false)
    expect(ws.readyState).toBe(1)
  })
})
