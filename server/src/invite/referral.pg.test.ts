import { mobileLogin, type Session } from '@guildhall/wire/auth/auth.ts'
import { verifyCodeLogin } from '@guildhall/wire/auth/login.ts'
import type { GuildId, UserId } from '@guildhall/wire/id.ts'
import {
  checkInviteCode,
  myInviteCodes,
  REFERRAL_LETTERS,
  viewReferral,
} from '@guildhall/wire/invite/referral.ts'
import { DAY_MS } from '@guildhall/wire/unit.ts'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { deleteAccount } from '../account/account.ts'
import { suspend } from '../auth/auth.ts'
import { replaceClock } from '../kit/clock.ts'
import { transaction } from '../kit/database/db.ts'
import { commit } from '../kit/events/events.ts'
import { Limits, memoryRateLimiter } from '../kit/limits/rateLimit.ts'
import { newNumber, refusalOf, type Who } from '../testing/calls.ts'
import { openWorld, type TestWorld } from '../testing/world.ts'
import { register } from '../user/user.ts'
import { createInvite, creditReferral } from './invite.ts'
import { limitGuesses } from './limit.ts'
import { viewReferral as lookUp } from './referral.ts'

let world: TestWorld
let restoreClock = () => {}
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())
afterEach(() => {
  restoreClock()
  restoreClock = () => {}
})

/** Registers by a code, as the invite's form does. */
async function registerBy(
  invite_code: string | undefined,
  headers: Record<string, string> = {},
  mobile = newNumber(),
) {
  const code = await world.askCode(mobile, 'invite-h5')
  const payload = JSON.stringify({ mobile, code, invite_code })
  const reply = await world.app.inject({ method: 'POST', url: mobileLogin.path, headers, payload })
  const body = JSON.parse(reply.text) as { code: number; data: Session }
  expect(body.code).toBe(0)
  return { id: body.data.user.id, token: body.data.token, mobile }
}
/** An account that was made without any invite. */
async function newcomer(): Promise<UserId> {
  const it = { prefix: '86', mobile: newNumber(), verified: true, makeName: () => '新人' }
  return (await transaction(world.database.db, (tx) => register(tx, it))).user.id
}
const myCodeAs = async (name: 'member' | 'owner') => (await world.as(name).call(myInviteCodes)).items[0]!
const rowOf = async (userId: UserId) =>
  (
    await sql<{ inviter_id: string | null; via: string; source: number | null }>`
      select inviter_id, via, source from referral where user_id = ${userId}`.execute(world.database.db)
  ).rows[0]
const creditBy = (userId: UserId, code: string) =>
  refusalOf(transaction(world.database.db, (tx) => creditReferral(tx, userId, code)))

describe('the code of a user', () => {
  it('is nobody’s when it was never given, or its owner is suspended, deleted or a bot', async () => {
    expect(await world.as(null).refusal(viewReferral, { code: 'K7P2W9XM' })).toBe('referral.invalid')
    expect(await world.as(null).refusal(viewReferral, { code: world.invite })).toBe('referral.invalid')
    expect(await world.as(null).refusal(viewReferral, { code: '<script>' })).toBe('bad_input')
    const gone = await registerBy(undefined)
    const { items } = await world.as({ token: gone.token }).call(myInviteCodes)
    const code = items[0]!.code
    expect((await world.as(null).call(viewReferral, { code })).user_invite_code).toBe(code)
    await commit(world.app.appContext, (tx, emit) => suspend(tx, emit, gone.id, { until: null, reason: '' }))
    expect(await world.as(null).refusal(viewReferral, { code })).toBe('referral.invalid')
    await commit(world.app.appContext, (tx, emit) => deleteAccount(tx, emit, gone.id))
    expect(await world.as(null).refusal(viewReferral, { code })).toBe('referral.invalid')
  })

  it('needs a session to be read, is made once also by two calls at once, and has no letters that look alike', async () => {
    expect(await world.as(null).refusal(myInviteCodes)).toBe('not_logged_in')
    const [one, two] = await Promise.all([myCodeAs('member'), myCodeAs('member')])
    expect(one).toEqual(two)
    expect(one.code).toMatch(new RegExp(`^[${REFERRAL_LETTERS}]{8}$`))
    expect(REFERRAL_LETTERS).not.toMatch(/[01OIL]/)
    expect(one).toMatchObject({
      url: expect.stringMatching(new RegExp(`/user-invite/${one.code}$`)),
      count: 0,
    })
  })

  it('shows who invites, in whatever case it is typed', async () => {
    const { code } = await myCodeAs('member')
    const { username, identify_num, avatar } = (
      await sql<{ username: string; identify_num: string; avatar: string }>`
        select username, identify_num, avatar from "user" where id = ${world.people.member.id}`.execute(
        world.database.db,
      )
    ).rows[0]!
    expect(await world.as(null).call(viewReferral, { code: code.toLowerCase() })).toEqual({
      inviter: {
        username,
        identify_num,
        // The letters that the server draws, where nobody uploaded a picture.
        avatar: avatar || expect.stringMatching(/\/avatars\/\d\/.+\.svg$/),
      },
      user_invite_code: code,
    })
  })
})

