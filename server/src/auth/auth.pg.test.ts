import {
  login,
  logout,
  mobileLogin,
  sendCode,
  sendCodeV2,
  userState,
  verifyCodeLogin,
} from '@guildhall/wire/auth/auth.ts'
import type { FailureName } from '@guildhall/wire/failure.ts'
import { gatewayIndex } from '@guildhall/wire/gateway/gateway.ts'
import type { UserId } from '@guildhall/wire/id.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@guildhall/wire/unit.ts'
import { me } from '@guildhall/wire/user/user.ts'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { replaceClock } from '../kit/clock.ts'
import { transaction } from '../kit/db.ts'
import { commit } from '../kit/events.ts'
import { emptyPresence } from '../kit/presence.ts'
import type { SentCode } from '../outside/devSms.ts'
import { openWorld, Refused, type TestWorld } from '../testing/world.ts'
import { registerBot } from '../user/user.ts'
import { type Auth, GATEWAY_TOKEN_MS, giveBotToken, openAuth, readNumber } from './auth.ts'
import { hashToken } from './sessions.ts'

let world: TestWorld
let now: number
let restore: () => void
let numbers = 13_700_000_000
let places = 0
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())
beforeEach(() => {
  now = Date.now()
  restore = replaceClock(() => now)
})
afterEach(() => restore())

/** An unused number, and calls from an unused network address. */
const newNumber = () => String(++numbers)
const guest = (ip = `10.1.${++places >> 8}.${places & 255}`) => world.callWith(null, { ip })

async function codesFor(mobile: string): Promise<SentCode[]> {
  const { text } = await world.app.inject({ method: 'GET', url: `/dev/outbox?mobile=${mobile}` })
  return JSON.parse(text)
}
const codeFor = async (mobile: string): Promise<string> => (await codesFor(mobile))[0]?.code ?? ''
const otherThan = (code: string) => (code === '000000' ? '111111' : '000000')

async function refusal(promise: Promise<unknown>): Promise<Refused> {
  const error = await promise.then(
    () => new Error('it was not refused'),
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof Refused)) throw error
  return error
}
const refused = async (promise: Promise<unknown>): Promise<FailureName | undefined> =>
  (await refusal(promise)).failure
const countUsers = async () =>
  (await sql<{ n: number }>`select count(*)::int as n from "user"`.execute(world.database.db)).rows[0]?.n ?? 0

describe('asking for a code', () => {
  it.each([
    ['', 'auth.mobile_required'],
    ['1380000000', 'auth.mobile_wrong'],
    ['23800000000', 'auth.mobile_wrong'],
    ["13800'; drop --", 'auth.mobile_wrong'],
  ])('is refused for the number %j', async (mobile, name) => {
    expect(await refused(guest()(sendCode, { mobile }))).toBe(name)
    expect(await refused(guest()(sendCodeV2, { mobile }))).toBe(name)
  })

  it('is refused for a number that its country does not have', async () => {
    expect(await refused(guest()(sendCode, { mobile: '123', mobile_prefix: '44' }))).toBe('auth.mobile_wrong')
    expect(await refused(guest()(sendCode, { mobile: '7400123456', mobile_prefix: '999' }))).toBe(
      'auth.mobile_wrong',
    )
  })

  it('is refused again within 60 seconds, from anywhere, with the seconds left', async () => {
    const mobile = newNumber()
    await guest()(sendCode, { mobile })
    now += 18 * SECOND_MS
    const { failure, body } = await refusal(guest()(sendCodeV2, { mobile }))
    expect(failure).toBe('auth.code_too_soon')
    expect(body.data?.extra).toEqual({ n: 42 })
    now += 42 * SECOND_MS
    await guest()(sendCode, { mobile })
    expect(await codesFor(mobile)).toHaveLength(2)
  })

  it('twice at the same moment sends one code', async () => {
    const mobile = newNumber()
    const asked = await Promise.allSettled([1, 2, 3, 4].map(() => guest()(sendCode, { mobile })))
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await codesFor(mobile)).toHaveLength(1)
  })

  it('is refused the sixth time in an hour for one number, and granted in the next', async () => {
    const mobile = newNumber()
    for (let count = 0; count < 5; count++) {
      await guest()(sendCode, { mobile })
      now += MINUTE_MS
    }
    expect(await refused(guest()(sendCode, { mobile }))).toBe('auth.code_too_many')
    now += HOUR_MS - 5 * MINUTE_MS
    await guest()(sendCode, { mobile })
  })

  it('is refused the thirty-first time in an hour from one network, whatever the numbers', async () => {
    const call = guest('10.9.9.9')
    for (let count = 0; count < 30; count++) await call(sendCode, { mobile: newNumber() })
    const mobile = newNumber()
    expect(await refused(call(sendCode, { mobile }))).toBe('auth.code_too_many')
    expect(await codesFor(mobile)).toEqual([])
    await guest()(sendCode, { mobile })
  })

  it('answers the same for a number that has an account and for one that has none', async () => {
    const known = await guest()(sendCode, { mobile: world.cast.owner.mobile })
    expect(await guest()(sendCode, { mobile: newNumber() })).toEqual(known)
  })

  it('may be repeated at once when the message could not be sent', async () => {
    const broken = await openAuth({
      db: world.database.db,
      presence: emptyPresence,
      sms: { send: () => Promise.reject(new Error('no credit')) },
      onRevoked: () => undefined,
      onRegistered: async () => undefined,
    })
    const mobile = newNumber()
    await expect(broken.requestCode({ prefix: '86', mobile }, 'login', 'x')).rejects.toThrow(
      'auth.sms_failed',
    )
    await guest()(sendCode, { mobile })
  })

  it('stores no code in plain text', async () => {
    const mobile = newNumber()
    await guest()(sendCode, { mobile })
    const { rows } = await sql<{ row: string }>`
      select phone_code::text as row from phone_code where mobile = ${mobile}`.execute(world.database.db)
    expect(rows[0]?.row).not.toContain(await codeFor(mobile))
  })
})

