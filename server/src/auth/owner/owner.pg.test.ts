import { type CodeType, sendCode } from '@guildhall/wire/auth/auth.ts'
import { login, verifyCodeLogin } from '@guildhall/wire/auth/login.ts'
import { forgotPassword, renameSelf, updateSelf, verifyMobile } from '@guildhall/wire/auth/owner.ts'
import { userState } from '@guildhall/wire/auth/userState.ts'
import type { UserId } from '@guildhall/wire/id.ts'
import { MINUTE_MS } from '@guildhall/wire/unit.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { replaceClock } from '../../kit/clock.ts'
import { transaction } from '../../kit/database/db.ts'
import { commit } from '../../kit/events/events.ts'
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
import { register, registerBot, setSuspension } from '../../user/user.ts'
import { giveBotToken, openAuth } from '../auth.ts'
import { Sessions } from '../sessions.ts'
import { updateSelf as updateByRule } from './owner.ts'

let world: TestWorld
let now: number
let restore: () => void
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())
beforeEach(() => {
  now = Date.now()
  restore = replaceClock(() => now)
})
afterEach(() => restore())

/** Asks for a code of a number and reads it. */
async function codeOf(mobile: string, type: CodeType): Promise<string> {
  now += MINUTE_MS
  return world.askCode(mobile, type)
}
const otherThan = (code: string) => (code === '000000' ? '111111' : '000000')

type Person = Pick<Newcomer, 'mobile' | 'session' | 'call'>
/** Somebody who registered with a code, and calls from elsewhere. */
async function newcomer(): Promise<Person> {
  now += MINUTE_MS
  const { mobile, session } = await world.newcomer()
  return { mobile, session, call: world.as({ token: session.token }).call }
}
/** Somebody without a number, as a third party's login makes them. */
async function stranger(): Promise<Person> {
  const { db } = world.database
  const token = await transaction(db, async (tx) => {
    const { user } = await register(tx, { prefix: '', mobile: '', verified: false, makeName: () => '无号' })
    const device = { os: '', app: '', network: '' }
    return (await new Sessions(db).open(tx, user.id, true, Buffer.alloc(32), device)).token
  })
  const call = world.as({ token }, { ip: newNetwork() }).call
  return { mobile: '', session: await call(userState), call }
}
const withPassword = async (password = 'secret1') => {
  const person = await newcomer()
  await person.call(updateSelf, { password })
  return person
}
const isLive = (token: string) =>
  world
    .as({ token })
    .call(userState)
    .then(
      () => true,
      () => false,
    )

