/** WeChat Pay's side of the dialogue: API v3 of an ordinary merchant, and what version 2 alone has. */
import type { PayData } from '@guildhall/server/outside/payment/payProvider.ts'
import { HOUR_MS, MINUTE_MS, type Millis, SECOND_MS } from '@guildhall/wire/unit.ts'
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
import type { Keys, SandboxKeys } from '../keys.ts'
import type { Trade } from '../tradeStore.ts'
import { WechatBills } from './wechatBills.ts'
import {
  answerJson,
  answerRefused,
  openWechatGuard,
  signedHeaders,
  timeText,
  WechatRefused,
} from './wechatCall.ts'
import { WechatContracts } from './wechatContracts.ts'
import { encrypted, writeWechatContractMessage, writeWechatNotification } from './wechatNotification.ts'
import { WechatRefunds } from './wechatRefunds.ts'
import { WechatTrades } from './wechatTrades.ts'
import { WechatV2, wasTakenV2 } from './wechatV2.ts'

/** "通知频率": 15s/15s/30s/3m/10m/20m/30m/30m/30m/60m/3h/3h/3h/6h/6h. */
const WAITS: readonly Millis[] = [
  15 * SECOND_MS,
  15 * SECOND_MS,
  30 * SECOND_MS,
  3 * MINUTE_MS,
  10 * MINUTE_MS,
  20 * MINUTE_MS,
  30 * MINUTE_MS,
  30 * MINUTE_MS,
  30 * MINUTE_MS,
  HOUR_MS,
  3 * HOUR_MS,
  3 * HOUR_MS,
  3 * HOUR_MS,
  6 * HOUR_MS,
  6 * HOUR_MS,
]
const DOWNLOAD = '/v3/billdownload/file'

type Route = readonly [
  method: string,
  path: RegExp,
  run: (request: SandboxRequest, part: string, second: string) => SandboxAnswer,
]

export class WechatDialogue implements Dialogue {
  readonly way = 'wechat'
  readonly waits = WAITS
  readonly #keys: SandboxKeys
  readonly #guard: (request: SandboxRequest) => void
  readonly #trades: WechatTrades
  readonly #v2: WechatV2
  readonly #routes: readonly Route[]

  constructor(deps: DialogueDeps) {
    const contracts = new WechatContracts(deps)
    this.#keys = deps.keys
    this.#guard = openWechatGuard(deps.keys)
    this.#trades = new WechatTrades(deps, contracts)
    this.#v2 = new WechatV2(deps)
    this.#routes = [
      ...routesOfTrades(this.#trades),
      ...routesOfContracts(contracts),
      ...routesOfRefunds(new WechatRefunds(deps)),
      ...routesOfBills(new WechatBills(deps)),
      ['GET', /^\/v3\/certificates$/, () => certificatesOf(deps.keys.now)],
    ]
  }

  isMine(path: string): boolean {
    return path.startsWith('/v3/') || this.#v2.isMine(path)
  }

