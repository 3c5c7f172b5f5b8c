import { viewGuild } from '@guildhall/wire/channel/channel.ts'
import { emojiPicture, listGuildEmoji } from '@guildhall/wire/emoji/emoji.ts'
import { listGuilds } from '@guildhall/wire/guild/guild.ts'
import { history } from '@guildhall/wire/message/message.ts'
import { me } from '@guildhall/wire/user/me.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { seedWorld } from '../demo/seed.ts'
import { conversation, people } from '../demo/text.ts'
import { personNames } from '../demo/world.ts'
import { openTestDatabase } from './database/database.ts'
import { testKeys } from './keys.ts'
import { openWorld, type TestWorld } from './world.ts'

let world: TestWorld
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

it('a database with people in it is not seeded again', async () => {
  expect(await seedWorld(world.database.db, testKeys)).toBe(false)
  const { rows } = await sql`select 1 from "user"`.execute(world.database.db)
  expect(rows).toHaveLength(personNames.length)
})

it('each person of the demo world can log in with the printed password', async () => {
  for (const name of personNames) expect((await world.as(name).call(me)).username).toBe(people[name].username)
})

it('the demo guild has its conversation, oldest first', async () => {
  const messages = await world.as('member').call(history, { id: world.main.id })
  expect(messages.map(({ author }) => author.username)).toEqual(
    conversation.map(([who]) => people[who].username),
  )
  expect(messages.map(({ seq }) => seq)).toEqual(messages.map(({ seq }) => seq).toSorted((a, b) => a - b))
})

it('there are guilds of level 3, 0 and 6, and an outsider belongs to none', async () => {
  expect((await world.as('owner').call(listGuilds)).map(({ level }) => level)).toEqual([3, 0, 6])
  expect(await world.as('outsider').call(listGuilds)).toEqual([])
})

it('the demo guild has custom emoji with pictures', async () => {
  const { items } = await world.as('member').call(listGuildEmoji, { guild_id: world.guilds[0]?.id })
  expect(items.map(({ name }) => name).toSorted()).toEqual(['收音机', '晚安', '月亮', '馄饨'].toSorted())
  for (const { id } of items) {
    const picture = await world.app.inject({ method: 'GET', url: emojiPicture(id) })
    expect([picture.status, picture.headers['content-type']]).toEqual([200, 'image/png'])
  }
})

it('a member does not see the private category, an administrator does', async () => {
  const namesFor = async (name: 'member' | 'admin') => {
    const { channels } = await world.as(name).call(viewGuild, { id: world.guilds[0]?.id })
    return channels.flatMap((each) => [each.name, ...each.channels.map((child) => child.name)])
  }
  expect(await namesFor('member')).not.toContain(world.backstage.name)
  expect(await namesFor('admin')).toContain(world.backstage.name)
})

it('the banner has the address, the invite, the address of the codes and every person', async () => {
  const lines = (await world.app.banner()).join('\n')
  expect(lines).toContain(`/invite/${world.invite}`)
  expect(lines).toContain('/dev/outbox')
  for (const { mobile, password } of Object.values(world.people)) {
    expect(lines).toContain(mobile)
    expect(lines).toContain(password)
  }
})

it('a seed that fails at its last step leaves the database empty, and the next one fills it', async () => {
  const database = await openTestDatabase()
  const count = async () => {
    const { rows } = await sql<{ n: number }>`
      select (select count(*) from "user") + (select count(*) from guild) + (select count(*) from message)
        + (select count(*) from event_log) + (select count(*) from demo_cast) as n`.execute(database.db)
    return Number(rows[0]?.n)
  }
  await sql`alter table person_event_log add constraint cut check (seq > 1)`.execute(database.db)
  await expect(seedWorld(database.db, testKeys)).rejects.toThrow('cut')
  expect(await count()).toBe(0)
  await sql`alter table person_event_log drop constraint cut`.execute(database.db)
  expect(await seedWorld(database.db, testKeys)).toBe(true)
  await database.close()
})

it('a seed may take as long as the machine needs for its pictures', async () => {
  const database = await openTestDatabase()
  // Checked with its last rows, by the setting of the connection that writes them.
  await sql`alter table person_event_log
    add constraint patient check (current_setting('idle_in_transaction_session_timeout') = '0')`.execute(
    database.db,
  )
  expect(await seedWorld(database.db, testKeys)).toBe(true)
  await database.close()
})

it('two servers that start at once on an empty database seed it once', async () => {
  const database = await openTestDatabase()
  const seeded = await Promise.all([
    seedWorld(database.db, testKeys),
    seedWorld(database.db, testKeys),
    seedWorld(database.db, testKeys),
  ])
  expect(seeded.filter(Boolean)).toHaveLength(1)
  await database.close()
})
