/** Alipay's side of the dialogue: the gateway, the address of codes, and the downloads of bills. */

import { clock } from '@guildhall/server/kit/clock.ts'
import type { PayData } from '@guildhall/server/outside/payment/payProvider.ts'
import { beijingDaySpan } from '@guildhall/wire/beijing.ts'
import { HOUR_MS, MINUTE_MS, type Millis, SECOND_MS } from '@guildhall/wire/unit.ts'
import { Addresses } from '../addresses.ts'
import type { Contract } from '../contractStore.ts'
import type {
  ContractNotification,
  Dialogue,
  DialogueDeps,
  PaymentNotification,
  SandboxAnswer,
  SandboxMessage,
  SandboxRequest,
} from '../dialogue.ts'
import type { Trade } from '../tradeStore.ts'
import { writeAlipayBill } from './alipayBill.ts'
import {
  type AlipayCall,
  AlipayRefused,
  answerCall,
  answerRefused,
  type Content,
  paramsOf,
  readCall,
  refused,
} from './alipayCall.ts'
import { AlipayContracts } from './alipayContracts.ts'
import { writeAgreementMessage, writeAlipayNotification } from './alipayNotification.ts'
import { AlipayTrades } from './alipayTrades.ts'

const GATEWAY = '/gateway.do'
const CODES = '/alipay/code/'
const BILLS = '/alipay/bill/'
const PAGE_CALL = 'alipay.trade.wap.pay'
const APP_CALL = 'alipay.trade.app.pay'
const SIGN_CALL = 'alipay.user.agreement.page.sign'
/** "异步通知": after the first try. */
const WAITS: readonly Millis[] = [
  4 * MINUTE_MS,
  10 * MINUTE_MS,
  10 * MINUTE_MS,
  HOUR_MS,
  2 * HOUR_MS,
  6 * HOUR_MS,
  15 * HOUR_MS,
]
/** The address of a bill counts for so long. */
const BILL_ADDRESS_MS = 30 * SECOND_MS

export class AlipayDialogue implements Dialogue {
  readonly way = 'alipay'
  readonly waits = WAITS
  readonly #deps: DialogueDeps
  readonly #contracts: AlipayContracts
  readonly #trades: AlipayTrades
  readonly #calls: Readonly<Record<string, (call: AlipayCall) => Content>>
  /** Of days. */
  readonly #bills = new Addresses<string>(BILL_ADDRESS_MS)

