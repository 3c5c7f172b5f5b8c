/**
 * A bot client: calls by `Authorization: Bot TOKEN`, and a gateway connection by the bare protocol.
 * protocol.md §1, §2.
 */
import { inflateSync } from 'node:zlib'
import { WebSocket } from 'ws'
import { orReport } from '../server/src/testing/waitLimit.ts'

/** A response with the fields that public clients read first. */
export interface Answer<T = Record<string, unknown>> {
  readonly status: number
  readonly headers: Headers
  readonly code: number
  readonly message: unknown
  readonly data: T
}

export type BotCall = <T = Record<string, unknown>>(
  method: 'GET' | 'POST',
  path: string,
  input?: object,
) => Promise<Answer<T>>

/** v3 calls with a value of Authorization, null: without. GET sends its input as the query, POST as JSON. */
export const caller =
  (url: string, authorization: string | null): BotCall =>
  async <T>(method: 'GET' | 'POST', path: string, input: object = {}) => {
    const query = new URLSearchParams(Object.entries(input).map(([key, value]) => [key, String(value)]))
    const isRead = method === 'GET'
    const answer = await fetch(`${url}/api/v3/${path}${isRead && query.size > 0 ? `?${query}` : ''}`, {
      method,
      headers: {
        ...(authorization && { authorization }),
        ...(!isRead && { 'content-type': 'application/json' }),
      },
      ...(!isRead && { body: JSON.stringify(input) }),
    })
    const body = (await answer.json()) as { code: number; message: unknown; data: T }
    return { status: answer.status, headers: answer.headers, ...body }
  }

export interface Frame {
  readonly s: number
  readonly sn?: number
  readonly extra?: unknown
  readonly d?: {
    readonly [field: string]: unknown
    readonly code?: number
    readonly session_id?: string
    readonly type?: number
    readonly content?: string
    readonly msg_id?: string
    readonly extra?: { readonly [field: string]: unknown; readonly type?: unknown; readonly body?: unknown }
  }
}

export interface GatewayConnection {
  readonly frames: readonly Frame[]
  /** True when every frame so far came as one zlib stream, false when all came as text, else it throws. */
  isCompressed(): boolean
  /** Waits for the first frame that matches. */
  next(fits: (frame: Frame) => boolean): Promise<Frame>
  /** The first system event of that name. */
  event(name: string): Promise<Frame>
  send(frame: object): void
  /** Its close code. */
  readonly closed: Promise<number>
  /** Terminates the socket without a close frame. */
  terminate(): void
}

/** Opens a connection and waits for its first frame. */
export async function openGatewayConnection(address: string): Promise<GatewayConnection> {
  const socket = new WebSocket(address)
  const frames: Frame[] = []
  const kinds = new Set<boolean>()
  const waiting: (() => void)[] = []
  const wake = () => {
    for (const each of waiting.splice(0)) each()
  }
  socket.on('message', (data: Buffer, binary) => {
    kinds.add(binary)
    frames.push(JSON.parse(binary ? inflateSync(data).toString() : data.toString()))
    wake()
  })
  let isOver = false
  const closed = new Promise<number>((done) =>
    socket.on('close', (code) => {
      isOver = true
      wake()
      done(code)
    }),
  )
  socket.on('error', () => undefined)
  const next = async (fits: (frame: Frame) => boolean): Promise<Frame> => {
    for (;;) {
      const found = frames.find(fits)
      if (found) return found
      if (isOver) throw new Error(`the connection closed before the frame arrived: ${JSON.stringify(frames)}`)
      await orReport(new Promise<void>((resolve) => waiting.push(resolve)), () => frames)
    }
  }
  await next(({ s }) => s === 1 || s === 5)
  return {
    frames,
    isCompressed() {
      if (kinds.size !== 1) throw new Error('text and binary frames on one connection')
      return kinds.has(true)
    },
    next,
    event: (name) => next(({ d }) => d?.type === 255 && d.extra?.type === name),
    send: (frame) => socket.send(JSON.stringify(frame)),
    closed,
    terminate: () => socket.terminate(),
  }
}
