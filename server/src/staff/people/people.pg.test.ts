import { userState } from '@guildhall/wire/auth/userState.ts'
import { listPrivate } from '@guildhall/wire/chat/chat.ts'
import type { Route } from '@guildhall/wire/route.ts'
import { listStaffLog } from '@guildhall/wire/staff/log.ts'
import { FOUND_MAX, findPeople, giveBuff, staffViewPerson, takeBuff } from '@guildhall/wire/staff/people.ts'
import * as staff from '@guildhall/wire/staff/staff.ts'
import { DAY_MS, HOUR_MS } from '@guildhall/wire/unit.ts'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { PersonName } from '../../demo/world.ts'
import { replaceClock } from '../../kit/clock.ts'
import { transaction } from '../../kit/database/db.ts'
import { type Refused, refusalOf } from '../../testing/calls.ts'
import { openConnection } from '../../testing/connection.ts'
import { openWorld, type TestWorld } from '../../testing/world.ts'
import { officialAccount } from '../../user/user.ts'
import { endSuspensions } from '../staff.ts'

let world: TestWorld
let now = Date.now()
let giveTimeBack: () => void
beforeAll(async () => {
  world = await openWorld({}, undefined, { scheduledWork: false })
  giveTimeBack = replaceClock(() => now)
})
afterAll(async () => {
  giveTimeBack()
  await world.close()
})

const db = () => world.database.db
/** A session of the console; one that the clock has left behind is replaced. */
let session = { token: '', at: 0 }
async function asStaff<R extends Route>(route: R, input: object) {
  if (Math.abs(now - session.at) > HOUR_MS / 4) {
    session = { token: await world.login('staff'), at: now }
  }
  return world.as({ token: session.token }).call(route, input)
}
const view = (name: PersonName) => asStaff(staffViewPerson, { user_id: world.idOf(name) })
const lastAct = async (name: PersonName) =>
  (await asStaff(listStaffLog, { user_id: world.idOf(name), kind: 'act' })).items[0]
/** What the official account wrote to somebody last. */
async function received(name: PersonName): Promise<string | undefined> {
  const official = await transaction(db(), (tx) => officialAccount(tx))
  const { items } = await world
    .as({ token: await world.login(name) })
    .call(listPrivate, { target_id: official.id })
  return items.at(-1)?.content
}

describe('a search for people', () => {
  it('is refused without anything to look for, and finds nobody by what nobody has', async () => {
    expect(await refusalOf(asStaff(findPeople, {}))).toBe('bad_input')
    expect(await refusalOf(asStaff(findPeople, { name: '  ' }))).toBe('bad_input')
    expect(await refusalOf(asStaff(findPeople, { mobile: '12' }))).toBe('auth.mobile_wrong')
    expect(await refusalOf(asStaff(staffViewPerson, { user_id: '1' }))).toBe('user.unknown')
    for (const query of [{ user_id: '1' }, { name: '%' }, { name: '没有这个人' }, { name: '没有#1234' }])
      expect(await asStaff(findPeople, query)).toEqual({ items: [], has_more: false })
  })

  it('finds names by how they begin, whatever the case, page by page', async () => {
    for (let n = 0; n < FOUND_MAX + 5; n += 1)
      await sql`insert into "user" (username, identify_num, created_at)
        values (${`${n % 2 ? 'Prefix' : 'prefix'}${String(n).padStart(2, '0')}`}, '1234', 1)`.execute(db())
    const first = await asStaff(findPeople, { name: 'PREfix' })
    expect([first.items.length, first.has_more]).toEqual([FOUND_MAX, true])
    const second = await asStaff(findPeople, { name: 'PREfix', after: first.items.at(-1)?.id })
    expect([second.items.length, second.has_more]).toEqual([5, false])
    const names = [...first.items, ...second.items].map(({ username }) => username.toLowerCase())
    expect(names).toEqual([...new Set(names)].sort())
    expect((await asStaff(findPeople, { name: 'prefix07' })).items).toHaveLength(1)
    expect((await asStaff(findPeople, { name: 'Prefix07#1234' })).items).toHaveLength(1)
    expect((await asStaff(findPeople, { name: 'Prefix07#9999' })).items).toEqual([])
  })

  it('walks one range of an index', async () => {
    await sql`analyze "user"`.execute(db())
    const { rows } = await sql<{ 'QUERY PLAN': string }>`
      explain select id from "user"
      where deleted_at is null and lower(username) collate "C" >= lower('pre') collate "C"
        and lower(username) collate "C" < lower('pre') || chr(1114111) collate "C"
        and (lower(username) collate "C", id) > (select lower(username) collate "C", id from "user" where id = 100000001)
      order by lower(username) collate "C", id limit 21`.execute(db())
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
    if (!plan.includes('Seq Scan on "user"')) expect(plan).toContain('user_name_start')
  })
})

