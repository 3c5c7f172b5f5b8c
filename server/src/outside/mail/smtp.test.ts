import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { writeCodeMail } from '../../auth/auth.ts'
import { openSmtpServer, type SmtpServer, smtpAccount } from '../../testing/outside/smtpServer.ts'
import { openSmtp } from './smtp.ts'

let server: SmtpServer
beforeAll(async () => {
  server = await openSmtpServer()
})
afterAll(() => server.close())
afterEach(() => server.fault(null))

const message = { prefix: 'mailto:', mobile: 'ann@example.com', code: '042917', type: 'login' }
const from = '公会厅 <no-reply@guildhall.example>'
const send = (url = server.url, ms = 5_000) =>
  openSmtp({ url, from }, writeCodeMail)
    .send(message, AbortSignal.timeout(ms))
    .catch((error: unknown) => error)

it.each([
  ['550 5.1.1 no such mailbox', 'number'],
  ['550 no such mailbox here', 'number'],
  ['550 5.7.1 relaying denied', 'provider'],
  ['554 relay access denied', 'provider'],
])('a recipient that is answered with %s is refused because of the %s', async (line, reason) => {
  server.fault({ rcpt: line })
  const refused = await send()
  expect(refused).toMatchObject({ name: 'SmsRefused', reason })
  expect(String(refused)).toContain(`RCPT TO ${line}`)
})

it('what a server says of an address is kept without the address', async () => {
  server.fault({ rcpt: '550 5.1.1 <ann@example.com> is unknown to ops@mail.test' })
  expect(String(await send())).not.toMatch(/ann@|ops@/)
})

it('a wrong account and a mail that is not taken are refusals of ours, and say which', async () => {
  const wrong = server.url.replace(smtpAccount.password, 'wrong')
  expect(await send(wrong)).toMatchObject({ reason: 'provider', message: expect.stringContaining('535') })
  server.fault({ data: '552 5.3.4 too big' })
  expect(await send()).toMatchObject({ reason: 'provider', message: expect.stringContaining('552 5.3.4') })
})

it('a busy server, one that is silent and one that is not there are no refusals', async () => {
  server.fault({ rcpt: '451 4.7.1 greylisted, come back later' })
  const busy = await send()
  expect(busy).not.toHaveProperty('reason')
  expect(String(busy)).toContain('451 4.7.1')
  server.fault('silent')
  expect(await send(server.url, 300)).toMatchObject({ name: 'TimeoutError' })
  expect(String(await send('smtp://127.0.0.1:1'))).toContain('ECONNREFUSED')
  expect(server.accepted).toEqual([])
})

it('a mail has its subject in Chinese, the code twice, and a part for each kind of program', async () => {
  expect(await send()).toBeUndefined()
  const [mail] = server.accepted
  expect(mail).toMatchObject({
    from: 'no-reply@guildhall.example',
    to: 'ann@example.com',
    subject: '公会厅验证码 042917',
  })
  expect(mail?.text).toContain('你的验证码是 042917')
  expect(mail?.text).toContain('Your verification code is 042917')
  expect(mail?.html).toContain('<b>你的验证码是 042917</b>')
  expect(mail?.headers).toContain('Auto-Submitted: auto-generated')
})
