// A keep-alive connection that makes one call after the other, as cheaply as a client can.
import { connect } from 'node:net'
import { HOST } from './ask.ts'

const HEAD_END = '\r\n\r\n'
const CALLERS_MAX = 8

export interface Call {
  readonly path: string
  readonly token: string
  /** With it the call is a POST. */
  readonly body?: object
}

export interface Caller {
  /** The body of a success; null when it was refused, or when the connection failed. */
  call(call: Call): Promise<string | null>
  isClosed(): boolean
  close(): void
}

export function openCaller(port: number): Caller {
  const socket = connect({ port, host: HOST, noDelay: true })
  socket.setEncoding('latin1')
  let received = ''
  let done: ((body: string | null) => void) | null = null
  socket.on('data', (chunk: string) => {
    received += chunk
    const head = received.indexOf(HEAD_END)
    if (head === -1) return
    const start = head + HEAD_END.length
    const length = /content-length: (\d+)/i.exec(received.slice(0, head))?.[1]
    const isWhole = length ? received.length >= start + Number(length) : received.endsWith(`0${HEAD_END}`)
    if (isWhole) done?.(received.startsWith('HTTP/1.1 200') ? received.slice(start) : null)
  })
  socket.on('error', () => undefined)
  socket.on('close', () => done?.(null))
  return {
    async call(it) {
      received = ''
      if (socket.destroyed) return null
      return new Promise((resolve) => {
        done = resolve
        socket.write(requestOf(it))
      })
    },
    isClosed: () => socket.destroyed,
    close: () => socket.destroy(),
  }
}

/** In one write, as browsers send small requests. */
function requestOf({ path, token, body }: Call): string {
  const head = `${body ? 'POST' : 'GET'} ${path} HTTP/1.1\r\nhost: ${HOST}\r\nauthorization: ${token}\r\n`
  if (!body) return `${head}\r\n`
  const text = JSON.stringify(body)
  return `${head}content-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`
}

/** Connections to one server that many people share, as those of a balancer. */
export class Callers {
  readonly #port: number
  readonly #free: Caller[] = []
  readonly #waiting: (() => void)[] = []
  #open = 0

  constructor(port: number) {
    this.#port = port
  }

  /** The body of a success; null when it was refused, or when the connection failed. */
  async call(call: Call): Promise<string | null> {
    if (this.#free.length === 0 && this.#open >= CALLERS_MAX)
      await new Promise<void>((done) => this.#waiting.push(done))
    const caller = this.#take()
    const body = await caller.call(call)
    if (caller.isClosed()) this.#open -= 1
    else this.#free.push(caller)
    this.#waiting.shift()?.()
    return body
  }

  /** The server closes those that were idle for a while. */
  #take(): Caller {
    for (let free = this.#free.pop(); free; free = this.#free.pop()) {
      if (!free.isClosed()) return free
      this.#open -= 1
    }
    return this.#another()
  }

  #another(): Caller {
    this.#open += 1
    return openCaller(this.#port)
  }
}
