/**
 * A test server for journeys: the real app on its own port and its own database, with the demo world in it.
 */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Sandbox } from '@guildhall/sandbox/sandbox.ts'
import type { ChannelId, GuildId } from '@guildhall/wire/id.ts'
import { openOwnSandbox } from '../app/adapters/payProviders.ts'
import { startApp } from '../app/app.ts'
import { readConfig } from '../config.ts'
import { readWorld, type World } from '../demo/world.ts'
import { replaceClock } from '../kit/clock.ts'
import type { AppContext } from '../kit/events/events.ts'
import { openLog } from '../kit/log.ts'
import type { SafeFetch } from '../outside/safeFetch.ts'
import { type Calls, openCalls, sendTo } from './calls.ts'
import { openTestDatabase, openWorldDatabase, type TestDatabase } from './database/database.ts'
import { KEYS_SECRET } from './keys.ts'
import { freePort } from './port.ts'

export interface TestServer extends Calls {
  readonly url: string
  readonly world: World
  readonly database: TestDatabase
  /** The running app's database and bus. */
  readonly appContext: AppContext
  /** The payment sandbox; null without PAY_SANDBOX=1. */
  readonly sandbox: Sandbox | null
  /** The directory of uploads. */
  readonly dataDir: string
  /** The demo guild's invite. */
  readonly invite: string
  readonly guildId: GuildId
  /** A channel of the demo guild by its name. */
  channel(name: string): ChannelId
  /**
   * Moves the clock of the server, and of the sandbox, to a time, ms; it goes on from there. `start` looks at
   * what is due then.
   */
  moveClock(to: number): void
  /** Resolves when no background work is under way. */
  settled(): Promise<void>
  /** Stops the server. Requests under way get no response. */
  stop(): Promise<void>
  /** Starts it again, on the same database and port. */
  start(): Promise<void>
  /** Stops the server and drops its database. */
  close(): Promise<void>
}

/**
 * `env`: variables beside the port and the demo world. `safeFetch`: opens the app's fetch; without it nothing
 * is fetched. `seedsItself`: it starts on an empty database and no files, as a server does for the first
 * time; `emptyDatabase` is one on another PostgreSQL than that of all tests. `scheduledWork`: see `startApp`.
 */
export async function openTestServer(
  env: Record<string, string> = {},
  safeFetch: () => SafeFetch | null = () => null,
  options: {
    seedsItself?: boolean
    emptyDatabase?: TestDatabase
    scheduledWork?: boolean
  } = {},
): Promise<TestServer> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'guildhall-data-'))
  const { seedsItself = false, emptyDatabase, scheduledWork = true } = options
  const database = emptyDatabase ?? (await (seedsItself ? openTestDatabase() : openWorldDatabase(dataDir)))
  const port = await freePort()
  const variables = {
    PORT: String(port),
    DEMO: '1',
    APP_SCHEME: '',
    DATA_DIR: dataDir,
    KEYS_SECRET,
    RATE_LIMIT_SCALE: '1000',
    PAY_SANDBOX: '0',
    ...env,
  }
  const config = readConfig(variables, import.meta.dirname)
  const sandbox = await openOwnSandbox(config)
  const open = () =>
    startApp({
      config,
      database,
      sandbox,
      log: openLog('quiet'),
      checkAnswers: true,
      safeFetch: safeFetch(),
      scheduledWork,
    })
  let app = await open()
  let moveBack: () => void = () => undefined
  await app.listen()
  const url = `http://127.0.0.1:${config.port}`
  const world = await readWorld(database.db)
  const demo = world.guilds[0]!

  return {
    ...openCalls({
      send: sendTo(url),
      db: database.db,
      people: world.people,
      config: readConfig({ ...variables, DATABASE_URL: database.url }, '/'),
    }),
    url,
    world,
    database,
    get appContext() {
      return app.appContext
    },
    sandbox,
    dataDir,
    guildId: demo.id,
    invite: world.invites.find((each) => each.guild_id === demo.id)!.code,
    channel: (name) => world.channels.find((each) => each.guild_id === demo.id && each.name === name)!.id,
    moveClock(to) {
      moveBack()
      const offset = to - Date.now()
      moveBack = replaceClock(() => Date.now() + offset)
    },
    settled: () => app.settled(),
    stop: () => app.close(),
    async start() {
      app = await open()
      await app.listen()
    },
    async close() {
      moveBack()
      await app.close()
      await sandbox?.close()
      await database.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
