// A hundred thousand connections of one node on which nothing happens, or as many as a process may have
// here: memory of each, and what their heartbeats cost.
import { setTimeout as sleep } from 'node:timers/promises'
import { Child, filesMax } from './gateway.ts'
import { report, startMeasuring } from './kit/figures.ts'

const CONNECTIONS = 100_000
/** What a process has open beside its connections. */
const OTHER_FILES = 500
/** They are opened in parts, so that no answer takes too long. */
const PART = 5_000
/** Each has some 28 000 ports. */
const ADDRESSES = 8
const REST_MS = 30_000

export async function run(): Promise<void> {
  const count = Math.min(CONNECTIONS, filesMax() - OTHER_FILES)
  if (count < CONNECTIONS)
    console.log(`A process may have ${count} connections here: raise the limit of open files.`)
  const [server, clients] = [new Child('server', 'compressed'), new Child('clients')]
  try {
    await clients.started()
    await server.started()
    const { port } = server
    const empty = await server.ask({ ask: 'memory' })
    const began = performance.now()
    for (let from = 1; from <= count; from += PART) {
      const part = Math.min(PART, count - from + 1)
      await clients.ask({ ask: 'open', port, from, count: part, compress: 1, addresses: ADDRESSES })
    }
    while ((await server.ask({ ask: 'connections' })) < count) await sleep(100)
    console.log(`${count} connections opened in ${((performance.now() - began) / 1_000).toFixed(0)} s`)
    const full = await server.ask({ ask: 'memory' })
    report({
      name: `memory of an idle connection among ${count}`,
      value: (full - empty) / count / 1_024,
      unit: 'KiB',
    })
    await clients.ask({ ask: 'ping evenly', port })
    await server.ask({ ask: 'rest', forMs: REST_MS })
    startMeasuring()
    const cpu = await server.ask({ ask: 'rest', forMs: REST_MS })
    report({
      name: `heartbeats of ${count} connections, of one processor`,
      value: (100 * cpu) / 1_000 / REST_MS,
      unit: '%',
    })
  } finally {
    for (const child of [clients, server]) child.end()
  }
}
