/** The calls of BUFF. */
import { vipExpired, vipProducts } from '@guildhall/wire/buff/buff.ts'
import type { UserId } from '@guildhall/wire/id.ts'
import type { Db } from '../kit/database/db.ts'
import { type Binding, bindUser } from '../kit/http/binding.ts'
import { type BrowserPaying, productOf, productsForSale } from '../product/product.ts'
import { buffEnd, findUser } from '../user/user.ts'

export interface BuffRouteDeps {
  readonly db: Db
  readonly paying: BrowserPaying
  /** Whether somebody's BUFF renews itself. */
  readonly hasRenewal: (userId: UserId) => Promise<boolean>
}

export const buffRoutes = ({ db, paying, hasRenewal }: BuffRouteDeps): Binding[] => [
  bindUser(vipProducts, async ({ locale }, { market, period }) => {
    const found = await productsForSale(db, 'buff', market)
    return {
      items: found.filter((it) => period === 1 || !it.period_buy).map((it) => productOf(it, locale)),
      ...paying,
    }
  }),
  bindUser(vipExpired, async ({ caller }) => {
    const [user, has_renewal] = await Promise.all([findUser(db, caller.userId), hasRenewal(caller.userId)])
    return { vip_expired: user ? buffEnd(user) : 0, has_renewal }
  }),
]
