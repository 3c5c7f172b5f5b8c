/**
 * Two nodes: changes of roles, overwrites, grants and memberships race with messages of a hidden channel.
 * Nobody receives a message while they may not view the channel. A seed repeats a run: VISIBILITY_SEED.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { userState } from '@guildhall/wire/auth/userState.ts'
import { deleteOverwrite, updateOverwrite } from '@guildhall/wire/channel/overwrite.ts'
import { createChannel } from '@guildhall/wire/channel/publicChannel.ts'
import type { ChannelId, GuildId, UserId } from '@guildhall/wire/id.ts'
import {
  createBan,
  createMute,
  deleteBan,
  deleteMute,
  kickOut,
  muteType,
} from '@guildhall/wire/member/moderation.ts'
import { sendToChannel } from '@guildhall/wire/message/message.ts'
import { permission } from '@guildhall/wire/permission/permission.ts'
import { createRole, grantRole, revokeRole, updateRole } from '@guildhall/wire/role/role.ts'
import type { Route } from '@guildhall/wire/route.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type App, startApp } from '../app/app.ts'
import { type Config, readConfig } from '../config.ts'
import { readWorld, type World } from '../demo/world.ts'
import { commit } from '../kit/events/events.ts'
import { openLog } from '../kit/log.ts'
import { join, removeMember } from '../member/member.ts'
import { type Calls, openCalls } from '../testing/calls.ts'
import { type Frame, openConnection, type TestConnection } from '../testing/connection.ts'
import { openTestDatabase, type TestDatabase } from '../testing/database/database.ts'
import { KEYS_SECRET } from '../testing/keys.ts'
import { openTestRedis, type TestRedis } from '../testing/nodes/redis.ts'
import { freePort } from '../testing/port.ts'

const SEED = Number(process.env.VISIBILITY_SEED ?? 1)
const ROUNDS = 80
const VIEW = permission.view_channel

interface Node {
  readonly app: App
  readonly port: number
  readonly config: Config
}
let database: TestDatabase
let redis: TestRedis
let dataDir: string
let nodes: readonly [Node, Node]
let world: World
let guild_id: GuildId
let secret: ChannelId
let open: ChannelId
let key: number
let reader: UserId
let tools: readonly [Calls, Calls]
beforeAll(async () => {
  ;[database, redis] = [await openTestDatabase(), await openTestRedis()]
  dataDir = await mkdtemp(path.join(tmpdir(), 'guildhall-nodes-'))
  nodes = [await openNode(), await openNode()]
  world = await readWorld(database.db)
  guild_id = world.guilds[0]!.id
  reader = world.people.member!.id
  tools = [openTools(nodes[0]), openTools(nodes[1])]
  secret = (await call(0, createChannel, { guild_id, name: '密室' })).id
  open = world.channels.find((it) => it.guild_id === guild_id && it.name === '闲聊')!.id
  key = (await call(0, createRole, { guild_id, name: '钥匙' })).role_id
  await setRule({ type: 'role_id', value: 0, deny: VIEW })
})
afterAll(async () => {
  await Promise.all((nodes ?? []).map((node) => node.app.close()))
  await redis?.close()
  await database?.close()
  await rm(dataDir, { recursive: true, force: true })
})

async function openNode(): Promise<Node> {
  const port = await freePort()
  const config = readConfig(
    {
      PORT: String(port),
      KEYS_SECRET,
      DATA_DIR: dataDir,
      DATABASE_URL: database.url,
      REDIS_URL: redis.url,
      FETCH_OUTSIDE: '0',
      RATE_LIMIT_SCALE: '1000',
    },
    '/',
  )
  const app = await startApp({ config, database, log: openLog('quiet'), webDir: '/nowhere' })
  await app.listen()
  return { app, port, config }
}
const openTools = ({ app, config }: Node) =>
  openCalls({ send: app.inject, db: database.db, config, people: world.people })
/** The owner calls a node. */
const call = <R extends Route>(at: 0 | 1, route: R, input: object) => tools[at].as('owner').call(route, input)
async function connect(at: 0 | 1): Promise<TestConnection> {
  const token = await tools[0].login('member')
  return openConnection((await tools[at].as({ token }).call(userState)).gateway_url, nodes[at].port)
}
const setRule = (it: object, at: 0 | 1 = 0) => call(at, updateOverwrite, { channel_id: secret, ...it })

const ofMember = () => ({ guild_id, target_id: reader })

/** The state that decides whether the reader views the channel. */
interface State {
  readonly isMember: boolean
  readonly hasKey: boolean
  readonly keyOpens: boolean
  readonly keyManages: boolean
  readonly isShutOut: boolean
}
const views = ({ isMember, hasKey, keyOpens, keyManages, isShutOut }: State): boolean =>
  isMember && hasKey && (keyManages || (keyOpens && !isShutOut))