describe('verifying a number', () => {
  it('is refused to guests and bots, and without number or code', async () => {
    const mobile = { mobile: newNumber(), code: '123456', mobile_prefix: '86' }
    expect(await world.as(null).refusal(verifyMobile, { mobile })).toBe('not_logged_in')
    const bot = await transaction(world.database.db, (tx) => registerBot(tx, 'bot'))
    const token = await commit(world.app.appContext, (tx, emit) => giveBotToken(tx, emit, bot.id))
    expect(await world.as({ token: `Bot ${token}` }).refusal(verifyMobile, { mobile })).toBe('forbidden')
    const { call } = await stranger()
    expect(await refusalOf(call(verifyMobile, { mobile: { ...mobile, mobile: '' } }))).toBe(
      'auth.mobile_required',
    )
    expect(await refusalOf(call(verifyMobile, { mobile: { ...mobile, mobile: '1380' } }))).toBe(
      'auth.mobile_wrong',
    )
    expect(await refusalOf(call(verifyMobile, { mobile: { ...mobile, code: ' ' } }))).toBe(
      'auth.code_required',
    )
    expect(await refusalOf(call(verifyMobile, { mobile }))).toBe('auth.code_expired')
  })

  it('is refused with a wrong code, and after five with the right one, and the account stays as it was', async () => {
    const { call } = await stranger()
    const mobile = newNumber()
    const code = await codeOf(mobile, 'verify')
    const tryWith = (code: string) => refusalOf(call(verifyMobile, { mobile: { mobile, code } }))
    for (let tries = 0; tries < 5; tries++) expect(await tryWith(otherThan(code))).toBe('auth.code_wrong')
    expect(await tryWith(code)).toBe('auth.code_expired')
    expect((await call(userState)).user.mobile_verified).toBe(false)
  })

  it.each(['login', 'register', 'invite-h5', 'verify'] as const)(
    'is done with a code of type %s',
    async (type) => {
      const { call } = await stranger()
      const mobile = newNumber()
      await call(verifyMobile, { mobile: { mobile, code: await codeOf(mobile, type) } })
      expect((await call(userState)).user.mobile_verified).toBe(true)
    },
  )

  it('is refused with a code that was asked for something else', async () => {
    const { call } = await stranger()
    for (const type of ['forgot', 'confirm'] as const) {
      const mobile = newNumber()
      const code = await codeOf(mobile, type)
      expect(await refusalOf(call(verifyMobile, { mobile: { mobile, code } })), type).toBe(
        'auth.code_expired',
      )
    }
  })

  it('a number in use is answered like any other until the code is right', async () => {
    const owner = await newcomer()
    const { call } = await stranger()
    const code = await codeOf(owner.mobile, 'verify')
    const tryWith = (code: string) =>
      refusalOf(call(verifyMobile, { mobile: { mobile: owner.mobile, code } }))
    expect(await tryWith(otherThan(code))).toBe('auth.code_wrong')
    expect(await tryWith(code)).toBe('auth.mobile_taken')
    expect(await tryWith(code)).toBe('auth.code_expired')
    expect(await isLive(owner.session.token)).toBe(true)
  })

  it('one number that two accounts want at the same moment goes to one', async () => {
    const people = [await stranger(), await stranger()]
    const mobile = newNumber()
    const codes = [await codeOf(mobile, 'verify'), await codeOf(mobile, 'verify')]
    const answers = await Promise.all(
      people.map(({ call }, at) =>
        call(verifyMobile, { mobile: { mobile, code: codes[at] } }).then(
          () => 'done',
          (error: Refused) => error.failure,
        ),
      ),
    )
    expect(answers.sort()).toEqual(['auth.mobile_taken', 'done'])
  })

  it('gives the account the number, masked, and it logs in by it', async () => {
    const { call, session } = await stranger()
    const mobile = newNumber()
    const it = { mobile, code: await codeOf(mobile, 'verify'), mobile_prefix: '+86' }
    const answer = await call(verifyMobile, { mobile: it })
    const expected = { mobile: `*******${mobile.slice(-4)}`, mobile_prefix: '86', mobile_verified: true }
    expect(answer).toMatchObject({ ...expected, user: expected, has_password: false })
    const code = await codeOf(mobile, 'login')
    expect((await world.as(null).call(verifyCodeLogin, { mobile, code })).user.id).toBe(session.user.id)
  })
})

it('input of another shape or size is refused', async () => {
  const { call } = await newcomer()
  const fits = { mobile: newNumber(), code: '123456' }
  for (const mobile of ['13800000000', [], null, { ...fits, code: '1'.repeat(13) }, { ...fits, mobile: {} }])
    expect(await refusalOf(call(verifyMobile, { mobile }))).toBe('bad_input')
  for (const it of [{ password: 'a1'.repeat(65) }, { password: {} }, { username: 'x'.repeat(201) }])
    expect(await refusalOf(call(updateSelf, it))).toBe('bad_input')
  for (const it of [
    { ...fits, password: ['secret1'] },
    { ...fits, password: 'a1'.repeat(65) },
  ])
    expect(await world.as(null).refusal(forgotPassword, it)).toBe('bad_input')
})

