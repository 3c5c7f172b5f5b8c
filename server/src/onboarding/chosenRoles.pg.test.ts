/** Roles that members choose themselves: which may be offered, who may take them, what they lose by it. */
import { listAudit } from '@guildhall/wire/audit/audit.ts'
import { viewGuild } from '@guildhall/wire/channel/channel.ts'
import type { GuildId } from '@guildhall/wire/id.ts'
import { chooseRole, updateOnboarding, viewOnboarding } from '@guildhall/wire/onboarding/onboarding.ts'
import { permission } from '@guildhall/wire/permission/permission.ts'
import { createRole, deleteRole, updateRole } from '@guildhall/wire/role/role.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PersonName } from '../demo/world.ts'
import type { LiveEvent } from '../kit/events/bus.ts'
import { commit } from '../kit/events/events.ts'
import { join } from '../member/member.ts'
import { memberRoles, rolesOf } from '../role/role.ts'
import { openWorld, type TestWorld } from '../testing/world.ts'

let world: TestWorld
let guild_id: GuildId
/** The role of the admin, the highest. */
let admins: number
let north = 0
let south = 0
let [chess, songs] = [0, 0]
let told: LiveEvent[] = []
beforeAll(async () => {
  world = await openWorld()
  guild_id = world.guildId
  admins = (await rolesOf(world.database.db, guild_id))[0]!.role_id
  for (const [at, name] of ['北服', '南服', '下棋', '唱歌'].entries()) {
    const { role_id } = await owner().call(createRole, { guild_id, name })
    if (at === 0) north = role_id
    if (at === 1) south = role_id
    if (at === 2) chess = role_id
    if (at === 3) songs = role_id
  }
  world.app.appContext.bus.subscribe((event) => told.push(event))
})
afterAll(() => world.close())

const owner = () => world.as('owner')
const setRights = (role_id: number, permissions: number) =>
  owner().call(updateRole, { guild_id, role_id, permissions })
const one = (...role_ids: number[]) => ({ title: '在哪个服', several: false, role_ids })
const many = (...role_ids: number[]) => ({ title: '喜欢什么', several: true, role_ids })
const offer = (...questions: object[]) => owner().call(updateOnboarding, { guild_id, questions })
const refused = (name: PersonName, ...questions: object[]) =>
  world.as(name).refusal(updateOnboarding, { guild_id, questions })
const choose = (role_id: number, chosen = true, name: PersonName = 'member') =>
  world.as(name).call(chooseRole, { guild_id, role_id, chosen })
const offered = (ids: readonly number[]) => ids.filter((id) => [north, south, chess, songs].includes(id))

describe('a role is not offered', () => {
  it('that its offerer could not grant', async () => {
    await setRights(admins, permission.manage_guild)
    expect(await refused('admin', one(north))).toBe('forbidden')
    await setRights(admins, permission.manage_guild | permission.manage_role)
    expect(await refused('admin', one(admins))).toBe('role.above')
    expect(await refused('owner', one(0))).toBe('role.everyone')
    expect(await refused('owner', one(4_000_000_000))).toBe('role.unknown')
    await setRights(north, permission.share_screen)
    expect(await refused('admin', one(north))).toBe('role.bits')
    await setRights(north, 0)
    expect(await refused('admin', one(north))).toBe('none')
    await offer()
  })

  it('with rights over others', async () => {
    for (const right of [permission.manage, permission.manage_message, permission.mute_member]) {
      await setRights(chess, right)
      expect(await refused('owner', many(chess))).toBe('onboarding.role_over_others')
    }
    await setRights(chess, 0)
  })

  it('twice, to nobody’s question, or among too many', async () => {
    expect(await refused('owner', one(north), many(north))).toBe('bad_input')
    expect(await refused('owner', { ...one(north), title: ' ' })).toBe('bad_input')
    expect(await refused('owner', one())).toBe('bad_input')
    expect(await refused('owner', ...Array.from({ length: 6 }, () => one(north)))).toBe('bad_input')
  })
})

