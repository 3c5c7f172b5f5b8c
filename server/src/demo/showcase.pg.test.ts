/**
 * What one command shows besides people and words: an app, pictures, a bot that is online, and where to
 * begin.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { listGuilds } from '@guildhall/wire/guild/guild.ts'
import { joinGuild, viewInvite } from '@guildhall/wire/invite/invite.ts'
import { history } from '@guildhall/wire/message/message.ts'
import { siteInfo } from '@guildhall/wire/site/site.ts'
import { me } from '@guildhall/wire/user/me.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readConfig } from '../config.ts'
import { connectionUrl } from '../kit/database/db.ts'
import { type Running, start } from '../main.ts'
import { type Calls, openCalls, sendTo } from '../testing/calls.ts'
import { openTestDatabase, type TestDatabase } from '../testing/database/database.ts'
import { KEYS_SECRET } from '../testing/keys.ts'
import { greeter, people } from './text.ts'
import { readWorld, type World } from './world.ts'

let database: TestDatabase
let dataDir: string
let server: Running
let world: World
let calls: Calls

async function open(): Promise<void> {
  const env = {
    PORT: '0',
    KEYS_SECRET,
    DATA_DIR: dataDir,
    FETCH_OUTSIDE: '0',
    RATE_LIMIT_SCALE: '1000',
    DATABASE_URL: connectionUrl(database.connection),
  }
  const config = readConfig(env, '/')
  server = await start(config)
  world = await readWorld(database.db)
  calls = openCalls({ send: sendTo(server.url), db: database.db, people: world.people, config })
}
beforeAll(async () => {
  database = await openTestDatabase()
  dataDir = await mkdtemp(path.join(tmpdir(), 'guildhall-data-'))
  await open()
})
afterAll(async () => {
  await server.close()
  await database.close()
  await rm(dataDir, { recursive: true, force: true })
})

const guildId = () => world.guilds[0]!.id
const inviteOf = () => world.invites.find((each) => each.guild_id === guildId())!.code
/** What the bot said in the main channel, the newest last. */
const said = async () => {
  const messages = await calls.as('owner').call(history, { id: world.guilds[0]!.default_channel_id })
  return messages.filter(({ author }) => author.username === greeter.name).map(({ content }) => content)
}

it('people and guilds have uploaded pictures, and some have none', async () => {
  expect((await calls.as('owner').call(me)).avatar).toMatch(/\/assets\/.+\.\w+$/)
  expect((await calls.as('unverified').call(me)).avatar).not.toContain('/assets/')
  const [demo, quiet, grand] = await calls.as('owner').call(listGuilds)
  expect(quiet?.icon).toBe('')
  for (const address of [demo?.icon, demo?.banner, grand?.icon, grand?.banner])
    expect((await fetch(address!)).headers.get('content-type')).toMatch(/^image\//)
})

it('somebody is online: the bot, which greets who joins and answers who mentions it', async () => {
  await expect
    .poll(async () => (await calls.as(null).call(viewInvite, { id: inviteOf() })).guild.online_count)
    .toBe(1)
  await calls.as('outsider').call(joinGuild, { code: inviteOf() })
  await expect.poll(said).toEqual([greeter.greeting(`(met)${calls.idOf('outsider')}(met)`)])
  const [bot] = await calls
    .as('owner')
    .call(history, { id: world.guilds[0]!.default_channel_id })
    .then((all) => all.slice(-1))
  await calls.as('outsider').say(world.guilds[0]!.default_channel_id!, `(met)${bot!.author.id}(met) 在吗`)
  await expect.poll(said).toHaveLength(2)
  expect((await said()).at(-1)).toBe(greeter.answer)
})

it('the app’s pages in the stores say what they are', async () => {
  const { app } = await calls.as(null).call(siteInfo)
  for (const url of [app.ios_url, app.android_url]) {
    const store = await fetch(url)
    expect(store.status).toBe(200)
    expect(await store.text()).toContain('演示应用商店')
  }
})

it('the start prints three ways to begin, and where one may buy', () => {
  const lines = server.banner.join('\n')
  for (const part of [
    `/invite/${inviteOf()}`,
    '/dev/shell?login=browser&path=%2Faccount%2Fbuff',
    `/channels/${guildId()}`,
  ])
    expect(lines).toMatch(new RegExp(`\\d\\. .*${part.replaceAll('?', '\\?')}`))
  expect(lines).toContain('PURCHASE_IN_BROWSER=1')
})

it('another start shows the same pictures, and the bot comes back', async () => {
  const before = (await calls.as('owner').call(me)).avatar.replace(/^.*\/assets/, '')
  await server.close()
  await open()
  expect((await calls.as('owner').call(me)).avatar).toContain(before)
  expect(people.owner.username).toBe((await calls.as('owner').call(me)).username)
  await expect
    .poll(async () => (await calls.as(null).call(viewInvite, { id: inviteOf() })).guild.online_count)
    .toBe(1)
})
