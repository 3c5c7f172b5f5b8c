/**
 * The connection limits. How many connections one network may hold open at once, in whatever state. Further
 * ones are closed before a byte is read. A load balancer speaks for everybody and is exempt.
 */
import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import { listed } from '../kit/addresses.ts'
import { networkOf, wideNetworkOf } from '../kit/limits/network.ts'
import { memoryRateLimiter, WIDE_FACTOR } from '../kit/limits/rateLimit.ts'
import { NETWORK_HANDSHAKES_WINDOW_MS } from './limit.ts'

/** This machine and private networks, where a load balancer runs. */
const NEAR = ['127.0.0.0/8', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '::1', 'fc00::/7']

/** A predicate for addresses near this machine and for the given addresses and networks. */
export const nearOr = (proxies: readonly string[]): ((ip: string) => boolean) => listed([...NEAR, ...proxies])

/** Limits a server's connections. Returns a function that stops it. */
export function limitConnections(
  server: Server,
  { max, isExempt }: { readonly max: number; readonly isExempt: (ip: string) => boolean },
): () => void {
  const counts = new Map<string, number>()
  const onConnection = (socket: Socket) => {
    const ip = socket.remoteAddress
    // Disconnected already.
    if (ip === undefined || isExempt(ip)) return
    const network = networkOf(ip)
    const count = counts.get(network) ?? 0
    if (count >= max) return void socket.destroy()
    counts.set(network, count + 1)
    socket.once('close', () => {
      const left = (counts.get(network) ?? 1) - 1
      if (left > 0) counts.set(network, left)
      else counts.delete(network)
    })
  }
  server.prependListener('connection', onConnection)
  return () => server.off('connection', onConnection)
}

/**
 * How often one network may begin a handshake: each costs a query, whatever becomes of it. Counted by this
 * node alone. Returns whether a request may go on; every request is counted.
 */
export function limitHandshakes({
  most,
  addressOf,
}: {
  readonly most: number
  readonly addressOf: (request: IncomingMessage) => string
}): (request: IncomingMessage) => boolean {
  const windows = memoryRateLimiter()
  const isWithin = (name: string, key: string, limit: number) =>
    windows.count(name, key, NETWORK_HANDSHAKES_WINDOW_MS).spent <= limit
  return (request) => {
    const network = networkOf(addressOf(request))
    const wide = wideNetworkOf(network)
    const isWideWithin = wide === null || isWithin('wide', wide, most * WIDE_FACTOR)
    return isWithin('network', network, most) && isWideWithin
  }
}