describe('changing a verified number', () => {
  it('is refused without the password or a code of the old one', async () => {
    const { call } = await withPassword()
    const mobile = newNumber()
    const it = { mobile, code: await codeOf(mobile, 'verify') }
    const owner = (password: string, code = '') => ({ password, code })
    expect(await refusalOf(call(verifyMobile, { mobile: it }))).toBe('auth.password_required')
    expect(await refusalOf(call(verifyMobile, { mobile: it, owner: owner('secret2') }))).toBe(
      'auth.password_wrong',
    )
    const ofNew = await codeOf(mobile, 'confirm')
    expect(await refusalOf(call(verifyMobile, { mobile: it, owner: owner('', ofNew) }))).toBe(
      'auth.code_expired',
    )
    expect((await call(userState)).user.mobile.slice(-4)).not.toBe(mobile.slice(-4))
  })

  it('a code to verify or to reset does not confirm', async () => {
    const { call, mobile: old } = await newcomer()
    const mobile = newNumber()
    const it = { mobile, code: await codeOf(mobile, 'verify') }
    for (const type of ['verify', 'forgot'] as const) {
      const owner = { password: '', code: await codeOf(old, type) }
      expect(await refusalOf(call(verifyMobile, { mobile: it, owner }))).toBe('auth.code_expired')
    }
  })

  it('is done with the password, or with a code of the old number', async () => {
    const one = await withPassword()
    const two = await newcomer()
    const proofs = [
      { password: 'secret1', code: '' },
      { password: '', code: await codeOf(two.mobile, 'confirm') },
    ]
    for (const [at, { call }] of [one, two].entries()) {
      const mobile = newNumber()
      const it = { mobile, code: await codeOf(mobile, 'verify') }
      const { user } = await call(verifyMobile, { mobile: it, owner: proofs[at] })
      expect(user.mobile.slice(-4)).toBe(mobile.slice(-4))
    }
  })

  it('with a mistyped code of the new number leaves that of the old one valid', async () => {
    const { call, mobile: old } = await newcomer()
    const mobile = newNumber()
    const code = await codeOf(mobile, 'verify')
    const owner = { password: '', code: await codeOf(old, 'confirm') }
    const change = (code: string) => call(verifyMobile, { mobile: { mobile, code }, owner })
    expect(await refusalOf(change(otherThan(code)))).toBe('auth.code_wrong')
    expect((await change(code)).mobile.slice(-4)).toBe(mobile.slice(-4))
  })

  it('leaves its sessions, and the old number no longer logs in to it', async () => {
    const { call, mobile: old, session } = await withPassword()
    const mobile = newNumber()
    const it = { mobile, code: await codeOf(mobile, 'verify') }
    await call(verifyMobile, { mobile: it, owner: { password: 'secret1', code: '' } })
    expect(await isLive(session.token)).toBe(true)
    const guest = world.as(null, { ip: newNetwork() }).call
    expect(await refusalOf(guest(login, { mobile: old, password: 'secret1' }))).toBe('auth.password_wrong')
    expect((await guest(login, { mobile, password: 'secret1' })).user.id).toBe(session.user.id)
  })

  it('to the number that it is needs its code alone', async () => {
    const { call, mobile } = await withPassword()
    const code = await codeOf(mobile, 'verify')
    expect((await call(verifyMobile, { mobile: { mobile, code } })).mobile_verified).toBe(true)
  })
})

describe('a code to one’s own number', () => {
  const askOwn = (call: Call, input: object = {}) => call(sendCode, { mobile: '', type: 'confirm', ...input })

  it('is refused to guests, to bots, and for anything but confirming', async () => {
    const guest = world.as(null, { ip: newNetwork() }).call
    expect(await refusalOf(askOwn(guest))).toBe('auth.mobile_required')
    const bot = await transaction(world.database.db, (tx) => registerBot(tx, 'bot'))
    const token = await commit(world.app.appContext, (tx, emit) => giveBotToken(tx, emit, bot.id))
    expect(await refusalOf(askOwn(world.as({ token: `Bot ${token}` }).call))).toBe('auth.mobile_required')
    const { call } = await newcomer()
    for (const type of ['login', 'verify', 'forgot'] as const)
      expect(await refusalOf(askOwn(call, { type }))).toBe('auth.mobile_required')
    expect(await refusalOf(askOwn((await stranger()).call))).toBe('auth.mobile_required')
  })

  it('is sent there, says nothing of the number, and confirms', async () => {
    const { mobile, call } = await newcomer()
    now += MINUTE_MS
    expect(await askOwn(call)).toEqual({})
    const [sent] = await world.codesFor(mobile)
    expect(sent).toMatchObject({ type: 'confirm' })
    const to = newNumber()
    const number = { mobile: { mobile: to, code: await codeOf(to, 'verify') }, owner: { code: sent!.code } }
    expect(await call(verifyMobile, number)).toMatchObject({ mobile: `*******${to.slice(-4)}` })
  })

  it('is limited with all codes of the number', async () => {
    const { mobile, call } = await newcomer()
    now += MINUTE_MS
    await askOwn(call)
    expect(await refusalOf(askOwn(call))).toBe('auth.code_too_soon')
    now += MINUTE_MS
    for (let count = 0; count < 4; count++) {
      await askOwn(call)
      now += MINUTE_MS
    }
    expect(await refusalOf(askOwn(call))).toBe('auth.code_too_many')
    // The first one logged in, from elsewhere.
    expect(await world.codesFor(mobile)).toHaveLength(6)
  })

  it('that is wrong is told apart from that of the new number', async () => {
    const { call } = await newcomer()
    const to = newNumber()
    const mobile = { mobile: to, code: await codeOf(to, 'verify') }
    const error = await call(verifyMobile, { mobile, owner: { code: '000000' } }).catch((it: unknown) => it)
    expect(error).toMatchObject({
      failure: 'auth.code_expired',
      body: { data: { extra: { owner: true } } },
    })
  })
})

