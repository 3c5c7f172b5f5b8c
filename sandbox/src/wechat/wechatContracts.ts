/** WeChat Pay's calls about contracts ("委托代扣"), its rules for notices and charges, and its messages. */

import { clock } from '@guildhall/server/kit/clock.ts'
import { dayNumber, dayStart } from '@guildhall/wire/beijing.ts'
import { z } from '@guildhall/wire/schema.ts'
import { HOUR_MS } from '@guildhall/wire/unit.ts'
import { charge } from '../charge.ts'
import type { Contract, NewContract } from '../contractStore.ts'
import type { DialogueDeps, SandboxAnswer, SandboxRequest } from '../dialogue.ts'
import { answerJson, readContent, timeText, WechatRefused } from './wechatCall.ts'

const OPENS_MS = 7 * HOUR_MS
const CLOSES_MS = 22 * HOUR_MS
/** "首次签约": within it a charge needs no notice. */
const FREE_MS = 12 * HOUR_MS
const WAITING_DAYS = 2
const LIVES_MS = 24 * HOUR_MS

const text = (max: number) => z.string().check(z.minLength(1), z.maxLength(max))
const url = z.string().check(z.maxLength(256), z.regex(/^https?:\/\/[^?#]+$/))
const contractNo = z.string().check(z.regex(/^[0-9a-zA-Z]{1,32}$/))
const fen = z.int().check(z.gte(1))
const currency = z.literal('CNY')

/** `contract_info` of a payment that signs. */
export const contractInfo = z.strictObject({
  plan_id: text(28),
  contract_mchid: text(32),
  contract_appid: text(32),
  contract_code: contractNo,
  request_serial: z.string().check(z.regex(/^\d{1,12}$/)),
  contract_display_account: text(128),
  contract_notify_url: url,
})
const signing = z.strictObject({
  sign_scene: z.literal('SIGN_SCENE_QRCODE'),
  appid: text(32),
  plan_id: z.int(),
  out_contract_code: contractNo,
  contract_display_account: text(32),
  contract_notify_url: url,
  out_user_code: text(64),
  return_url: z.optional(z.string().check(z.maxLength(256))),
  device_info: z.strictObject({
    device_type: z.literal('DEVICE_TYPE_UNKNOW'),
    device_os: text(64),
    device_id: text(64),
    device_running_as_root: z.boolean(),
    device_ip: text(45),
    weixin_installed: z.boolean(),
    weixin_version: z.string(),
    days_since_first_login: z.literal('DAYS_SINCE_FIRST_LOGIN_UNKNOW'),
  }),
})
const ending = z.strictObject({ contract_termination_remark: text(256) })
const notice = z.strictObject({
  mchid: text(32),
  appid: text(32),
  estimated_amount: z.strictObject({ amount: fen, currency }),
  deduct_duration: z.strictObject({ count: z.int().check(z.gte(1), z.lte(7)), unit: z.literal('DAY') }),
})
const charging = z.strictObject({
  appid: text(32),
  out_trade_no: z.string().check(z.regex(/^[0-9a-zA-Z_\-*]{6,32}$/)),
  description: text(127),
  transaction_notify_url: url,
  contract_id: text(32),
  amount: z.strictObject({ total: fen, currency }),
})

const refuse = (code: string, message: string, status = 400): never => {
  throw new WechatRefused(status, code, message)
}

/** A contract, as WeChat's answers and messages show it. */
export function contractOf(input: Contract): Record<string, unknown> {
  return {
    mchid: input.merchant,
    appid: input.app,
    plan_id: Number(input.more.plan),
    contract_id: input.providerNo,
    out_contract_code: input.contractNo,
    contract_display_account: input.account,
    openid: `o${input.contractNo}`,
    contract_state: input.state === 'ended' ? 'TERMINATED' : 'SIGNED',
    contract_signed_time: timeText(input.signedAt ?? input.madeAt),
    ...(input.state === 'ended' && {
      contract_terminate_info: {
        contract_termination_mode: 'USER',
        contract_terminated_time: timeText(clock.now()),
      },
    }),
  }
}

export class WechatContracts {
  readonly #deps: DialogueDeps

  constructor(deps: DialogueDeps) {
    this.#deps = deps
  }

  /** A code that a phone scans to sign. @throws WechatRefused */
  preSign(request: SandboxRequest): SandboxAnswer {
    const it = readContent(signing, request)
    const { wechat } = this.#deps.keys.now
    if (it.appid !== wechat.appId) refuse('APPID_MCHID_NOT_MATCH', 'appid和mch_id不匹配')
    const offered = this.#offer({
      contractNo: it.out_contract_code,
      app: it.appid,
      account: it.contract_display_account,
      notifyUrl: it.contract_notify_url,
      scene: 'qr',
      returnUrl: it.return_url ?? '',
      more: { plan: String(it.plan_id), signer: signerOf(request) },
    })
    return answerJson(200, {
      pre_entrustweb_id: offered.token,
      redirect_url: this.#deps.contractPage(offered),
    })
  }

  /** Offers what a payment signs. @throws WechatRefused */
  offerWith(input: z.output<typeof contractInfo>, app: string): Contract {
    const { wechat } = this.#deps.keys.now
    if (input.contract_mchid !== wechat.merchant || input.contract_appid !== app)
      refuse('PARAM_ERROR', '签约商户号或签约appid不一致')
    return this.#offer({
      contractNo: input.contract_code,
      app,
      account: input.contract_display_account,
      notifyUrl: input.contract_notify_url,
      scene: null,
      returnUrl: '',
      more: { plan: input.plan_id },
    })
  }

  /** By the merchant's number. @throws WechatRefused */
  query(plan: string, contractNo: string): SandboxAnswer {
    return answerJson(200, contractOf(this.#known(plan, contractNo)))
  }

  /** By the merchant's number. @throws WechatRefused */
  end(plan: string, contractNo: string, request: SandboxRequest): SandboxAnswer {
    readContent(ending, request)
    const ended = this.#deps.contracts.end(signed(this.#known(plan, contractNo)))
    this.#deps.notifyContract(ended, 'ended')
    return answerJson(200, contractOf(ended))
  }

  /** By WeChat's number. @throws WechatRefused */
  notify(providerNo: string, request: SandboxRequest): SandboxAnswer {
    const it = readContent(notice, request)
    const { contracts, faults } = this.#deps
    const contract = signed(contracts.byProviderNo('wechat', providerNo))
    if (it.appid !== contract.app) refuse('APPID_MCHID_NOT_MATCH', 'appid和mch_id不匹配')
    if (faults.noticesFail) refuse('NO_AUTH', '当前签约的模板不是周期扣费类型,不能下发扣费前通知', 403)
    if (!isOpen()) refuse('INVALID_REQUEST', '不在可通知时间段')
    const before = contract.notice
    const isRunning =
      before !== null &&
      !before.isUsed &&
      dayNumber(clock.now()) < dayNumber(before.at) + WAITING_DAYS + before.days
    if (isRunning) refuse('INVALID_REQUEST', '当前扣费周期未结束')
    contracts.write({
      ...contract,
      notice: {
        at: clock.now(),
        fee: it.estimated_amount.amount,
        days: it.deduct_duration.count,
        isUsed: false,
      },
    })
    return answerJson(204, null)
  }

  /** @throws WechatRefused */
  charge(request: SandboxRequest): SandboxAnswer {
    const it = readContent(charging, request)
    const contract = signed(this.#deps.contracts.byProviderNo('wechat', it.contract_id))
    const { total } = it.amount
    charge(this.#deps, {
      trade: {
        way: 'wechat',
        tradeNo: it.out_trade_no,
        merchant: contract.merchant,
        app: it.appid,
        fee: total,
        subject: it.description,
        notifyUrl: it.transaction_notify_url,
        expiresAt: clock.now() + LIVES_MS,
        more: { openid: `o${contract.contractNo}`, signer: signerOf(request) },
      },
      charged: { ...contract, notice: contract.notice && { ...contract.notice, isUsed: true } },
      check: () => checkCharge(contract, total),
      refusal: (why) => CHARGE_REFUSALS[why](),
    })
    return answerJson(200, { out_trade_no: it.out_trade_no, amount: { total, currency: 'CNY' } })
  }

  #offer(input: Omit<NewContract, 'way' | 'merchant' | 'most'>): Contract {
    const { merchant } = this.#deps.keys.now.wechat
    const offered = this.#deps.contracts.offer({ ...input, way: 'wechat', merchant, most: null })
    return offered ?? refuse('INVALID_REQUEST', '签约协议号重复')
  }

  /** What nobody has signed is not there. */
  #known(plan: string, contractNo: string): Contract {
    const it = need(this.#deps.contracts.find('wechat', contractNo))
    return it.state === 'offered' || it.more.plan !== plan ? need(null) : it
  }
}

