import { exportAccount } from '@guildhall/wire/account/account.ts'
import { login } from '@guildhall/wire/auth/login.ts'
import { beginSecondFactor, confirmSecondFactor } from '@guildhall/wire/auth/secondFactor.ts'
import { CLIENT_SOURCE_HEADER } from '@guildhall/wire/auth/source.ts'
import { beginPath, thirdPartLogin, wxSign } from '@guildhall/wire/auth/thirdParty.ts'
import type { Failure } from '@guildhall/wire/failure.ts'
import { HOUR_MS, MINUTE_MS } from '@guildhall/wire/unit.ts'
import { sql } from 'kysely'
import { Secret, TOTP } from 'otpauth'
import { describe, expect, it } from 'vitest'
import { clock } from '../../kit/clock.ts'
import { emptyPresence } from '../../kit/events/presence.ts'
import { openQq } from '../../outside/login/qq.ts'
import { testKeys } from '../../testing/keys.ts'
import { agree, providerApps, providerVariables } from '../../testing/pay/providerServer.ts'
import { pngOf } from '../../testing/picture.ts'
import { openTestServer } from '../../testing/server.ts'
import { failureOf, infoIn, thirdPartyWorld } from '../../testing/thirdPartyWorld.ts'
import { openAuth } from '../auth.ts'
import { nameFrom } from './thirdParty.ts'

const world = thirdPartyWorld()
const { bound, codeFor, later, newNumber, newPerson, openPerson } = world

describe('a login that did not begin in this browser', () => {
  it('is refused: the whole return of somebody else, in a browser without a login', async () => {
    const { who } = await bound()
    const back = await agree(await openPerson().start('qq'), who)
    expect(failureOf(await openPerson().login(back))).toBe('auth.third_part_state')
  })

  it('is refused: the return of an attacker, opened by somebody who has begun a login', async () => {
    const attacker = openPerson()
    const back = await agree(await attacker.start('qq'), newPerson())
    const victim = openPerson()
    await victim.start('qq')
    expect(failureOf(await victim.login(back))).toBe('auth.third_part_state')
  })

  it('is refused: a stolen code with the state of the thief, once its owner has used it', async () => {
    const { who } = await bound()
    const owner = openPerson()
    const back = await agree(await owner.start('qq'), who)
    expect((await owner.login(back)).status).toBe(200)
    const thief = openPerson()
    const own = new URL((await agree(await thief.start('qq'), newPerson())).href)
    own.searchParams.set('code', back.searchParams.get('code') ?? '')
    expect(failureOf(await thief.login(own))).toBe('auth.third_part_refused')
  })

  it.each(['qqlogin', 'qqlogin.', 'qqlogin.guess', 'wxlogin', 'other', ''])(
    'is refused: the state %j',
    async (state) => {
      const browser = openPerson()
      const back = await agree(await browser.start('qq'), newPerson())
      back.searchParams.set('state', state)
      expect(failureOf(await browser.login(back))).toBe('auth.third_part_state')
    },
  )

  it('is refused: the state of one provider for the other', async () => {
    const browser = openPerson()
    const back = await agree(await browser.start('qq'), newPerson())
    expect(failureOf(await browser.login(back, 'weixin'))).toBe('auth.third_part_state')
  })

  it('is refused: a cookie that was made up, or that somebody changed', async () => {
    const browser = openPerson()
    const back = await agree(await browser.start('qq'), newPerson())
    const sealed = browser.cookies.get('third-party') ?? ''
    for (const value of [
      '',
      'made-up',
      `${sealed.slice(0, -2)}AA`,
      infoIn(await openPerson().comeBack(newPerson())),
    ]) {
      browser.cookies.set('third-party', value)
      expect(failureOf(await browser.login(back)), value).toBe('auth.third_part_state')
    }
  })

  it('is refused after ten minutes', async () => {
    const browser = openPerson()
    const back = await agree(await browser.start('qq'), newPerson())
    later(10 * MINUTE_MS + 1)
    expect(failureOf(await browser.login(back))).toBe('auth.third_part_state')
  })

  it('is refused the second time, also when both come at once', async () => {
    const { who } = await bound()
    const browser = openPerson()
    const back = await agree(await browser.start('qq'), who)
    const both = await Promise.all([browser.login(back), browser.login(back)])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400])
    expect(failureOf(await browser.login(back))).toBe('auth.third_part_state')
  })
})

