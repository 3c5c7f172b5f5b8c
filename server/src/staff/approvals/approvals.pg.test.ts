import { exchangeCoupon } from '@guildhall/wire/coupon/coupon.ts'
import type { UserId } from '@guildhall/wire/id.ts'
import {
  APPROVAL_MS,
  decideApproval,
  listApprovals,
  withdrawApproval,
} from '@guildhall/wire/staff/approvals.ts'
import { CODES_MAX, listCodeProducts, listCodes, makeCodes, viewCodes } from '@guildhall/wire/staff/codes.ts'
import { changeGuildOwner, staffViewGuild } from '@guildhall/wire/staff/guilds.ts'
import { listStaffLog } from '@guildhall/wire/staff/log.ts'
import { giveBuff } from '@guildhall/wire/staff/people.ts'
import {
  changeStaffProduct,
  listStaffProducts,
  withdrawProductChange,
} from '@guildhall/wire/staff/products.ts'
import type { StaffRole } from '@guildhall/wire/staff/roles.ts'
import { staffLogin } from '@guildhall/wire/staff/session.ts'
import { staffWaiting } from '@guildhall/wire/staff/waiting.ts'
import { DAY_MS } from '@guildhall/wire/unit.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { PersonName } from '../../demo/world.ts'
import { clock } from '../../kit/clock.ts'
import { listSecurityEvents } from '../../kit/securityLog.ts'
import { type Person, refusalOf, secondFactorOf, withSecondFactor } from '../../testing/calls.ts'
import { openWorld, type TestWorld } from '../../testing/world.ts'

let world: TestWorld
/** Two of finance, who know each other as `first` and `second`; and one more of support. */
let first: Person
let second: Person
let support: Person
/** The second one, in a session of the product. */
let asMember: Person
let product_id: number
let price: number
const names = { first: 'staff', second: 'admin', support: 'muted' } as const
const idOf = (name: keyof typeof names): UserId => world.idOf(names[name])

/** A session of the console of somebody who has no second factor yet. */
async function console(name: PersonName): Promise<Person> {
  const who = await withSecondFactor(world.database.db, world.people[name])
  const { mobile, password } = who
  const second_factor = (await secondFactorOf(world.database.db, who)) ?? ''
  const { token } = await world.as(null).call(staffLogin, { mobile, password, second_factor })
  return world.as({ token })
}
const become = (name: keyof typeof names, role: StaffRole | 'none') =>
  world.command(`staff role --user ${idOf(name)} --role ${role}`)

beforeAll(async () => {
  world = await openWorld()
  await become('first', 'administrator')
  const { items } = await world.as('staff').call(listCodeProducts, {})
  const dearest = items.filter(({ kind }) => kind === 'buff').sort((a, b) => b.price - a.price)[0]!
  product_id = dearest.id
  price = dearest.price
  first = world.as('staff')
  asMember = world.as({ token: await world.login(names.second) })
  await become('second', 'finance')
  await become('support', 'support')
  second = await console(names.second)
  support = await console(names.support)
})
afterAll(() => world.close())
beforeEach(async () => {
  await become('first', 'finance')
  await become('second', 'finance')
  await become('support', 'none')
  const { db } = world.database
  await sql`delete from staff_value`.execute(db)
  await sql`delete from staff_approval`.execute(db)
})

const make = (it: object = {}, who = first) =>
  who.call(makeCodes, { product_id, count: small() + 1, per_user: 1, expires_at: 0, reason: '周年', ...it })
const decide = (who: Person, id: string, it: object = {}) =>
  who.call(decideApproval, { id, approve: true, reason: '', ...it })
const reject = (who: Person, id: string) => decide(who, id, { approve: false, reason: '不合理' })
const waiting = async (who = first) => (await who.call(listApprovals, {})).items
const batches = async () => (await first.call(listCodes, {})).items
const priceNow = async () =>
  (await first.call(listStaffProducts, {})).items.find(({ id }) => id === product_id)?.price
