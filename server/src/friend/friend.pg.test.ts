import { createPrivate, listChats, viewChat } from '@guildhall/wire/chat/chat.ts'
import {
  blockPerson,
  createRelation,
  deleteFriend,
  type FriendEntry,
  handleRequest,
  listFriends,
  requestFriend,
  unblockPerson,
} from '@guildhall/wire/friend/friend.ts'
import type { UserId } from '@guildhall/wire/id.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { deleteAccount } from '../account/account.ts'
import type { PersonName } from '../demo/world.ts'
import type { LiveEvent } from '../kit/events/bus.ts'
import { commit } from '../kit/events/events.ts'
import { refusalOf } from '../testing/calls.ts'
import { openWorld, type TestWorld } from '../testing/world.ts'
import { register } from '../user/user.ts'

let world: TestWorld
let received: LiveEvent[] = []
beforeAll(async () => {
  world = await openWorld()
  world.app.appContext.bus.subscribe((event) => received.push(event))
})
beforeEach(async () => {
  for (const table of ['friendship', 'friend_block', 'attempt'])
    await sql`delete from ${sql.table(table)}`.execute(world.database.db)
  await world.app.appContext.bus.settled()
  received = []
})
afterAll(() => world.close())

const tagOf = async (userId: UserId) =>
  (
    await sql<{
      tag: string
    }>`select username || '#' || identify_num as tag from "user" where id = ${userId}`.execute(
      world.database.db,
    )
  ).rows[0]!.tag
const ask = async (from: PersonName, to: PersonName) =>
  world.as(from).call(requestFriend, { user_code: await tagOf(world.idOf(to)), from: 0 })
const all = (name: PersonName) => world.as(name).call(listFriends)
const brief = (entries: readonly FriendEntry[]) => entries.map((it) => [it.friend_info.id, it.own])
const told = async (name: PersonName) => {
  await world.app.appContext.bus.settled()
  return received
    .filter((it) => it.to === 'person' && it.userId === world.idOf(name) && it.kind === 'updated_friend')
    .map((it) => it.body)
}

describe('a request is refused', () => {
  it('from guests, from who is not verified, to oneself, to nobody and to bots', async () => {
    const nobody = { user_code: '查无此人#0000' }
    expect(await world.as(null).refusal(requestFriend, nobody)).toBe('not_logged_in')
    expect(await refusalOf(ask('unverified', 'member'))).toBe('friend.unverified')
    expect(await refusalOf(ask('member', 'member'))).toBe('friend.self')
    const call = world.as('member').call
    expect(await refusalOf(call(requestFriend, nobody))).toBe('friend.unknown')
    for (const user_code of ['南枝', '#1234', '%#%', "x'--#1234"])
      expect(await refusalOf(call(requestFriend, { user_code }))).toBe('friend.unknown')
    const bot = await tagOf(world.idOf('staff'))
    await sql`update "user" set bot = true where id = ${world.idOf('staff')}`.execute(world.database.db)
    expect(await refusalOf(call(requestFriend, { user_code: bot }))).toBe('friend.unknown')
    await sql`update "user" set bot = false where id = ${world.idOf('staff')}`.execute(world.database.db)
  })

  it('to somebody who is a friend or whom one blocks, with the code of the protocol', async () => {
    await world.befriend('member', 'owner')
    const error = await ask('member', 'owner').catch((it: unknown) => it)
    expect(error).toMatchObject({ failure: 'friend.already', body: { code: 42007 } })
    await world.as('member').call(blockPerson, { user_id: world.idOf('admin') })
    expect(await refusalOf(ask('member', 'admin'))).toBe('friend.blocked')
  })

  it('when somebody asks very many people', async () => {
    const codes: string[] = []
    for (let n = 0; n < 21; n++) {
      const { user } = await commit(world.app.appContext, (tx) =>
        register(tx, {
          prefix: '86',
          mobile: String(13_500_000_000 + n),
          verified: true,
          makeName: () => `路人${n}`,
        }),
      )
      codes.push(await tagOf(user.id))
    }
    const outcomes = []
    for (const user_code of codes)
      outcomes.push(await world.as('member').refusal(requestFriend, { user_code }))
    expect(outcomes.filter((it) => it === 'none')).toHaveLength(20)
    expect(outcomes.at(-1)).toBe('friend.too_fast')
  })

  it('by anybody but the one who was asked, and after it is gone', async () => {
    await ask('member', 'owner')
    const [{ id: request } = { id: 0 }] = (await all('owner')).request
    expect(await world.as('admin').refusal(handleRequest, { id: request, accept: 1 })).toBe(
      'friend.request_unknown',
    )
    expect(await world.as('member').refusal(handleRequest, { id: request, accept: 1 })).toBe(
      'friend.request_unknown',
    )
    await world.as('member').call(deleteFriend, { user_id: world.idOf('owner') })
    expect(await world.as('owner').refusal(handleRequest, { id: request, accept: 1 })).toBe(
      'friend.request_unknown',
    )
  })

  it('for a close relation', async () => {
    const input = { user_code: 'x#1234', relation_type: 1 }
    expect(await world.as('member').refusal(createRelation, input)).toBe('friend.no_relations')
  })
})

