import {
  type EventFrame,
  resumeUrl,
  type ServerFrame,
  serverFrame,
  signal,
} from '@guildhall/wire/gateway/frame.ts'
import { gatewayIndex } from '@guildhall/wire/gateway/gateway.ts'
import { strFromU8, unzlibSync } from 'fflate'
import { call } from '../kit/call.ts'
import { dueOf, type Effect, type Face, faceOf, type Input, idle, type Line, step } from './connection.ts'

export interface Gateway {
  /** Where the line stands, for the shell's words. */
  face: () => Face
  /** Whether the line has stood since it was started. */
  hasStood: () => boolean
  subscribe: (listener: () => void) => () => void
  /** A call's answer told of number `seq` of a guild: the line has to bring it. */
  known: (guild: string, seq: number) => void
  /** The page shows this guild, or none: what happens elsewhere may come a little later. */
  look: (guild: string | null) => void
  /** Tries at once instead of waiting. */
  retry: () => void
  /** Opens the line at the address a login gave; does nothing while it is open. */
  start: (url: string) => void
  stop: () => void
}

/**
 * Performs what the machine of `connection.ts` decides. Frames are inflated synchronously: an asynchronous inflate
 * could swap two of them. `onEvent` gets each event once, in order; `onRefetch` is told when a session began that
 * knows nothing of before.
 */
export function gateway(on: { onEvent: (frame: EventFrame) => void; onRefetch: () => void }): Gateway {
  let line: Line = idle
  let address: string | null = null
  let socket: WebSocket | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  /** Counts the sockets, so that what a former one still says is not heard. */
  let turn = 0
  let looksAt: string | null = null
  const listeners = new Set<() => void>()

  const put = (input: Input): void => {
    const before = faceOf(line)
    const stood = line.everConnected
    const wasConnected = line.phase === 'connected'
    const [next, effects] = step(line, input, Date.now(), Math.random())
    line = next
    for (const effect of effects) perform(effect)
    if (line.phase === 'connected' && !wasConnected) tellLook()
    clearTimeout(timer)
    const due = dueOf(line)
    if (due !== null) timer = setTimeout(() => put({ type: 'tick' }), Math.max(0, due - Date.now()))
    if (faceOf(line) !== before || line.everConnected !== stood) for (const listener of listeners) listener()
  }

  /** A page nobody sees shows nothing. */
  const tellLook = (): void => {
    if (line.phase !== 'connected' || socket?.readyState !== WebSocket.OPEN) return
    const guild_id = document.visibilityState === 'visible' ? looksAt : null
    socket.send(JSON.stringify({ s: signal.focus, d: { guild_id } }))
  }

  const perform = (effect: Effect): void => {
    switch (effect.do) {
      case 'open':
        void open(effect.resume, effect.refresh)
        return
      case 'close':
        close()
        return
      case 'send':
        if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(effect.frame))
        return
      case 'deliver':
        for (const frame of effect.frames) guarded(() => on.onEvent(frame))
        return
      case 'refetch':
        guarded(on.onRefetch)
        return
    }
  }

  /** An event that breaks its handler must not break the line. */
  const guarded = (work: () => void): void => {
    try {
      work()
    } catch (error) {
      console.error('an event could not be applied', error)
    }
  }

  const close = (): void => {
    turn += 1
    socket?.close(1000)
    socket = null
  }

  const open = async (resume: { session: string; sn: number } | null, refresh: boolean): Promise<void> => {
    close()
    const mine = turn
    try {
      if (refresh || address === null) address = (await call(gatewayIndex, { compress: 1 })).url
      if (mine !== turn) return
      const made = new WebSocket(resume ? resumeUrl(address, resume.sn, resume.session) : address)
      made.binaryType = 'arraybuffer'
      made.onmessage = (message) => {
        if (mine !== turn) return
        const frame = decode(message.data)
        if (frame) put({ type: 'frame', frame })
      }
      made.onclose = () => mine === turn && put({ type: 'closed' })
      socket = made
    } catch {
      if (mine === turn) put({ type: 'closed' })
    }
  }

  const awake = () => put({ type: 'awake' })
  const looked = () => {
    if (document.visibilityState === 'visible') awake()
    tellLook()
  }

  return {
    face: () => faceOf(line),
    hasStood: () => line.everConnected,
    known: (guild, seq) => put({ type: 'known', guild, seq }),
    look(guild) {
      if (guild === looksAt) return
      looksAt = guild
      tellLook()
    },
    retry: awake,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    start(url) {
      if (line.phase !== 'idle') return
      address = url
      window.addEventListener('online', awake)
      // A page taken out of the back-forward cache, or thawed, says so in a way of its own.
      window.addEventListener('pageshow', awake)
      document.addEventListener('resume', awake)
      document.addEventListener('visibilitychange', looked)
      put({ type: 'start' })
    },
    stop() {
      window.removeEventListener('online', awake)
      window.removeEventListener('pageshow', awake)
      document.removeEventListener('resume', awake)
      document.removeEventListener('visibilitychange', looked)
      put({ type: 'stop' })
    },
  }
}

/** A frame of the line, or null when it is none that this version knows. Binary ones are one zlib stream each. */
function decode(data: unknown): ServerFrame | null {
  try {
    const words = data instanceof ArrayBuffer ? strFromU8(unzlibSync(new Uint8Array(data))) : String(data)
    const read = serverFrame.safeParse(JSON.parse(words))
    if (read.success) return read.data
    console.warn('a frame of an unknown kind was left aside')
  } catch (error) {
    console.error('a frame could not be read', error)
  }
  return null
}
