import { sendCode } from '@guildhall/wire/auth/auth.ts'
import { login, verifyCodeLogin } from '@guildhall/wire/auth/login.ts'
import { forgotByMail, mailLogin, sendMailCode, verifyMail } from '@guildhall/wire/auth/mail.ts'
import { nameLogin, registerName } from '@guildhall/wire/auth/name.ts'
import { forgotPassword, updateSelf, verifyMobile } from '@guildhall/wire/auth/owner.ts'
import { userState } from '@guildhall/wire/auth/userState.ts'
import { captcha, checkCaptcha } from '@guildhall/wire/captcha/captcha.ts'
import { createGuild } from '@guildhall/wire/guild/ownGuild.ts'
import type { UserId } from '@guildhall/wire/id.ts'
import { MINUTE_MS } from '@guildhall/wire/unit.ts'
import { me } from '@guildhall/wire/user/me.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { replaceClock } from '../../kit/clock.ts'
import { listSecurityEvents } from '../../kit/securityLog.ts'
import type { SentMail } from '../../outside/mail/devMail.ts'
import { newNetwork, newNumber, refusalOf, refusedCall } from '../../testing/calls.ts'
import { openSmtpServer } from '../../testing/outside/smtpServer.ts'
import { openWorld, type TestWorld } from '../../testing/world.ts'

let world: TestWorld
let now: number
let restore: () => void
beforeAll(async () => {
  world = await openWorld({ REGISTRATION: 'email' })
})
afterAll(() => world.close())
beforeEach(() => {
  now = Date.now()
  restore = replaceClock(() => now)
})
afterEach(() => restore())

let addresses = 0
const newAddress = () => `person${++addresses}@example.com`

async function mailTo(address: string): Promise<readonly SentMail[]> {
  const reply = await world.app.inject({ method: 'GET', url: `/dev/mailbox?address=${address}` })
  return JSON.parse(reply.text)
}
async function codeOf(address: string, type = 'login', ip = newNetwork()): Promise<string> {
  now += MINUTE_MS
  await world.as(null, { ip }).call(sendMailCode, { address, type })
  return (await mailTo(address.toLowerCase()))[0]!.code
}
const otherThan = (code: string) => (code === '000000' ? '111111' : '000000')
async function newcomer(address = newAddress()) {
  const code = await codeOf(address)
  const session = await world.as(null).call(mailLogin, { address, code })
  return { address, session, ...world.as({ token: session.token }, { ip: newNetwork() }) }
}

it('who is not verified is asked for their address, in both languages, where numbers are off', async () => {
  const said = async (language: string) =>
    (await refusedCall(world.as('unverified', { language }).call(createGuild, { name: '新公会' }))).message
  expect(await said('zh-CN')).toContain('请先完成邮箱验证，再创建公会')
  expect(await said('en')).toContain('verify your email address first, then create a guild')
})

describe('a way that is off', () => {
  it('refuses numbers where codes go to addresses alone, but not a password that somebody has', async () => {
    const mobile = newNumber()
    const guest = world.as(null)
    for (const [route, input] of [
      [sendCode, { mobile }],
      [verifyCodeLogin, { mobile, code: '123456' }],
      [forgotPassword, { mobile, code: '123456', password: 'secret1' }],
      [nameLogin, { name: '小满#1234', password: 'secret1' }],
      [registerName, { username: '新人', password: 'secret1', invite_code: world.invite }],
    ] as const)
      expect(await guest.refusal(route, input), route.path).toBe('auth.way_off')
    const { call } = await newcomer()
    const number = { mobile, code: '123456', mobile_prefix: '86' }
    expect(await refusalOf(call(verifyMobile, { mobile: number }))).toBe('auth.way_off')
    const { mobile: known, password } = world.people.owner
    expect(await guest.refusal(login, { mobile: known, password })).toBe('none')
  })

  it('is that of addresses by default, and there is no mailbox', async () => {
    const byPhone = await openWorld()
    const address = newAddress()
    const guest = byPhone.as(null)
    for (const [route, input] of [
      [sendMailCode, { address }],
      [mailLogin, { address, code: '123456' }],
      [mailLogin, { address, password: 'secret1' }],
      [forgotByMail, { address, code: '123456', password: 'secret1' }],
      [nameLogin, { name: '小满#1234', password: 'secret1' }],
    ] as const)
      expect(await guest.refusal(route, input), route.path).toBe('auth.way_off')
    expect((await byPhone.app.inject({ method: 'GET', url: '/dev/mailbox' })).status).toBe(404)
    await byPhone.close()
  })
})