const change = (it: object, who = first) =>
  who.call(changeStaffProduct, { product_id, reason: '活动', ...it })
const events = async (kind: string) =>
  (await listSecurityEvents(world.database.db, { since: 0, limit: 200 })).filter((it) => it.kind === kind)
/** What the log has of acts or refusals; the actors lose the right to read it with their role. */
async function logged(name: string) {
  await become('first', 'administrator')
  return (await first.call(listStaffLog, { name })).items
}
/** As many as one may make alone. */
const small = () => Math.floor(50_000 / price)

describe('one of finance alone', () => {
  it('makes no two hundred thousand year cards: each batch waits, and answers no code', async () => {
    const known = await batches()
    for (let n = 0; n < 21; n += 1) {
      const { batch_id, codes, approval_id } = await make({ count: CODES_MAX, note: String(n) })
      expect([batch_id, codes]).toEqual(['', []])
      expect(Number(approval_id)).toBeGreaterThan(0)
    }
    expect(await batches()).toEqual(known)
    expect(await waiting()).toHaveLength(21)
    expect((await waiting())[0]).toMatchObject({
      kind: 'codes',
      why: 'value',
      state: 'waiting',
      actor: idOf('first'),
      reason: '周年',
      facts: { codes: { product_id, price, count: CODES_MAX, value: price * CODES_MAX, note: '20' } },
    })
  })

  it('redeems no code, of whomever; it is in both logs, and others redeem theirs', async () => {
    const { codes } = await make({ count: small() })
    const before = (await events('coupon redeem')).length
    expect(await asMember.refusal(exchangeCoupon, { code: codes[0] })).toBe('coupon.staff')
    expect(await asMember.refusal(exchangeCoupon, { code: 'AAAAA-AAAAA-AAAAA-AAAAA' })).toBe('coupon.staff')
    const seen = await events('coupon redeem')
    expect(seen).toHaveLength(before + 2)
    expect(seen[0]).toMatchObject({ actor: idOf('second'), failure: 'coupon.staff' })
    expect((await logged('coupon redeem'))[0]).toMatchObject({ kind: 'refused', actor: idOf('second') })
    expect(await world.as('member').refusal(exchangeCoupon, { code: codes[0] })).toBe('none')
  })

  it('who made or approved a batch redeems none of it when they are no longer staff', async () => {
    await become('second', 'finance')
    const asMaker = await make({ count: 1 }, second)
    const { approval_id } = await make()
    const asApprover = await decide(second, approval_id)
    await become('second', 'none')
    for (const { codes } of [asMaker, asApprover])
      expect(await asMember.refusal(exchangeCoupon, { code: codes[0] })).toBe('coupon.staff')
    const other = await make({ count: 1 })
    expect(await asMember.refusal(exchangeCoupon, { code: other.codes[0] })).toBe('none')
  })

  it('does not sell the year card for one fen, neither at once nor in small steps', async () => {
    expect((await change({ price: 1 })).change_id).toBe('')
    expect(await priceNow()).toBe(price)
    const step = Math.ceil(price * 0.8)
    expect((await change({ price: step })).approval_id).toBe('')
    expect((await change({ price: Math.ceil(step * 0.8) })).approval_id).not.toBe('')
    expect((await change({ price: Math.ceil(step * 0.8), valid_from: clock.now() + DAY_MS })).change_id).toBe(
      '',
    )
    expect(await priceNow()).toBe(step)
    expect((await waiting()).map(({ why }) => why)).toEqual(['price', 'price', 'price'])
    await world.command(`product put --id ${product_id} --price ${price}`)
  })

  it('neither raises a price from next to nothing nor withdraws what was agreed to end a sale', async () => {
    await world.command(`product put --id ${product_id} --price 99`)
    expect((await change({ price: 100 })).approval_id).not.toBe('')
    const from = (ms: number) => new Date(clock.now() + ms).toISOString()
    await world.command(
      'product',
      'put',
      '--id',
      String(product_id),
      '--price',
      String(price),
      '--from',
      from(DAY_MS),
    )
    const plan = (await first.call(listStaffProducts, {})).items.find(({ id }) => id === product_id)!
      .planned[0]!
    const withdraw = () => first.call(withdrawProductChange, { change_id: Number(plan.id), reason: '继续' })
    const { approval_id } = await withdraw()
    expect((await waiting())[0]).toMatchObject({
      kind: 'withdrawal',
      facts: { change: { product_id, before: { price }, after: { price: 99 }, valid_from: plan.valid_from } },
    })
    await decide(second, approval_id)
    expect(await refusalOf(withdraw())).toBe('product.no_plan')
    await world.command(`product put --id ${product_id} --price ${price}`)
  })

  it('changes a price by a little, and everything else of a product', async () => {
    expect((await change({ price: Math.floor(price * 0.9) })).approval_id).toBe('')
    expect((await change({ buy_tip: '限时', on_sale: false })).approval_id).toBe('')
    await change({ on_sale: true, buy_tip: '' })
    await world.command(`product put --id ${product_id} --price ${price}`)
  })

  it('of support hands no guild to anybody', async () => {
    await become('support', 'support')
    const { guild_id } = world.main
    const give = { guild_id, user_id: world.idOf('member'), reason: '申请转让' }
    expect(await support.refusal(changeGuildOwner, { ...give, user_id: world.idOf('outsider') })).toBe(
      'guild.not_member',
    )
    const { approval_id } = await support.call(changeGuildOwner, give)
    await become('first', 'administrator')
    const owner = async () => (await first.call(staffViewGuild, { guild_id })).owner.id
    expect(await owner()).toBe(world.idOf('owner'))
    expect((await waiting())[0]).toMatchObject({
      kind: 'guild',
      why: 'owner',
      facts: { guild: { id: guild_id, from: { id: world.idOf('owner') }, to: { id: world.idOf('member') } } },
    })
    expect(await refusalOf(decide(second, approval_id))).toBe('forbidden')
    await decide(first, approval_id)
    expect(await owner()).toBe(world.idOf('member'))
    await world.command(`guild owner --guild ${guild_id} --user ${world.idOf('owner')}`)
  })
})

