import { createServer } from 'node:http'
import { type AddressInfo, connect as connectTcp, type Socket } from 'node:net'
import { inflateSync } from 'node:zlib'
import type { ChannelId, GuildId, MessageId, UserId } from '@guildhall/wire/id.ts'
import { DEFAULT_EVERYONE, permission } from '@guildhall/wire/permission/permission.ts'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import type { GuildEvent } from '../kit/events/bus.ts'
import type { GatewayMetrics } from '../kit/metrics/gateway.ts'
import { TRANSPORTS } from '../testing/gateway.ts'
import { orReport } from '../testing/waitLimit.ts'
import { closeCode } from './closeCode.ts'
import { type Gateway, openGateway } from './gateway.ts'
import { PERSON_SESSIONS_MAX } from './limit.ts'
import type { GatewayLimits, GatewayPorts } from './ports.ts'
import type { GuildFacts } from './visibility.ts'

const guild = '10' as GuildId
const open = '20' as ChannelId
const secret = '21' as ChannelId
const owner = '1' as UserId
const member = '2' as UserId
const outsider = '3' as UserId

/**
 * A small server behind the gateway: rules that can change, a log that can be read, and logins that can end.
 */
function openBackend() {
  const log: GuildEvent[] = []
  const members = new Map<UserId, number[]>([
    [owner, []],
    [member, []],
  ])
  const dead = new Set<string>()
  const deleted = new Set<ChannelId>()
  const state = {
    secretAllow: 0,
    /** The permissions of role 7. */
    keyRole: 0,
    /** What a role allows in the secret channel. */
    keyAllow: 0,
    now: 1_000,
    failures: 0,
    /** Replaces `factsOf`. */
    read: null as GatewayPorts['factsOf'] | null,
    /** Replaces `membershipsOf`. */
    readMemberships: null as GatewayPorts['membershipsOf'] | null,
  }
  const facts = (): GuildFacts => ({
    guild_id: guild,
    owner_id: owner,
    seq: log.length,
    roles: [
      { role_id: 0, permissions: DEFAULT_EVERYONE },
      { role_id: 7, permissions: state.keyRole },
    ],
    channels: [
      { id: open, rules: [], users: [] },
      {
        id: secret,
        rules: [
          { role_id: 0, allow: state.secretAllow, deny: state.secretAllow ? 0 : permission.view_channel },
          { role_id: 7, allow: state.keyAllow, deny: 0 },
        ],
        users: [],
      },
    ].filter(({ id }) => !deleted.has(id)),
  })
  let count = 0
  const ports: GatewayPorts = {
    readToken: (token) => {
      if (token === 'old') return 'expired'
      if (!/^\d+$/.test(token)) return 'bad'
      return { userId: token as UserId, loginId: `login of ${token}` }
    },
    isLoginAlive: async (loginId) => !dead.has(loginId),
    membershipsOf: async (userId) => {
      const roles = members.get(userId)
      return roles ? [{ guild_id: guild, roles }] : []
    },
    rolesOf: async (_guild, userId) => members.get(userId) ?? null,
    factsOf: async () => facts(),
    channelForms: async (_guild, ids) => new Map(ids.map((id) => [id, { id, guild_id: guild, name: '密' }])),
    uuid: () => {
      count += 1
      return `00000000-0000-4000-8000-${String(count).padStart(12, '0')}`
    },
    now: () => state.now,
    openTransport: (options) => implementation.open(options),
    log: {
      warn: () => {},
      error: () => {
        state.failures += 1
      },
    },
  }
  /** Writes to the log and returns what the bus would carry. */
  const write = (kind: string, channelId: ChannelId | null, body: unknown): GuildEvent => {
    const event: GuildEvent = {
      to: 'guild',
      guildId: guild,
      seq: log.length + 1,
      kind,
      channelId,
      body,
      at: state.now,
    }
    log.push(event)
    return event
  }
  const send = (content: string, channelId = open) =>
    write('message', channelId, {
      channel: { name: '闲聊', type: 1 },
      message: {
        id: '26af7ebe-0000-4000-8000-000000000001' as MessageId,
        channel_id: channelId,
        guild_id: guild,
        type: 9,
        content,
        create_at: state.now,
        author: { id: owner, nickname: '小满' },
        nonce: '',
        kmarkdown: { raw_content: content, channel_part: [] },
        seq: log.length + 1,
      },
    })
  return { ports, members, dead, deleted, state, write, send }
}

const server = createServer()
let implementation = TRANSPORTS[0]!
let world: ReturnType<typeof openBackend>
let gateway: Gateway
const clients: WebSocket[] = []
/** The sockets of the server, the newest last. */
let ends: Socket[] = []
server.on('connection', (socket) => ends.push(socket))

