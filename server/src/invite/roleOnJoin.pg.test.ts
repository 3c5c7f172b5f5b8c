/** A role that an invite gives: who may put it there, and that it is asked again when somebody joins. */
import { listAudit } from '@guildhall/wire/audit/audit.ts'
import type { InviteCode, UserId } from '@guildhall/wire/id.ts'
import { createInvite, listInvites } from '@guildhall/wire/invite/manage.ts'
import { kickOut } from '@guildhall/wire/member/moderation.ts'
import { permission } from '@guildhall/wire/permission/permission.ts'
import { createRole, deleteRole, moveRole, updateRole } from '@guildhall/wire/role/role.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { PersonName } from '../demo/world.ts'
import { transaction } from '../kit/database/db.ts'
import type { LiveEvent } from '../kit/events/bus.ts'
import { memberRoles, rolesOf } from '../role/role.ts'
import { openWorld, type TestWorld } from '../testing/world.ts'
import { register } from '../user/user.ts'
import { joinByInvite } from './invite.ts'

/** What the admins of these tests may do. */
const ADMINS = permission.manage_role | permission.create_invite | permission.remove_member

let world: TestWorld
/** The role of the admin, the highest. */
let admins: number
/** The role of the invites, with a right that admins have. */
let recruits: number
let received: LiveEvent[] = []
beforeAll(async () => {
  world = await openWorld()
  const [highest] = await rolesOf(world.database.db, world.guildId)
  admins = highest!.role_id
  world.app.appContext.bus.subscribe((event) => received.push(event))
})
beforeEach(async () => {
  await setRights(admins, ADMINS)
  recruits = (await as('owner').call(createRole, { ...guild(), name: '新兵' })).role_id
  await setRights(recruits, permission.remove_member)
})
afterAll(() => world.close())

const guild = () => ({ guild_id: world.guildId })
const as = (name: PersonName | null) => world.as(name)
const setRights = (role_id: number, permissions: number) =>
  as('owner').call(updateRole, { ...guild(), role_id, permissions })
const make = async (role_id: number, by: PersonName = 'admin') =>
  (await as(by).call(createInvite, { ...guild(), role_id })).url_code

let people = 0
async function newcomer(): Promise<UserId> {
  people += 1
  const mobile = String(13_500_000_000 + people)
  const { user } = await transaction(world.database.db, (tx) =>
    register(tx, { prefix: '86', mobile, verified: true, makeName: () => '新人' }),
  )
  return user.id
}
const rolesAfter = async (code: InviteCode | string, userId?: UserId) => {
  const person = userId ?? (await newcomer())
  const { joined_now } = await joinByInvite(world.app.appContext, person, code)
  expect(joined_now).toBe(true)
  return memberRoles(world.database.db, world.guildId, person)
}

describe('an invite gives no role', () => {
  it('that its maker could not grant', async () => {
    const refused = (name: PersonName | null, role_id = recruits) =>
      as(name).refusal(createInvite, { ...guild(), role_id })
    expect([await refused(null), await refused('outsider'), await refused('member')]).toEqual([
      'not_logged_in',
      'forbidden',
      'forbidden',
    ])
    expect(await refused('admin', admins)).toBe('role.above')
    expect(await refused('owner', 0)).toBe('role.everyone')
    expect(await refused('owner', 4_000_000_000)).toBe('role.unknown')
    await setRights(recruits, permission.ban_member)
    expect(await refused('admin')).toBe('role.bits')
    expect(await refused('owner')).toBe('none')
  })

  it('that was raised above its maker since, or has rights that they lack', async () => {
    const code = await make(recruits)
    await setRights(recruits, permission.ban_member)
    expect(await rolesAfter(code)).toEqual([])
    await setRights(recruits, 0)
    await as('owner').call(moveRole, { ...guild(), role_id: recruits, position: 1 })
    expect(await rolesAfter(code)).toEqual([])
    await as('owner').call(moveRole, { ...guild(), role_id: recruits, position: 2 })
    expect(await rolesAfter(code)).toEqual([recruits])
  })

  it('when its maker may manage roles no more', async () => {
    const code = await make(recruits)
    await setRights(admins, permission.create_invite)
    expect(await rolesAfter(code)).toEqual([])
  })

  it('when its maker is no member any more', async () => {
    const code = await make(recruits)
    await as('owner').call(kickOut, { ...guild(), target_id: world.idOf('admin') })
    expect(await rolesAfter(code)).toEqual([])
    await joinByInvite(world.app.appContext, world.idOf('admin'), world.invite)
    await sql`insert into membership_role (guild_id, user_id, role_id)
      values (${world.guildId}, ${world.idOf('admin')}, ${admins})`.execute(world.database.db)
  })

  it('that is gone, and is listed without it', async () => {
    const code = await make(recruits)
    await as('owner').call(deleteRole, { ...guild(), role_id: recruits })
    expect(await rolesAfter(code)).toEqual([])
    const { items } = await as('owner').call(listInvites, guild())
    expect(items.find(({ url_code }) => url_code === code)).toMatchObject({ role_id: 0, role_name: '' })
  })

  it('to somebody who is a member already', async () => {
    const code = await make(recruits)
    const before = await memberRoles(world.database.db, world.guildId, world.idOf('member'))
    await joinByInvite(world.app.appContext, world.idOf('member'), code)
    expect(await memberRoles(world.database.db, world.guildId, world.idOf('member'))).toEqual(before)
  })
})

describe('who joins by an invite with a role', () => {
  it('has it at once; the guild is told, and the log says who gave it and by which invite', async () => {
    const code = await make(recruits)
    const person = await newcomer()
    await world.app.appContext.bus.settled()
    received = []
    expect(await rolesAfter(code, person)).toEqual([recruits])
    await world.app.appContext.bus.settled()
    const kinds = received.filter(({ to }) => to === 'guild').map(({ kind }) => kind)
    expect(kinds.slice(0, 2)).toEqual(['joined_guild', 'updated_guild_member'])
    const { items } = await as('owner').call(listAudit, { ...guild(), page_size: 2 })
    expect(items).toMatchObject([
      {
        type: 'role_granted',
        actor: { id: world.idOf('admin') },
        target: { kind: 'member', id: person },
        after: { role: '新兵', role_id: recruits, invite: code },
      },
      { type: 'invite_created', after: { role: '新兵', role_id: recruits } },
    ])
  })

  it('is one of many who come at once, while the role is deleted', async () => {
    const code = await make(recruits)
    const all = await Promise.all(Array.from({ length: 8 }, newcomer))
    await Promise.all([
      ...all.map((person) => joinByInvite(world.app.appContext, person, code)),
      as('owner').call(deleteRole, { ...guild(), role_id: recruits }),
    ])
    for (const person of all) expect(await memberRoles(world.database.db, world.guildId, person)).toEqual([])
  })

  it('is told by the list what the invite gives', async () => {
    const code = await make(recruits)
    const { items } = await as('admin').call(listInvites, guild())
    expect(items.find(({ url_code }) => url_code === code)).toMatchObject({
      role_id: recruits,
      role_name: '新兵',
    })
  })
})
