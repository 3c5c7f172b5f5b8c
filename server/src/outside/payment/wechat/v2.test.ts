import { createHash, createHmac } from 'node:crypto'
import { type Certified, makeCertified } from '@guildhall/sandbox/certificate.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { WechatPayConfig } from '../../../config/pay.ts'
import { replaceClock } from '../../../kit/clock.ts'
import { BadNotification, type ContractFact, type PayProvider } from '../payProvider.ts'
import { isSignedV2, readMessageV2, signV2, type WechatV2 } from './v2.ts'
import { openWechatPay } from './wechat.ts'
import { writeWechatXml } from './xml.ts'

const AT = Date.UTC(2026, 7, 1, 4, 0, 0)
const restoreClock = replaceClock(() => AT)
afterAll(restoreClock)

const KEY = 'version-two-0123456789abcdefghij'
const [MERCHANT, APP, PLAN, NO] = ['1900000109', 'wx00000000000000a1', '12535', 'N0000000001']
const NOTIFY = 'https://hall.example/pay/notify/wechat'
const BACK = 'https://hall.example/payment/successful?order_id=1'
const soon = () => AbortSignal.timeout(5_000)
const failure = async (work: Promise<unknown>): Promise<string> => {
  try {
    return `none, but ${JSON.stringify(await work)}`
  } catch (error) {
    if (error instanceof BadNotification) return error.why
    return String(error)
  }
}

// The example of WeChat's documents ("签名算法").
const EXAMPLE = {
  appid: 'wxd930ea5d5a258f4f',
  mch_id: '10000100',
  device_info: '1000',
  body: 'test',
  nonce_str: 'ibuaiVcKdpRxkhJA',
}
const EXAMPLE_KEY = '192006250b4c09247ec02edce69f6a2d'
const EXAMPLE_MD5 = '9A0A8659F005D6984697E2CA0A9CF3B7'
const EXAMPLE_HMAC = '6A9AE1657590FD6257D693A078E1C3E4BB6BA4DC30B23E0EE2496E54170DACD6'

describe('a signature', () => {
  const signed = (change: object) => new Map(Object.entries({ ...EXAMPLE, ...change }))
  it.each([
    ['missing', {}],
    ['empty', { sign: '' }],
    ['short', { sign: EXAMPLE_MD5.slice(1) }],
    ['in small letters', { sign: EXAMPLE_MD5.toLowerCase() }],
    ['of something else', { sign: EXAMPLE_MD5, body: 'test1' }],
    ['of fewer fields', { sign: EXAMPLE_MD5, more: '1' }],
    ['with a name of the object’s own', { sign: EXAMPLE_MD5, constructor: '1' }],
    ['of 32 characters of two bytes', { sign: 'é'.repeat(32) }],
    ['by the other hash, cut', { sign: EXAMPLE_HMAC.slice(0, 32) }],
  ])('that is %s is wrong', (_what, change) => {
    expect(isSignedV2(signed(change), EXAMPLE_KEY)).toBe(false)
  })

  it('by another key is wrong', () => {
    expect(isSignedV2(signed({ sign: EXAMPLE_MD5 }), EXAMPLE_KEY.toUpperCase())).toBe(false)
  })

  it('is that of WeChat’s documents, by both hashes; what is empty counts for nothing', () => {
    expect(signV2(Object.entries(EXAMPLE), EXAMPLE_KEY, 'MD5')).toBe(EXAMPLE_MD5)
    expect(signV2(Object.entries(EXAMPLE), EXAMPLE_KEY, 'HMAC-SHA256')).toBe(EXAMPLE_HMAC)
    for (const sign of [EXAMPLE_MD5, EXAMPLE_HMAC])
      expect(isSignedV2(signed({ sign, attach: '' }), EXAMPLE_KEY)).toBe(true)
  })
})

let merchant: Certified
let asked: string[] = []
let answer: () => Response | Promise<Response>
beforeAll(async () => {
  merchant = await makeCertified('CN=Merchant')
})
beforeEach(() => {
  asked = []
  answer = () => new Response('', { status: 500 })
})
const ask: typeof fetch = async (input, init) => {
  asked.push(String(input))
  expect([init?.method, init?.redirect, new Headers(init?.headers).get('authorization')]).toEqual([
    'GET',
    'error',
    null,
  ])
  return answer()
}
const open = (change: Partial<WechatPayConfig> = {}): PayProvider => {
  const config: WechatPayConfig = {
    merchant: MERCHANT,
    appId: APP,
    openAppId: null,
    serial: merchant.serial,
    planId: PLAN,
    apiV2Key: KEY,
    privateKey: merchant.privateKey,
    apiV3Key: 'k'.repeat(32),
    publicKey: null,
    endpoint: null,
  }
  return openWechatPay({ ...config, ...change }, { notifyUrl: NOTIFY, ask })
}
const sign = (scene: 'inside' | 'phone', change: object = {}, provider = open()) =>
  provider.contracts!.sign(
    {
      contractNo: NO,
      serial: '7',
      fee: 1200,
      days: 30,
      account: '小满 & co=😀',
      clientIp: '203.0.113.7',
      scene,
      returnUrl: BACK,
      ...change,
    },
    soon(),
  )

