import { listDevices } from '@guildhall/wire/auth/devices.ts'
import { login } from '@guildhall/wire/auth/login.ts'
import { renameSelf } from '@guildhall/wire/auth/owner.ts'
import { userState } from '@guildhall/wire/auth/userState.ts'
import { history } from '@guildhall/wire/message/message.ts'
import { routes } from '@guildhall/wire/routes.ts'
import { listStaffLog } from '@guildhall/wire/staff/log.ts'
import { findPeople } from '@guildhall/wire/staff/people.ts'
import { STAFF_ROLE_NAMES, type StaffRole } from '@guildhall/wire/staff/roles.ts'
import {
  STAFF_IDLE_MS,
  STAFF_SESSION_MS,
  staffLogin,
  staffLogout,
  staffMe,
} from '@guildhall/wire/staff/session.ts'
import * as staff from '@guildhall/wire/staff/staff.ts'
import { staffWaiting } from '@guildhall/wire/staff/waiting.ts'
import { MINUTE_MS } from '@guildhall/wire/unit.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Auth } from '../auth/auth.ts'
import type { PersonName } from '../demo/world.ts'
import { clock, replaceClock } from '../kit/clock.ts'
import { refusalOf, secondFactorOf } from '../testing/calls.ts'
import { openWorld, type TestWorld } from '../testing/world.ts'
import { logInStaff, openStaffGate } from './gate.ts'

let world: TestWorld
beforeAll(async () => {
  world = await openWorld()
  await world.tokenOf('staff')
})
afterAll(() => world.close())

const become = (role: StaffRole | 'none') =>
  world.command(`staff role --user ${world.idOf('staff')} --role ${role}`)
/** A login to the console. */
async function enter(name: PersonName, more: object = {}) {
  const { mobile, password } = world.people[name]
  const second_factor = (await secondFactorOf(world.database.db, world.people[name])) ?? ''
  return world.as(null).call(staffLogin, { mobile, password, second_factor, ...more })
}
async function at<T>(time: number, act: () => Promise<T>): Promise<T> {
  const moveBack = replaceClock(() => time)
  try {
    return await act()
  } finally {
    moveBack()
  }
}

describe('a login to the console is refused', () => {
  it('to people who are no staff, with the right password too', async () => {
    expect(await refusalOf(enter('member'))).toBe('forbidden')
  })

  it('to staff with a wrong password, without or with a wrong second factor', async () => {
    expect(await refusalOf(enter('staff', { password: 'wrong-1' }))).toBe('auth.password_wrong')
    expect(await refusalOf(enter('staff', { second_factor: '' }))).toBe('auth.second_factor_needed')
    expect(await refusalOf(enter('staff', { second_factor: '000000' }))).toBe('auth.second_factor_wrong')
  })

  it('to staff whose account has no second factor', async () => {
    await world.command(`staff role --user ${world.idOf('admin')} --role support`)
    expect(await refusalOf(enter('admin'))).toBe('staff.second_factor_off')
    await world.command(`staff role --user ${world.idOf('admin')} --role none`)
  })

  it('from an address that is not listed', async () => {
    const deps = { appContext: world.app.appContext, addresses: ['10.0.0.0/8'], auth: {} as Auth }
    const from = { ip: '203.0.113.7', network: '203.0.113.7' } as Parameters<typeof logInStaff>[2]
    const it = { prefix: '86', mobile: '', password: '', remember: false }
    await expect(logInStaff(deps, it, from)).rejects.toMatchObject({ failure: 'staff.address' })
  })
})

/** Who may do what, written down apart from `roles.ts`. */
const ROLES_OF_RIGHT: Readonly<Record<string, readonly StaffRole[]>> = {
  any: ['support', 'finance', 'reviewer', 'administrator'],
  review: ['reviewer', 'administrator'],
  report: ['support', 'reviewer', 'administrator'],
  word: ['reviewer', 'administrator'],
  people: ['support', 'administrator'],
  gift: ['support', 'administrator'],
  guild: ['support', 'administrator'],
  content: ['reviewer', 'administrator'],
  order: ['support', 'finance', 'administrator'],
  refund: ['finance', 'administrator'],
  code: ['finance', 'administrator'],
  price: ['finance', 'administrator'],
  number: ['finance', 'administrator'],
  log: ['administrator'],
  errors: ['administrator'],
}

