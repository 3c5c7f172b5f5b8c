import { viewChannel, viewGuild } from '@guildhall/wire/channel/channel.ts'
import { listGuilds, viewUser } from '@guildhall/wire/guild/guild.ts'
import { ALL_PERMISSIONS, DEFAULT_EVERYONE, has, permission } from '@guildhall/wire/permission/permission.ts'
import { me } from '@guildhall/wire/user/me.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { demoGuilds } from '../demo/text.ts'
import { openWorld, type TestWorld } from '../testing/world.ts'

let world: TestWorld
let demo: string
beforeAll(async () => {
  world = await openWorld()
  demo = world.guilds[0]?.id ?? ''
})
afterAll(() => world.close())

describe('refusals', () => {
  it('nobody sees anything of guilds without a session', async () => {
    for (const [route, input] of [
      [listGuilds, {}],
      [viewGuild, { id: demo }],
      [viewChannel, { id: world.main.id }],
      [me, {}],
    ] as const) {
      expect(await world.as(null).refusal(route, input)).toBe('not_logged_in')
    }
  })

  it.each(['x', '-1', '0', '1e3', '99999999999999999', "1' or '1'='1", '../2'])('%j is no id', async (id) => {
    expect(await world.as('owner').refusal(viewGuild, { id })).toBe('bad_input')
    expect(await world.as('owner').refusal(viewChannel, { id })).toBe('bad_input')
  })

  it('a deleted guild is refused to its owner too', async () => {
    const id = world.guilds[1]?.id
    await sql`update guild set deleted_at = 1 where id = ${id}`.execute(world.database.db)
    expect(await world.as('owner').refusal(viewGuild, { id })).toBe('forbidden')
    expect((await world.as('owner').call(listGuilds)).map((guild) => guild.id)).not.toContain(id)
    await sql`update guild set deleted_at = null where id = ${id}`.execute(world.database.db)
  })
})

it('the owner has all permissions, a member those of everyone, and each sees their own roles', async () => {
  const [owner, admin, member] = await Promise.all(
    (['owner', 'admin', 'member'] as const).map((name) => world.as(name).call(viewGuild, { id: demo })),
  )
  expect(owner).toMatchObject({
    is_master: true,
    permissions: ALL_PERMISSIONS,
    master_id: world.people.owner.id,
  })
  expect(admin).toMatchObject({ is_master: false, permissions: ALL_PERMISSIONS })
  expect(member?.is_master).toBe(false)
  expect(has(member?.permissions ?? 0, DEFAULT_EVERYONE)).toBe(true)
  expect(has(member?.permissions ?? 0, permission.manage)).toBe(false)
  expect(member?.user_config).toEqual({ nickname: '', role_ids: member?.my_roles })
  expect(member?.my_roles).toHaveLength(1)
})

it('roles are listed highest first, everyone’s last', async () => {
  const { roles } = await world.as('member').call(viewGuild, { id: demo })
  expect(roles.at(-1)).toMatchObject({ role_id: 0, name: '@全体成员', permissions: DEFAULT_EVERYONE })
  const positions = roles.slice(0, -1).map(({ position }) => position)
  expect(positions).toEqual(positions.toSorted((a, b) => a - b))
})

it('the tree has the channels of a category under it, in their order', async () => {
  const { channels, default_channel_id } = await world.as('member').call(viewGuild, { id: demo })
  const { demo: names } = demoGuilds
  expect(channels.map(({ name }) => name)).toEqual([names.talk, names.welcome, names.listen])
  expect(channels[0]?.channels.map(({ name }) => name)).toEqual([names.main, names.side])
  expect(channels[0]).toMatchObject({ is_category: true, type: 0, parent_id: '' })
  expect(channels[1]?.channels[0]).toMatchObject({ is_readonly: true, is_private: false, type: 1 })
  expect(default_channel_id).toBe(world.main.id)
})

it('a private channel is marked as private for its viewers', async () => {
  const seen = await world.as('admin').call(viewChannel, { id: world.backstage.id })
  expect(seen).toMatchObject({
    is_private: true,
    permissions: ALL_PERMISSIONS,
    parent_id: world.backstage.parent_id,
  })
})

it('a rule for one person is shown to that person and to those who manage roles, and to nobody else', async () => {
  const { muted } = world.people
  await sql`
    insert into channel_user_rule (channel_id, user_id, allow, deny)
    values (${world.main.id}, ${muted.id}, 0, ${permission.upload_file})`.execute(world.database.db)
  const own = await world.as('muted').call(viewChannel, { id: world.main.id })
  expect(own.permission_users).toMatchObject([{ user: { id: muted.id }, deny: permission.upload_file }])
  expect((await world.as('member').call(viewChannel, { id: world.main.id })).permission_users).toEqual([])
  const managed = await world.as('owner').call(viewChannel, { id: world.main.id })
  expect(managed.permission_users).toEqual(own.permission_users)
})

describe('a person', () => {
  it('is shown as a member to members only, with nickname, roles and the time of joining', async () => {
    const { member, outsider } = world.people
    const asked = { user_id: member.id, guild_id: demo }
    expect(await world.as('outsider').refusal(viewUser, asked)).toBe('forbidden')
    expect(await world.as('owner').refusal(viewUser, { ...asked, user_id: outsider.id })).toBe('user.unknown')
    expect(await world.as('owner').refusal(viewUser, { user_id: '404' })).toBe('user.unknown')
    const shown = await world.as('owner').call(viewUser, asked)
    expect(shown).toMatchObject({ id: member.id, username: member.username, is_master: false })
    expect(shown.joined_at).toBeGreaterThanOrEqual(0)
    expect(shown.roles).toBeInstanceOf(Array)
    const owner = await world.as('member').call(viewUser, { user_id: world.people.owner.id, guild_id: demo })
    expect(owner.is_master).toBe(true)
  })

  it('is shown without a guild by what everybody sees', async () => {
    const shown = await world.as('member').call(viewUser, { user_id: world.people.outsider.id })
    expect(shown).toMatchObject({ id: world.people.outsider.id })
    expect(shown).not.toHaveProperty('nickname')
    expect(JSON.stringify(shown)).not.toContain('mobile')
  })
})
