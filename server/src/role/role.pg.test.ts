import { viewGuild } from '@guildhall/wire/channel/channel.ts'
import { viewUser } from '@guildhall/wire/guild/guild.ts'
import { amountAt } from '@guildhall/wire/guild/levelRights.ts'
import type { GuildId } from '@guildhall/wire/id.ts'
import { listMembers } from '@guildhall/wire/member/member.ts'
import { permission } from '@guildhall/wire/permission/permission.ts'
import {
  copyRole,
  countRoleMembers,
  createRole,
  deleteRole,
  grantRole,
  listRoles,
  moveRole,
  revokeRole,
  updateRole,
} from '@guildhall/wire/role/role.ts'
import type { Route } from '@guildhall/wire/route.ts'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { PersonName } from '../demo/world.ts'
import { setBoosts } from '../guild/guild.ts'
import { commit } from '../kit/events/events.ts'
import { openWorld, type TestWorld } from '../testing/world.ts'
import { addRole, giveRole, rolesOf } from './role.ts'

let world: TestWorld
let guild_id: GuildId
/** The roles of the demo world, from high to low: 管理员 (the admin's), 主播 (the member's), 禁言. */
let admins: number
let hosts: number
let muted: number
beforeAll(async () => {
  world = await openWorld()
  guild_id = world.guilds[0]?.id as GuildId
  const all = await rolesOf(world.database.db, guild_id)
  ;[admins, hosts, muted] = all.map(({ role_id }) => role_id) as [number, number, number]
})
afterAll(() => world.close())

const call = <R extends Route>(name: PersonName | null, route: R, input: object) =>
  world.as(name).call(route, { guild_id, ...input })
const refusal = (name: PersonName | null, route: Route, input: object = {}) =>
  world.as(name).refusal(route, { guild_id, ...input })
const eventsSince = async (seq: string) =>
  (
    await sql<{ kind: string; body: Record<string, unknown> }>`
      select kind, body from event_log where guild_id = ${guild_id} and seq > ${seq} order by seq`.execute(
      world.database.db,
    )
  ).rows
const lastSeq = async () =>
  (
    await sql<{
      seq: string
    }>`select event_seq as seq from guild_counter where guild_id = ${guild_id}`.execute(world.database.db)
  ).rows[0]!.seq
const setPermissions = (roleId: number, permissions: number) =>
  sql`update role set permissions = ${permissions} where guild_id = ${guild_id} and role_id = ${roleId}`.execute(
    world.database.db,
  )