describe('logging in by a code', () => {
  it('is refused without a code, and where none was asked for', async () => {
    expect(await refused(guest()(verifyCodeLogin, { mobile: newNumber(), code: '' }))).toBe(
      'auth.code_required',
    )
    expect(await refused(guest()(verifyCodeLogin, { mobile: newNumber(), code: '123456' }))).toBe(
      'auth.code_expired',
    )
  })

  it('is refused with a wrong code, under the field, and makes no account', async () => {
    const mobile = newNumber()
    await guest()(sendCode, { mobile, type: 'invite-h5' })
    const before = await countUsers()
    const wrong = { type: 'invite_reg', mobile, code: otherThan(await codeFor(mobile)) }
    const { failure, body, status } = await refusal(guest()(mobileLogin, wrong))
    expect([failure, status, body.code]).toEqual(['auth.code_wrong', 200, 40000])
    expect(body.message).toEqual({ code: '验证码错误' })
    expect(await countUsers()).toBe(before)
  })

  it('the fifth wrong try invalidates the code, even for the right one', async () => {
    const mobile = newNumber()
    await guest()(sendCode, { mobile })
    const code = await codeFor(mobile)
    for (let tries = 0; tries < 5; tries++) {
      expect(await refused(guest()(verifyCodeLogin, { mobile, code: otherThan(code) }))).toBe(
        'auth.code_wrong',
      )
    }
    expect(await refused(guest()(verifyCodeLogin, { mobile, code }))).toBe('auth.code_expired')
  })

  it('concurrent wrong tries share the limit of five', async () => {
    const mobile = newNumber()
    await guest()(sendCode, { mobile })
    const wrong = { mobile, code: otherThan(await codeFor(mobile)) }
    const names = await Promise.all(
      Array.from({ length: 12 }, () => refused(guest()(verifyCodeLogin, wrong))),
    )
    expect(names.filter((name) => name === 'auth.code_wrong')).toHaveLength(5)
    expect(names.filter((name) => name === 'auth.code_expired')).toHaveLength(7)
  })

  it('a code expires after ten minutes', async () => {
    const mobile = newNumber()
    await guest()(sendCode, { mobile })
    const code = await codeFor(mobile)
    now += 10 * MINUTE_MS
    expect(await refused(guest()(verifyCodeLogin, { mobile, code }))).toBe('auth.code_expired')
  })

  it('a code works once, also when used ten times at the same moment', async () => {
    const mobile = newNumber()
    await guest()(sendCode, { mobile })
    const code = await codeFor(mobile)
    const before = await countUsers()
    const logins = await Promise.allSettled(
      Array.from({ length: 10 }, () => guest()(verifyCodeLogin, { mobile, code })),
    )
    expect(logins.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await countUsers()).toBe(before + 1)
  })

  it('a newer code replaces the older one', async () => {
    const mobile = newNumber()
    await guest()(sendCode, { mobile })
    const older = await codeFor(mobile)
    now += MINUTE_MS
    await guest()(sendCode, { mobile })
    const newer = await codeFor(mobile)
    if (older !== newer) {
      expect(await refused(guest()(verifyCodeLogin, { mobile, code: older }))).toBe('auth.code_wrong')
    }
    expect((await guest()(verifyCodeLogin, { mobile, code: newer })).user.mobile_verified).toBe(true)
  })

  it('a code of one number does not open another', async () => {
    const [mine, theirs] = [newNumber(), newNumber()]
    await guest()(sendCode, { mobile: mine })
    await guest()(sendCode, { mobile: theirs })
    const [code, other] = [await codeFor(mine), await codeFor(theirs)]
    if (code !== other) {
      expect(await refused(guest()(verifyCodeLogin, { mobile: theirs, code }))).toBe('auth.code_wrong')
    }
  })

  it('a banned person is refused, and learns why only with the right code', async () => {
    const mobile = newNumber()
    const enter = async () => {
      await guest()(sendCode, { mobile })
      return guest()(verifyCodeLogin, { mobile, code: await codeFor(mobile) })
    }
    const { user, token } = await enter()
    await sql`update "user" set status = 10 where id = ${user.id}`.execute(world.database.db)
    now += MINUTE_MS
    expect(await refused(enter())).toBe('auth.banned')
    expect(await refused(world.callWith(token)(me))).toBe('not_logged_in')
  })

  it('registers from an invite, and the same number logs in to the same account', async () => {
    const mobile = newNumber()
    await guest()(sendCode, { mobile, type: 'invite-h5', mobile_prefix: '+86' })
    const first = await guest()(mobileLogin, {
      type: 'invite_reg',
      mobile,
      mobile_prefix: '86',
      code: await codeFor(mobile),
      remember: true,
      invite_code: world.invite,
    })
    expect(first.user).toMatchObject({
      mobile_verified: true,
      mobile: `*******${mobile.slice(-4)}`,
      bot: false,
    })
    expect(first.user.username).toMatch(/^用户\d{4}$/)
    expect(first.user.identify_num).toMatch(/^\d{4}$/)
    now += MINUTE_MS
    await guest()(sendCodeV2, { mobile })
    const second = await guest()(verifyCodeLogin, { mobile, code: await codeFor(mobile) })
    expect(second.user.id).toBe(first.user.id)
    expect(second.token).not.toBe(first.token)
  })

  it('verifies the number of a person who had not verified it', async () => {
    const { mobile } = world.cast.unverified
    expect((await world.callAs('unverified')(me)).mobile_verified).toBe(false)
    await guest()(sendCode, { mobile })
    const { user } = await guest()(verifyCodeLogin, { mobile, code: await codeFor(mobile) })
    expect(user.mobile_verified).toBe(true)
    await sql`update "user" set mobile_verified = false where id = ${user.id}`.execute(world.database.db)
  })

  it('a failure after the code was right leaves neither account nor session, and the code as it was', async () => {
    const mobile = newNumber()
    await guest()(sendCode, { mobile })
    const code = await codeFor(mobile)
    const before = await countUsers()
    const failing = await openAuth({
      db: world.database.db,
      presence: emptyPresence,
      sms: { send: async () => undefined },
      onRevoked: () => undefined,
      onRegistered: () => Promise.reject(new Error('the connection was cut')),
    })
    const attempt = failing.loginByCode(
      { prefix: '86', mobile, code, remember: true },
      { place: 'x', origin: 'http://x' },
    )
    await expect(attempt).rejects.toThrow('the connection was cut')
    expect(await countUsers()).toBe(before)
    expect((await guest()(verifyCodeLogin, { mobile, code })).user.mobile_verified).toBe(true)
  })
})