  async handle(request: SandboxRequest): Promise<SandboxAnswer> {
    if (this.#v2.isMine(request.path)) return this.#v2.handle(request)
    const answer = this.#answerOf(request)
    // Whoever is not the merchant gets no signature, and bills have none.
    if (answer.status === 401 || request.path === DOWNLOAD) return answer
    const asked = request.headers['wechatpay-serial']
    const serial = typeof asked === 'string' ? asked : null
    const signature = signedHeaders(this.#keys.now, answer.body, { serial })
    return { ...answer, headers: { ...answer.headers, ...signature } }
  }

  busy({ path }: SandboxRequest): SandboxAnswer {
    return this.#v2.isMine(path)
      ? this.#v2.busy(path)
      : answerRefused(new WechatRefused(500, 'SYSTEM_ERROR', '系统错误'))
  }

  async notificationOf(notification: PaymentNotification): Promise<SandboxMessage> {
    return writeWechatNotification(notification, this.#keys.now)
  }

  async contractMessageOf(notification: ContractNotification): Promise<SandboxMessage> {
    return writeWechatContractMessage(notification, this.#keys.now)
  }

  wasTaken(status: number, body: string, notification: Pick<SandboxMessage, 'body'>): boolean {
    return wasTakenV2(status, body, notification.body) ?? (status === 200 || status === 204)
  }

  open(data: PayData): Trade | null {
    return this.#trades.open(data)
  }

  arrive(trade: Trade, query: URLSearchParams): Trade | null {
    return this.#trades.arrive(trade, query)
  }

  arriveAtContract(contract: Contract, request: SandboxRequest): Contract | string {
    return this.#v2.arrive(contract, request)
  }

  changeKeys(): Promise<void> {
    return this.#keys.addPlatformCertificate()
  }

  #answerOf(request: SandboxRequest): SandboxAnswer {
    try {
      this.#guard(request)
      for (const [method, path, run] of this.#routes) {
        const found = request.method === method ? path.exec(request.path) : null
        if (found) return run(request, decodeURIComponent(found[1] ?? ''), decodeURIComponent(found[2] ?? ''))
      }
      throw new WechatRefused(404, 'NOT_FOUND', '接口不存在')
    } catch (error) {
      if (error instanceof WechatRefused) return answerRefused(error)
      throw error
    }
  }
}

const routesOfTrades = (trades: WechatTrades): readonly Route[] => [
  ['POST', /^\/v3\/pay\/transactions\/([\w-]+)$/, (request, kind) => trades.prepay(kind, request)],
  [
    'GET',
    /^\/v3\/pay\/transactions\/out-trade-no\/([^/]+)$/,
    (request, tradeNo) => trades.query({ tradeNo }, merchantOf(request)),
  ],
  [
    'GET',
    /^\/v3\/pay\/transactions\/id\/([^/]+)$/,
    (request, providerNo) => trades.query({ providerNo }, merchantOf(request)),
  ],
  [
    'POST',
    /^\/v3\/pay\/transactions\/out-trade-no\/([^/]+)\/close$/,
    (request, tradeNo) => trades.close(tradeNo, request),
  ],
]

const routesOfContracts = (contracts: WechatContracts): readonly Route[] => [
  ['POST', /^\/v3\/papay\/sign\/contracts\/pre-entrust-sign$/, (request) => contracts.preSign(request)],
  [
    'GET',
    /^\/v3\/papay\/sign\/contracts\/plan-id\/(\d+)\/out-contract-code\/(\w+)$/,
    (_request, plan, no) => contracts.query(plan, no),
  ],
  [
    'POST',
    /^\/v3\/papay\/sign\/contracts\/plan-id\/(\d+)\/out-contract-code\/(\w+)\/terminate$/,
    (request, plan, no) => contracts.end(plan, no, request),
  ],
  ['POST', /^\/v3\/papay\/contracts\/(\w+)\/notify$/, (request, no) => contracts.notify(no, request)],
  ['POST', /^\/v3\/papay\/pay\/transactions\/apply$/, (request) => contracts.charge(request)],
]

const routesOfRefunds = (refunds: WechatRefunds): readonly Route[] => [
  ['POST', /^\/v3\/refund\/domestic\/refunds$/, (request) => refunds.make(request)],
  ['GET', /^\/v3\/refund\/domestic\/refunds\/([^/]+)$/, (_request, refundNo) => refunds.query(refundNo)],
]

const routesOfBills = (bills: WechatBills): readonly Route[] => [
  ['GET', /^\/v3\/bill\/tradebill$/, (request) => bills.apply(queryOf(request))],
  ['GET', /^\/v3\/billdownload\/file$/, (request) => bills.download(queryOf(request))],
]

const queryOf = ({ search }: SandboxRequest): URLSearchParams => new URLSearchParams(search)
const merchantOf = (request: SandboxRequest): string | null => queryOf(request).get('mchid')

function certificatesOf({ wechat }: Keys): SandboxAnswer {
  const data = wechat.platform.map(({ serial, certificate, from, until }) => ({
    serial_no: serial,
    effective_time: timeText(from),
    expire_time: timeText(until),
    encrypt_certificate: encrypted(wechat.apiV3Key, certificate, 'certificate'),
  }))
  return answerJson(200, { data })
}