describe('a person', () => {
  it('is shown with what belongs to them, and with neither their whole number nor their real name', async () => {
    const { mobile, username } = world.people.admin
    await sql`insert into real_name (user_id, sealed, number_hash, verified_at)
      values (${world.idOf('admin')}, 'sealed', '\\x00', 7)`.execute(db())
    await world.login('admin')
    const it = await view('admin')
    expect(it).toMatchObject({
      id: world.idOf('admin'),
      username,
      state: 'active',
      mobile: `*******${mobile.slice(-4)}`,
      second_factor: false,
      has_password: true,
      is_staff: false,
      verified_at: 7,
    })
    expect(it.sessions[0]).toMatchObject({ network: expect.any(String), seen_at: expect.any(Number) })
    expect(it.guilds).toContainEqual(
      expect.objectContaining({ id: world.main.guild_id, is_owner: false, is_gone: false }),
    )
    expect(it.buff_until).toBeGreaterThan(now)
    expect(it.buff_grants[0]).toMatchObject({ order_id: '', days: 30, revoked_at: 0 })
    expect(JSON.stringify(it)).not.toContain(mobile)
    expect(await view('staff')).toMatchObject({
      is_staff: true,
      staff_role: 'administrator',
      second_factor: true,
    })
  })
})

describe('a suspension', () => {
  const reason = '多次发送广告'
  afterEach(async () => {
    await asStaff(staff.restoreUser, { user_id: world.idOf('member'), reason: '复原' })
  })

  it('is refused without a reason, with an end that is over or far away, and of staff', async () => {
    const user_id = world.idOf('member')
    expect(await refusalOf(asStaff(staff.suspendUser, { user_id, until: 0 }))).toBe('bad_input')
    expect(await refusalOf(asStaff(staff.suspendUser, { user_id, until: 0, reason: '' }))).toBe('bad_input')
    expect(await refusalOf(asStaff(staff.suspendUser, { user_id, reason }))).toBe('bad_input')
    expect(await refusalOf(asStaff(staff.suspendUser, { user_id, until: now, reason }))).toBe(
      'staff.end_wrong',
    )
    const far = now + staff.SUSPENDED_MOST_MS + 1
    expect(await refusalOf(asStaff(staff.suspendUser, { user_id, until: far, reason }))).toBe(
      'staff.end_wrong',
    )
    expect(
      await refusalOf(asStaff(staff.suspendUser, { user_id: world.idOf('staff'), until: 0, reason })),
    ).toBe('forbidden')
    expect((await view('member')).state).toBe('active')
  })

  it('closes connections and ends sessions at once, says why at the login, and ends by the clock alone', async () => {
    const token = await world.login('member')
    const { gateway_url } = await world.as({ token }).call(userState)
    const port = Number(new URL(await world.app.listen()).port)
    const connection = await openConnection(gateway_url, port)
    const until = now + DAY_MS
    await asStaff(staff.suspendUser, { user_id: world.idOf('member'), until, reason })
    expect(await connection.closed).toBe(4001)
    expect(await view('member')).toMatchObject({
      state: 'suspended',
      suspended_until: until,
      suspended_reason: reason,
      sessions: [],
    })
    const { extra, message } = await world.login('member').then(
      () => ({}) as Refused['body'] & { extra?: unknown },
      (error: Refused) => error.body as Refused['body'] & { extra?: unknown },
    )
    expect([extra, message]).toEqual([{ until, reason }, expect.stringContaining(reason)])
    expect((await lastAct('member'))?.detail).toEqual({ reason, before: null, until })
    const start = now
    now = until - 1
    expect(await refusalOf(world.login('member'))).toBe('auth.banned')
    now = until
    expect(await view('member')).toMatchObject({ state: 'active', suspended_until: 0, suspended_reason: '' })
    expect((await asStaff(findPeople, { user_id: world.idOf('member') })).items[0]?.state).toBe('active')
    const again = await world.login('member')
    expect((await world.as({ token: again }).call(userState)).user.status).toBe(0)
    // The job only tells: what stands in the row is cleared, and the session goes on.
    expect(await endSuspensions(world.app.appContext)).toBe(1)
    expect(await endSuspensions(world.app.appContext)).toBe(0)
    expect(await received('member')).toContain('封禁已到期')
    expect((await world.as({ token: again }).call(userState)).user.id).toBe(world.idOf('member'))
    now = start
  })

  it('is changed by another one, and of two at once each knows the one before', async () => {
    const suspend = (until: number) =>
      asStaff(staff.suspendUser, { user_id: world.idOf('member'), until, reason: `至 ${until}` })
    await Promise.all([suspend(now + DAY_MS), suspend(now + 2 * DAY_MS)])
    const { items } = await asStaff(listStaffLog, { user_id: world.idOf('member'), kind: 'act' })
    const befores = items.slice(0, 2).map(({ detail }) => detail.before)
    expect(befores.filter((it) => it === null)).toHaveLength(1)
    await suspend(0)
    expect(await view('member')).toMatchObject({ state: 'suspended', suspended_until: 0 })
    now += 400 * DAY_MS
    expect(await endSuspensions(world.app.appContext)).toBe(0)
    expect(await refusalOf(world.login('member'))).toBe('auth.banned')
    now -= 400 * DAY_MS
  })

  it('is over when staff restore the person, and is not told of afterwards', async () => {
    await asStaff(staff.suspendUser, { user_id: world.idOf('member'), until: now + HOUR_MS, reason })
    expect(await refusalOf(asStaff(staff.restoreUser, { user_id: world.idOf('member') }))).toBe('bad_input')
    await asStaff(staff.restoreUser, { user_id: world.idOf('member'), reason: '误判' })
    expect((await lastAct('member'))?.detail).toMatchObject({ reason: '误判', before: { reason } })
    await world.login('member')
    now += 2 * HOUR_MS
    expect(await endSuspensions(world.app.appContext)).toBe(0)
    now -= 2 * HOUR_MS
  })
})

