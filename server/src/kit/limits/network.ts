/** Networks of clients, which limits count by. */

/** The network that one customer has: an IPv4 address, or an IPv6 /64. */
export function networkOf(ip: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)
  if (mapped) return mapped[1]!
  if (!ip.includes(':')) return ip
  const [head = '', tail = ''] = ip.toLowerCase().split('%')[0]!.split('::')
  const left = head.split(':').filter(Boolean)
  const right = tail.split(':').filter(Boolean)
  const zeros = ip.includes('::') ? Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0') : []
  return `${[...left, ...zeros, ...right].slice(0, 4).join(':')}::/64`
}

/**
 * The /48 around the IPv6 /64 of a network, which many providers give to one customer; null for an IPv4
 * address.
 */
export const wideNetworkOf = (network: string): string | null =>
  network.endsWith('::/64') ? `${network.split(':').slice(0, 3).join(':')}::/48` : null

/** How much of a client's network the request log shows (LOG_NETWORK). */
export const NETWORK_SHOWN = ['full', 'short', 'none'] as const
export type NetworkShown = (typeof NETWORK_SHOWN)[number]

/**
 * A client's network as the request log shows it; null: not at all. `short` is enough to tell one attacker
 * from a crowd, and names nobody: an IPv4 /24 or an IPv6 /48.
 */
export function shownNetwork(network: string, shown: NetworkShown): string | null {
  if (shown === 'none') return null
  if (shown === 'full') return network
  return wideNetworkOf(network) ?? network.replace(/\.\d+$/, '.0/24')
}
