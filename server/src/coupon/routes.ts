/** The call of redeeming. */
import { exchangeCoupon, redeemCoupon } from '@guildhall/wire/coupon/coupon.ts'
import { Failure } from '@guildhall/wire/failure.ts'
import type { Locale } from '@guildhall/wire/locale.ts'
import { HOUR_MS, MINUTE_MS } from '@guildhall/wire/unit.ts'
import type { Live } from '../kit/events/events.ts'
import { type Binding, bindUser } from '../kit/http/binding.ts'
import type { Limits, RateLimit } from '../kit/limits/rateLimit.ts'
import { useAttempt } from '../kit/limits/rateLimitDatabase.ts'
import type { ProductKinds } from '../order/order.ts'
import { redeem } from './coupon.ts'

/** Codes that do not exist. */
const BY_PERSON: RateLimit = { name: 'coupon guesses by person', most: 10, windowMs: HOUR_MS }
const BY_PLACE: RateLimit = { name: 'coupon guesses by place', most: 60, windowMs: 10 * MINUTE_MS }

const won: Readonly<Record<Locale, (name: string) => string>> = {
  'zh-CN': (name) => `兑换成功，获得 ${name}`,
  en: (name) => `Redeemed: ${name}`,
}

const isGuess = (error: unknown) => error instanceof Failure && error.failure === 'coupon.unknown'

export const couponRoutes = ({
  live,
  kinds,
  limits,
}: {
  readonly live: Live
  readonly kinds: ProductKinds
  readonly limits: Limits
}): Binding[] =>
  [exchangeCoupon, redeemCoupon].map((route) =>
    bindUser(route, async ({ caller, place, locale }, { code }) => {
      const count = (limit: RateLimit, key: string) => useAttempt(live.db, limit, key)
      const { kind, id, name } = await limits.guess(
        BY_PLACE,
        place,
        () =>
          limits.guess(
            BY_PERSON,
            caller.userId,
            () => redeem(live, kinds, caller.userId, code),
            isGuess,
            count,
          ),
        isGuess,
        count,
      )
      return { message: won[locale](name), products: [{ type: kind, id, name, count: 1 }] }
    }),
  )