describe('what the browser keeps of a login', () => {
  it('is out of reach of scripts and other sites, and sealed', async () => {
    const reply = await fetch(`${world.server.url}${beginPath('qq')}`, { redirect: 'manual' })
    const line = reply.headers.getSetCookie().join()
    expect(line).toMatch(/^third-party=[\w-]+; Path=\/; Max-Age=1500; HttpOnly; SameSite=Lax$/)
    const state = new URL(reply.headers.get('location') ?? '').searchParams.get('state') ?? ''
    expect(state).toMatch(/^qqlogin\.\w{43}$/)
    expect(Buffer.from(line, 'base64url').toString('latin1')).not.toContain(state.slice(8))
  })

  it('belongs to this host alone where the server has https', async () => {
    const other = await openTestServer({
      PUBLIC_URL: 'https://hall.example',
      ...providerVariables(world.provider.url),
    })
    try {
      const elsewhere = await fetch(`${other.url}${beginPath('weixin')}`, { redirect: 'manual' })
      expect(elsewhere.headers.get('location')).toBe(`https://hall.example${beginPath('weixin')}?here=1`)
      const reply = await fetch(`${other.url}${beginPath('weixin')}?here=1`, { redirect: 'manual' })
      expect(reply.headers.getSetCookie().join()).toMatch(/^__Host-third-party=.*; Path=\/; .*; Secure$/)
      const location = new URL(reply.headers.get('location') ?? '')
      expect(location.searchParams.get('redirect_uri')).toBe('https://hall.example/login')
    } finally {
      await other.close()
    }
  })

  it('leads back here alone, whatever the address asks for', async () => {
    const reply = await fetch(
      `${world.server.url}${beginPath('qq')}?redirect_uri=https://evil.example/&redir=https://evil.example`,
      { redirect: 'manual', headers: { 'x-forwarded-host': 'evil.example', origin: 'https://evil.example' } },
    )
    expect(reply.headers.get('location')).not.toContain('evil')
    const unknown = await fetch(`${world.server.url}/api/v2/auth/third-part/evil.example`, {
      redirect: 'manual',
    })
    expect(unknown.headers.get('location')).toBe('/login')
  })

  it('takes no line of a header from the address', async () => {
    for (const name of ['qq%0d%0aset-cookie:%20a=b', '%0d%0alocation:%20https:%2f%2fevil.example']) {
      const reply = await fetch(`${world.server.url}/api/v2/auth/third-part/${name}`, { redirect: 'manual' })
      expect(reply.headers.get('location')).toBe('/login')
      expect(reply.headers.getSetCookie()).toEqual([])
    }
  })

  it('fixes no session: a login makes a new one, and one that was there stays its own', async () => {
    const { who, token, user } = await bound()
    const stranger = await bound()
    const browser = openPerson()
    const session = await browser.login(await agree(await browser.start('qq'), who), 'qq', stranger.token)
    expect(session.body.user?.id).toBe(user.id)
    expect([token, stranger.token]).not.toContain(session.body.token)
  })
})