describe('a code by mail', () => {
  it('is refused without an address, and for what is none', async () => {
    const guest = world.as(null)
    expect(await guest.refusal(sendMailCode, { address: '' })).toBe('auth.address_required')
    for (const address of ['ann', 'ann@', '@example.com', 'a b@@example.com', 'ann@example', 'ann@1.2.3.4'])
      expect(await guest.refusal(sendMailCode, { address }), address).toBe('auth.address_wrong')
    for (const address of [
      'ann@example.com\r\nBcc: eve@example.com',
      'a..b@example.com',
      `${'a'.repeat(65)}@b.cn`,
    ])
      expect(await guest.refusal(sendMailCode, { address }), address).toBe('auth.address_wrong')
    expect(await guest.refusal(sendMailCode, { address: 'a'.repeat(300) })).toBe('bad_input')
  })

  it('is refused again within a minute, and says how long', async () => {
    const address = newAddress()
    await codeOf(address)
    const { body } = await refusedCall(world.as(null).call(sendMailCode, { address }))
    expect(body.data).toMatchObject({ error: 'auth.code_too_soon', extra: { n: 60 } })
  })

  it('is one of five in an hour for a network, and of ten for an address', async () => {
    const address = newAddress()
    const ip = newNetwork()
    for (let sent = 0; sent < 5; sent++) await codeOf(address, 'login', ip)
    now += MINUTE_MS
    expect(await world.as(null, { ip }).refusal(sendMailCode, { address })).toBe('auth.code_too_many')
    for (let sent = 5; sent < 10; sent++) await codeOf(address)
    now += MINUTE_MS
    expect(await world.as(null).refusal(sendMailCode, { address })).toBe('auth.code_too_many')
  })

  it('is shown in the mailbox, and the outbox knows nothing of it', async () => {
    const address = newAddress()
    const code = await codeOf(address, 'register')
    const [mail] = await mailTo(address)
    expect(mail).toMatchObject({ address, code, type: 'register', subject: `公会厅验证码 ${code}` })
    const outbox = await world.app.inject({ method: 'GET', url: '/dev/outbox' })
    expect(outbox.text).not.toContain(address)
  })
})

describe('logging in by an address', () => {
  it('is refused with a wrong code, after five with the right one, and with a code for something else', async () => {
    const address = newAddress()
    const code = await codeOf(address)
    const guest = world.as(null, { ip: newNetwork() })
    expect(await guest.refusal(mailLogin, { address })).toBe('auth.code_required')
    for (let tries = 0; tries < 5; tries++)
      expect(await guest.refusal(mailLogin, { address, code: otherThan(code) })).toBe('auth.code_wrong')
    expect(await guest.refusal(mailLogin, { address, code })).toBe('auth.code_expired')
    const other = newAddress()
    const forgot = { address: other, code: await codeOf(other, 'forgot') }
    expect(await world.as(null).refusal(mailLogin, forgot)).toBe('auth.code_expired')
  })

  it('by a password answers the same to a wrong one and to an unknown address, and ends after ten', async () => {
    const { address, call } = await newcomer()
    await call(updateSelf, { password: 'secret1' })
    const guest = world.as(null, { ip: newNetwork() })
    const wrong = { address, password: 'secret2' }
    for (let tries = 0; tries < 10; tries++)
      expect(await guest.refusal(mailLogin, wrong)).toBe('auth.account_wrong')
    expect(await guest.refusal(mailLogin, { address, password: 'secret1' })).toBe('auth.too_many_tries')
    const unknown = { address: newAddress(), password: 'secret1' }
    expect(await world.as(null).refusal(mailLogin, unknown)).toBe('auth.account_wrong')
  })

  it('makes an account that is verified and shows its address masked, and is one however it is written', async () => {
    const { session, address } = await newcomer()
    expect(session.user).toMatchObject({
      mobile: '',
      mobile_prefix: '',
      mobile_verified: true,
      address: 'p***@example.com',
    })
    const written = ` ${address.replace('person', 'Person')} `
    const again = await world.as(null).call(mailLogin, { address: written, code: await codeOf(address) })
    expect(again.user.id).toBe(session.user.id)
    await world.app.security.flush()
    const events = await listSecurityEvents(world.database.db, {
      userId: session.user.id as UserId,
      since: 0,
      limit: 10,
    })
    expect(events.map(({ kind }) => kind)).toContain('login')
  })
})

