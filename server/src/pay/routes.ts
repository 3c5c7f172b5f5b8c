/** The calls of paying, and of looking at what was ordered and paid. */
import { fail } from '@guildhall/wire/failure.ts'
import type { UserId } from '@guildhall/wire/id.ts'
import {
  closeOrder as closeOrderRoute,
  listPayments,
  listUnpaid,
  viewOrder,
} from '@guildhall/wire/order/order.ts'
import { LIST_SIZE_MAX } from '@guildhall/wire/page.ts'
import { createByCode, payOrder, type PayData as WirePayData, wxJsapi } from '@guildhall/wire/pay/pay.ts'
import { wayOf } from '@guildhall/wire/payWay.ts'
import { type Binding, bind, bindUser } from '../kit/http/binding.ts'
import { findOrderByCode, linesOf, type OrderRow, ownOrder } from '../order/order.ts'
import type { Profile } from '../outside/login/thirdParty.ts'
import type { PayData } from '../outside/payment/payProvider.ts'
import { type Beginning, providerOf, refuseUnpayable, subjectOf } from './attempt.ts'
import { signingOf } from './contract.ts'
import type { PayDeps } from './payContext.ts'
import { closeOrder, refreshedOrder } from './query.ts'
import { startPayment } from './start.ts'
import { billOf, orderOf, unpaidOf } from './wireForm.ts'

/** Who pays inside of WeChat: its pages tell by a code. */
export interface WeixinPayer {
  /** The address of WeChat's page, which comes back with a code and this state. */
  authorizeUrl(state: string): string
  /** @throws Failure auth.third_part_refused, auth.third_part_failed */
  identify(code: string): Promise<{ readonly openid: string; readonly profile: () => Promise<Profile> }>
}

/**
 * The picture of who pays an order of this buyer, as an address of this site; '' without one. Must not throw.
 */
export type PayerPicture = (buyerId: UserId, address: string) => Promise<string>

export interface PayRouteDeps {
  readonly pay: PayDeps
  /** Null: nobody pays inside of WeChat. */
  readonly weixin: WeixinPayer | null
  readonly payerPicture: PayerPicture
  /** Whether the operator allows purchases in a browser. */
  readonly inBrowser: boolean
}

export const payRoutes = (deps: PayRouteDeps): Binding[] => [...orderRoutes(deps), ...paymentRoutes(deps)]

/** Looking at what was ordered and paid, and giving up an order. */
const orderRoutes = ({ pay }: PayRouteDeps): Binding[] => [
  bindUser(viewOrder, async ({ caller, locale }, { order_id }) =>
    orderOf(pay.appContext.db, await refreshedOrder(pay, caller.userId, order_id), locale),
  ),
  bindUser(listUnpaid, async ({ caller, locale }) => ({
    items: await unpaidOf(pay.appContext.db, caller.userId, locale),
  })),
  bindUser(closeOrderRoute, async ({ caller }, { order_id }) => {
    await closeOrder(pay, caller.userId, order_id)
    return {}
  }),
  bindUser(listPayments, async ({ caller, locale }, { page, page_size }) => {
    const pageSize = Math.min(page_size, LIST_SIZE_MAX)
    const { items, total } = await billOf(pay.appContext.db, caller.userId, { page, pageSize, locale })
    const meta = { page, page_total: Math.ceil(total / pageSize), page_size: pageSize, total }
    return { items, meta, sort: {} }
  }),
]