describe('two people', () => {
  it('become friends by a request that is accepted, and everybody learns each step once', async () => {
    await ask('member', 'owner')
    await ask('member', 'owner')
    expect(brief((await all('owner')).request)).toEqual([[world.idOf('member'), false]])
    expect(brief((await all('member')).request)).toEqual([])
    expect(brief((await all('member')).all_request)).toEqual([[world.idOf('owner'), true]])
    const [{ id: request } = { id: 0 }] = (await all('owner')).request
    expect(await world.as('owner').call(handleRequest, { id: request, accept: '1' })).toBe(true)
    await world.as('owner').call(handleRequest, { id: request, accept: 1 })
    const { friend, request: left } = await all('owner')
    expect(left).toEqual([])
    expect(friend).toEqual([
      expect.objectContaining({
        id: request,
        type: 'friend',
        own: false,
        friend_status: 1,
        relation_type: 0,
        friend_info: expect.objectContaining({ id: world.idOf('member'), username: '南枝', online: false }),
      }),
    ])
    expect(await told('owner')).toEqual([
      { user_id: world.idOf('member'), type: 'request', own: false },
      { user_id: world.idOf('member'), type: 'friend', own: false },
    ])
    expect(await told('member')).toEqual([
      { user_id: world.idOf('owner'), type: 'request', own: true },
      { user_id: world.idOf('owner'), type: 'friend', own: true },
    ])
  })

  it('become friends at once when their requests cross, also at the same moment', async () => {
    await Promise.all([ask('member', 'owner'), ask('owner', 'member')])
    expect(brief((await all('member')).friend).map(([other]) => other)).toEqual([world.idOf('owner')])
    expect(brief((await all('owner')).friend).map(([other]) => other)).toEqual([world.idOf('member')])
    expect((await all('owner')).all_request).toEqual([])
  })

  it('are strangers again after a refusal, and after one of them ends it; twice is as once', async () => {
    await ask('member', 'owner')
    const [{ id: request } = { id: 0 }] = (await all('owner')).request
    await world.as('owner').call(handleRequest, { id: request, accept: 0 })
    expect((await all('member')).all_request).toEqual([])
    await world.befriend('member', 'owner')
    for (let times = 0; times < 2; times++)
      await world.as('owner').call(deleteFriend, { user_id: world.idOf('member') })
    expect((await all('member')).friend).toEqual([])
    expect((await told('member')).at(-1)).toEqual({ user_id: world.idOf('owner'), type: 'none', own: false })
  })

  it('write to each other as friends without a common guild, and not as strangers', async () => {
    const write = () =>
      world.as('outsider').call(createPrivate, { target_id: world.idOf('member'), content: '在吗' })
    expect(await refusalOf(write())).toBe('chat.not_allowed')
    await world.befriend('outsider', 'member')
    expect(await refusalOf(write())).toBe('none')
    const { items } = await world.as('member').call(listChats)
    expect(items[0]).toMatchObject({
      is_friend: true,
      is_blocked: false,
      target_info: { id: world.idOf('outsider') },
    })
    await world.as('member').call(deleteFriend, { user_id: world.idOf('outsider') })
    expect(await refusalOf(write())).toBe('chat.not_allowed')
  })
})

describe('a block', () => {
  it('ends the friendship, and neither writes to the other, whoever blocks', async () => {
    await world.befriend('member', 'owner')
    const write = (from: PersonName, to: PersonName) =>
      world.as(from).refusal(createPrivate, { target_id: world.idOf(to), content: '喂' })
    expect(await write('owner', 'member')).toBe('none')
    for (let times = 0; times < 2; times++)
      await world.as('member').call(blockPerson, { user_id: world.idOf('owner') })
    expect((await all('member')).friend).toEqual([])
    expect(await write('owner', 'member')).toBe('chat.not_allowed')
    expect(await write('member', 'owner')).toBe('chat.not_allowed')
    const [mine] = (await world.as('member').call(listChats)).items
    expect(mine).toMatchObject({ is_friend: false, is_blocked: true, is_target_blocked: false })
    const theirs = await world.as('owner').call(viewChat, { chat_code: mine!.code })
    expect(theirs).toMatchObject({ is_blocked: false, is_target_blocked: true })
    const { blocked, block } = await world.as('member').call(listFriends, { type: 'block' })
    expect([brief(blocked), brief(block)]).toEqual([
      [[world.idOf('owner'), true]],
      [[world.idOf('owner'), true]],
    ])
    await world.as('member').call(unblockPerson, { user_id: world.idOf('owner') })
    expect(await write('owner', 'member')).toBe('none')
  })

  it('is not told to the blocked person, whose request goes nowhere', async () => {
    await world.as('member').call(blockPerson, { user_id: world.idOf('owner') })
    expect(await refusalOf(ask('owner', 'member'))).toBe('none')
    expect(await all('member')).toMatchObject({ request: [], friend: [] })
    expect(await told('owner')).toEqual([])
    expect(await world.as('member').refusal(blockPerson, { user_id: world.idOf('member') })).toBe(
      'friend.self',
    )
    expect(await world.as('member').refusal(blockPerson, { user_id: '4294967295' })).toBe('user.unknown')
  })
})

it('each list is answered alone when it is asked for', async () => {
  await world.befriend('member', 'owner')
  await ask('admin', 'member')
  const call = world.as('member').call
  expect(await call(listFriends, { type: 'friend' })).toMatchObject({
    request: [],
    friend: [{}],
    blocked: [],
  })
  expect(await call(listFriends, { type: 'request' })).toMatchObject({
    request: [{}],
    friend: [],
    blocked: [],
  })
  expect(await call(listFriends)).toMatchObject({ request: [{}], friend: [{}], blocked: [], relation: [] })
})

it('a deleted account is nobody’s friend any more', async () => {
  await world.befriend('member', 'outsider')
  await world.as('owner').call(blockPerson, { user_id: world.idOf('outsider') })
  await commit(world.app.appContext, (tx, emit) => deleteAccount(tx, emit, world.idOf('outsider')))
  expect(await all('member')).toMatchObject({ friend: [] })
  expect(await all('owner')).toMatchObject({ blocked: [] })
  expect((await told('member')).at(-1)).toEqual({ user_id: world.idOf('outsider'), type: 'none', own: false })
})
