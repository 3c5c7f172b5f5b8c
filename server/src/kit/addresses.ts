/** Lists of network addresses. */
import { BlockList, isIPv6 } from 'node:net'

/** A predicate for these addresses and networks in CIDR notation. */
export function listed(networks: readonly string[]): (ip: string) => boolean {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return (ip) => list.check(ip, isIPv6(ip) ? 'ipv6' : 'ipv4')
}