describe('other acts on an account', () => {
  it('sign out with a reason, and write down how many sessions ended', async () => {
    await world.login('muted')
    await asStaff(staff.signOutUser, { user_id: world.idOf('muted'), reason: '手机丢失' })
    expect(await lastAct('muted')).toMatchObject({
      name: 'user signout',
      detail: { reason: '手机丢失', sessions: expect.any(Number) },
    })
    expect((await view('muted')).sessions).toEqual([])
  })
})

describe('BUFF of the operator', () => {
  it('is not given without the right, to nobody, for no days, and without a reason', async () => {
    const it = { user_id: world.idOf('owner'), days: 3, reason: '补偿' }
    expect(await refusalOf(asStaff(giveBuff, { ...it, reason: '' }))).toBe('bad_input')
    expect(await refusalOf(asStaff(giveBuff, { ...it, days: 0 }))).toBe('bad_input')
    expect(await refusalOf(asStaff(giveBuff, { ...it, user_id: '1' }))).toBe('user.unknown')
    expect(await refusalOf(asStaff(giveBuff, { ...it, user_id: world.idOf('staff') }))).toBe('forbidden')
    expect((await view('owner')).buff_until).toBe(0)
  })

  it('is given after what somebody has, and told', async () => {
    const { until } = await asStaff(giveBuff, { user_id: world.idOf('owner'), days: 3, reason: '补偿' })
    expect(until).toBe(now + 3 * DAY_MS)
    const twice = await asStaff(giveBuff, { user_id: world.idOf('owner'), days: 2, reason: '再补偿' })
    expect(twice.until).toBe(now + 5 * DAY_MS)
    expect(await received('owner')).toContain('2 天')
    expect((await lastAct('owner'))?.detail).toEqual({
      reason: '再补偿',
      days: 2,
      before: until,
      until: twice.until,
    })
  })

  it('is taken back grant by grant; what was bought stays, and twice is refused', async () => {
    const user_id = world.idOf('owner')
    const { rows } = await sql<{ id: string }>`
      insert into "order" (code, user_id, key, request, pay_fee, created_at, expires_at, state)
      values (${'c'.repeat(32)}, ${user_id}, 'k', '', 1, 1, 1, 'granted') returning id::text`.execute(db())
    await sql`insert into entitlement (user_id, kind, order_id, length, granted_at)
      values (${user_id}, 'buff', ${rows[0]?.id}, ${10 * DAY_MS}, ${now})`.execute(db())
    const { buff_grants } = await view('owner')
    const [bought, second, first] = buff_grants
    expect(bought?.order_id).toBe(rows[0]?.id)
    const take = (grant_id: string | undefined, who: PersonName = 'owner') =>
      asStaff(takeBuff, { user_id: world.idOf(who), grant_id, reason: '误发' })
    expect(await refusalOf(take(bought?.id))).toBe('buff.not_given')
    expect(await refusalOf(take(first?.id, 'member'))).toBe('buff.not_given')
    expect(await refusalOf(take('99999999'))).toBe('buff.not_given')
    await take(second?.id)
    expect(await refusalOf(take(second?.id))).toBe('buff.not_given')
    const after = await view('owner')
    expect(after.buff_until).toBe(now + 13 * DAY_MS)
    expect(after.buff_grants[1]?.revoked_at).toBe(now)
    expect(await received('owner')).toContain('收回')
    const both = await Promise.all([take(first?.id), take(first?.id)].map(refusalOf))
    expect(both.sort()).toEqual(['buff.not_given', 'none'])
    expect((await view('owner')).buff_until).toBe(now + 10 * DAY_MS)
  })
})