describe('a user with a second factor', () => {
  const codeNow = (secret: string) =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: clock.now() })
  /**
   * Somebody whose account at QQ is bound, and who has turned the second factor on; the code of now is not
   * used.
   */
  async function guarded() {
    const person = await bound()
    later(2 * MINUTE_MS)
    const { call } = world.server.as(person)
    const owner = { code: await codeFor(person.mobile, 'confirm') }
    const { secret, setup } = await call(beginSecondFactor, { owner })
    await call(confirmSecondFactor, { setup, code: codeNow(secret) })
    later(5 * MINUTE_MS)
    return { ...person, secret }
  }
  const wrongFor = (secret: string) => (codeNow(secret) === '000000' ? '111111' : '000000')
  /** Comes back from the provider and is asked for the second factor. */
  async function asked(who: string) {
    const browser = openPerson()
    const back = await agree(await browser.start('qq'), who)
    const needed = await browser.login(back)
    expect(failureOf(needed)).toBe('auth.second_factor_needed')
    expect(needed.body.token).toBeUndefined()
    const second_factor_proof = needed.body.data?.extra?.proof ?? ''
    expect(second_factor_proof).not.toBe('')
    const enter = (second_factor: string, from = browser) =>
      from.login(back, 'qq', undefined, { second_factor, second_factor_proof })
    return { browser, back, enter, second_factor_proof }
  }

  it('is logged in by the next call of this browser, after a wrong code too, and once', async () => {
    const { who, user, secret } = await guarded()
    const { enter, back, browser } = await asked(who)
    expect(failureOf(await enter(wrongFor(secret)))).toBe('auth.second_factor_wrong')
    expect(failureOf(await enter(''))).toBe('auth.second_factor_needed')
    // Without the proof the return of the provider is used up.
    expect(failureOf(await browser.login(back, 'qq', undefined, { second_factor: codeNow(secret) }))).toBe(
      'auth.third_part_state',
    )
    expect((await enter(codeNow(secret))).body.user?.id).toBe(user.id)
    later(7 * MINUTE_MS)
    expect(failureOf(await enter(codeNow(secret)))).toBe('auth.third_part_state')
  })

  it('is not logged in from another browser, from another network, too late, or by a changed proof', async () => {
    const { who, secret } = await guarded()
    const { enter, browser, back, second_factor_proof } = await asked(who)
    const other = openPerson()
    await other.start('qq')
    expect(failureOf(await enter(codeNow(secret), other))).toBe('auth.third_part_state')
    expect(failureOf(await enter(codeNow(secret), openPerson()))).toBe('auth.third_part_state')
    browser.network = '203.0.113.7'
    expect(failureOf(await enter(codeNow(secret)))).toBe('auth.third_part_state')
    browser.network = null
    for (const proof of ['x', `${second_factor_proof.slice(0, -4)}AAAA`, browser.cookies.get('third-party')])
      expect(
        failureOf(
          await browser.login(back, 'qq', undefined, {
            second_factor: codeNow(secret),
            second_factor_proof: proof,
          }),
        ),
      ).toBe('auth.third_part_state')
    later(5 * MINUTE_MS + 5 * MINUTE_MS + 1_000)
    expect(failureOf(await enter(codeNow(secret)))).toBe('auth.third_part_state')
  })

  it('binds no other account without it, and the code that was sent stays valid', async () => {
    const { mobile, user, secret } = await guarded()
    const who = newPerson()
    const browser = openPerson()
    const needed = await browser.comeBack(who, 'weixin')
    const code = await codeFor(mobile)
    const bind = (more: object = {}) =>
      browser.post('third-part-bind-mobile', { bind_info: infoIn(needed), mobile, code, ...more })
    expect(failureOf(await bind())).toBe('auth.second_factor_needed')
    expect(failureOf(await bind({ second_factor: wrongFor(secret) }))).toBe('auth.second_factor_wrong')
    expect(failureOf(await openPerson().comeBack(who, 'weixin'))).toBe('auth.bind_needed')
    expect((await bind({ second_factor: codeNow(secret) })).body.user?.id).toBe(user.id)
  })

  it('may use the same code again after 41006', async () => {
    const { mobile, user, secret } = await guarded()
    const browser = openPerson()
    const needed = await browser.comeBack(newPerson())
    const input = { bind_info: infoIn(needed), mobile, code: await codeFor(mobile) }
    const bind = (more: object = {}) =>
      browser.post('third-part-bind-mobile', { ...input, second_factor: codeNow(secret), ...more })
    expect(failureOf(await bind())).toBe('auth.bind_other')
    expect((await bind({ replace: true })).body.user?.id).toBe(user.id)
  })
})

