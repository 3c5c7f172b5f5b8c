/** `boost …` and `buff …`: what the operator gives away. */
import type { UserId } from '@guildhall/wire/id.ts'
import { givePacks, unusedBoosts } from '../boost/boost.ts'
import { giveBuff } from '../buff/buff.ts'
import { commit } from '../kit/events.ts'
import { type Commands, count, userFor } from './command.ts'

const PACKS_MOST = 10_000
const DAYS_MOST = 3_660

export const giftCommands: Commands = {
  'buff give': {
    usage: '--user USER_ID --days N',
    async run({ user = '', days = '' }, { live }) {
      const userId: UserId = await userFor(live.db, user)
      const until = await commit(live, (tx) => giveBuff(tx, userId, count('days', days, DAYS_MOST)))
      return { user_id: userId, vip_expired: until }
    },
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
