/** The calls of staff about products. */
import * as wire from '@guildhall/wire/staff/products.ts'
import type { Db } from '../kit/database/db.ts'
import { type Binding, bindStaff } from '../kit/http/binding.ts'
import * as products from './products.ts'
import { staffActorOf } from './staffActor.ts'

export const productRoutes = (db: Db): Binding[] => [
  bindStaff(wire.listStaffProducts, () => products.staffProducts(db)),
  bindStaff(wire.listProductChanges, (_context, input) => products.historyOfProduct(db, input)),
  bindStaff(wire.changeStaffProduct, (context, input) =>
    products.changeByStaff(db, staffActorOf(context), input),
  ),
  bindStaff(wire.withdrawProductChange, async (context, input) => {
    await products.withdrawByStaff(db, staffActorOf(context), input)
    return {}
  }),
]
