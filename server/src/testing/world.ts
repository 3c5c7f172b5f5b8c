/**
 * One seeded world for tests: its own database, the demo people, and the app on it. Calls are injected as
 * HTTP requests.
 */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { GuildId } from '@guildhall/wire/id.ts'
import { type App, type AppOptions, startApp } from '../app/app.ts'
import { readConfig } from '../config.ts'
import { demoGuilds } from '../demo/text.ts'
import { type DemoPerson, type PersonName, readWorld, type World, type WorldChannel } from '../demo/world.ts'
import { openLog } from '../kit/log.ts'
import { type Calls, openCalls, type Send, sendTo } from './calls.ts'
import { openWorldDatabase, type TestDatabase } from './database/database.ts'
import { KEYS_SECRET } from './keys.ts'
import { freePort } from './port.ts'

export interface TestWorld extends Calls, Pick<World, 'guilds' | 'channels' | 'invites'> {
  readonly app: App
  readonly database: TestDatabase
  /** The directory of uploads. */
  readonly dataDir: string
  readonly people: Readonly<Record<PersonName, DemoPerson>>
  /** The demo guild. */
  readonly guildId: GuildId
  /** Its channels, by what they are for. */
  readonly main: WorldChannel
  readonly rules: WorldChannel
  readonly backstage: WorldChannel
  readonly voice: WorldChannel
  /** The demo guild's invite. */
  readonly invite: string
  close(): Promise<void>
}

/**
 * Opens a seeded world on its own database, with further variables. `webDir`: a built page. Who calls
 * scheduled work by hand leaves it out of the app: each would take it from the other. `close` drops all.
 */
export async function openWorld(
  env: Readonly<Record<string, string>> = {},
  webDir = '/nowhere',
  options: Pick<AppOptions, 'scheduledWork'> = {},
): Promise<TestWorld> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'guildhall-data-'))
  const database = await openWorldDatabase(dataDir)
  const variables = {
    DEMO: '1',
    APP_SCHEME: '',
    DATA_DIR: dataDir,
    KEYS_SECRET,
    FETCH_OUTSIDE: '0',
    RATE_LIMIT_SCALE: '1000',
    // Several worlds may listen at once.
    PORT: String(await freePort()),
    ...env,
  }
  const config = readConfig(variables, '/')
  const opened = await startApp({
    config,
    database,
    log: openLog('quiet'),
    webDir,
    checkAnswers: true,
    ...options,
  })
  let listening: Promise<string> | undefined
  const app: App = { ...opened, listen: () => (listening ??= opened.listen()) }
  /** An injected request has no socket, which a file needs. */
  const send: Send = async (request) => {
    if (!request.headers?.['content-type']?.startsWith('multipart/')) return app.inject(request)
    await app.listen()
    return sendTo(`http://127.0.0.1:${config.port}`)(request)
  }
  const world = await readWorld(database.db)
  const people = world.people as Record<PersonName, DemoPerson>
  const demo = world.guilds[0]
  const channel = (name: string) => {
    const found = world.channels.find((each) => each.guild_id === demo?.id && each.name === name)
    if (!found) throw new Error(`the demo guild has no channel ${name}`)
    return found
  }
  const main = channel(demoGuilds.demo.main)
  return {
    ...world,
    ...openCalls({
      send,
      db: database.db,
      people,
      config: readConfig({ ...variables, DATABASE_URL: database.url }, '/'),
    }),
    app,
    database,
    dataDir,
    people,
    guildId: main.guild_id,
    main,
    rules: channel(demoGuilds.demo.rules),
    backstage: channel(demoGuilds.demo.private),
    voice: channel(demoGuilds.demo.voice),
    invite: world.invites.find(({ guild_id }) => guild_id === demo?.id)?.code ?? '',
    async close() {
      await app.close()
      await database.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
