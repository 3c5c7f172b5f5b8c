/**
 * A client that only receives, by the bare protocol, and resumes its session whenever its connection breaks.
 * protocol.md §2.
 */
import { inflateSync } from 'node:zlib'
import { WebSocket } from 'ws'

export interface Listener {
  /** Ids of the received messages, one list per session; no message is skipped within a list. */
  readonly received: readonly (readonly string[])[]
  /** How often it resumed its session. */
  readonly resumed: number
  /** How often it was connected: with a new session, or with the one that it had. */
  readonly connections: number
  /** Throws the first protocol error of a frame, if there was one. */
  check(): void
  stop(): void
}

interface Frame {
  readonly s: number
  readonly sn?: number
  readonly d?: {
    readonly code?: number
    readonly type?: number
    readonly msg_id?: string
    readonly session_id?: string
    readonly extra?: { readonly guild_id?: string }
  }
}

const RETRY_MS = 50

/**
 * Receives the messages of one guild. `addressOf` returns the gateway address of its person, null when it is
 * unavailable.
 */
export function listen(guildId: string, addressOf: () => Promise<string | null>): Listener {
  const received: string[][] = []
  let session: string | null = null
  let sn = 0
  let resumed = 0
  let isOver = false
  let fault: unknown = null
  let socket: WebSocket | null = null

  function receive(frame: Frame): void {
    if (frame.s === 5) {
      session = null
      return socket?.close()
    }
    if (frame.s === 6) resumed += 1
    if (frame.s === 1 && frame.d?.code === 0 && frame.d.session_id !== session) {
      session = frame.d.session_id ?? null
      sn = 0
      received.push([])
    }
    if (frame.s !== 0 || frame.sn === undefined || frame.sn <= sn) return
    if (frame.sn !== sn + 1) throw new Error(`event ${frame.sn} came after ${sn}`)
    sn = frame.sn
    if (frame.d?.type !== 255 && frame.d?.extra?.guild_id === guildId) received.at(-1)?.push(frame.d.msg_id!)
  }

  async function attempt(): Promise<void> {
    const address = await addressOf()
    if (!address) return
    const url = session ? `${address}&resume=1&sn=${sn}&session_id=${session}` : address
    const it = new WebSocket(url)
    socket = it
    it.on('message', (data: Buffer, binary) => {
      try {
        receive(JSON.parse(binary ? inflateSync(data).toString() : data.toString()))
      } catch (error) {
        fault ??= error
        it.terminate()
      }
    })
    await new Promise<void>((ended) => {
      it.on('error', () => undefined)
      it.on('close', () => ended())
    })
  }

  const reconnectForever = async () => {
    while (!isOver) {
      await attempt()
      await new Promise((done) => setTimeout(done, RETRY_MS))
    }
  }
  void reconnectForever()

  return {
    received,
    get resumed() {
      return resumed
    },
    get connections() {
      return received.length + resumed
    },
    check() {
      if (fault) throw fault
    },
    stop() {
      isOver = true
      socket?.close()
    },
  }
}