describe('logging in by a password', () => {
  it('answers the same for a wrong password, an unknown number and an account without a password', async () => {
    const without = newNumber()
    await guest()(sendCode, { mobile: without })
    await guest()(verifyCodeLogin, { mobile: without, code: await codeFor(without) })
    const answers = []
    for (const mobile of [world.cast.admin.mobile, newNumber(), without]) {
      const { body, status } = await refusal(guest()(login, { mobile, password: 'wrong' }))
      answers.push([status, body])
    }
    expect(answers[1]).toEqual(answers[0])
    expect(answers[2]).toEqual(answers[0])
    expect(answers[0]).toMatchObject([
      400,
      { error: 'auth.password_wrong', message: { password: '手机号或密码错误' } },
    ])
  })

  it('is refused without a password', async () => {
    const { mobile } = world.cast.admin
    expect(await refused(guest()(login, { mobile, password: '' }))).toBe('auth.password_required')
  })

  it('after ten wrong ones even the right one has to wait a quarter of an hour', async () => {
    const { mobile, password } = world.cast.muted
    for (let tries = 0; tries < 10; tries++) {
      expect(await refused(guest()(login, { mobile, password: 'wrong' }))).toBe('auth.password_wrong')
    }
    expect(await refused(guest()(login, { mobile, password }))).toBe('auth.too_many_tries')
    now += 15 * MINUTE_MS
    expect((await guest()(login, { mobile, password })).user.id).toBe(world.cast.muted.id)
  })

  it('a number with blanks and a plus at the prefix is the same number', async () => {
    const { mobile, password, id } = world.cast.owner
    const spaced = `${mobile.slice(0, 3)} ${mobile.slice(3, 7)}-${mobile.slice(7)}`
    expect((await guest()(login, { mobile: spaced, mobile_prefix: '+86', password })).user.id).toBe(id)
  })
})

