/** Alipay's side of the dialogue: the gateway, the address of codes, and the downloads of bills. */

import { clock } from '@guildhall/server/kit/clock.ts'
import { ids } from '@guildhall/server/kit/ids.ts'
import type { PayData } from '@guildhall/server/outside/payment/payProvider.ts'
import { beijingDaySpan } from '@guildhall/wire/beijing.ts'
import { HOUR_MS, MINUTE_MS, type Millis, SECOND_MS } from '@guildhall/wire/unit.ts'
import { writeAlipayBill } from './alipayBill.ts'
import {
  type AlipayCall,
  AlipayRefused,
  answerCall,
  answerRefused,
  paramsOf,
  readCall,
} from './alipayCall.ts'
import { openAlipayContracts } from './alipayContracts.ts'
import { writeAgreementMessage, writeAlipayNotification } from './alipayNotification.ts'
import { openAlipayTrades } from './alipayTrades.ts'
import type { Trade } from './book.ts'
import type { Contract } from './contracts.ts'
import type { Dialogue, DialogueDeps, SandboxAnswer, SandboxRequest } from './dialogue.ts'

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

export function openAlipayDialogue(deps: DialogueDeps): Dialogue {
  const { book, keys, url, cashier } = deps
  const contracts = openAlipayContracts(deps)
  const trades = openAlipayTrades(deps, contracts)
  const bills = new Map<string, { readonly day: string; readonly until: Millis }>()

  /** Codes are trades that nobody has opened yet. */
  function precreate(call: AlipayCall): Readonly<Record<string, unknown>> {
    const trade = trades.make(call, false)
    if (trade.state === 'paid') throw new AlipayRefused('40004', 'ACQ.TRADE_HAS_SUCCESS')
    if (trade.state === 'closed') throw new AlipayRefused('40004', 'ACQ.TRADE_HAS_CLOSE')
    return { out_trade_no: trade.tradeNo, qr_code: `${url}${CODES}${trade.token}` }
  }

  /** A bill is made the day after, and not for a day without trade. */
  function billAddress({ bill_type, bill_date }: AlipayCall['content']): Readonly<Record<string, unknown>> {
    const span = beijingDaySpan(String(bill_date))
    if (bill_type !== 'trade' || !span || span.to > clock.now())
      throw new AlipayRefused('40004', 'isv.invalid_arguments')
    const day = String(bill_date)
    if (book.billOf('alipay', day).length === 0) throw new AlipayRefused('40004', 'isp.bill_not_exist')
    const token = ids.token()
    for (const [old, { until }] of bills) if (until < clock.now()) bills.delete(old)
    bills.set(token, { day, until: clock.now() + BILL_ADDRESS_MS })
    return { bill_download_url: `${url}${BILLS}${token}` }
  }

  function bodyOf(call: AlipayCall): Readonly<Record<string, unknown>> {
    if (call.method === 'alipay.trade.precreate') return precreate(call)
    if (call.method === 'alipay.data.dataservice.bill.downloadurl.query') return billAddress(call.content)
    const ofContract = contracts.calls[call.method]
    if (ofContract) return ofContract(call)
    const answer = trades.calls[call.method]
    if (!answer) throw new AlipayRefused('40002', 'isv.invalid-method')
    return answer(call.content)
  }

  function gateway(request: SandboxRequest): SandboxAnswer {
    const sent = sentIn(request)
    let method: string | undefined
    try {
      const params = paramsOf(sent)
      method = params.method
      const call = readCall(params, keys.now)
      if (method === SIGN_CALL) return redirect(deps.contractPage(offered(call)))
      if (method !== PAGE_CALL) return answerCall(call.method, bodyOf(call), keys.now)
      return redirect(cashier(trades.make(call, true)))
    } catch (error) {
      if (!(error instanceof AlipayRefused)) throw error
      return method === PAGE_CALL || method === SIGN_CALL
        ? page(400, error.message)
        : answerRefused(method, error, keys.now)
    }
  }

  const offered = ({ content, params }: AlipayCall): Contract =>
    contracts.offer(content, {
      notifyUrl: params.notify_url ?? '',
      returnUrl: params.return_url ?? '',
      whilePaying: false,
    })

  function code(token: string): SandboxAnswer {
    const trade = ofCode(token)
    return trade ? redirect(cashier(trades.open(trade))) : page(404, 'there is no such code')
  }

  const ofCode = (token: string): Trade | null => {
    const trade = book.byToken(token)
    return trade?.way === 'alipay' ? trade : null
  }

  function bill(token: string): SandboxAnswer {
    const found = bills.get(token)
    if (!found || found.until < clock.now()) return page(403, 'the address of the bill is too old')
    const { merchant } = keys.now.alipay
    const body = writeAlipayBill(merchant, found.day, book.billOf('alipay', found.day))
    return { status: 200, headers: { 'content-type': 'application/zip' }, body }
  }

  /** Alipay's app takes only what the merchant signed. */
  function openOrder(encoded: string, wanted: string): Trade | null {
    try {
      const call = readCall(paramsOf(encoded), keys.now)
      return call.method === wanted ? trades.make(call, true) : null
    } catch (error) {
      if (error instanceof AlipayRefused) return null
      throw error
    }
  }

  function open(data: PayData): Trade | null {
    if (data.kind === 'alipay') return openOrder(data.orderStr, APP_CALL)
    if (data.kind === 'redirect' && data.url.startsWith(`${url}${GATEWAY}?`))
      return openOrder(new URL(data.url).search.slice(1), PAGE_CALL)
    if (data.kind !== 'qr' || !data.code.startsWith(`${url}${CODES}`)) return null
    const trade = ofCode(data.code.slice(url.length + CODES.length))
    return trade && trades.open(trade)
  }

  return {
    way: 'alipay',
    waits: WAITS,
    open,
    isMine: (path) => path === GATEWAY || path.startsWith(CODES) || path.startsWith(BILLS),
    async handle(request) {
      if (request.path === GATEWAY) return gateway(request)
      return request.path.startsWith(CODES)
        ? code(request.path.slice(CODES.length))
        : bill(request.path.slice(BILLS.length))
    },
    busy: (request) =>
      answerRefused(
        new URLSearchParams(sentIn(request)).get('method') ?? undefined,
        new AlipayRefused('20000', 'isp.unknow-error'),
        keys.now,
      ),
    notificationOf: async (told) => writeAlipayNotification(told, keys.now),
    contractMessageOf: async (told) => writeAgreementMessage(told, keys.now),
    wasTaken: (status, body) => status === 200 && body === 'success',
  }
}

/** What a call sends, in the address and in the body. */
const sentIn = ({ search, body }: SandboxRequest): string =>
  [search.slice(1), body.toString('utf8')].filter((part) => part !== '').join('&')

const redirect = (location: string): SandboxAnswer => ({ status: 302, headers: { location }, body: '' })

const page = (status: number, words: string): SandboxAnswer => ({
  status,
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  body: `Alipay sandbox: ${words}`,
})
