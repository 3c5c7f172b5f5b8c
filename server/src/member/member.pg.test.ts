import { channelUpdated } from '@guildhall/wire/channel/channel.ts'
import type { GuildId, UserId } from '@guildhall/wire/id.ts'
import { listMembers as listMembersRoute } from '@guildhall/wire/member/member.ts'
import { userList as userListRoute } from '@guildhall/wire/member/userList.ts'
import { permission } from '@guildhall/wire/permission/permission.ts'
import { DAY_MS } from '@guildhall/wire/unit.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setRule } from '../channel/channel.ts'
import { type AppContext, commit } from '../kit/events/events.ts'
import { addRole, dropRole, giveRole, takeRole, updateRole } from '../role/role.ts'
import { Refused } from '../testing/calls.ts'
import { type FakePresence, openFakePresence } from '../testing/fakePresence.ts'
import { openWorld, type TestWorld } from '../testing/world.ts'
import { register } from '../user/user.ts'
import {
  ALL_MEMBERS,
  createGuild,
  join,
  leave,
  listMembers,
  type MemberLists,
  Rosters,
  setNickname,
  userList,
} from './member.ts'

let world: TestWorld
let appContext: AppContext
let presence: FakePresence
let lists: MemberLists
beforeAll(async () => {
  world = await openWorld()
  presence = openFakePresence()
  appContext = { ...world.app.appContext, presence }
  lists = { appContext, rosters: new Rosters(appContext) }
})
afterAll(async () => {
  lists.rosters.close()
  await world.close()
})

const demo = () => world.guilds[0]!.id as GuildId
const failureOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'granted',
    (error: unknown) =>
      error instanceof Refused ? error.failure : ((error as { name?: string }).name ?? error),
  )
let people = 0
async function newPerson(username: string): Promise<UserId> {
  people += 1
  const it = { prefix: '86', mobile: String(13_600_000_000 + people), verified: people % 2 === 0 }
  const { user } = await commit(appContext, (tx) => register(tx, { ...it, makeName: () => username }))
  return user.id
}
async function newGuild(names: readonly string[]) {
  const [owner, ...rest] = await Promise.all(names.map(newPerson))
  const id = await commit(appContext, (tx, emit) => createGuild(tx, emit, { name: '名单', ownerId: owner! }))
  for (const userId of rest) await commit(appContext, (tx, emit) => join(tx, emit, id, userId))
  return { id, owner: owner!, rest }
}
const role = (guildId: GuildId, name: string, hoist = 1, color = 0, permissions = 0) =>
  commit(appContext, (tx, emit) =>
    addRole(tx, guildId, { name, color, hoist, mentionable: 0, permissions }, emit),
  )

/** The list as its readers see it: the head of each group, and the names below. */
async function shown(
  guildId: GuildId,
  userId: UserId,
  it: Partial<Parameters<typeof listMembers>[2]> = {},
  from = lists,
) {
  await appContext.bus.settled()
  const asked = { guildId, channelId: null, offset: 0, limit: 50, search: '', ...it }
  const { data, groups } = await listMembers(from, userId, asked)
  const names = data.map(({ nickname }) => nickname)
  return groups.map(({ kind, name, count }) => [
    `${kind === 'role' ? name : kind} ${count}`,
    ...names.splice(0, count),
  ])
}

describe('who may see the members', () => {
  it('refuses guests, outsiders, and who may not view the channel', async () => {
    expect(await failureOf(world.as(null).call(listMembersRoute, { id: demo() }))).toBe('not_logged_in')
    expect(await failureOf(world.as('outsider').call(listMembersRoute, { id: demo() }))).toBe('forbidden')
    expect(
      await failureOf(world.as('member').call(listMembersRoute, { id: demo(), c: world.backstage.id })),
    ).toBe('forbidden')
    expect(await failureOf(world.as('member').call(listMembersRoute, { id: demo(), c: 'x y' }))).toBe(
      'bad_input',
    )
  })

  it('refuses a channel of another guild', async () => {
    const other = world.channels.find(({ guild_id, type }) => guild_id !== demo() && type === 1)!
    expect(await failureOf(world.as('owner').call(listMembersRoute, { id: demo(), c: other.id }))).toBe(
      'forbidden',
    )
  })

  it('refuses the public call with 40000 for who is no member', async () => {
    const reply = await world
      .as('outsider')
      .call(userListRoute, { guild_id: demo() })
      .catch((input: Refused) => input)
    expect(reply instanceof Refused && [reply.failure, reply.body.code]).toEqual(['guild.not_member', 40000])
    expect(
      await failureOf(
        world.as('member').call(userListRoute, { guild_id: demo(), channel_id: world.backstage.id }),
      ),
    ).toBe('forbidden')
  })
})

