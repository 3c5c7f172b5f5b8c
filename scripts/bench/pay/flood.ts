// The client process of the pay benchmark: one connection for each message, all of them at once, and how long
// each answer took.
import { connect } from 'node:net'

export interface Flood {
  readonly port: number
  /** Whole requests, as they are written. */
  readonly requests: readonly string[]
}

/** How many messages were answered with each status, and the latencies from the first of them on, ms. */
export interface Answers {
  readonly statuses: Readonly<Record<string, number>>
  readonly p50: number
  readonly p99: number
  readonly worst: number
}

/** An answer that does not come within this is none, ms: both providers wait for five seconds. */
const GIVEN_UP_MS = 60_000

async function flood({ port, requests }: Flood): Promise<Answers> {
  const began = performance.now()
  const latencies: number[] = []
  const statuses: Record<string, number> = {}
  await Promise.all(
    requests.map(async (request) => {
      const status = await ask(port, request)
      latencies.push(performance.now() - began)
      statuses[status] = (statuses[status] ?? 0) + 1
    }),
  )
  latencies.sort((a, b) => a - b)
  const at = (part: number) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * part))]!
  return { statuses, p50: at(0.5), p99: at(0.99), worst: at(1) }
}

/** The status of the answer. */
function ask(port: number, request: string): Promise<string> {
  return new Promise((done) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    let read = ''
    socket.setEncoding('latin1')
    socket.setTimeout(GIVEN_UP_MS, () => socket.destroy())
    socket.once('connect', () => socket.write(request))
    socket.on('data', (chunk: string) => {
      read += chunk
      if (read.includes('\r\n\r\n')) socket.destroy()
    })
    socket.on('error', () => undefined)
    socket.once('close', () => done(/^HTTP\/1\.1 (\d{3})/.exec(read)?.[1] ?? 'none'))
  })
}

process.on('message', (order: Flood) => {
  flood(order).then(
    (answers) => process.send?.(answers),
    (error: Error) => {
      console.error(error)
      process.exit(1)
    },
  )
})
process.on('disconnect', () => process.exit(0))
