import { logClientError } from '@guildhall/wire/site/clientLog.ts'
import { afterEach, expect, test, vi } from 'vitest'
import { GatewayClient } from './gatewayClient.ts'

/** A socket that receives what the test says. */
class Socket {
  static readonly OPEN = 1
  static opened: Socket[] = []
  readyState = 1
  onmessage: ((message: { data: string }) => void) | null = null
  onclose: (() => void) | null = null
  constructor() {
    Socket.opened.push(this)
  }
  send(): void {}
  close(): void {}
  receive(frame: object): void {
    this.onmessage?.({ data: JSON.stringify(frame) })
  }
}

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

test('an exception of an event’s handler is reported, and the next event is delivered', async () => {
  const fetched = vi.fn<(url: string, init: RequestInit) => Promise<Response>>(async () => new Response('{}'))
  vi.stubGlobal('fetch', fetched)
  vi.stubGlobal('WebSocket', Socket)
  vi.stubGlobal('requestIdleCallback', (work: () => void) => setTimeout(work, 0))
  const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const delivered: number[] = []
  const client = new GatewayClient({
    onEvent({ sn }) {
      delivered.push(sn)
      if (sn === 1) throw new RangeError('cannot apply "我的密码"')
    },
    onSessionReset: () => undefined,
  })
  client.start('ws://guild.example/gateway')
  await expect.poll(() => Socket.opened).toHaveLength(1)
  const [socket] = Socket.opened
  const event = {
    channel_type: 'GROUP',
    type: 1,
    target_id: '1',
    author_id: '2',
    content: '',
    msg_id: '',
    msg_timestamp: 1,
    nonce: '',
    extra: {},
  }
  socket?.receive({ s: 1, d: { code: 0, session_id: 'x', sessionId: 'x' } })
  socket?.receive({ s: 0, sn: 1, d: event })
  socket?.receive({ s: 0, sn: 2, d: event })
  expect(delivered).toEqual([1, 2])
  expect(logged).toHaveBeenCalledOnce()
  await expect.poll(() => fetched).toHaveBeenCalledOnce()
  const [[url, init] = []] = fetched.mock.calls
  expect(url).toBe(logClientError.path)
  expect(JSON.parse(String(init?.body)).errorEvent.error).toMatchObject({
    name: 'RangeError',
    message: 'cannot apply "…"',
  })
  client.stop()
})

test.each(['pointerdown', 'keydown', 'input', 'visibilitychange', 'online', 'a call that is answered'])(
  'a connection that was given up is tried again at once by %s',
  async (act) => {
    vi.useFakeTimers()
    vi.stubGlobal('WebSocket', Socket)
    vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('visible')
    Socket.opened = []
    const client = new GatewayClient({ onEvent: () => undefined, onSessionReset: () => undefined })
    client.start('ws://guild.example/gateway')
    for (let attempt = 1; attempt <= 5; attempt++) {
      Socket.opened.at(-1)?.onclose?.()
      if (attempt < 5) await vi.advanceTimersByTimeAsync(10_400)
    }
    expect(client.status()).toBe('offline')
    await vi.advanceTimersByTimeAsync(5_000)
    const before = Socket.opened.length
    if (act === 'a call that is answered') client.noteAnswered()
    else if (act === 'visibilitychange') document.dispatchEvent(new Event(act))
    else window.dispatchEvent(new Event(act))
    await vi.advanceTimersByTimeAsync(0)
    expect(Socket.opened).toHaveLength(before + 1)
    client.stop()
  },
)

test('a browser that knows of no network is not asked to connect by each key', async () => {
  vi.useFakeTimers()
  vi.stubGlobal('WebSocket', Socket)
  Socket.opened = []
  const client = new GatewayClient({ onEvent: () => undefined, onSessionReset: () => undefined })
  client.start('ws://guild.example/gateway')
  await vi.advanceTimersByTimeAsync(0)
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  window.dispatchEvent(new Event('offline'))
  await vi.advanceTimersByTimeAsync(5_000)
  window.dispatchEvent(new Event('keydown'))
  await vi.advanceTimersByTimeAsync(5_000)
  expect(Socket.opened).toHaveLength(1)
  client.stop()
})
