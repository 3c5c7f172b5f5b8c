/** WeChat Pay's calls about payments: JSAPI, H5, Native, APP; query and close. */
import { randomBytes, verify, X509Certificate } from 'node:crypto'
import { clock } from '@guildhall/server/kit/clock.ts'
import type { PayData, TradeScene } from '@guildhall/server/outside/payment/payProvider.ts'
import { beijingTime } from '@guildhall/wire/beijing.ts'
import type { PayScene } from '@guildhall/wire/payWay.ts'
import { z } from '@guildhall/wire/schema.ts'
import { HOUR_MS, MINUTE_MS, type Millis } from '@guildhall/wire/unit.ts'
import type { DialogueDeps, SandboxAnswer, SandboxRequest } from '../dialogue.ts'
import { isExpired, refundedOf, StoreRefused, type Trade } from '../tradeStore.ts'
import { answerJson, readContent, timeText, WechatRefused } from './wechatCall.ts'
import { contractInfo, signerOf, type WechatContracts } from './wechatContracts.ts'

const PREPAY_LIVES_MS = 2 * HOUR_MS
const H5_LIVES_MS = 5 * MINUTE_MS
const LIVES_MS = 7 * 24 * HOUR_MS
const SCENES: Readonly<Record<string, PayScene>> = { jsapi: 'inside', h5: 'phone', native: 'qr', app: 'app' }
/** `trade_type`. */
export const TRADE_TYPES: Readonly<Record<TradeScene, string>> = {
  inside: 'JSAPI',
  phone: 'MWEB',
  qr: 'NATIVE',
  app: 'APP',
  contract: 'PAP',
}

