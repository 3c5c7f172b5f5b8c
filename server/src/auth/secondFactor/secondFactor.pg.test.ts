import { deleteAccount } from '@guildhall/wire/account/account.ts'
import { type CodeType, mobileLogin } from '@guildhall/wire/auth/auth.ts'
import { login, verifyCodeLogin } from '@guildhall/wire/auth/login.ts'
import { forgotPassword, updateSelf, verifyMobile } from '@guildhall/wire/auth/owner.ts'
import {
  beginSecondFactor,
  confirmSecondFactor,
  endSecondFactor,
  renewRecoveryCodes,
  secondFactorState,
} from '@guildhall/wire/auth/secondFactor.ts'
import { userState } from '@guildhall/wire/auth/userState.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@guildhall/wire/unit.ts'
import { sql } from 'kysely'
import { Secret, TOTP } from 'otpauth'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { clock, replaceClock } from '../../kit/clock.ts'
import { transaction } from '../../kit/database/db.ts'
import { commit } from '../../kit/events/events.ts'
import { emptyPresence } from '../../kit/events/presence.ts'
import { listSecurityEvents } from '../../kit/securityLog.ts'
import {
  type Call,
  type Newcomer,
  newNetwork,
  newNumber,
  type Refused,
  refusalOf,
  refusedCall,
} from '../../testing/calls.ts'
import { testKeys } from '../../testing/keys.ts'
import { openWorld, type TestWorld } from '../../testing/world.ts'
import { registerBot } from '../../user/user.ts'
import { giveBotToken, openAuth } from '../auth.ts'

const STEP_MS = 30 * SECOND_MS
const PASSWORD = 'secret1'

let world: TestWorld
let now: number
let restore: () => void
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())
beforeEach(() => {
  // The beginning of a step, so that a test is not at its edge.
  now = Math.ceil(Date.now() / STEP_MS) * STEP_MS
  restore = replaceClock(() => now)
})
afterEach(() => restore())

const from = (ip: string) => world.as(null, { ip }).call

async function codeOf(mobile: string, type: CodeType = 'login'): Promise<string> {
  now += 2 * MINUTE_MS
  return world.askCode(mobile, type)
}

/** The code of an app, some steps from now. */
const codeAt = (secret: string, steps = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: now + steps * STEP_MS })
/** Six digits that are right at no time near now. */
function wrongCode(secret: string): string {
  const right = new Set([-2, -1, 0, 1, 2].map((steps) => codeAt(secret, steps)))
  return ['000000', '111111', '222222', '333333', '444444', '555555'].find((code) => !right.has(code))!
}

async function newcomer(): Promise<Newcomer> {
  now += 2 * MINUTE_MS
  const person = await world.newcomer()
  await person.call(updateSelf, { password: PASSWORD })
  return person
}
const owner = { password: PASSWORD }

