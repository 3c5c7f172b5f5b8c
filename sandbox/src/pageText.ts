/** The pages of the sandbox as HTML: no scripts, phone-sized, light and dark. */

import { createHash } from 'node:crypto'
import { beijingTime } from '@guildhall/wire/beijing.ts'
import { yuanOf } from '@guildhall/wire/money.ts'
import { wayText } from '@guildhall/wire/payWay.ts'
import type { Contract } from './contractStore.ts'
import type { Trade } from './tradeStore.ts'

/** What a buyer may do at the cashier, in the order of its buttons. */
export const ACTIONS = {
  pay: '立即支付',
  cancel: '取消支付',
  fail: '支付失败',
  twice: '支付，通知发两次',
  late: '支付，通知晚一分钟',
  anyway: '过期后仍然支付',
  refund: '退款',
} as const
export type Action = keyof typeof ACTIONS
export const isAction = (value: unknown): value is Action =>
  typeof value === 'string' && Object.hasOwn(ACTIONS, value)

/** What a person may do with a contract. */
export const CONTRACT_ACTIONS = { sign: '同意协议并签约', decline: '暂不签约', end: '关闭自动续费' } as const
export type ContractAction = keyof typeof CONTRACT_ACTIONS
export const isContractAction = (value: unknown): value is ContractAction =>
  typeof value === 'string' && Object.hasOwn(CONTRACT_ACTIONS, value)

const NAMES = wayText['zh-CN']
const DID: Readonly<Partial<Record<Action, string>>> = {
  cancel: '你取消了支付。',
  fail: '支付失败，可以再试一次。',
}

const STYLE = `
:root { color-scheme: light dark; }
* { box-sizing: border-box; }
body { margin: 0; padding: 24px 16px; background: #f3f5f7; color: #101317; font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 420px; margin: 0 auto; }
h1 { margin: 0 0 4px; font-size: 20px; }
p { margin: 0 0 16px; }
.note { color: #4b5563; font-size: 14px; }
.card { margin: 0 0 16px; padding: 20px 16px; border-radius: 16px; background: #fff; overflow-wrap: anywhere; }
.fee { margin: 4px 0 12px; font-size: 36px; font-weight: 700; line-height: 1.2; }
dl { display: grid; grid-template-columns: auto 1fr; gap: 4px 16px; margin: 0; font-size: 14px; }
dt { color: #4b5563; }
dd { margin: 0; text-align: right; overflow-wrap: anywhere; }
button, a.button { display: block; width: 100%; min-height: 48px; margin: 0 0 10px; padding: 12px 16px; border: 0; border-radius: 24px; background: transparent; color: inherit; box-shadow: inset 0 0 0 1px #6b7280; font: inherit; font-weight: 600; text-align: center; text-decoration: none; }
button.main, a.main { background: #047857; color: #fff; box-shadow: none; }
.alipay button.main, .alipay a.main { background: #1d4ed8; }
:focus-visible { outline: 3px solid #2563eb; outline-offset: 2px; }
ul { margin: 0; padding: 0; list-style: none; }
li a { display: block; margin: 0 0 10px; padding: 12px 16px; border-radius: 12px; background: #fff; color: inherit; text-decoration: none; overflow-wrap: anywhere; }
@media (prefers-color-scheme: dark) {
  body { background: #101317; color: #f3f5f7; }
  .card, li a { background: #1c2128; }
  .note, dt { color: #b6bdc8; }
}
`

export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
}

const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

const html = (title: string, body: string, head = ''): string =>
  `<!doctype html><html lang="zh-CN"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">${head}<title>${title}</title><style>${STYLE}</style></head><body>${body}</body></html>`

export interface Row {
  readonly trade: Trade
  readonly address: string
  readonly status: string
}

const CONTRACT_STATES: Readonly<Record<Contract['state'], string>> = {
  offered: '待签约',
  signed: '已签约',
  ended: '已解约',
}

export interface ContractPage {
  readonly contract: Contract
  readonly actions: readonly ContractAction[]
  readonly did: ContractAction | null
  /** Where the person came from; empty without one. */
  readonly back: string
}