describe('a member does not choose', () => {
  it('a role that is not offered, as a stranger any, and as a bot none', async () => {
    await offer(one(north, south))
    expect(await world.as('outsider').refusal(chooseRole, { guild_id, role_id: north, chosen: true })).toBe(
      'forbidden',
    )
    for (const role_id of [chess, admins, 0])
      expect(await world.as('member').refusal(chooseRole, { guild_id, role_id, chosen: true })).toBe(
        'onboarding.not_offered',
      )
  })

  it('a role that got rights over others since, which is offered no more', async () => {
    await offer(one(north, south))
    await setRights(south, permission.ban_member)
    expect(await world.as('member').refusal(chooseRole, { guild_id, role_id: south, chosen: true })).toBe(
      'onboarding.not_offered',
    )
    expect((await world.as('member').call(viewOnboarding, { guild_id })).questions).toEqual([one(north)])
    await setRights(south, 0)
    expect((await owner().call(viewOnboarding, { guild_id })).questions).toEqual([one(north, south)])
  })

  it('before they accepted the rules', async () => {
    await owner().call(updateOnboarding, { guild_id, rules: [{ title: '友善' }], rules_on: true })
    await commit(world.app.appContext, (tx, emit) => join(tx, emit, guild_id, world.people.outsider.id))
    expect(await world.as('outsider').refusal(chooseRole, { guild_id, role_id: north, chosen: true })).toBe(
      'onboarding.rules_needed',
    )
    await owner().call(updateOnboarding, { guild_id, rules_on: false })
    expect(await world.as('outsider').refusal(chooseRole, { guild_id, role_id: north, chosen: true })).toBe(
      'none',
    )
  })
})

describe('a member chooses', () => {
  it('one role of a question with one answer, several of another, and gives them back', async () => {
    await offer(one(north, south), many(chess, songs))
    expect(offered((await choose(north)).roles)).toEqual([north])
    expect(offered((await choose(south)).roles)).toEqual([south])
    await choose(chess)
    expect(offered((await choose(songs)).roles).toSorted()).toEqual([south, chess, songs].toSorted())
    expect(offered((await choose(chess, false)).roles).toSorted()).toEqual([south, songs].toSorted())
    await choose(songs, false)
    expect(offered((await choose(south, false)).roles)).toEqual([])
    // What they do not have is given back without an effect.
    expect(offered((await choose(south, false)).roles)).toEqual([])
  })

  it('and the guild is told as of any grant; the log has what was offered, and not each choice', async () => {
    await offer(one(north, south))
    await offer(many(chess))
    await world.app.appContext.bus.settled()
    told = []
    await choose(chess)
    await choose(chess)
    await world.app.appContext.bus.settled()
    expect(told.filter(({ to }) => to === 'guild').map(({ kind }) => kind)).toEqual(['updated_guild_member'])
    const { items } = await owner().call(listAudit, { guild_id, page_size: 1 })
    expect(items).toMatchObject([
      {
        type: 'onboarding_updated',
        after: { questions: '喜欢什么 +: 下棋' },
        before: { questions: '在哪个服: 北服, 南服' },
      },
    ])
  })

  it('two answers at once, and has one of them', async () => {
    await offer(one(north, south))
    await Promise.all([choose(north), choose(south), choose(north), choose(south)])
    const held = (await memberRoles(world.database.db, guild_id, world.people.member.id)) ?? []
    expect(offered(held).filter((id) => id !== chess && id !== songs)).toHaveLength(1)
  })

  it('while the role is deleted, and nobody has it', async () => {
    await offer(one(north, south))
    await Promise.all([
      ...(['member', 'admin', 'muted'] as const).map((name) =>
        world.as(name).refusal(chooseRole, { guild_id, role_id: south, chosen: true }),
      ),
      owner().call(deleteRole, { guild_id, role_id: south }),
    ])
    for (const name of ['member', 'admin', 'muted'] as const)
      expect(await memberRoles(world.database.db, guild_id, world.people[name].id)).not.toContain(south)
    expect((await owner().call(viewOnboarding, { guild_id })).questions).toEqual([one(north)])
  })

  it('as long as the guild offers any: its view says so', async () => {
    const offers = async () =>
      (await world.as('member').call(viewGuild, { id: guild_id })).user_config.offers_roles
    expect(await offers()).toBe(true)
    await offer()
    expect(await offers()).toBe(undefined)
  })
})
