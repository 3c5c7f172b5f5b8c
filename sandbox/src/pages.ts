/** The pages for people: the newest trades, and the cashier, where one does what a buyer does. */
import { ids } from '@guildhall/server/kit/ids.ts'
import type { Contract } from './contractStore.ts'
import { type ControlInput, ControlRefused } from './control.ts'
import { type ActDeps, actOnTrade, changeContract } from './controlActions.ts'
import type { SandboxAnswer, SandboxRequest } from './dialogue.ts'
import {
  type Action,
  type ContractAction,
  cashierPage,
  contractPageText,
  isAction,
  isContractAction,
  listPage,
  PAGE_HEADERS,
  problemPage,
} from './pageText.ts'
import { isExpired, refundedOf, type Trade } from './tradeStore.ts'

const LISTED = 50
const LATE_SECONDS = 60
const CASHIER = '/cashier/'
const CONTRACT = '/contract/'

/** Answers a request for a page; null for another address. */
export function openPages(deps: ActDeps): (request: SandboxRequest) => Promise<SandboxAnswer | null> {
  return async (request) => {
    if (request.path === '/')
      return request.method === 'GET'
        ? page(
            200,
            listPage(
              deps.store.newest(LISTED).map((trade) => rowOf(deps, trade)),
              contractRows(deps),
            ),
          )
        : page(405, problemPage('不支持这个方法'))
    if (request.path.startsWith(CONTRACT)) return contractAnswer(deps, request)
    if (!request.path.startsWith(CASHIER)) return null
    const trade = deps.store.byToken(request.path.slice(CASHIER.length))
    if (!trade) return page(404, problemPage('没有这笔交易'))
    return request.method === 'POST' ? doAction(deps, trade, request) : showCashier(deps, trade, request)
  }
}

const page = (status: number, body: string): SandboxAnswer => ({ status, headers: PAGE_HEADERS, body })

const rowOf = ({ cashier }: ActDeps, trade: Trade) => ({
  trade,
  address: cashier(trade),
  status: statusOf(trade),
})

function showCashier(deps: ActDeps, found: Trade, { search }: SandboxRequest): SandboxAnswer {
  const query = new URLSearchParams(search)
  const dialogue = deps.dialogueOf(found.way)
  const trade = dialogue.arrive ? dialogue.arrive(found, query) : found
  if (!trade) return page(410, problemPage('支付链接已过期，请回到商户重新发起'))
  const did = query.get('did')
  return page(
    200,
    cashierPage({
      trade,
      actions: actionsOf(trade),
      did: isAction(did) ? did : null,
      status: statusOf(trade),
      back: /^https?:/.test(trade.returnUrl) ? trade.returnUrl : '',
    }),
  )
}

/** What the buyer may do now. */
function actionsOf(trade: Trade): readonly Action[] {
  if (trade.state === 'paid') return refundedOf(trade) < trade.fee ? ['refund'] : []
  if (trade.state === 'closed' || isExpired(trade)) return ['anyway']
  return ['pay', 'cancel', 'fail', 'twice', 'late']
}

const statusOf = (trade: Trade): string => {
  if (trade.state === 'paid') {
    const back = refundedOf(trade)
    return back === 0 ? '已支付' : back < trade.fee ? '部分退款' : '已退款'
  }
  return trade.state === 'closed' ? '已关闭' : isExpired(trade) ? '已过期' : '待支付'
}

/** The buyer is not kept waiting for the server: what is told to it goes on by itself. */
function doAction(deps: ActDeps, trade: Trade, { body }: SandboxRequest): SandboxAnswer {
  const action = new URLSearchParams(body.toString('utf8')).get('do')
  if (!isAction(action) || !actionsOf(trade).includes(action))
    return page(409, problemPage('现在不能这样做，请返回重试'))
  try {
    void actOnTrade(deps, trade, inputOf(trade, action))
  } catch (error) {
    if (error instanceof ControlRefused) return page(409, problemPage('现在不能这样做，请返回重试'))
    throw error
  }
  return { status: 303, headers: { location: `${CASHIER}${trade.token}?did=${action}` }, body: '' }
}

/** The newest contracts, the newest first. */
const contractRows = ({ contracts, contractPage }: ActDeps) =>
  contracts
    .all()
    .slice(-LISTED)
    .reverse()
    .map((contract) => ({ contract, address: contractPage(contract) }))

/** The page on which a person signs a contract, and ends it. */
function contractAnswer(deps: ActDeps, request: SandboxRequest): SandboxAnswer {
  const found = deps.contracts.byToken(request.path.slice(CONTRACT.length))
  if (!found) return page(404, problemPage('没有这份协议'))
  const contract = deps.dialogueOf(found.way).arriveAtContract?.(found, request) ?? found
  if (typeof contract === 'string') return page(410, problemPage(contract))
  const actions = contractActionsOf(contract)
  if (request.method !== 'POST') {
    const did = new URLSearchParams(request.search).get('did')
    const back = /^https?:/.test(contract.returnUrl) ? contract.returnUrl : ''
    return page(200, contractPageText({ contract, actions, did: isContractAction(did) ? did : null, back }))
  }
  const action = new URLSearchParams(request.body.toString('utf8')).get('do')
  if (!isContractAction(action) || !actions.includes(action))
    return page(409, problemPage('现在不能这样做，请返回重试'))
  if (action !== 'decline') void changeContract(deps, contract, {}, { do: action })
  return { status: 303, headers: { location: `${CONTRACT}${contract.token}?did=${action}` }, body: '' }
}

/** What the person may do now. */
const contractActionsOf = ({ state, scene }: Contract): readonly ContractAction[] => {
  if (state === 'signed') return ['end']
  // What is signed while paying is signed at the cashier.
  return state === 'offered' && scene !== null ? ['sign', 'decline'] : []
}

function inputOf(trade: Trade, action: Action): ControlInput {
  const inputs: Readonly<Record<Action, ControlInput>> = {
    pay: {},
    cancel: { cancel: true },
    fail: { fail: true },
    twice: { times: 2 },
    late: { lateSeconds: LATE_SECONDS },
    anyway: { anyway: true },
    refund: { refund: { refundNo: `console${ids.digits(20)}`, fee: trade.fee - refundedOf(trade) } },
  }
  return inputs[action]
}
