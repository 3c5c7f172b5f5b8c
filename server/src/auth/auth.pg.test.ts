import { createHook } from 'node:async_hooks'
import { logout, mobileLogin, sendCode } from '@guildhall/wire/auth/auth.ts'
import { login, sendCodeV2, verifyCodeLogin } from '@guildhall/wire/auth/login.ts'
import { userState } from '@guildhall/wire/auth/userState.ts'
import { gatewayIndex } from '@guildhall/wire/gateway/gateway.ts'
import type { UserId } from '@guildhall/wire/id.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@guildhall/wire/unit.ts'
import { me } from '@guildhall/wire/user/me.ts'
import { type KyselyPlugin, sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { replaceClock } from '../kit/clock.ts'
import { transaction } from '../kit/database/db.ts'
import { commit } from '../kit/events/events.ts'
import { emptyPresence } from '../kit/events/presence.ts'
import { type CodeMessage, type Sms, SmsRefused } from '../outside/sms/sms.ts'
import { newNetwork, newNumber, Refused, refusalOf, refusedCall } from '../testing/calls.ts'
import { testKeys } from '../testing/keys.ts'
import { openWorld, type TestWorld } from '../testing/world.ts'
import { registerBot } from '../user/user.ts'
import {
  type Auth,
  dropSecondFactor,
  GATEWAY_TOKEN_MS,
  giveBotToken,
  openAuth,
  readNumber,
  type SmsRules,
} from './auth.ts'
import { forgotPassword } from './owner/owner.ts'
import { hashToken } from './sessions.ts'

let world: TestWorld
let now: number
let restore: () => void
beforeAll(async () => {
  world = await openWorld({}, undefined, { scheduledWork: false })
  await dropSecondFactor(world.database.db, world.people.staff.id)
})
afterAll(() => world.close())
beforeEach(() => {
  now = Date.now()
  restore = replaceClock(() => now)
})
afterEach(() => restore())

const guest = (ip = newNetwork()) => world.as(null, { ip }).call

const otherThan = (code: string) => (code === '000000' ? '111111' : '000000')

/** Authentication of its own on the world's database. */
const openWith = (
  smsRules?: SmsRules,
  sms: Sms = { send: async () => undefined },
  captcha?: Parameters<typeof openAuth>[0]['captcha'],
) =>
  openAuth({
    keys: testKeys,
    db: world.database.db,
    presence: emptyPresence,
    publicUrl: '',
    sms,
    onRevoked: () => undefined,
    onRegistered: async () => undefined,
    ...(smsRules && { smsRules }),
    ...(captcha && { captcha }),
  })
/** Another code for a number, a minute later. */
const another = async (mobile: string): Promise<string> => {
  now += MINUTE_MS
  await guest()(sendCode, { mobile })
  return world.codeFor(mobile)
}
const countUsers = async () =>
  (await sql<{ n: number }>`select count(*)::int as n from "user"`.execute(world.database.db)).rows[0]?.n ?? 0

describe('asking for a code', () => {
  it.each([
    ['', 'auth.mobile_required'],
    ['1380000000', 'auth.mobile_wrong'],
    ['23800000000', 'auth.mobile_wrong'],
    ["13800'; drop --", 'auth.mobile_wrong'],
  ])('is refused for the number %j', async (mobile, name) => {
    expect(await refusalOf(guest()(sendCode, { mobile }))).toBe(name)
    expect(await refusalOf(guest()(sendCodeV2, { mobile }))).toBe(name)
  })

  it('is refused for a number that its country does not have', async () => {
    expect(await refusalOf(guest()(sendCode, { mobile: '123', mobile_prefix: '44' }))).toBe(
      'auth.mobile_wrong',
    )
    expect(await refusalOf(guest()(sendCode, { mobile: '7400123456', mobile_prefix: '999' }))).toBe(
      'auth.mobile_wrong',
    )
  })

  it('is refused again within 60 seconds, from anywhere, with the seconds left', async () => {
    const mobile = newNumber()
    await guest()(sendCode, { mobile })
    now += 18 * SECOND_MS
    const { failure, body } = await refusedCall(guest()(sendCodeV2, { mobile }))
    expect(failure).toBe('auth.code_too_soon')
    expect(body.data?.extra).toEqual({ n: 42 })
    now += 42 * SECOND_MS
    await guest()(sendCode, { mobile })
    expect(await world.codesFor(mobile)).toHaveLength(2)
  })

  it('twice at the same moment sends one code', async () => {
    const mobile = newNumber()
    const asked = await Promise.allSettled([1, 2, 3, 4].map(() => guest()(sendCode, { mobile })))
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await world.codesFor(mobile)).toHaveLength(1)
  })

  it('is refused the sixth time in an hour for one number and network, and granted in the next', async () => {
    const mobile = newNumber()
    const call = guest()
    for (let count = 0; count < 5; count++) {
      await call(sendCode, { mobile })
      now += MINUTE_MS
    }
    expect(await refusalOf(call(sendCode, { mobile }))).toBe('auth.code_too_many')
    await guest()(sendCode, { mobile })
    now += HOUR_MS - 5 * MINUTE_MS
    await call(sendCode, { mobile })
  })

  it('is refused the eleventh time in an hour and the twenty-first in a day, from wherever a number is asked for', async () => {
    const mobile = newNumber()
    const tenTimes = async () => {
      for (let count = 0; count < 10; count++) {
        await guest()(sendCode, { mobile })
        now += MINUTE_MS
      }
      expect(await refusalOf(guest()(sendCode, { mobile }))).toBe('auth.code_too_many')
      now += HOUR_MS
    }
    await tenTimes()
    await tenTimes()
    expect(await refusalOf(guest()(sendCode, { mobile }))).toBe('auth.code_too_many')
    now += 24 * HOUR_MS
    await guest()(sendCode, { mobile })
  })

  it('is not refused where the number is logged in, whatever strangers did', async () => {
    const mobile = newNumber()
    const home = newNetwork()
    await guest(home)(sendCode, { mobile })
    await guest(home)(verifyCodeLogin, { mobile, code: await world.codeFor(mobile) })
    now += MINUTE_MS
    // Nine and the one above are the ten that strangers have.
    for (let count = 0; count < 9; count++) {
      await guest()(sendCode, { mobile })
      if (count < 8) now += MINUTE_MS
    }
    expect(await refusalOf(guest()(sendCode, { mobile }))).toBe('auth.code_too_soon')
    await guest(home)(sendCode, { mobile })
    const code = await world.codeFor(mobile)
    expect((await guest(home)(verifyCodeLogin, { mobile, code })).user.mobile_verified).toBe(true)
  })

  it.each(['10012345678', '12012345678', '14900000000', '11012345678'])(
    'is refused for %s, which is no mobile phone’s',
    async (mobile) => {
      expect(await refusalOf(guest()(sendCode, { mobile }))).toBe('auth.mobile_wrong')
    },
  )

  it('is refused for a country that the operator did not allow, under the number, and nothing is sent', async () => {
    const mobile = '7400123456'
    const { failure, body } = await refusedCall(guest()(sendCode, { mobile, mobile_prefix: '44' }))
    expect(failure).toBe('auth.prefix_refused')
    expect(body.data?.errors).toHaveProperty('mobile')
    expect(await world.codesFor(mobile)).toEqual([])
  })

  it('is granted in allowed countries to mobile numbers, and neither to landlines nor to premium numbers', async () => {
    const auth = await openWith({ prefixes: ['86', '44', '1'], dailyMax: null })
    const ask = (prefix: string, mobile: string) =>
      auth.requestCode({ prefix, mobile }, 'login', newNetwork())
    await ask('44', '7400123456')
    await ask('1', '2015550123')
    for (const [prefix, mobile] of [
      ['44', '2071838750'],
      ['44', '9098790000'],
      ['44', '8081570000'],
      ['1', '9002345678'],
      ['1', '8002345678'],
    ] as const)
      await expect(ask(prefix, mobile), mobile).rejects.toThrow('auth.mobile_wrong')
    await expect(ask('33', '612345678')).rejects.toThrow('auth.prefix_refused')
  })

  it('is refused the hundred-and-first time in an hour for one foreign prefix, and not for the first prefix', async () => {
    const auth = await openWith({ prefixes: ['86', '44'], dailyMax: null })
    const ask = (prefix: string, mobile: string) =>
      auth.requestCode({ prefix, mobile }, 'login', newNetwork())
    now += 2 * HOUR_MS
    for (let count = 0; count < 100; count++) await ask('44', String(7_400_200_000 + count))
    await expect(ask('44', '7400300000')).rejects.toThrow('auth.code_too_many')
    for (let count = 0; count < 101; count++) await ask('86', newNumber())
  })

  it('is refused for all once the day’s number of messages is sent, until the next day', async () => {
    let sent = 0
    const auth = await openWith({ prefixes: ['86'], dailyMax: 3 }, { send: async () => void sent++ })
    const ask = () => auth.requestCode({ prefix: '86', mobile: newNumber() }, 'login', newNetwork())
    now += 30 * 24 * HOUR_MS
    for (let count = 0; count < 3; count++) await ask()
    await expect(ask()).rejects.toThrow('auth.sms_failed')
    expect(sent).toBe(3)
    now += 24 * HOUR_MS
    await ask()
  })

  it('is refused to strangers before the part of the day is gone that is kept for people with an account', async () => {
    now += 120 * 24 * HOUR_MS
    const auth = await openWith({ prefixes: ['86'], dailyMax: 5, reservedShare: 40 })
    const ask = (mobile: string) => auth.requestCode({ prefix: '86', mobile }, 'login', newNetwork())
    for (let count = 0; count < 3; count++) await ask(newNumber())
    await expect(ask(newNumber())).rejects.toThrow('auth.sms_failed')
    for (const who of ['member', 'owner'] as const) await ask(world.people[who].mobile)
    await expect(ask(world.people.admin.mobile)).rejects.toThrow('auth.sms_failed')
    now += 24 * HOUR_MS
    await ask(newNumber())
  })

  it('is refused by the /48 of an IPv6 network too, whose /64s one customer may have by the thousand', async () => {
    const auth = await openWith()
    const from = (network: string) =>
      auth.requestCode({ prefix: '86', mobile: newNumber() }, 'login', network)
    for (let count = 0; count < 100; count++) await from(`2001:db8:77:${count.toString(16)}::/64`)
    await expect(from('2001:db8:77:64::/64')).rejects.toThrow('auth.code_too_many')
    await from('2001:db8:78::/64')
  })

  describe('from a network of many people, as of a school or a carrier', () => {
    const passing = { isOn: true, require: async () => undefined, noteWrong: async () => undefined }
    const spend = (most: number) =>
      sql`update attempt set spent = ${most} where name = 'code by place'`.execute(world.database.db)

    it('is granted beyond thirty an hour where captchas tell people from programs, up to six hundred', async () => {
      const captcha = { ...passing, noteRight: async () => undefined }
      const auth = await openWith(undefined, undefined, captcha)
      const network = newNetwork()
      const ask = () => auth.requestCode({ prefix: '86', mobile: newNumber() }, 'login', network)
      await ask()
      await spend(599)
      await ask()
      await expect(ask()).rejects.toThrow('auth.code_too_many')
    })

    it('is granted to every number that has an account, for login by code too', async () => {
      const call = guest('10.9.9.8')
      await call(sendCode, { mobile: newNumber() })
      await spend(600)
      expect(await refusalOf(call(sendCode, { mobile: newNumber() }))).toBe('auth.code_too_many')
      const { mobile } = world.people.member
      await call(sendCode, { mobile })
      const code = await world.codeFor(mobile)
      expect((await call(verifyCodeLogin, { mobile, code })).user.id).toBe(world.people.member.id)
    })
  })

  it('is refused the thirty-first time in an hour from one network without captchas, whatever the numbers', async () => {
    let sent = 0
    const auth = await openWith(undefined, { send: async () => void sent++ })
    const ask = (network: string) => auth.requestCode({ prefix: '86', mobile: newNumber() }, 'login', network)
    for (let count = 0; count < 30; count++) await ask('10.9.9.9')
    await expect(ask('10.9.9.9')).rejects.toThrow('auth.code_too_many')
    expect(sent).toBe(30)
    await ask(newNetwork())
  })

  it('answers the same for a number that has an account and for one that has none', async () => {
    const known = await guest()(sendCode, { mobile: world.people.owner.mobile })
    expect(await guest()(sendCode, { mobile: newNumber() })).toEqual(known)
  })

  it('may be repeated at once when no provider sends, as often as one likes, and is not counted as sent', async () => {
    let sends = 0
    const send = () => Promise.reject(new SmsRefused('provider', 'aliyun', `NO_CREDIT_${++sends}`))
    const broken = await openWith({ prefixes: ['86'], dailyMax: 2 }, { send })
    const mobile = newNumber()
    now += 60 * 24 * HOUR_MS
    for (let count = 0; count < 12; count++)
      await expect(broken.requestCode({ prefix: '86', mobile }, 'login', 'x')).rejects.toThrow(
        'auth.sms_failed',
      )
    expect(sends).toBe(12)
    await guest()(sendCode, { mobile })
  })

  it('whose answer did not come leaves the code valid, for the message may have been sent, and counts it', async () => {
    const sent: string[] = []
    const send = async ({ code }: CodeMessage) => {
      sent.push(code)
      throw new Error('the provider is slow')
    }
    const slow = await openWith({ prefixes: ['86'], dailyMax: 2 }, { send })
    const mobile = newNumber()
    now += 90 * 24 * HOUR_MS
    const ask = () => slow.requestCode({ prefix: '86', mobile }, 'login', '10.200.0.1')
    for (let count = 0; count < 3; count++) await expect(ask()).rejects.toThrow('auth.sms_failed')
    expect(sent).toHaveLength(2)
    const login = guest('10.200.0.1')(verifyCodeLogin, { mobile, code: sent[1] })
    expect((await login).user.mobile_verified).toBe(true)
  })

  it('stores no code in plain text', async () => {
    const mobile = newNumber()
    await guest()(sendCode, { mobile })
    const { rows } = await sql<{ row: string }>`
      select login_code::text as row from login_code where mobile = ${mobile}`.execute(world.database.db)
    expect(rows[0]?.row).not.toContain(await world.codeFor(mobile))
  })
})

