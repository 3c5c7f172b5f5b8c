/** What the command line lists, so that ids of other commands are found without SQL. */
import { createBan } from '@guildhall/wire/member/moderation.ts'
import { EVERYONE_POSITION } from '@guildhall/wire/permission/hierarchy.ts'
import { listRoles } from '@guildhall/wire/role/role.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openWorld, type TestWorld } from '../testing/world.ts'

let world: TestWorld
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

it('roles and bans of a guild that there is not are refused', async () => {
  for (const command of ['role list', 'ban list']) {
    await expect(world.command(`${command} --guild 9`)).rejects.toThrow('There is no guild 9.')
    await expect(world.command(command)).rejects.toThrow('needs --guild')
  }
})

it('no list is in the security log, or has a token', async () => {
  const { token } = await world.command('bot', 'create', '--name', '保密', '--guild', world.guildId)
  const entries = async () => (await sql`select 1 from security_event`.execute(world.database.db)).rows.length
  const before = await entries()
  for (const command of ['bot list', 'guild list', `role list --guild ${world.guildId}`])
    expect(JSON.stringify(await world.command(command))).not.toContain(token)
  expect(await entries()).toBe(before)
})

it('bots are listed with the open guilds that they are in', async () => {
  const known = await world.command<{ id: string }[]>('bot list')
  const { id } = await world.command<{ id: string }>(
    'bot',
    'create',
    '--name',
    '值班',
    '--guild',
    world.guildId,
  )
  const second = world.guilds[1]!.id
  await world.command(`bot join --bot ${id} --guild ${second}`)
  const it = { id, name: '值班', guilds: [world.guildId, second] }
  expect(await world.command('bot list')).toEqual([...known, it])
  await world.command(`guild close --guild ${second} --yes`)
  await world.command(`bot leave --bot ${id} --guild ${world.guildId}`)
  expect(await world.command('bot list')).toEqual([...known, { ...it, guilds: [] }])
  await world.command(`guild restore --guild ${second}`)
})

it('guilds that are open are listed with their owners and how many members they have', async () => {
  const { id } = await world.command<{ id: string }>(
    'guild',
    'create',
    '--name',
    '新公会',
    '--owner',
    world.idOf('owner'),
  )
  const listed = await world.command<{ id: string }[]>('guild list')
  expect(listed).toContainEqual({ id, name: '新公会', user_id: world.idOf('owner'), members: 1 })
  expect(listed.map((each) => each.id)).toEqual([...world.guilds.map((each) => each.id), id])
  await world.command(`guild close --guild ${id} --yes`)
  expect(await world.command('guild list')).toEqual(listed.slice(0, -1))
})

it('roles of a guild are listed from the highest to everyone’s', async () => {
  const { items } = await world.as('owner').call(listRoles, { guild_id: world.guildId, page_size: 50 })
  const listed = await world.command<object[]>(`role list --guild ${world.guildId}`)
  expect(listed).toEqual(
    items.map(({ role_id, name, position, permissions }) => ({ role_id, name, position, permissions })),
  )
  expect(listed.at(-1)).toMatchObject({ role_id: 0, position: EVERYONE_POSITION })
})

it('bans of a guild are listed with who banned, the newest first', async () => {
  expect(await world.command(`ban list --guild ${world.guildId}`)).toEqual([])
  const target = await world.newcomer()
  const ban = { guild_id: world.guildId, target_id: target.id, remark: '广告' }
  await world.as('owner').call(createBan, ban)
  expect(await world.command(`ban list --guild ${world.guildId}`)).toEqual([
    {
      user_id: target.id,
      username: expect.stringMatching(/^用户/),
      remark: '广告',
      by: world.idOf('owner'),
      created_time: expect.any(Number),
    },
  ])
})
