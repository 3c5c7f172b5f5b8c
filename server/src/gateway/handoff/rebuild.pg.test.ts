/** A session moves between nodes that share only the database. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ChannelId, GuildId, UserId } from '@guildhall/wire/id.ts'
import { memberIdentityUpdated, selfJoined } from '@guildhall/wire/member/event.ts'
import type { NumberDialect } from '@guildhall/wire/message/kind.ts'
import { sendToChannel } from '@guildhall/wire/message/message.ts'
import { readMarkUpdated } from '@guildhall/wire/message/readMark.ts'
import { HOUR_MS } from '@guildhall/wire/unit.ts'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { audienceFacts, createChannel } from '../../channel/channel.ts'
import { commit } from '../../kit/events/events.ts'
import { ids } from '../../kit/ids.ts'
import { membershipsOf } from '../../member/member.ts'
import { memberRoles } from '../../role/role.ts'
import { openWorld, type TestWorld } from '../../testing/world.ts'
import { type Gateway, openGateway } from '../gateway.ts'
import { REPLAY_MS } from '../transport/transport.ts'
import { openSessionStore, trimJournals } from './sessionStore.ts'
import { readJournal, writePage } from './sql.ts'

let world: TestWorld
let demo: GuildId
let grand: GuildId
let there: ChannelId
let person: UserId
beforeAll(async () => {
  world = await openWorld()
  demo = world.guilds[0]?.id as GuildId
  grand = world.guilds[2]?.id as GuildId
  there = world.channels.find((each) => each.guild_id === grand && each.type === 1)?.id as ChannelId
  person = world.people.owner.id
})
afterAll(() => world.close())

const db = () => world.database.db
const clock = { now: Date.now() }

interface Node {
  readonly id: string
  readonly gateway: Gateway
  readonly address: string
  /**
   * Ends the node: its sessions and unwritten pages are lost. A page that is on its way to the database
   * arrives first: it says that the node was there a moment ago.
   */
  kill(): Promise<void>
  /** It receives no events for a while, as if it were very slow. */
  deaf: boolean
  close(): Promise<void>
}

const nodes: Node[] = []
afterEach(async () => {
  for (const node of nodes.splice(0)) await node.close()
})

