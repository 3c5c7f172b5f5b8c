/**
 * WebSocket client of the gateway: performs the effects that the state machine of `connection.ts` decides.
 */
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
import { reportError } from '../kit/errors/clientErrors.ts'
import { createListeners } from '../kit/listeners.ts'
import {
  type ConnectionState,
  type ConnectionStatus,
  type Effect,
  type Input,
  idle,
  nextDeadline,
  statusOf,
  transition,
} from './connection.ts'

export interface GatewayHandlers {
  /** Receives each event once, in order. */
  readonly onEvent: (frame: EventFrame) => void
  /** A session began that does not continue the last one. */
  readonly onSessionReset: () => void
}

/** What people do on a page. */
const ACTS = ['pointerdown', 'keydown', 'input'] as const
const PASSIVE = { capture: true, passive: true }

/**
 * One connection to the gateway, opened again whenever it breaks. The methods that screens pass on are bound.
 */
export class GatewayClient {
  private readonly handlers: GatewayHandlers
  private readonly listeners = createListeners()
  private state: ConnectionState = idle
  private address: string | null = null
  private socket: WebSocket | null = null
  private timer: ReturnType<typeof setTimeout> | undefined
  /** Counts the sockets, so that messages of a former one are dropped. */
  private socketCount = 0
  private viewedGuild: string | null = null

  constructor(handlers: GatewayHandlers) {
    this.handlers = handlers
  }

  /** The state of the connection, for display. */
  readonly status = (): ConnectionStatus => statusOf(this.state)

  /** Whether it has been connected since `start`. */
  readonly hasConnected = (): boolean => this.state.hasConnected

  /** Follows `status` and `hasConnected`. */
  readonly subscribe = this.listeners.subscribe

  /** Reconnects at once instead of waiting. */
  readonly retry = (): void => this.dispatch({ type: 'awake' })

  /** A call got no answer: finds out at once whether the connection is dead too. */
  readonly noteUnanswered = (): void => this.dispatch({ type: 'unanswered' })

  /** A call was answered, so that the network is there. */
  readonly noteAnswered = (): void => this.dispatch({ type: 'wanted' })

  /** An answer contained `seq` of a guild: the connection has to deliver the events up to it. */
  expectSeq(guild: string, seq: number): void {
    this.dispatch({ type: 'known', guild, seq })
  }

  /** The guild on screen, or none: the server may deliver events of the others a little later. */
  setViewedGuild(guild: string | null): void {
    if (guild === this.viewedGuild) return
    this.viewedGuild = guild
    this.sendViewedGuild()
  }

  /** Connects to the address that a login answered with; does nothing while started. */
  start(url: string): void {
    if (this.state.phase !== 'idle') return
    this.address = url
    for (const [target, name, listener] of this.pageListeners())
      target.addEventListener(name, listener, PASSIVE)
    this.dispatch({ type: 'start' })
  }

  stop(): void {
    for (const [target, name, listener] of this.pageListeners())
      target.removeEventListener(name, listener, PASSIVE)
    this.dispatch({ type: 'stop' })
  }

  private dispatch(input: Input): void {
    const before = this.state
    const [next, effects] = transition(before, input, Date.now(), Math.random())
    this.state = next
    for (const effect of effects) this.perform(effect)
    const { state } = this
    if (state.phase === 'connected' && before.phase !== 'connected') this.sendViewedGuild()
    this.scheduleTick()
    if (statusOf(state) !== statusOf(before) || state.hasConnected !== before.hasConnected)
      this.listeners.notify()
  }

  private scheduleTick(): void {
    clearTimeout(this.timer)
    const deadline = nextDeadline(this.state)
    if (deadline !== null)
      this.timer = setTimeout(() => this.dispatch({ type: 'tick' }), Math.max(0, deadline - Date.now()))
  }

  private perform(effect: Effect): void {
    switch (effect.do) {
      case 'open':
        void this.open(effect.resume, effect.refresh)
        return
      case 'close':
        this.close()
        return
      case 'send':
        if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(effect.frame))
        return
      case 'deliver':
        for (const frame of effect.frames) runGuarded(() => this.handlers.onEvent(frame))
        return
      case 'refetch':
        runGuarded(this.handlers.onSessionReset)
        return
    }
  }

  private async open(resume: { session: string; sn: number } | null, refresh: boolean): Promise<void> {
    this.close()
    const count = this.socketCount
    const isCurrent = () => count === this.socketCount
    try {
      if (refresh || this.address === null) this.address = (await call(gatewayIndex, { compress: 1 })).url
      if (!isCurrent()) return
      const { address } = this
      const socket = new WebSocket(resume ? resumeUrl(address, resume.sn, resume.session) : address)
      socket.binaryType = 'arraybuffer'
      socket.onmessage = (message) => {
        if (!isCurrent()) return
        const frame = decodeFrame(message.data)
        if (frame) this.dispatch({ type: 'frame', frame })
      }
      socket.onclose = () => isCurrent() && this.dispatch({ type: 'closed' })
      this.socket = socket
    } catch {
      if (isCurrent()) this.dispatch({ type: 'closed' })
    }
  }

  private close(): void {
    this.socketCount += 1
    this.socket?.close(1000)
    this.socket = null
  }

  /** A hidden page shows no guild. */
  private sendViewedGuild(): void {
    if (this.state.phase !== 'connected' || this.socket?.readyState !== WebSocket.OPEN) return
    const guild_id = document.visibilityState === 'visible' ? this.viewedGuild : null
    this.socket.send(JSON.stringify({ s: signal.focus, d: { guild_id } }))
  }

  private readonly onOffline = (): void => this.dispatch({ type: 'offline' })

  private readonly onAct = (): void => {
    if (navigator.onLine) this.dispatch({ type: 'wanted' })
  }

  private readonly onVisibilityChange = (): void => {
    if (document.visibilityState === 'visible') this.retry()
    this.sendViewedGuild()
  }

  /** What the page tells of the network and of the person. */
  private readonly pageListeners = (): readonly (readonly [EventTarget, string, () => void])[] => [
    [window, 'online', this.retry],
    [window, 'offline', this.onOffline],
    // A page restored from the back-forward cache fires `pageshow`, a thawed one `resume`.
    [window, 'pageshow', this.retry],
    [document, 'resume', this.retry],
    [document, 'visibilitychange', this.onVisibilityChange],
    ...ACTS.map((act) => [window, act, this.onAct] as const),
  ]
}

/**
 * An event whose handler throws must not break the connection; the error is reported. chat.md §8 "Gateway".
 */
export function runGuarded(work: () => void): void {
  try {
    work()
  } catch (error) {
    console.error('an event could not be applied', error)
    reportError(error)
  }
}

/**
 * Decodes a frame; null when this version does not know it. Binary frames are one zlib stream each. They are
 * inflated synchronously: asynchronous inflation could reorder them.
 */
function decodeFrame(data: unknown): ServerFrame | null {
  try {
    const json = data instanceof ArrayBuffer ? strFromU8(unzlibSync(new Uint8Array(data))) : String(data)
    const parsed = serverFrame.safeParse(JSON.parse(json))
    if (parsed.success) return parsed.data
    console.warn('a frame of an unknown kind was skipped')
  } catch (error) {
    console.error('a frame could not be read', error)
  }
  return null
}
