import { X509Certificate } from 'node:crypto'
import { MINUTE_MS } from '@guildhall/wire/unit.ts'
import { describe, expect, it } from 'vitest'
import {
  type Answer,
  answers,
  asked,
  certificatesBody,
  FACT,
  handOut,
  newer,
  now,
  open,
  paidMessage,
  provider,
  QUERY,
  refundMessage,
  refusal,
  setNow,
  signed,
  soon,
  stranger,
  TRADE,
  times,
  transaction,
  useWechat,
  wechat,
  whyNot,
} from '../../../testing/pay/wechatSide.ts'

useWechat()

describe('certificates', () => {
  const ofCertificates = async (answer: Answer): Promise<string> => {
    answers.set('GET /v3/certificates', answer)
    return whyNot(paidMessage(), open())
  }

  it.each([
    [
      'for another key',
      () => signed(200, certificatesBody([wechat], 'of-somebody-else-0123456789abcde')),
      'wechat answers with certificates for another APIv3 key',
    ],
    [
      'under another serial',
      () => signed(200, certificatesBody([{ ...wechat, certificate: stranger.certificate }])),
      'wechat answers with something else than certificates',
    ],
    [
      'that are none',
      () => signed(200, certificatesBody([{ ...wechat, certificate: 'certificate' }])),
      'wechat answers with something else than certificates',
    ],
    ['in another form', () => signed(200, '[]'), 'wechat answers with something else than certificates'],
    [
      'that none of them signed',
      () => signed(200, certificatesBody([wechat]), { by: stranger, serial: wechat.serial }),
      'wechat answers with a signature that is not its own',
    ],
    [
      'signed by another one',
      () => signed(200, certificatesBody([wechat]), { by: stranger }),
      'wechat answers with a signature that is not its own',
    ],
    [
      'without a signature',
      () => new Response(JSON.stringify(certificatesBody([wechat]))),
      'wechat answers status 200 without a signature',
    ],
    [
      'of yesterday',
      () => signed(200, certificatesBody([wechat]), { at: now - 24 * 60 * MINUTE_MS }),
      'wechat answers with a signature of another time',
    ],
  ])('%s verify nothing', async (_name, answer, text) => {
    expect(await ofCertificates(answer)).toBe(`PayFailed: ${text}`)
  })

  it('are asked for once, for many messages at the same time', async () => {
    await Promise.all(
      [paidMessage(), refundMessage(), paidMessage()].map((it) => provider.readNotification(it)),
    )
    expect(times('/v3/certificates')).toBe(1)
  })

  it('may change in the middle, and both count', async () => {
    const before = paidMessage()
    expect(await whyNot(before)).toMatch(/^taken/)
    handOut([wechat, newer])
    setNow(now + MINUTE_MS)
    expect(await whyNot(paidMessage({ by: newer }))).toMatch(/^taken/)
    expect(await whyNot(before)).toMatch(/^taken/)
    expect(times('/v3/certificates')).toBe(2)
  })

  it('are asked for again a minute after they were, and not before', async () => {
    await provider.readNotification(paidMessage())
    setNow(now + MINUTE_MS - 1)
    expect(await whyNot(paidMessage({ by: newer }))).toBe('serial')
    expect(times('/v3/certificates')).toBe(1)
    setNow(now + 1)
    handOut([newer])
    expect(await whyNot(paidMessage({ by: newer }))).toMatch(/^taken/)
    // WeChat has taken the old one back.
    expect(await whyNot(paidMessage())).toBe('serial')
  })

  it('end', async () => {
    await provider.readNotification(paidMessage())
    setNow(new Date(new X509Certificate(wechat.certificate).validTo).getTime())
    expect(await whyNot(paidMessage())).toBe('serial')
  })

  it('that count are kept while WeChat hands none out', async () => {
    await provider.readNotification(paidMessage())
    answers.set('GET /v3/certificates', () => new Response('busy', { status: 502 }))
    setNow(now + MINUTE_MS)
    expect(await whyNot(paidMessage({ by: newer }))).toBe('serial')
    expect(await whyNot(paidMessage())).toMatch(/^taken/)
  })
})

describe('WeChat’s public key', () => {
  const id = 'PUB_KEY_ID_0119000001092026080100000000000000'
  const withKey = () => open({ publicKey: { id, pem: newer.publicKey } })

  it('is no key', () => {
    expect(() => open({ publicKey: { id, pem: 'no key' } })).toThrow()
  })

  it.each([
    ['of another id', () => paidMessage({ by: newer, serial: `${id}1` }), 'serial'],
    ['of another key', () => paidMessage({ by: stranger, serial: id }), 'signature'],
  ])('does not verify a message %s', async (_name, make, why) => {
    expect(await whyNot(make(), withKey())).toBe(why)
    expect(asked).toEqual([])
  })

  it('verifies messages and answers, and is asked for', async () => {
    const keyed = withKey()
    expect(await whyNot(paidMessage({ by: newer, serial: id }), keyed)).toMatch(/^taken/)
    answers.set(`GET ${QUERY}`, () => signed(200, transaction(), { by: newer, serial: id }))
    expect(await keyed.query(TRADE, soon())).toEqual({ state: 'paid', fact: FACT })
    expect(asked.map(({ headers }) => headers.get('wechatpay-serial'))).toEqual([id])
  })

  it('counts beside certificates, from which a merchant changes to it', async () => {
    expect(await whyNot(paidMessage(), withKey())).toMatch(/^taken/)
    answers.set('GET /v3/certificates', refusal(404, 'RESOURCE_NOT_EXISTS'))
    expect(await whyNot(paidMessage(), withKey())).toBe('serial')
  })
})
