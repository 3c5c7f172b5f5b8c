// The client process of the sends benchmark: keep-alive connections that each send one request after another.
// It writes and counts bytes without an HTTP library, so that it uses little CPU beside the server.
import { connect, type Socket } from 'node:net'

/**
 * A request of the parent process: client i sends `requests[i]`, with `#NONCE#` as the placeholder of a nonce
 * of the same length.
 */
export interface Order {
  readonly port: number
  readonly requests: readonly string[]
  readonly forMs: number
}

/** How many requests got a 200, how many another status, and the latencies, ms. */
export interface Tally {
  readonly answered: number
  readonly refused: number
  readonly tookMs: number
  readonly p50: number
  readonly p99: number
}

const NONCE = '#NONCE#'
const HEAD_END = '\r\n\r\n'

// Nonces are unique over all rounds.
let count = 0

async function drive({ port, requests, forMs }: Order): Promise<Tally> {
  const began = performance.now()
  const until = began + forMs
  const latencies: number[] = []
  let refused = 0

  async function client(template: string): Promise<void> {
    const [head = '', tail = ''] = template.split(NONCE)
    const socket = await open(port)
    await new Promise<void>((done, fail) => {
      let pending = ''
      let sentAt = 0
      const send = () => {
        if (performance.now() >= until) {
          socket.end()
          return done()
        }
        sentAt = performance.now()
        socket.write(head + (++count).toString(36).padStart(NONCE.length, '0') + tail)
      }
      socket.setEncoding('latin1')
      socket.on('error', fail)
      socket.on('data', (chunk: string) => {
        pending += chunk
        const headEnd = pending.indexOf(HEAD_END)
        if (headEnd === -1) return
        const length = Number(/content-length: (\d+)/i.exec(pending)?.[1] ?? 0)
        if (pending.length < headEnd + HEAD_END.length + length) return
        if (pending.startsWith('HTTP/1.1 200')) latencies.push(performance.now() - sentAt)
        else refused += 1
        pending = ''
        send()
      })
      send()
    })
  }

  await Promise.all(requests.map(client))
  const tookMs = performance.now() - began
  latencies.sort((a, b) => a - b)
  const at = (part: number) => latencies[Math.floor(latencies.length * part)] ?? 0
  return { answered: latencies.length, refused, tookMs, p50: at(0.5), p99: at(0.99) }
}

function open(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    socket.once('connect', () => resolve(socket))
    socket.once('error', reject)
  })
}

process.on('message', (order: Order) => {
  drive(order).then(
    (tally) => process.send?.(tally),
    (error: Error) => {
      console.error(error)
      process.exit(1)
    },
  )
})
process.on('disconnect', () => process.exit(0))
