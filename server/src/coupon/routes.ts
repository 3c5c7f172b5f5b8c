/** The call of redeeming. */
import { exchangeCoupon, redeemCoupon } from '@guildhall/wire/coupon/coupon.ts'
import { Failure } from '@guildhall/wire/failure.ts'
import type { Locale } from '@guildhall/wire/locale.ts'
import { wordIn } from '@guildhall/wire/product/translation.ts'
import { HOUR_MS, MINUTE_MS } from '@guildhall/wire/unit.ts'
import type { AppContext } from '../kit/events/events.ts'
import { type Binding, bindUser } from '../kit/http/binding.ts'
import type { Limits, RateLimit } from '../kit/limits/rateLimit.ts'
import { type Attempt, refundAttempts, useAttempts } from '../kit/limits/rateLimitDatabase.ts'
import type { ProductKinds } from '../order/order.ts'
import { type OnStaffRedeem, redeem } from './coupon.ts'

/** Codes that do not exist. */
const BY_PERSON: RateLimit = { name: 'coupon guesses by person', most: 10, windowMs: HOUR_MS }
const BY_NETWORK: RateLimit = { name: 'coupon guesses by place', most: 60, windowMs: 10 * MINUTE_MS }

const won: Readonly<Record<Locale, (name: string) => string>> = {
  'zh-CN': (name) => `兑换成功，获得 ${name}`,
  en: (name) => `Redeemed: ${name}`,
}

const isOfStaff = (error: unknown) => error instanceof Failure && error.failure === 'coupon.staff'
const isGuess = (error: unknown) => error instanceof Failure && error.failure === 'coupon.unknown'

export const couponRoutes = ({
  appContext,
  kinds,
  limits,
  onStaff,
}: {
  readonly appContext: AppContext
  readonly kinds: ProductKinds
  readonly limits: Limits
  /** Staff tried to redeem a code. */
  readonly onStaff: OnStaffRedeem
}): Binding[] =>
  [exchangeCoupon, redeemCoupon].map((route) =>
    bindUser(route, async ({ caller, network, locale }, { code }) => {
      const attempts: Attempt[] = [
        [limits.scaled(BY_NETWORK), network],
        [limits.scaled(BY_PERSON), caller.userId],
      ]
      // Counted before the code is looked up: many at once are no more than many one after another.
      await useAttempts(appContext.db, attempts)
      const product = await redeem(appContext, kinds, caller.userId, code).catch(async (error) => {
        if (!isGuess(error)) await refundAttempts(appContext.db, attempts)
        if (isOfStaff(error)) await onStaff({ ...caller, network })
        throw error
      })
      await refundAttempts(appContext.db, attempts)
      const name = wordIn(product, 'name', locale)
      return {
        message: won[locale](name),
        products: [{ type: product.kind, id: product.id, name, count: 1 }],
      }
    }),
  )