const text = (max: number) => z.string().check(z.minLength(1), z.maxLength(max))
const prepay = z.strictObject({
  appid: text(32),
  mchid: text(32),
  description: text(127),
  out_trade_no: z.string().check(z.regex(/^[0-9a-zA-Z_\-|*]{6,32}$/)),
  time_expire: z.optional(z.iso.datetime({ offset: true })),
  notify_url: z.string().check(z.maxLength(255), z.regex(/^https?:\/\/[^?#]+$/)),
  amount: z.strictObject({ total: z.int().check(z.gte(1)), currency: z.optional(z.literal('CNY')) }),
  payer: z.optional(z.strictObject({ openid: text(128) })),
  contract_info: z.optional(contractInfo),
  scene_info: z.optional(
    z.strictObject({
      payer_client_ip: text(45),
      h5_info: z.optional(z.strictObject({ type: z.enum(['iOS', 'Android', 'Wap']) })),
    }),
  ),
})
const closing = z.strictObject({ mchid: z.string() })

/** A payment, as WeChat's answers and messages show it. */
export function transactionOf(trade: Trade): Record<string, unknown> {
  const { merchant, app, tradeNo, fee, scene, more } = trade
  const common = { mchid: merchant, appid: app, out_trade_no: tradeNo }
  if (trade.state !== 'paid' || trade.paidAt === null) {
    const isClosed = trade.state === 'closed' || isExpired(trade)
    const [trade_state, trade_state_desc] = isClosed ? ['CLOSED', '订单已关闭'] : ['NOTPAY', '订单未支付']
    return { ...common, trade_state, trade_state_desc, amount: { total: fee, currency: 'CNY' } }
  }
  const isRefunded = refundedOf(trade) > 0
  return {
    ...common,
    transaction_id: trade.providerNo,
    trade_type: TRADE_TYPES[scene],
    bank_type: 'OTHERS',
    attach: '',
    trade_state: isRefunded ? 'REFUND' : 'SUCCESS',
    trade_state_desc: isRefunded ? '转入退款' : '支付成功',
    success_time: timeText(trade.paidAt),
    payer: { openid: more.openid ?? `o${tradeNo}` },
    amount: { total: fee, payer_total: fee, currency: 'CNY', payer_currency: 'CNY' },
  }
}

type Prepay = z.output<typeof prepay>

export class WechatTrades {
  readonly #deps: DialogueDeps
  readonly #contracts: Pick<WechatContracts, 'offerWith'>

  constructor(deps: DialogueDeps, contracts: Pick<WechatContracts, 'offerWith'>) {
    this.#deps = deps
    this.#contracts = contracts
  }

  /** `kind`: jsapi, h5, native, app, app-with-contract. @throws WechatRefused */
  prepay(kind: string, request: SandboxRequest): SandboxAnswer {
    // Only payments of native apps sign.
    const [, plain = '', signs] = /^(\w+?)(-with-contract)?$/.exec(kind) ?? []
    const scene = SCENES[plain]
    if (scene === undefined || (signs && scene !== 'app'))
      throw new WechatRefused(404, 'NOT_FOUND', '接口不存在')
    const it = readContent(prepay, request)
    const expiresAt = it.time_expire === undefined ? clock.now() + LIVES_MS : Date.parse(it.time_expire)
    this.#checkPrepay(scene, it, expiresAt)
    if (Boolean(signs) !== Boolean(it.contract_info)) throw wrong('参数中含有非法的额外参数')
    const contract = it.contract_info && this.#contracts.offerWith(it.contract_info, it.appid)
    const prepayId = `wx${beijingTime(clock.now()).replace(/\D/g, '')}${randomBytes(8).toString('hex')}0000`
    const trade = this.#make(scene, it, {
      expiresAt,
      more: {
        prepayId,
        prepaidAt: String(clock.now()),
        ...(contract && { contractNo: contract.contractNo }),
        openid: it.payer?.openid ?? '',
        signer: signerOf(request),
      },
    })
    const address = this.#deps.cashier(trade)
    if (scene === 'qr') return answerJson(200, { code_url: address })
    if (scene === 'phone') return answerJson(200, { h5_url: `${address}?prepay_id=${prepayId}` })
    return answerJson(200, { prepay_id: prepayId })
  }

  /** @throws WechatRefused */
  query(
    { tradeNo = '', providerNo = '' }: { readonly tradeNo?: string; readonly providerNo?: string },
    merchant: string | null,
  ): SandboxAnswer {
    this.#checkMerchant(merchant)
    const { store } = this.#deps
    const trade = providerNo === '' ? store.find(keyOf(tradeNo)) : store.byProviderNo('wechat', providerNo)
    if (!trade) throw unknown()
    return answerJson(200, transactionOf(trade))
  }

  /** @throws WechatRefused */
  close(tradeNo: string, request: SandboxRequest): SandboxAnswer {
    this.#checkMerchant(readContent(closing, request).mchid)
    try {
      this.#deps.store.closeTrade(keyOf(tradeNo))
      return answerJson(204, null)
    } catch (error) {
      if (error instanceof StoreRefused && error.code === 'unknown') throw unknown()
      if (error instanceof StoreRefused) throw new WechatRefused(400, 'ORDERPAID', '订单已支付')
      throw error
    }
  }

  open(data: PayData): Trade | null {
    if (data.kind === 'qr') return this.#ofAddress(data.code)
    if (data.kind === 'redirect') return this.#ofAddress(data.url)
    if (data.kind !== 'weixin' && data.kind !== 'weixin_app') return null
    const trade = this.#ofParams(data.kind, data.params)
    return trade && clock.now() - Number(trade.more.prepaidAt) < PREPAY_LIVES_MS ? trade : null
  }

  arrive(trade: Trade, query: URLSearchParams): Trade | null {
    if (query.has('prepay_id') && isH5Late(trade, query)) return null
    const returnUrl = query.get('redirect_url')
    return returnUrl === null ? trade : this.#deps.store.change(trade, { returnUrl })
  }

  #checkMerchant(merchant: string | null): void {
    if (merchant !== this.#deps.keys.now.wechat.merchant) throw wrong('商户号与签名不一致')
  }

  #checkPrepay(scene: PayScene, input: Prepay, expiresAt: Millis): void {
    const { appId, openAppId } = this.#deps.keys.now.wechat
    this.#checkMerchant(input.mchid)
    if (input.appid !== (scene === 'app' ? openAppId : appId))
      throw new WechatRefused(400, 'APPID_MCHID_NOT_MATCH', 'appid和mch_id不匹配')
    if (scene === 'inside' && !input.payer) throw wrong('JSAPI支付必须传openid')
    if (scene !== 'inside' && input.payer) throw wrong('参数中含有非法的额外参数')
    if (scene === 'phone' && !input.scene_info?.h5_info) throw wrong('H5支付必须传场景信息')
    if (expiresAt <= clock.now()) throw wrong('time_expire时间过短')
  }

  #make(scene: PayScene, input: Prepay, { expiresAt, more }: Pick<Trade, 'expiresAt' | 'more'>): Trade {
    const { store } = this.#deps
    const key = keyOf(input.out_trade_no)
    const before = store.find(key)
    if (before) {
      checkAgain(before, scene, input)
      return store.change(key, { more })
    }
    return store.make({
      ...key,
      scene,
      merchant: input.mchid,
      app: input.appid,
      fee: input.amount.total,
      expiresAt,
      more,
      subject: input.description,
      notifyUrl: input.notify_url,
      returnUrl: '',
    })
  }

  #ofAddress(address: string): Trade | null {
    const cashier = `${this.#deps.url}/cashier/`
    const [token = '', search = ''] = address.startsWith(cashier)
      ? address.slice(cashier.length).split('?')
      : []
    const trade = this.#deps.store.byToken(token)
    return trade?.way === 'wechat' ? this.arrive(trade, new URLSearchParams(search)) : null
  }

  /** WeChat's app takes only what the merchant signed. */
  #ofParams(kind: 'weixin' | 'weixin_app', input: Readonly<Record<string, string>>): Trade | null {
    const { wechat } = this.#deps.keys.now
    const prepayId =
      kind === 'weixin' ? (input.package ?? '').replace(/^prepay_id=/, '') : (input.prepayId ?? '')
    const isForm =
      kind === 'weixin'
        ? input.signType === 'RSA' && input.appId === wechat.appId
        : input.packageValue === 'Sign=WXPay' &&
          input.partnerId === wechat.merchant &&
          input.appId === wechat.openAppId
    const last = kind === 'weixin' ? input.package : input.prepayId
    const signed = [input.appId, input.timeStamp, input.nonceStr, last].map((line) => `${line}\n`).join('')
    const signature = Buffer.from((kind === 'weixin' ? input.paySign : input.sign) ?? '', 'base64')
    const { publicKey } = new X509Certificate(wechat.certificate.certificate)
    if (!isForm || !verify('sha256', Buffer.from(signed), publicKey, signature)) return null
    for (const trade of this.#deps.store.all())
      if (trade.way === 'wechat' && trade.app === input.appId && trade.more.prepayId === prepayId)
        return trade
    return null
  }
}

const keyOf = (tradeNo: string) => ({ way: 'wechat', tradeNo }) as const
const unknown = () => new WechatRefused(404, 'ORDER_NOT_EXIST', '订单不存在')
const wrong = (message: string) => new WechatRefused(400, 'PARAM_ERROR', message)

/** The same call again gives a new prepay id; another one with the same number nothing. */
function checkAgain(trade: Trade, scene: PayScene, input: Prepay): void {
  if (trade.state === 'paid') throw new WechatRefused(400, 'ORDERPAID', '该订单已支付')
  if (trade.state === 'closed' || isExpired(trade)) throw new WechatRefused(400, 'ORDER_CLOSED', '订单已关闭')
  const isSame =
    trade.scene === scene &&
    trade.fee === input.amount.total &&
    trade.app === input.appid &&
    trade.subject === input.description &&
    trade.notifyUrl === input.notify_url
  if (!isSame) throw new WechatRefused(403, 'OUT_TRADE_NO_USED', '商户订单号重复')
}

/** WeChat's page of H5 opens for five minutes. */
const isH5Late = (trade: Trade, query: URLSearchParams): boolean =>
  query.get('prepay_id') !== trade.more.prepayId || clock.now() - Number(trade.more.prepaidAt) > H5_LIVES_MS