describe('the value of a day', () => {
  it('is that of all staff together: beyond it codes and BUFF wait, and on the next day they do not', async () => {
    await become('support', 'administrator')
    await become('first', 'administrator')
    const gift = { user_id: world.idOf('member'), days: 1, reason: '补偿' }
    expect((await support.call(giveBuff, gift)).approval_id).toBe('')
    const { rows } = await sql<{ fen: number }>`select fen::int as fen from staff_value`.execute(
      world.database.db,
    )
    expect(rows[0]?.fen).toBeGreaterThan(0)
    for (let left = 500_000 - rows[0]!.fen, n = 0; left >= price * small(); n += 1, left -= price * small())
      expect((await make({ count: small() }, n % 2 ? first : second)).approval_id).toBe('')
    const { approval_id } = await make({ count: small() }, second)
    expect((await waiting())[0]).toMatchObject({ id: approval_id, why: 'day' })
    const given = await support.call(giveBuff, { ...gift, days: 3_000 })
    expect(given).toMatchObject({ until: 0, approval_id: expect.stringMatching(/\d/) })
    await decide(first, given.approval_id)
    await sql`update staff_value set day = day - 1`.execute(world.database.db)
    expect((await make({ count: small() }, second)).approval_id).toBe('')
  })

  it('has room once when two take the rest of it at once', async () => {
    const { db } = world.database
    const left = 500_000 - price * small()
    await sql`insert into staff_value (day, fen) values (floor((${clock.now()}::bigint + 28800000) / 86400000), ${left})`.execute(
      db,
    )
    const both = await Promise.all([make({ count: small() }, first), make({ count: small() }, second)])
    expect(both.filter(({ approval_id }) => approval_id === '')).toHaveLength(1)
  })
})

