import { viewGuild } from '@guildhall/wire/channel/channel.ts'
import { listGuilds } from '@guildhall/wire/guild/guild.ts'
import { history } from '@guildhall/wire/message/message.ts'
import { me } from '@guildhall/wire/user/user.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { castNames, seedWorld } from './seed.ts'
import { conversation, people } from './text.ts'
import { openWorld, type TestWorld } from './world.ts'

let world: TestWorld
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

it('a database with people in it is not seeded again', async () => {
  expect(await seedWorld(world.database.db)).toBe(false)
  const { rows } = await sql`select 1 from "user"`.execute(world.database.db)
  expect(rows).toHaveLength(castNames.length)
})

it('everybody of the cast can log in with the password that was printed', async () => {
  for (const name of castNames) expect((await world.callAs(name)(me)).username).toBe(people[name].username)
})

it('the demo guild tells its conversation, oldest first', async () => {
  const said = await world.callAs('member')(history, { id: world.main.id })
  expect(said.map(({ author }) => author.username)).toEqual(conversation.map(([who]) => people[who].username))
  expect(said.map(({ seq }) => seq)).toEqual(said.map(({ seq }) => seq).toSorted((a, b) => a - b))
})

it('there are guilds of level 3, 0 and 6, and an outsider belongs to none', async () => {
  expect((await world.callAs('owner')(listGuilds)).map(({ level }) => level)).toEqual([3, 0, 6])
  expect(await world.callAs('outsider')(listGuilds)).toEqual([])
})

it('a member does not see the private category, an administrator does', async () => {
  const namesFor = async (name: 'member' | 'admin') => {
    const { channels } = await world.callAs(name)(viewGuild, { id: world.guilds[0]?.id })
    return channels.flatMap((each) => [each.name, ...each.channels.map((child) => child.name)])
  }
  expect(await namesFor('member')).not.toContain(world.backstage.name)
  expect(await namesFor('admin')).toContain(world.backstage.name)
})

it('the banner names the address, the invite, where codes are and every person', async () => {
  const lines = (await world.app.banner()).join('\n')
  expect(lines).toContain(`/invite/${world.invite}`)
  expect(lines).toContain('/dev/outbox')
  for (const { mobile, password } of Object.values(world.cast)) {
    expect(lines).toContain(mobile)
    expect(lines).toContain(password)
  }
})