/** Somebody who has turned the second factor on. The code of now was used. */
async function guarded(): Promise<Newcomer & { secret: string; recovery: string[] }> {
  const person = await newcomer()
  const { secret, setup } = await person.call(beginSecondFactor, { owner })
  const { recovery_codes } = await person.call(confirmSecondFactor, { setup, code: codeAt(secret) })
  now += 2 * STEP_MS
  return { ...person, secret, recovery: recovery_codes }
}
const byPassword = (
  { mobile }: Pick<Newcomer, 'mobile'>,
  second_factor?: string,
  network = newNetwork(),
  password = PASSWORD,
) => from(network)(login, { mobile, password, ...(second_factor !== undefined && { second_factor }) })
const sessionsOf = async ({ id }: Pick<Newcomer, 'id'>) => {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from session where user_id = ${id} and revoked_at is null`.execute(
    world.database.db,
  )
  return rows[0]!.n
}

describe('turning it on', () => {
  it('is refused to guests and bots, without the owner, and with another password', async () => {
    expect(await refusalOf(from(newNetwork())(beginSecondFactor, { owner }))).toBe('not_logged_in')
    const bot = await transaction(world.database.db, (tx) => registerBot(tx, 'bot'))
    const token = await commit(world.app.appContext, (tx, emit) => giveBotToken(tx, emit, bot.id))
    for (const [route, input] of [
      [secondFactorState, {}],
      [beginSecondFactor, { owner }],
      [confirmSecondFactor, { setup: 'x', code: '1' }],
      [endSecondFactor, { owner }],
      [renewRecoveryCodes, { owner }],
    ] as const)
      expect(await world.as({ token: `Bot ${token}` }).refusal(route, input), route.path).toBe('forbidden')
    const { call } = await newcomer()
    expect(await refusalOf(call(beginSecondFactor))).toBe('auth.password_required')
    expect(await refusalOf(call(beginSecondFactor, { owner: { password: 'other1' } }))).toBe(
      'auth.password_wrong',
    )
  })

  it('is refused with a wrong code, too late, from another session, for another person, and twice', async () => {
    const person = await newcomer()
    const { secret, setup } = await person.call(beginSecondFactor, { owner })
    const confirm = (call: Call, code = codeAt(secret)) =>
      refusalOf(call(confirmSecondFactor, { setup, code }))
    expect(await confirm(person.call, wrongCode(secret))).toBe('auth.second_factor_wrong')
    expect(await confirm(person.call, codeAt(secret, 2))).toBe('auth.second_factor_wrong')
    expect(await confirm((await newcomer()).call)).toBe('auth.second_factor_expired')
    const { token } = await byPassword(person)
    expect(await confirm(world.as({ token }).call)).toBe('auth.second_factor_expired')
    expect(await person.call(secondFactorState)).toEqual({ on: false, since: 0, recovery_codes: 0 })
    const begun = now
    now = begun + 15 * MINUTE_MS
    expect(await confirm(person.call)).toBe('auth.second_factor_expired')
    now = begun
    await person.call(confirmSecondFactor, { setup, code: codeAt(secret) })
    expect(await confirm(person.call, codeAt(secret, 1))).toBe('auth.second_factor_on')
    expect(await refusalOf(person.call(beginSecondFactor, { owner }))).toBe('auth.second_factor_on')
  })

  it('answers an address for apps, and ten different recovery codes, and stores none of it readably', async () => {
    const { call, id, session } = await newcomer()
    const { address, secret, setup } = await call(beginSecondFactor, { owner })
    const app = new URL(address)
    expect(app.protocol).toBe('otpauth:')
    expect(decodeURIComponent(app.pathname)).toContain(session.user.username)
    expect(app.searchParams.get('secret')).toBe(secret)
    expect(Secret.fromBase32(secret).bytes).toHaveLength(20)
    const { recovery_codes } = await call(confirmSecondFactor, { setup, code: codeAt(secret) })
    expect(new Set(recovery_codes).size).toBe(10)
    expect(await call(secondFactorState)).toEqual({ on: true, since: now, recovery_codes: 10 })
    const { rows } = await sql<{ all: string }>`
      select second_factor::text as all from second_factor where user_id = ${id}`.execute(world.database.db)
    for (const word of [secret, ...recovery_codes, ...recovery_codes.map((it) => it.replace('-', ''))]) {
      expect(rows[0]!.all).not.toContain(word)
      expect(rows[0]!.all).not.toContain(Buffer.from(word).toString('hex'))
    }
  })
})

describe('a login by a password', () => {
  it('begins no session without it, and only whoever knows the password learns that it is on', async () => {
    const person = await guarded()
    const before = await sessionsOf(person)
    expect(await refusalOf(byPassword(person, undefined, newNetwork(), 'other1'))).toBe('auth.password_wrong')
    expect(await refusalOf(byPassword(person, codeAt(person.secret), newNetwork(), 'other1'))).toBe(
      'auth.password_wrong',
    )
    for (const empty of [undefined, '', ' - '])
      expect(await refusalOf(byPassword(person, empty))).toBe('auth.second_factor_needed')
    expect(await refusalOf(byPassword(person, wrongCode(person.secret)))).toBe('auth.second_factor_wrong')
    for (const odd of ['1', 'abc', '12345678', '2222-22222', `${codeAt(person.secret)}0`])
      expect(await refusalOf(byPassword(person, odd)), odd).toBe('auth.second_factor_wrong')
    expect(await sessionsOf(person)).toBe(before)
    expect((await byPassword(person, codeAt(person.secret))).user.id).toBe(person.id)
  })

  it('takes the codes of one step before and after, not of two', async () => {
    const person = await guarded()
    for (const steps of [-2, 2])
      expect(await refusalOf(byPassword(person, codeAt(person.secret, steps))), String(steps)).toBe(
        'auth.second_factor_wrong',
      )
    for (const steps of [1, -1, 0])
      expect((await byPassword(person, codeAt(person.secret, steps))).user.id).toBe(person.id)
  })

  it('refuses a code that was used, also by two logins at the same moment, and that of turning it on', async () => {
    const person = await newcomer()
    const { secret, setup } = await person.call(beginSecondFactor, { owner })
    const first = codeAt(secret)
    await person.call(confirmSecondFactor, { setup, code: first })
    expect(await refusalOf(byPassword(person, first))).toBe('auth.second_factor_used')
    now += 3 * STEP_MS
    const code = codeAt(secret)
    const both = await Promise.allSettled([byPassword(person, code), byPassword(person, code)])
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const lost = both.find((it) => it.status === 'rejected')!.reason as Refused
    expect(lost.failure).toBe('auth.second_factor_used')
    now += STEP_MS
    expect(await refusalOf(byPassword(person, code))).toBe('auth.second_factor_used')
  })

  it('goes on when the clock was ahead and is set back, and refuses what was used before', async () => {
    const person = await guarded()
    const used = codeAt(person.secret)
    await byPassword(person, used)
    const right = now
    now += 3 * DAY_MS
    await byPassword(person, codeAt(person.secret))
    now = right
    expect(await refusalOf(byPassword(person, used))).toBe('auth.second_factor_used')
    now += STEP_MS
    expect((await byPassword(person, codeAt(person.secret))).user.id).toBe(person.id)
    now = right - HOUR_MS
    expect((await byPassword(person, codeAt(person.secret))).user.id).toBe(person.id)
  })

  it('refuses the right code after five wrong ones of a network, which a new process still counts', async () => {
    const person = await guarded()
    const network = newNetwork()
    for (let tries = 0; tries < 5; tries++)
      expect(await refusalOf(byPassword(person, wrongCode(person.secret), network))).toBe(
        'auth.second_factor_wrong',
      )
    expect(await refusalOf(byPassword(person, codeAt(person.secret), network))).toBe('auth.too_many_tries')
    const auth = await openAuth({
      keys: testKeys,
      db: world.database.db,
      presence: emptyPresence,
      publicUrl: 'http://localhost',
      onRegistered: async () => undefined,
      onRevoked: () => undefined,
      sms: { send: async () => undefined },
    })
    const other = auth.loginByPassword(
      {
        prefix: '86',
        mobile: person.mobile,
        password: PASSWORD,
        remember: true,
        secondFactor: codeAt(person.secret),
      },
      { network, origin: 'http://localhost' },
    )
    await expect(other).rejects.toMatchObject({ failure: 'auth.too_many_tries' })
    expect((await byPassword(person, codeAt(person.secret))).user.id).toBe(person.id)
  })

  it('refuses guesses from many networks together, and the owner gets in where they have been, or by a recovery code', async () => {
    const person = await guarded()
    const home = newNetwork()
    await byPassword(person, codeAt(person.secret), home)
    now += 2 * STEP_MS
    const guess = () => refusalOf(byPassword(person, wrongCode(person.secret)))
    for (let tries = 0; tries < 15; tries++) expect(await guess()).toBe('auth.second_factor_wrong')
    expect(await guess()).toBe('auth.too_many_tries')
    expect(await refusalOf(byPassword(person, codeAt(person.secret)))).toBe('auth.too_many_tries')
    expect((await byPassword(person, codeAt(person.secret), home)).user.id).toBe(person.id)
    expect((await byPassword(person, person.recovery[0])).user.id).toBe(person.id)
  })
})

describe('recovery codes', () => {
  it('count once each, also at the same moment, however they are written', async () => {
    const person = await guarded()
    const [first = '', second = ''] = person.recovery
    expect((await byPassword(person, ` ${first.toLowerCase()} `)).user.id).toBe(person.id)
    expect(await refusalOf(byPassword(person, first))).toBe('auth.second_factor_wrong')
    const both = await Promise.allSettled([
      byPassword(person, second),
      byPassword(person, second.replace('-', '')),
    ])
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect((await person.call(secondFactorState)).recovery_codes).toBe(8)
  })

  it('of somebody else are refused', async () => {
    const [one, other] = [await guarded(), await guarded()]
    expect(await refusalOf(byPassword(one, other.recovery[0]))).toBe('auth.second_factor_wrong')
  })

  it('that are new replace the others, for the owner with a second factor alone', async () => {
    const person = await guarded()
    const renew = (input: object) => person.call(renewRecoveryCodes, input)
    const code = codeAt(person.secret)
    expect(await refusalOf(renew({ second_factor: code }))).toBe('auth.password_required')
    expect(await refusalOf(renew({ owner }))).toBe('auth.second_factor_needed')
    expect(await refusalOf(renew({ owner, second_factor: wrongCode(person.secret) }))).toBe(
      'auth.second_factor_wrong',
    )
    expect((await person.call(secondFactorState)).recovery_codes).toBe(10)
    const { recovery_codes } = await renew({ owner, second_factor: person.recovery[3] })
    expect(recovery_codes).toHaveLength(10)
    expect(await refusalOf(byPassword(person, person.recovery[0]))).toBe('auth.second_factor_wrong')
    expect((await byPassword(person, recovery_codes[0])).user.id).toBe(person.id)
  })
})

describe('a login by a code', () => {
  it('begins no session without it, and the code that was sent stays valid until the login', async () => {
    const person = await guarded()
    for (const type of ['login', 'invite-h5'] as const) {
      const code = await codeOf(person.mobile, type)
      const network = newNetwork()
      const enter = (second_factor?: string) =>
        type === 'login'
          ? from(network)(verifyCodeLogin, { mobile: person.mobile, code, second_factor })
          : from(network)(mobileLogin, { mobile: person.mobile, code, type: 'invite_reg', second_factor })
      const before = await sessionsOf(person)
      const wrong = code === '000000' ? '111111' : '000000'
      expect(
        await refusalOf(from(newNetwork())(verifyCodeLogin, { mobile: person.mobile, code: wrong })),
      ).toBe('auth.code_wrong')
      expect(await refusalOf(enter())).toBe('auth.second_factor_needed')
      expect(await refusalOf(enter(wrongCode(person.secret)))).toBe('auth.second_factor_wrong')
      expect(await refusalOf(enter())).toBe('auth.second_factor_needed')
      expect(await sessionsOf(person)).toBe(before)
      expect((await enter(codeAt(person.secret))).user.id).toBe(person.id)
      expect(await refusalOf(enter(codeAt(person.secret, 1)))).toBe('auth.code_expired')
      now += 2 * STEP_MS
    }
  })

  it('counts guesses although the code stays valid', async () => {
    const person = await guarded()
    const code = await codeOf(person.mobile)
    const network = newNetwork()
    const enter = (second_factor: string) =>
      refusalOf(from(network)(verifyCodeLogin, { mobile: person.mobile, code, second_factor }))
    for (let tries = 0; tries < 5; tries++)
      expect(await enter(wrongCode(person.secret))).toBe('auth.second_factor_wrong')
    expect(await enter(codeAt(person.secret))).toBe('auth.too_many_tries')
  })

  it('of a new number asks for none', async () => {
    const mobile = newNumber()
    const session = await from(newNetwork())(verifyCodeLogin, { mobile, code: await codeOf(mobile) })
    expect(session.user.mobile_verified).toBe(true)
  })
})

describe('getting around it', () => {
  it('is not possible by a forgotten password', async () => {
    const person = await guarded()
    const code = await codeOf(person.mobile, 'forgot')
    await from(newNetwork())(forgotPassword, { mobile: person.mobile, code, password: 'another2' })
    expect(await refusalOf(byPassword(person, undefined, newNetwork(), 'another2'))).toBe(
      'auth.second_factor_needed',
    )
    expect((await byPassword(person, codeAt(person.secret), newNetwork(), 'another2')).user.id).toBe(
      person.id,
    )
  })

  it('is not possible by a change of the number', async () => {
    const person = await guarded()
    const mobile = newNumber()
    const code = await codeOf(mobile, 'verify')
    await person.call(verifyMobile, { mobile: { mobile, code, mobile_prefix: '86' }, owner })
    const sent = await codeOf(mobile)
    expect(await refusalOf(from(newNetwork())(verifyCodeLogin, { mobile, code: sent }))).toBe(
      'auth.second_factor_needed',
    )
    expect(await refusalOf(byPassword({ mobile }))).toBe('auth.second_factor_needed')
  })
})

describe('turning it off', () => {
  it('needs the owner and a code, and a code that was sent stays valid while the second factor is refused', async () => {
    const person = await guarded()
    const end = (input: object) => person.call(endSecondFactor, input)
    const code = codeAt(person.secret)
    expect(await refusalOf(end({ second_factor: code }))).toBe('auth.password_required')
    expect(await refusalOf(end({ owner: { password: 'other1' }, second_factor: code }))).toBe(
      'auth.password_wrong',
    )
    const sent = { code: await codeOf(person.mobile, 'confirm') }
    expect(await refusalOf(end({ owner: sent }))).toBe('auth.second_factor_needed')
    expect(await refusalOf(end({ owner: sent, second_factor: wrongCode(person.secret) }))).toBe(
      'auth.second_factor_wrong',
    )
    expect((await person.call(secondFactorState)).on).toBe(true)
    await end({ owner: sent, second_factor: codeAt(person.secret) })
    expect((await person.call(secondFactorState)).on).toBe(false)
    expect((await byPassword(person)).user.id).toBe(person.id)
    expect(await refusalOf(end({ owner }))).toBe('auth.second_factor_off')
    expect(await refusalOf(person.call(renewRecoveryCodes, { owner }))).toBe('auth.second_factor_off')
  })
})

it('a deleted account leaves nothing of its second factor', async () => {
  const person = await guarded()
  await person.call(deleteAccount, { password: PASSWORD })
  const { rows } = await sql`select 1 from second_factor where user_id = ${person.id}`.execute(
    world.database.db,
  )
  expect(rows).toEqual([])
})

it('the security log has what was turned on and off, and refusals with their person, and no codes', async () => {
  const person = await guarded()
  await refusedCall(byPassword(person, wrongCode(person.secret)))
  await byPassword(person, person.recovery[0])
  await person.call(endSecondFactor, { owner, second_factor: codeAt(person.secret) })
  await world.app.security.flush()
  const events = await listSecurityEvents(world.database.db, { userId: person.id, since: 0, limit: 100 })
  const named = events.map(({ kind, failure }) => `${kind} ${failure}`.trim())
  for (const kind of [
    'second factor on',
    'second factor auth.second_factor_wrong',
    'login auth.second_factor_wrong',
    'recovery code',
    'second factor off',
  ])
    expect(named).toContain(kind)
  expect(JSON.stringify(events)).not.toContain(person.recovery[0])
  expect((await person.call(userState)).user.id).toBe(person.id)
  expect(clock.now()).toBe(now)
})
