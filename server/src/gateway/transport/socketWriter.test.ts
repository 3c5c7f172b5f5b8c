import { Duplex } from 'node:stream'
import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { WebSocket } from 'ws'
import { SharedEvent, webSocketFrame } from './frames.ts'
import { GAP_LEAST_MS, GAP_MS, LATER_MS, SocketWire, Turn } from './socketWriter.ts'

const event = (content: string) =>
  new SharedEvent({
    ...{ channel_type: 'GROUP', type: 9, target_id: '1', author_id: '1', msg_id: '', msg_timestamp: 0 },
    ...{ nonce: '', extra: {}, content },
  })

/** A socket that takes bytes when told to, and looks at them only then. */
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
    heard: () => Buffer.concat(taken),
    /** Takes what was written last. False when nothing is on its way. */
    take() {
      const read = take
      take = null
      read?.()
      return read !== null
    },
  }
}

function openWire(compress: boolean, turn: Turn, isFast: () => boolean) {
  const sink = slowSocket(isFast)
  const ws = {
    OPEN: 1,
    readyState: 1,
    close: () => {},
    terminate() {
      ws.readyState = 3
    },
  }
  const wire = new SocketWire({
    ...{ socket: sink.socket, compress, turn, now: () => 0 },
    ws: ws as unknown as WebSocket,
  })
  return { ...sink, ws, wire }
}

const settle = () => new Promise(setImmediate)

// What one test leaves on its way does not come in the next one.
afterEach(async () => {
  vi.useRealTimers()
  await new Promise((over) => setTimeout(over, 2 * GAP_MS))
})