describe('every call of staff', () => {
  const calls = [...routes].filter(([, { who, path }]) => who === 'staff' && path !== staffLogout.path)

  it.each(calls)(
    '%s: is answered to the roles that have its right, and to nobody else',
    async (_name, route) => {
      const right = route.right ?? 'none'
      expect(await world.as(null).refusal(route)).toBe('not_logged_in')
      expect(await world.as('member').refusal(route)).toBe('forbidden')
      expect(await world.as('owner').refusal(route)).toBe('forbidden')
      for (const role of STAFF_ROLE_NAMES) {
        await become(role)
        const failure = await world.as('staff').refusal(route)
        if (ROLES_OF_RIGHT[right]?.includes(role))
          expect(failure).not.toMatch(/forbidden|not_logged_in|staff\./)
        else expect(failure).toBe('forbidden')
      }
      await become('none')
      expect(await world.as('staff').refusal(route)).toBe('forbidden')
      await become('administrator')
    },
  )

  it('is refused in a session of the product, with every right', async () => {
    const { mobile, password } = world.people.staff
    const second_factor = await secondFactorOf(world.database.db, world.people.staff)
    const { token } = await world.as(null).call(login, { mobile, password, second_factor })
    for (const [, route] of calls) expect(await world.as({ token }).refusal(route)).toBe('staff.session_over')
  })
})

describe('a session of the console', () => {
  it('says who is logged in, and ends when they log out', async () => {
    const { token, self } = await enter('staff')
    expect(self).toMatchObject({ id: world.idOf('staff'), role: 'administrator' })
    expect(await world.as({ token }).call(staffMe)).toEqual(self)
    await world.as({ token }).call(staffLogout)
    expect(await world.as({ token }).refusal(staffMe)).toBe('not_logged_in')
  })

  it('is nobody’s elsewhere: it reads no messages, changes no account and connects nowhere', async () => {
    const { token } = await enter('staff')
    for (const route of [userState, listDevices, renameSelf])
      expect(await world.as({ token }).refusal(route, { username: '别人' })).toBe('not_logged_in')
    expect(await world.as({ token }).refusal(history, { id: world.main.id })).toBe('not_logged_in')
    expect(await world.as({ token }).refusal(staffMe)).toBe('none')
  })

  it('ends after half an hour without a call, and after twelve hours with calls', async () => {
    const { token } = await enter('staff')
    const me = () => world.as({ token }).refusal(staffMe)
    const start = clock.now()
    expect(await at(start + STAFF_IDLE_MS - MINUTE_MS, me)).toBe('none')
    expect(await at(start + 2 * STAFF_IDLE_MS - 2 * MINUTE_MS, me)).toBe('none')
    expect(await at(start + 4 * STAFF_IDLE_MS, me)).toBe('staff.session_over')
    for (let now = start; now < start + STAFF_SESSION_MS - MINUTE_MS; now += STAFF_IDLE_MS - MINUTE_MS)
      await at(now, me)
    expect(await at(start + STAFF_SESSION_MS, me)).toBe('staff.session_over')
  })

  it('ends when the account is suspended', async () => {
    const { token } = await enter('staff')
    await world.command(`user suspend --user ${world.idOf('staff')}`)
    // The server hears of the command through the database.
    await expect.poll(() => world.as({ token }).refusal(staffMe)).toBe('not_logged_in')
    await world.command(`user restore --user ${world.idOf('staff')}`)
  })

  it('reaches nothing from an address that is not listed', async () => {
    const gate = openStaffGate({
      appContext: world.app.appContext,
      addresses: ['10.0.0.0/8', '2001:db8::/32'],
    })
    const { token } = await enter('staff')
    const { rows } = await sql<{ session_id: string }>`
      select session_id from staff_session order by opened_at desc limit 1`.execute(world.database.db)
    const caller = { userId: world.idOf('staff'), isBot: false, sessionId: rows[0]!.session_id, token }
    const ask = (ip: string) => gate.admit(caller, { right: 'any', ip })
    await expect(ask('203.0.113.7')).rejects.toMatchObject({ failure: 'staff.address' })
    await expect(ask('10.1.2.3')).resolves.toBeUndefined()
    await expect(ask('2001:db8::9')).resolves.toBeUndefined()
  })
})

