/** The address of who makes a request, behind proxies too. */
import type { IncomingMessage } from 'node:http'
import proxyAddr from '@fastify/proxy-addr'

/**
 * A function that finds the address of a client. Anyone who reaches the port can write X-Forwarded-For: only
 * the named proxies are believed, as in calls.
 */
export function clientAddresses(trustedProxies: readonly string[]): (request: IncomingMessage) => string {
  if (trustedProxies.length === 0) return ({ socket }) => socket.remoteAddress ?? ''
  const trusts = proxyAddr.compile([...trustedProxies])
  return (request) => proxyAddr(request, trusts)
}
