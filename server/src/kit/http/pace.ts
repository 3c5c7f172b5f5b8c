/**
 * The pace of a connection: one client can make requests neither faster than the server likes nor many at
 * once, however cheap their refusals are. Decision 43.
 */
import type { RequestListener, Server } from 'node:http'
import type { Socket } from 'node:net'
import { SECOND_MS } from '@guildhall/wire/unit.ts'
import { HELD_MAX, HELD_MS, REQUESTS_AT_ONCE, REQUESTS_PER_S, UNANSWERED_MAX } from './limit.ts'

export interface PaceOptions {
  /** Proxies speak for many people and are not paced. */
  readonly isExempt: (ip: string) => boolean
  /** Multiplies the pace. */
  readonly scale: number
}

interface Pace {
  readonly isExempt: boolean
  unanswered: number
  /** When the connection's budget is full again, ms. */
  fullAt: number
  isHeld: boolean
}

/** Delays the requests of connections that are too fast, and closes those that do not wait for answers. */
export function paceRequests(server: Server, { isExempt, scale }: PaceOptions): void {
  const [handle] = server.listeners('request') as RequestListener[]
  if (!handle) throw new Error('the server has nothing that answers')
  const paces = new WeakMap<Socket, Pace>()
  const everyMs = SECOND_MS / (REQUESTS_PER_S * scale)
  const burstMs = everyMs * REQUESTS_AT_ONCE * scale
  let held = 0

  const hold = (socket: Socket, pace: Pace) => {
    pace.isHeld = true
    if (held >= HELD_MAX) return void socket.destroy()
    held += 1
    socket.pause()
    const timer = setTimeout(() => socket.destroy(), HELD_MS).unref()
    socket.once('close', () => {
      held -= 1
      clearTimeout(timer)
    })
  }

  server.off('request', handle)
  server.on('request', (request, response) => {
    const { socket } = request
    let pace = paces.get(socket)
    if (!pace) {
      pace = { isExempt: isExempt(socket.remoteAddress ?? ''), unanswered: 0, fullAt: 0, isHeld: false }
      paces.set(socket, pace)
    }
    if (pace.isExempt) return handle.call(server, request, response)
    // What was read together with the request that was one too many.
    if (pace.isHeld) return
    const mine = pace
    mine.unanswered += 1
    response.once('close', () => {
      mine.unanswered -= 1
    })
    if (mine.unanswered > UNANSWERED_MAX) return hold(socket, mine)
    const now = performance.now()
    mine.fullAt = Math.max(mine.fullAt, now) + everyMs
    const waitMs = mine.fullAt - burstMs - now
    if (waitMs <= 0) return handle.call(server, request, response)
    setTimeout(() => {
      if (!socket.destroyed && !mine.isHeld) handle.call(server, request, response)
    }, waitMs)
  })
}
