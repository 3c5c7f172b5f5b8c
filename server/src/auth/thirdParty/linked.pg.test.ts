import { listThirdParties, unlinkThirdParty } from '@guildhall/wire/auth/linked.ts'
import { updateSelf } from '@guildhall/wire/auth/owner.ts'
import { MINUTE_MS } from '@guildhall/wire/unit.ts'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { agree } from '../../testing/pay/providerServer.ts'
import { failureOf, thirdPartyWorld } from '../../testing/thirdPartyWorld.ts'

const world = thirdPartyWorld()
const { bound, codeFor, later, newNetwork, newNumber, newPerson, openPerson } = world

const linked = async (token: string) =>
  (await world.server.as({ token }).call(listThirdParties)).items.map(({ token_type }) => token_type)

describe('unlinking', () => {
  const owned = async () => {
    const person = await bound()
    await world.server.as(person).call(updateSelf, { password: 'secret1' })
    return person
  }
  const unlink = (token: string | null, input: object) =>
    world.server.as({ token }).refusal(unlinkThirdParty, { token_type: 'qq', ...input })

  it('is refused to guests, and to a stolen session without the password or a code of the number', async () => {
    const { token } = await owned()
    expect(await unlink(null, {})).toBe('not_logged_in')
    expect(await unlink(token, { token_type: 'github' })).toBe('bad_input')
    expect(await unlink(token, {})).toBe('auth.password_required')
    expect(await unlink(token, { owner: { password: 'wrong1' } })).toBe('auth.password_wrong')
    expect(await unlink(token, { owner: { code: '000000' } })).toBe('auth.code_expired')
    expect(await linked(token)).toEqual(['qq'])
    for (let tries = 0; tries < 8; tries++) await unlink(token, { owner: { password: 'wrong1' } })
    expect(await unlink(token, { owner: { password: 'secret1' } })).toBe('auth.too_many_tries')
  })

  it('is refused where nothing else would log in, before a code is used up', async () => {
    const { token, user } = await owned()
    const { db } = world.server.database
    await sql`update "user" set mobile = '', mobile_verified = false where id = ${user.id}`.execute(db)
    expect(await unlink(token, { owner: { password: 'secret1' } })).toBe('auth.third_part_last')
    // Another linked account is a way.
    await sql`insert into third_party values ('weixin', ${user.id}, null, ${user.id}, 1)`.execute(db)
    expect(await unlink(token, { owner: { password: 'secret1' } })).toBe('none')
    expect(await linked(token)).toEqual(['weixin'])
  })

  it('leaves the accounts of others, and the login by the number', async () => {
    const [person, other] = [await owned(), await bound()]
    expect(await unlink(person.token, { owner: { password: 'secret1' } })).toBe('none')
    expect(await linked(other.token)).toEqual(['qq'])
    expect(await linked(person.token)).toEqual([])
    const login = { mobile: person.mobile, password: 'secret1' }
    expect((await openPerson().post('login', login)).body.user?.id).toBe(person.user.id)
    // Once more changes nothing.
    expect(await unlink(person.token, { owner: { password: 'secret1' } })).toBe('none')
  })

  it('ends logins by it: they are asked to bind, and may bind to another number', async () => {
    const person = await owned()
    expect(await unlink(person.token, { owner: { password: 'secret1' } })).toBe('none')
    const browser = openPerson()
    const back = await browser.comeBack(person.who)
    expect(failureOf(back)).toBe('auth.bind_needed')
    const session = await browser.bind(back, newNumber())
    expect(session.body.user!.id).not.toBe(person.user.id)
  })

  it('does not revive bind info that was used', async () => {
    const browser = openPerson()
    const back = await browser.comeBack(newPerson())
    const { body } = await browser.bind(back, newNumber())
    await world.server.as({ token: body.token! }).call(updateSelf, { password: 'secret1' })
    expect(await unlink(body.token!, { owner: { password: 'secret1' } })).toBe('none')
    expect(failureOf(await browser.bind(back, newNumber()))).toBe('auth.bind_expired')
  })

  it('is in the security log', async () => {
    const { token, user } = await owned()
    await unlink(token, { owner: { password: 'secret1' } })
    const { rows } = await sql<{ kind: string; target: string; failure: string }>`
      select kind, target, failure from security_event where kind = 'user unlink' and user_id = ${user.id}`.execute(
      world.server.database.db,
    )
    expect(rows).toEqual([{ kind: 'user unlink', target: 'qq', failure: '' }])
  })
})

