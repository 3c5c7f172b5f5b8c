/** `order …` and `ledger …`: what was ordered, and whether every fen is explained. */
import { ORDER_STATES, type OrderState } from '@guildhall/wire/order/state.ts'
import { KINDS } from '../app/payments.ts'
import { OperatorError } from '../kit/operatorError.ts'
import { balances, ledgerFaults } from '../ledger/ledger.ts'
import { findOrder, linesOf, listOrders, stepsOf } from '../order/order.ts'
import { moneyFaults, orderOf } from '../pay/pay.ts'
import { type Commands, count, userFor } from './command.ts'

const LIST_MOST = 1_000
const LISTED = 50
const ID = /^[1-9]\d{0,15}$/

export const orderCommands: Commands = {
  'order list': {
    usage: '[--state STATE] [--stuck] [--user USER_ID] [--limit N]',
    isReading: true,
    async run({ state, stuck, user, limit }, { live }) {
      const wanted = stuck === undefined ? state : 'stuck'
      if (wanted !== undefined && !ORDER_STATES.includes(wanted as OrderState))
        throw new OperatorError(`--state must be one of ${ORDER_STATES.join(', ')}, not "${wanted}".`)
      const userId = user === undefined ? null : await userFor(live.db, user)
      const most = limit === undefined ? LISTED : count('limit', limit, LIST_MOST)
      const found = await listOrders(
        live.db,
        { state: (wanted as OrderState) ?? null, userId, before: null },
        most,
      )
      return found.map(({ request: _, code: __, ...order }) => order)
    },
  },

  'order show': {
    usage: '--id ORDER_ID',
    isReading: true,
    async run({ id = '' }, { live }) {
      const order = ID.test(id) ? await findOrder(live.db, id) : null
      if (!order) throw new OperatorError(`There is no order ${id}.`)
      const [view, steps, lines] = await Promise.all([
        orderOf(live.db, order),
        stepsOf(live.db, id),
        linesOf(live.db, [id]),
      ])
      const { code: _, ...shown } = view
      return { ...shown, buyer_id: order.user_id, steps, details: lines.map(({ details }) => details) }
    },
  },

  'ledger check': {
    usage: '',
    isReading: true,
    async run(_options, { live }) {
      const differences = [...(await ledgerFaults(live.db)), ...(await moneyFaults(live.db, KINDS))]
      if (differences.length > 0) process.exitCode = 1
      return { ok: differences.length === 0, accounts: await balances(live.db), differences }
    },
  },
}