describe('a socket’s way out', () => {
  it('says everything once and in order, however slowly each socket takes it', async () => {
    const act = fc.oneof(
      {
        weight: 6,
        arbitrary: fc.record({ say: fc.oneof(fc.nat(300), fc.nat(90_000)), canWait: fc.boolean() }),
      },
      { weight: 1, arbitrary: fc.record({ own: fc.nat(200) }) },
      { weight: 3, arbitrary: fc.record({ take: fc.nat(3) }) },
      { weight: 2, arbitrary: fc.constant('turn' as const) },
      { weight: 1, arbitrary: fc.constant('faster or slower' as const) },
    )
    await fc.assert(
      fc.asyncProperty(fc.array(act, { maxLength: 40 }), async (acts) => {
        let isFast = true
        const turn = new Turn()
        const lines = [false, true, false, true].map((compress) => ({
          ...openWire(compress, turn, () => isFast),
          compress,
          expected: [] as Buffer[],
        }))
        let sn = 7
        for (const it of acts) {
          if (it === 'turn') await settle()
          else if (it === 'faster or slower') isFast = !isFast
          else if ('take' in it) lines[it.take]?.take()
          else if ('own' in it) {
            for (const { wire, expected } of lines) {
              wire.send('x'.repeat(it.own))
              expected.push(webSocketFrame('x'.repeat(it.own)))
            }
          } else {
            const shared = event('y'.repeat(it.say))
            for (const [n, { wire, expected, compress }] of lines.entries()) {
              const own = sn + n * 5
              wire.event(shared, own, it.canWait)
              expected.push(webSocketFrame(compress ? shared.deflated(own) : shared.plain(own)))
            }
            sn += 1
          }
        }
        isFast = true
        await settle()
        for (const { wire, take, heard, expected } of lines) {
          wire.flush()
          do await settle()
          while (take())
          expect(heard().equals(Buffer.concat(expected))).toBe(true)
        }
      }),
      { numRuns: 150, seed: 41 },
    )
  })

  it('says what can wait within a second and in one write, or before whatever cannot', async () => {
    vi.useFakeTimers()
    const turn = new Turn()
    const [first, second] = [openWire(false, turn, () => true), openWire(false, turn, () => true)]
    const writes = vi.spyOn(first.socket, 'write')
    for (let sn = 1; sn <= 20; sn += 1)
      for (const { wire } of [first, second]) wire.event(event('a'), sn, true)
    await vi.advanceTimersByTimeAsync(0)
    expect(first.heard()).toHaveLength(0)
    second.wire.event(event('b'), 21)
    await vi.advanceTimersByTimeAsync(0)
    expect(
      second
        .heard()
        .toString()
        .match(/"content":"."/g)
        ?.at(-1),
    ).toBe('"content":"b"')
    await vi.advanceTimersByTimeAsync(LATER_MS)
    expect(writes).toHaveBeenCalledTimes(1)
    expect(
      first
        .heard()
        .toString()
        .match(/"content":"a"/g),
    ).toHaveLength(20)
    expect(
      second
        .heard()
        .toString()
        .match(/"content":"."/g),
    ).toHaveLength(21)
    // Once nobody waits, nothing ticks.
    await vi.advanceTimersByTimeAsync(3 * LATER_MS)
    expect(vi.getTimerCount()).toBe(0)
    vi.useRealTimers()
  })

  it('is written to at once in a quiet room, and at most once in a gap in a busy one', async () => {
    vi.useFakeTimers({
      toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'clearImmediate', 'performance'],
    })
    const turn = new Turn()
    const [busy, quiet] = [openWire(false, turn, () => true), openWire(false, turn, () => true)]
    const writes = vi.spyOn(busy.socket, 'write')
    const turnOver = () => vi.advanceTimersByTimeAsync(1)
    busy.wire.event(event('a'), 1)
    await turnOver()
    expect(writes).toHaveBeenCalledTimes(1)
    for (let sn = 2; sn <= 4; sn += 1) {
      busy.wire.event(event('a'), sn)
      await turnOver()
    }
    expect(writes).toHaveBeenCalledTimes(1)
    // Who was not written to just now does not wait for the others.
    quiet.wire.event(event('b'), 1)
    await turnOver()
    expect(quiet.heard().toString()).toContain('"content":"b"')
    await vi.advanceTimersByTimeAsync(GAP_MS)
    expect(writes).toHaveBeenCalledTimes(2)
    const said = busy
      .heard()
      .toString()
      .match(/"sn":\d/g)
    expect(said).toEqual(['"sn":1', '"sn":2', '"sn":3', '"sn":4'])
    // What is still on its way when the line closes goes before the close.
    busy.wire.event(event('a'), 5)
    busy.wire.close(4000)
    expect(busy.heard().toString()).toContain('"sn":5')
    await vi.advanceTimersByTimeAsync(2 * GAP_MS)
    busy.wire.event(event('a'), 6)
    await turnOver()
    expect(busy.heard().toString()).toContain('"sn":6')
    expect(vi.getTimerCount()).toBe(0)
    vi.useRealTimers()
  })

  it('rests after a long round of writing, so that what a talking crowd says meanwhile leaves in one write', async () => {
    vi.useFakeTimers()
    let now = 0
    const turn = new Turn(null, undefined, () => now)
    const crowd = Array.from({ length: 250 }, () => openWire(false, turn, () => true))
    const writes = crowd.map(({ socket }) => vi.spyOn(socket, 'write'))
    for (const write of writes) {
      write.mockImplementation(() => {
        // Each takes a twentieth of a millisecond.
        now += 0.05
        return true
      })
    }
    const say = (sn: number) => {
      for (const { wire } of crowd) wire.event(event(String(sn)), sn)
    }
    const written = () => writes.map((write) => write.mock.calls.length)
    const turns = async () => {
      for (let n = 0; n < 3; n += 1) await vi.advanceTimersByTimeAsync(1)
    }
    say(1)
    await turns()
    expect(new Set(written())).toEqual(new Set([1]))
    say(2)
    await vi.advanceTimersByTimeAsync(2)
    say(3)
    expect(new Set(written())).toEqual(new Set([1]))
    now += GAP_MS
    await vi.advanceTimersByTimeAsync(GAP_MS + 10)
    await turns()
    expect(new Set(written())).toEqual(new Set([2]))
    // A crowd that was quiet for a while does not wait.
    now += 1_000
    say(4)
    await turns()
    expect(new Set(written())).toEqual(new Set([3]))
    vi.useRealTimers()
  })

  it('is not written to twice in half a gap, however long the rounds of a crowd are and however much it was once told', async () => {
    vi.useFakeTimers()
    let now = 0
    const COST_MS = 0.03
    const turn = new Turn(null, undefined, () => now)
    const crowd = Array.from({ length: 1_000 }, () => {
      const line = openWire(false, turn, () => true)
      const writtenAt: number[] = []
      vi.spyOn(line.socket, 'write').mockImplementation(() => {
        now += COST_MS
        writtenAt.push(now)
        return true
      })
      return { ...line, writtenAt }
    })
    let sn = 0
    const say = (content: string, canWait = false) => {
      sn += 1
      for (const { wire } of crowd) wire.event(event(content), sn, canWait)
    }
    const talk = async (times: number, canWait: (time: number) => boolean = () => false) => {
      for (let time = 0; time < times; time += 1) {
        say('a', canWait(time))
        now += 2
        await vi.advanceTimersByTimeAsync(2)
      }
    }
    for (const much of [70_000, 300_000]) {
      await talk(30, (time) => time % 7 === 0)
      for (let told = 0; told < much; told += 2_000) say('b'.repeat(2_000))
      await talk(30, (time) => time % 7 === 0)
      for (const { writtenAt } of crowd) writtenAt.length = 0
      await talk(200)
      for (const { writtenAt } of crowd) {
        expect(writtenAt.length).toBeGreaterThan(2)
        for (let at = 1; at < writtenAt.length; at += 1)
          expect(writtenAt[at]! - writtenAt[at - 1]!).toBeGreaterThan(GAP_LEAST_MS - 100 * COST_MS)
      }
    }
    vi.useRealTimers()
  })

  it('does not wait for more than the replay buffer holds', async () => {
    vi.useFakeTimers({
      toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'clearImmediate', 'performance'],
    })
    const { wire, socket } = openWire(false, new Turn(), () => true)
    const writes = vi.spyOn(socket, 'write')
    wire.event(event('a'), 1)
    await vi.advanceTimersByTimeAsync(1)
    writes.mockClear()
    for (let sn = 2; sn <= 400; sn += 1) wire.event(event('b'.repeat(1_000)), sn)
    await vi.advanceTimersByTimeAsync(1)
    expect(writes).toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(2 * GAP_MS)
    expect(vi.getTimerCount()).toBe(0)
    vi.useRealTimers()
  })

  it('tells whoever comes late in a long round what was said meanwhile, in the same write', async () => {
    let isSaid = false
    const turn: Turn = new Turn(null, () => {
      isSaid = true
      for (const { wire } of crowd) wire.event(event('b'), 2)
    })
    const crowd = Array.from({ length: 250 }, () => openWire(false, turn, () => true))
    const writes = crowd.map(({ socket }) => vi.spyOn(socket, 'write'))
    writes[50]!.mockImplementationOnce(() => {
      turn.wake()
      return true
    })
    for (const { wire } of crowd) wire.event(event('a'), 1)
    for (let n = 0; n < 4; n += 1) await settle()
    expect(isSaid).toBe(true)
    const contentOf = (at: number) =>
      crowd[at]!.heard()
        .toString()
        .match(/"content":"."/g)
        ?.join()
    expect(contentOf(0)).toBe('"content":"a"')
    expect(contentOf(249)).toBe('"content":"a","content":"b"')
    expect(writes[249]).toHaveBeenCalledTimes(1)
    await new Promise((over) => setTimeout(over, 2 * GAP_MS))
    expect(contentOf(0)).toBe('"content":"a","content":"b"')
  })

  it('keeps at most a write’s worth of bytes in a socket that takes nothing, and in the end lets it go', async () => {
    const { wire, ws, socket } = openWire(false, new Turn(), () => false)
    let sn = 0
    for (; ws.readyState === 1 && sn < 1_000; sn += 1) {
      wire.event(event('z'.repeat(10_000)), sn)
      if (sn % 3 === 0) await settle()
      expect(socket.writableLength).toBeLessThan(128 * 1024)
    }
    expect(ws.readyState).toBe(3)
    expect(sn).toBeGreaterThan(50)
  })

  it('holds a whole replay for a socket that takes nothing yet', () => {
    const { wire, ws } = openWire(false, new Turn(), () => false)
    for (let sn = 1; sn <= 200; sn += 1) wire.event(event('z'.repeat(10_000)), sn)
    expect(ws.readyState).toBe(1)
  })
})
