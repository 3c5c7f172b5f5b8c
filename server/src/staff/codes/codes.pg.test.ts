import { exchangeCoupon } from '@guildhall/wire/coupon/coupon.ts'
import {
  CODES_MAX,
  CODES_PAGE,
  listCodeProducts,
  listCodes,
  listCodeUses,
  makeCodes,
  pauseCodes,
  USES_PAGE,
  viewCodes,
} from '@guildhall/wire/staff/codes.ts'
import { listStaffLog } from '@guildhall/wire/staff/log.ts'
import { changeStaffProduct } from '@guildhall/wire/staff/products.ts'
import { DAY_MS } from '@guildhall/wire/unit.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PersonName } from '../../demo/world.ts'
import { refusalOf } from '../../testing/calls.ts'
import { openWorld, type TestWorld } from '../../testing/world.ts'

let world: TestWorld
let product_id: number
beforeAll(async () => {
  world = await openWorld({ STAFF_BATCH_VALUE_FEN: '10000000', STAFF_DAILY_VALUE_FEN: '10000000' })
  const { items } = await world.as('staff').call(listCodeProducts, {})
  product_id = items.find(({ kind }) => kind === 'buff')!.id
})
afterAll(() => world.close())

const make = (it: object = {}) =>
  world
    .as('staff')
    .call(makeCodes, { product_id, count: 3, per_user: 1, expires_at: 0, reason: '周年活动', ...it })
const redeem = (name: PersonName, code: string | undefined) => world.as(name).call(exchangeCoupon, { code })
const lastAct = async () => (await world.as('staff').call(listStaffLog, { kind: 'act' })).items[0]

describe('making codes', () => {
  it('is refused without a reason, for what is not sold, for too many, and with an end that is over', async () => {
    expect(await refusalOf(make({ reason: '' }))).toBe('bad_input')
    expect(await refusalOf(make({ count: 0 }))).toBe('bad_input')
    expect(await refusalOf(make({ count: CODES_MAX + 1 }))).toBe('bad_input')
    expect(await refusalOf(make({ product_id: 2 ** 31 - 1 }))).toBe('product.unknown')
    expect(await refusalOf(make({ expires_at: 1 }))).toBe('staff.end_wrong')
    const sell = (on_sale: boolean) =>
      world.as('staff').call(changeStaffProduct, { product_id, on_sale, reason: '换季' })
    await sell(false)
    expect(await refusalOf(make())).toBe('product.retired')
    await sell(true)
    expect((await world.as('staff').call(listCodes, {})).items).toEqual([])
  })

  it('answers them once: the lists, the log and the database have none', async () => {
    const expires_at = Date.now() + DAY_MS
    const { batch_id, codes } = await make({ expires_at, note: '周年庆' })
    expect(new Set(codes).size).toBe(3)
    const batch = await world.as('staff').call(viewCodes, { batch_id })
    expect(batch).toMatchObject({
      id: batch_id,
      product_id,
      note: '周年庆',
      count: 3,
      used: 0,
      per_user: 1,
      expires_at,
      paused_at: 0,
      actor: world.idOf('staff'),
      actor_name: world.people.staff.username,
    })
    const { items } = await world.as('staff').call(listCodes, {})
    expect(items).toEqual([batch])
    expect(await lastAct()).toMatchObject({
      name: 'coupon create',
      target: batch_id,
      detail: { reason: '周年活动', product_id, count: 3, per_user: 1, expires_at },
    })
    const { rows } = await sql<{ all: string }>`
      select (select string_agg(coupon::text, ' ') from coupon) || (select string_agg(staff_log::text, ' ') from staff_log)
        as all`.execute(world.database.db)
    for (const code of codes) expect(rows[0]?.all).not.toContain(code)
  })
})

describe('following codes', () => {
  it('shows how many were used, and by whom only to who may see people', async () => {
    const { batch_id, codes } = await make({ count: 2, per_user: 2 })
    await redeem('member', codes[0])
    await redeem('admin', codes[1])
    expect((await world.as('staff').call(viewCodes, { batch_id })).used).toBe(2)
    const uses = await world.as('staff').call(listCodeUses, { batch_id })
    expect(uses.items.map(({ user_id }) => user_id)).toEqual([world.idOf('admin'), world.idOf('member')])
    expect(uses.items[1]).toMatchObject({ username: world.people.member.username })
    await world.command(`staff role --user ${world.idOf('staff')} --role finance`)
    const hidden = await world.as('staff').call(listCodeUses, { batch_id })
    expect(hidden.items).toHaveLength(2)
    expect(JSON.stringify(hidden)).not.toContain(world.idOf('member'))
    expect(hidden.items[0]).toMatchObject({ user_id: '', username: '', used_at: expect.any(Number) })
    await world.command(`staff role --user ${world.idOf('staff')} --role administrator`)
    expect(await world.as('staff').refusal(viewCodes, { batch_id: 999_999 })).toBe('not_found')
    expect((await world.as('staff').call(listCodeUses, { batch_id: 999_999 })).items).toEqual([])
  })

  it('goes page by page, through batches and through uses', async () => {
    const { batch_id } = await make({ count: USES_PAGE + 3 })
    await sql`update coupon set used_by = ${world.idOf('member')}, used_at = 5 where batch_id = ${batch_id}`.execute(
      world.database.db,
    )
    const first = await world.as('staff').call(listCodeUses, { batch_id })
    const second = await world.as('staff').call(listCodeUses, { batch_id, before: first.items.at(-1)?.id })
    expect([first.items.length, first.has_more, second.items.length, second.has_more]).toEqual([
      USES_PAGE,
      true,
      3,
      false,
    ])
    for (let n = 0; n < CODES_PAGE; n += 1) await make({ count: 1 })
    const page = await world.as('staff').call(listCodes, {})
    expect([page.items.length, page.has_more]).toEqual([CODES_PAGE, true])
    const rest = await world.as('staff').call(listCodes, { before: page.items.at(-1)?.id })
    const all = [...page.items, ...rest.items].map(({ id }) => Number(id))
    expect(all).toEqual([...new Set(all)].sort((a, b) => b - a))
  })
})

describe('pausing codes', () => {
  it('is refused without a reason and for no batch', async () => {
    const { batch_id } = await make()
    expect(await world.as('staff').refusal(pauseCodes, { batch_id, paused: true })).toBe('bad_input')
    const nowhere = { batch_id: 999_999, paused: true, reason: '泄露' }
    expect(await world.as('staff').refusal(pauseCodes, nowhere)).toBe('not_found')
  })

  it('keeps them from being redeemed until it goes on; twice is done once', async () => {
    const { batch_id, codes } = await make()
    const pause = (paused: boolean) =>
      world.as('staff').call(pauseCodes, { batch_id, paused, reason: '疑似泄露' })
    await Promise.all([pause(true), pause(true)])
    expect(await refusalOf(redeem('muted', codes[0]))).toBe('coupon.paused')
    expect((await world.as('staff').call(viewCodes, { batch_id })).paused_at).toBeGreaterThan(0)
    const { items } = await world.as('staff').call(listStaffLog, { name: 'coupon pause' })
    expect(items.filter(({ target }) => target === batch_id)).toHaveLength(1)
    await pause(false)
    await redeem('muted', codes[0])
    expect(await lastAct()).toMatchObject({ name: 'coupon resume', detail: { reason: '疑似泄露' } })
    await world.command(`coupon pause --batch ${batch_id}`)
    expect(await refusalOf(redeem('owner', codes[1]))).toBe('coupon.paused')
    await world.command(`coupon resume --batch ${batch_id}`)
    await redeem('owner', codes[1])
  })
})