/** Beginning a payment. */
const paymentRoutes = (deps: PayRouteDeps): Binding[] => [
  bindUser(payOrder, async ({ caller, network }, { order_id, way, scene }) => {
    if (scene !== 'app' && !deps.inBrowser) throw fail('pay.in_app')
    const order = await ownOrder(deps.pay.appContext.db, caller.userId, order_id)
    refuseUnpayable(order)
    if (way === 'wechat' && scene === 'inside' && !(await isSignedFirst(deps, order)))
      return { kind: 'redirect' as const, url: weixinPage(deps, order) }
    return onWire(await start(deps, order, network, { way, scene }))
  }),
  bind(createByCode, async ({ caller, network }, { id, platform }) => {
    const order = await payableByCode(deps, id)
    if (caller && caller.userId !== order.user_id) throw fail('order.not_own')
    const way = wayOf(platform)
    if (!way) throw fail('pay.way')
    if (way === 'wechat' && !(await isSignedFirst(deps, order)))
      return { pay_data: { mobile_pay: weixinPage(deps, order), pay_way: way } }
    const data = await start(deps, order, network, { way, scene: 'inside' })
    if (data.kind === 'alipay') return { pay_data: { mobile_pay: data.orderStr, pay_way: way } }
    if (data.kind !== 'redirect' || data.from === undefined) throw fail('pay.way')
    return { pay_data: { mobile_pay: data.url, pay_way: way, from: data.from } }
  }),
  bind(wxJsapi, ({ network }, { code, state }) => payInsideWeixin(deps, network, { code, orderCode: state })),
]

/** WeChat's page came back with a code of who pays. */
async function payInsideWeixin(
  deps: PayRouteDeps,
  network: string,
  { code, orderCode }: { readonly code: string; readonly orderCode: string },
) {
  const { pay, weixin } = deps
  const order = await payableByCode(deps, orderCode)
  providerOf(pay, 'wechat', 'inside')
  if (!weixin || (await isSignedFirst(deps, order))) throw fail('pay.way')
  const { openid, profile } = await weixin.identify(code)
  const [data, lines, payer] = await Promise.all([
    start(deps, order, network, { way: 'wechat', scene: 'inside', payer: openid }),
    linesOf(pay.appContext.db, [order.id]),
    // Who pays is shown when WeChat tells it; the payment goes on without.
    profile().then(
      async (told) => ({ ...told, avatar: await deps.payerPicture(order.user_id, told.avatar) }),
      (): Profile => ({ nickname: '', avatar: '' }),
    ),
  ])
  if (data.kind !== 'weixin') throw fail('pay.way')
  return {
    pay: data.params,
    user: { avatar: payer.avatar, name: payer.nickname },
    order: { product: subjectOf(lines), pay_fee: order.pay_fee },
  }
}

/** @throws Failure order.unknown, order.paid, order.closed */
async function payableByCode({ pay }: PayRouteDeps, code: string): Promise<OrderRow> {
  const order = await findOrderByCode(pay.appContext.db, code)
  if (!order) throw fail('order.unknown')
  refuseUnpayable(order)
  return order
}

/** The address of WeChat's page that tells who pays this order. */
function weixinPage({ pay, weixin }: PayRouteDeps, order: OrderRow): string {
  providerOf(pay, 'wechat', 'inside')
  if (!weixin) throw fail('pay.way')
  return weixin.authorizeUrl(order.code)
}

/** Whether WeChat does not ask who pays: who signs is charged. @throws Failure pay.way, renewal.already */
const isSignedFirst = async ({ pay }: PayRouteDeps, order: OrderRow): Promise<boolean> =>
  (await signingOf(pay, order, { way: 'wechat', scene: 'inside' }))?.when === 'before_paying'

/** Begins a payment that comes back to the page of the order. `network`: where the buyer is. */
const start = (
  { pay }: PayRouteDeps,
  order: OrderRow,
  network: string,
  payment: Pick<Beginning, 'way' | 'scene' | 'payer'>,
): Promise<PayData> =>
  startPayment(pay, order.id, {
    ...payment,
    clientIp: addressOf(network),
    returnUrl: `${pay.appContext.publicUrl}/payment/successful?order_id=${order.id}`,
  })

/** Providers take an address: of an IPv6 network, its first. */
const addressOf = (network: string): string => network.split('/')[0] ?? network

const onWire = (data: PayData): WirePayData =>
  data.kind === 'alipay' ? { kind: 'alipay', order_str: data.orderStr } : data