beforeEach(async () => {
  world = openBackend()
  ends = []
  const { ports, state } = world
  gateway = openGateway(server, {
    ...ports,
    factsOf: (guildId) => (state.read ?? ports.factsOf)(guildId),
    membershipsOf: (userId) => (state.readMemberships ?? ports.membershipsOf)(userId),
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
})

afterEach(async () => {
  for (const client of clients.splice(0)) client.terminate()
  await gateway.close()
  await new Promise((done) => server.close(done))
})

/** Opens the gateway again with other limits or ports. */
async function reopen(limits: Partial<GatewayLimits>, ports: Partial<GatewayPorts> = {}) {
  await gateway.close()
  gateway = openGateway(server, { ...world.ports, ...ports }, limits)
}

interface Frame {
  s: number
  sn?: number
  d?: { code?: number; session_id?: string; sessionId?: string; content?: string; extra?: { type?: unknown } }
}

/** A client that collects frames and can wait for the next ones. */
async function connect(query: string) {
  const { port } = server.address() as AddressInfo
  const socket = new WebSocket(`ws://127.0.0.1:${port}/gateway?${query}`)
  clients.push(socket)
  const frames: Frame[] = []
  let wake = () => {}
  const closed = new Promise<number>((done) => socket.on('close', (code) => done(code)))
  socket.on('message', (data: Buffer, binary) => {
    frames.push(JSON.parse(binary ? inflateSync(data).toString() : data.toString()))
    wake()
  })
  const next = async (): Promise<Frame> => {
    while (frames.length === 0) {
      const arrival = new Promise<void>((done) => {
        wake = done
      })
      await orReport(arrival, () => 'no further frame')
    }
    return frames.shift()!
  }
  return { socket, frames, next, closed, send: (frame: object) => socket.send(JSON.stringify(frame)) }
}

/** Collects frames up to a pong: everything sent before it has arrived. */
async function settled(client: Awaited<ReturnType<typeof connect>>): Promise<string[]> {
  client.send({ s: 2 })
  const texts: string[] = []
  for (;;) {
    const frame = await client.next()
    if (frame.s === 3) return texts
    texts.push(
      frame.d?.content === '[系统消息]'
        ? `${frame.sn}:${frame.d.extra?.type}`
        : `${frame.sn}:${frame.d?.content}`,
    )
  }
}

describe.each(TRANSPORTS)('on the $name transport', (transport) => {
  beforeAll(() => {
    implementation = transport
  })

  describe('a connection is refused', () => {
    it.each([
      ['without a token', 'compress=0', 1, 40100],
      ['with an unknown token', 'compress=0&token=x', 1, 40101],
      ['with an expired token', 'compress=0&token=old', 1, 40103],
      ['when it resumes without sn', 'compress=0&token=1&resume=1&session_id=a', 5, 40106],
      ['when it resumes without a session', 'compress=0&token=1&resume=1&sn=1', 5, 40106],
      ['when it resumes an unknown session', 'compress=0&token=1&resume=1&sn=1&session_id=a', 5, 40107],
    ])('%s', async (_why, query, s, code) => {
      const client = await connect(query)
      expect(await client.next()).toMatchObject({ s, d: { code } })
      expect(await client.closed).toBe(4002)
    })

    it('when its login has ended', async () => {
      world.dead.add('login of 1')
      const client = await connect('compress=0&token=1')
      expect(await client.next()).toEqual({ s: 1, d: { code: 40101 } })
    })

    it('when it resumes somebody else’s session', async () => {
      const mine = await connect('compress=0&token=1')
      const { d } = await mine.next()
      const thief = await connect(`compress=0&token=2&resume=1&sn=0&session_id=${d?.session_id}`)
      expect(await thief.next()).toMatchObject({ s: 5, d: { code: 40107 } })
    })

    it('on any other path', async () => {
      const { port } = server.address() as AddressInfo
      const socket = new WebSocket(`ws://127.0.0.1:${port}/elsewhere?token=1`)
      const message = await new Promise<string>((done) => socket.on('error', (error) => done(error.message)))
      expect(message).toContain('404')
    })
  })

  describe('a connection', () => {
    it('ends with its login, and cannot be resumed', async () => {
      const client = await connect('compress=0&token=2')
      const { d } = await client.next()
      gateway.revoke('login of 2')
      expect(await client.closed).toBe(4001)
      const again = await connect(`compress=0&token=2&resume=1&sn=0&session_id=${d?.session_id}`)
      expect(await again.next()).toMatchObject({ s: 5, d: { code: 40107 } })
    })

    it('never receives events of a channel its user may not view', async () => {
      const client = await connect('compress=0&token=2')
      await client.next()
      gateway.guildEvent(world.send('secret', secret))
      gateway.guildEvent(world.send('open'))
      expect(await settled(client)).toEqual(['1:open'])
    })

    it('of somebody who is not a member receives nothing', async () => {
      const inside = await connect('compress=0&token=2')
      await inside.next()
      const client = await connect('compress=0&token=3')
      await client.next()
      gateway.guildEvent(world.send('open'))
      expect(await settled(client)).toEqual([])
    })

    it('receives a hello with both spellings, numbered events and pongs, plain or compressed', async () => {
      for (const compress of [0, 1]) {
        const client = await connect(`compress=${compress}&token=2`)
        const hello = await client.next()
        expect(hello).toEqual({
          s: 1,
          d: { code: 0, session_id: hello.d?.session_id, sessionId: hello.d?.session_id },
        })
        gateway.guildEvent(world.send('一'))
        gateway.guildEvent(world.send('二'))
        expect(await settled(client)).toEqual(['1:一', '2:二'])
      }
    })

    it('resumes with the same session id, exactly the missed events, and the acknowledgement', async () => {
      const first = await connect('compress=1&token=2')
      const hello = await first.next()
      gateway.guildEvent(world.send('一'))
      await first.next()
      first.socket.terminate()
      await first.closed
      gateway.guildEvent(world.send('二'))
      gateway.guildEvent(world.send('三'))
      const second = await connect(`compress=1&token=2&resume=1&sn=1&sessionId=${hello.d?.session_id}`)
      expect(await second.next()).toEqual(hello)
      expect((await second.next()).sn).toBe(2)
      expect((await second.next()).sn).toBe(3)
      expect(await second.next()).toMatchObject({ s: 6, d: { session_id: hello.d?.session_id } })
      gateway.guildEvent(world.send('四'))
      expect(await settled(second)).toEqual(['4:四'])
    })
  })

  describe('the events of a guild', () => {
    it('that were committed before the subscription are not sent', async () => {
      const early = world.send('early')
      const client = await connect('compress=0&token=2')
      await client.next()
      gateway.guildEvent(early)
      gateway.guildEvent(world.send('late'))
      expect(await settled(client)).toEqual(['1:late'])
    })

    it('reach a person from the moment of joining, and stop at the moment of leaving', async () => {
      const client = await connect('compress=0&token=3')
      await client.next()
      gateway.guildEvent(world.send('before'))
      world.members.set(outsider, [])
      gateway.guildEvent(world.write('joined_guild', null, { user_id: outsider, joined_at: 1 }))
      await expect.poll(() => gateway.onlineCount(guild)).toBe(1)
      gateway.guildEvent(world.send('during'))
      expect((await settled(client)).at(-1)).toMatch(/:during$/)
      world.members.delete(outsider)
      gateway.guildEvent(world.write('exited_guild', null, { user_id: outsider, exited_at: 2 }))
      gateway.guildEvent(world.send('after'))
      await expect.poll(() => gateway.onlineCount(guild)).toBe(0)
      expect(await settled(client)).toEqual([])
    })

    it('that are for moderators reach those alone who moderate the guild, or manage messages in the channel', async () => {
      world.members.set(outsider, [7])
      world.state.keyRole = permission.mute_member
      world.state.keyAllow = permission.view_channel
      const [plain, keeper, first] = [
        await connect('compress=0&token=2'),
        await connect('compress=0&token=3'),
        await connect('compress=0&token=1'),
      ]
      for (const client of [plain, keeper, first]) await client.next()
      gateway.guildEvent(world.write('updated_notes', null, {}))
      gateway.guildEvent(world.write('updated_held', open, {}))
      gateway.guildEvent(world.write('updated_held', '99' as ChannelId, {}))
      gateway.guildEvent(world.send('last'))
      const seen = async (client: typeof plain) => {
        await expect.poll(() => client.frames.some((frame) => frame.d?.content === 'last')).toBe(true)
        return client.frames.flatMap(({ d }) => (d?.extra?.type ? [d.extra.type] : []))
      }
      expect(await seen(plain)).toEqual([9])
      expect(await seen(keeper)).toEqual(['updated_notes', 9])
      expect(await seen(first)).toEqual(['updated_notes', 'updated_held', 9])
      world.state.keyRole = permission.manage_message
      gateway.guildEvent(world.write('updated_role', null, {}))
      gateway.guildEvent(world.write('updated_notes', null, {}))
      gateway.guildEvent(world.write('updated_held', secret, {}))
      await expect.poll(() => keeper.frames.map(({ d }) => d?.extra?.type)).toContain('updated_held')
      expect(keeper.frames.filter(({ d }) => d?.extra?.type === 'updated_notes')).toHaveLength(1)
    })

    it('after a rule change are sent by the new rule, even when the bus is ahead of the database reads', async () => {
      const client = await connect('compress=0&token=2')
      await client.next()
      world.state.secretAllow = permission.view_channel
      gateway.guildEvent(world.write('updated_channel', secret, { id: secret, guild_id: guild }))
      gateway.guildEvent(world.send('seen', secret))
      world.state.secretAllow = 0
      gateway.guildEvent(world.write('updated_channel', secret, { id: secret, guild_id: guild }))
      gateway.guildEvent(world.send('unseen', secret))
      gateway.guildEvent(world.send('last'))
      await expect.poll(() => client.frames.some((frame) => frame.d?.content === 'last')).toBe(true)
      expect((await settled(client)).join()).not.toContain('unseen')
    })

    it('wait for the database when rules cannot be read, and then go out by the rules', async () => {
      const client = await connect('compress=0&token=2')
      await client.next()
      const { factsOf } = world.ports
      let broken = true
      world.state.read = async (guildId) => {
        if (!broken) return factsOf(guildId)
        broken = false
        throw new Error('the database is away')
      }
      world.state.secretAllow = permission.view_channel
      gateway.guildEvent(world.write('updated_channel', secret, { id: secret, guild_id: guild }))
      gateway.guildEvent(world.send('seen', secret))
      await expect.poll(() => client.frames.length).toBe(2)
      expect((await settled(client)).at(-1)).toBe('2:seen')
      expect(world.state.failures).toBe(1)
    })

    it('go out by rules that include everything before the first event that is handed in', async () => {
      const { factsOf } = world.ports
      const outdated = await factsOf(guild)
      world.state.secretAllow = permission.view_channel
      const { seq } = world.write('updated_channel', secret, { id: secret, guild_id: guild })
      let reads = 0
      await reopen(
        {},
        {
          async factsOf(guildId) {
            reads += 1
            return reads === 1 ? outdated : factsOf(guildId)
          },
          topics: {
            watch: async () => undefined,
            // Another watcher of the guild has read its state after the change.
            start: (topic) => (topic === `guild:${guild}` ? seq : 0),
            unwatch: () => undefined,
            catchUp: async () => undefined,
          },
        },
      )
      const client = await connect('compress=0&token=2')
      await client.next()
      gateway.guildEvent(world.send('seen', secret))
      expect((await client.next()).d?.content).toBe('seen')
    })

    it('notify a member who lost access to a channel that it was deleted', async () => {
      world.state.secretAllow = permission.view_channel
      const client = await connect('compress=0&token=2')
      await client.next()
      world.state.secretAllow = 0
      gateway.guildEvent(
        world.write('updated_channel', secret, { id: secret, guild_id: guild, name: 'hidden' }),
      )
      expect((await client.next()).d?.extra).toMatchObject({ type: 'deleted_channel', body: { id: secret } })
    })

    /** The next events of a client. */
    const hear = async (client: Awaited<ReturnType<typeof connect>>, count: number) => {
      const heard = []
      for (let n = 0; n < count; n += 1) heard.push((await client.next()).d)
      return heard
    }
    const namesOf = (heard: Awaited<ReturnType<typeof hear>>) =>
      heard.map((d) => (d?.content === '[系统消息]' ? d.extra?.type : d?.content))
    const change = (kind: string, body: object) => gateway.guildEvent(world.write(kind, null, body))
    const notifyMember = (roles: number[]) => {
      world.members.set(member, roles)
      change('updated_guild_member', { user_id: member, nickname: '', roles })
    }

    it('tell a member that a channel appeared or is gone when a role is granted or revoked, and stop at once', async () => {
      world.state.keyAllow = permission.view_channel
      const client = await connect('compress=0&token=2')
      await client.next()
      notifyMember([7])
      gateway.guildEvent(world.send('seen', secret))
      expect(namesOf(await hear(client, 3))).toEqual(['updated_guild_member', 'added_channel', 'seen'])
      notifyMember([])
      gateway.guildEvent(world.send('unseen', secret))
      gateway.guildEvent(world.send('last'))
      expect(namesOf(await hear(client, 3))).toEqual(['updated_guild_member', 'deleted_channel', 'last'])
    })

    it('tell the members of a role when its permissions or its deletion hide or show channels', async () => {
      world.members.set(member, [7])
      const client = await connect('compress=0&token=2')
      await client.next()
      world.state.keyRole = permission.manage
      change('updated_role', { role_id: 7 })
      const [, added] = await hear(client, 2)
      world.state.keyRole = 0
      change('deleted_role', { role_id: 7 })
      gateway.guildEvent(world.send('unseen', secret))
      const [, gone] = await hear(client, 2)
      change('updated_role', { role_id: 7, name: 'other' })
      expect(namesOf(await hear(client, 1))).toEqual(['updated_role'])
      expect(added?.extra).toMatchObject({ type: 'added_channel', body: { id: secret, name: '密' } })
      expect(gone?.extra).toMatchObject({ type: 'deleted_channel', body: { id: secret } })
      for (const it of [added, gone]) expect(it).toMatchObject({ from_type: 1, channel_type: 'GROUP' })
      expect(await settled(client)).toEqual([])
    })

    it('tell of a channel that a later event shows, whatever event came before it', async () => {
      const client = await connect('compress=0&token=2')
      await client.next()
      // The rules are read when they are changed already, and the event of the change is still to come.
      world.state.secretAllow = permission.view_channel
      change('updated_guild', { name: 'other' })
      gateway.guildEvent(world.send('seen', secret))
      gateway.guildEvent(world.write('updated_channel', secret, { id: secret, guild_id: guild }))
      const heard = await hear(client, 4)
      expect(namesOf(heard)).toEqual(['updated_guild', 'added_channel', 'seen', 'updated_channel'])
    })

    it('tell of another channel that appears or is gone when one is changed, deleted or added', async () => {
      const client = await connect('compress=0&token=2')
      await client.next()
      const about = { id: open, guild_id: guild }
      world.state.secretAllow = permission.view_channel
      gateway.guildEvent(world.write('updated_channel', open, about))
      expect(namesOf(await hear(client, 2))).toEqual(['updated_channel', 'added_channel'])
      world.state.secretAllow = 0
      world.deleted.add(open)
      gateway.guildEvent(world.write('deleted_channel', open, { ...about, deleted_at: 1 }))
      expect(namesOf(await hear(client, 2))).toEqual(['deleted_channel', 'deleted_channel'])
      world.state.secretAllow = permission.view_channel
      gateway.guildEvent(world.write('updated_role', null, { role_id: 0 }))
      gateway.guildEvent(world.write('added_channel', secret, { id: secret, guild_id: guild }))
      gateway.guildEvent(world.send('last', secret))
      // The channel was announced before its own event came: once is enough.
      expect(namesOf(await hear(client, 3))).toEqual(['updated_role', 'added_channel', 'last'])
    })

    it('tell somebody who joins of the channels that their roles show, which they were given meanwhile', async () => {
      world.state.keyAllow = permission.view_channel
      const [master, client] = [await connect('compress=0&token=1'), await connect('compress=0&token=3')]
      await Promise.all([master.next(), client.next()])
      world.members.set(outsider, [7])
      change('joined_guild', { user_id: outsider, joined_at: 1 })
      gateway.guildEvent(world.send('seen', secret))
      expect(namesOf(await hear(client, 3))).toEqual(['joined_guild', 'added_channel', 'seen'])
    })

    it('announce a channel that becomes visible as new to those who did not see it', async () => {
      const [master, client] = [await connect('compress=0&token=1'), await connect('compress=0&token=2')]
      await Promise.all([master.next(), client.next()])
      world.state.secretAllow = permission.view_channel
      gateway.guildEvent(world.write('updated_channel', secret, { id: secret, guild_id: guild }))
      expect(namesOf(await hear(client, 1))).toEqual(['added_channel'])
      expect(namesOf(await hear(master, 1))).toEqual(['updated_channel'])
    })

    it('of a deleted channel tell those who saw it, and nobody else', async () => {
      const [master, client] = [await connect('compress=0&token=1'), await connect('compress=0&token=2')]
      await Promise.all([master.next(), client.next()])
      world.deleted.add(secret)
      gateway.guildEvent(world.write('deleted_channel', secret, { id: secret, deleted_at: 1 }))
      expect(namesOf(await hear(master, 1))).toEqual(['deleted_channel'])
      expect(await settled(client)).toEqual([])
    })

    it('tell of a channel that is restored before the rules are read for its deletion', async () => {
      world.deleted.add(secret)
      const [master, client] = [await connect('compress=0&token=1'), await connect('compress=0&token=2')]
      await Promise.all([master.next(), client.next()])
      const about = { id: secret, guild_id: guild }
      // The rules are read for the creation when it is deleted, and for the deletion when it is restored.
      gateway.guildEvent(world.write('added_channel', secret, about))
      expect(await settled(client)).toEqual([])
      world.deleted.delete(secret)
      gateway.guildEvent(world.write('deleted_channel', secret, { ...about, deleted_at: 1 }))
      gateway.guildEvent(world.write('added_channel', secret, about))
      gateway.guildEvent(world.write('deleted_channel', secret, { ...about, deleted_at: 2 }))
      gateway.guildEvent(world.write('added_channel', secret, about))
      gateway.guildEvent(world.send('last'))
      const heard = await hear(master, 4)
      expect(namesOf(heard)).toEqual(['added_channel', 'deleted_channel', 'added_channel', 'last'])
      expect(heard[0]?.extra).toMatchObject({ body: { id: secret, name: '密' } })
      expect(namesOf(await hear(client, 1))).toEqual(['last'])
    })

    it('do not go out by roles that were taken while the member connected', async () => {
      world.state.keyAllow = permission.view_channel
      world.members.set(member, [7])
      const other = await connect('compress=0&token=1')
      await other.next()
      const { membershipsOf } = world.ports
      let isTaken = false
      world.state.readMemberships = async (userId) => {
        const read = await membershipsOf(userId)
        if (!isTaken) {
          isTaken = true
          notifyMember([])
        }
        return read
      }
      const client = await connect('compress=0&token=2')
      await client.next()
      gateway.guildEvent(world.send('unseen', secret))
      gateway.guildEvent(world.send('last'))
      expect(namesOf(await hear(client, 2))).toEqual(['updated_guild_member', 'last'])
    })
  })

  describe('a hostile client', () => {
    it('that floods is disconnected, and may resume', async () => {
      const client = await connect('compress=0&token=2')
      const { d } = await client.next()
      for (let n = 0; n < 70; n += 1) client.send({ s: 2 })
      expect(await client.closed).toBe(closeCode.flooded)
      const again = await connect(`compress=0&token=2&resume=1&sn=0&session_id=${d?.session_id}`)
      expect(await again.next()).toMatchObject({ s: 1, d: { code: 0, session_id: d?.session_id } })
    })

    it('that goes on flooding after it was closed is not waited for', async () => {
      const client = await connect('compress=0&token=2')
      await client.next()
      // It takes part in no closing handshake.
      const socket = (client.socket as unknown as { _socket: Socket })._socket
      socket.removeAllListeners('data')
      const ping = Buffer.from([0x81, 0x87, 0, 0, 0, 0, ...Buffer.from('{"s":2}')])
      socket.on('error', () => undefined).resume()
      socket.write(Buffer.concat(Array<Buffer>(300).fill(ping)))
      // Without the bound it is closed when the closing handshake has taken too long, after half a minute.
      await expect.poll(() => socket.closed).toBe(true)
    })

    it('that sends too large a frame is disconnected', async () => {
      const client = await connect('compress=0&token=2')
      await client.next()
      client.socket.send(JSON.stringify({ s: 2, d: 'x'.repeat(5_000) }))
      expect(await client.closed).toBe(1009)
    })

    it('that sends invalid frames gets no answer, and stays connected', async () => {
      const client = await connect('compress=0&token=2')
      await client.next()
      for (const texts of [
        '',
        '{',
        '[]',
        'null',
        '{"s":"2"}',
        '{"s":2,"sn":-1}',
        '{"s":1,"d":{}}',
        '{"s":0}',
      ])
        client.socket.send(texts)
      client.socket.send(Buffer.from([0xff, 0x00, 0x78]))
      expect(await settled(client)).toEqual([])
    })

    it('cannot open more connections from one network than the limit, until one closes', async () => {
      await reopen({ connectionsPerNetwork: 2, isExempt: () => false })
      const { port } = server.address() as AddressInfo
      const halfOpen = [0, 1].map(() => connectTcp(port, '127.0.0.1'))
      await expect.poll(() => ends.length).toBe(2)
      const third = connectTcp(port, '127.0.0.1')
      third.on('error', () => {})
      await new Promise((done) => third.once('close', done))
      for (const socket of halfOpen) socket.destroy()
      await expect.poll(() => ends.every((end) => end.destroyed)).toBe(true)
      const client = await connect('compress=0&token=2')
      expect(await client.next()).toMatchObject({ s: 1, d: { code: 0 } })
    })

    it('that opens too many sessions loses those that were disconnected longest', async () => {
      const ids: (string | undefined)[] = []
      for (let n = 0; n < PERSON_SESSIONS_MAX; n += 1) {
        world.state.now += 1
        const client = await connect('compress=0&token=2')
        ids.push((await client.next()).d?.session_id)
        if (n === 0 || n > 2) continue
        client.socket.terminate()
        await client.closed
      }
      await expect.poll(() => ends.filter((end) => end.destroyed).length).toBe(2)
      await (await connect('compress=0&token=2')).next()
      const resumed = async (id: string | undefined) =>
        (await (await connect(`compress=0&token=2&resume=1&sn=0&session_id=${id}`)).next()).d?.code
      expect(await resumed(ids[1])).toBe(40107)
      expect(await resumed(ids[2])).toBe(0)
      expect(await resumed(ids[0])).toBe(0)
    })
  })

  describe('a handshake', () => {
    /** Memberships whose reads are delayed until `release`. */
    function slowDatabase() {
      let release = () => {}
      const gate = new Promise<void>((done) => {
        release = done
      })
      const membershipsOf: GatewayPorts['membershipsOf'] = async (userId) => {
        await gate
        return world.ports.membershipsOf(userId)
      }
      return { membershipsOf, release }
    }

    it('is refused while too many are in progress, and accepted afterwards', async () => {
      const { membershipsOf, release } = slowDatabase()
      await reopen({ handshakes: 2 }, { membershipsOf })
      const waiting = [await connect('compress=0&token=1'), await connect('compress=0&token=2')]
      await Promise.all(
        waiting.map(({ socket }) => new Promise<void>((done) => socket.once('open', () => done()))),
      )
      const { port } = server.address() as AddressInfo
      const third = new WebSocket(`ws://127.0.0.1:${port}/gateway?token=3`)
      const refusal = await new Promise<string>((done) => third.on('error', (error) => done(error.message)))
      expect(refusal).toContain('503')
      release()
      for (const client of waiting) expect(await client.next()).toMatchObject({ s: 1, d: { code: 0 } })
      const fourth = await connect('compress=0&token=3')
      expect(await fourth.next()).toMatchObject({ s: 1, d: { code: 0 } })
    })

    it('is refused to a network that begins too many', async () => {
      await reopen({ handshakesPerNetwork: 1 })
      const first = await connect('compress=0&token=1')
      expect(await first.next()).toMatchObject({ s: 1, d: { code: 0 } })
      const { port } = server.address() as AddressInfo
      const second = new WebSocket(`ws://127.0.0.1:${port}/gateway?token=2`)
      const refusal = await new Promise<string>((done) => second.on('error', (error) => done(error.message)))
      expect(refusal).toContain('429')
    })

    it('whose hello is late is closed, and leaves no session', async () => {
      const { membershipsOf, release } = slowDatabase()
      await reopen({ sweepMs: 10 }, { membershipsOf })
      const client = await connect('compress=0&token=2')
      await new Promise((done) => client.socket.once('open', done))
      world.state.now += 7_000
      expect(await client.closed).toBe(closeCode.late)
      release()
      const other = await connect('compress=0&token=1')
      await other.next()
      expect(client.frames).toEqual([])
      expect(gateway.onlineCount(guild)).toBe(1)
    })
  })

  describe('pending frames', () => {
    it.each([0, 1])('leave in one write and in order, compress=%i', async (compress) => {
      const client = await connect(`compress=${compress}&token=2`)
      await client.next()
      const write = vi.spyOn(ends.at(-1)!, 'write')
      const texts = Array.from({ length: 12 }, (_, n) => `${n}`)
      for (const word of texts) gateway.guildEvent(world.send(word))
      await expect.poll(() => client.frames.length).toBe(12)
      if (transport.name === 'batched') expect(write).toHaveBeenCalledTimes(1)
      expect(await settled(client)).toEqual(texts.map((word, n) => `${n + 1}:${word}`))
    })

    it('are written before the connection is closed', async () => {
      const client = await connect('compress=0&token=2')
      await client.next()
      gateway.guildEvent(world.send('last words'))
      gateway.revoke('login of 2')
      expect(await client.closed).toBe(closeCode.revoked)
      expect(client.frames.map((frame) => frame.d?.content)).toEqual(['last words'])
    })

    it.each([0, 1])('arrive completely when the client reads slowly, compress=%i', async (compress) => {
      const client = await connect(`compress=${compress}&token=2`)
      await client.next()
      client.socket.pause()
      const texts = Array.from({ length: 90 }, (_, n) => `${n}:`.padEnd(5_000 * (n % 3) + 9, '字号'))
      for (const [n, word] of texts.entries()) {
        gateway.guildEvent(world.send(word))
        if (n % 4 === 0) await new Promise(setImmediate)
      }
      client.socket.resume()
      await expect.poll(() => client.frames.length).toBe(texts.length)
      expect(client.frames.map((frame) => frame.d?.content)).toEqual(texts)
    })

    it('for a client that does not read are bounded, and it is disconnected while it can still resume', async () => {
      const client = await connect('compress=0&token=2')
      const { d } = await client.next()
      client.socket.pause()
      const end = ends.at(-1)!
      let most = 0
      let sentCount = 0
      for (; gateway.isOnline(member) && sentCount < 2_000; sentCount += 1) {
        gateway.guildEvent(world.send('x'.repeat(20_000)))
        await new Promise(setImmediate)
        most = Math.max(most, end.writableLength)
      }
      expect(gateway.isOnline(member)).toBe(false)
      expect(most).toBeLessThan(256 * 1024)
      client.socket.resume()
      await client.closed
      const numbers = client.frames.map((frame) => frame.sn ?? 0)
      const again = await connect(
        `compress=0&token=2&resume=1&sn=${numbers.at(-1) ?? 0}&session_id=${d?.session_id}`,
      )
      expect(await again.next()).toMatchObject({ s: 1, d: { code: 0 } })
      for (;;) {
        const { s, sn } = await again.next()
        if (s === 6) break
        numbers.push(sn ?? 0)
      }
      expect(numbers).toEqual(Array.from({ length: sentCount }, (_, n) => n + 1))
    })

    it('for a client that accepts nothing for half a minute are left to its replay', async () => {
      await reopen({ sweepMs: 10 })
      const client = await connect('compress=0&token=2')
      await client.next()
      client.socket.pause()
      const end = ends.at(-1)!
      for (let n = 0; !end.writableNeedDrain && n < 2_000; n += 1) {
        gateway.guildEvent(world.send('x'.repeat(20_000)))
        await new Promise(setImmediate)
      }
      expect(gateway.isOnline(member)).toBe(true)
      world.state.now += 31_000
      await expect.poll(() => gateway.isOnline(member)).toBe(false)
      expect(end.destroyed).toBe(true)
    })
  })

  describe('the metrics', () => {
    it('count connections, sessions and stored events, and who resumed or could not', async () => {
      await gateway.close()
      const recorded: string[] = []
      let count = () => ({ connections: 0, sessions: 0, storedEvents: 0 })
      const metrics: GatewayMetrics = {
        watch: (ask) => {
          count = ask
        },
        framesOut: (events, bytes) => recorded.push(`out ${events} ${bytes > 0}`),
        resumed: (events) => recorded.push(`replayed ${events}`),
        takenOver: () => recorded.push('rebuilt'),
        restarted: () => recorded.push('restarted'),
        slowConsumer: () => recorded.push('let go'),
        lag: () => {},
      }
      gateway = openGateway(server, { ...world.ports, metrics })
      const first = await connect('compress=0&token=2')
      const { d } = await first.next()
      expect(count()).toEqual({ connections: 1, sessions: 1, storedEvents: 0 })
      recorded.length = 0
      gateway.guildEvent(world.send('一'))
      await first.next()
      expect(recorded).toEqual(['out 1 true'])
      first.socket.terminate()
      await expect.poll(count).toEqual({ connections: 0, sessions: 1, storedEvents: 1 })
      const second = await connect(`compress=0&token=2&resume=1&sn=0&session_id=${d?.session_id}`)
      for (const wanted of [1, 0, 6]) expect((await second.next()).s).toBe(wanted)
      const third = await connect(`compress=0&token=2&resume=1&sn=9&session_id=${d?.session_id}`)
      expect(await third.next()).toMatchObject({ s: 5 })
      expect(recorded).toContain('replayed 1')
      gateway.revoke('login of 2')
      expect(count()).toMatchObject({ sessions: 0, storedEvents: 0 })
      expect(recorded.filter((it) => it === 'restarted')).toHaveLength(1)
    })
  })

  describe('a person', () => {
    it('is online while a socket is open', async () => {
      expect(gateway.isOnline(member)).toBe(false)
      const client = await connect('compress=0&token=2')
      await client.next()
      expect(gateway.isOnline(member)).toBe(true)
      expect(gateway.onlineCount(guild)).toBe(1)
      client.socket.close()
      await expect.poll(() => gateway.isOnline(member)).toBe(false)
    })

    it('receives personal events on every connection, and nobody else does', async () => {
      const phone = await connect('compress=0&token=2')
      const desktop = await connect('compress=1&token=2')
      const other = await connect('compress=0&token=1')
      for (const client of [phone, desktop, other]) await client.next()
      gateway.personEvent({
        to: 'person',
        seq: 1,
        userId: member,
        kind: 'self_joined_guild',
        body: { guild_id: guild },
        at: 1,
      })
      expect(await settled(phone)).toEqual(['1:self_joined_guild'])
      expect(await settled(desktop)).toEqual(['1:self_joined_guild'])
      expect(await settled(other)).toEqual([])
    })
  })

  describe('a node that is drained', () => {
    it('refuses new connections, closes the open ones with code 1012, and keeps their sessions', async () => {
      const lines = await Promise.all(Array.from({ length: 5 }, () => connect('compress=0&token=1')))
      for (const line of lines) await line.next()
      expect(gateway.onlinePeople()).toEqual(new Set(['1']))
      const drained = gateway.drain(200)
      const late = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}/gateway?token=1`)
      const refusal = await new Promise<string>((done) => late.on('error', (error) => done(error.message)))
      expect(refusal).toContain('503')
      expect(await Promise.all(lines.map((line) => line.closed))).toEqual([1012, 1012, 1012, 1012, 1012])
      await drained
      await expect.poll(() => gateway.onlinePeople().size).toBe(0)
      expect(gateway.logins()).toEqual(new Set(['login of 1']))
    })
  })
})