describe('roles are not touched', () => {
  it('by guests, outsiders, and members without the right to manage roles', async () => {
    const inputs: [Route, object][] = [
      [listRoles, {}],
      [countRoleMembers, {}],
      [createRole, { name: 'x' }],
      [copyRole, { role_id: muted }],
      [updateRole, { role_id: muted, name: 'x' }],
      [moveRole, { role_id: muted, position: 1 }],
      [deleteRole, { role_id: muted }],
      [grantRole, { role_id: muted, user_id: world.idOf('member') }],
      [revokeRole, { role_id: muted, user_id: world.idOf('muted') }],
    ]
    for (const [route, input] of inputs) {
      expect([route.path, await refusal(null, route, input)]).toEqual([route.path, 'not_logged_in'])
      for (const name of ['outsider', 'member'] as const)
        expect([route.path, name, await refusal(name, route, input)]).toEqual([route.path, name, 'forbidden'])
    }
  })

  it('that stand above or beside the caller, by an administrator either', async () => {
    for (const [route, input] of [
      [updateRole, { name: 'x' }],
      [moveRole, { position: 3 }],
      [deleteRole, {}],
      [grantRole, { user_id: world.idOf('muted') }],
      [revokeRole, { user_id: world.idOf('admin') }],
    ] as const)
      expect([route.path, await refusal('admin', route, { role_id: admins, ...input })]).toEqual([
        route.path,
        'role.above',
      ])
  })

  it('of members above or beside the caller, nor of the caller themselves', async () => {
    const beside = world.idOf('muted')
    await commit(world.app.appContext, (tx, emit) => giveRole(tx, emit, guild_id, beside, admins))
    expect(await refusal('admin', revokeRole, { role_id: muted, user_id: beside })).toBe('guild.outranked')
    expect(await refusal('admin', grantRole, { role_id: muted, user_id: world.idOf('owner') })).toBe(
      'guild.outranked',
    )
    expect(await refusal('admin', grantRole, { role_id: muted, user_id: world.idOf('admin') })).toBe(
      'guild.outranked',
    )
    await call('owner', revokeRole, { role_id: admins, user_id: beside })
  })

  it('when they are everyone’s: it is not deleted, renamed, moved, granted or revoked', async () => {
    expect(await refusal('owner', moveRole, { role_id: 0, position: 1 })).toBe('role.everyone')
    expect(await refusal('owner', deleteRole, { role_id: 0 })).toBe('role.everyone')
    expect(await refusal('owner', updateRole, { role_id: 0, name: 'x' })).toBe('role.everyone')
    expect(await refusal('owner', updateRole, { role_id: 0, color: 5 })).toBe('role.everyone')
    expect(await refusal('owner', grantRole, { role_id: 0, user_id: world.idOf('member') })).toBe(
      'role.everyone',
    )
    expect(await refusal('owner', revokeRole, { role_id: 0, user_id: world.idOf('member') })).toBe(
      'role.everyone',
    )
  })

  it('when there are none such, or the person is no member', async () => {
    for (const route of [updateRole, deleteRole, moveRole])
      expect(await refusal('owner', route, { role_id: 4_000_000, position: 1 })).toBe('role.unknown')
    const both = { role_id: 4_000_000, user_id: world.idOf('member') }
    expect(await refusal('owner', grantRole, both)).toBe('role.unknown')
    expect(await refusal('owner', grantRole, { role_id: muted, user_id: world.idOf('outsider') })).toBe(
      'guild.not_member',
    )
  })

  it('to a position that cannot be', async () => {
    for (const position of [0, -1, 1.5, '', undefined, 2 ** 31])
      expect([position, await refusal('owner', moveRole, { role_id: muted, position })]).toEqual([
        position,
        'bad_input',
      ])
  })

  it('with a name, a colour or flags that cannot be', async () => {
    for (const name of ['', '  ', 'x'.repeat(65)])
      expect([name, await refusal('owner', updateRole, { role_id: muted, name })]).toEqual([
        name,
        'role.name_wrong',
      ])
    for (const odd of [{ color: 0x1000000 }, { color: -1 }, { hoist: 2 }, { permissions: 2 ** 31 }])
      expect(await refusal('owner', updateRole, { role_id: muted, ...odd })).toBe('bad_input')
  })
})

describe('a member who manages roles', () => {
  beforeEach(() => setPermissions(hosts, permission.manage_role | permission.create_invite))

  it('neither grants nor takes permissions that they lack', async () => {
    const { role_id } = await call('owner', createRole, { name: '新人' })
    const ask = (permissions: number) => refusal('member', updateRole, { role_id, permissions })
    expect(await ask(permission.ban_member)).toBe('role.bits')
    expect(await ask(permission.manage)).toBe('role.bits')
    expect(await ask(permission.create_invite)).toBe('none')
    await setPermissions(role_id, permission.ban_member)
    expect(await ask(0)).toBe('role.bits')
    expect(await refusal('member', grantRole, { role_id, user_id: world.idOf('muted') })).toBe('role.bits')
    expect(await refusal('member', updateRole, { role_id: 0, permissions: 2 ** 30 })).toBe('role.bits')
    await call('owner', deleteRole, { role_id })
  })

  it('touches what stands below them alone', async () => {
    expect(await refusal('member', updateRole, { role_id: hosts, name: 'x' })).toBe('role.above')
    expect(await refusal('member', updateRole, { role_id: admins, name: 'x' })).toBe('role.above')
    expect(await refusal('member', grantRole, { role_id: muted, user_id: world.idOf('admin') })).toBe(
      'guild.outranked',
    )
    expect(await refusal('member', updateRole, { role_id: muted, hoist: 1 })).toBe('none')
  })
})

