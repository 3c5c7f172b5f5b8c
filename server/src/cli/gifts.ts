/** `buff …`, `boost …`, `golive …` and `coupon …`: what the operator gives away. */
import type { UserId } from '@guildhall/wire/id.ts'
import { SECOND_MS } from '@guildhall/wire/unit.ts'
import { holderTeller } from '../app/payments.ts'
import { givePacks, unusedBoosts } from '../boost/boost.ts'
import { giveBuff } from '../buff/buff.ts'
import { batches, createCoupons } from '../coupon/coupon.ts'
import { giveGolive, VERSIONS } from '../golive/golive.ts'
import { clock } from '../kit/clock.ts'
import { transaction } from '../kit/db.ts'
import { commit } from '../kit/events.ts'
import { OperatorError } from '../kit/operatorError.ts'
import { findProduct } from '../product/product.ts'
import { type Commands, count, OPERATOR, userFor } from './command.ts'
import { withJobs } from './jobs.ts'

const PACKS_MOST = 10_000
const DAYS_MOST = 3_660
const PRODUCT_MOST = 2 ** 31 - 1
const CODES_MOST = 10_000
/** Ten years. */
const EXPIRES_MOST_S = 315_576_000

export const giftCommands: Commands = {
  'buff give': {
    usage: '--user USER_ID --days N',
    async run({ user = '', days = '' }, { live, database }) {
      const userId: UserId = await userFor(live.db, user)
      const most = count('days', days, DAYS_MOST)
      const until = await withJobs(database, (jobs) =>
        commit(live, (tx, emit) => giveBuff({ tx, emit, tell: holderTeller({ live, jobs }) }, userId, most)),
      )
      return { user_id: userId, vip_expired: until }
    },
  },

  'golive give': {
    usage: '--user USER_ID --type normal|pro --days N',
    async run({ user = '', type = '', days = '' }, { live, database }) {
      const userId: UserId = await userFor(live.db, user)
      const version = VERSIONS.find((it) => it === type)
      if (!version) throw new OperatorError(`--type must be normal or pro, not "${type}".`)
      const it = { type: version, days: count('days', days, DAYS_MOST) }
      const until = await withJobs(database, (jobs) =>
        commit(live, (tx, emit) => giveGolive({ tx, emit, tell: holderTeller({ live, jobs }) }, userId, it)),
      )
      return { user_id: userId, type: version, expire_time: until }
    },
  },

  'coupon create': {
    usage: '--product PRODUCT_ID --count N [--expires SECONDS] [--per-user N]',
    async run(options, { live }) {
      const productId = count('product', options.product ?? '', PRODUCT_MOST)
      if (!(await findProduct(live.db, productId)))
        throw new OperatorError(`There is no product ${productId}.`)
      const most = count('count', options.count ?? '', CODES_MOST)
      const perUser =
        options['per-user'] === undefined ? 1 : count('per-user', options['per-user'], CODES_MOST)
      const expiresAt =
        options.expires === undefined
          ? null
          : clock.now() + count('expires', options.expires, EXPIRES_MOST_S) * SECOND_MS
      const { batchId, codes } = await transaction(live.db, (tx) =>
        createCoupons(tx, { productId, count: most, perUser, expiresAt, actor: OPERATOR.actor }),
      )
      return { batch_id: batchId, product_id: productId, per_user: perUser, expires_at: expiresAt, codes }
    },
  },

  'coupon list': {
    usage: '',
    isReading: true,
    run: (_options, { live }) => batches(live.db),
  },

  'boost give': {
    usage: '--user USER_ID --count N',
    async run({ user = '', count: packs = '' }, { live }) {
      const userId: UserId = await userFor(live.db, user)
      const it = { count: count('count', packs, PACKS_MOST), orderId: null }
      await commit(live, (tx, emit) => givePacks(tx, emit, userId, it))
      return { user_id: userId, unused_boost_num: await unusedBoosts(live.db, userId) }
    },
  },
}