export function contractPageText({ contract, actions, did, back }: ContractPage): string {
  const name = NAMES[contract.way]
  const rows = [
    ['状态', CONTRACT_STATES[contract.state]],
    ['商户协议号', contract.contractNo],
    ...(contract.account === '' ? [] : [['账号', contract.account]]),
    ...(contract.most === null ? [] : [['每期最多', `¥${yuanOf(contract.most)}`]]),
    ...(contract.notice === null
      ? []
      : [['预扣费通知', `¥${yuanOf(contract.notice.fee)} · ${beijingTime(contract.notice.at)}`]]),
  ]
  const list = rows.map(([term = '', value = '']) => `<dt>${term}</dt><dd>${escaped(value)}</dd>`).join('')
  const buttons = actions.map(
    (action) =>
      `<button name="do" value="${action}"${action === 'sign' ? ' class="main"' : ''}>${CONTRACT_ACTIONS[action]}</button>`,
  )
  const link =
    back === '' ? '' : `<a class="button${did === null ? '' : ' main'}" href="${escaped(back)}">返回商户</a>`
  const refresh =
    back !== '' && (did === 'sign' || did === 'decline')
      ? `<meta http-equiv="refresh" content="2;url=${escaped(back)}">`
      : ''
  return html(
    `${name}自动续费（沙盒）`,
    `<main class="${contract.way}"><h1>${name}自动续费（沙盒）</h1><p class="note">这是模拟的签约页面，不会扣真正的钱。</p>
${did === null ? '' : `<p role="status">${did === 'decline' ? '你没有签约。' : '操作成功。'}</p>`}
<section class="card"><dl>${list}</dl></section>
<form method="post" action="/contract/${contract.token}">${buttons.join('')}</form>${link}</main>`,
    refresh,
  )
}

export function listPage(
  rows: readonly Row[],
  contracts: readonly { readonly contract: Contract; readonly address: string }[] = [],
): string {
  const items = rows.map(
    ({ trade, address, status }) =>
      `<li><a href="${escaped(new URL(address).pathname)}"><strong>¥${yuanOf(trade.fee)}</strong> ${escaped(trade.subject)}<br><span class="note">${NAMES[trade.way]} · ${status} · ${beijingTime(trade.madeAt)}</span></a></li>`,
  )
  const list = items.length === 0 ? '<p>还没有交易。</p>' : `<ul>${items.join('')}</ul>`
  return html(
    '支付沙盒',
    `<main><h1>支付沙盒</h1><p class="note">最近的交易。这里不会扣真正的钱。</p>${list}${contractList(contracts)}</main>`,
  )
}

function contractList(rows: readonly { readonly contract: Contract; readonly address: string }[]): string {
  const items = rows.map(
    ({ contract, address }) =>
      `<li><a href="${escaped(new URL(address).pathname)}"><strong>${NAMES[contract.way]}自动续费</strong> ${escaped(contract.account)}<br><span class="note">${CONTRACT_STATES[contract.state]} · ${beijingTime(contract.madeAt)}</span></a></li>`,
  )
  return items.length === 0 ? '' : `<p class="note">自动续费协议</p><ul>${items.join('')}</ul>`
}

export interface Cashier {
  readonly trade: Trade
  readonly actions: readonly Action[]
  /** What the buyer did last. */
  readonly did: Action | null
  readonly status: string
  /** Where the buyer came from; empty without one. */
  readonly back: string
}

export function cashierPage({ trade, actions, did, status, back }: Cashier): string {
  const name = NAMES[trade.way]
  const rows = [
    ['状态', status],
    ['商品', trade.subject],
    ['商户单号', trade.tradeNo],
    ...(trade.providerNo === '' ? [] : [['交易单号', trade.providerNo]]),
    trade.paidAt === null
      ? ['支付截止', beijingTime(trade.expiresAt)]
      : ['支付时间', beijingTime(trade.paidAt)],
  ]
  const list = rows.map(([term = '', value = '']) => `<dt>${term}</dt><dd>${escaped(value)}</dd>`).join('')
  const buttons = actions.map(
    (action) =>
      `<button name="do" value="${action}"${action === 'pay' ? ' class="main"' : ''}>${ACTIONS[action]}</button>`,
  )
  const form = `<form method="post" action="/cashier/${trade.token}">${buttons.join('')}</form>`
  const isOver = did !== null && did !== 'fail'
  const link =
    back === '' ? '' : `<a class="button${isOver ? ' main' : ''}" href="${escaped(back)}">返回商户</a>`
  // Without scripts, the page itself goes back to where the buyer came from.
  const refresh =
    back !== '' && isOver && did !== 'refund'
      ? `<meta http-equiv="refresh" content="2;url=${escaped(back)}">`
      : ''
  const content = (did && DID[did]) ?? (trade.state === 'paid' && did !== null ? '操作成功。' : '')
  return html(
    `${name}收银台（沙盒）`,
    `<main class="${trade.way}"><h1>${name}收银台（沙盒）</h1><p class="note">这是模拟的收银台，不会扣真正的钱。</p>
${content === '' ? '' : `<p role="status">${content}</p>`}
<section class="card"><div class="fee">¥${yuanOf(trade.fee)}</div><dl>${list}</dl></section>
${isOver ? link + form : form + link}</main>`,
    refresh,
  )
}

export const problemPage = (problem: string): string =>
  html(
    '支付沙盒',
    `<main><h1>支付沙盒</h1><p role="alert">${problem}</p><p><a class="button" href="/">最近的交易</a></p></main>`,
  )