describe('the order of roles', () => {
  const order = async () => (await rolesOf(world.database.db, guild_id)).map(({ role_id }) => role_id)
  const positions = async () =>
    (await rolesOf(world.database.db, guild_id)).slice(0, -1).map(({ position }) => position)
  const setRights = (permissions: number) => setPermissions(hosts, permissions)
  let low: number
  let lower: number
  beforeEach(async () => {
    await setRights(permission.manage_role)
    low = (await call('owner', createRole, { name: '低' })).role_id
    lower = (await call('owner', createRole, { name: '更低' })).role_id
  })
  afterEach(async () => {
    await call('owner', moveRole, { role_id: admins, position: 1 })
    await call('owner', moveRole, { role_id: hosts, position: 2 })
    await call('owner', deleteRole, { role_id: low })
    await call('owner', deleteRole, { role_id: lower })
  })

  it('raises nobody: what stands below one’s highest role is moved to positions below it alone', async () => {
    const before = await lastSeq()
    for (const role_id of [admins, hosts])
      for (const position of [1, 2, 3, 9])
        expect(await refusal('member', moveRole, { role_id, position })).toBe('role.above')
    for (const position of [1, 2])
      expect(await refusal('member', moveRole, { role_id: low, position })).toBe('role.above')
    expect(await eventsSince(before)).toEqual([])
    expect(await refusal('member', moveRole, { role_id: low, position: 3 })).toBe('none')
    expect(await order()).toEqual([admins, hosts, low, muted, lower, 0])
  })

  it('is changed by nobody whose right comes from everyone’s role alone', async () => {
    const everyone = (await rolesOf(world.database.db, guild_id)).at(-1)!.permissions
    await setPermissions(0, everyone | permission.manage_role)
    await call('owner', revokeRole, { role_id: muted, user_id: world.idOf('muted') })
    expect(await refusal('muted', moveRole, { role_id: lower, position: 5 })).toBe('role.above')
    await call('owner', grantRole, { role_id: muted, user_id: world.idOf('muted') })
    await setPermissions(0, everyone)
  })

  it('changes by the owner in any way: the position is taken, and those from there on move down', async () => {
    const move = async (role_id: number, position: number | string) => {
      const { items } = await call('owner', moveRole, { role_id, position })
      expect(items).toEqual((await call('owner', listRoles, { page_size: 50 })).items)
      return items.map((it) => it.role_id)
    }
    expect(await move(lower, 1)).toEqual([lower, admins, hosts, muted, low, 0])
    expect(await move(lower, '3')).toEqual([admins, hosts, lower, muted, low, 0])
    expect(await move(admins, 4)).toEqual([hosts, lower, muted, admins, low, 0])
    expect(await move(hosts, 99)).toEqual([lower, muted, admins, low, hosts, 0])
    expect(await positions()).toEqual([1, 2, 3, 4, 5])
    expect(await move(muted, 5)).toEqual([lower, admins, low, hosts, muted, 0])
    expect(await move(muted, 3)).toEqual([lower, admins, muted, low, hosts, 0])
    await move(muted, 4)
    await move(low, 5)
  })

  it('is told with an event for each role whose position changed, and with none when it stays', async () => {
    await call('owner', moveRole, { role_id: lower, position: 5 })
    const before = await lastSeq()
    await call('owner', moveRole, { role_id: lower, position: 5 })
    expect(await eventsSince(before)).toEqual([])
    const { items } = await call('owner', moveRole, { role_id: lower, position: 4 })
    expect(await eventsSince(before)).toEqual([
      { kind: 'updated_role', body: items[3] },
      { kind: 'updated_role', body: items[4] },
    ])
    expect(items.slice(3, 5).map(({ role_id }) => role_id)).toEqual([lower, low])
  })

  it('lets somebody whose role was raised act on members whose roles are now below', async () => {
    const rank = { guild_id, role_id: muted, user_id: world.idOf('admin') }
    await setRights(permission.manage_role)
    expect(await refusal('member', grantRole, rank)).toBe('guild.outranked')
    await call('owner', moveRole, { role_id: hosts, position: 1 })
    expect(await refusal('member', grantRole, rank)).toBe('none')
    await call('owner', revokeRole, rank)
  })

  it.each([2, 60])(
    'has neither doubles nor gaps after %i moves at once, and another role made meanwhile',
    async (count) => {
      const all = (await order()).slice(0, -1)
      const moves = Array.from({ length: count }, (_, n) =>
        call('owner', moveRole, { role_id: all[n % all.length]!, position: 1 + ((n * 7) % all.length) }),
      )
      const made = commit(world.app.appContext, (tx, emit) =>
        addRole(tx, guild_id, { name: '同时', color: 0, hoist: 0, mentionable: 0, permissions: 0 }, emit),
      )
      const answers = await Promise.all(moves)
      const { role_id } = await made
      for (const { items } of answers) {
        expect(items.at(-1)?.role_id).toBe(0)
        expect(items.slice(0, -1).map(({ position }) => position)).toEqual(
          items.slice(0, -1).map((_, n) => n + 1),
        )
      }
      expect(await positions()).toEqual((await positions()).map((_, n) => n + 1))
      expect((await order()).toSorted()).toEqual([...all, role_id, 0].toSorted())
      await call('owner', deleteRole, { role_id })
      for (const [n, id] of all.entries()) await call('owner', moveRole, { role_id: id, position: n + 1 })
    },
  )
})