describe('without the APIv2 key', () => {
  it('nobody signs in a browser, and no XML is read', async () => {
    const provider = open({ apiV2Key: null })
    expect(provider.contracts?.scenes).toEqual({ qr: 'before_paying' })
    for (const scene of ['inside', 'phone'] as const)
      expect(await failure(sign(scene, {}, provider))).toBe('PayRefused: wechat refuses: NO_SCENE')
    expect(await failure(provider.readNotification({ headers: {}, body: Buffer.from('<xml></xml>') }))).toBe(
      'form',
    )
    expect(open({ planId: null }).contracts).toBeNull()
    expect(asked).toEqual([])
  })
})

describe('inside of WeChat', () => {
  it('one signs on WeChat’s page, whose address the key signs by MD5', async () => {
    expect(open().contracts?.scenes).toEqual({
      qr: 'before_paying',
      inside: 'before_paying',
      phone: 'before_paying',
    })
    const data = await sign('inside')
    if (data.kind !== 'redirect') throw new Error(data.kind)
    expect(data.from).toBe(BACK)
    // Written out by hand.
    const text =
      `appid=${APP}&contract_code=${NO}&contract_display_account=小满  co&mch_id=${MERCHANT}&notify_url=${NOTIFY}` +
      `&plan_id=${PLAN}&request_serial=7&return_web=1&timestamp=${AT / 1_000}&version=1.0&key=${KEY}`
    const url = new URL(data.url)
    expect([url.origin, url.pathname, url.hash]).toEqual([
      'https://api.mch.weixin.qq.com',
      '/papay/entrustweb',
      '#wechat_redirect',
    ])
    expect(data.url).not.toContain('+')
    expect(url.searchParams.get('sign')).toBe(createHash('md5').update(text).digest('hex').toUpperCase())
    expect([...url.searchParams.keys()].sort()).toEqual([
      'appid',
      'contract_code',
      'contract_display_account',
      'mch_id',
      'notify_url',
      'plan_id',
      'request_serial',
      'return_web',
      'sign',
      'timestamp',
      'version',
    ])
    expect(asked).toEqual([])
  })
})

const xml = (fields: Record<string, string>) => () => new Response(writeWechatXml(fields))
const WENT = { return_code: 'SUCCESS', return_msg: '', result_code: 'SUCCESS', result_msg: '' }

describe('in a phone’s browser', () => {
  it.each([
    [
      'not at all',
      () => Promise.reject(new TypeError('fetch failed')),
      'PayFailed: wechat cannot be reached',
    ],
    ['with an error', () => new Response('', { status: 502 }), 'PayFailed: wechat answers status 502'],
    [
      'with a page',
      () => new Response('<html></html>'),
      'PayFailed: wechat answers with something else than XML',
    ],
    [
      'that the signature is wrong',
      xml({ return_code: 'FAIL', return_msg: '签名错误' }),
      'PayRefused: wechat refuses: FAIL',
    ],
    [
      'that the merchant may not',
      xml({ ...WENT, result_code: 'FAIL', result_msg: 'INVALID_REQUEST' }),
      'PayRefused: wechat refuses: INVALID_REQUEST',
    ],
    [
      'that it is busy',
      xml({ ...WENT, result_code: 'FAIL', result_msg: 'SYSTEMERROR' }),
      'PayFailed: wechat answers SYSTEMERROR',
    ],
    ['without an address', xml(WENT), 'PayFailed: wechat answers with an address that is not its own'],
    ...[
      'javascript:alert(1)',
      'http://payapp.weixin.qq.com/x',
      'https://weixin.qq.com.evil.example/',
      'https://evilweixin.qq.com/',
      'https://payapp.weixin.qq.com@evil.example/',
      'https://a:b@weixin.qq.com/',
    ].map(
      (redirect_url) =>
        [
          `with ${redirect_url}`,
          xml({ ...WENT, redirect_url }),
          'PayFailed: wechat answers with an address that is not its own',
        ] as const,
    ),
  ] as const)('nobody is led away when WeChat answers %s', async (_what, given, content) => {
    answer = given as typeof answer
    expect(await failure(sign('phone'))).toBe(content)
  })

  it('one is led to the address that WeChat answers; the question is signed by HMAC-SHA256', async () => {
    const redirect_url =
      'https://payapp.weixin.qq.com/papay/readentrustwebtemplate?type=index&session_id=1#/redirect'
    answer = xml({ ...WENT, redirect_url })
    expect(await sign('phone')).toEqual({ kind: 'redirect', url: redirect_url, from: BACK })
    const url = new URL(asked[0]!)
    expect([url.origin, url.pathname]).toEqual(['https://api.mch.weixin.qq.com', '/papay/h5entrustweb'])
    const text =
      `appid=${APP}&clientip=203.0.113.7&contract_code=${NO}&contract_display_account=小满  co&mch_id=${MERCHANT}` +
      `&notify_url=${NOTIFY}&plan_id=${PLAN}&request_serial=7&sign_type=HMAC-SHA256&timestamp=${AT / 1_000}` +
      `&version=1.0&key=${KEY}`
    expect(url.searchParams.get('sign')).toBe(
      createHmac('sha256', KEY).update(text).digest('hex').toUpperCase(),
    )
  })
})

