/** Orders as their buyer's bill lists them: what was paid, what can still be paid, and for whom each is. */
import type { UserId } from '@guildhall/wire/id.ts'
import type { OrderState } from '@guildhall/wire/order/state.ts'
import type { Fen, Millis } from '@guildhall/wire/unit.ts'
import { sql } from 'kysely'
import type { Db } from '../kit/database/db.ts'
import type { PayWay } from '../outside/payment/payProvider.ts'

/** For whom an order is, and for which guild; null: nobody else, none. */
export interface Usage {
  readonly receiver: string | null
  readonly guild: string | null
}

const usage = sql.raw(`receiver.username || '#' || receiver.identify_num as receiver, guild.name as guild`)
const withUsage = sql.raw(`left join "user" receiver on receiver.id = it.receiver_id
    left join guild on guild.id = it.guild_id`)

export async function usageOf(db: Db, orderId: string): Promise<Usage | null> {
  const { rows } = await sql<Usage>`
    select ${usage} from "order" it ${withUsage} where it.id = ${orderId}::bigint`.execute(db)
  return rows[0] ?? null
}

export interface BillRow extends Usage {
  readonly id: string
  readonly state: OrderState
  readonly pay_fee: Fen
  readonly refund_fee: Fen
  readonly way: PayWay
  readonly paid_at: Millis
}

/** Orders of a person whose money arrived, the newest first. */
export async function bill(
  db: Db,
  userId: UserId,
  input: { readonly limit: number; readonly offset: number },
): Promise<BillRow[]> {
  const { rows } = await sql<BillRow>`
    select it.id::text, it.state, it.pay_fee::float8 as pay_fee, it.refund_fee::float8 as refund_fee, payment.way,
      payment.paid_at::float8 as paid_at, ${usage}
    from "order" it join payment on payment.order_id = it.id and payment.is_main
    ${withUsage}
    where it.user_id = ${userId}::bigint
    order by it.id desc limit ${input.limit} offset ${input.offset}`.execute(db)
  return rows
}

export interface UnpaidRow extends Usage {
  readonly id: string
  readonly pay_fee: Fen
  readonly expires_at: Millis
  readonly period_buy: boolean
}

/**
 * Orders of a person that they can still pay, the newest first: none that a contract is or was charged for.
 */
export async function unpaid(
  db: Db,
  userId: UserId,
  input: { readonly now: Millis; readonly limit: number },
): Promise<UnpaidRow[]> {
  const { rows } = await sql<UnpaidRow>`
    select it.id::text, it.pay_fee::float8 as pay_fee, it.expires_at::float8 as expires_at, ${usage},
      exists (select 1 from order_line line join product on product.id = line.product_id
        where line.order_id = it.id and product.period_buy) as period_buy
    from "order" it ${withUsage}
    where it.user_id = ${userId}::bigint and it.state in ('placed', 'paying') and it.expires_at > ${input.now}::bigint
      and not exists (select 1 from payment where payment.order_id = it.id and payment.scene = 'contract')
    order by it.id desc limit ${input.limit}`.execute(db)
  return rows
}

export async function countBill(db: Db, userId: UserId): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from "order" it join payment on payment.order_id = it.id and payment.is_main
    where it.user_id = ${userId}::bigint`.execute(db)
  return rows[0]!.n
}
