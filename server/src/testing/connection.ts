/** A real gateway connection of a person, for tests with a listening app. */
import { WebSocket } from 'ws'
import { orReport } from './waitLimit.ts'

export interface Frame {
  readonly s: number
  readonly d: {
    readonly type?: number
    readonly content?: string
    readonly target_id?: string
    readonly extra?: { readonly type?: unknown; readonly body?: unknown }
  }
}

export interface TestConnection {
  /** The frames received so far, in order. */
  readonly frames: readonly Frame[]
  /** The first frame received that fits, now or later. */
  next(fits: (frame: Frame) => boolean): Promise<Frame>
  /** Resolves with the close code. */
  readonly closed: Promise<number>
  close(): void
}

/** Opens an uncompressed connection to the app on `port`; resolves after its hello. */
export async function openConnection(
  gatewayUrl: string,
  port: number,
  headers: Readonly<Record<string, string>> = {},
): Promise<TestConnection> {
  const url = new URL(gatewayUrl)
  url.host = `127.0.0.1:${port}`
  url.searchParams.set('compress', '0')
  const socket = new WebSocket(url, { headers })
  const frames: Frame[] = []
  const waiting: (() => void)[] = []
  socket.on('message', (data) => {
    frames.push(JSON.parse(String(data)))
    for (const wake of waiting.splice(0)) wake()
  })
  const closed = new Promise<number>((resolve) => socket.on('close', resolve))
  const next: TestConnection['next'] = async (fits) => {
    for (;;) {
      const found = frames.find(fits)
      if (found) return found
      await orReport(new Promise<void>((resolve) => waiting.push(resolve)), () => frames)
    }
  }
  await next(({ s }) => s === 1)
  return { frames, next, closed, close: () => socket.close() }
}
