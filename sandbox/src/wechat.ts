/** WeChat Pay's side of the dialogue: API v3 of an ordinary merchant, and what version 2 alone has. */
import { HOUR_MS, MINUTE_MS, type Millis, SECOND_MS } from '@guildhall/wire/unit.ts'
import type { Dialogue, DialogueDeps, SandboxAnswer, SandboxRequest } from './dialogue.ts'
import type { Keys } from './keys.ts'
import { openWechatBills } from './wechatBills.ts'
import {
  answerJson,
  answerRefused,
  openWechatGuard,
  signedHeaders,
  timeText,
  WechatRefused,
} from './wechatCall.ts'
import { openWechatContracts } from './wechatContracts.ts'
import { encrypted, writeWechatContractMessage, writeWechatNotification } from './wechatNotification.ts'
import { openWechatRefunds } from './wechatRefunds.ts'
import { openWechatTrades } from './wechatTrades.ts'
import { openWechatV2, wasTakenV2 } from './wechatV2.ts'

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

export function openWechatDialogue(deps: DialogueDeps): Dialogue {
  const { keys } = deps
  const guard = openWechatGuard(keys)
  const trades = openWechatTrades(deps)
  const refunds = openWechatRefunds(deps)
  const bills = openWechatBills(deps)
  const contracts = openWechatContracts(deps)
  const v2 = openWechatV2(deps)
  const merchantOf = (request: SandboxRequest) => queryOf(request).get('mchid')
  const routes: readonly Route[] = [
    ['GET', /^\/v3\/certificates$/, () => certificatesOf(keys.now)],
    [
      'POST',
      /^\/v3\/pay\/transactions\/([\w-]+)$/,
      (request, kind) => trades.prepay(kind, request, contracts),
    ],
    ['POST', /^\/v3\/papay\/sign\/contracts\/pre-entrust-sign$/, (request) => contracts.preSign(request)],
    [
      ...(['GET', /^\/v3\/papay\/sign\/contracts\/plan-id\/(\d+)\/out-contract-code\/(\w+)$/] as const),
      (_request, plan, no) => contracts.query(plan, no),
    ],
    [
      ...([
        'POST',
        /^\/v3\/papay\/sign\/contracts\/plan-id\/(\d+)\/out-contract-code\/(\w+)\/terminate$/,
      ] as const),
      (request, plan, no) => contracts.end(plan, no, request),
    ],
    ['POST', /^\/v3\/papay\/contracts\/(\w+)\/notify$/, (request, no) => contracts.notify(no, request)],
    ['POST', /^\/v3\/papay\/pay\/transactions\/apply$/, (request) => contracts.charge(request)],
    [
      ...(['GET', /^\/v3\/pay\/transactions\/out-trade-no\/([^/]+)$/] as const),
      (request, tradeNo) => trades.query({ tradeNo }, merchantOf(request)),
    ],
    [
      ...(['GET', /^\/v3\/pay\/transactions\/id\/([^/]+)$/] as const),
      (request, providerNo) => trades.query({ providerNo }, merchantOf(request)),
    ],
    [
      ...(['POST', /^\/v3\/pay\/transactions\/out-trade-no\/([^/]+)\/close$/] as const),
      (request, tradeNo) => trades.close(tradeNo, request),
    ],
    ['POST', /^\/v3\/refund\/domestic\/refunds$/, (request) => refunds.make(request)],
    ['GET', /^\/v3\/refund\/domestic\/refunds\/([^/]+)$/, (_request, refundNo) => refunds.query(refundNo)],
    ['GET', /^\/v3\/bill\/tradebill$/, (request) => bills.apply(queryOf(request))],
    ['GET', /^\/v3\/billdownload\/file$/, (request) => bills.download(queryOf(request))],
  ]

  function answerOf(request: SandboxRequest): SandboxAnswer {
    try {
      guard(request)
      for (const [method, path, run] of routes) {
        const found = request.method === method ? path.exec(request.path) : null
        if (found) return run(request, decodeURIComponent(found[1] ?? ''), decodeURIComponent(found[2] ?? ''))
      }
      throw new WechatRefused(404, 'NOT_FOUND', '接口不存在')
    } catch (error) {
      if (error instanceof WechatRefused) return answerRefused(error)
      throw error
    }
  }

  return {
    way: 'wechat',
    waits: WAITS,
    open: trades.open,
    arrive: trades.arrive,
    isMine: (path) => path.startsWith('/v3/') || v2.isMine(path),
    async handle(request) {
      if (v2.isMine(request.path)) return v2.handle(request)
      const answer = answerOf(request)
      // Whoever is not the merchant gets no signature, and bills have none.
      if (answer.status === 401 || request.path === DOWNLOAD) return answer
      const asked = request.headers['wechatpay-serial']
      const serial = typeof asked === 'string' ? asked : null
      return {
        ...answer,
        headers: { ...answer.headers, ...signedHeaders(keys.now, answer.body, { serial }) },
      }
    },
    busy: ({ path }) =>
      v2.isMine(path) ? v2.busy(path) : answerRefused(new WechatRefused(500, 'SYSTEM_ERROR', '系统错误')),
    notificationOf: async (told) => writeWechatNotification(told, keys.now),
    contractMessageOf: async (told) => writeWechatContractMessage(told, keys.now),
    arriveAtContract: v2.arrive,
    wasTaken: (status, body, told) =>
      wasTakenV2(status, body, told.body) ?? (status === 200 || status === 204),
    changeKeys: () => keys.addPlatformCertificate(),
  }
}

const queryOf = ({ search }: SandboxRequest): URLSearchParams => new URLSearchParams(search)

function certificatesOf({ wechat }: Keys): SandboxAnswer {
  const data = wechat.platform.map(({ serial, certificate, from, until }) => ({
    serial_no: serial,
    effective_time: timeText(from),
    expire_time: timeText(until),
    encrypt_certificate: encrypted(wechat.apiV3Key, certificate, 'certificate'),
  }))
  return answerJson(200, { data })
}
