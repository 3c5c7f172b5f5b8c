/** HTTP servers that stand in for others in tests. */
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * Listens on a free port of this machine; resolves to the address, without a slash at its end. A connection
 * that nobody uses stays open: on a busy machine a server that closes it may meet the next request on its
 * way, which then fails.
 */
export async function listenHere(server: Server): Promise<string> {
  server.keepAliveTimeout = 0
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
