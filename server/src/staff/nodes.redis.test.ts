import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { userState } from '@guildhall/wire/auth/userState.ts'
import { closeGuild, restoreGuild, signOutUser, suspendUser } from '@guildhall/wire/staff/staff.ts'
import { me } from '@guildhall/wire/user/me.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type App, startApp } from '../app/app.ts'
import { type Config, readConfig } from '../config.ts'
import { readWorld, type World } from '../demo/world.ts'
import { openLog } from '../kit/log.ts'
import { openCalls, refusalOf } from '../testing/calls.ts'
import { openConnection } from '../testing/connection.ts'
import { openTestDatabase, type TestDatabase } from '../testing/database/database.ts'
import { KEYS_SECRET } from '../testing/keys.ts'
import { openTestRedis, type TestRedis } from '../testing/nodes/redis.ts'
import { freePort } from '../testing/port.ts'

interface Node {
  readonly app: App
  readonly port: number
  readonly config: Config
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
      PORT: String(port),
      KEYS_SECRET,
      DATA_DIR: dataDir,
      DATABASE_URL: database.url,
      REDIS_URL: redis.url,
      FETCH_OUTSIDE: '0',
    },
    '/',
  )
  const app = await startApp({ config, database, log: openLog('quiet'), webDir: '/nowhere' })
  await app.listen()
  return { app, port, config }
}

const at = ({ app, config }: Node) =>
  openCalls({ send: app.inject, db: database.db, config, people: world.people })
async function connect(node: Node, token: string) {
  return openConnection((await at(node).as({ token }).call(userState)).gateway_url, node.port)
}

it('an act of staff on one node closes connections and ends tokens on the other', async () => {
  const staff = await at(here).login('staff')
  for (const act of [signOutUser, suspendUser]) {
    const token = await at(there).login('member')
    const connection = await connect(there, token)
    expect((await at(there).as({ token }).call(me, {})).id).toBe(world.people.member?.id)
    await at(here)
      .as({ token: staff })
      .call(act, { user_id: world.people.member?.id, until: 0, reason: '测试' })
    expect(await connection.closed).toBe(4001)
    await expect.poll(() => refusalOf(at(there).as({ token }).call(me, {}))).toBe('not_logged_in')
  }
  expect(await refusalOf(at(there).login('member'))).toBe('auth.banned')
})

it('a guild that is closed on one node is gone on the other, and comes back', async () => {
  const staff = await at(here).login('staff')
  const guild_id = world.guilds[0]?.id
  const connection = await connect(there, await at(there).login('owner'))
  await at(here).as({ token: staff }).call(closeGuild, { guild_id, reason: '测试' })
  await connection.next(({ d }) => d?.extra?.type === 'deleted_guild')
  await at(here).as({ token: staff }).call(restoreGuild, { guild_id, reason: '测试' })
  await connection.next(({ d }) => d?.extra?.type === 'self_joined_guild')
  connection.close()
})
