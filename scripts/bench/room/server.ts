// The server process of the room benchmark, with an embedded database.

import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { startApp } from '../../../server/src/app/app.ts'
import { createChannel } from '../../../server/src/channel/channel.ts'
import { readConfig } from '../../../server/src/config.ts'
import { openStore } from '../../../server/src/kit/database/store.ts'
import { noopBus } from '../../../server/src/kit/events/bus.ts'
import { commit } from '../../../server/src/kit/events/events.ts'
import { openLog } from '../../../server/src/kit/log.ts'
import { reduceGarbageCollection } from '../../../server/src/kit/process.ts'
import { createGuild, join } from '../../../server/src/member/member.ts'
import { KEYS_SECRET } from '../../../server/src/testing/keys.ts'
import { logIn } from '../kit/people.ts'
import { answer, cpu, type Seat, type Settings } from './ask.ts'

/** The server as `npm start` runs it. */
async function serveGuildhall(settings: Settings): Promise<void> {
  reduceGarbageCollection()
  const directory = await mkdtemp(path.join(tmpdir(), 'guildhall-bench-'))
  await chmod(directory, 0o711)
  const config = readConfig(
    {
      KEYS_SECRET,
      PORT: String(20_000 + Math.floor(Math.random() * 12_000)),
      DEMO: '0',
      RATE_LIMIT_SCALE: '100000',
      ...settings,
    },
    directory,
  )
  const dataDir = path.join(directory, 'data')
  await mkdir(dataDir)
  const store = await openStore({
    dataDir,
    databaseUrl: config.databaseUrl,
  })
  const { port } = config
  const { database } = store
  const { db } = database
  const app = await startApp({
    config,
    database,
    log: openLog('quiet'),
    checkAnswers: false,
    webDir: '/nowhere',
  })
  await app.listen()
  process.once('disconnect', async () => {
    await app.close()
    await store.close()
    await rm(directory, { recursive: true, force: true })
    process.exit(0)
  })

  /** A guild with one channel, and as many members as there are connections. */
  async function seed(connections: number) {
    const { rows: people } = await sql<{ id: string }>`
      insert into "user" (username, identify_num, mobile_prefix, mobile, mobile_verified, created_at)
      select 'room' || ${connections}::text || '-' || n, '1234', '86', ((${connections}::bigint * 10000000) + n)::text, true, 0
      from generate_series(1, ${connections}) as n returning id`.execute(db)
    const { guildId, channelId } = await commit({ db, bus: noopBus }, async (tx, emit) => {
      const ownerId = people[0]!.id as never
      const guildId = await createGuild(tx, emit, {
        name: `${connections}`,
        topic: '',
        ownerId,
      })
      for (const { id } of people.slice(1)) await join(tx, emit, guildId, id as never)
      return { guildId, channelId: await createChannel(tx, emit, { guildId, name: 'room', type: 1 }) }
    })
    const tokens = await logIn(
      db,
      people.map(({ id }) => id),
    )
    const seats: Seat[] = []
    for (const token of tokens) {
      const answer = await app.inject({
        method: 'GET',
        url: '/api/v3/gateway/index?compress=0',
        headers: { authorization: token },
      })
      const { data } = JSON.parse(answer.text) as { data: { url: string } }
      const url = new URL(data.url)
      seats.push({ token, gateway: url.pathname + url.search })
    }
    return { port, guildId, channelId, seats }
  }
  answer(async (it) => {
    if (it.ask === 'seed') return seed(it.connections)
    if (it.ask === 'cpu') return cpu()
    if (it.ask === 'memory') return process.memoryUsage.rss()
    throw new Error(`the server cannot ${it.ask}`)
  }, port)
}

await serveGuildhall(JSON.parse(process.argv[2]!) as Settings)
