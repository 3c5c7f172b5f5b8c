/**
 * WeChat Pay's messages ("回调通知") of API v3: signed, and with an encrypted resource. Those of version 2:
 * `v2.ts`.
 */
import { z } from '@guildhall/wire/schema.ts'
import { jsonOf } from '../../answer.ts'
import { BadNotification, type Notification, type PayProvider } from '../payProvider.ts'
import { readContractMessage } from './contracts.ts'
import { decryptWechat, isWechatSignature, WECHAT_SCHEME, type WechatSigned } from './crypto.ts'
import { paidFact, refundAnswer, wechatPaid, wechatPayment, wechatRefund } from './facts.ts'
import { encryptedPart, isFresh, type WechatKeys } from './keys.ts'

/** The longest that is read, bytes; real ones have about 1000. */
const BODY_MAX = 64 * 1024
/** WeChat tests whether a server verifies, with signatures that begin so. They must not be taken. */
const PROBE = 'WECHATPAY/SIGNTEST/'
const HEADER = /^[!-~]{1,1024}$/

const message = z.object({
  id: z.string().check(z.minLength(1), z.maxLength(64)),
  event_type: z.string(),
  resource: encryptedPart,
})

type Received = Parameters<PayProvider['readNotification']>[0]

/** @throws BadNotification, and PayFailed when WeChat's keys cannot be had now */
export async function readWechatNotification(
  received: Received,
  keys: WechatKeys,
  apiV3Key: string,
): Promise<Notification> {
  const { serial, signed } = signedIn(received)
  const key = await keys.keyOf(serial)
  if (!key) throw new BadNotification('serial', 'WeChat has no such certificate')
  if (!isWechatSignature(key, signed)) throw new BadNotification('signature', 'the signature is not WeChat’s')
  const parsed = message.safeParse(jsonOf(received.body))
  if (!parsed.success) throw new BadNotification('form', 'it is no message')
  const { id, event_type, resource } = parsed.data
  const plain = decryptWechat(apiV3Key, resource)
  if (!plain) throw new BadNotification('secret', 'it is encrypted with another key')
  const content = jsonOf(plain)
  if (event_type === 'TRANSACTION.SUCCESS') return paid(id, content)
  if (event_type.startsWith('REFUND.')) return refund(id, content)
  return readContractMessage(id, event_type, content) ?? { kind: 'other', id }
}

/** Everything that needs no key is checked first. @throws BadNotification */
function signedIn({ headers, body }: Received): { readonly serial: string; readonly signed: WechatSigned } {
  if (body.length > BODY_MAX) throw new BadNotification('form', 'it is too long')
  const need = (name: string): string => {
    const value = headers[`wechatpay-${name}`]
    if (typeof value === 'string' && HEADER.test(value)) return value
    throw new BadNotification('form', `its ${name} is missing`)
  }
  const [timestamp, nonce, signature, serial] = [
    need('timestamp'),
    need('nonce'),
    need('signature'),
    need('serial'),
  ]
  if (signature.startsWith(PROBE)) throw new BadNotification('probe', 'WeChat tests whether it is verified')
  // It is not signed, and merchants get it or not; another way of signing is not WeChat’s for this merchant.
  if ((headers['wechatpay-signature-type'] ?? WECHAT_SCHEME) !== WECHAT_SCHEME)
    throw new BadNotification('signature', 'it is signed in another way')
  if (!isFresh(timestamp)) throw new BadNotification('stale', 'it is of another time')
  return { serial, signed: { timestamp, nonce, signature, body } }
}

function paid(id: string, content: unknown): Notification {
  const payment = wechatPayment.safeParse(content)
  const parsed = wechatPaid.safeParse(content)
  if (!payment.success || payment.data.trade_state !== 'SUCCESS' || !parsed.success)
    throw new BadNotification('form', 'it tells no payment')
  return { kind: 'paid', id, fact: paidFact(parsed.data) }
}

function refund(id: string, content: unknown): Notification {
  const fields = content as { readonly refund_status?: unknown } | null
  const parsed = wechatRefund.safeParse({ ...fields, status: fields?.refund_status })
  const answer = parsed.success ? refundAnswer(parsed.data) : null
  if (!parsed.success || !answer) throw new BadNotification('form', 'it tells no refund')
  const { out_trade_no: tradeNo, out_refund_no: refundNo } = parsed.data
  return { kind: 'refund', id, tradeNo, refundNo, answer }
}
