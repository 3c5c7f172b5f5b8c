/** The calls about boosts and the levels of guilds. */
import {
  boostHistory,
  boostList,
  boostProduct,
  boostTrend,
  unusedBoosts as unusedBoostsRoute,
  useBoosts,
} from '@guildhall/wire/boost/boost.ts'
import { allGuildRights, allGuildRightsView } from '@guildhall/wire/boost/levels.ts'
import { settings, settingsV2 } from '@guildhall/wire/boost/settings.ts'
import { fail } from '@guildhall/wire/failure.ts'
import type { Locale } from '@guildhall/wire/locale.ts'
import { LIST_SIZE_MAX } from '@guildhall/wire/page.ts'
import { permission } from '@guildhall/wire/permission/permission.ts'
import { SECOND_MS } from '@guildhall/wire/unit.ts'
import { publicUser } from '@guildhall/wire/user/public.ts'
import { clock } from '../kit/clock.ts'
import type { AppContext } from '../kit/events/events.ts'
import { type Binding, bindUser } from '../kit/http/binding.ts'
import { isMember } from '../member/member.ts'
import type { PayWay } from '../outside/payment/payProvider.ts'
import { productOf, productsForSale } from '../product/product.ts'
import { requireGuildRight } from '../role/role.ts'
import { findUser, identityOf } from '../user/user.ts'
import { boost, countTrend, history, unusedBoosts, usedBy } from './boost.ts'

const settingsIn = (locale: Locale) => ({
  guild_rights: allGuildRights(),
  guild_rights_view: allGuildRightsView(locale),
})

/** `browserWays`: the ways to pay in a browser, where the operator allows it. */
export const boostRoutes = ({
  appContext,
  browserWays,
}: {
  readonly appContext: AppContext
  readonly browserWays: readonly PayWay[]
}): Binding[] => [
  bindUser(settings, async ({ locale }) => settingsIn(locale)),
  bindUser(settingsV2, async ({ locale }) => settingsIn(locale)),
  bindUser(unusedBoostsRoute, async ({ caller }) => ({
    unused_boost_num: await unusedBoosts(appContext.db, caller.userId),
  })),
  bindUser(boostTrend, async ({ caller }, { guild_id }) => {
    if (!(await isMember(appContext.db, guild_id, caller.userId))) throw fail('forbidden')
    const { items, today } = await countTrend(appContext.db, guild_id)
    return { items: [...items], today }
  }),
  bindUser(boostList, async ({ caller }) => {
    const found = await usedBy(appContext.db, caller.userId, clock.now())
    return { items: found.map(({ name, icon, ...it }) => ({ ...it, guild: { name, icon } })) }
  }),
  bindUser(useBoosts, ({ caller }, { guild_id, count }) =>
    boost(appContext, caller.userId, { guildId: guild_id, count }),
  ),
  bindUser(boostProduct, async ({ locale }, { market }) => {
    const [product] = await productsForSale(appContext.db, 'boost', market)
    if (!product) throw fail('boost.no_product')
    return { ...productOf(product, locale), browser_ways: [...browserWays] }
  }),
  bindUser(boostHistory, async ({ caller }, { guild_id, start_time, end_time, page, page_size }) => {
    await requireGuildRight(appContext.db, caller.userId, guild_id, permission.manage_guild)
    const size = Math.min(page_size, LIST_SIZE_MAX)
    const { rows, total } = await history(appContext.db, guild_id, {
      from: (start_time ?? 0) * SECOND_MS,
      to: (end_time ?? END_OF_TIME_S) * SECOND_MS,
      limit: size,
      offset: (page - 1) * size,
    })
    const ids = [...new Set(rows.map(({ user_id }) => user_id))]
    const people = new Map(
      (await Promise.all(ids.map((id) => findUser(appContext.db, id)))).map((it) => [it?.id, it]),
    )
    const items = rows.flatMap(({ user_id, start_at, end_at }) => {
      const person = people.get(user_id)
      const times = { start_time: Math.floor(start_at / SECOND_MS), end_time: Math.floor(end_at / SECOND_MS) }
      return person ? [{ user_id, guild_id, ...times, user: publicUser(identityOf(person, appContext)) }] : []
    })
    const meta = { page, page_total: Math.ceil(total / size), page_size: size, total }
    return { items, meta, sort: {} }
  }),
]

const END_OF_TIME_S = 9_999_999_999