const FACT: ContractFact = {
  contractNo: NO,
  providerNo: '201509160000028648',
  merchant: MERCHANT,
  app: APP,
  state: 'signed',
}
const SIGNED = {
  return_code: 'SUCCESS',
  result_code: 'SUCCESS',
  mch_id: MERCHANT,
  contract_code: NO,
  plan_id: PLAN,
  openid: 'oSigner',
  change_type: 'ADD',
  operate_time: '2026-08-01 12:00:00',
  request_serial: '7',
  contract_id: FACT.providerNo,
  contract_expired_time: '2036-08-01 12:00:00',
}
let known: ContractFact | null = FACT
let looks: string[] = []
const readMessage = (body: string) =>
  readMessageV2(
    Buffer.from(body),
    { config: { merchant: MERCHANT }, apiV2Key: KEY, planId: PLAN } as WechatV2,
    async (no) => {
      looks.push(no)
      return known
    },
  )
const written = (change: Record<string, string> = {}, key = KEY, type: 'MD5' | 'HMAC-SHA256' = 'MD5') => {
  const fields = { ...SIGNED, ...change }
  return writeWechatXml({ ...fields, sign: signV2(Object.entries(fields), key, type) })
}

describe('a message', () => {
  beforeEach(() => {
    known = FACT
    looks = []
  })

  it.each([
    ['no XML', '{}', 'form'],
    ['not signed', writeWechatXml(SIGNED), 'signature'],
    ['signed by another key', written({}, 'k'.repeat(32)), 'signature'],
    ['changed', written().replace('ADD', 'DELETE'), 'signature'],
    ['with one more field', written().replace('</xml>', '<more>1</more></xml>'), 'signature'],
    ['with a field twice', written().replace('</xml>', `<mch_id>${MERCHANT}</mch_id></xml>`), 'form'],
    ['with an entity', `<!DOCTYPE x [<!ENTITY a "1">]>${written()}`, 'form'],
    ['of another merchant', written({ mch_id: '1900000108' }), 'form'],
    ['of another template', written({ plan_id: '12536' }), 'form'],
    ['without a contract', written({ contract_code: '' }), 'form'],
    ['of a contract that is none', written({ contract_code: '../N1' }), 'form'],
    ['without WeChat’s number', written({ contract_id: '' }), 'form'],
    ['of another change', written({ change_type: 'PAUSE' }), 'form'],
    ['of something that went wrong', written({ result_code: 'FAIL' }), 'form'],
  ])('that is %s is refused, and WeChat is not asked', async (_what, body, why) => {
    expect(await failure(readMessage(body))).toBe(why)
    expect(looks).toEqual([])
  })

  it('made of an address that people see is refused, though the key has signed that', async () => {
    for (const account of ['小满', `x&change_type=ADD&contract_id=${FACT.providerNo}`]) {
      const data = await sign('inside', { account })
      const query = data.kind === 'redirect' ? new URL(data.url).searchParams : new URLSearchParams()
      const own = Object.fromEntries(query)
      expect(await failure(readMessage(writeWechatXml(own)))).toBe('form')
    }
    expect(looks).toEqual([])
  })

  it('of a contract that WeChat itself does not know, or knows by another number, is to come again', async () => {
    for (const fact of [null, { ...FACT, providerNo: '1' }]) {
      known = fact
      expect(await failure(readMessage(written()))).toMatch(/^PayFailed/)
    }
    expect(looks).toEqual([NO, NO])
  })

  it('is believed for there being something to ask for: the answer is the fact, whatever the message says', async () => {
    for (const type of ['MD5', 'HMAC-SHA256'] as const)
      expect(await readMessage(written({}, KEY, type))).toMatchObject({ kind: 'contract', fact: FACT })
    known = { ...FACT, state: 'ended' }
    expect(await readMessage(written())).toMatchObject({ kind: 'contract', fact: { state: 'ended' } })
    known = FACT
    const ended = { change_type: 'DELETE', contract_termination_mode: '2' }
    expect(await readMessage(written(ended))).toMatchObject({ fact: { state: 'signed' } })
  })

  it('is read with a mark of the byte order, with space around, and with an empty field', async () => {
    const provider = open()
    for (const body of [`\uFEFF${written()}`, ` \r\n${written()}\n`, written({ openid: '' })]) {
      expect(await readMessage(body)).toMatchObject({ kind: 'contract', fact: FACT })
      expect(provider.reply('taken', { body: Buffer.from(body) }).type).toBe('xml')
    }
  })

  it('is answered in its own form', () => {
    const body = Buffer.from(written())
    const provider = open()
    expect(provider.reply('taken', { body })).toEqual({
      status: 200,
      type: 'xml',
      body: '<xml><return_code>SUCCESS</return_code><return_msg>OK</return_msg></xml>',
    })
    for (const result of ['refused', 'later'] as const)
      expect(provider.reply(result, { body }).body).toContain('<return_code>FAIL</return_code>')
  })
})
