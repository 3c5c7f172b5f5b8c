/** The festive pages: a guild's boosts and levels, and BUFF. */
import { boostProduct, boostTrend, unusedBoosts } from '@guildhall/wire/boost/boost.ts'
import { allGuildRights, allGuildRightsView } from '@guildhall/wire/boost/levels.ts'
import { settings } from '@guildhall/wire/boost/settings.ts'
import { vipExpired, vipProducts } from '@guildhall/wire/buff/buff.ts'
import { viewGuild } from '@guildhall/wire/channel/channel.ts'
import { PAY_WAYS } from '@guildhall/wire/payWay.ts'
import type { Product } from '@guildhall/wire/product/product.ts'
import { locale } from '../../../kit/i18n.ts'
import type { On } from '../../answers.ts'
import { night } from './guild.ts'
import type { Shown } from './screen.ts'

const FIRST_DAY = Date.UTC(2026, 10, 24)
const DAY_MS = 86_400_000
/** The packs of days, the level that is kept on them, and until which day a grace keeps it. */
const trend = (on: On, days: readonly (readonly [count: number, level: number, until?: string])[]) => {
  on(viewGuild, () => night)
  on(boostTrend, () => ({
    items: days.map(([count, kept_level, kept_until = ''], n) => ({
      date: new Date(FIRST_DAY + n * DAY_MS).toISOString().slice(0, 10),
      count,
      kept_level,
      kept_until,
    })),
    today: '2026-11-24',
  }))
}
const times = <T>(count: number, of: T): T[] => Array.from({ length: count }, () => of)

const product = (id: number, name: string, more: Partial<Product> = {}): Product => ({
  id,
  name,
  price: 3_000,
  origin_price: 0,
  discount_label: '',
  buy_tip: '',
  period_buy: false,
  group_id: 0,
  ...more,
})
const levels = (on: On, level: number, boost_num: number) => {
  trend(on, [[boost_num, level]])
  on(viewGuild, () => ({ ...night, level, boost_num, is_master: true }))
  on(settings, () => ({
    guild_rights: allGuildRights(),
    guild_rights_view: allGuildRightsView(locale()),
  }))
  on(unusedBoosts, () => ({ unused_boost_num: 2 }))
  on(boostProduct, () => ({ ...product(7, '助力包', { price: 1_000 }), browser_ways: [...PAY_WAYS] }))
}
const buff = (on: On, vip_expired: number, has_renewal = false) => {
  on(vipExpired, () => ({ vip_expired, has_renewal }))
  on(vipProducts, () => ({
    items: [
      product(1, '30 天', { days: 30 }),
      product(3, '365 天', {
        price: 29_805,
        origin_price: 36_000,
        discount_label: '最划算',
        days: 365,
      }),
    ],
    browser_ways: [...PAY_WAYS],
  }))
}

export const shopScreens: readonly Shown[] = [
  {
    name: 'boost-status',
    at: '/guild/boost-status/10',
    // 18 of 20 stands higher than 30 of 40.
    answer: (on) =>
      trend(on, [
        ...times(6, [30, 4] as const),
        ...times(12, [18, 3] as const),
        ...times(8, [2, 1] as const),
        [0, 0],
      ]),
  },
  {
    name: 'boost-status-in-a-grace',
    at: '/guild/boost-status/10',
    answer: (on) =>
      trend(on, [...times(3, [9, 3, '2026-11-26'] as const), ...times(20, [9, 2] as const), [0, 0]]),
  },
  {
    name: 'boost-status-of-one-day',
    at: '/guild/boost-status/10',
    answer: (on) => trend(on, [[0, 0]]),
  },
  {
    name: 'levels',
    at: '/guild/boost/10',
    answer: (on) => levels(on, 3, 18),
  },
  {
    name: 'highest-level',
    at: '/guild/boost/10',
    answer: (on) => levels(on, 6, 1_234),
  },
  {
    name: 'buff',
    at: '/account/buff',
    answer: (on) => buff(on, 0),
  },
  {
    name: 'buff-of-a-member',
    at: '/account/buff',
    me: { is_vip: true, avatar_frame: 'gold' },
    answer: (on) => buff(on, Date.UTC(2030, 4, 3), true),
  },
]
