import { MINUTE_MS } from '@guildhall/wire/unit.ts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { replaceClock } from '../../kit/clock.ts'
import { openSmsServer, type SmsServer, smsAccount } from '../../testing/outside/smsServer.ts'
import { signTencent } from '../tencentSign.ts'
import { openAliyunSms, signAliyun } from './aliyun.ts'
import { openTencentSms } from './tencent.ts'

let server: SmsServer
let restore: () => void = () => undefined
beforeAll(async () => {
  server = await openSmsServer()
})
afterAll(() => server.close())
afterEach(() => {
  restore()
  server.faultMode('aliyun', [])
  server.faultMode('tencent', [])
})

const message = { prefix: '86', mobile: '13800000001', code: '042917', type: 'login' }
const signal = () => AbortSignal.timeout(5000)
const aliyun = (more: Partial<typeof smsAccount.aliyun> | object = {}) =>
  openAliyunSms({ ...smsAccount.aliyun, ...more }, server.url)
const tencent = (more: object = {}) => openTencentSms({ ...smsAccount.tencent, ...more }, server.url)

describe('signatures are those of the published examples', () => {
  it('ACS3-HMAC-SHA256 of Alibaba Cloud', () => {
    const account = { accessKeyId: 'YourAccessKeyId', accessKeySecret: 'YourAccessKeySecret' }
    const { authorization } = signAliyun(account, {
      method: 'POST',
      host: 'ecs.cn-shanghai.aliyuncs.com',
      path: '/',
      body: '',
      query: {
        ImageId: 'win2019_1809_x64_dtc_zh-cn_40G_alibase_20230811.vhd',
        RegionId: 'cn-shanghai',
      },
      action: 'RunInstances',
      version: '2014-05-26',
      nonce: '3156853299f313e23d1673dc12e1703d',
      at: Date.parse('2023-10-26T10:22:32Z'),
    })
    expect(authorization).toBe(
      'ACS3-HMAC-SHA256 Credential=YourAccessKeyId,SignedHeaders=host;x-acs-action;x-acs-content-sha256;x-acs-date;x-acs-signature-nonce;x-acs-version,Signature=06563a9e1b43f5dfe96b81484da74bceab24a1d853912eee15083a6f0f3283c0',
    )
  })

  it('TC3-HMAC-SHA256 of Tencent Cloud', () => {
    const account = {
      secretId: 'AKIDz8krbsJ5yKBZQpn74WFkmLPx3EXAMPLE',
      secretKey: 'Gu5t9xGARNpq86cd98joQYCN3EXAMPLE',
    }
    const { authorization } = signTencent(account, {
      service: 'cvm',
      host: 'cvm.tencentcloudapi.com',
      contentType: 'application/json; charset=utf-8',
      body: '{"Limit": 1, "Filters": [{"Values": ["\\u672a\\u547d\\u540d"], "Name": "instance-name"}]}',
      at: 1_551_113_065_000,
    })
    expect(authorization).toBe(
      'TC3-HMAC-SHA256 Credential=AKIDz8krbsJ5yKBZQpn74WFkmLPx3EXAMPLE/2019-02-25/cvm/tc3_request, SignedHeaders=content-type;host, Signature=72e494ea809ad7a8c8f7a4507b9bddcbaa8e581f516e8da2f66e2c5a96525168',
    )
  })
})

describe('a server that verifies as the provider does', () => {
  it.each([
    ['aliyun', () => aliyun({ accessKeySecret: 'wrong' }), 'SignatureDoesNotMatch'],
    ['aliyun', () => aliyun({ accessKeyId: 'wrong' }), 'InvalidAccessKeyId.NotFound'],
    ['aliyun', () => aliyun({ signName: '别的' }), 'isv.SMS_SIGNATURE_ILLEGAL'],
    ['tencent', () => tencent({ secretKey: 'wrong' }), 'AuthFailure.SignatureFailure'],
    ['tencent', () => tencent({ secretId: 'wrong' }), 'AuthFailure.SecretIdNotFound'],
    ['tencent', () => tencent({ appId: '1' }), 'UnauthorizedOperation.SmsSdkAppIdVerifyFail'],
  ])('refuses a wrong account of %s, and the refusal names the code alone', async (_name, open, code) => {
    const refused = await open()
      .send(message, signal())
      .catch((error: unknown) => error)
    expect(refused).toMatchObject({ name: 'SmsRefused', reason: 'provider' })
    expect(String(refused)).toContain(code)
    for (const secret of [message.mobile, message.code, 'wrong'])
      expect(String(refused)).not.toContain(secret)
  })

  it.each([-16, 16])('refuses a request whose time is %d minutes off', async (minutes) => {
    const now = Date.now() + minutes * MINUTE_MS
    restore = replaceClock(() => now)
    await expect(aliyun().send(message, signal())).rejects.toThrow('InvalidTimeStamp.Expired')
    await expect(tencent().send(message, signal())).rejects.toThrow('AuthFailure.SignatureExpire')
  })

  it('accepts a message, in China and abroad, each with its template', async () => {
    const before = server.accepted.length
    const abroad = { ...message, prefix: '44', mobile: '7400123456', code: '100000' }
    for (const provider of [aliyun(), tencent()])
      for (const each of [message, abroad]) await provider.send(each, signal())
    expect(server.accepted.slice(before)).toEqual([
      { provider: 'aliyun', to: '13800000001', code: '042917', template: 'SMS_1000', signName: '公会厅' },
      { provider: 'aliyun', to: '447400123456', code: '100000', template: 'SMS_2000', signName: '公会厅' },
      { provider: 'tencent', to: '+8613800000001', code: '042917', template: '3000', signName: '公会厅' },
      { provider: 'tencent', to: '+447400123456', code: '100000', template: '4000', signName: '' },
    ])
  })

  it('every character of a signature’s name is signed as it is sent', async () => {
    const names = ["a b+c*d~e'(f)!/?&=%", '公会 厅']
    for (const signName of names)
      await expect(aliyun({ signName }).send(message, signal())).rejects.toThrow('isv.SMS_SIGNATURE_ILLEGAL')
  })
})

