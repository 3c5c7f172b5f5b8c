/** Ports of servers that tests start. */
import { createServer } from 'node:net'

/** Below the range from which a system takes the ports of outgoing connections: none of those is in the way later. */
const FROM = 20_000
const COUNT = 12_000

const canListen = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })

/** A port that nothing listens on. It is drawn, so that several runs on one machine do not take the same. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FROM + Math.floor(Math.random() * COUNT)
    if (await canListen(port)) return port
  }
}