describe('a decision', () => {
  it('is none of who asked, of who lacks the right, of what is not there, and not without a reason', async () => {
    const { approval_id } = await make()
    expect(await refusalOf(decide(first, approval_id))).toBe('staff.approval_own')
    expect(await refusalOf(reject(first, approval_id))).toBe('staff.approval_own')
    await become('support', 'support')
    expect(await refusalOf(decide(support, approval_id))).toBe('forbidden')
    expect(await waiting(support)).toEqual([])
    expect(await refusalOf(decide(second, '999999'))).toBe('staff.approval_unknown')
    expect(await refusalOf(decide(second, approval_id, { approve: false }))).toBe('bad_input')
    expect(await waiting(second)).toHaveLength(1)
  })

  it('that approves does the act once, for who asked; the codes are in its answer alone', async () => {
    const { approval_id } = await make()
    expect((await second.call(staffWaiting)).approvals).toBe(1)
    expect((await first.call(staffWaiting)).approvals).toBe(0)
    const { batch_id, codes } = await decide(second, approval_id)
    expect(codes).toHaveLength(small() + 1)
    expect(await decide(second, approval_id)).toEqual({ batch_id: '', codes: [] })
    expect(await refusalOf(reject(second, approval_id))).toBe('staff.approval_decided')
    expect(await first.call(viewCodes, { batch_id })).toMatchObject({
      actor: idOf('first'),
      approved_by: idOf('second'),
      count: small() + 1,
    })
    const [decided] = (await first.call(listApprovals, { state: 'decided' })).items
    expect(decided).toMatchObject({ id: approval_id, state: 'approved', decided_by: idOf('second') })
    expect((await second.call(staffWaiting)).approvals).toBe(0)
    expect((await logged('coupon create'))[0]).toMatchObject({
      actor: idOf('first'),
      detail: { approved_by: idOf('second') },
    })
  })

  it('is one when two decide at once', async () => {
    await become('support', 'finance')
    const { approval_id } = await make({ note: '只有一次' })
    const both = [decide(second, approval_id), reject(support, approval_id), decide(support, approval_id)]
    const outcomes = await Promise.all(both.map(refusalOf))
    expect(outcomes.filter((it) => it !== 'staff.approval_decided').length).toBeGreaterThan(0)
    const [row] = (await first.call(listApprovals, { state: 'decided' })).items
    expect((await batches()).filter(({ note }) => note === '只有一次')).toHaveLength(
      row?.state === 'approved' ? 1 : 0,
    )
    expect(
      (await events('approval approve'))
        .concat(await events('approval reject'))
        .filter((it) => it.target === approval_id),
    ).toHaveLength(1)
  })

  it('by command approves and rejects, and shows what waits', async () => {
    const one = await make({ note: 'a' })
    const two = await make({ note: 'b' })
    expect(await world.command<readonly object[]>('staff approvals')).toHaveLength(2)
    const done = await world.command<{ codes: string[] }>(`staff approve --id ${one.approval_id}`)
    expect(done.codes).toHaveLength(small() + 1)
    await world.command(`staff reject --id ${two.approval_id} --reason 不合理`)
    const { items } = await first.call(listApprovals, { state: 'decided' })
    expect(items.map(({ state, decided_by }) => [state, decided_by])).toEqual([
      ['rejected', 'operator'],
      ['approved', 'operator'],
    ])
    expect(items[0]?.decided_why).toBe('不合理')
  })

  it('is refused of what can no longer be done, which still waits and says why', async () => {
    const { approval_id } = await make()
    await world.command(`product retire --id ${product_id}`)
    expect(await refusalOf(decide(second, approval_id))).toBe('product.retired')
    expect((await waiting())[0]).toMatchObject({ id: approval_id, failure: 'product.retired' })
    await world.command(`product put --id ${product_id}`)
    await become('first', 'reviewer')
    expect(await refusalOf(decide(second, approval_id))).toBe('staff.approval_over')
    await become('first', 'finance')
    await decide(second, approval_id)
  })

  it('is refused once of what has changed since it was shown, and then shows it anew', async () => {
    const { approval_id } = await change({ price: 1 })
    const now = Math.ceil(price * 0.9)
    await change({ price: now })
    expect(await refusalOf(decide(second, approval_id))).toBe('staff.approval_changed')
    const [row] = await waiting()
    expect(row).toMatchObject({ facts: { change: { before: { price: now }, after: { price: 1 } } } })
    await decide(second, approval_id)
    expect(await priceNow()).toBe(1)
    await world.command(`product put --id ${product_id} --price ${price}`)
  })

  it('comes too late after a week, and then it is asked for anew', async () => {
    const { approval_id } = await make()
    expect((await make()).approval_id).toBe(approval_id)
    expect((await waiting())[0]?.expires_at).toBe((await waiting())[0]!.created_at + APPROVAL_MS)
    // The clock is not moved: by then the sessions of the console are over, too.
    await sql`update staff_approval set expires_at = ${clock.now()}`.execute(world.database.db)
    expect(await refusalOf(decide(second, approval_id))).toBe('staff.approval_over')
    expect(await waiting(second)).toEqual([])
    expect((await second.call(listApprovals, { state: 'decided' })).items[0]?.state).toBe('expired')
    expect((await make()).approval_id).not.toBe(approval_id)
  })

  it('is that of who asked when they withdraw it: nobody else does, nor they once it is decided or over', async () => {
    const one = await make({ note: 'a' })
    const two = await make({ note: 'b' })
    const withdraw = (who: Person, id: string) => who.call(withdrawApproval, { id: Number(id) })
    expect(await refusalOf(withdraw(second, one.approval_id))).toBe('forbidden')
    expect(await refusalOf(withdraw(support, one.approval_id))).not.toBe('none')
    expect(await refusalOf(withdraw(first, '999999'))).toBe('staff.approval_unknown')
    await reject(second, two.approval_id)
    expect(await refusalOf(withdraw(first, two.approval_id))).toBe('staff.approval_decided')
    expect((await waiting()).map(({ id }) => id)).toEqual([one.approval_id])
    await withdraw(first, one.approval_id)
    await withdraw(first, one.approval_id)
    expect(await waiting()).toEqual([])
    expect((await second.call(staffWaiting)).approvals).toBe(0)
    expect(await refusalOf(decide(second, one.approval_id))).toBe('staff.approval_decided')
    const [row] = (await first.call(listApprovals, { state: 'decided' })).items.slice(-1)
    expect(row).toMatchObject({ state: 'withdrawn', decided_by: idOf('first'), decided_why: '' })
    expect((await make({ note: 'a' })).approval_id).not.toBe(one.approval_id)
    const late = await make({ note: 'c' })
    await sql`update staff_approval set expires_at = ${clock.now()} where state = 'waiting'`.execute(
      world.database.db,
    )
    expect(await refusalOf(withdraw(first, late.approval_id))).toBe('staff.approval_over')
    const lines = (await logged('approval withdraw')).filter(({ target }) => target === one.approval_id)
    expect(lines).toEqual([
      expect.objectContaining({ actor: idOf('first'), detail: expect.objectContaining({ kind: 'codes' }) }),
    ])
  })

  it('and the request are in the staff log and in the security log', async () => {
    const { approval_id } = await make()
    await reject(second, approval_id)
    expect((await logged('approval ask'))[0]).toMatchObject({
      actor: idOf('first'),
      target: approval_id,
      detail: { reason: '周年', kind: 'codes', why: 'value' },
    })
    expect((await logged('approval reject'))[0]).toMatchObject({
      actor: idOf('second'),
      detail: { reason: '不合理', of: idOf('first') },
    })
    for (const kind of ['approval ask', 'approval reject'])
      expect((await events(kind))[0]).toMatchObject({ target: approval_id })
    expect((await world.app.inject({ method: 'GET', url: '/metrics' })).text).toContain(
      'guildhall_approvals_rejected',
    )
  })
})
