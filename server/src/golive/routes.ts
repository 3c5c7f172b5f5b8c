/** The calls of screen sharing. */
import { goliveInfo, goliveProducts } from '@guildhall/wire/golive/golive.ts'
import type { UserId } from '@guildhall/wire/id.ts'
import type { Db } from '../kit/database/db.ts'
import { type Binding, bindUser } from '../kit/http/binding.ts'
import { type BrowserPaying, productOf, productsForSale } from '../product/product.ts'
import { goliveEnds, goliveOf } from './golive.ts'
import { goliveText } from './text.ts'

/**
 * `hasRenewal`: whether somebody's renews itself. `video`: its address and that of its cover; empty without.
 */
export const goliveRoutes = ({
  db,
  paying,
  hasRenewal,
  video,
}: {
  readonly db: Db
  readonly paying: BrowserPaying
  readonly hasRenewal: (userId: UserId) => Promise<boolean>
  readonly video: { readonly cover: string; readonly url: string }
}): Binding[] => [
  bindUser(goliveInfo, async ({ caller }) => {
    const [{ type, until }, has_renewal] = await Promise.all([
      goliveOf(db, caller.userId),
      hasRenewal(caller.userId),
    ])
    return { type, expire_time: until, has_renewal }
  }),
  bindUser(goliveProducts, async ({ caller, locale }, { market, period }) => {
    const [found, ends] = await Promise.all([
      productsForSale(db, 'golive', market),
      goliveEnds(db, caller.userId),
    ])
    const { ability, compare } = goliveText[locale]
    return {
      ability: [...ability],
      compare: [...compare],
      video: { ...video },
      items: [{ expire_time: ends.normal }, { expire_time: ends.pro }],
      products: found.filter((it) => period === 1 || !it.period_buy).map((it) => productOf(it, locale)),
      ...paying,
    }
  }),
]