describe('a registration', () => {
  it('by an unknown code credits nobody, and is not refused for it', async () => {
    const { id } = await registerBy('ZZZZZZZZ')
    expect(await rowOf(id)).toEqual({ inviter_id: null, via: '', source: null })
  })

  it('by the code of a user credits them once, and keeps where the new one comes from', async () => {
    const { code, count } = await myCodeAs('owner')
    const { id } = await registerBy(code.toLowerCase(), { 'x-client-source': '6' })
    expect(await rowOf(id)).toEqual({ inviter_id: world.people.owner.id, via: 'user', source: 6 })
    expect((await myCodeAs('owner')).count).toBe(count + 1)
  })

  it('by an invite into a guild credits who made it', async () => {
    const { code } = await transaction(world.database.db, (tx) =>
      createInvite(tx, {
        guildId: world.guilds[0]?.id as GuildId,
        channelId: null,
        userId: world.people.admin.id,
        expiresInMs: DAY_MS,
        uses: null,
      }),
    )
    expect(await rowOf((await registerBy(code)).id)).toMatchObject({
      inviter_id: world.people.admin.id,
      via: 'guild',
    })
    restoreClock = replaceClock(() => Date.now() + 2 * DAY_MS)
    expect(await rowOf((await registerBy(code)).id)).toMatchObject({ inviter_id: null })
  })

  it.each(['7', '-1', '66', 'x', ''])('from a source "%s" that is none keeps none', async (source) => {
    expect((await rowOf((await registerBy(undefined, { 'x-client-source': source })).id))?.source).toBeNull()
  })

  it('by the other calls of logging in is recorded too', async () => {
    const mobile = newNumber()
    const session = await world
      .as(null)
      .call(verifyCodeLogin, { mobile, code: await world.askCode(mobile, 'invite-h5') })
    expect(await rowOf(session.user.id)).toMatchObject({ inviter_id: null })
  })

  it('credits nobody when the number has an account', async () => {
    const { code, count } = await myCodeAs('owner')
    const { id, mobile } = await registerBy(undefined)
    restoreClock = replaceClock(() => Date.now() + 5 * 60_000)
    expect((await registerBy(code, {}, mobile)).id).toBe(id)
    expect(await rowOf(id)).toMatchObject({ inviter_id: null })
    expect((await myCodeAs('owner')).count).toBe(count)
  })

  it('of which only one of two at once makes the account credits one', async () => {
    const { code, count } = await myCodeAs('owner')
    const mobile = newNumber()
    const payload = JSON.stringify({
      mobile,
      code: await world.askCode(mobile, 'invite-h5'),
      invite_code: code,
    })
    await Promise.all(
      [1, 2, 3].map(() => world.app.inject({ method: 'POST', url: mobileLogin.path, payload })),
    )
    expect((await myCodeAs('owner')).count).toBe(count + 1)
  })
})