it('housekeeping deletes sessions that lapsed, and no others', async () => {
  const newSession = async (remember: boolean) => {
    const mobile = newNumber()
    await guest()(sendCode, { mobile })
    return (await guest()(verifyCodeLogin, { mobile, code: await codeFor(mobile), remember })).token
  }
  const [remembered, forgotten] = [await newSession(true), await newSession(false)]
  const bot = await transaction(world.database.db, async (tx) => (await registerBot(tx, '老机器人')).id)
  await commit(world.app.live, (tx, emit) => giveBotToken(tx, emit, bot))
  const auth = await openAuth({
    ...{ db: world.database.db, presence: emptyPresence, sms: { send: async () => undefined } },
    ...{ onRevoked: () => undefined, onRegistered: async () => undefined },
  })
  const stored = async () => {
    const { rows } = await sql<{ hash: Buffer; bot: boolean }>`
      select token_hash as hash, bot from session join "user" on "user".id = session.user_id`.execute(
      world.database.db,
    )
    const has = (token: string) => rows.some(({ hash }) => hash.equals(hashToken(token)))
    return [has(remembered), has(forgotten), rows.some((row) => row.bot)]
  }
  await auth.forgetOld()
  expect(await stored()).toEqual([true, true, true])
  now += DAY_MS
  await auth.forgetOld()
  expect(await stored()).toEqual([true, false, true])
  now += 180 * DAY_MS
  await auth.forgetOld()
  expect(await stored()).toEqual([false, false, true])
})