  constructor(deps: DialogueDeps) {
    this.#deps = deps
    this.#contracts = new AlipayContracts(deps)
    this.#trades = new AlipayTrades(deps, this.#contracts)
    this.#calls = {
      'alipay.trade.precreate': (call) => this.#precreate(call),
      'alipay.data.dataservice.bill.downloadurl.query': ({ content }) => this.#billAddress(content),
      ...this.#contracts.calls,
      ...this.#trades.calls,
    }
  }

  isMine(path: string): boolean {
    return path === GATEWAY || path.startsWith(CODES) || path.startsWith(BILLS)
  }

  async handle(request: SandboxRequest): Promise<SandboxAnswer> {
    if (request.path === GATEWAY) return this.#gateway(request)
    return request.path.startsWith(CODES)
      ? this.#code(request.path.slice(CODES.length))
      : this.#bill(request.path.slice(BILLS.length))
  }

  busy(request: SandboxRequest): SandboxAnswer {
    const method = new URLSearchParams(sentIn(request)).get('method') ?? undefined
    return answerRefused(method, new AlipayRefused('20000', 'isp.unknow-error'), this.#deps.keys.now)
  }

  async notificationOf(notification: PaymentNotification): Promise<SandboxMessage> {
    return writeAlipayNotification(notification, this.#deps.keys.now)
  }

  async contractMessageOf(notification: ContractNotification): Promise<SandboxMessage> {
    return writeAgreementMessage(notification, this.#deps.keys.now)
  }

  wasTaken(status: number, body: string): boolean {
    return status === 200 && body === 'success'
  }

  open(data: PayData): Trade | null {
    const { url } = this.#deps
    if (data.kind === 'alipay') return this.#openOrder(data.orderStr, APP_CALL)
    if (data.kind === 'redirect' && data.url.startsWith(`${url}${GATEWAY}?`))
      return this.#openOrder(new URL(data.url).search.slice(1), PAGE_CALL)
    if (data.kind !== 'qr' || !data.code.startsWith(`${url}${CODES}`)) return null
    const trade = this.#ofCode(data.code.slice(url.length + CODES.length))
    return trade && this.#trades.open(trade)
  }

  #gateway(request: SandboxRequest): SandboxAnswer {
    const { keys, cashier, contractPage } = this.#deps
    let method: string | undefined
    try {
      const params = paramsOf(sentIn(request))
      method = params.method
      const call = readCall(params, keys.now)
      if (method === SIGN_CALL) return redirect(contractPage(this.#offered(call)))
      if (method === PAGE_CALL) return redirect(cashier(this.#trades.make(call, true)))
      const answer = this.#calls[call.method]
      if (!answer) throw new AlipayRefused('40002', 'isv.invalid-method')
      return answerCall(call.method, answer(call), keys.now)
    } catch (error) {
      if (!(error instanceof AlipayRefused)) throw error
      return method === PAGE_CALL || method === SIGN_CALL
        ? page(400, error.message)
        : answerRefused(method, error, keys.now)
    }
  }

  /** Codes are trades that nobody has opened yet. */
  #precreate(call: AlipayCall): Content {
    const trade = this.#trades.make(call, false)
    if (trade.state === 'paid') throw refused('ACQ.TRADE_HAS_SUCCESS')
    if (trade.state === 'closed') throw refused('ACQ.TRADE_HAS_CLOSE')
    return { out_trade_no: trade.tradeNo, qr_code: `${this.#deps.url}${CODES}${trade.token}` }
  }

  #offered({ content, params }: AlipayCall): Contract {
    return this.#contracts.offer(content, {
      notifyUrl: params.notify_url ?? '',
      returnUrl: params.return_url ?? '',
      whilePaying: false,
    })
  }

  #code(token: string): SandboxAnswer {
    const trade = this.#ofCode(token)
    if (!trade) return page(404, 'there is no such code')
    return redirect(this.#deps.cashier(this.#trades.open(trade)))
  }

  #ofCode(token: string): Trade | null {
    const trade = this.#deps.store.byToken(token)
    return trade?.way === 'alipay' ? trade : null
  }

  /** A bill is made the day after, and not for a day without trade. */
  #billAddress({ bill_type, bill_date }: Content): Content {
    const day = String(bill_date)
    const span = beijingDaySpan(day)
    if (bill_type !== 'trade' || !span || span.to > clock.now()) throw refused('isv.invalid_arguments')
    if (this.#deps.store.billOf('alipay', day).length === 0) throw refused('isp.bill_not_exist')
    return { bill_download_url: `${this.#deps.url}${BILLS}${this.#bills.add(day)}` }
  }

  #bill(token: string): SandboxAnswer {
    const { keys, store } = this.#deps
    const day = this.#bills.find(token)
    if (day === null) return page(403, 'the address of the bill is too old')
    const body = writeAlipayBill(keys.now.alipay.merchant, day, store.billOf('alipay', day))
    return { status: 200, headers: { 'content-type': 'application/zip' }, body }
  }

  /** Alipay's app takes only what the merchant signed. */
  #openOrder(encoded: string, wanted: string): Trade | null {
    try {
      const call = readCall(paramsOf(encoded), this.#deps.keys.now)
      return call.method === wanted ? this.#trades.make(call, true) : null
    } catch (error) {
      if (error instanceof AlipayRefused) return null
      throw error
    }
  }
}

/** What a call sends, in the address and in the body. */
const sentIn = ({ search, body }: SandboxRequest): string =>
  [search.slice(1), body.toString('utf8')].filter((part) => part !== '').join('&')

const redirect = (location: string): SandboxAnswer => ({ status: 302, headers: { location }, body: '' })

const page = (status: number, text: string): SandboxAnswer => ({
  status,
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  body: `Alipay sandbox: ${text}`,
})
