import { createPublicKey, generateKeyPairSync, type KeyObject, verify } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import {
  decryptWechat,
  isWechatSignature,
  sha1Of,
  wechatAppParams,
  wechatAuthorization,
  wechatPageParams,
} from './crypto.ts'

/** Of the pair of keys in WeChat's documents; the texts and signatures below are theirs too. */
const PUBLISHED = createPublicKey(`-----BEGIN PUBLIC KEY-----
MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAptpm+qvIDCh/9wjU26SQ
CK26ogYkBhDrYxnAaw2JbbBsp1oDbHKk+1r381NeBUG2HEFAuU+Fr72u5ot3yKdz
oF/FajAzQNKnm569/D3upKoi8mYBaST15Uig8j8qoUW1U217LL0jEHlSnHV3lcaD
TXqDpTRR4Bfz9IqOgJgFZ8/oTfEomSrjrLYef81Eyxr7ZIMQXEKKEK7V4UXKS0+/
fDsiG/cXidhzt8UbTL9vqXqxM2+IDImyO+FAc/tkBG55LmzxPto1Nq0WbnZzRM/w
Tzrd0I/8NlevxtFbphg4evlHjFNI7+GrqR87ViEwuAJJ9Je5QQjct5YJfFRWiZ5C
MQIDAQAB
-----END PUBLIC KEY-----`)
/** A public key of WeChat, and an answer that it signed. */
const OF_WECHAT = createPublicKey(`-----BEGIN PUBLIC KEY-----
MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAwXNI6sdlknHBnK8Fu2U6
Cwor9qY747jP8KAfeBMeveEt1TqaHkLfaSD07trZLhGpfs8/AHqjhgSMO1O10YQW
OrrJ4hjIWPKqxbgrYMkBQc+mwdiWp4W3ByCqxBRagCveCXRWCmuJYovl9H/bsDI0
iGbpVtEOghJtfciisYSgxcLufUDTRkvwxjIBK1pCRjk33jJ5YTBWTHMRtMAOcFLN
F6hdEYdX8SPsgHHeLZ5Lv2T/686w1xtgCHef/sd4uSfWmyzsalQdHG/e4IyYmrhx
+O3VBoNDzE3nx23bFeV/RVNCG7cV6VhmYokJNHa/erIPkEmEFID6A5wQOXuxUkmJ
WwIDAQAB
-----END PUBLIC KEY-----`)
const ANSWER = {
  timestamp: '1722850421',
  nonce: 'd824f2e086d3c1df967785d13fcd22ef',
  signature:
    'mfI1CPqvBrgcXfgXMFjdNIhBf27ACE2YyeWsWV9ZI7T7RU0vHvbQpu9Z32ogzc+k8ZC5n3kz7h70eWKjgqNdKQF0eRp8mVKlmfzMLBVHbssB9jEZEDXThOX1XFqX7s7ymia1hoHQxQagPGzkdWxtlZPZ4ZPvr1RiqkgAu6Is8MZgXXrRoBKqjmSdrP1N7uxzJ/cjfSiis9FiLjuADoqmQ1P7p2N876YPAol7Rn0+GswwAwxldbdLrmVSjfytfSBJFqTMHn4itojgxSWWN1byuckQt8hSTEv/Lg97QoeGniYP17T80pJeQyL3b+295FPHSO2AtvCgyIbKMZ0BALilAA==',
  body: Buffer.from('{"code_url":"weixin://wxpay/bizpayurl?pr=JyC91EIz1"}'),
}

const own = generateKeyPairSync('rsa', { modulusLength: 2_048 })
const isOver = (text: string, signature: string | undefined, key: KeyObject): boolean =>
  verify('sha256', Buffer.from(text), key, Buffer.from(signature ?? '', 'base64'))

const AT = 1_554_208_460_000
const NONCE = '593BEC0C930BF1AFEB40B4A08C8FB242'
const PREPAID = {
  appId: 'wx2421b1c4370ec43b',
  at: AT + 999,
  nonce: NONCE,
  prepayId: 'wx201410272009395522657a690389285100',
}

