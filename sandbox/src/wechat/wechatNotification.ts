/** WeChat Pay's messages, genuine and not. */
import { createCipheriv, randomBytes } from 'node:crypto'
import { clock } from '@guildhall/server/kit/clock.ts'
import { MINUTE_MS } from '@guildhall/wire/unit.ts'
import type { ContractNotification, PaymentNotification, SandboxMessage } from '../dialogue.ts'
import type { Keys } from '../keys.ts'
import type { Tamper } from '../tradeStore.ts'
import { signedBy, signedHeaders, timeText } from './wechatCall.ts'
import { contractOf } from './wechatContracts.ts'
import { REFUND_STATES, refundResourceOf } from './wechatRefunds.ts'
import { transactionOf } from './wechatTrades.ts'
import { isOfV2, writeMessageV2 } from './wechatV2.ts'

const PROBE = 'WECHATPAY/SIGNTEST/'
const STALE_MS = 10 * MINUTE_MS

/** An encrypted resource. `apiV3Key`: 32 bytes. */
export function encrypted(
  apiV3Key: string,
  plain: string,
  associated_data: string,
): { algorithm: string; nonce: string; associated_data: string; ciphertext: string } {
  const nonce = randomBytes(6).toString('hex')
  const cipher = createCipheriv('aes-256-gcm', apiV3Key, nonce)
  cipher.setAAD(Buffer.from(associated_data))
  const bytes = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return { algorithm: 'AEAD_AES_256_GCM', nonce, associated_data, ciphertext: bytes.toString('base64') }
}

export const writeWechatNotification = (notification: PaymentNotification, keys: Keys): SandboxMessage =>
  written(messageOf(notification, keys), notification.tamper, notification.trade.more.signer, keys)

/** The message that a contract was signed, or ended, in the form in which it was offered. */
export function writeWechatContractMessage(notification: ContractNotification, keys: Keys): SandboxMessage {
  return isOfV2(notification.contract)
    ? writeMessageV2(notification, keys)
    : writeMessageV3(notification, keys)
}

function writeMessageV3({ id, contract, says, tamper }: ContractNotification, keys: Keys): SandboxMessage {
  const [event_type, summary] =
    says === 'signed' ? ['ENTRUST.SIGN', '签约成功'] : ['ENTRUST.TERMINATE', '解约成功']
  const state = says === 'signed' ? 'signed' : 'ended'
  const notification = contractOf({
    ...contract,
    state,
    providerNo: contract.providerNo || '201509160000028648',
  })
  const plain = {
    ...notification,
    mchid: tamper.merchant ?? contract.merchant,
    appid: tamper.app ?? contract.app,
  }
  const message = {
    id,
    create_time: timeText(clock.now()),
    resource_type: 'encrypt-resource',
    event_type,
    summary,
    resource: {
      original_type: 'entrust',
      ...encrypted(secretOf(tamper, keys), JSON.stringify(plain), 'entrust'),
    },
  }
  return written(message, tamper, contract.more.signer, keys)
}

const secretOf = ({ forge }: Tamper, { wechat, stranger }: Keys): string =>
  forge === 'secret' ? stranger.serial.slice(0, 32) : wechat.apiV3Key

function written(
  message: Readonly<Record<string, unknown>>,
  tamper: Tamper,
  signer: string | undefined,
  keys: Keys,
): SandboxMessage {
  const body = JSON.stringify(message)
  const { platform, publicKey } = keys.wechat
  const at = tamper.forge === 'stale' ? clock.now() - STALE_MS : clock.now()
  // A merchant that asked for answers by the public key gets its messages by it too.
  const genuine = signedHeaders(keys, body, { serial: signer ?? null, at })
  const type = { 'content-type': 'application/json' }
  if (tamper.probe)
    return {
      headers: { ...type, ...genuine, 'wechatpay-signature': PROBE + genuine['wechatpay-signature'] },
      body,
    }
  if (tamper.forge === 'unsigned') return { headers: type, body }
  if (tamper.forge === 'body')
    return { headers: { ...type, ...genuine }, body: body.replace('"summary":"', '"summary":"~') }
  const { privateKey, serial } = keys.stranger
  const named = signer === publicKey.id ? publicKey.id : (platform.at(-1)?.serial ?? '')
  if (tamper.forge === 'signature')
    return { headers: { ...type, ...signedBy(privateKey, named, body, at) }, body }
  if (tamper.forge === 'serial')
    return { headers: { ...type, ...signedBy(privateKey, serial, body, at) }, body }
  return { headers: { ...type, ...genuine }, body }
}

function messageOf({ id, trade, refund, tamper }: PaymentNotification, keys: Keys): Record<string, unknown> {
  const key = secretOf(tamper, keys)
  const [event_type, summary, original_type] = refund
    ? [`REFUND.${REFUND_STATES[refund.state]}`, '退款通知', 'refund']
    : ['TRANSACTION.SUCCESS', '支付成功', 'transaction']
  const plain = refund ? refundResourceOf(trade, refund) : paymentResourceOf({ id, trade, refund, tamper })
  return {
    id,
    create_time: timeText(clock.now()),
    resource_type: 'encrypt-resource',
    event_type,
    summary,
    resource: { original_type, ...encrypted(key, JSON.stringify(plain), original_type) },
  }
}

/** The message tells the payment, also when it comes after a refund, and also when nobody paid. */
function paymentResourceOf({ trade, tamper }: PaymentNotification): Record<string, unknown> {
  const paidAt = trade.paidAt ?? clock.now()
  const providerNo = trade.providerNo === '' ? `42000${trade.tradeNo}`.slice(0, 28) : trade.providerNo
  const notification = transactionOf({ ...trade, state: 'paid', paidAt, providerNo, refunds: [] })
  const fee = tamper.fee ?? trade.fee
  const currency = tamper.currency ?? 'CNY'
  return {
    ...notification,
    mchid: tamper.merchant ?? trade.merchant,
    appid: tamper.app ?? trade.app,
    amount: { total: fee, payer_total: fee, currency, payer_currency: currency },
  }
}
