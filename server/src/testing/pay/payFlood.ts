/**
 * Many genuine notifications of the payment providers, made without sending one: for tests and benchmarks of
 * a flood.
 */

import { writeAlipayNotification } from '@guildhall/sandbox/alipay/alipayNotification.ts'
import type { openControl } from '@guildhall/sandbox/control.ts'
import { openKeys } from '@guildhall/sandbox/keys.ts'
import type { Trade } from '@guildhall/sandbox/tradeStore.ts'
import { writeWechatNotification } from '@guildhall/sandbox/wechat/wechatNotification.ts'
import type { UserId } from '@guildhall/wire/id.ts'
import { sql } from 'kysely'
import type { Db } from '../../kit/database/db.ts'
import { ids } from '../../kit/ids.ts'
import { placeOrder } from '../../order/order.ts'
import { PAY_WAYS, type PayWay } from '../../outside/payment/payProvider.ts'
import { type PayDeps, paymentsOf, startPayment } from '../../pay/pay.ts'

/** A notification as its provider sends it. */
export interface SignedNotification {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/**
 * Signs with the keys of the sandbox whose directory this is; each time another notification of the same
 * trade.
 */
export async function openSigner(dir: string): Promise<(trade: Trade) => SignedNotification> {
  const { now: keys } = await openKeys(dir)
  return (trade) => {
    const notification = { id: ids.uuid(), trade, refund: null, tamper: {} }
    return trade.way === 'wechat'
      ? writeWechatNotification(notification, keys)
      : writeAlipayNotification(notification, keys)
  }
}

/** Inserts people who only buy; their ids. */
export async function insertBuyers(db: Db, count: number): Promise<UserId[]> {
  const { rows } = await sql<{ id: UserId }>`
    insert into "user" (username, identify_num, mobile_prefix, mobile, mobile_verified, created_at)
    select 'buyer' || n, '1234', '86', (13700000000 + n)::text, true, 0 from generate_series(1, ${count}::int) as n
    returning id`.execute(db)
  return rows.map(({ id }) => id)
}

export interface Shop {
  readonly deps: PayDeps
  readonly control: ReturnType<typeof openControl>
  /** They take turns; nobody may have more orders open than `OPEN_ORDERS_MAX`. */
  readonly buyers: readonly UserId[]
  readonly productId: number
}

/**
 * Places so many orders and pays them at the sandbox, which tells nobody. Without a way, half of them by
 * each.
 */
export async function paidTrades(shop: Shop, count: number, only?: PayWay): Promise<Trade[]> {
  const { deps, buyers, productId, control } = shop
  const trades: Trade[] = []
  for (let n = 0; n < count; n += 1) {
    const way = only ?? PAY_WAYS[n % PAY_WAYS.length]!
    const buyerId = buyers[n % buyers.length]!
    const placed = { buyerId, productId, count: 1, key: ids.uuid() }
    const order = await placeOrder(deps.appContext.db, deps.kinds, placed)
    const begun = { way, scene: 'qr', clientIp: '127.0.0.1', returnUrl: 'http://bench' } as const
    await startPayment(deps, order.id, begun)
    const [payment] = await paymentsOf(deps.appContext.db, order.id)
    const { trade } = await control({ way, tradeNo: payment!.trade_no, lost: true })
    trades.push(trade!)
  }
  return trades
}