type Change = readonly [Partial<State>, (at: 0 | 1) => Promise<unknown>]
const ofReader = () => ({ guild_id, role_id: key, user_id: reader })
const asKey = { type: 'role_id' } as const
const changes: readonly Change[] = [
  [{ hasKey: true }, (at) => call(at, grantRole, ofReader())],
  [{ hasKey: false }, (at) => call(at, revokeRole, ofReader())],
  [{ keyOpens: true }, (at) => setRule({ ...asKey, value: key, allow: VIEW }, at)],
  [{ keyOpens: false }, (at) => setRule({ ...asKey, value: key, allow: 0 }, at)],
  [{ keyManages: true }, (at) => call(at, updateRole, { guild_id, role_id: key, permissions: 1 })],
  [{ keyManages: false }, (at) => call(at, updateRole, { guild_id, role_id: key, permissions: 0 })],
  [{ isShutOut: true }, (at) => setRule({ value: reader, deny: VIEW }, at)],
  [{ isShutOut: false }, (at) => call(at, deleteOverwrite, { channel_id: secret, value: reader })],
  [
    { isMember: false, hasKey: false },
    (at) => commit(nodes[at].app.appContext, (tx, emit) => removeMember(tx, emit, guild_id, reader)),
  ],
  [{ isMember: false, hasKey: false }, (at) => call(at, kickOut, ofMember())],
  [
    { isMember: false, hasKey: false },
    async (at) => {
      await call(at, createBan, ofMember())
      await call(at, deleteBan, ofMember())
    },
  ],
  // A mute takes the right to write, and nothing of what one sees.
  [{}, (at) => call(at, createMute, { guild_id, user_id: reader, type: muteType.write })],
  [{}, (at) => call(at, deleteMute, { guild_id, user_id: reader, type: muteType.write })],
]

const random = (() => {
  let state = SEED
  return (below: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
})()

const lastSeq = async () =>
  Number(
    (
      await sql<{
        seq: string
      }>`select event_seq as seq from guild_counter where guild_id = ${guild_id}`.execute(database.db)
    ).rows[0]!.seq,
  )

it('nobody receives a message while they may not view its channel', async () => {
  const readers = [await connect(0), await connect(1)]
  let state: State = { isMember: true, hasKey: false, keyOpens: false, keyManages: false, isShutOut: false }
  const history: Past[] = [{ seq: 0, views: false, isExit: false }]
  let isOver = false
  let sent = 0
  const talking = ([0, 1] as const).map(async (at) => {
    while (!isOver) {
      sent += 1
      await call(at, sendToChannel, { id: secret, content: `secret ${sent}` })
    }
  })
  const apply = async ([to, run]: Change) => {
    const before = await lastSeq()
    await run(random(2) as 0 | 1)
    state = { ...state, ...to }
    const { rows } = await sql<{ seq: string }>`
      select seq from event_log where guild_id = ${guild_id} and seq > ${before} and kind <> 'message'
      order by seq limit 1`.execute(database.db)
    if (rows[0])
      history.push({ seq: Number(rows[0].seq), views: views(state), isExit: to.isMember === false })
  }
  const rejoin: Change = [
    { isMember: true },
    (at) => commit(nodes[at].app.appContext, (tx, emit) => join(tx, emit, guild_id, reader)),
  ]
  for (let round = 0; round < ROUNDS; round += 1) {
    if (!state.isMember) await apply(rejoin)
    else await apply(changes[random(changes.length)]!)
  }
  if (!state.isMember) await apply(rejoin)
  isOver = true
  await Promise.all(talking)
  await call(0, sendToChannel, { id: open, content: 'the end' })
  for (const connection of readers) {
    await connection.next(({ d }) => d?.content === 'the end')
    expect(judge(connection.frames, history)).toEqual({ leaked: [], untold: [], unknownExit: false })
    const received = connection.frames.filter(({ d }) => d?.target_id === secret && d.type !== 255)
    expect(received.length).toBeGreaterThan(0)
    expect(received.length).toBeLessThan(sent)
    connection.close()
  }
})

/** What the reader may view after which event. `isExit`: by that event they left the guild. */
interface Past {
  readonly seq: number
  readonly views: boolean
  readonly isExit: boolean
}

/**
 * Messages of the channel that came to somebody who could not have viewed it then or since (`leaked`), and
 * those that came while the client was told that it is gone (`untold`). That one left is told in the order of
 * one's own events, so what was said in the guild before that may still follow.
 */
function judge(frames: readonly Frame[], history: readonly Past[]) {
  const leaked: string[] = []
  const untold: string[] = []
  const exits = history.filter(({ isExit }) => isExit)
  let isShown = false
  /** The last exit that the client was told of. */
  let leftAt = 0
  for (const { d } of frames) {
    const name = d?.extra?.type
    const body = d?.extra?.body as { id?: string } | undefined
    if (name === 'self_exited_guild') {
      isShown = false
      leftAt = exits.shift()?.seq ?? Number.NaN
    } else if (body?.id === secret && name === 'added_channel') isShown = true
    else if (body?.id === secret && name === 'deleted_channel') isShown = false
    if (d?.target_id !== secret || d.type === 255) continue
    const { seq } = d.extra as unknown as { seq: number }
    const then = history.findLastIndex((each) => each.seq < seq)
    // A node may know a later change already, and then it is the later state that counts.
    const mayView = history.slice(then).some((each) => each.views)
    if (!mayView) leaked.push(`${d.content}`)
    else if (!isShown && !(seq < leftAt)) untold.push(`${d.content}`)
  }
  return { leaked, untold, unknownExit: Number.isNaN(leftAt) }
}