describe('logging in by a code', () => {
  it('is refused without a code, and where none was asked for', async () => {
    expect(await refusalOf(guest()(verifyCodeLogin, { mobile: newNumber(), code: '' }))).toBe(
      'auth.code_required',
    )
    expect(await refusalOf(guest()(verifyCodeLogin, { mobile: newNumber(), code: '123456' }))).toBe(
      'auth.code_expired',
    )
  })

  it('is refused with a wrong code, under the field, and makes no account', async () => {
    const mobile = newNumber()
    await guest()(sendCode, { mobile, type: 'invite-h5' })
    const before = await countUsers()
    const wrong = { type: 'invite_reg', mobile, code: otherThan(await world.codeFor(mobile)) }
    const { failure, body, status } = await refusedCall(guest()(mobileLogin, wrong))
    expect([failure, status, body.code]).toEqual(['auth.code_wrong', 200, 40000])
    expect(body.message).toEqual({ code: '验证码错误' })
    expect(await countUsers()).toBe(before)
  })

  it('five wrong tries from one network are refused there, the asker’s own network too, until another code is asked for', async () => {
    const mobile = newNumber()
    const [home, strange] = [newNetwork(), newNetwork()]
    await guest(home)(sendCode, { mobile })
    const code = await world.codeFor(mobile)
    for (const network of [strange, home]) {
      for (let tries = 0; tries < 5; tries++) {
        const wrong = guest(network)(verifyCodeLogin, { mobile, code: otherThan(code) })
        expect(await refusalOf(wrong)).toBe('auth.code_wrong')
      }
      expect(await refusalOf(guest(network)(verifyCodeLogin, { mobile, code }))).toBe('auth.code_expired')
    }
    now += MINUTE_MS
    await guest(home)(sendCode, { mobile })
    const next = await world.codeFor(mobile)
    expect((await guest(home)(verifyCodeLogin, { mobile, code: next })).user.mobile_verified).toBe(true)
  })

  it('ten wrong tries end a code for every network but the one that asked, which keeps its own five', async () => {
    const mobile = newNumber()
    const home = newNetwork()
    await guest(home)(sendCode, { mobile })
    const code = await world.codeFor(mobile)
    const names = await Promise.all(
      Array.from({ length: 12 }, () =>
        refusalOf(guest()(verifyCodeLogin, { mobile, code: otherThan(code) })),
      ),
    )
    expect(names.filter((name) => name === 'auth.code_wrong')).toHaveLength(10)
    expect(names.filter((name) => name === 'auth.code_expired')).toHaveLength(2)
    expect(await refusalOf(guest()(verifyCodeLogin, { mobile, code }))).toBe('auth.code_expired')
    for (let tries = 0; tries < 4; tries++)
      expect(await refusalOf(guest(home)(verifyCodeLogin, { mobile, code: otherThan(code) }))).toBe(
        'auth.code_wrong',
      )
    expect((await guest(home)(verifyCodeLogin, { mobile, code })).user.mobile_verified).toBe(true)
  })

  it('a code that a stranger asks for leaves the owner’s valid, and ends with the stranger’s own five tries', async () => {
    const mobile = newNumber()
    const [home, strange] = [newNetwork(), newNetwork()]
    await guest(home)(sendCode, { mobile })
    const mine = await world.codeFor(mobile)
    now += MINUTE_MS
    await guest(strange)(sendCode, { mobile })
    const theirs = await world.codeFor(mobile)
    const wrong = ['000000', '111111', '222222'].find((each) => each !== mine && each !== theirs)!
    for (let tries = 0; tries < 5; tries++)
      expect(await refusalOf(guest(strange)(verifyCodeLogin, { mobile, code: wrong }))).toBe(
        'auth.code_wrong',
      )
    expect(await refusalOf(guest(strange)(verifyCodeLogin, { mobile, code: theirs }))).toBe(
      'auth.code_expired',
    )
    expect((await guest(home)(verifyCodeLogin, { mobile, code: mine })).user.mobile_verified).toBe(true)
  })

  it('a code works from another network than the one that asked: a phone that left its network', async () => {
    const mobile = newNumber()
    await guest()(sendCode, { mobile })
    expect(
      (await guest()(verifyCodeLogin, { mobile, code: await world.codeFor(mobile) })).user.mobile_verified,
    ).toBe(true)
  })

  it('concurrent wrong tries from one network share the limit of five', async () => {
    const mobile = newNumber()
    const call = guest()
    await call(sendCode, { mobile })
    const wrong = { mobile, code: otherThan(await world.codeFor(mobile)) }
    const names = await Promise.all(Array.from({ length: 12 }, () => refusalOf(call(verifyCodeLogin, wrong))))
    expect(names.filter((name) => name === 'auth.code_wrong')).toHaveLength(5)
    expect(names.filter((name) => name === 'auth.code_expired')).toHaveLength(7)
  })

  it('the hundred-and-first wrong code from one network in a quarter of an hour is refused, whatever the numbers', async () => {
    const call = guest()
    const mobiles = Array.from({ length: 101 }, newNumber)
    for (const mobile of mobiles.slice(0, 100))
      expect(await refusalOf(call(verifyCodeLogin, { mobile, code: '123456' }))).toBe('auth.code_expired')
    expect(await refusalOf(call(verifyCodeLogin, { mobile: mobiles[100], code: '123456' }))).toBe(
      'auth.too_many_tries',
    )
    now += 15 * MINUTE_MS
    expect(await refusalOf(call(verifyCodeLogin, { mobile: mobiles[100], code: '123456' }))).toBe(
      'auth.code_expired',
    )
  })

  it('asking and trying at the same moment, from many networks, ends in answers and not in errors', async () => {
    const mobile = newNumber()
    const homes = Array.from({ length: 6 }, newNetwork)
    const answers = homes.flatMap((network) => [
      refusalOf(guest(network)(verifyCodeLogin, { mobile, code: '000000' })),
      // It may also be sent.
      refusalOf(guest(network)(sendCode, { mobile })).then((name) => (name === 'none' ? undefined : name)),
      refusalOf(guest(network)(verifyCodeLogin, { mobile, code: '111111' })),
    ])
    for (const name of await Promise.all(answers))
      expect([undefined, 'auth.code_wrong', 'auth.code_expired', 'auth.code_too_soon']).toContain(name)
  })

  it('a code expires after ten minutes', async () => {
    const mobile = newNumber()
    await guest()(sendCode, { mobile })
    const code = await world.codeFor(mobile)
    now += 10 * MINUTE_MS
    expect(await refusalOf(guest()(verifyCodeLogin, { mobile, code }))).toBe('auth.code_expired')
  })

  it('a number and a code may be written as phones write them: one account', async () => {
    const mobile = newNumber()
    const spaced = `${mobile.slice(0, 3)} ${mobile.slice(3, 7)} ${mobile.slice(7)}`
    await guest()(sendCode, { mobile: `\u202a+86 ${spaced}\u202c`, mobile_prefix: '＋８６' })
    const code = await world.codeFor(mobile)
    const wide = [...code].map((digit) => String.fromCodePoint(0xff10 + Number(digit))).join(' ')
    const { user } = await guest()(verifyCodeLogin, { mobile: `0086-${mobile}`, code: `\u200b${wide} ` })
    expect(
      (await guest()(verifyCodeLogin, { mobile: `86${mobile}`, code: await another(mobile) })).user.id,
    ).toBe(user.id)
  })

  it('a code works once, also when used ten times at the same moment', async () => {
    const mobile = newNumber()
    await guest()(sendCode, { mobile })
    const code = await world.codeFor(mobile)
    const before = await countUsers()
    const logins = await Promise.allSettled(
      Array.from({ length: 10 }, () => guest()(verifyCodeLogin, { mobile, code })),
    )
    expect(logins.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await countUsers()).toBe(before + 1)
  })

  it('a newer code replaces the older one of the same network', async () => {
    const mobile = newNumber()
    const call = guest()
    await call(sendCode, { mobile })
    const older = await world.codeFor(mobile)
    now += MINUTE_MS
    await call(sendCode, { mobile })
    const newer = await world.codeFor(mobile)
    if (older !== newer) {
      expect(await refusalOf(guest()(verifyCodeLogin, { mobile, code: older }))).toBe('auth.code_wrong')
    }
    expect((await guest()(verifyCodeLogin, { mobile, code: newer })).user.mobile_verified).toBe(true)
  })

  it('a code of one number does not open another', async () => {
    const [mine, theirs] = [newNumber(), newNumber()]
    await guest()(sendCode, { mobile: mine })
    await guest()(sendCode, { mobile: theirs })
    const [code, other] = [await world.codeFor(mine), await world.codeFor(theirs)]
    if (code !== other) {
      expect(await refusalOf(guest()(verifyCodeLogin, { mobile: theirs, code }))).toBe('auth.code_wrong')
    }
  })

  it('a banned person is refused, and learns why only with the right code', async () => {
    const mobile = newNumber()
    const enter = async () => {
      await guest()(sendCode, { mobile })
      return guest()(verifyCodeLogin, { mobile, code: await world.codeFor(mobile) })
    }
    const { user, token } = await enter()
    await sql`update "user" set status = 10 where id = ${user.id}`.execute(world.database.db)
    now += MINUTE_MS
    expect(await refusalOf(enter())).toBe('auth.banned')
    expect(await world.as({ token }).refusal(me)).toBe('not_logged_in')
  })

  it('a person who is suspended for a time is told until when and why, and is let in at that moment', async () => {
    const mobile = newNumber()
    const enter = async (language: string) => {
      now += MINUTE_MS
      await guest()(sendCode, { mobile })
      return world.as(null, { language }).call(verifyCodeLogin, { mobile, code: await world.codeFor(mobile) })
    }
    const { user } = await enter('zh-CN')
    const until = Date.UTC(2027, 0, 31, 4, 30)
    await sql`update "user" set status = 10, suspended_until = ${until}, suspended_reason = '刷屏'
      where id = ${user.id}`.execute(world.database.db)
    const said = async (language: string) =>
      enter(language).catch((error: unknown) =>
        error instanceof Refused ? error.body : Promise.reject(error),
      )
    expect(await said('zh-CN')).toMatchObject({
      message: '该账号已被封禁，2027-01-31 12:30（北京时间）解封。原因：刷屏',
      error: 'auth.banned',
      extra: { until, reason: '刷屏' },
    })
    expect(await said('en')).toMatchObject({
      message: 'this account is suspended until 2027-01-31 12:30 (Beijing time). Reason: 刷屏',
    })
    await sql`update "user" set suspended_until = null where id = ${user.id}`.execute(world.database.db)
    expect(await said('zh-CN')).toMatchObject({ message: '该账号已被永久封禁。原因：刷屏' })
    expect(await said('en')).toMatchObject({ message: 'this account is suspended for good. Reason: 刷屏' })
    // Nobody has written down that it is over.
    await sql`update "user" set suspended_until = ${now} where id = ${user.id}`.execute(world.database.db)
    const { token, user: self } = await enter('zh-CN')
    expect(self.status).toBe(0)
    expect((await world.as({ token }).call(me)).id).toBe(user.id)
  })

  it('registers from an invite, and the same number logs in to the same account', async () => {
    const mobile = newNumber()
    await guest()(sendCode, { mobile, type: 'invite-h5', mobile_prefix: '+86' })
    const first = await guest()(mobileLogin, {
      type: 'invite_reg',
      mobile,
      mobile_prefix: '86',
      code: await world.codeFor(mobile),
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
    const second = await guest()(verifyCodeLogin, { mobile, code: await world.codeFor(mobile) })
    expect(second.user.id).toBe(first.user.id)
    expect(second.token).not.toBe(first.token)
  })

  it('verifies the number of a person who had not verified it', async () => {
    const { mobile } = world.people.unverified
    expect((await world.as('unverified').call(me)).mobile_verified).toBe(false)
    await guest()(sendCode, { mobile })
    const { user } = await guest()(verifyCodeLogin, { mobile, code: await world.codeFor(mobile) })
    expect(user.mobile_verified).toBe(true)
    await sql`update "user" set mobile_verified = false where id = ${user.id}`.execute(world.database.db)
  })

  it('a failure after the code was right leaves neither account nor session, and the code as it was', async () => {
    const mobile = newNumber()
    await guest()(sendCode, { mobile })
    const code = await world.codeFor(mobile)
    const before = await countUsers()
    const failing = await openAuth({
      keys: testKeys,
      db: world.database.db,
      presence: emptyPresence,
      publicUrl: '',
      sms: { send: async () => undefined },
      onRevoked: () => undefined,
      onRegistered: () => Promise.reject(new Error('the connection was cut')),
    })
    const attempt = failing.loginByCode(
      { prefix: '86', mobile, code, remember: true },
      { network: 'x', origin: 'http://x' },
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
    await guest()(verifyCodeLogin, { mobile: without, code: await world.codeFor(without) })
    const answers = []
    for (const mobile of [world.people.admin.mobile, newNumber(), without]) {
      const { body, status } = await refusedCall(guest()(login, { mobile, password: 'wrong' }))
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
    const { mobile } = world.people.admin
    expect(await refusalOf(guest()(login, { mobile, password: '' }))).toBe('auth.password_required')
  })

  it('after ten wrong ones from one network even the right one has to wait there a quarter of an hour', async () => {
    const { mobile, password, id } = world.people.muted
    const call = guest()
    for (let tries = 0; tries < 10; tries++) {
      expect(await refusalOf(call(login, { mobile, password: 'wrong' }))).toBe('auth.password_wrong')
    }
    expect(await refusalOf(call(login, { mobile, password }))).toBe('auth.too_many_tries')
    now += 15 * MINUTE_MS
    expect((await call(login, { mobile, password })).user.id).toBe(id)
  })

  it('eleven wrong ones from one address do not shut the owner out at another', async () => {
    const { mobile, password, id } = world.people.admin
    const stranger = guest()
    for (let tries = 0; tries < 11; tries++) await refusalOf(stranger(login, { mobile, password: 'wrong' }))
    expect((await guest()(login, { mobile, password })).user.id).toBe(id)
    expect(await refusalOf(stranger(login, { mobile, password: 'wrong' }))).toBe('auth.too_many_tries')
  })

  it('a hundred wrong ones in an hour from many networks end the tries of strangers, but not where the owner is logged in', async () => {
    const { mobile, password, id } = world.people.outsider
    const home = newNetwork()
    await guest(home)(login, { mobile, password })
    for (let network = 0; network < 10; network++) {
      const stranger = guest()
      for (let tries = 0; tries < 10; tries++) await refusalOf(stranger(login, { mobile, password: 'wrong' }))
    }
    expect(await refusalOf(guest()(login, { mobile, password }))).toBe('auth.too_many_tries')
    expect((await guest(home)(login, { mobile, password })).user.id).toBe(id)
    now += HOUR_MS
    expect((await guest()(login, { mobile, password })).user.id).toBe(id)
  })

  it('right ones do not use up the tries of a number', async () => {
    const { mobile, password } = world.people.member
    for (let count = 0; count < 101; count++) await guest()(login, { mobile, password })
  })

  it('guesses from the /64s of one /48 are counted together', async () => {
    const mobile = newNumber()
    const from = (n: number) => guest(`2001:db8:79:${n.toString(16)}::1`)
    for (let tries = 0; tries < 20; tries++)
      expect(await refusalOf(from(tries)(login, { mobile, password: 'wrong' }))).toBe('auth.password_wrong')
    expect(await refusalOf(from(20)(login, { mobile, password: 'wrong' }))).toBe('auth.too_many_tries')
  })

  it('asks the database the same for a number with an account, without one, and for an account without a password', async () => {
    const without = newNumber()
    await guest()(sendCode, { mobile: without })
    await guest()(verifyCodeLogin, { mobile: without, code: await world.codeFor(without) })
    now += MINUTE_MS
    const statementsFor = async (mobile: string) => {
      const statements: string[] = []
      const counting: KyselyPlugin = {
        transformQuery: ({ node }) => {
          statements.push(node.kind)
          return node
        },
        transformResult: async ({ result }) => result,
      }
      const auth = await openAuth({
        keys: testKeys,
        db: world.database.db.withPlugin(counting),
        presence: emptyPresence,
        publicUrl: '',
        onRevoked: () => undefined,
        sms: { send: async () => undefined },
        onRegistered: async () => undefined,
      })
      const from = { network: newNetwork(), origin: 'http://x' }
      const number = { prefix: '86', mobile }
      await auth.requestCode(number, 'login', from.network)
      await expect(auth.loginByCode({ ...number, code: 'wrong', remember: true }, from)).rejects.toThrow()
      const login = auth.loginByPassword({ ...number, password: 'wrong', remember: true }, from)
      await expect(login).rejects.toThrow('auth.password_wrong')
      return statements
    }
    const known = await statementsFor(world.people.staff.mobile)
    expect(known.length).toBeGreaterThan(10)
    expect(await statementsFor(newNumber())).toEqual(known)
    expect(await statementsFor(without)).toEqual(known)
  })

  it('computes one hash for a number with an account, without one, and for an account without a password', async () => {
    const without = newNumber()
    await guest()(sendCode, { mobile: without })
    await guest()(verifyCodeLogin, { mobile: without, code: await world.codeFor(without) })
    const enter = (mobile: string) => refusalOf(guest()(login, { mobile, password: 'wrong1' }))
    // The first one makes the hash that is compared where there is none.
    await enter(newNumber())
    let hashes = 0
    const hook = createHook({
      init: (_id, type) => {
        if (type === 'ARGON2REQUEST') hashes += 1
      },
    }).enable()
    try {
      for (const mobile of [world.people.staff.mobile, newNumber(), without]) {
        hashes = 0
        expect(await enter(mobile)).toBe('auth.password_wrong')
        expect(hashes, mobile).toBe(1)
      }
    } finally {
      hook.disable()
    }
  })

  it('is limited alike for a number without an account', async () => {
    const [known, unknown] = [world.people.staff.mobile, newNumber()]
    const answersFor = async (mobile: string) => {
      const call = guest()
      const answers = []
      for (let tries = 0; tries < 11; tries++) {
        const { status, body } = await refusedCall(call(login, { mobile, password: 'wrong' }))
        answers.push([status, body])
      }
      return answers
    }
    expect(await answersFor(unknown)).toEqual(await answersFor(known))
  })

  it('a number with blanks and a plus at the prefix is the same number', async () => {
    const { mobile, password, id } = world.people.owner
    const spaced = `${mobile.slice(0, 3)} ${mobile.slice(3, 7)}-${mobile.slice(7)}`
    expect((await guest()(login, { mobile: spaced, mobile_prefix: '+86', password })).user.id).toBe(id)
  })
})

it('housekeeping deletes sessions that lapsed, and no others', async () => {
  const newSession = async (remember: boolean) => {
    const mobile = newNumber()
    await guest()(sendCode, { mobile })
    return (await guest()(verifyCodeLogin, { mobile, code: await world.codeFor(mobile), remember })).token
  }
  const [remembered, forgotten] = [await newSession(true), await newSession(false)]
  const bot = await transaction(world.database.db, async (tx) => (await registerBot(tx, '老机器人')).id)
  await commit(world.app.appContext, (tx, emit) => giveBotToken(tx, emit, bot))
  const auth = await openAuth({
    keys: testKeys,
    db: world.database.db,
    presence: emptyPresence,
    publicUrl: '',
    sms: { send: async () => undefined },
    onRevoked: () => undefined,
    onRegistered: async () => undefined,
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
    const { mobile, password } = world.people.staff
    return guest()(login, { mobile, password, remember })
  }

  it('a token that was never issued, or differs by one character, is not valid', async () => {
    const { token } = await enter()
    const changed = (token.startsWith('a') ? 'b' : 'a') + token.slice(1)
    for (const wrong of [changed, `${token}x`, 'x'.repeat(43)]) {
      expect(await world.as({ token: wrong }).refusal(me)).toBe('not_logged_in')
    }
  })

  it('ends when it is logged out, and no other does', async () => {
    const [first, second] = [await enter(), await enter()]
    await world.as({ token: first.token }).call(logout)
    expect(await world.as({ token: first.token }).refusal(me)).toBe('not_logged_in')
    expect(await world.as({ token: first.token }).refusal(logout)).toBe('not_logged_in')
    expect((await world.as({ token: second.token }).call(me)).id).toBe(world.people.staff.id)
  })

  it('is never one that the client brought: a login makes a new one, and leaves the other as it was', async () => {
    const planted = await enter()
    const { mobile, password, id } = world.people.owner
    for (const token of [planted.token, 'x'.repeat(43)]) {
      const victim = world.as({ token }, { ip: newNetwork() }).call
      const session = await victim(login, { mobile, password })
      expect(session.user.id).toBe(id)
      expect(session.token).not.toBe(token)
      const number = newNumber()
      await victim(sendCode, { mobile: number })
      const code = await world.codeFor(number)
      expect((await victim(verifyCodeLogin, { mobile: number, code })).token).not.toBe(token)
    }
    expect((await world.as({ token: planted.token }).call(me)).id).toBe(world.people.staff.id)
    expect(await world.as({ token: 'x'.repeat(43) }).refusal(me)).toBe('not_logged_in')
  })

  it('one that is not remembered expires after a day without use, a remembered one does not', async () => {
    const [brief, long] = [await enter(false), await enter(true)]
    now += 25 * HOUR_MS
    expect(await world.as({ token: brief.token }).refusal(me)).toBe('not_logged_in')
    expect((await world.as({ token: long.token }).call(me)).id).toBe(world.people.staff.id)
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
    const self = await world.as({ token }).call(me)
    expect(self).toMatchObject({ id: world.people.staff.id, user: { id: world.people.staff.id } })
    now += SECOND_MS
    const state = await world.as({ token }).call(userState)
    expect([state.token, state.user.id]).toEqual([token, world.people.staff.id])
    expect(state.gateway_url).toMatch(/^ws:\/\/[^/]+\/gateway\?compress=1&token=[\w.-]+$/)
    expect(state.gateway_url).not.toBe(gateway_url)
    expect(state.gateway_url).not.toContain(token)
  })

  it('the gateway’s address is given uncompressed on request, and with the parameters of a resume', async () => {
    const { token } = await enter()
    const input = { compress: 0, resume: 1, sn: 7, session_id: 'abc' }
    const { url } = await world.as({ token }).call(gatewayIndex, input)
    const query = new URL(url).searchParams
    expect([query.get('compress'), query.get('sn'), query.get('session_id')]).toEqual(['0', '7', 'abc'])
  })
})

describe('a gateway token', () => {
  let auth: Auth
  beforeAll(async () => {
    auth = await openAuth({
      keys: testKeys,
      db: world.database.db,
      presence: emptyPresence,
      publicUrl: '',
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
      keys: testKeys,
      db: world.database.db,
      presence: emptyPresence,
      publicUrl: '',
      sms: { send: async () => undefined },
      onRevoked: () => undefined,
      onRegistered: async () => undefined,
    })
    expect(again.readGatewayToken(token)).toEqual(owner)
  })
})

describe('limits hold on every node, and after a restart', () => {
  const sent: string[] = []
  const rules: SmsRules = { prefixes: ['86'], dailyMax: null }
  /** Each time another node, or the same one after a restart: nothing is shared but the database. */
  const node = (smsRules = rules) =>
    openWith(smsRules, { send: async ({ code }: CodeMessage) => void sent.push(code) })
  const numberOf = (mobile = newNumber()) => ({ prefix: '86', mobile })

  it('between two codes of a number', async () => {
    const number = numberOf()
    await (await node()).requestCode(number, 'login', newNetwork())
    await expect((await node()).requestCode(number, 'verify', newNetwork())).rejects.toThrow(
      'auth.code_too_soon',
    )
  })

  it('of codes of one network', async () => {
    const network = newNetwork()
    for (let count = 0; count < 30; count++) await (await node()).requestCode(numberOf(), 'login', network)
    await expect((await node()).requestCode(numberOf(), 'login', network)).rejects.toThrow(
      'auth.code_too_many',
    )
  })

  it('of messages a day', async () => {
    now += 60 * DAY_MS
    const ask = async () =>
      (await node({ ...rules, dailyMax: 3 })).requestCode(numberOf(), 'login', newNetwork())
    for (let count = 0; count < 3; count++) await ask()
    await expect(ask()).rejects.toThrow('auth.sms_failed')
  })

  it('of wrong codes: the right one comes too late', async () => {
    const [number, network] = [numberOf(), newNetwork()]
    await (await node()).requestCode(number, 'login', network)
    const code = sent.at(-1)!
    const enter = async (tried: string) =>
      (await node()).loginByCode({ ...number, code: tried, remember: true }, { network, origin: '' })
    for (let tries = 0; tries < 5; tries++)
      await expect(enter(otherThan(code))).rejects.toThrow('auth.code_wrong')
    await expect(enter(code)).rejects.toThrow('auth.code_expired')
  })

  it('of wrong passwords: the right one has to wait', async () => {
    const network = newNetwork()
    const { mobile, password } = world.people.owner
    const enter = async (tried: string) =>
      (await node()).loginByPassword(
        { ...numberOf(mobile), password: tried, remember: true },
        { network, origin: '' },
      )
    for (let tries = 0; tries < 10; tries++)
      await expect(enter('wrong1')).rejects.toThrow('auth.password_wrong')
    await expect(enter(password)).rejects.toThrow('auth.too_many_tries')
  })

  it('of wrong codes for a new password: the right one comes too late', async () => {
    const [number, network] = [numberOf(), newNetwork()]
    await (await node()).requestCode(number, 'forgot', network)
    const code = sent.at(-1)!
    const replace = async (tried: string) =>
      forgotPassword(
        world.app.appContext,
        await node(),
        { ...number, code: tried, password: 'secret1' },
        network,
      )
    for (let tries = 0; tries < 5; tries++)
      await expect(replace(otherThan(code))).rejects.toThrow('auth.code_wrong')
    await expect(replace(code)).rejects.toThrow('auth.code_expired')
  })

  it('of codes to one’s own number', async () => {
    const { mobile, password } = world.people.muted
    const { token } = await guest()(login, { mobile, password })
    const caller = (await (await node()).sessionOf(token))!
    const ask = async () =>
      (await node()).requestOwnCode(caller, { asked: numberOf(''), network: newNetwork() })
    await ask()
    await expect(ask()).rejects.toThrow('auth.code_too_soon')
  })

  it('of confirmations: a stolen session does not guess the password', async () => {
    const { mobile, password } = world.people.staff
    const { token } = await guest()(login, { mobile, password })
    const caller = (await (await node()).sessionOf(token))!
    const confirm = async (tried: string) =>
      (await node()).confirm(caller, { password: tried, code: '' }, newNetwork())
    for (let tries = 0; tries < 10; tries++)
      await expect(confirm('wrong1')).rejects.toThrow('auth.password_wrong')
    await expect(confirm(password)).rejects.toThrow('auth.too_many_tries')
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
