/**
 * A server that a payment provider sends its messages to: it reads them with an adapter and answers as the
 * adapter says.
 */
import { createServer } from 'node:http'
import { BadNotification, type Notification, type PayProvider } from '../../outside/payment/payProvider.ts'
import { listenHere } from '../listen.ts'

export interface PayServer {
  /** The address for messages. */
  readonly notifyUrl: string
  /** What was read of each message, in order; why, of one that was refused. */
  readonly told: (Notification | string)[]
  /**
   * The next messages that the adapter believes are answered with these statuses, in place of what it says.
   * One that it refuses may be of a test before, and is sent again.
   */
  readonly answers: number[]
  /** Reads with this adapter from now on. */
  use(provider: PayProvider): void
  close(): Promise<void>
}

export async function openPayServer(): Promise<PayServer> {
  let provider: PayProvider | null = null
  const told: (Notification | string)[] = []
  const answers: number[] = []
  const server = createServer((request, reply) => {
    void (async () => {
      const parts: Buffer[] = []
      for await (const part of request) parts.push(part as Buffer)
      const message = { headers: request.headers, body: Buffer.concat(parts) }
      const read = await provider!
        .readNotification(message)
        .catch((error: Error) => (error instanceof BadNotification ? error.why : error.message))
      told.push(read)
      const isRefused = typeof read === 'string'
      const { status, body } = provider!.reply(isRefused ? 'refused' : 'taken', message)
      reply.writeHead((isRefused ? null : answers.shift()) ?? status).end(body)
    })()
  })
  const url = await listenHere(server)
  return {
    told,
    answers,
    notifyUrl: `${url}/notify`,
    use(it) {
      provider = it
    },
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}