it('a forgotten password is set by a code, and only its person learns that there is no account', async () => {
  const { address, session } = await newcomer()
  const guest = world.as(null)
  const nobody = newAddress()
  const input = { password: 'secret7' }
  expect(
    await guest.refusal(forgotByMail, { ...input, address: nobody, code: await codeOf(nobody, 'forgot') }),
  ).toBe('auth.address_unknown')
  expect(await guest.refusal(forgotByMail, { ...input, address, code: await codeOf(address) })).toBe(
    'auth.code_expired',
  )
  await guest.call(forgotByMail, { ...input, address, code: await codeOf(address, 'forgot') })
  expect(await refusalOf(world.as({ token: session.token }).call(userState))).toBe('not_logged_in')
  expect((await guest.call(mailLogin, { address, ...input })).user.id).toBe(session.user.id)
})

it('an address is read back masked, by pages and by other clients', async () => {
  const { call } = await newcomer('masked@example.com')
  expect((await call(userState)).user.address).toBe('m***@example.com')
  expect(await call(me)).toMatchObject({ address: 'm***@example.com', user: { address: 'm***@example.com' } })
})

describe('changing an address', () => {
  it('is refused without a proof of the old one, and to an address of somebody else', async () => {
    const { call } = await newcomer()
    const other = await newcomer()
    const address = newAddress()
    const code = await codeOf(address, 'verify')
    expect(await refusalOf(call(verifyMail, { address, code }))).toBe('auth.code_required')
    await call(sendCode, { mobile: '', mobile_prefix: '', type: 'confirm' })
    const own = (await mailTo('')).length
    expect(own).toBe(0)
    now += MINUTE_MS
    const taken = { address: other.address, code: await codeOf(other.address, 'verify') }
    await call(updateSelf, { password: 'secret1' })
    const owner = { password: 'secret1', code: '' }
    expect(await refusalOf(call(verifyMail, { ...taken, owner }))).toBe('auth.address_taken')
  })

  it('is done with a code to the old one, which the page asks for without knowing it', async () => {
    const { call, address: before, session } = await newcomer()
    const address = newAddress()
    const code = await codeOf(address, 'verify')
    now += MINUTE_MS
    await call(sendMailCode, { address: '', type: 'confirm' })
    const owner = { password: '', code: (await mailTo(before))[0]!.code }
    const changed = await call(verifyMail, { address, code, owner })
    expect(changed.address).toBe('p***@example.com')
    expect((await newcomer(before)).session.user.id).not.toBe(session.user.id)
  })
})

it('a captcha is solved for an address, and counts for that address alone', async () => {
  const asking = await openWorld({ REGISTRATION: 'email', CAPTCHA: 'always' })
  const guest = asking.as(null, { ip: newNetwork() })
  const solve = async (account: string) => {
    const { id } = await guest.call(captcha, { kind: 'image' })
    const solution = await asking.app.inject({ method: 'GET', url: `/dev/captcha?id=${id}` })
    const answer = JSON.parse(solution.text).solution
    return (await guest.call(checkCaptcha, { id, captcha: answer, account })).sign
  }
  const address = newAddress()
  expect(await guest.refusal(sendMailCode, { address })).toBe('captcha.needed')
  const sign = await solve(newAddress())
  expect(await guest.refusal(sendMailCode, { address, sign })).toBe('captcha.needed')
  expect(await guest.refusal(sendMailCode, { address, sign: await solve(address) })).toBe('none')
  await asking.close()
})

it('mail leaves by the server of SMTP_URL, and its refusals are said in words of their own', async () => {
  const smtp = await openSmtpServer()
  const variables = { SMTP_URL: smtp.url, MAIL_FROM: 'no-reply@guildhall.example' }
  const sending = await openWorld({ REGISTRATION: 'email', ...variables })
  const guest = sending.as(null)
  const address = newAddress()
  smtp.fault({ rcpt: '550 5.1.1 no such mailbox' })
  expect(await guest.refusal(sendMailCode, { address })).toBe('auth.address_refused')
  smtp.fault({ data: '552 5.3.4 too big' })
  expect(await guest.refusal(sendMailCode, { address })).toBe('auth.mail_failed')
  smtp.fault(null)
  await guest.call(sendMailCode, { address })
  const [mail] = smtp.accepted
  const [code = ''] = /\d{6}/.exec(mail?.subject ?? '') ?? []
  expect(mail).toMatchObject({ to: address, from: variables.MAIL_FROM })
  expect((await guest.call(mailLogin, { address, code })).user.mobile_verified).toBe(true)
  expect((await sending.app.inject({ method: 'GET', url: '/dev/mailbox' })).status).toBe(404)
  await sending.close()
  await smtp.close()
})