describe('the list', () => {
  it('has every field of a member', async () => {
    const { data, ...counts } = await world.as('member').call(listMembersRoute, { id: demo(), c: 'null' })
    expect(counts).toMatchObject({
      online_count: 0,
      offline_count: 5,
      groups: [{ kind: 'offline', count: 5 }],
    })
    expect(data.find(({ username }) => username === '阿澈')).toMatchObject({
      nickname: '阿澈',
      color: 0x0b7a53,
      is_master: false,
      is_admin: true,
      game: '',
      os: '',
      online: false,
      hoist_info: null,
      abbr: 'ac',
      joined_at: expect.any(Number),
      active_time: expect.any(Number),
    })
    expect(data.filter(({ is_master }) => is_master).map(({ username }) => username)).toEqual(['小满'])
  })

  it('has hoisted roles first, then online, then offline, by name in each, and follows who comes and goes', async () => {
    const { id, owner, rest } = await newGuild(['主', '张三', '阿狸', 'Bob', 'carl'])
    const [zhang, ali, bob] = rest as [UserId, UserId, UserId]
    const host = await role(id, '主播')
    const guard = await role(id, '守卫')
    await commit(appContext, (tx, emit) => giveRole(tx, emit, id, zhang, guard.role_id))
    await commit(appContext, (tx, emit) => giveRole(tx, emit, id, bob, guard.role_id))
    await commit(appContext, (tx, emit) => giveRole(tx, emit, id, bob, host.role_id))
    expect(await shown(id, owner)).toEqual([['offline 5', '阿狸', 'Bob', 'carl', '张三', '主']])
    for (const userId of [zhang, bob, ali]) presence.come(userId)
    expect(await shown(id, owner)).toEqual([
      ['主播 1', 'Bob'],
      ['守卫 1', '张三'],
      ['online 1', '阿狸'],
      ['offline 2', 'carl', '主'],
    ])
    presence.go(bob)
    await commit(appContext, (tx, emit) => setNickname(tx, emit, id, ali, 'zz'))
    await commit(appContext, (tx, emit) => updateRole(tx, emit, id, guard.role_id, { hoist: 0 }))
    expect(await shown(id, owner)).toEqual([
      ['online 2', '张三', 'zz'],
      ['offline 3', 'Bob', 'carl', '主'],
    ])
    presence.go(zhang)
    presence.go(ali)
  })

  it('begins anywhere, across groups', async () => {
    const { id, owner, rest } = await newGuild(['a0', 'a1', 'a2', 'a3', 'a4'])
    presence.come(rest[3]!)
    const asked = { guildId: id, channelId: null, search: '' }
    const at = async (offset: number, limit: number) =>
      (await listMembers(lists, owner, { ...asked, offset, limit })).data.map(({ nickname }) => nickname)
    expect([await at(0, 2), await at(2, 2), await at(4, 2), await at(5, 2)]).toEqual([
      ['a4', 'a0'],
      ['a1', 'a2'],
      ['a3'],
      [],
    ])
    presence.go(rest[3]!)
  })

  it('shows for a channel only those who may view it, and follows its rules', async () => {
    const owner = world.people.owner.id
    const backstage = { channelId: world.backstage.id }
    expect(await shown(demo(), owner, backstage)).toEqual([['offline 2', '阿澈', '小满']])
    await commit(appContext, (tx, emit) =>
      setRule(tx, emit, world.backstage.id, {
        user_id: world.people.member.id,
        allow: permission.view_channel,
        deny: 0,
      }),
    )
    expect(await shown(demo(), owner, backstage)).toEqual([['offline 3', '阿澈', '南枝', '小满']])
    await commit(appContext, async (tx, emit) => {
      await sql`delete from channel_user_rule where channel_id = ${world.backstage.id}`.execute(tx)
      emit.guild(demo(), channelUpdated, { id: world.backstage.id, guild_id: demo() }, world.backstage.id)
    })
    expect(await shown(demo(), owner, backstage)).toEqual([['offline 2', '阿澈', '小满']])
  })

  it('is searched by name and pinyin', async () => {
    const found = async (search: string) =>
      (await world.as('member').call(listMembersRoute, { id: demo(), search })).data.map(
        ({ nickname }) => nickname,
      )
    await expect.poll(() => found('xiaom')).toEqual(['小满'])
    expect([await found('枝'), await found('无此人')]).toEqual([['南枝'], []])
  })
})