describe('a provider', () => {
  it('that answers nothing useful is named to nobody', async () => {
    world.provider.faultMode('/oauth2.0/token', { status: 500 })
    const answer = await openPerson().comeBack(newPerson())
    expect(failureOf(answer)).toBe('auth.third_part_failed')
    expect(JSON.stringify(answer.body)).not.toMatch(/127\.0\.0\.1|status 500|key-of-the-test/)
  })

  it('that does not accept the code leads to another try', async () => {
    const browser = openPerson()
    const back = await agree(await browser.start('qq'), newPerson())
    back.searchParams.set('code', 'made-up')
    expect(failureOf(await browser.login(back))).toBe('auth.third_part_refused')
  })

  it('that does not tell a name leaves the account with one of ours', async () => {
    world.provider.faultMode('/user/get_user_info', { status: 500 })
    const { user } = await bound()
    expect(user.username).toMatch(/^用户\d{4}$/)
  })

  it('that is not configured is absent: from the page, the calls and the beginning', async () => {
    const { QQ_APP_ID, QQ_APP_KEY, QQ_ENDPOINT } = providerVariables(world.provider.url)
    const other = await openTestServer({
      ...({ QQ_APP_ID, QQ_APP_KEY, QQ_ENDPOINT } as Record<string, string>),
    })
    try {
      const page = await fetch(`${other.url}/login`)
      if (page.status === 200) expect(page.headers.getSetCookie().join()).toContain('logins=qq;')
      const reply = await fetch(`${other.url}${beginPath('weixin')}`, { redirect: 'manual' })
      expect(reply.headers.get('location')).toBe('/login')
      const input = { token_type: 'weixin', auth_code: 'x', state: 'wxlogin.x' }
      const guest = other.as(null)
      expect(await guest.refusal(thirdPartLogin, input)).toBe('auth.third_part_off')
      expect(await guest.refusal(wxSign, { url: `${other.url}/` })).toBe('auth.third_part_off')
      for (const path of ['/dev/identity/oauth2.0/authorize', '/dev/identity/cgi-bin/token'])
        expect((await fetch(`${other.url}${path}`)).status).toBe(404)
    } finally {
      await other.close()
    }
  })
})

describe('an account without a user', () => {
  it('keeps where its user comes from, as a registration does', async () => {
    const browser = openPerson()
    const back = await browser.comeBack(newPerson())
    const { body } = await browser.bind(back, newNumber(), {}, { [CLIENT_SOURCE_HEADER]: '3' })
    const { rows } = await sql<{ source: number }>`
      select source from referral where user_id = ${body.user!.id}`.execute(world.server.database.db)
    expect(rows).toEqual([{ source: 3 }])
  })

  it('is refused with 41005 and sealed bind info, which tells nothing', async () => {
    const who = newPerson()
    const answer = await openPerson().comeBack(who)
    expect(answer).toMatchObject({ status: 400, body: { code: 41005, error: 'auth.bind_needed' } })
    expect(answer.body.data?.extra?.nickname).toBe(who)
    expect(answer.body.token).toBeUndefined()
    expect(Buffer.from(infoIn(answer), 'base64url').toString()).not.toContain(who)
  })

  it('is bound to a new number: an account with its name, which the next login enters', async () => {
    const { who, user, mobile } = await bound()
    expect(user.username).toBe(who)
    expect(user.mobile).toBe(`*******${mobile.slice(-4)}`)
    const again = await openPerson().comeBack(who)
    expect(again.body.user?.id).toBe(user.id)
  })

  it('gets a name of ours where that of its provider is not allowed here', async () => {
    const who = `卖号${newPerson()}`
    await world.server.command('word', 'add', '--word', '卖号', '--places', 'name')
    await expect.poll(() => world.server.appContext.screening?.isOn).toBe(true)
    const browser = openPerson()
    const back = await browser.comeBack(who)
    expect(back.body.data?.extra?.nickname).toBe('')
    const { body } = await browser.bind(back, newNumber())
    expect(body.user?.username).toMatch(/./)
    expect(body.user?.username).not.toContain('卖号')
    await world.server.command('word', 'remove', '--word', '卖号')
  })

  it('is bound to the user of a known number, whose name stays', async () => {
    const { mobile, password } = world.server.person('member')
    const browser = openPerson()
    const session = await browser.bind(await browser.comeBack(newPerson(), 'weixin'), mobile)
    expect(session.status).toBe(200)
    const { user } = await world.server.as(null).call(login, { mobile, password })
    expect(session.body.user).toMatchObject({ id: user.id, username: user.username })
  })

  it('has at WeChat one user in its browser and outside of it', async () => {
    const who = newPerson()
    const browser = openPerson()
    const session = await browser.bind(await browser.comeBack(who, 'weixin', 'MicroMessenger'), newNumber())
    const outside = await openPerson().comeBack(who, 'weixin', 'Mozilla/5.0 (Windows)')
    expect(outside.body.user?.id).toBe(session.body.user?.id)
  })

  it('gets the picture that it has at the provider', async () => {
    const png = await pngOf(90, 90, '#2a6')
    world.web.serve('/me.png', (reply) => void reply.setHeader('content-type', 'image/png').end(png))
    world.provider.faultMode('/user/get_user_info', {
      json: { ret: 0, nickname: '有头像', figureurl_qq_2: world.web.at('/me.png') },
    })
    const { user } = await bound()
    await world.server.settled()
    const { rows } = await sql<{ avatar: string; check_at: string | null; is_face: boolean }>`
      select avatar, check_at, is_face from "user" join asset on avatar like '%/' || asset.key
      where "user".id = ${user.id}`.execute(world.server.database.db)
    expect(rows).toMatchObject([
      { avatar: expect.stringMatching(/\/assets\/[\d-]+\/\w+\.png$/), check_at: null },
    ])
  })

  it('gets no picture of this machine', async () => {
    world.provider.faultMode('/user/get_user_info', {
      json: { ret: 0, nickname: '内网', figureurl_qq_2: `${world.server.url}/avatars/1/x.png` },
    })
    const { user } = await bound()
    await world.server.settled()
    const { rows } = await sql<{ avatar: string }>`select avatar from "user" where id = ${user.id}`.execute(
      world.server.database.db,
    )
    expect(rows[0]?.avatar).toBe('')
  })
})