describe('a role', () => {
  it('is created below all others, with the usual name, and announced', async () => {
    const before = await lastSeq()
    const made = await call('owner', createRole, {})
    const all = (await call('owner', listRoles, { page_size: 50 })).items
    expect(made).toEqual({
      role_id: expect.any(Number),
      name: '新角色',
      color: 0,
      color_type: 1,
      color_map: null,
      hoist: 0,
      mentionable: 0,
      permissions: 0,
      type: 0,
      op_permissions: 0,
      desc: '',
      position: all.at(-3)!.position + 1,
    })
    expect(all.at(-2)).toEqual(made)
    expect(all.at(-1)).toMatchObject({ role_id: 0, type: 255 })
    expect(await eventsSince(before)).toEqual([{ kind: 'added_role', body: made }])
    await call('owner', deleteRole, { role_id: made.role_id })
  })

  it('is copied in one act, below all others, with the permissions that the caller has and no members', async () => {
    expect(await refusal('owner', copyRole, { role_id: 0 })).toBe('role.everyone')
    expect(await refusal('owner', copyRole, { role_id: 4_000_000 })).toBe('role.unknown')
    expect(await refusal('owner', copyRole, { role_id: hosts, name: 'x'.repeat(65) })).toBe('role.name_wrong')
    const { send_message, ban_member, manage_role } = permission
    const look = { color: 0x2f9e44, hoist: 1, mentionable: 1, permissions: send_message | ban_member }
    const made = await call('owner', createRole, { name: '协管' })
    const like = await call('owner', updateRole, { role_id: made.role_id, ...look })
    const seq = await lastSeq()
    const whole = await call('owner', copyRole, { role_id: like.role_id, name: '协管 副本' })
    expect(whole).toEqual({ ...like, role_id: whole.role_id, position: like.position + 1, name: '协管 副本' })
    expect(await eventsSince(seq)).toMatchObject([{ kind: 'added_role', body: { role_id: whole.role_id } }])
    // Who manages roles and may not ban gives no right to ban, of a role above them either.
    const copies = [like.role_id, whole.role_id]
    const before = await rolesOf(world.database.db, guild_id)
    await setPermissions(hosts, manage_role | send_message)
    await setPermissions(admins, ban_member | send_message)
    for (const role_id of [like.role_id, admins]) {
      const copy = await call('member', copyRole, { role_id })
      expect(copy.permissions).toBe(send_message)
      copies.push(copy.role_id)
    }
    for (const { role_id, permissions } of before) await setPermissions(role_id, permissions)
    const { items } = await call('owner', countRoleMembers, {})
    expect(items.map(({ role_id }) => role_id)).not.toContain(whole.role_id)
    for (const role_id of copies) await call('owner', deleteRole, { role_id })
  })

  it('is listed in pages, by GET and POST', async () => {
    const first = await call('owner', listRoles, { page_size: 1 })
    expect(first.items.map(({ role_id }) => role_id)).toEqual([admins])
    expect(first.meta).toEqual({ page: 1, page_total: 4, page_size: 1, total: 4 })
    const posted = await world
      .as('owner')
      .call({ ...listRoles, method: 'POST' }, { guild_id, page: '2', page_size: 1 })
    expect(posted.items.map(({ role_id }) => role_id)).toEqual([hosts])
  })

  it('changes in the fields that are given, as numbers or text; the same again changes nothing', async () => {
    const { role_id } = await call('owner', createRole, { name: '队长' })
    const before = await lastSeq()
    const input = {
      role_id: String(role_id),
      color: '255',
      hoist: '1',
      mentionable: true,
      permissions: String(2 ** 30),
    }
    const changed = await call('owner', updateRole, input)
    expect(changed).toMatchObject({
      name: '队长',
      color: 255,
      hoist: 1,
      mentionable: 1,
      permissions: 2 ** 30,
    })
    expect(await call('owner', updateRole, input)).toEqual(changed)
    expect(await eventsSince(before)).toEqual([{ kind: 'updated_role', body: changed }])
    expect(await call('owner', updateRole, { role_id: 0, name: '@全体成员' })).toMatchObject({ role_id: 0 })
    await call('owner', deleteRole, { role_id })
  })

  const setLevel = (level: number) =>
    commit(world.app.appContext, (tx, emit) => setBoosts(tx, emit, guild_id, { boost_num: 0, level }))
  const gradient = (...color_list: number[]) => ({ color_type: 2, color_map: { color_list } })

  it('gets no gradient below level 4, and none of one, five or no colours', async () => {
    const { role_id } = await call('owner', createRole, { name: '渐变' })
    await setLevel(3)
    expect(await refusal('owner', updateRole, { role_id, ...gradient(1, 2) })).toBe('guild.level')
    expect(await refusal('owner', updateRole, { role_id, color_map: { color_list: [1, 2] } })).toBe(
      'guild.level',
    )
    await setLevel(4)
    for (const wrong of [
      gradient(1),
      gradient(1, 2, 3, 4, 5),
      gradient(0, 5),
      gradient(5, 0x1000000),
      { color_type: 2 },
      { color_type: 2, color_map: null },
      { color_type: 3 },
    ])
      expect([wrong, await refusal('owner', updateRole, { role_id, ...wrong })]).toEqual([wrong, 'bad_input'])
    expect(await refusal('owner', updateRole, { role_id: 0, ...gradient(1, 2) })).toBe('role.everyone')
    await call('owner', deleteRole, { role_id })
  })

  it('has a gradient in all its views, whose first colour others see; members have it', async () => {
    await setLevel(4)
    const { role_id } = await call('owner', createRole, { name: '渐变' })
    const before = await lastSeq()
    const list = [0xd9480f, 0xc2255c, 0x5f3dc4]
    const changed = await call('owner', updateRole, { role_id, color: 5, ...gradient(...list) })
    const shown = { color: list[0], color_type: 2, color_map: { color_list: list } }
    expect(changed).toMatchObject(shown)
    expect(await call('owner', updateRole, { role_id, ...gradient(...list) })).toEqual(changed)
    expect(await eventsSince(before)).toEqual([{ kind: 'updated_role', body: changed }])
    const { roles } = await world.as('owner').call(viewGuild, { id: guild_id })
    expect(roles.find((role) => role.role_id === role_id)).toMatchObject(shown)
    // Solid roles have no more fields than before.
    expect(roles.find((role) => role.role_id === admins)).not.toHaveProperty('color_map')

    await call('owner', grantRole, { role_id, user_id: world.idOf('muted') })
    const colors = { color: list[0], color_list: list }
    expect(await world.as('owner').call(viewUser, { guild_id, user_id: world.idOf('muted') })).toMatchObject(
      colors,
    )
    const { data } = await world.as('owner').call(listMembers, { id: guild_id })
    expect(data.find((it) => it.id === world.idOf('muted'))).toMatchObject(colors)
    expect(data.find((it) => it.id === world.idOf('admin'))).not.toHaveProperty('color_list')
    await call('owner', deleteRole, { role_id })
  })

  it('keeps its gradient when the guild drops a level, gets no other one, and can be solid again', async () => {
    await setLevel(4)
    const { role_id } = await call('owner', createRole, { name: '渐变' })
    await call('owner', updateRole, { role_id, ...gradient(1, 2) })
    await setLevel(3)
    const kept = { color: 1, color_type: 2, color_map: { color_list: [1, 2] } }
    // The same gradient again, and other fields of a client that sends them all.
    expect(await call('owner', updateRole, { role_id, ...kept, name: '旧渐变' })).toMatchObject({
      ...kept,
      name: '旧渐变',
    })
    expect(await call('owner', updateRole, { role_id, color: 1, hoist: 1 })).toMatchObject(kept)
    expect(await refusal('owner', updateRole, { role_id, ...gradient(2, 1) })).toBe('guild.level')
    expect(await call('owner', updateRole, { role_id, color_type: 1 })).toMatchObject({
      color: 1,
      color_type: 1,
      color_map: null,
    })
    expect(await refusal('owner', updateRole, { role_id, ...gradient(1, 2) })).toBe('guild.level')
    await call('owner', deleteRole, { role_id })
  })

  it('is granted and revoked with one event each, and leaves its members when it is deleted', async () => {
    const { role_id } = await call('owner', createRole, { name: '值日' })
    const user_id = world.idOf('muted')
    const before = await lastSeq()
    const wanted = { user_id, guild_id, roles: [muted, role_id] }
    expect(await call('owner', grantRole, { role_id, user_id })).toEqual(wanted)
    expect(await call('owner', grantRole, { role_id, user_id })).toEqual(wanted)
    expect(await call('owner', revokeRole, { role_id, user_id })).toMatchObject({ roles: [muted] })
    expect(await call('owner', revokeRole, { role_id, user_id })).toMatchObject({ roles: [muted] })
    await call('owner', grantRole, { role_id, user_id })
    await call('owner', deleteRole, { role_id })
    const events = await eventsSince(before)
    expect(events.map(({ kind, body }) => [kind, body.roles ?? body.role_id])).toEqual([
      ['updated_guild_member', [muted, role_id]],
      ['updated_guild_member', [muted]],
      ['updated_guild_member', [muted, role_id]],
      ['deleted_role', role_id],
    ])
    expect(await call('owner', revokeRole, { role_id: muted, user_id })).toMatchObject({ roles: [] })
    await call('owner', grantRole, { role_id: muted, user_id })
  })

  it('is counted with its members, and left out while nobody has it', async () => {
    const { role_id } = await call('owner', createRole, { name: '计数' })
    const user_id = world.idOf('muted')
    const counts = async () => {
      const { items } = await call('owner', countRoleMembers, {})
      return Object.fromEntries(items.map((it) => [it.role_id, it.count]))
    }
    const before = await counts()
    expect(before).not.toHaveProperty(String(role_id))
    expect(before).not.toHaveProperty('0')
    expect(before[admins]).toBe(1)
    await call('owner', grantRole, { role_id, user_id })
    await call('owner', grantRole, { role_id, user_id: world.idOf('member') })
    expect(await counts()).toEqual({ ...before, [role_id]: 2 })
    await call('owner', revokeRole, { role_id, user_id })
    expect(await counts()).toEqual({ ...before, [role_id]: 1 })
    await call('owner', deleteRole, { role_id })
    expect(await counts()).toEqual(before)
  })

  it('that is changed, moved, granted and deleted at once is gone, and nobody has it', async () => {
    const { role_id } = await call('owner', createRole, { name: '同时' })
    const user_id = world.idOf('muted')
    const outcomes = await Promise.all([
      refusal('owner', updateRole, { role_id, hoist: 1 }),
      refusal('owner', grantRole, { role_id, user_id }),
      refusal('owner', moveRole, { role_id, position: 1 }),
      refusal('owner', deleteRole, { role_id }),
      refusal('owner', revokeRole, { role_id, user_id }),
      refusal('owner', deleteRole, { role_id }),
    ])
    expect(outcomes.filter((it) => it !== 'none' && it !== 'role.unknown')).toEqual([])
    const { items } = await call('owner', listRoles, { page_size: 50 })
    expect(items.some((it) => it.role_id === role_id)).toBe(false)
    expect(await call('owner', revokeRole, { role_id: hosts, user_id })).toMatchObject({ roles: [muted] })
  })

  it('is not made past the limit, also by two calls at once', async () => {
    await sql`insert into role (guild_id, name, position)
      select ${guild_id}, 'bulk', 100 + n from generate_series(1, ${amountAt('max_role_num', world.guilds[0]!.level)} - 5) n`.execute(
      world.database.db,
    )
    const both = await Promise.all([refusal('owner', createRole), refusal('admin', createRole)])
    expect(both.sort()).toEqual(['none', 'role.full'])
    await sql`delete from role where name in ('bulk', '新角色')`.execute(world.database.db)
  })

  it('of an actor who loses the right at the same moment is not changed after that', async () => {
    await setPermissions(hosts, permission.manage_role)
    const order: string[] = []
    await Promise.all([
      call('owner', revokeRole, { role_id: hosts, user_id: world.idOf('member') }).then(() =>
        order.push('revoked'),
      ),
      refusal('member', createRole, { name: '最后' }).then((it) =>
        order.push(it === 'none' ? 'made' : 'refused'),
      ),
    ])
    const seen = (await eventsSince('0')).slice(-2).map(({ kind }) => kind)
    // Either the role was created before the revocation, or it was refused.
    if (order.includes('made')) expect(seen).toEqual(['added_role', 'updated_guild_member'])
    else expect(seen.at(-1)).toBe('updated_guild_member')
  })
})
