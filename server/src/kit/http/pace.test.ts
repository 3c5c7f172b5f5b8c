import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { HELD_MS, REQUESTS_AT_ONCE, UNANSWERED_MAX } from './limit.ts'
import { paceRequests } from './pace.ts'

const GET = 'GET / HTTP/1.1\r\nhost: h\r\n\r\n'
let server: Server
let sockets: Socket[] = []
let handled = 0
afterEach(() => {
  vi.useRealTimers()
  for (const socket of sockets) socket.destroy()
  sockets = []
  server.close()
  server.closeAllConnections()
})

/** A server that answers at once, unless `isSilent`. */
async function open({ isExempt = false, isSilent = false } = {}): Promise<() => Promise<Socket>> {
  handled = 0
  server = createServer((_request, response) => {
    handled += 1
    if (!isSilent) response.end('ok')
  })
  paceRequests(server, { isExempt: () => isExempt, scale: 1 })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return async () => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    sockets.push(socket)
    await once(socket, 'connect')
    return socket
  }
}

async function ask(socket: Socket): Promise<void> {
  const answered = once(socket, 'data')
  socket.write(GET)
  await answered
}

describe('a connection', () => {
  it('that does not wait for answers is not answered, and closed after a while', async () => {
    const enter = await open({ isSilent: true })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const socket = await enter()
    socket.write(GET.repeat(UNANSWERED_MAX + 50))
    await expect.poll(() => handled).toBe(UNANSWERED_MAX)
    // Whatever it sends now is not read.
    socket.write(GET.repeat(50))
    const other = await enter()
    other.write(GET)
    await expect.poll(() => handled).toBe(UNANSWERED_MAX + 1)
    expect(socket.readyState).toBe('open')
    const closed = once(socket, 'close')
    vi.advanceTimersByTime(HELD_MS)
    await closed
    expect(handled).toBe(UNANSWERED_MAX + 1)
  })

  it('that is too fast waits for its turn, and another one does not', async () => {
    const enter = await open()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    const [fast, other] = [await enter(), await enter()]
    for (let n = 0; n < REQUESTS_AT_ONCE; n += 1) await ask(fast)
    const late = once(fast, 'data')
    fast.write(GET)
    // Not `waitFor`, which moves the clock.
    while (vi.getTimerCount() === 0) await new Promise(setImmediate)
    await ask(other)
    expect(handled).toBe(REQUESTS_AT_ONCE + 1)
    vi.advanceTimersByTime(1_000)
    await late
    expect(handled).toBe(REQUESTS_AT_ONCE + 2)
  })

  it('of a proxy has no pace', async () => {
    const enter = await open({ isExempt: true })
    const socket = await enter()
    socket.write(GET.repeat(REQUESTS_AT_ONCE * 2))
    await expect.poll(() => handled).toBe(REQUESTS_AT_ONCE * 2)
  })
})
