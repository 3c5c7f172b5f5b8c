/** `buff …`, `boost …`, `golive …` and `coupon …`: what the operator gives away. */
import type { UserId } from '@guildhall/wire/id.ts'
import { SECOND_MS } from '@guildhall/wire/unit.ts'
import { holderNotifier } from '../account/account.ts'
import { givePacks, unusedBoosts } from '../boost/boost.ts'
import { buffGrants } from '../buff/buff.ts'
import { batches } from '../coupon/coupon.ts'
import { giveGolive, VERSIONS } from '../golive/golive.ts'
import { clock } from '../kit/clock.ts'
import { commit } from '../kit/events/events.ts'
import { OperatorError } from '../kit/operatorError.ts'
import { findProduct } from '../product/product.ts'
import { giveBuffTo, makeCodesBy, pauseCodesBy, takeBuffFrom } from '../staff/staff.ts'
import { type Command, type Commands, count, id, OPERATOR, userFor } from './command.ts'
import { withJobs } from './jobs.ts'

const PACKS_MOST = 10_000
const DAYS_MOST = 3_660
const PRODUCT_MOST = 2 ** 31 - 1
const CODES_MOST = 10_000
const GRANTS_LISTED = 100
const BATCHES_LISTED = 1_000
/** Ten years. */
const EXPIRES_MOST_S = 315_576_000

const pausing =
  (isPaused: boolean): Command['run'] =>
  async ({ batch = '', reason }, { appContext }) => {
    const batchId = Number(id('batch', batch))
    await pauseCodesBy(appContext, OPERATOR, { batchId, isPaused, reason })
    return { batch_id: String(batchId), paused: isPaused }
  }

export const giftCommands: Commands = {
  'buff give': {
    usage: '--user USER_ID --days N [--reason TEXT]',
    recordsItself: true,
    async run({ user = '', days = '', reason }, { appContext, database }) {
      const userId: UserId = await userFor(appContext.db, user)
      const it = { userId, days: count('days', days, DAYS_MOST), reason }
      const until = await withJobs(database, (jobs) =>
        giveBuffTo({ appContext, notify: holderNotifier({ appContext, jobs }) }, OPERATOR, it),
      )
      return { user_id: userId, vip_expired: until }
    },
  },

  'buff list': {
    usage: '--user USER_ID',
    isReading: true,
    run: async ({ user = '' }, { appContext }) =>
      buffGrants(appContext.db, await userFor(appContext.db, user), GRANTS_LISTED),
  },

  'buff take': {
    usage: '--user USER_ID --grant GRANT_ID [--reason TEXT]',
    recordsItself: true,
    async run({ user = '', grant = '', reason }, { appContext, database }) {
      const userId: UserId = await userFor(appContext.db, user)
      const grantId = id('grant', grant)
      await withJobs(database, (jobs) =>
        takeBuffFrom({ appContext, notify: holderNotifier({ appContext, jobs }) }, OPERATOR, userId, {
          grantId,
          reason,
        }),
      )
      return { user_id: userId, grant: grantId, taken: true }
    },
  },

  'golive give': {
    usage: '--user USER_ID --type normal|pro --days N',
    async run({ user = '', type = '', days = '' }, { appContext, database }) {
      const userId: UserId = await userFor(appContext.db, user)
      const version = VERSIONS.find((it) => it === type)
      if (!version) throw new OperatorError(`--type must be normal or pro, not "${type}".`)
      const it = { type: version, days: count('days', days, DAYS_MOST) }
      const until = await withJobs(database, (jobs) =>
        commit(appContext, (tx, emit) =>
          giveGolive({ tx, emit, notify: holderNotifier({ appContext, jobs }) }, userId, it),
        ),
      )
      return { user_id: userId, type: version, expire_time: until }
    },
  },

  'coupon create': {
    usage: '--product PRODUCT_ID --count N [--expires SECONDS] [--per-user N] [--note TEXT]',
    recordsItself: true,
    async run(options, { appContext }) {
      const productId = count('product', options.product ?? '', PRODUCT_MOST)
      if (!(await findProduct(appContext.db, productId)))
        throw new OperatorError(`There is no product ${productId}.`)
      const most = count('count', options.count ?? '', CODES_MOST)
      const perUser =
        options['per-user'] === undefined ? 1 : count('per-user', options['per-user'], CODES_MOST)
      const expiresAt =
        options.expires === undefined
          ? null
          : clock.now() + count('expires', options.expires, EXPIRES_MOST_S) * SECOND_MS
      const wanted = { productId, count: most, perUser, expiresAt, note: options.note ?? '' }
      const { batchId, codes } = await makeCodesBy(appContext, OPERATOR, wanted)
      return { batch_id: batchId, product_id: productId, per_user: perUser, expires_at: expiresAt, codes }
    },
  },

  'coupon list': {
    usage: '',
    isReading: true,
    run: (_options, { appContext }) => batches(appContext.db, { before: null, limit: BATCHES_LISTED }),
  },

  'coupon pause': {
    usage: '--batch BATCH_ID [--reason TEXT]',
    recordsItself: true,
    run: pausing(true),
  },

  'coupon resume': {
    usage: '--batch BATCH_ID [--reason TEXT]',
    recordsItself: true,
    run: pausing(false),
  },

  'boost give': {
    usage: '--user USER_ID --count N',
    async run({ user = '', count: packs = '' }, { appContext }) {
      const userId: UserId = await userFor(appContext.db, user)
      const it = { count: count('count', packs, PACKS_MOST), orderId: null }
      await commit(appContext, (tx, emit) => givePacks(tx, emit, userId, it))
      return { user_id: userId, unused_boost_num: await unusedBoosts(appContext.db, userId) }
    },
  },
}