describe('an answer of WeChat', () => {
  it.each([
    ['of another time', { timestamp: '1722850422' }],
    ['with another nonce', { nonce: `${ANSWER.nonce}0` }],
    ['with another body', { body: Buffer.from('{"code_url":"weixin://wxpay/bizpayurl?pr=JyC91EIz2"}') }],
    ['with one byte more', { body: Buffer.concat([ANSWER.body, Buffer.from('\n')]) }],
    ['without a signature', { signature: '' }],
    ['with a signature in another way of writing', { signature: `${ANSWER.signature}\n` }],
    ['with the signature of something else', { signature: ANSWER.signature.replace('mfI1', 'mfI2') }],
  ])('%s is not genuine', (_name, change) => {
    expect(isWechatSignature(OF_WECHAT, { ...ANSWER, ...change })).toBe(false)
  })

  it('is not genuine for another key', () => {
    expect(isWechatSignature(PUBLISHED, ANSWER)).toBe(false)
  })

  it('that it really signed is', () => {
    expect(isWechatSignature(OF_WECHAT, ANSWER)).toBe(true)
  })
})

describe('signed is the text that the documents sign', () => {
  it('of a call', () => {
    const body =
      '{"appid":"wxd678efh567hg6787","mchid":"1900007291","description":"Image形象店-深圳腾大-QQ公仔","out_trade_no":"1217752501201407033233368018","notify_url":"https://www.weixin.qq.com/wxpay/pay.php","amount":{"total":100,"currency":"CNY"},"payer":{"openid":"oUpF8uMuAJO_M2pxb1Q9zNjWeS6o"}}'
    const text = `POST\n/v3/pay/transactions/jsapi\n1554208460\n${NONCE}\n${body}\n`
    const published =
      'jnks4dlrPw3ZX+ozVvSK39oa0t7OMBsg83BHAwd8BRdUFiVaQNTLTvci+wURgP1OQBbKYhFGvt7iqYpDSTQkp7Uq1sltaQKyncCyrA1g88m5bsKERQfPyT0ahSwKTYJ1CAn9QiJuSJRq1QsQs07eehbU/k9BCS51jTyc1Jpsi2H77HF9f/BnjXAOP3/sPObg6V5Ee4EzwLox684hhuMuIwHo7D8KFk3LIHOKDcNI4It1aCXydFWNpNK+SG86VUDe5kwoDpw4Ulqfu9z8OFDGbDs9TCxEv8iqQzbpxOlEVoOe2kalSYM5kApQb3nZcxdUtoE0liJGW3RGUNE0t4v01A=='
    expect(isOver(text, published, PUBLISHED)).toBe(true)

    const merchant = {
      merchant: '1900007291',
      serial: '408B07E79B8269FEC3D5D3E6AB8ED163A6A380DB',
      key: own.privateKey,
    }
    const request = {
      method: 'POST',
      target: '/v3/pay/transactions/jsapi',
      at: AT,
      nonce: NONCE,
      body,
    } as const
    const value = wechatAuthorization(merchant, request)
    const [, rest = ''] = /^WECHATPAY2-SHA256-RSA2048 (.*)$/.exec(value) ?? []
    const fields = Object.fromEntries(
      [...rest.matchAll(/(\w+)="([^"]*)"/g)].map(([, name = '', field = '']) => [name, field]),
    )
    const { signature, ...named } = fields
    expect(named).toEqual({
      mchid: '1900007291',
      nonce_str: NONCE,
      timestamp: '1554208460',
      serial_no: '408B07E79B8269FEC3D5D3E6AB8ED163A6A380DB',
    })
    expect(isOver(text, signature, own.publicKey)).toBe(true)
  })

  it('of a page that opens the cashier', () => {
    const text = `${PREPAID.appId}\n1554208460\n${NONCE}\nprepay_id=${PREPAID.prepayId}\n`
    const published =
      'mI35pfNEQV6777ke/1T+LJLQDNTm7yeoUJH+j/adPGhmCCi0PbgkvYQTRcXH0uibcLVtvFLdGLpmoYO9FV6lBBsTAjuhh5YOvQi0e2g3e0yytitiNET9FEuqM0pjnKfRW4K6LIZDdbWJv9KhZUx3DrJa5TL7OJ7VdADVivxVySIlPVKjGwuCXzuXSJes0UcILgWQUMyha5/3nYofuHtS7r+KYyMuxD+oJ9VM1Qdxk4UIG59CP5Y3wtYIFybyF3bdu1caHTRRX+DLyMXyYA/IrTmiW01c4RPjpHBX5Dk1sZyY1zVsWNsvMHr2e1NTWtBxKJ+qk5N61J7caYoepHFaxw=='
    expect(isOver(text, published, PUBLISHED)).toBe(true)
    const { paySign, ...params } = wechatPageParams(own.privateKey, PREPAID)
    expect(params).toEqual({
      appId: PREPAID.appId,
      timeStamp: '1554208460',
      nonceStr: NONCE,
      signType: 'RSA',
      package: `prepay_id=${PREPAID.prepayId}`,
    })
    expect(isOver(text, paySign, own.publicKey)).toBe(true)
  })

  it('of a native app that opens the cashier', () => {
    const text = `${PREPAID.appId}\n1554208460\n${NONCE}\n${PREPAID.prepayId}\n`
    const published =
      'gXx9KhTP6IooKV1SuG3OCGlBIgZbKtubCZvnau6khw1iffvNT28IzLbKmztq2xA/RCNbZa1XOsoiuVmAEeTZQicWfhv4P+O4oBRIrx0X9f3cnWFkMBU9alTWs0nyQ1N9fcILOTe0f4kxOhVh+/Xhn5hOiUK7Sz3XA1mcpa3R2NCWf/e+0ow/RDf15iTymOHgDrEkT/gedg/3E0iXfDX3mFicSZhrHESZDOTXcl9RzELREBUFznd/o2NQM99WcL86m23HY0cTy+QGWU4QDmNrbQ9ihmLW71qPb0Cx/d7EQvw/Kyx0A6s64ZQp3hHdcmiRcLnjVXrKCk7LShaCK+lS3Q=='
    expect(isOver(text, published, PUBLISHED)).toBe(true)
    const { sign, ...params } = wechatAppParams(own.privateKey, { ...PREPAID, merchant: '1900000109' })
    expect(params).toEqual({
      appId: PREPAID.appId,
      partnerId: '1900000109',
      prepayId: PREPAID.prepayId,
      packageValue: 'Sign=WXPay',
      nonceStr: NONCE,
      timeStamp: '1554208460',
    })
    expect(isOver(text, sign, own.publicKey)).toBe(true)
  })
})

