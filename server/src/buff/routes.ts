/** The calls of BUFF. */
import { vipExpired, vipProducts } from '@guildhall/wire/buff/buff.ts'
import type { Db } from '../kit/db.ts'
import { type Binding, bindUser } from '../kit/http/binding.ts'
import type { PayWay } from '../outside/payProvider.ts'
import { productOf, productsForSale } from '../product/product.ts'
import { buffEnd, findUser } from '../user/user.ts'

/** `browserWays`: the ways to pay in a browser, where the operator allows it. */
export const buffRoutes = ({ db, browserWays }: { db: Db; browserWays: readonly PayWay[] }): Binding[] => [
  bindUser(vipProducts, async (_context, { market, period }) => {
    const found = await productsForSale(db, 'buff', market)
    return {
      items: found.filter((it) => period === 1 || !it.period_buy).map(productOf),
      browser_ways: [...browserWays],
    }
  }),
  bindUser(vipExpired, async ({ caller }) => {
    const user = await findUser(db, caller.userId)
    return { vip_expired: user ? buffEnd(user) : 0, has_renewal: false }
  }),
]