it('after any number of changes the list equals one that is read anew', async () => {
  const { id, owner, rest } = await newGuild(['主', ...Array.from({ length: 12 }, (_, n) => `人${n}`)])
  const roles = [
    await role(id, '甲'),
    await role(id, '乙', 1, 5, permission.manage),
    await role(id, '丙', 0, 7),
  ]
  const strangers = await Promise.all(['客一', '客二', '客三'].map(newPerson))
  await shown(id, owner)
  let seed = 20_260_101
  const random = (n: number) => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0
    return (seed >>> 8) % n
  }
  const pick = <T>(of: readonly T[]): T => of[random(of.length)]!
  const everybody = [...rest, ...strangers]
  const changes = [
    async () => presence.come(pick(everybody)),
    async () => presence.go(pick(everybody)),
    async () => void (await commit(appContext, (tx, emit) => join(tx, emit, id, pick(everybody)))),
    async () => void (await commit(appContext, (tx, emit) => leave(tx, emit, id, pick(everybody)))),
    async () =>
      commit(appContext, (tx, emit) =>
        setNickname(tx, emit, id, pick(everybody), pick(['', '啊', 'zed', '张'])),
      ),
    async () => {
      const [userId, it] = [pick(everybody), pick(roles)]
      const { rows } =
        await sql`select 1 from membership where guild_id = ${id} and user_id = ${userId}`.execute(
          appContext.db,
        )
      if (rows.length > 0) await commit(appContext, (tx, emit) => giveRole(tx, emit, id, userId, it.role_id))
    },
    async () =>
      commit(appContext, (tx, emit) => takeRole(tx, emit, id, pick(everybody), pick(roles).role_id)),
    async () =>
      void (await commit(appContext, (tx, emit) =>
        updateRole(tx, emit, id, pick(roles).role_id, { hoist: random(2) }),
      )),
  ]
  for (let turn = 0; turn < 150; turn += 1) {
    await pick(changes)()
    if (turn % 10 !== 0) continue
    const anew = { appContext, rosters: new Rosters(appContext) }
    expect([turn, await shown(id, owner)]).toEqual([turn, await shown(id, owner, {}, anew)])
    anew.rosters.close()
  }
  await commit(appContext, (tx, emit) => dropRole(tx, emit, id, roles[1]!.role_id))
  const { data } = await listMembers(lists, owner, {
    guildId: id,
    channelId: null,
    offset: 0,
    limit: 50,
    search: '',
  })
  expect(data.some((each) => each.is_admin || each.roles.includes(roles[1]!.role_id))).toBe(false)
  for (const userId of everybody) presence.go(userId)
})

it('only the guilds asked for last are kept, and one that was dropped is read again', async () => {
  const rosters = new Rosters(appContext, { members: 4, rosters: 10 })
  const [one, two] = [await newGuild(['a', 'b', 'c']), await newGuild(['d', 'e', 'f'])]
  const few = { appContext, rosters }
  expect(await shown(one.id, one.owner, {}, few)).toEqual([['offline 3', 'a', 'b', 'c']])
  expect(await shown(two.id, two.owner, {}, few)).toEqual([['offline 3', 'd', 'e', 'f']])
  await commit(appContext, (tx, emit) => setNickname(tx, emit, one.id, one.owner, 'z'))
  expect(await shown(one.id, one.owner, {}, few)).toEqual([['offline 3', 'b', 'c', 'z']])
  rosters.close()
})