describe('an encrypted resource', () => {
  const KEY = 'a7cde1ZJB1kG2e7VfTs3jQzaWizur8Gb'
  /** Of the tests of WeChat's SDK for Java. */
  const resource = {
    nonce: 'uluk4a9R25RW',
    associated_data: 'associatedData',
    ciphertext: 'ulwSiIajGClcvcOYvOQ7+l+0PAbzzwI=',
  }

  it.each([
    ['for another key', `b${KEY.slice(1)}`, {}],
    ['with another nonce', KEY, { nonce: 'uluk4a9R25RX' }],
    ['without a nonce', KEY, { nonce: '' }],
    ['with other data beside it', KEY, { associated_data: 'associatedDatA' }],
    ['without the data beside it', KEY, { associated_data: undefined }],
    ['with another text', KEY, { ciphertext: 'vlwSiIajGClcvcOYvOQ7+l+0PAbzzwI=' }],
    ['with another tag', KEY, { ciphertext: 'ulwSiIajGClcvcOYvOQ7+l+0PAbzzwM=' }],
    ['that is cut off', KEY, { ciphertext: 'ulwSiIajGClcvcOYvOQ7' }],
    ['with a key of another length', KEY.slice(1), {}],
  ])('%s is not read', (_name, key, change) => {
    expect(decryptWechat(key, { ...resource, ...change })).toBeNull()
  })

  it('is read with the key', () => {
    expect(decryptWechat(KEY, resource)?.toString()).toBe('message')
  })
})

it('the hash of a bill is SHA-1', () => {
  expect(sha1Of(Buffer.from('abc'))).toBe('a9993e364706816aba3e25717850c26c9cd0d89d')
})
