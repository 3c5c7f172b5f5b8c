/** The calls of staff about orders. */
import * as wire from '@guildhall/wire/staff/orders.ts'
import { type Binding, bindStaff } from '../../kit/http/binding.ts'
import type { PayDeps } from '../../pay/pay.ts'
import { staffActorOf } from '../staffActor.ts'
import * as orders from './orders.ts'

export const orderRoutes = (pay: PayDeps): Binding[] => {
  const { appContext, kinds } = pay
  const { db } = appContext
  return [
    bindStaff(wire.listOrders, (_context, input) => orders.pageOfOrders(db, input)),
    bindStaff(wire.viewStaffOrder, (_context, { order_id }) => orders.staffOrderOf({ db, kinds }, order_id)),
    bindStaff(wire.refundStaffOrder, async (context, input) => {
      await orders.giveBack(pay, staffActorOf(context), input)
      return {}
    }),
    bindStaff(wire.retryStaffOrder, async (context, input) => {
      await orders.tryAgain(pay, staffActorOf(context), input)
      return {}
    }),
    bindStaff(wire.retryStaffRefunds, async (context, input) => {
      await orders.tryRefundsAgain(pay, staffActorOf(context), input)
      return {}
    }),
    bindStaff(wire.listBills, (_context, input) => orders.pageOfBills(db, input)),
    bindStaff(wire.listDifferences, (_context, input) => orders.pageOfDifferences(db, input)),
    bindStaff(wire.listDoubts, (_context, input) => orders.pageOfMismatches(db, input)),
  ]
}
