/** What is sold, and what is asked about all of it. */
import type { UserId } from '@guildhall/wire/id.ts'
import { holderNotifier, type IdentityNotifier } from '../account/account.ts'
import { boostKind } from '../boost/boost.ts'
import { boostModule } from '../boost/module.ts'
import { BUFF, buffKind } from '../buff/buff.ts'
import { buffModule } from '../buff/module.ts'
import type { NotifyEnded, NotifyHolder } from '../entitlement/entitlement.ts'
import { goliveKind } from '../golive/golive.ts'
import { goliveModule } from '../golive/module.ts'
import type { Db } from '../kit/database/db.ts'
import type { Module, ModuleContext } from '../kit/module.ts'
import type { ProductKind, ProductKinds } from '../order/order.ts'
import type { PayScene } from '../outside/payment/payProvider.ts'
import { faultsOf, findOrders, type PayDeps } from '../pay/pay.ts'
import { type BrowserPaying, findProduct, type Selling } from '../product/product.ts'
import { hasRenewal, renewingOf } from '../renewal/renewal.ts'

/** Everything that can be sold. */
const SOLD: readonly {
  readonly kind: (notify: NotifyHolder) => ProductKind
  readonly module: (context: ModuleContext, selling: Selling) => Module
}[] = [
  { kind: buffKind, module: buffModule },
  { kind: () => boostKind, module: boostModule },
  { kind: goliveKind, module: goliveModule },
]

const kindsTelling = (notify: NotifyHolder): ProductKinds =>
  new Map(SOLD.map(({ kind }) => kind(notify)).map((kind) => [kind.name, kind]))

/** Everything that can be sold, by the name of its kind. */
export const kindsOf = (input: IdentityNotifier): ProductKinds => kindsTelling(holderNotifier(input))

/** The same for who asks about kinds, and grants nothing. */
export const KINDS: ReadonlyMap<string, Omit<ProductKind, 'grants' | 'revokes'>> = kindsTelling(
  async () => undefined,
)

/**
 * What paying needs, of what this server has. Without providers orders are placed and nobody can pay them.
 */
export function payDepsOf(
  { appContext, jobs, log, metrics: { pay } }: ModuleContext,
  { kinds, providers }: Pick<PayDeps, 'kinds' | 'providers'>,
): PayDeps {
  const deps: PayDeps = {
    appContext,
    jobs,
    log,
    providers,
    kinds,
    renewing: renewingOf(() => deps),
    counts: { refused: pay.refused, settled: pay.settled },
  }
  return deps
}

/** What is sold, as nouns. */
export function soldModules(context: ModuleContext, { providers }: Pick<PayDeps, 'providers'>): Module[] {
  const selling: Selling = {
    paying: payingInBrowser({ providers, inBrowser: context.config.pay.inBrowser }),
    hasRenewal: (userId, kind) => hasRenewal(context.appContext.db, userId, kind),
  }
  return SOLD.map(({ module }) => module(context, selling))
}

/** How one may pay in a browser. */
export function payingInBrowser({
  inBrowser,
  providers,
}: Pick<PayDeps, 'providers'> & {
  /** Whether one may buy in a browser, outside of the native app. */
  readonly inBrowser: boolean
}): BrowserPaying {
  const offered = inBrowser ? [...providers.values()] : []
  const signing = (scene: PayScene) =>
    offered.filter(({ contracts }) => contracts?.scenes[scene]).map(({ way }) => way)
  return {
    browser_ways: offered.map(({ way }) => way),
    renewing_ways: { inside: signing('inside'), phone: signing('phone'), qr: signing('qr') },
  }
}

/** Tells of what ended by the clock: others see BUFF alone. */
export const endNotifier =
  (notify: NotifyHolder): NotifyEnded =>
  (tx, emit, { userId, kind }) =>
    notify(tx, emit, userId, kind === BUFF ? 'everybody' : 'self')

/** What orders, payments, grants and the ledger say that does not agree, as sentences. */
export const faultsOfMoney = (db: Db): Promise<readonly string[]> => faultsOf(db, KINDS)

const TROUBLES_COUNTED = 1_000

/** How many orders a person must look at, by why. */
export async function ordersNeedingAttention(db: Db): Promise<Readonly<Record<string, number>>> {
  const found = await findOrders(db, { needsAttention: true, before: null, limit: TROUBLES_COUNTED })
  const why = found.flatMap(({ trouble }) => trouble ?? []).toSorted()
  return Object.fromEntries([...new Set(why)].map((each) => [each, why.filter((it) => it === each).length]))
}

/** Of some people, those who have a product already, and are not given it. */
export const ownersOf =
  (db: Db) =>
  async (productId: number, userIds: readonly UserId[]): Promise<ReadonlySet<UserId>> => {
    const product = await findProduct(db, productId)
    const kind = product && KINDS.get(product.kind)
    if (!kind) return new Set()
    return kind.owners(db, userIds, product.details)
  }
