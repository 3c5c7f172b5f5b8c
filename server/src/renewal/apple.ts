/**
 * Subscriptions at Apple: they are shown where contracts are, and closed at Apple alone. The native app names
 * the person by a UUID whose last twelve digits are their number, and products in App Store Connect end with
 * a dot and the number of ours.
 */
import type { UserId } from '@guildhall/wire/id.ts'
import { clock } from '../kit/clock.ts'
import { transaction } from '../kit/database/db.ts'
import { objectOf } from '../outside/answer.ts'
import type { AppleFact, AppleSubscriptions } from '../outside/payment/apple/appleSubscriptions.ts'
import { BadNotification, type NotifyReply } from '../outside/payment/payProvider.ts'
import type { PayDeps } from '../pay/pay.ts'
import { findProduct } from '../product/product.ts'
import { findUser } from '../user/user.ts'
import * as rows from './sql.ts'

const ACCOUNT = /^00000000-0000-4000-8000-(\d{12})$/
const PRODUCT = /\.(\d{1,9})$/

type Deps = Pick<PayDeps, 'appContext' | 'log'> & {
  readonly counts: { refused(way: 'apple', why: string): void }
}

/** Takes what somebody sent to the address of Apple's messages. */
export async function acceptAppleNotification(
  deps: Deps,
  apple: AppleSubscriptions,
  body: Buffer,
): Promise<NotifyReply> {
  try {
    const fact = await apple.read(payloadIn(body))
    if (fact && !(await settleSubscription(deps, fact))) {
      // It is Apple’s, and of nobody here: sent again, it would say the same.
      deps.counts.refused('apple', 'unknown')
      deps.log.warn({ product: fact.product }, 'Apple tells of a subscription of nobody')
    }
    return reply(200)
  } catch (error) {
    if (error instanceof BadNotification) {
      deps.counts.refused('apple', error.why)
      return reply(401)
    }
    deps.log.warn({ err: error }, 'a message of Apple was not read; it will be sent again')
    return reply(503)
  }
}

const reply = (status: number): NotifyReply => ({ status, type: 'json', body: '{}' })

/** @throws BadNotification */
function payloadIn(body: Buffer): string {
  const signedPayload = objectOf(body)?.signedPayload
  if (typeof signedPayload === 'string' && signedPayload !== '') return signedPayload
  throw new BadNotification('form', 'it is no message of Apple')
}

/**
 * Stores what Apple says: once, however often, and of several the newest. False when it is of nobody, or of
 * no product.
 */
export async function settleSubscription({ appContext }: Deps, fact: AppleFact): Promise<boolean> {
  const [, digits] = ACCOUNT.exec(fact.account) ?? []
  const [, productId] = PRODUCT.exec(fact.product) ?? []
  if (digits === undefined || productId === undefined) return false
  const user = await findUser(appContext.db, String(Number(digits)) as UserId)
  const product = await findProduct(appContext.db, Number(productId))
  if (!user || !product) return false
  await transaction(appContext.db, (tx) =>
    rows.putApple(tx, {
      code: `apple.${fact.subscription}`,
      user_id: user.id,
      product_id: product.id,
      kind: product.kind,
      name: product.name,
      translations: product.translations,
      details: product.details,
      providerNo: fact.subscription,
      notifiedAt: fact.notifiedAt,
      lastsUntil: fact.lastsUntil,
      isActive: fact.renews && fact.lastsUntil > clock.now(),
      now: clock.now(),
    }),
  )
  return true
}
