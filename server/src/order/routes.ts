/** The call that places an order. */
import { createOrder } from '@guildhall/wire/order/order.ts'
import type { Db } from '../kit/database/db.ts'
import { type Binding, bindUser } from '../kit/http/binding.ts'
import { type ProductKinds, placeOrder } from './order.ts'

export const orderRoutes = ({ db, kinds }: { db: Db; kinds: ProductKinds }): Binding[] => [
  bindUser(createOrder, async ({ caller }, it) => {
    const order = await placeOrder(db, kinds, {
      buyerId: caller.userId,
      productId: it.product_id,
      count: it.count,
      key: it.key,
      market: it.market,
      guildId: it.guild_id,
      receiverId: it.user_id,
    })
    const { id: order_id, code, pay_fee, state, expires_at } = order
    return { order_id, code, pay_fee, state, expires_at }
  }),
]
