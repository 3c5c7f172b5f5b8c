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
