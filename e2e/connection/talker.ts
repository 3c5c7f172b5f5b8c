/**
 * A client without a browser: the page's connection and room store on a real socket, so that many can send at
 * once while nodes and databases stop and start.
 */
import { inflateSync } from 'node:zlib'
import { resumeUrl, type ServerFrame, serverFrame } from '@guildhall/wire/gateway/frame.ts'
import { CALL_TIMEOUT_MS } from '@guildhall/wire/limit.ts'
import { messageOf } from '@guildhall/wire/message/event.ts'
import type { Message } from '@guildhall/wire/message/message.ts'
import {
  type ConnectionState,
  type Effect,
  type Input,
  idle,
  nextDeadline,
  transition,
} from '../../web/src/gateway/connection.ts'
import { emptyRoom, neededPage, type Room } from '../../web/src/roomStore/room.ts'
import type { RoomEvent } from '../../web/src/roomStore/roomEvent.ts'
import { reduceRoom } from '../../web/src/roomStore/roomReducer.ts'

/** What one session delivered of the room, in order of arrival. */
export interface Delivered {
  readonly session: string
  readonly seqs: number[]
}

export interface Talker {
  readonly name: string
  /** nonce → the id it was acknowledged with. */
  readonly acknowledged: ReadonlyMap<string, string>
  readonly delivered: readonly Delivered[]
  /** Responses that were neither a success nor retryable. */
  readonly refusals: readonly string[]
  /** Why sockets closed, with how often. */
  readonly closes: ReadonlyMap<number, number>
  room(): Room
  connection(): ConnectionState
  /** Sends one message after the other until stopped; resolves when the last is acknowledged. */
  talk(everyMs: number, isOver: () => boolean): Promise<void>
  /** Scrolls up to the first message. */
  readAll(): Promise<void>
  close(): void
}

const RETRY_MS = 300
const PAGE_SIZE = 50

