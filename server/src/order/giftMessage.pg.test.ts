import { createPrivate, listChats, listPrivate } from '@guildhall/wire/chat/chat.ts'
import { blockPerson, requestFriend } from '@guildhall/wire/friend/friend.ts'
import { listPayments } from '@guildhall/wire/order/order.ts'
import { DAY_MS } from '@guildhall/wire/unit.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { PersonName } from '../demo/world.ts'
import type { LiveEvent } from '../kit/events/bus.ts'
import { refundOrder } from '../pay/pay.ts'
import { refusalOf } from '../testing/calls.ts'
import { openPayWorld, type PayWorld } from '../testing/pay/payWorld.ts'

let world: PayWorld
let received: LiveEvent[] = []

beforeAll(async () => {
  world = await openPayWorld()
  for (const name of ['member', 'muted', 'admin'] as const) await world.befriend('owner', name)
  world.app.appContext.bus.subscribe((event) => void received.push(event))
})
beforeEach(() => {
  received = []
})
afterAll(() => world?.close())

/** Orders BUFF for somebody, and pays it; the messages of the provider come several times. */
async function give(to: PersonName): Promise<string> {
  const { order_id } = await world.placeOrder('owner', { user_id: world.people[to].id })
  await world.control({ tradeNo: await world.start(order_id, 'wechat'), way: 'wechat', times: 3 })
  return order_id
}
const chatsOf = async (who: PersonName) => (await world.as(who).call(listChats, {})).items
const wordsFor = async (who: PersonName) => {
  const chat = (await chatsOf(who)).find((it) => it.target_info.username === '公会厅')
  if (!chat) return []
  const { items } = await world.as(who).call(listPrivate, { chat_code: chat.code })
  return items.map(({ content }) => content)
}
const fromOwner = () => `${world.people.owner.username}#${world.people.owner.identify_num}`

test('nothing is ordered for somebody who is no friend, or nobody', async () => {
  expect(await refusalOf(world.placeOrder('owner', { user_id: world.people.outsider.id }))).toBe(
    'order.receiver',
  )
  expect(await refusalOf(world.placeOrder('owner', { user_id: '1' }))).toBe('order.receiver')
})

test('who buys for themselves is told nothing of a gift', async () => {
  const { order_id } = await world.placeOrder('owner')
  await world.control({ tradeNo: await world.start(order_id, 'wechat'), way: 'wechat' })
  await world.work()
  expect(received.filter(({ kind }) => kind === 'received_gift')).toEqual([])
  expect(await wordsFor('owner')).toEqual([])
})

test('a friend has a gift once it is paid, and is told once, by an event and by a message', async () => {
  const orderId = await give('member')
  expect(await wordsFor('member')).toEqual([])
  await Promise.all([world.work(), world.work()])
  await world.work()
  expect(await world.view('owner', orderId)).toMatchObject({ state: 'granted' })
  expect(await world.buffOf('member')).toBeGreaterThan(Date.now() + 29 * DAY_MS)
  expect((await chatsOf('member'))[0]).toMatchObject({
    unread_count: 1,
    target_info: { bot: true, is_sys: true, tag_info: { text: '官方' } },
  })
  expect(await wordsFor('member')).toEqual([`${fromOwner()} 送给你「BUFF 月卡」，已经生效。`])
  const toMember = received.filter((it) => it.to === 'person' && it.userId === world.people.member.id)
  const { id, username } = world.people.owner
  expect(toMember.filter(({ kind }) => kind === 'received_gift').map(({ body }) => body)).toEqual([
    { user_id: id, username, name: 'BUFF 月卡', count: 1 },
  ])
  expect(toMember.filter(({ kind }) => kind === 'message')).toHaveLength(1)
  expect(await wordsFor('owner')).toEqual([])
  expect(await world.faults()).toEqual([])
})

test('first gifts at the same time make one official account', async () => {
  await sql`delete from house_account`.execute(world.database.db)
  await Promise.all([give('muted'), give('admin'), give('member')])
  await Promise.all([world.work(), world.work(), world.work()])
  const { rows } = await sql<{
    n: number
  }>`select count(*)::int as n from "user" where username = '公会厅'`.execute(world.database.db)
  // One of the test before.
  expect(rows[0]!.n).toBe(2)
  expect(await wordsFor('muted')).toHaveLength(1)
  expect(await wordsFor('admin')).toHaveLength(1)
})

test('nobody answers the official account; who blocks it has the gift without the message', async () => {
  const chat = (await chatsOf('muted')).find((it) => it.target_info.username === '公会厅')!
  const official = chat.target_info.id
  expect(await world.as('muted').refusal(createPrivate, { target_id: official, content: '谢谢' })).toBe(
    'chat.not_allowed',
  )
  const code = `公会厅#${chat.target_info.identify_num}`
  expect(await world.as('muted').refusal(requestFriend, { user_code: code })).toBe('friend.unknown')
  const before = await wordsFor('muted')
  await world.as('muted').call(blockPerson, { user_id: official })
  const until = await world.buffOf('muted')
  await give('muted')
  await world.work()
  expect(await world.buffOf('muted')).toBe(until + 30 * DAY_MS)
  expect(await wordsFor('muted')).toEqual(before)
  expect(received.map(({ kind }) => kind)).toContain('received_gift')
})

test('the bill calls a gift a gift', async () => {
  const orderId = await give('admin')
  await world.work()
  const { items } = await world.as('owner').call(listPayments)
  const to = `${world.people.admin.username}#${world.people.admin.identify_num}`
  expect(items.find((it) => it.order_id === orderId)?.usage_info).toBe(`赠送给 ${to}`)
})

test('a friend is told when a gift is taken back, once, and not of a part of the money', async () => {
  const orderId = await give('admin')
  await world.work()
  const before = await wordsFor('admin')
  await refundOrder(world.deps, orderId, { fee: 100, reason: '少收', actor: 'staff:1' })
  expect(await wordsFor('admin')).toEqual(before)
  await refundOrder(world.deps, orderId, { fee: null, reason: '退', actor: 'staff:1' })
  expect(await wordsFor('admin')).toEqual([
    ...before,
    `${fromOwner()} 送给你的「BUFF 月卡」已退款，礼物随之收回。`,
  ])
  await world.work()
  expect(await wordsFor('admin')).toHaveLength(before.length + 1)
  expect(await wordsFor('owner')).toEqual([])
})