describe('an answer', () => {
  it.each([
    ['aliyun', 'isv.MOBILE_NUMBER_ILLEGAL', 'number'],
    ['aliyun', 'isv.BUSINESS_LIMIT_CONTROL', 'number'],
    ['aliyun', 'isv.AMOUNT_NOT_ENOUGH', 'provider'],
    ['aliyun', 'Throttling.User', 'provider'],
    ['tencent', 'FailedOperation.PhoneNumberInBlacklist', 'number'],
    ['tencent', 'LimitExceeded.PhoneNumberThirtySecondLimit', 'number'],
    ['tencent', 'InvalidParameterValue.IncorrectPhoneNumber', 'number'],
    ['tencent', 'FailedOperation.InsufficientBalanceInSmsPackage', 'provider'],
    ['tencent', 'RequestLimitExceeded', 'provider'],
  ] as const)('of %s with %s is a refusal because of the %s', async (name, code, reason) => {
    server.faultMode(name, [{ code }])
    const provider = name === 'aliyun' ? aliyun() : tencent()
    await expect(provider.send(message, signal())).rejects.toMatchObject({ name: 'SmsRefused', reason })
  })

  it.each([
    ['aliyun', { code: 'isp.SYSTEM_ERROR' }],
    ['aliyun', { status: 503 }],
    ['aliyun', { status: 200 }],
    ['aliyun', 'hang up'],
    ['tencent', { code: 'InternalError' }],
    ['tencent', { status: 500 }],
    ['tencent', 'hang up'],
  ] as const)('of %s that says nothing of the message is no refusal: %j', async (name, faultMode) => {
    server.faultMode(name, [faultMode])
    const provider = name === 'aliyun' ? aliyun() : tencent()
    const error = await provider.send(message, signal()).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(Error)
    expect((error as Error).name).not.toBe('SmsRefused')
  })
})

describe('what providers send otherwise than documented', () => {
  const open = { aliyun, tencent } as const
  const ended = (name: 'aliyun' | 'tencent', body: string, status = 200) => {
    server.faultMode(name, [{ status, body }])
    return open[name]()
      .send(message, signal())
      .then(
        () => 'sent',
        (error: Error) => (error.name === 'SmsRefused' ? 'refused' : 'unknown'),
      )
  }
  const set = (...states: unknown[]) => JSON.stringify({ Response: { SendStatusSet: states } })

  it.each([
    ...(
      ['', ' ', 'null', '[]', '"OK"', '{}', '<html>busy</html>', '{"Code":', '<?xml version="1.0"?>'] as const
    ).flatMap((body) => [['aliyun', body] as const, ['tencent', body] as const]),
    ...(['{"Code":null}', '{"Code":""}', '{"Code":{}}', '{"Code":0}', '{"code":"OK"}'] as const).map(
      (body) => ['aliyun', body] as const,
    ),
    ...[
      '{"Response":null}',
      '{"Response":{}}',
      '{"Response":{"Error":{}}}',
      set(),
      set(null),
      set({}),
      '{"Response":{"SendStatusSet":null}}',
      '{"Response":{"SendStatusSet":"Ok"}}',
      set({ Code: '' }),
    ].map((body) => ['tencent', body] as const),
  ] as const)('may have been sent: %s answers %j', async (name, body) => {
    expect(await ended(name, body)).toBe('unknown')
  })

  it.each([
    ...(['OK', 'Ok', 'ok'] as const).flatMap((code) => [
      ['aliyun', JSON.stringify({ Code: code })] as const,
      ['aliyun', `\uFEFF{"Message":"OK","Code":"${code}"}\n`] as const,
      ['tencent', set({ Code: code })] as const,
    ]),
    ['tencent', '{"Response":{"Error":null,"SendStatusSet":[{"Code":"Ok","Fee":"1"}]}}'],
  ] as const)('was sent: %s answers %j', async (name, body) => {
    expect(await ended(name, body)).toBe('sent')
  })

  it.each([
    ['aliyun', '{"Code":"Throttling.User"}', 200],
    ['aliyun', '{"Code":"Throttling.User"}', 429],
    ['aliyun', '{"Code":"isv.BUSINESS_LIMIT_CONTROL","Message":"触发天级流控Permits:10"}', 400],
    ['tencent', '{"Response":{"Error":{"Code":"RequestLimitExceeded"}}}', 200],
    ['tencent', set({ Code: 'LimitExceeded.PhoneNumberDailyLimit' }), 200],
  ] as const)('was not sent: %s answers %j with %d', async (name, body, status) => {
    expect(await ended(name, body, status)).toBe('refused')
  })

  it('asks Alibaba Cloud for JSON', async () => {
    await aliyun().send(message, signal())
    expect(server.accepts.at(-1)).toBe('application/json')
  })
})