/** `urls`: the nodes; the client starts with `first` and uses the next node when one does not respond. */
export function openTalker(it: {
  readonly name: string
  readonly me: string
  readonly token: string
  readonly channelId: string
  readonly urls: readonly string[]
  readonly first: number
}): Talker {
  const acknowledged = new Map<string, string>()
  const delivered: Delivered[] = []
  const refusals: string[] = []
  const closes = new Map<number, number>()
  let at = it.first
  let connection: ConnectionState = idle
  let room = emptyRoom(it.me)
  let socket: WebSocket | null = null
  let timer: NodeJS.Timeout | undefined
  let openCount = 0
  let isLoading = false
  let isClosed = false

  const url = () => it.urls[at % it.urls.length]!

  /** Moves on from a node that does not respond; once, also when several calls fail at the same time. */
  function useNextNode(tried: number): void {
    if (at === tried) at += 1
  }

  async function request<T>(
    method: string,
    path: string,
    body?: object,
  ): Promise<{ status: number; body: T } | null> {
    const tried = at
    try {
      const answer = await fetch(`${url()}${path}`, {
        method,
        headers: { authorization: it.token, 'content-type': 'application/json' },
        ...(body ? { body: JSON.stringify(body) } : {}),
        signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
      })
      const answered = { status: answer.status, body: (await answer.json()) as T }
      // As the page does: the network is there, or the connection may be dead as well.
      dispatch({ type: 'wanted' })
      return answered
    } catch {
      useNextNode(tried)
      dispatch({ type: 'unanswered' })
      return null
    }
  }

  const pause = (ms: number) => new Promise((done) => setTimeout(done, ms))

  function dispatch(input: Input): void {
    const [next, effects] = transition(connection, input, Date.now(), Math.random())
    connection = next
    for (const effect of effects) perform(effect)
    clearTimeout(timer)
    const due = nextDeadline(connection)
    if (due !== null) timer = setTimeout(() => dispatch({ type: 'tick' }), Math.max(0, due - Date.now()))
  }

  function perform(effect: Effect): void {
    if (effect.do === 'open') void open(effect.resume)
    else if (effect.do === 'close') drop()
    else if (effect.do === 'send') {
      if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(effect.frame))
    } else if (effect.do === 'refetch') change({ type: 'sessionReset' })
    else
      for (const { d } of effect.frames) {
        const message = messageOf(d)
        if (message?.channel_id !== it.channelId) continue
        let mine = delivered.at(-1)
        if (mine?.session !== connection.session) {
          mine = { session: connection.session ?? '', seqs: [] }
          delivered.push(mine)
        }
        mine.seqs.push(message.seq)
        change({ type: 'messageReceived', message })
      }
  }

  function drop(): void {
    openCount += 1
    socket?.close(1000)
    socket = null
  }

  async function open(resume: { session: string; sn: number } | null): Promise<void> {
    drop()
    const mine = openCount
    const tried = at
    const answer = await request<{ data?: { url: string } }>('GET', '/api/v3/gateway/index?compress=1')
    if (mine !== openCount) return
    const address = answer?.body.data?.url
    if (!address) return dispatch({ type: 'closed' })
    const made = new WebSocket(resume ? resumeUrl(address, resume.sn, resume.session) : address)
    made.binaryType = 'arraybuffer'
    made.onmessage = ({ data }) => {
      if (mine === openCount) dispatch({ type: 'frame', frame: frameOf(data) })
    }
    made.onclose = ({ code }) => {
      closes.set(code, (closes.get(code) ?? 0) + 1)
      if (mine !== openCount) return
      useNextNode(tried)
      dispatch({ type: 'closed' })
    }
    socket = made
  }

  function change(event: RoomEvent): void {
    room = reduceRoom(room, event)
    void fillGaps()
  }

  /** Fetches the history pages that close the gaps of the connection. */
  async function fillGaps(): Promise<void> {
    if (isLoading || isClosed) return
    isLoading = true
    for (let needed = neededPage(room); needed && !isClosed; needed = neededPage(room)) {
      if (!(await page(needed.before))) await pause(RETRY_MS)
    }
    isLoading = false
  }

  async function page(before: string | null): Promise<boolean> {
    const { epoch: asked } = room
    const query = before === null ? '' : `&msgid=${before}`
    const answer = await request<Message[]>(
      'GET',
      `/api/v2/channels/${it.channelId}/messages?page_size=${PAGE_SIZE}${query}`,
    )
    if (answer?.status !== 200) return false
    room = reduceRoom(room, { type: 'pageLoaded', before, epoch: asked, messages: answer.body })
    return true
  }

  async function send(nonce: string): Promise<void> {
    const content = JSON.stringify({ type: 9, content: nonce })
    for (;;) {
      const answer = await request<{ msgId: string }>('POST', `/api/v2/channels/${it.channelId}/message`, {
        content,
        nonce,
      })
      if (answer?.status === 200) {
        acknowledged.set(nonce, answer.body.msgId)
        return
      }
      if (answer && answer.status !== 503) refusals.push(`${answer.status} ${JSON.stringify(answer.body)}`)
      await pause(RETRY_MS)
    }
  }

  dispatch({ type: 'start' })
  return {
    name: it.name,
    acknowledged,
    delivered,
    refusals,
    closes,
    room: () => room,
    connection: () => connection,
    async talk(everyMs, isOver) {
      for (let n = 0; !isOver(); n += 1) {
        await send(`${it.name}-${n}`)
        await pause(everyMs * (0.5 + Math.random()))
      }
    },
    async readAll() {
      while (neededPage(room)) await pause(20)
      while (!room.atStart) if (!(await page(room.run[0]?.id ?? null))) await pause(RETRY_MS)
    },
    close() {
      isClosed = true
      dispatch({ type: 'stop' })
    },
  }
}

function frameOf(data: unknown): ServerFrame {
  const text = data instanceof ArrayBuffer ? inflateSync(new Uint8Array(data)).toString() : String(data)
  return serverFrame.parse(JSON.parse(text))
}