describe('a session', () => {
  const enter = (remember = true) => {
    const { mobile, password } = world.cast.staff
    return guest()(login, { mobile, password, remember })
  }

  it('a token that was never issued, or differs by one character, is not valid', async () => {
    const { token } = await enter()
    const changed = (token.startsWith('a') ? 'b' : 'a') + token.slice(1)
    for (const wrong of [changed, `${token}x`, 'x'.repeat(43)]) {
      expect(await refused(world.callWith(wrong)(me))).toBe('not_logged_in')
    }
  })

  it('ends when it is logged out, and no other does', async () => {
    const [first, second] = [await enter(), await enter()]
    await world.callWith(first.token)(logout)
    expect(await refused(world.callWith(first.token)(me))).toBe('not_logged_in')
    expect(await refused(world.callWith(first.token)(logout))).toBe('not_logged_in')
    expect((await world.callWith(second.token)(me)).id).toBe(world.cast.staff.id)
  })

  it('one that is not remembered expires after a day without use, a remembered one does not', async () => {
    const [brief, long] = [await enter(false), await enter(true)]
    now += 25 * HOUR_MS
    expect(await refused(world.callWith(brief.token)(me))).toBe('not_logged_in')
    expect((await world.callWith(long.token)(me)).id).toBe(world.cast.staff.id)
  })

  it('is stored only as a hash', async () => {
    const { token } = await enter()
    const { rows } = await sql<{ row: string }>`select session::text as row from session`.execute(
      world.database.db,
    )
    expect(rows.map(({ row }) => row).join()).not.toContain(token)
    expect(rows.map(({ row }) => row).join()).not.toContain(Buffer.from(token).toString('hex'))
  })

  it('returns its person, also a second time, and a new gateway address', async () => {
    const { token, authorization, gateway_url } = await enter()
    expect(authorization).toBe(token)
    const self = await world.callWith(token)(me)
    expect(self).toMatchObject({ id: world.cast.staff.id, user: { id: world.cast.staff.id } })
    now += SECOND_MS
    const state = await world.callWith(token)(userState)
    expect([state.token, state.user.id]).toEqual([token, world.cast.staff.id])
    expect(state.gateway_url).toMatch(/^ws:\/\/[^/]+\/gateway\?compress=1&token=[\w.-]+$/)
    expect(state.gateway_url).not.toBe(gateway_url)
    expect(state.gateway_url).not.toContain(token)
  })

  it('the gateway’s address is given uncompressed on request, and with the parameters of a resume', async () => {
    const { token } = await enter()
    const input = { compress: 0, resume: 1, sn: 7, session_id: 'abc' }
    const { url } = await world.callWith(token)(gatewayIndex, input)
    const query = new URL(url).searchParams
    expect([query.get('compress'), query.get('sn'), query.get('session_id')]).toEqual(['0', '7', 'abc'])
  })
})

describe('a gateway token', () => {
  let auth: Auth
  beforeAll(async () => {
    auth = await openAuth({
      db: world.database.db,
      presence: emptyPresence,
      sms: { send: async () => undefined },
      onRevoked: () => undefined,
      onRegistered: async () => undefined,
    })
  })

  const owner = { sessionId: 'session', userId: '5' as UserId, isBot: false }

  it('marks a bot, and a person’s token cannot carry the mark', () => {
    const token = auth.gatewayToken({ ...owner, isBot: true })
    expect(auth.readGatewayToken(token)).toEqual({ ...owner, isBot: true })
    expect(auth.readGatewayToken(token.replace('.bot', ''))).toBe('bad')
    const [expires, userId, sessionId, signature] = auth.gatewayToken(owner).split('.')
    expect(auth.readGatewayToken([expires, userId, sessionId, 'bot', signature].join('.'))).toBe('bad')
  })

  it('is not valid when any part of it was changed', () => {
    const token = auth.gatewayToken(owner)
    const parts = token.split('.')
    const wrong = [
      '',
      'a.b.c.d',
      parts.slice(0, 3).join('.'),
      [String(Number(parts[0]) + 1), ...parts.slice(1)].join('.'),
      [parts[0], '6', parts[2], parts[3]].join('.'),
      `${token}.x`,
      `${token}x`,
    ]
    for (const each of wrong) expect(auth.readGatewayToken(each)).toBe('bad')
  })

  it('is valid for ten minutes', () => {
    const token = auth.gatewayToken(owner)
    expect(auth.readGatewayToken(token)).toEqual(owner)
    now += GATEWAY_TOKEN_MS
    expect(auth.readGatewayToken(token)).toBe('expired')
  })

  it('is still valid after a restart', async () => {
    const token = auth.gatewayToken(owner)
    const again = await openAuth({
      db: world.database.db,
      presence: emptyPresence,
      sms: { send: async () => undefined },
      onRevoked: () => undefined,
      onRegistered: async () => undefined,
    })
    expect(again.readGatewayToken(token)).toEqual(owner)
  })
})

it('one number written in several ways is one number', () => {
  expect(readNumber({ prefix: '+44', mobile: '07400 123456' })).toEqual({
    prefix: '44',
    mobile: '7400123456',
  })
  expect(readNumber({ prefix: '0044', mobile: '7400123456' })).toEqual({ prefix: '44', mobile: '7400123456' })
  expect(readNumber({ prefix: '', mobile: '138 0000 0000' })).toEqual({ prefix: '86', mobile: '13800000000' })
})