const CHARGE_REFUSALS = {
  paid: () => new WechatRefused(400, 'ORDERPAID', '该订单已支付'),
  other: () => new WechatRefused(403, 'OUT_TRADE_NO_USED', '商户订单号重复'),
  poor: () => new WechatRefused(403, 'NOT_ENOUGH', '余额不足'),
} as const

const need = (contract: Contract | null): Contract =>
  contract ?? refuse('RESOURCE_NOT_EXISTS', '签约协议不存在', 404)

const signed = (contract: Contract | null): Contract => {
  const it = need(contract)
  return it.state === 'signed' ? it : refuse('CONTRACT_NOT_SIGNED', '签约协议已解约', 403)
}

/** The hours in which people are told and charged. */
function isOpen(): boolean {
  const time = clock.now() - dayStart(dayNumber(clock.now()))
  return time >= OPENS_MS && time < CLOSES_MS
}

function checkCharge({ notice, signedAt }: Contract, fee: number): void {
  if (notice === null && signedAt !== null && clock.now() - signedAt < FREE_MS) return
  if (!isOpen()) refuse('INVALID_REQUEST', '不在可扣费时间段')
  const first = notice === null ? Number.POSITIVE_INFINITY : dayNumber(notice.at) + WAITING_DAYS
  const today = dayNumber(clock.now())
  if (notice === null || notice.isUsed || today < first || today >= first + notice.days)
    return refuse('INVALID_REQUEST', '不在可扣费期')
  if (fee > notice.fee) refuse('INVALID_REQUEST', '扣费金额超过预计扣费金额')
}

/** A merchant that asked for answers by the public key gets its messages by it too. */
export const signerOf = ({ headers }: SandboxRequest): string => String(headers['wechatpay-serial'] ?? '')