describe('setting a password', () => {
  it.each(['', 'a1b2c', '123456', 'abcdef', `a${'1'.repeat(30)}`])('%j is refused', async (password) => {
    expect(await world.as('outsider').refusal(updateSelf, { password })).toBe('auth.password_weak')
  })

  it('is refused to guests, and with an invite code that is none', async () => {
    expect(await world.as(null).refusal(updateSelf, { password: 'secret1' })).toBe('not_logged_in')
    const { call } = await newcomer()
    const it = { password: 'secret1', invite_code: 'no code' }
    expect(await refusalOf(call(updateSelf, it))).toBe('referral.invalid')
    expect((await call(userState)).has_password).toBe(false)
  })

  it('an account that has one needs it, or a code of its number', async () => {
    const { call, mobile } = await withPassword()
    const change = (owner?: object) => call(updateSelf, { password: 'another2', ...(owner && { owner }) })
    expect(await refusalOf(change())).toBe('auth.password_required')
    expect(await refusalOf(change({ password: 'secret2' }))).toBe('auth.password_wrong')
    expect(await refusalOf(change({ code: await codeOf(mobile, 'forgot') }))).toBe('auth.code_expired')
    await change({ code: await codeOf(mobile, 'confirm') })
    await world.as(null).call(login, { mobile, password: 'another2' })
  })

  it('two that are set at the same moment leave one, and the other is told', async () => {
    const { call, mobile } = await newcomer()
    const passwords = ['first11', 'second2']
    const answers = await Promise.all(
      passwords.map((password) =>
        call(updateSelf, { password }).then(
          () => 'done',
          (error: Refused) => error.failure,
        ),
      ),
    )
    expect([...answers].sort()).toEqual(['auth.password_required', 'done'])
    const password = passwords[answers.indexOf('done')]
    await world.as(null, { ip: newNetwork() }).call(login, { mobile, password })
  })

  it('ends the other sessions, not its own', async () => {
    const { call, mobile, session } = await newcomer()
    const code = await codeOf(mobile, 'login')
    const other = await world.as(null).call(verifyCodeLogin, { mobile, code })
    const answer = await call(updateSelf, { password: 'secret1' })
    expect(answer.has_password).toBe(true)
    expect(await isLive(other.token)).toBe(false)
    expect(await isLive(session.token)).toBe(true)
  })

  it('passes the invite code on, in the same transaction', async () => {
    const { session } = await newcomer()
    const credited: string[] = []
    const auth = await openAuth({
      keys: testKeys,
      db: world.database.db,
      presence: world.app.appContext.presence,
      publicUrl: '',
      sms: { send: async () => undefined },
      onRevoked: () => undefined,
      onRegistered: async () => undefined,
      creditReferral: async (_tx, userId, code) => void credited.push(`${userId} ${code}`),
    })
    const caller = { userId: session.user.id as UserId, sessionId: '00000000-0000-4000-8000-000000000000' }
    const it = { password: 'secret1', inviteCode: 'abc123', owner: { password: '', code: '' } }
    const hooks = { changeIdentity: async () => undefined, verifyRealName: async () => undefined }
    await updateByRule({ appContext: world.app.appContext, auth, ...hooks }, caller, it, newNetwork())
    expect(credited).toEqual([`${caller.userId} abc123`])
  })
})

describe('changing the name', () => {
  it.each([
    ['', 'user.name_required'],
    ['a b', 'user.name_wrong'],
    ['一'.repeat(31), 'user.name_wrong'],
  ])('to %j is refused', async (username, failure) => {
    expect(await world.as('outsider').refusal(renameSelf, { username })).toBe(failure)
    expect(await world.as('outsider').refusal(updateSelf, { username })).toBe(failure)
  })

  it('is refused the eleventh time in a day', async () => {
    const { call } = await newcomer()
    for (let times = 0; times < 10; times++) await call(renameSelf, { username: `名字${times}` })
    expect(await refusalOf(call(renameSelf, { username: '又一个' }))).toBe('too_many')
  })

  it('keeps the digits, unless somebody of that name has them', async () => {
    const { call, session } = await newcomer()
    const { identify_num } = session.user
    expect(await call(renameSelf, { username: '新名字', sign: 'old' })).toMatchObject({
      username: '新名字',
      identify_num,
    })
    await world.database.db
      .updateTable('user')
      .set({ username: '别人', identify_num })
      .where('id', '=', world.people.muted.id)
      .execute()
    const taken = await call(updateSelf, { username: '别人' })
    expect(taken.username).toBe('别人')
    expect(taken.identify_num).not.toBe(identify_num)
  })
})