describe('linking', () => {
  const OWNER = { owner: { password: 'secret1' } }
  /** Somebody with a password and without a linked account, in a browser in which a dialogue has ended. */
  const asked = async (who = newPerson(), network = newNetwork()) => {
    const mobile = newNumber()
    const browser = openPerson()
    const from = await browser.post('verify-code-login', { mobile, code: await codeFor(mobile) })
    const token = from.body.token!
    await world.server.as({ token }).call(updateSelf, { password: 'secret1' })
    browser.network = network
    const back = await agree(await browser.start('qq'), who)
    const [auth_code, state] = [back.searchParams.get('code'), back.searchParams.get('state')]
    const link = async (more: object = OWNER, as: string | undefined = token, it = browser) =>
      failureOf(
        await it.post('../../v3/user/link-third-party', { token_type: 'qq', auth_code, state, ...more }, as),
      ) ?? 'none'
    return { browser, token, who, mobile, id: from.body.user!.id, link }
  }
  it('is refused to guests, in another browser, and without the proof, which uses nothing up', async () => {
    const it = await asked()
    const { browser, token, link } = it
    expect(await link(OWNER, '')).toBe('not_logged_in')
    expect(await link(OWNER, token, openPerson())).toBe('auth.third_part_state')
    expect(await link({ ...OWNER, state: 'qqlogin.other' })).toBe('auth.third_part_state')
    expect(await link({ ...OWNER, token_type: 'weixin' })).toBe('auth.third_part_state')
    expect(await link({})).toBe('auth.password_required')
    expect(await link({ owner: { password: 'wrong1' } })).toBe('auth.password_wrong')
    expect(await linked(token)).toEqual([])
    expect(await link()).toBe('none')
    expect(await linked(token)).toEqual(['qq'])
    expect((await openPerson().comeBack(it.who)).body.user?.id).toBe(it.id)
    // The answer counts once.
    expect(await link()).toBe('auth.third_part_state')
    expect(browser.cookies.size).toBe(1)
  })

  it('is refused for an answer that is too old', async () => {
    const { link, token } = await asked()
    later(10 * MINUTE_MS + 1)
    expect(await link()).toBe('auth.third_part_state')
    expect(await linked(token)).toEqual([])
  })

  it('takes the account of nobody else, and changes nothing where it is linked already', async () => {
    const other = await bound()
    const { link, token } = await asked(other.who)
    expect(await link()).toBe('auth.third_part_taken')
    expect(await linked(token)).toEqual([])
    expect(await linked(other.token)).toEqual(['qq'])
    expect((await openPerson().comeBack(other.who)).body.user?.id).toBe(other.user.id)
  })

  it('leaves the account that one has at the provider', async () => {
    const { id, link, token } = await asked()
    await sql`insert into third_party values ('qq', 'ABC', null, ${id}, 1)`.execute(world.server.database.db)
    expect(await link()).toBe('auth.bind_other')
    expect(await linked(token)).toEqual(['qq'])
  })

  it('says when the provider fails, and is in the security log when it succeeds', async () => {
    const failing = await asked()
    world.provider.faultMode('/oauth2.0/token', 'hang up')
    expect(await failing.link()).toBe('auth.third_part_failed')
    world.provider.faultMode('/oauth2.0/token', null)
    const { id, link } = await asked()
    expect(await link()).toBe('none')
    const { rows } = await sql<{ kind: string; target: string; failure: string }>`
      select kind, target, failure from security_event where kind = 'user link' and user_id = ${id}`.execute(
      world.server.database.db,
    )
    expect(rows).toEqual([{ kind: 'user link', target: 'qq', failure: '' }])
  })
})
