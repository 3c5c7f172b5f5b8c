import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { openTestRedis, type TestRedis } from '../../testing/nodes/redis.ts'
import { openLog } from '../log.ts'
import { openRedis, type Redis } from '../redis/redis.ts'
import { alone, type Nodes, openNodes } from './nodes.ts'

let server: TestRedis
const open: { nodes: Nodes; redis: Redis }[] = []
const log = openLog('quiet')
log.level = 'silent'

beforeAll(async () => {
  server = await openTestRedis()
})
afterAll(() => server?.close())
afterEach(() => {
  for (const { nodes, redis } of open.splice(0)) {
    nodes.close()
    redis.close()
  }
})

function openNode(prefix = 'test:', address = server.address): Nodes {
  const redis = openRedis(address, log)
  const nodes = openNodes({ redis, prefix, log })
  open.push({ nodes, redis })
  return nodes
}

const soon = { timeout: 60_000, interval: 10 }

/** Nodes that know each other. */
async function meet(count: number, prefix?: string): Promise<Nodes[]> {
  const nodes = Array.from({ length: count }, () => openNode(prefix))
  await vi.waitUntil(() => nodes.every((node) => node.others().length === count - 1), soon)
  return nodes
}

describe('nodes', () => {
  it('a single node asks nobody and is always connected', async () => {
    const node = alone()
    expect(await node.request('another', 'who', null, 10_000)).toBeNull()
    expect(node.isConnected()).toBe(true)
  })

  it('without a reachable Redis a node neither waits nor ends, and is not connected', async () => {
    const node = openNode('test:', { isCluster: false, urls: ['redis://127.0.0.1:1'] })
    node.broadcast('greeting', 'into the dark')
    expect(await node.request('another', 'who', null, 10_000)).toBeNull()
    expect(node.isConnected()).toBe(false)
  })

  it('a broadcast reaches all other nodes and not its sender', async () => {
    const nodes = await meet(3)
    const received: string[] = []
    nodes.forEach((node, index) => {
      node.onMessage('greeting', (body, from) => received.push(`${index} receives ${body} from ${from}`))
    })
    nodes[0]?.broadcast('greeting', '你好')
    await vi.waitUntil(() => received.length === 2, soon)
    expect(received.toSorted()).toEqual([
      `1 receives 你好 from ${nodes[0]?.id}`,
      `2 receives 你好 from ${nodes[0]?.id}`,
    ])
  })

  it('two systems on one Redis are separate', async () => {
    const [ours] = await meet(2, 'ours:')
    const [theirs] = await meet(2, 'theirs:')
    expect(ours?.others()).toHaveLength(1)
    expect(theirs?.others()).not.toContain(ours?.id)
  })

  it('a request reaches the one node that is asked, whose answer may be null', async () => {
    const [asks, other, knows] = await meet(3)
    const heard = vi.fn(async () => ({ knows: 'everything' }))
    other?.onRequest('who', heard)
    knows?.onRequest('who', async (body) => (body === 'me' ? { knows: body } : null))
    const { id = '' } = knows ?? {}
    expect(await asks?.request(id, 'who', 'me', 10_000)).toEqual({ knows: 'me' })
    expect(await asks?.request(id, 'who', 'you', 10_000)).toBeNull()
    expect(await asks?.request(id, 'nobody answers this', null, 10_000)).toBeNull()
    expect(heard).not.toHaveBeenCalled()
  })

  it('a failing handler counts as no answer', async () => {
    const [asks, fails] = await meet(2)
    fails?.onRequest('who', () => Promise.reject(new Error('out of order')))
    expect(await asks?.request(fails?.id ?? '', 'who', null, 10_000)).toBeNull()
  })

  it('a node that leaves is gone at once, a silent one soon after, and what was asked of it ends', async () => {
    const [stays, leaves, dies] = await meet(3)
    const gone: string[] = []
    stays?.onChange((id, isHere) => isHere || gone.push(id))
    dies?.onRequest('who', () => new Promise(() => undefined))
    const ask = () => stays?.request(dies?.id ?? '', 'who', null, 600_000)
    const asked = ask()
    leaves?.close()
    await vi.waitUntil(() => gone.includes(leaves?.id ?? ''), soon)
    open.find(({ nodes }) => nodes === dies)?.redis.close()
    await vi.waitUntil(() => gone.includes(dies?.id ?? ''), soon)
    expect(stays?.others()).toEqual([])
    expect(await asked).toBeNull()
    expect(await ask()).toBeNull()
  })

  it('a killed Redis is noticed, and used again when it is back', async () => {
    const [one, two] = await meet(2)
    await server.kill()
    await vi.waitUntil(() => !one?.isConnected() && !two?.isConnected(), soon)
    expect(await one?.request(two?.id ?? '', 'who', null, 10_000)).toBeNull()
    await server.start()
    await vi.waitUntil(() => one?.isConnected() && two?.isConnected(), soon)
    const received: unknown[] = []
    two?.onMessage('greeting', (body) => received.push(body))
    await vi.waitUntil(() => {
      one?.broadcast('greeting', 1)
      return received.length > 0
    }, soon)
  })

  it('a hanging Redis is noticed, and used again when it answers', async () => {
    const [one] = await meet(2)
    server.hang()
    await vi.waitUntil(() => !one?.isConnected(), soon)
    server.resume()
    await vi.waitUntil(() => one?.isConnected(), soon)
  })
})
