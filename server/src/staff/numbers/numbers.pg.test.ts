import { userState } from '@guildhall/wire/auth/userState.ts'
import { beijingDay, dayNumber, dayStart } from '@guildhall/wire/beijing.ts'
import { joinGuild } from '@guildhall/wire/invite/invite.ts'
import { createMessage } from '@guildhall/wire/message/message.ts'
import type { PayWay } from '@guildhall/wire/payWay.ts'
import { viewNumbers } from '@guildhall/wire/staff/numbers.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@guildhall/wire/unit.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { refundOrder } from '../../pay/pay.ts'
import { clockAt } from '../../testing/movedClock.ts'
import { openPayWorld, type PayWorld, PRICE } from '../../testing/pay/payWorld.ts'
import { keepNumbers, readNumbers } from '../staff.ts'

let world: PayWorld
/** Noon of Beijing, of tomorrow: the demo world is of today. */
const NOON = dayStart(dayNumber(Date.now()) + 1) + 12 * HOUR_MS
beforeAll(async () => {
  clockAt(NOON)
  world = await openPayWorld()
  await world.tokenOf('staff')
})
afterAll(async () => {
  clockAt(null)
  await world.close()
})

const count = () => keepNumbers(world.database.db)
const numbers = (days = 7) => readNumbers(world.database.db, days)
const today = async () => (await numbers()).days.at(-1)!
const say = (content: string) =>
  world.as('member').call(createMessage, { target_id: world.main.id, content, type: 9 })

describe('the numbers', () => {
  it('are those of the last days of Beijing with today, and of as many before', async () => {
    await count()
    const answer = await world.as('staff').call(viewNumbers, { days: 30 })
    expect(answer.days).toHaveLength(30)
    expect(answer.before).toHaveLength(30)
    expect(answer.days.at(-1)?.day).toBe(beijingDay(NOON))
    expect(answer.before.at(-1)?.day).toBe(beijingDay(NOON - 30 * DAY_MS))
    expect(answer.counted_at).toBe(NOON)
  })

  it('count people, messages and who was here, once however often they are counted', async () => {
    await say('one')
    const { member } = world.people
    await sql`update "user" set created_at = ${NOON} where id = ${member.id}`.execute(world.database.db)
    clockAt(NOON + MINUTE_MS)
    await count()
    const first = await today()
    expect(first).toMatchObject({ registrations: 1, messages: 1, active: 2 })
    await Promise.all([count(), count()])
    expect(await today()).toEqual(first)
    await say('two')
    clockAt(NOON + 2 * MINUTE_MS)
    await count()
    expect((await today()).messages).toBe(first.messages + 1)
  })

  it('count no welcome as a message: nobody wrote it', async () => {
    const before = (await today()).messages
    await world.as('outsider').call(joinGuild, { code: world.invite })
    clockAt(NOON + 2.5 * MINUTE_MS)
    await count()
    expect((await today()).messages).toBe(before)
  })

  it('count orders, what buyers paid and what they got back, by provider', async () => {
    const before = await today()
    const order = async (way: PayWay) => {
      const { order_id } = await world.placeOrder('member')
      await world.control({ tradeNo: await world.start(order_id, way) })
      return order_id
    }
    await world.placeOrder('member')
    const back = await order('wechat')
    await order('alipay')
    await world.work()
    await refundOrder(world.deps, back, { fee: 500, reason: 'test', actor: 'staff:operator' })
    await world.work()
    await expect.poll(async () => (await world.view('member', back)).refund_fee).toBe(500)
    clockAt(NOON + 3 * MINUTE_MS)
    await count()
    const after = await today()
    expect(after.orders - before.orders).toBe(3)
    expect(after.paid_orders - before.paid_orders).toBe(2)
    expect(after).toMatchObject({
      gross_wechat: PRICE,
      gross_alipay: PRICE,
      refunds_wechat: 500,
      refunds_alipay: 0,
    })
  })

  it('of a day that is over stay, and its people are forgotten after some days', async () => {
    const before = await today()
    await say('late')
    clockAt(NOON + DAY_MS)
    await count()
    const { days } = await numbers()
    expect(days.at(-2)).toMatchObject({ ...before, messages: before.messages + 1 })
    expect(days.at(-1)).toMatchObject({ day: beijingDay(NOON + DAY_MS), messages: 0, registrations: 0 })
    await sql`delete from message`.execute(world.database.db)
    clockAt(NOON + 10 * DAY_MS)
    await count()
    const kept = await numbers(30)
    expect(kept.days.find((it) => it.day === before.day)).toEqual({
      ...before,
      messages: before.messages + 1,
    })
    const { rows } = await sql`select from active_day where day = ${before.day}`.execute(world.database.db)
    expect(rows).toEqual([])
  })
})

describe('who was here', () => {
  it('is counted on each day of Beijing, also at the first minute of it', async () => {
    // Ten days on, sessions of an hour ago are of yesterday.
    const midnight = NOON + 11 * DAY_MS + 12 * HOUR_MS
    clockAt(midnight - MINUTE_MS)
    await world.as('member').call(userState)
    clockAt(midnight + MINUTE_MS)
    await world.as('member').call(userState)
    await count()
    const { days } = await numbers()
    expect(days.slice(-2).map(({ active }) => active)).toEqual([1, 1])
  })

  it('is found in messages, for days that were never counted', async () => {
    clockAt(NOON + 12 * DAY_MS)
    await say('nobody counts')
    const { db } = world.database
    await sql`delete from active_day`.execute(db)
    await sql`delete from number_day`.execute(db)
    clockAt(NOON + 15 * DAY_MS)
    await count()
    const { days } = await numbers()
    expect(days.find((it) => it.day === beijingDay(NOON + 12 * DAY_MS))).toMatchObject({
      active: 1,
      messages: 1,
    })
  })

  it('and all numbers of days that were counted by a wrong clock are counted again', async () => {
    clockAt(NOON + 60 * DAY_MS)
    await count()
    clockAt(NOON + 16 * DAY_MS)
    await say('the clock is right again')
    clockAt(NOON + 16 * DAY_MS + MINUTE_MS)
    await count()
    expect(await today()).toMatchObject({ day: beijingDay(NOON + 16 * DAY_MS), messages: 1 })
  })
})
