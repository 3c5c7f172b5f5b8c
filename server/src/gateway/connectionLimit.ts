/**
 * How many connections one place on the network may hold open at once, half-open ones and finished handshakes alike:
 * the rest is dropped before a byte is read. A balancer in front speaks for everyone and counts by itself.
 */
import type { Server } from 'node:http'
import { BlockList, isIPv6, type Socket } from 'node:net'
import { placeOf } from '../kit/rateLimitDatabase.ts'

/** Many households share an address, a university or a mobile network more than that. */
export const PLACE_CONNECTIONS_MAX = 1_000

/** This machine and private networks, where a balancer stands. */
const NEAR = ['127.0.0.0/8', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '::1', 'fc00::/7']

/** Tells addresses near this machine, and the given addresses and networks, from all others. */
export function nearOr(proxies: readonly string[]): (ip: string) => boolean {
  const list = new BlockList()
  for (const network of [...NEAR, ...proxies]) {
    const [address = '', bits] = network.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return (ip) => list.check(ip, isIPv6(ip) ? 'ipv6' : 'ipv4')
}

/** Watches a server's connections. Answers how to stop. */
export function boundPlaces(
  server: Server,
  { max, isExempt }: { readonly max: number; readonly isExempt: (ip: string) => boolean },
): () => void {
  const counts = new Map<string, number>()
  const onConnection = (socket: Socket) => {
    const ip = socket.remoteAddress
    // Gone before it was looked at.
    if (ip === undefined || isExempt(ip)) return
    const place = placeOf(ip)
    const count = counts.get(place) ?? 0
    if (count >= max) return void socket.destroy()
    counts.set(place, count + 1)
    socket.once('close', () => {
      const left = (counts.get(place) ?? 1) - 1
      if (left > 0) counts.set(place, left)
      else counts.delete(place)
    })
  }
  server.prependListener('connection', onConnection)
  return () => server.off('connection', onConnection)
}
