/** The network between one phone and the server, which a test can break and restore. */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface Network {
  readonly url: string
  /** Breaks all connections, also new ones. */
  cut(): void
  mend(): void
  /** Existing connections silently carry nothing from now on; new connections work. */
  stall(): void
  /**
   * A black hole until `mend`: connections are accepted and carry nothing, and none is closed, not even
   * afterwards.
   */
  swallow(): void
  close(): Promise<void>
}

export async function openNetwork(serverUrl: string): Promise<Network> {
  const { hostname, port } = new URL(serverUrl)
  const open = new Set<Socket>()
  let isCut = false
  let isSwallowing = false
  const server = createServer((near) => {
    if (isCut) return near.resetAndDestroy()
    if (isSwallowing) {
      open.add(near)
      near.on('error', () => near.destroy())
      near.on('close', () => open.delete(near))
      near.resume()
      return
    }
    const far = connect(Number(port), hostname)
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(socket)
      socket.on('error', () => other.destroy())
      socket.on('close', () => {
        open.delete(socket)
        other.destroy()
      })
      socket.pipe(other)
    }
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const stall = () => {
    for (const socket of open) {
      socket.unpipe()
      socket.resume()
    }
  }
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut() {
      isCut = true
      for (const socket of open) socket.resetAndDestroy()
    },
    stall,
    swallow() {
      isSwallowing = true
      stall()
    },
    mend() {
      isCut = false
      isSwallowing = false
    },
    async close() {
      for (const socket of open) socket.destroy()
      await new Promise((done) => server.close(done))
    },
  }
}