describe('the list of the public protocol', () => {
  it('filters and sorts, and counts the whole guild', async () => {
    const { id, owner, rest } = await newGuild(['主', '张三', '阿狸', 'Bob'])
    const [zhang, ali, bob] = rest as [UserId, UserId, UserId]
    await sql`update membership set joined_at = joined_at - 3600000 where guild_id = ${id}`.execute(
      appContext.db,
    )
    const guard = await role(id, '守卫')
    await commit(appContext, (tx, emit) => giveRole(tx, emit, id, zhang, guard.role_id))
    presence.come(zhang)
    presence.come(ali, 'iOS')
    await appContext.bus.settled()
    const list = async (input: Partial<Parameters<typeof userList>[2]>) => {
      const answer = await userList(lists, owner, { ...ALL_MEMBERS, guildId: id, ...input })
      return answer.items.map(({ nickname }) => nickname)
    }
    const { user_count, online_count, offline_count, meta, items } = await userList(lists, owner, {
      ...ALL_MEMBERS,
      guildId: id,
      size: 3,
    })
    expect({ user_count, online_count, offline_count, meta }).toEqual({
      user_count: 4,
      online_count: 1,
      offline_count: 2,
      meta: { page: 1, page_total: 2, page_size: 3, total: 4 },
    })
    expect(items[0]).toMatchObject({ nickname: '阿狸', os: 'iOS', online: true, banner: '', vip_amp: false })
    expect(await list({ search: 'BO' })).toEqual(['Bob'])
    expect(await list({ roleId: guard.role_id })).toEqual(['张三'])
    expect(await list({ roleId: 0 })).toHaveLength(4)
    expect(await list({ onlyId: bob })).toEqual(['Bob'])
    expect(await list({ onlyId: world.people.owner.id })).toEqual([])
    const verified = await list({ isVerified: true })
    expect([...verified, ...(await list({ isVerified: false }))].sort()).toEqual((await list({})).sort())
    const joined = await list({ order: { by: 'joined_at', isDescending: false } })
    expect(await list({ order: { by: 'joined_at', isDescending: true } })).not.toEqual(joined)
    const active = await list({ order: { by: 'active_time', isDescending: true } })
    expect(active.slice(0, 2).sort()).toEqual(['张三', '阿狸'].sort())
    presence.go(zhang)
    presence.go(ali)
  })

  it('says who is muted to those with a right to mute alone', async () => {
    const muted = { guild_id: demo(), muted: 1 }
    expect(await world.as(null).refusal(userListRoute, muted)).toBe('not_logged_in')
    expect(await world.as('outsider').refusal(userListRoute, muted)).toBe('guild.not_member')
    expect(await world.as('member').refusal(userListRoute, muted)).toBe('member.no_right')
    expect(await world.as('member').refusal(userListRoute, { ...muted, muted: 0 })).toBe('member.no_right')
    expect(await world.as('owner').refusal(userListRoute, { ...muted, silent_days: 0 })).toBe('bad_input')
  })

  it('finds who joined lately, who was not seen for days, and who is muted', async () => {
    const { id, owner, rest } = await newGuild(['主', '老', '新', '哑'])
    const [, , mute] = rest as [UserId, UserId, UserId]
    const { db } = appContext
    await sql`update membership set joined_at = joined_at - ${40 * DAY_MS}
      where guild_id = ${id} and user_id <> ${rest[1]}`.execute(db)
    // A bot is silent, and no person.
    await sql`delete from session where user_id = any(${rest})`.execute(db)
    await sql`update "user" set bot = true where id = ${owner}`.execute(db)
    await sql`insert into guild_mute (guild_id, user_id, type, created_at) values (${id}, ${mute}, 3, 1)`.execute(
      db,
    )
    await sql`insert into guild_mute (guild_id, user_id, type, created_at, ends_at)
      values (${id}, ${rest[0]}, 3, 1, 2)`.execute(db)
    const list = async (input: Partial<Parameters<typeof userList>[2]>) => {
      const answer = await userList(lists, owner, { ...ALL_MEMBERS, guildId: id, ...input })
      expect(answer.meta.total).toBe(answer.items.length)
      return answer.items.map(({ nickname }) => nickname)
    }
    expect(await list({ joinedDays: 7 })).toEqual(['新'])
    expect((await list({ silentDays: 30 })).toSorted()).toEqual(['哑', '老'])
    expect(await list({ silentDays: 41 })).toEqual([])
    expect(await list({ isMuted: true })).toEqual(['哑'])
    expect((await list({ isMuted: false })).toSorted()).toEqual(['主', '新', '老'])
    expect(await list({ silentDays: 30, isMuted: true, search: '哑' })).toEqual(['哑'])
    presence.come(mute)
    expect(await list({ silentDays: 30 })).toEqual(['老'])
    presence.go(mute)
    await sql`update "user" set bot = false where id = ${owner}`.execute(db)
  })

  it('takes numbers as text and a POST, and reduces the page size', async () => {
    const token = await world.tokenOf('member')
    const headers = { authorization: token, 'content-type': 'application/json' }
    const reply = await world.app.inject({
      method: 'POST',
      url: '/api/v3/guild/user-list',
      headers,
      payload: JSON.stringify({ guild_id: Number(demo()), page_size: '100', active_time: '1', role_id: '0' }),
    })
    const body = JSON.parse(reply.text) as { code: number; data: { meta: object; sort: object } }
    expect([body.code, body.data.meta, body.data.sort]).toMatchObject([
      0,
      { page_size: 50 },
      { active_time: -1 },
    ])
  })
})