describe('a forgotten password', () => {
  const guest = () => world.as(null, { ip: newNetwork() }).call

  it('is not replaced without number, code or password, or by a weak one', async () => {
    const it = { mobile: newNumber(), code: '123456', password: 'secret1' }
    expect(await refusalOf(guest()(forgotPassword, { ...it, mobile: '' }))).toBe('auth.mobile_required')
    expect(await refusalOf(guest()(forgotPassword, { ...it, mobile: '1380' }))).toBe('auth.mobile_wrong')
    expect(await refusalOf(guest()(forgotPassword, { ...it, code: '' }))).toBe('auth.code_required')
    expect(await refusalOf(guest()(forgotPassword, { ...it, password: '' }))).toBe('auth.password_required')
    expect(await refusalOf(guest()(forgotPassword, { ...it, password: 'secret' }))).toBe('auth.password_weak')
  })

  it('is not replaced by a code to log in or to verify', async () => {
    const { mobile } = await withPassword()
    for (const type of ['login', 'verify', 'confirm'] as const) {
      const code = await codeOf(mobile, type)
      expect(await refusalOf(guest()(forgotPassword, { mobile, code, password: 'another2' })), type).toBe(
        'auth.code_expired',
      )
    }
    await guest()(login, { mobile, password: 'secret1' })
  })

  it('a code for it does not log in', async () => {
    const { mobile } = await withPassword()
    const code = await codeOf(mobile, 'forgot')
    expect(await refusalOf(guest()(verifyCodeLogin, { mobile, code }))).toBe('auth.code_expired')
  })

  it('a number without an account is answered like one with, until the code is right', async () => {
    const known = (await withPassword()).mobile
    const unknown = newNumber()
    const answers: (string | undefined)[][] = []
    for (const mobile of [known, unknown]) {
      const network = guest()
      const password = 'another2'
      const before = await refusalOf(network(forgotPassword, { mobile, code: '123456', password }))
      const code = await codeOf(mobile, 'forgot')
      const wrong = await refusalOf(network(forgotPassword, { mobile, code: otherThan(code), password }))
      answers.push([before, wrong, (await world.codesFor(mobile))[0]?.type])
      if (mobile === unknown)
        expect(await refusalOf(network(forgotPassword, { mobile, code, password }))).toBe('auth.no_account')
    }
    expect(answers[0]).toEqual(['auth.code_expired', 'auth.code_wrong', 'forgot'])
    expect(answers[1]).toEqual(answers[0])
  })

  it('codes of all types of one number are limited together', async () => {
    const mobile = newNumber()
    const call = guest()
    for (const type of ['login', 'verify', 'forgot', 'confirm', 'register'] as const) {
      now += MINUTE_MS
      await call(sendCode, { mobile, type })
      expect(await refusalOf(call(sendCode, { mobile, type: 'forgot' }))).toBe('auth.code_too_soon')
    }
    now += MINUTE_MS
    expect(await refusalOf(call(sendCode, { mobile, type: 'forgot' }))).toBe('auth.code_too_many')
  })

  it('wrong codes of all purposes are counted together', async () => {
    const { mobile } = await withPassword()
    const network = guest()
    const code = await codeOf(mobile, 'forgot')
    for (let tries = 0; tries < 5; tries++)
      await refusedCall(network(verifyCodeLogin, { mobile, code: otherThan(code) }))
    expect(await refusalOf(network(forgotPassword, { mobile, code, password: 'another2' }))).toBe(
      'auth.code_expired',
    )
  })

  it('a banned person stays out, and learns why with the right code', async () => {
    const { mobile, session } = await withPassword()
    await transaction(world.database.db, (tx) =>
      setSuspension(tx, session.user.id, { until: null, reason: '' }),
    )
    const code = await codeOf(mobile, 'forgot')
    expect(await refusalOf(guest()(forgotPassword, { mobile, code, password: 'another2' }))).toBe(
      'auth.banned',
    )
  })

  it('is replaced, all sessions end, nobody is logged in, and it is in the security log', async () => {
    const { mobile, session } = await withPassword()
    const network = guest()
    for (let tries = 0; tries < 10; tries++)
      await refusalOf(network(login, { mobile, password: 'forgotten' }))
    const code = await codeOf(mobile, 'forgot')
    expect(await network(forgotPassword, { mobile, code, password: 'another2' })).toEqual({})
    expect(await isLive(session.token)).toBe(false)
    expect(await refusalOf(guest()(login, { mobile, password: 'secret1' }))).toBe('auth.password_wrong')
    // The tries are given back where the code was right.
    const { user, has_password } = await network(login, { mobile, password: 'another2' })
    expect([user.id, has_password]).toEqual([session.user.id, true])
    const events = await listSecurityEvents(world.database.db, { userId: user.id, since: 0, limit: 20 })
    expect(events.map(({ kind }) => kind)).toContain('password forgot')
  })
})