describe('bind info', () => {
  it('of another browser, of nobody, or changed, is refused', async () => {
    const browser = openPerson()
    const needed = await browser.comeBack(newPerson())
    const other = openPerson()
    await other.start('qq')
    expect(failureOf(await other.bind(needed, newNumber()))).toBe('auth.bind_expired')
    expect(failureOf(await openPerson().bind(needed, newNumber()))).toBe('auth.bind_expired')
    const [mobile, info] = [newNumber(), infoIn(needed)]
    const changed = `${info.slice(0, -2)}${info.endsWith('AA') ? 'BB' : 'AA'}`
    for (const bind_info of ['x', changed, browser.cookies.get('third-party')])
      expect(
        failureOf(await browser.post('third-part-bind-mobile', { bind_info, mobile, code: '000000' })),
      ).toBe('auth.bind_expired')
  })

  it('counts once', async () => {
    const browser = openPerson()
    const needed = await browser.comeBack(newPerson())
    expect((await browser.bind(needed, newNumber())).status).toBe(200)
    expect(failureOf(await browser.bind(needed, newNumber()))).toBe('auth.bind_expired')
  })

  it('ends after fifteen minutes', async () => {
    const browser = openPerson()
    const needed = await browser.comeBack(newPerson())
    later(15 * MINUTE_MS + 1)
    expect(failureOf(await browser.bind(needed, newNumber()))).toBe('auth.bind_expired')
  })

  it('stays valid after a wrong code', async () => {
    const browser = openPerson()
    const needed = await browser.comeBack(newPerson())
    const mobile = newNumber()
    const code = await codeFor(mobile)
    const wrong = code === '000000' ? '111111' : '000000'
    const input = { bind_info: infoIn(needed), mobile }
    expect(failureOf(await browser.post('third-part-bind-mobile', { ...input, code: wrong }))).toBe(
      'auth.code_wrong',
    )
    expect((await browser.post('third-part-bind-mobile', { ...input, code })).status).toBe(200)
  })

  it('of one account binds it to one number, also when two arrive at once', async () => {
    const who = newPerson()
    const [one, two] = [openPerson(), openPerson()]
    const [first, second] = [await one.comeBack(who), await two.comeBack(who)]
    const both = await Promise.all([one.bind(first, newNumber()), two.bind(second, newNumber())])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400])
    expect(both.map(failureOf).filter(Boolean)).toEqual(['auth.bind_expired'])
  })
})