describe('the staff log', () => {
  it('has every look at others and every act, with numbers masked and without secrets', async () => {
    const { mobile } = world.people.member
    const { token } = await enter('staff')
    const call = world.as({ token }).call
    await call(findPeople, { mobile })
    await call(staffMe)
    await call(staffWaiting)
    await call(findPeople, { name: mobile })
    await call(staff.resetPassword, { user_id: world.idOf('member'), password: 'never-logged-1' })
    const { items } = await call(listStaffLog, { actor: world.idOf('staff') })
    expect(items.slice(0, 6).map(({ kind, name }) => `${kind} ${name}`)).toEqual([
      'call log',
      'act user password',
      'call user-password',
      'call user-find',
      'call user-find',
      'login login',
    ])
    expect(items[1]).toMatchObject({ user_id: world.idOf('member'), actor_name: world.people.staff.username })
    expect(items[3]?.detail).toMatchObject({ name: `*******${mobile.slice(-4)}` })
    expect(JSON.stringify(items)).not.toContain('never-logged-1')
    expect(JSON.stringify(items)).not.toContain(mobile)
  })

  it('goes back page by page', async () => {
    const call = world.as({ token: (await enter('staff')).token }).call
    for (let n = 0; n < 55; n += 1) await call(findPeople, { user_id: world.idOf('owner') })
    const first = await call(listStaffLog, { user_id: world.idOf('owner') })
    expect(first.items).toHaveLength(50)
    expect(first.has_more).toBe(true)
    const next = await call(listStaffLog, {
      user_id: world.idOf('owner'),
      before: Number(first.items.at(-1)?.id),
    })
    expect(Number(next.items[0]?.id)).toBeLessThan(Number(first.items.at(-1)?.id))
  })

  it('is not changed, not even by a statement', async () => {
    const { db } = world.database
    await expect(sql`update staff_log set actor = '1'`.execute(db)).rejects.toThrow('append-only')
    await expect(sql`delete from staff_log`.execute(db)).rejects.toThrow('append-only')
    await expect(sql`truncate staff_log`.execute(db)).rejects.toThrow('append-only')
  })
})

describe('staff create', () => {
  it('refuses roles that do not exist and numbers that are none', async () => {
    await expect(world.command('staff create --mobile 13911110000 --role king')).rejects.toThrow(
      '--role must be one of',
    )
    await expect(world.command('staff create --mobile 12 --role support')).rejects.toMatchObject({
      failure: 'auth.mobile_wrong',
    })
  })

  it('makes an account with a role, and says how its second factor is set', async () => {
    const made = await world.command('staff create --mobile 13911110000 --role support')
    expect(made).toMatchObject({ role: 'support', password: expect.stringMatching(/^.{16}$/) })
    expect(made.second_factor).toContain('/account/second-factor')
    const again = await world.command('staff create --mobile 13911110000 --role finance')
    expect(again).toMatchObject({ id: made.id, role: 'finance', password: null })
    const it = { mobile: '13911110000', password: String(made.password) }
    expect(await world.as(null).refusal(staffLogin, it)).toBe('staff.second_factor_off')
    // The product is open to the account, so that it can set its second factor.
    expect(
      (await world.as({ token: (await world.as(null).call(login, it)).token }).call(userState)).user.id,
    ).toBe(made.id)
  })
})
