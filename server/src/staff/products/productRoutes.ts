/** The calls of staff about products. */
import * as wire from '@guildhall/wire/staff/products.ts'
import { type Binding, bindStaff } from '../../kit/http/binding.ts'
import { type ApprovalDeps, doOrAsk } from '../approvals/approvals.ts'
import { staffActorOf } from '../staffActor.ts'
import * as products from './products.ts'

export const productRoutes = (deps: ApprovalDeps): Binding[] => [
  bindStaff(wire.listStaffProducts, () => products.staffProducts(deps.appContext.db)),
  bindStaff(wire.listProductChanges, (_context, input) =>
    products.historyOfProduct(deps.appContext.db, input),
  ),
  bindStaff(wire.changeStaffProduct, async (context, input) => {
    const { answer, approvalId } = await doOrAsk(deps, staffActorOf(context), 'change', input)
    return { change_id: answer ?? '', approval_id: approvalId }
  }),
  bindStaff(wire.withdrawProductChange, async (context, input) => {
    const { approvalId } = await doOrAsk(deps, staffActorOf(context), 'withdrawal', input)
    return { approval_id: approvalId }
  }),
]