describe('a number whose user has another account of the provider', () => {
  it('is refused with 41006 and then, with the same code, replaced', async () => {
    const { who, mobile, user } = await bound()
    const browser = openPerson()
    const other = newPerson()
    const needed = await browser.comeBack(other)
    later(MINUTE_MS + 1)
    const code = await codeFor(mobile)
    const input = { bind_info: infoIn(needed), mobile, code }
    const refused = await browser.post('third-part-bind-mobile', input)
    expect(refused).toMatchObject({ status: 400, body: { code: 41006, error: 'auth.bind_other' } })
    const session = await browser.post('third-part-bind-mobile', { ...input, replace: true })
    expect(session.body.user?.id).toBe(user.id)
    expect((await openPerson().comeBack(other)).body.user?.id).toBe(user.id)
    expect(failureOf(await openPerson().comeBack(who))).toBe('auth.bind_needed')
  })

  it('is not told to somebody without a right code', async () => {
    const { mobile } = await bound()
    const browser = openPerson()
    const needed = await browser.comeBack(newPerson())
    const input = { bind_info: infoIn(needed), mobile, code: '000000', replace: true }
    expect(failureOf(await browser.post('third-part-bind-mobile', input))).toBe('auth.code_expired')
  })

  it('may have an account of the other provider', async () => {
    const { mobile, user } = await bound()
    const browser = openPerson()
    const needed = await browser.comeBack(newPerson(), 'weixin')
    later(MINUTE_MS + 1)
    expect((await browser.bind(needed, mobile)).body.user?.id).toBe(user.id)
  })
})

describe('on another node, or after a restart,', () => {
  /** Each time another one: nothing is shared but the database. */
  const node = () =>
    openAuth({
      keys: testKeys,
      db: world.server.database.db,
      presence: emptyPresence,
      publicUrl: '',
      sms: { send: async () => undefined },
      onRevoked: () => undefined,
      onRegistered: async () => undefined,
      thirdParties: [openQq({ ...providerApps.qq, endpoint: world.provider.url })],
    })
  const origin = 'http://127.0.0.1'
  let networks = 0
  /** A browser that goes to the provider by one node and comes back to another. */
  const begun = async (network = `10.7.0.${++networks}`, who = newPerson()) => {
    const { address, cookie } = (await node()).thirdParties.start('qq', { origin, userAgent: '' })
    const back = await agree(address, who)
    const [value = ''] = cookie.slice(cookie.indexOf('=') + 1).split(';')
    const from = { network, origin, agent: '', cookie: () => value }
    const it = {
      provider: 'qq' as const,
      remember: true,
      code: back.searchParams.get('code') ?? '',
      state: back.searchParams.get('state') ?? '',
    }
    return { from, login: async () => (await node()).loginByThirdParty(it, from) }
  }
  const failureIn = (work: Promise<unknown>): Promise<Failure> =>
    work.then(
      () => Promise.reject(new Error('it was not refused')),
      (error) => error,
    )

  it('a return counts once', async () => {
    const { login } = await begun()
    const outcomes = await Promise.all([failureIn(login()), failureIn(login())])
    expect(outcomes.map(({ failure }) => failure).sort()).toEqual([
      'auth.bind_needed',
      'auth.third_part_state',
    ])
    expect((await failureIn(login())).failure).toBe('auth.third_part_state')
  })

  it('logins of a network are bounded', async () => {
    const network = '10.7.9.9'
    for (let n = 0; n < 100; n += 1) {
      const { login } = await begun(network, '一人')
      expect((await failureIn(login())).failure).toBe('auth.bind_needed')
    }
    expect((await failureIn((await begun(network)).login())).failure).toBe('auth.too_many_tries')
  })

  it('bind info is refused where its browser is another, and wrong codes with it are bounded', async () => {
    const { from, login } = await begun()
    const { detail } = await failureIn(login())
    const bindInfo = String(detail.bind_info)
    const number = { prefix: '86', mobile: newNumber() }
    const bind = async (who: typeof from) => {
      const it = { ...number, bindInfo, code: '000000', remember: true, replace: false }
      return (await failureIn((await node()).bindThirdParty(it, who))).failure
    }
    expect(await bind((await begun()).from)).toBe('auth.bind_expired')
    for (let n = 0; n < 100; n += 1) {
      number.mobile = newNumber()
      expect(await bind(from)).toBe('auth.code_expired')
    }
    expect(await bind(from)).toBe('auth.too_many_tries')
  })
})

