// The process of pages that wake up: each begins, asks what a page asks, and waits for each answer.
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Ask, answer, HOST, type Seat, type Waited } from './ask.ts'
import { openCaller } from './caller.ts'

const GATEWAY = '{gateway}'
const HELLO = '"s":1'

/** Connects to a gateway address until the hello has come. It stays open. */
const connectGateway = (port: number, path: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ port, host: HOST, noDelay: true })
    socket.setEncoding('latin1')
    let received = ''
    socket.on('data', (chunk: string) => {
      if (received.length > 10_000) return
      received += chunk
      if (received.includes(HELLO)) resolve(true)
      else if (!received.startsWith('HTTP/1.1 101')) resolve(false)
    })
    socket.on('error', () => resolve(false))
    socket.on('close', () => resolve(false))
    socket.write(
      `GET ${path} HTTP/1.1\r\nHost: ${HOST}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
        'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
    )
  })

/** One page: how long it waited, ms, and how many of its calls were refused. */
async function page(port: number, { token, gateway }: Seat, calls: readonly string[]) {
  const began = performance.now()
  let refused = 0
  const caller = calls.some((it) => it !== GATEWAY) ? openCaller(port) : null
  for (const call of calls) {
    const isAnswered =
      call === GATEWAY
        ? await connectGateway(port, gateway)
        : (await caller!.call({ path: call, token })) !== null
    if (!isAnswered) refused += 1
  }
  caller?.close()
  return { waited: performance.now() - began, refused }
}

async function wake({ port, seats, calls, withinMs }: Extract<Ask, { ask: 'pages' }>): Promise<Waited> {
  const all = await Promise.all(
    seats.map(async (seat, index) => {
      await sleep((index * withinMs) / seats.length)
      return page(port, seat, calls)
    }),
  )
  const waited = all.map((it) => it.waited).toSorted((a, b) => a - b)
  const at = (part: number) => waited[Math.min(waited.length - 1, Math.floor(waited.length * part))] ?? 0
  return {
    p50: at(0.5),
    p99: at(0.99),
    max: at(1),
    refused: all.reduce((sum, it) => sum + it.refused, 0),
  }
}

answer(async (it) => {
  if (it.ask !== 'pages') throw new Error(`pages cannot ${it.ask}`)
  return wake(it)
}, 0)
