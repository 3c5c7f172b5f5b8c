/**
 * Boost packs: how many one has, using them on a guild, and what a guild's days look like. commerce.md §3,
 * §4, §7.
 */

import { event } from '../event.ts'
import { guildId, userId } from '../id.ts'
import { ORDER_COUNT_MAX } from '../order/order.ts'
import { pageInput, pageOf } from '../page.ts'
import { payWay } from '../payWay.ts'
import { product } from '../product/product.ts'
import { route } from '../route.ts'
import { int, z } from '../schema.ts'
import { user } from '../user/shown.ts'

/** How many packs the caller has and has not used. */
export const unusedBoosts = route({
  method: 'GET',
  path: '/api/v3/guild-boost/get-unused-boost-num',
  dialect: 'v3',
  who: 'user',
  input: z.object({}),
  answer: z.object({ unused_boost_num: z.number() }),
  fails: [],
})

/** The packs of each day of a guild, from three days ago until the last one ends. For its members. */
export const boostTrend = route({
  method: 'GET',
  path: '/api/v3/guild-boost/count-trend',
  dialect: 'v3',
  who: 'user',
  input: z.object({ guild_id: guildId }),
  answer: z.object({
    items: z.array(
      z.object({
        date: z.string(),
        count: z.number(),
        /** The level that the guild has on that day, its grace included. Ours. */
        kept_level: z.number(),
        /** The last day on which a grace keeps it, `YYYY-MM-DD`; empty: the packs are enough for it. Ours. */
        kept_until: z.string(),
      }),
    ),
    /** Today in Beijing, `YYYY-MM-DD`, so that a phone with another clock begins with the right day. Ours. */
    today: z.string(),
  }),
  fails: ['forbidden'],
})

/** The guilds that the caller boosts now, the newest use first. */
export const boostList = route({
  method: 'GET',
  path: '/api/v3/guild-boost/get-boost-list',
  dialect: 'v3',
  who: 'user',
  input: z.object({}),
  answer: z.object({
    items: z.array(
      z.object({
        guild_id: guildId,
        /** ms */
        boost_start_time: z.number(),
        use_boost_num: z.number(),
        /** ms. Ours. */
        boost_end_time: z.number(),
        /** Ours: the caller may have left the guild. */
        guild: z.object({ name: z.string(), icon: z.string() }),
      }),
    ),
  }),
  fails: [],
})

/** Uses packs of the caller on a guild, for thirty days from now. */
export const useBoosts = route({
  method: 'POST',
  path: '/api/v3/boost/use',
  dialect: 'v3',
  who: 'person',
  input: z.object({ guild_id: guildId, count: int(1, ORDER_COUNT_MAX) }),
  answer: z.object({ unused_boost_num: z.number(), boost_num: z.number(), level: z.number() }),
  fails: ['boost.too_few', 'guild.unknown'],
})

/** The boost pack on sale. `market`: 1 in the iOS app, else 0. */
export const boostProduct = route({
  method: 'GET',
  path: '/api/v3/boost/product',
  dialect: 'v3',
  who: 'user',
  input: z.object({ market: z._default(int(), 0) }),
  answer: z.object({
    ...product.shape,
    /** The ways to pay in a browser; empty: it is bought in the app. Ours. */
    browser_ways: z.array(payWay),
  }),
  fails: ['boost.no_product', 'product.market'],
})

/**
 * Who boosted a guild, the newest first; times are in seconds. Needs the right to manage the guild.
 * protocol.md §4.2.
 */
export const boostHistory = route({
  method: 'GET',
  path: '/api/v3/guild-boost/history',
  dialect: 'v3',
  who: 'user',
  input: z.object({
    guild_id: guildId,
    start_time: z.optional(int()),
    end_time: z.optional(int()),
    ...pageInput,
  }),
  answer: pageOf(
    z.object({
      user_id: userId,
      guild_id: guildId,
      start_time: z.number(),
      end_time: z.number(),
      user: z.object(user.shape),
    }),
  ),
  fails: ['forbidden', 'member.no_right'],
})

/** The caller's unused packs changed. Ours. */
export const boostPacksUpdated = event(
  'updated_boost_packs',
  'person',
  z.object({ unused_boost_num: z.number() }),
  { access: 'none', dialects: 'pages' },
)
