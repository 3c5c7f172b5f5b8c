/** `order …`: what was ordered. */

import { Failure } from '@guildhall/wire/failure.ts'
import { defaultLocale } from '@guildhall/wire/locale.ts'
import { ORDER_STATES, type OrderState } from '@guildhall/wire/order/state.ts'
import type { Db } from '../kit/database/db.ts'
import { OperatorError } from '../kit/operatorError.ts'
import { findOrder, linesOf, listOrders, type OrderRow, stepsOf } from '../order/order.ts'
import { findOrders, orderOf, refundOrder } from '../pay/pay.ts'
import { type Commands, count, userFor } from './command.ts'
import { withPay } from './pay.ts'

const LIST_MOST = 1_000
const LISTED = 50
const REASON_MAX = 80
const ID = /^[1-9]\d{0,15}$/

/** @throws OperatorError */
export async function orderFor(db: Db, id: string | undefined): Promise<OrderRow> {
  const order = id !== undefined && ID.test(id) ? await findOrder(db, id) : null
  if (!order) throw new OperatorError(`There is no order ${id}.`)
  return order
}

export const orderCommands: Commands = {
  'order list': {
    usage: '[--state STATE] [--stuck] [--user USER_ID] [--limit N]',
    isReading: true,
    async run({ state, stuck, user, limit }, { appContext }) {
      const wanted = stuck === undefined ? state : 'stuck'
      if (wanted !== undefined && !ORDER_STATES.includes(wanted as OrderState))
        throw new OperatorError(`--state must be one of ${ORDER_STATES.join(', ')}, not "${wanted}".`)
      const userId = user === undefined ? null : await userFor(appContext.db, user)
      const most = limit === undefined ? LISTED : count('limit', limit, LIST_MOST)
      const found = await listOrders(
        appContext.db,
        { state: (wanted as OrderState) ?? null, userId, before: null },
        most,
      )
      return found.map(({ request: _, code: __, ...order }) => order)
    },
  },

  'order find': {
    usage: '[--number NUMBER] [--trouble] [--limit N]',
    isReading: true,
    async run({ number, trouble, limit }, { appContext }) {
      if (number === undefined && trouble === undefined)
        throw new OperatorError('--number is any number of an order, or --trouble those that need somebody.')
      const most = limit === undefined ? LISTED : count('limit', limit, LIST_MOST)
      const needsAttention = trouble !== undefined
      return findOrders(appContext.db, { number: number?.trim(), needsAttention, before: null, limit: most })
    },
  },

  'order show': {
    usage: '--id ORDER_ID',
    isReading: true,
    async run({ id = '' }, { appContext }) {
      const order = await orderFor(appContext.db, id)
      const [view, steps, lines] = await Promise.all([
        orderOf(appContext.db, order, defaultLocale),
        stepsOf(appContext.db, id),
        linesOf(appContext.db, [id]),
      ])
      const { code: _, ...shown } = view
      return { ...shown, buyer_id: order.user_id, steps, details: lines.map(({ details }) => details) }
    },
  },

  'order refund': {
    usage: '--id ORDER_ID --reason TEXT [--fee FEN]',
    async run({ id = '', fee, reason = '' }, context) {
      const order = await orderFor(context.appContext.db, id)
      if (reason.trim() === '' || reason.length > REASON_MAX)
        throw new OperatorError(`--reason must have 1 to ${REASON_MAX} characters.`)
      const wish = { fee: fee === undefined ? null : count('fee', fee, order.pay_fee), reason: reason.trim() }
      await withPay(context, (deps) =>
        refundOrder(deps, order.id, { ...wish, actor: 'staff:operator' }),
      ).catch((error: unknown) => {
        if (error instanceof Failure && error.failure === 'bad_input')
          throw new OperatorError(`Order ${id} has nothing, or not so much, that can be given back.`)
        throw error
      })
      const { code: _, ...it } = await orderOf(
        context.appContext.db,
        await orderFor(context.appContext.db, id),
        defaultLocale,
      )
      return it
    },
  },
}