describe('a code that is named after registering', () => {
  it('is refused when it is unknown, one’s own, too late, or one too many', async () => {
    const { code } = await myCodeAs('owner')
    const id = await newcomer()
    const own = (await world.as('member').call(myInviteCodes)).items[0]!.code
    expect(await creditBy(id, 'ZZZZZZZZ')).toBe('referral.invalid')
    expect(await creditBy(world.people.member.id, own)).toBe('referral.own')
    const invited = await registerBy(own)
    expect(await creditBy(invited.id, code)).toBe('referral.recorded')
    restoreClock = replaceClock(() => Date.now() + 8 * DAY_MS)
    expect(await creditBy(id, code)).toBe('referral.late')
    expect(await rowOf(id)).toBeUndefined()
  })

  it('is credited once, also when it is named twice at once', async () => {
    const { code } = await myCodeAs('owner')
    const { id } = await registerBy(undefined)
    const outcomes = await Promise.all([creditBy(id, code), creditBy(id, code), creditBy(id, code)])
    expect(outcomes.toSorted()).toEqual(['none', 'referral.recorded', 'referral.recorded'])
    expect(await rowOf(id)).toMatchObject({ inviter_id: world.people.owner.id, via: 'user' })
  })

  it('is credited to an account of the command line as well', async () => {
    const id = await newcomer()
    expect(await creditBy(id, (await myCodeAs('owner')).code)).toBe('none')
    expect(await creditBy(id, (await myCodeAs('owner')).code)).toBe('referral.recorded')
  })

  it('does not let two newcomers credit each other', async () => {
    const [first, second] = [await registerBy(undefined), await registerBy(undefined)]
    const codeOf = async (token: string) => (await world.as({ token }).call(myInviteCodes)).items[0]!.code
    const [codeOfFirst, codeOfSecond] = [await codeOf(first.token), await codeOf(second.token)]
    expect(await creditBy(first.id, codeOfSecond)).toBe('referral.invalid')
    expect(await creditBy(second.id, codeOfFirst)).toBe('none')
  })

  it('can be checked before, by guests and by those who would use it', async () => {
    const { code } = await myCodeAs('owner')
    const check = (who: Who, invite_code: string) => world.as(who).refusal(checkInviteCode, { invite_code })
    expect(await check(null, 'ZZZZZZZZ')).toBe('referral.invalid')
    expect(await check(null, code)).toBe('none')
    expect(await check(null, world.invite)).toBe('none')
    const { token } = await registerBy(undefined)
    expect(await check({ token }, code)).toBe('none')
    expect(await check('owner', code)).toBe('referral.own')
    expect(await check(await registerBy(code), code)).toBe('referral.recorded')
  })
})

it('a deleted account is nobody’s inviter, and those it brought are not credited to another', async () => {
  const inviter = await registerBy(undefined)
  const { items } = await world.as({ token: inviter.token }).call(myInviteCodes)
  const { id } = await registerBy(items[0]!.code)
  await commit(world.app.appContext, (tx, emit) => deleteAccount(tx, emit, inviter.id))
  expect(await rowOf(id)).toMatchObject({ inviter_id: null })
  expect(await creditBy(id, (await myCodeAs('owner')).code)).toBe('referral.recorded')
})

it('codes that do not exist can be tried only so often from one network, which a new process still counts', async () => {
  const db = world.database.db
  const guessOn = (limits: Limits) => (network: string) =>
    limitGuesses({ limits, db }, network, () => lookUp(world.app.appContext, 'ZZZZZZZZ')).then(
      () => 'found',
      (error: { failure?: string }) => error.failure,
    )
  const guess = guessOn(new Limits(memoryRateLimiter()))
  const first = await Promise.all(Array.from({ length: 60 }, () => guess('203.0.113.7')))
  expect(new Set(first)).toEqual(new Set(['referral.invalid']))
  expect(await guess('203.0.113.7')).toBe('too_many')
  expect(await guessOn(new Limits(memoryRateLimiter()))('203.0.113.7')).toBe('too_many')
  expect(await guess('203.0.113.8')).toBe('referral.invalid')
})
