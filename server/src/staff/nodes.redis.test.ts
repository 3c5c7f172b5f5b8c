import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { login, userState } from '@guildhall/wire/auth/login.ts'
import type { Route } from '@guildhall/wire/route.ts'
import { staffLogin } from '@guildhall/wire/staff/session.ts'
import { closeGuild, restoreGuild, signOutUser, suspendUser } from '@guildhall/wire/staff/staff.ts'
import { me } from '@guildhall/wire/user/user.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type App, startApp } from '../app/app.ts'
import { readConfig } from '../config.ts'
import { readWorld, type World } from '../demo/world.ts'
import { openLog } from '../kit/log.ts'
import { answerIn, type Refused, requestOf, secondFactorOf } from '../testing/calls.ts'
import { openConnection } from '../testing/connection.ts'
import { openTestDatabase, type TestDatabase } from '../testing/database.ts'
import { freePort, openTestRedis, type TestRedis } from '../testing/redis.ts'

interface Node {
  readonly app: App
  readonly port: number
}

let database: TestDatabase
let redis: TestRedis
let dataDir: string
let here: Node
let there: Node
let world: World
beforeAll(async () => {
  ;[database, redis] = [await openTestDatabase(), await openTestRedis()]
  dataDir = await mkdtemp(path.join(tmpdir(), 'guildhall-nodes-'))
  here = await openNode()
  there = await openNode()
  world = await readWorld(database.db)
})
afterAll(async () => {
  await Promise.all([here, there].map((node) => node?.app.close()))
  await redis.close()
  await database.close()
  await rm(dataDir, { recursive: true, force: true })
})

async function openNode(): Promise<Node> {
  const port = await freePort()
  const config = readConfig(
    {
      ...{ PORT: String(port), DATA_DIR: dataDir, DATABASE_URL: database.url, REDIS_URL: redis.url },
      FETCH_OUTSIDE: '0',
    },
    '/',
  )
  const app = await startApp({ config, database, log: openLog('quiet'), webDir: '/nowhere' })
  await app.listen()
  return { app, port }
}

async function call<R extends Route>(node: Node, route: R, input: object, token = '') {
  const headers = { 'content-type': 'application/json', ...(token && { authorization: token }) }
  return answerIn(route, await node.app.inject({ ...requestOf(route, input), headers }))
}
const enter = async (node: Node, name: string): Promise<string> => {
  const { mobile, password } = world.cast[name]!
  const second_factor = await secondFactorOf(database.db, world.cast[name]!)
  const { token } = second_factor
    ? await call(node, staffLogin, { mobile, password, second_factor })
    : await call(node, login, { mobile, password })
  return token
}
async function connect(node: Node, token: string) {
  return openConnection((await call(node, userState, {}, token)).gateway_url, node.port)
}
const refusal = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error: Refused) => error.failure,
  )

it('an act of staff on one node closes connections and ends tokens on the other', async () => {
  const staff = await enter(here, 'staff')
  for (const act of [signOutUser, suspendUser]) {
    const token = await enter(there, 'member')
    const connection = await connect(there, token)
    expect((await call(there, me, {}, token)).id).toBe(world.cast.member?.id)
    await call(here, act, { user_id: world.cast.member?.id, until: 0, reason: '测试' }, staff)
    expect(await connection.closed).toBe(4001)
    await expect.poll(() => refusal(call(there, me, {}, token))).toBe('not_logged_in')
  }
  expect(await refusal(enter(there, 'member'))).toBe('auth.banned')
})

it('a guild that is closed on one node is gone on the other, and comes back', async () => {
  const staff = await enter(here, 'staff')
  const guild_id = world.guilds[0]?.id
  const connection = await connect(there, await enter(there, 'owner'))
  await call(here, closeGuild, { guild_id, reason: '测试' }, staff)
  await connection.next(({ d }) => d?.extra?.type === 'deleted_guild')
  await call(here, restoreGuild, { guild_id, reason: '测试' }, staff)
  await connection.next(({ d }) => d?.extra?.type === 'self_joined_guild')
  connection.close()
})
