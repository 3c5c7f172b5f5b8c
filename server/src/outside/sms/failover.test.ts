import { Writable } from 'node:stream'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { openLog } from '../../kit/log.ts'
import { type FaultMode, openSmsServer, type SmsServer, smsAccount } from '../../testing/outside/smsServer.ts'
import { openAliyunSms } from './aliyun.ts'
import { openSmsFailover } from './failover.ts'
import { openTencentSms } from './tencent.ts'

let server: SmsServer
let outcomes: string[]
let logged: string
beforeAll(async () => {
  server = await openSmsServer()
})
afterAll(() => server.close())
beforeEach(() => {
  outcomes = []
  logged = ''
  server.faultMode('aliyun', [])
  server.faultMode('tencent', [])
})

const message = { prefix: '86', mobile: '13800000001', code: '042917', type: 'login' }
const out = new Writable({
  write(chunk, _encoding, done) {
    logged += String(chunk)
    done()
  },
})
const open = (...names: ('aliyun' | 'tencent')[]) =>
  openSmsFailover({
    providers: names.map((name) =>
      name === 'aliyun'
        ? openAliyunSms(smsAccount.aliyun, server.url)
        : openTencentSms(smsAccount.tencent, server.url),
    ),
    onOutcome: (provider, outcome) => outcomes.push(`${provider} ${outcome}`),
    log: openLog('json', out),
  })
const acceptedSince = async (act: () => Promise<unknown>) => {
  const before = server.accepted.length
  await act()
  return server.accepted.slice(before).map(({ provider }) => provider)
}

it('a number that the first provider refuses is not tried again, nor with the second', async () => {
  server.faultMode('aliyun', [{ code: 'isv.MOBILE_NUMBER_ILLEGAL' }])
  const sms = open('aliyun', 'tencent')
  expect(
    await acceptedSince(() => expect(sms.send(message)).rejects.toThrow('MOBILE_NUMBER_ILLEGAL')),
  ).toEqual([])
  expect(outcomes).toEqual(['aliyun refused'])
})

it('an account that the first provider refuses is not tried there again, and the second sends', async () => {
  server.faultMode('aliyun', [{ code: 'isv.AMOUNT_NOT_ENOUGH' }])
  expect(await acceptedSince(() => open('aliyun', 'tencent').send(message))).toEqual(['tencent'])
  expect(outcomes).toEqual(['aliyun failed', 'tencent accepted'])
})

it.each([
  [[{ status: 503 }], ['aliyun unreachable', 'aliyun accepted']],
  [['hang up'], ['aliyun unreachable', 'aliyun accepted']],
  [
    [{ status: 503 }, 'hang up'],
    ['aliyun unreachable', 'aliyun unreachable', 'tencent accepted'],
  ],
  // A slow provider is not waited for twice while another can send.
  [['silent'], ['aliyun timeout', 'tencent accepted']],
] as const)('after %j it is %j, one message', async (faultModes, expected) => {
  server.faultMode('aliyun', faultModes as readonly FaultMode[])
  expect(await acceptedSince(() => open('aliyun', 'tencent').send(message))).toHaveLength(1)
  expect(outcomes).toEqual(expected)
})

it('a slow provider that is alone is asked a second time', async () => {
  server.faultMode('tencent', ['silent'])
  expect(await acceptedSince(() => open('tencent').send(message))).toEqual(['tencent'])
  expect(outcomes).toEqual(['tencent timeout', 'tencent accepted'])
})

it('when the first accepts, nobody else is asked', async () => {
  const before = server.asked.length
  await open('aliyun', 'tencent').send(message)
  expect(server.asked.slice(before)).toEqual(['aliyun'])
})

it('when both are down it fails, and the log has the reasons, and neither number nor code nor secret', async () => {
  server.faultMode('aliyun', ['hang up'], true)
  server.faultMode('tencent', [{ status: 502 }], true)
  await expect(open('aliyun', 'tencent').send(message)).rejects.toThrow('status 502')
  expect(outcomes).toEqual([
    'aliyun unreachable',
    'aliyun unreachable',
    'tencent unreachable',
    'tencent unreachable',
  ])
  expect(logged).toContain('status 502')
  for (const secret of [
    '13800000001',
    '042917',
    smsAccount.aliyun.accessKeySecret,
    smsAccount.tencent.secretKey,
  ])
    expect(logged).not.toContain(secret)
})

it('an address where nobody listens is unreachable', async () => {
  const gone = openSmsFailover({
    providers: [openAliyunSms(smsAccount.aliyun, 'http://127.0.0.1:1')],
    onOutcome: (provider, outcome) => outcomes.push(`${provider} ${outcome}`),
    log: openLog('json', out),
  })
  await expect(gone.send(message)).rejects.toThrow()
  expect(outcomes).toEqual(['aliyun unreachable', 'aliyun unreachable'])
})

it.each([
  ['nothing that can be read', { status: 200, body: '' }],
  ['nothing', 'hang up'],
  ['nothing in time', 'silent'],
] as const)('what may have been sent is no refusal, whoever refuses after %s', async (_what, faultMode) => {
  server.faultMode('aliyun', [faultMode, { code: 'isv.BUSINESS_LIMIT_CONTROL' }])
  server.faultMode('tencent', [{ code: 'LimitExceeded.PhoneNumberThirtySecondLimit' }])
  const error = await open('aliyun', 'tencent')
    .send(message)
    .catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(Error)
  expect((error as Error).name).not.toBe('SmsRefused')
})