async function openNode(dialect: NumberDialect = 'specification'): Promise<Node> {
  const server = createServer()
  const id = ids.uuid()
  const store = openSessionStore(db(), id)
  let isDead = false
  let writing: Promise<unknown> = Promise.resolve()
  const never = new Promise<never>(() => undefined)
  const gateway = openGateway(server, {
    readToken: (token) => ({ userId: token as UserId, loginId: `login of ${token}`, dialect }),
    isLoginAlive: async () => true,
    membershipsOf: (userId) => membershipsOf(db(), userId),
    rolesOf: (guildId, userId) => memberRoles(db(), guildId, userId),
    factsOf: (guildId) => audienceFacts(db(), guildId),
    uuid: ids.uuid,
    now: () => clock.now,
    sessionStore: {
      ...store,
      write(page) {
        if (isDead) return never
        const written = store.write(page)
        writing = Promise.allSettled([writing, written])
        return written
      },
      requestRelease: async (sessionId, holder) => {
        await nodes.find((each) => each.id === holder)?.gateway.releaseSession(sessionId)
      },
    },
    log: { warn() {}, error() {} },
  })
  const leave = world.app.appContext.bus.subscribe((event) => {
    if (isDead || node.deaf) return
    if (event.to === 'guild') gateway.guildEvent(event)
    else gateway.personEvent(event)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const node: Node = {
    id,
    gateway,
    address: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/gateway?compress=0&token=${person}`,
    deaf: false,
    async kill() {
      isDead = true
      nodes.splice(nodes.indexOf(node), 1)
      leave()
      server.closeAllConnections()
      for (const client of clients) if (client.node === node) client.socket.terminate()
      server.close()
      await writing
    },
    async close() {
      leave()
      await gateway.close()
      server.close()
    },
  }
  nodes.push(node)
  return node
}

interface Frame {
  readonly s: number
  readonly sn?: number
  readonly d?: {
    readonly code?: number
    readonly session_id?: string
    readonly content?: string
    readonly target_id?: string
    readonly extra?: { readonly type?: unknown; readonly body?: { readonly guild_id?: string } }
  }
}

interface Client {
  readonly node: Node
  readonly socket: WebSocket
  readonly frames: Frame[]
  until(fits: (frame: Frame) => boolean): Promise<Frame>
}
const clients: Client[] = []

async function connect(node: Node, query = ''): Promise<Client> {
  const socket = new WebSocket(node.address + query)
  const frames: Frame[] = []
  const waiting = new Set<() => void>()
  socket.on('message', (data) => {
    frames.push(JSON.parse(String(data)))
    for (const wake of waiting) wake()
  })
  socket.on('error', () => undefined)
  const client: Client = {
    node,
    socket,
    frames,
    async until(fits) {
      for (;;) {
        const found = frames.find(fits)
        if (found) return found
        await new Promise<void>((wake) => waiting.add(wake))
      }
    },
  }
  clients.push(client)
  return client
}

const isHello = ({ s }: Frame) => s === 1
const receiveUpTo = (client: Client, sn: number) => client.until((frame) => frame.sn === sn)
const received = (client: Client) =>
  client.frames.filter(({ s }) => s === 0).map(({ d, sn }) => `${sn} ${d?.content}`)
const resume = (node: Node, id: string | undefined, sn: number) =>
  connect(node, `&resume=1&sn=${sn}&session_id=${id}`)
async function open(node: Node): Promise<{ client: Client; id: string }> {
  const client = await connect(node)
  const { d } = await client.until(isHello)
  return { client, id: d?.session_id as string }
}
/** Waits until a session is stored with at least this `sn`. */
async function written(id: string, sn = 0): Promise<void> {
  for (;;) {
    const { rows } = await sql`select 1 from line_session where id = ${id} and sn >= ${sn}`.execute(db())
    if (rows.length > 0) return
  }
}
/** Waits until a node's journal has the last event of a guild. */
async function passed(node: Node, guildId: GuildId): Promise<void> {
  for (;;) {
    const { rows } = await sql`
      select 1 from line_place join guild_counter on topic = 'guild:' || guild_id
      where node_id = ${node.id} and guild_id = ${guildId} and seq = event_seq`.execute(db())
    if (rows.length > 0) return
  }
}
const sendText = async (content: string, id = world.main.id): Promise<void> => {
  await world.as('owner').call(sendToChannel, { id, content: JSON.stringify({ content }) })
}

describe('a session cannot be taken over', () => {
  it('when it belongs to somebody else', async () => {
    const [first, second] = [await openNode(), await openNode()]
    const { id } = await open(first)
    await written(id)
    const thief = await connect(
      { ...second, address: second.address.replace(/token=\d+/, 'token=1') },
      `&resume=1&sn=0&session_id=${id}`,
    )
    expect(await thief.until(({ s }) => s === 5)).toMatchObject({ d: { code: 40107 } })
  })

  it('when it is unknown', async () => {
    const node = await openNode()
    for (const id of [ids.uuid(), 'no session']) {
      const client = await resume(node, id, 0)
      expect(await client.until(({ s }) => s === 5)).toMatchObject({ d: { code: 40107 } })
    }
  })

  it('when its node has been gone for more than five minutes', async () => {
    const [first, second] = [await openNode(), await openNode()]
    const { id } = await open(first)
    await written(id)
    await first.kill()
    await sql`update line_node set seen_at = seen_at - ${6 * 60_000} where id = ${first.id}`.execute(db())
    await sql`update line_session set lost_at = lost_at - ${6 * 60_000} where id = ${id}`.execute(db())
    const client = await resume(second, id, 0)
    expect(await client.until(({ s }) => s === 5)).toMatchObject({ d: { code: 40107 } })
  })

  it('when the client’s sn is greater than possible', async () => {
    const [first, second] = [await openNode(), await openNode()]
    const { id } = await open(first)
    await written(id)
    await first.kill()
    const client = await resume(second, id, 3)
    expect(await client.until(({ s }) => s === 5)).toMatchObject({ d: { code: 40108 } })
  })

  it('when the database lost a page of the journal in a crash and later pages are there', async () => {
    const [first, second] = [await openNode(), await openNode()]
    const { client, id } = await open(first)
    await written(id)
    for (const [at, word] of ['一', '二', '三'].entries()) {
      await sendText(word)
      await receiveUpTo(client, at + 1)
      await passed(first, demo)
    }
    await first.kill()
    const { rows } = await sql<{ no: string }>`
      select no from line_journal where node_id = ${first.id} and cardinality(topics) > 0 order by no`.execute(
      db(),
    )
    expect(rows.length).toBeGreaterThan(2)
    await sql`delete from line_journal where node_id = ${first.id} and no = ${rows.at(-2)!.no}::bigint`.execute(
      db(),
    )
    const again = await resume(second, id, 0)
    expect(await again.until(({ s }) => s === 5 || s === 6)).toMatchObject({ s: 5, d: { code: 40108 } })
  })

  it('when rules changed meanwhile, so that it is unknown what the client received', async () => {
    const [first, second] = [await openNode(), await openNode()]
    const { id } = await open(first)
    await written(id)
    await first.kill()
    await commit(world.app.appContext, (tx, emit) =>
      createChannel(tx, emit, { guildId: demo, name: '新频道', type: 1 }),
    )
    const client = await resume(second, id, 0)
    expect(await client.until(({ s }) => s === 5)).toMatchObject({ d: { code: 40108 } })
  })
})

describe('a session whose node was killed', () => {
  it('continues at another: received events are not sent again, missed ones are', async () => {
    const [first, second] = [await openNode(), await openNode()]
    const { client, id } = await open(first)
    await written(id)
    await sendText('一')
    await sendText('二')
    await receiveUpTo(client, 2)
    await passed(first, demo)
    await first.kill()
    await sendText('三')
    const again = await resume(second, id, 1)
    await again.until(({ s }) => s === 6)
    await sendText('四')
    await receiveUpTo(again, 4)
    expect(again.frames[0]).toMatchObject({ s: 1, d: { code: 0, session_id: id } })
    expect(received(again)).toEqual(['2 二', '3 三', '4 四'])
  })

  it('continues also when the last moments were not recorded', async () => {
    const [first, second] = [await openNode(), await openNode()]
    const { client, id } = await open(first)
    await written(id)
    await sendText('一')
    await sendText('二')
    await receiveUpTo(client, 2)
    await first.kill()
    const again = await resume(second, id, 1)
    await again.until(({ s }) => s === 6)
    expect(received(again)).toEqual(['2 二'])
  })

  it('continues from before its last mark', async () => {
    const [first, second] = [await openNode(), await openNode()]
    const { client, id } = await open(first)
    await written(id)
    for (const word of ['一', '二', '三']) await sendText(word)
    await receiveUpTo(client, 3)
    client.socket.close()
    await written(id, 3)
    await sendText('四')
    await passed(first, demo)
    await first.kill()
    const again = await resume(second, id, 1)
    await again.until(({ s }) => s === 6)
    expect(received(again)).toEqual(['2 二', '3 三', '4 四'])
  })

  it('receives the events of two guilds in their former order, as far as it was recorded', async () => {
    const [first, second] = [await openNode(), await openNode()]
    const { client, id } = await open(first)
    await written(id)
    for (const [word, where] of [
      ['甲一', world.main.id],
      ['乙一', there],
      ['甲二', world.main.id],
      ['乙二', there],
    ] as const)
      await sendText(word, where)
    await receiveUpTo(client, 4)
    await Promise.all([passed(first, demo), passed(first, grand)])
    await first.kill()
    const again = await resume(second, id, 2)
    await again.until(({ s }) => s === 6)
    expect(received(again)).toEqual(received(client).slice(2))
  })

  it('may be resumed on a second connection during the takeover: the later one gets it', async () => {
    const [first, second] = [await openNode(), await openNode()]
    const { client, id } = await open(first)
    await written(id)
    await sendText('一')
    await receiveUpTo(client, 1)
    await first.kill()
    await sendText('二')
    const both = await Promise.all([resume(second, id, 1), resume(second, id, 1)])
    await Promise.all(both.map((each) => each.until(({ s }) => s === 6)))
    await sendText('三')
    const last = await Promise.race(both.map((each) => receiveUpTo(each, 3).then(() => each)))
    expect(received(last)).toEqual(['2 二', '3 三'])
    expect(both.flatMap(({ frames }) => frames.filter(({ s }) => s === 5))).toEqual([])
  })

  it('may be taken over twice, node after node', async () => {
    const [first, second, third] = [await openNode(), await openNode(), await openNode()]
    const { id } = await open(first)
    await written(id)
    await first.kill()
    await sendText('一')
    const again = await resume(second, id, 0)
    await again.until(({ s }) => s === 6)
    await written(id, 1)
    await passed(second, demo)
    await second.kill()
    await sendText('二')
    const last = await resume(third, id, 1)
    await last.until(({ s }) => s === 6)
    expect(received(last)).toEqual(['2 二'])
  })

  it('receives personal and guild events once each, also those that arrive during the takeover', async () => {
    const [first, second] = [await openNode(), await openNode()]
    const { id } = await open(first)
    await written(id)
    await first.kill()
    const noted = (guildId: string) =>
      commit(world.app.appContext, async (_tx, emit) =>
        emit.person(person, selfJoined, { guild_id: guildId as GuildId }),
      )
    await noted('1')
    const coming = resume(second, id, 0)
    await Promise.all([noted('2'), sendText('三'), noted('4'), sendText('五')])
    const again = await coming
    await receiveUpTo(again, 5)
    await noted('6')
    await receiveUpTo(again, 6)
    const own = again.frames
      .filter(({ d }) => d?.extra?.type === selfJoined.name)
      .map(({ d }) => d?.extra?.body?.guild_id)
    expect(own.toSorted()).toEqual(['1', '2', '4', '6'])
    expect(own.at(-1)).toBe('6')
    expect(received(again)).toHaveLength(6)
  })
})

describe('the connection of a bot whose node was killed', () => {
  it('continues with the right numbers after events that bots do not receive', async () => {
    const [first, second] = [await openNode('public'), await openNode('public')]
    const { client, id } = await open(first)
    await written(id)
    const renamed = () =>
      commit(world.app.appContext, async (_tx, emit) => {
        const face = { user_id: person, username: '新名', identify_num: '0001', avatar: '', vip_avatar: '' }
        emit.guild(demo, memberIdentityUpdated, { ...face, nickname: '新名' })
        emit.person(person, readMarkUpdated, { guild_id: demo, channel_id: world.main.id, read_seq: 1 })
      })
    await sendText('一')
    await renamed()
    await sendText('二')
    await receiveUpTo(client, 2)
    await passed(first, demo)
    await first.kill()
    await renamed()
    await sendText('三')
    const again = await resume(second, id, 1)
    await again.until(({ s }) => s === 6)
    await renamed()
    await sendText('四')
    await receiveUpTo(again, 4)
    expect(received(again)).toEqual(['2 二', '3 三', '4 四'])
  })
})

describe('under load, however often nodes are killed', () => {
  it('a session of a busy guild continues each time and receives every message once, in order', async () => {
    let node = await openNode()
    const start = await open(node)
    await written(start.id)
    let { client } = start
    const got: string[] = []
    let sn = 0
    const take = () => {
      for (const frame of client.frames.splice(0)) {
        if (frame.s === 5) throw new Error(`asked to start over: ${JSON.stringify(frame)}`)
        if (frame.s !== 0 || frame.sn! <= sn) continue
        expect(frame.sn).toBe(sn + 1)
        sn += 1
        got.push(frame.d?.content as string)
      }
    }
    let sent = 0
    for (let round = 0; round < 10; round += 1) {
      const burst = Array.from({ length: 5 + round * 3 }, () => {
        sent += 1
        return sendText(`第${sent}句`)
      })
      // Somewhere in the middle of it, at another moment each time.
      await burst[round]
      take()
      await node.kill()
      node = await openNode()
      client = await resume(node, start.id, sn)
      await client.until(({ s }) => s === 6 || s === 5)
      take()
      await Promise.all(burst)
      await written(start.id, sn)
    }
    while (sn < sent) {
      await new Promise((done) => setTimeout(done, 5))
      take()
    }
    const { rows } = await sql<{ content: string }>`
      select content from message where channel_id = ${world.main.id} order by seq desc limit ${sent}`.execute(
      db(),
    )
    expect(got).toEqual(rows.map(({ content }) => content).reverse())
  })
})

describe('a session that moves while its node runs', () => {
  it('is released there and continues here, with the messages of the meantime', async () => {
    const [first, second] = [await openNode(), await openNode()]
    const { client, id } = await open(first)
    await sendText('一')
    await receiveUpTo(client, 1)
    const closed = new Promise((done) => client.socket.on('close', done))
    const again = await resume(second, id, 1)
    await again.until(({ s }) => s === 6)
    expect(await closed).toBe(4000)
    await sendText('二')
    await receiveUpTo(again, 2)
    expect(received(again)).toEqual(['2 二'])
    expect(await first.gateway.releaseSession(id)).toBe(false)
  })

  it('is dropped by a node that finds it claimed', async () => {
    const [first, second] = [await openNode(), await openNode()]
    const { client, id } = await open(first)
    await written(id)
    const closed = new Promise((done) => client.socket.on('close', done))
    await sql`update line_session set node_id = ${second.id} where id = ${id}`.execute(db())
    client.socket.terminate()
    await closed
    for (;;) {
      const again = await resume(first, id, 0)
      const { d } = await again.until(({ s }) => s !== 0)
      if (d?.code === 40107) break
    }
  })
})

it('a node that shuts down in order stores every session', async () => {
  const first = await openNode()
  const { client, id } = await open(first)
  await sendText('一')
  await receiveUpTo(client, 1)
  await first.gateway.close()
  const second = await openNode()
  await sendText('二')
  const again = await resume(second, id, 1)
  await again.until(({ s }) => s === 6)
  expect(received(again)).toEqual(['2 二'])
})

describe('pages that were written while a clock was wrong', () => {
  const topic = 'guild:1' as const
  /** Three pages of one event each; the second says that it is two hours old. */
  const threePages = async (): Promise<string> => {
    const nodeId = ids.uuid()
    for (const no of [1, 2, 3])
      await writePage(db(), {
        nodeId,
        no,
        at: clock.now,
        bases: new Map(),
        marks: [],
        ended: [],
        ranges: [{ topic, from: no, to: no }],
      })
    await sql`update line_journal set at = at - ${2 * HOUR_MS} where node_id = ${nodeId} and no = 2`.execute(
      db(),
    )
    return nodeId
  }
  const read = async (whole: number) => {
    const query = { nodeId: await threePages(), topics: [topic], after: 0, whole, withinMs: REPLAY_MS }
    return (await readJournal(db(), query)).ranges.map(({ no }) => no)
  }

  it('leave no hole: what is before them is not read either', async () => {
    expect(await read(3)).toEqual([3])
  })

  it('are read when the session’s position is before them: its client has not received them', async () => {
    expect(await read(1)).toEqual([1, 2, 3])
  })
})

it('expired journals are deleted, and current ones stay', async () => {
  const [first, second] = [await openNode(), await openNode()]
  const { id } = await open(first)
  await written(id)
  await first.kill()
  for (const [table, column] of [
    ['line_journal', 'at'],
    ['line_node', 'seen_at'],
  ] as const)
    await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${sql.ref(column)} - ${20 * 60_000}`.execute(
      db(),
    )
  const { id: alive } = await open(second)
  await written(alive)
  await trimJournals(db(), 8 * 60_000)
  const { rows } = await sql<{
    id: string
  }>`select id from line_session where id = any(${[id, alive]}::uuid[])`.execute(db())
  expect(rows.map((row) => row.id)).toEqual([alive])
})