describe('accounts end', () => {
  it('suspended, the user is refused', async () => {
    const { who, user } = await bound()
    await world.server.command(`user suspend --user ${user.id}`)
    expect(failureOf(await openPerson().comeBack(who))).toBe('auth.banned')
  })

  it('taken along, its data names the provider', async () => {
    const { token } = await bound()
    const { third_parties } = await world.server.as({ token }).call(exportAccount)
    expect(third_parties).toMatchObject([{ provider: 'qq', openid: expect.stringMatching(/^[0-9A-F]{32}$/) }])
  })

  it('deleted, nothing of the account at the provider is kept', async () => {
    const { who, user } = await bound()
    await world.server.command(`user delete --user ${user.id} --yes`)
    expect(failureOf(await openPerson().comeBack(who))).toBe('auth.bind_needed')
    const { rows } = await sql`select 1 from third_party where user_id = ${user.id}`.execute(
      world.server.database.db,
    )
    expect(rows).toEqual([])
  })

  it('no token of a provider is stored', async () => {
    await bound()
    const { rows } = await sql<{ column_name: string }>`
      select column_name from information_schema.columns where table_name = 'third_party'`.execute(
      world.server.database.db,
    )
    expect(rows.map((each) => each.column_name).sort()).toEqual(
      ['created_at', 'openid', 'provider', 'unionid', 'user_id'].sort(),
    )
  })

  it('too many logins of one network are refused, before the provider is asked', async () => {
    await sql`insert into attempt (name, key, started_at, spent)
      values ('third party by place', '127.0.0.1', ${clock.now()}, 100)
      on conflict (name, key) do update set spent = 100, started_at = excluded.started_at`.execute(
      world.server.database.db,
    )
    const before = world.provider.asked.length
    const browser = openPerson()
    const back = await agree(await browser.start('qq'), newPerson())
    const asked = world.provider.asked.length
    expect(failureOf(await browser.login(back))).toBe('auth.too_many_tries')
    expect(world.provider.asked.length).toBe(asked)
    expect(asked).toBeGreaterThan(before)
    await sql`delete from attempt where name = 'third party by place'`.execute(world.server.database.db)
  })

  it('what was used is forgotten when it would be refused anyway', async () => {
    await bound()
    later(HOUR_MS)
    const count = async () =>
      (
        await sql<{ n: number }>`select count(*)::int as n from third_party_used`.execute(
          world.server.database.db,
        )
      ).rows[0]?.n
    expect(await count()).toBeGreaterThan(0)
    const auth = await openAuth({
      keys: testKeys,
      db: world.server.database.db,
      presence: emptyPresence,
      publicUrl: '',
      sms: { send: async () => undefined },
      onRevoked: () => undefined,
      onRegistered: async () => undefined,
    })
    await auth.forgetOld()
    expect(await count()).toBe(0)
  })
})

describe('a nickname becomes a name', () => {
  it.each([
    ['小林', '小林'],
    [' Mia  Chen\n', 'MiaChen'],
    ['\u202egnahZ', 'gnahZ'],
    ['', null],
    [' \u200b\t', null],
    ['很'.repeat(40), '很'.repeat(30)],
    [`${'a'.repeat(29)}👨‍👩‍👧‍👦`, 'a'.repeat(29)],
    ['<img src=x>', '<imgsrc=x>'],
  ])('%j as %j', (nickname, name) => {
    expect(nameFrom(nickname)).toBe(name)
  })
})
