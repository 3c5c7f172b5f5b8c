/** The calls by which a guild is moderated automatically. */
import * as filters from '@guildhall/wire/moderation/filter.ts'
import * as calls from '@guildhall/wire/moderation/moderation.ts'
import { MINUTE_MS } from '@guildhall/wire/unit.ts'
import type { AppContext } from '../kit/events/events.ts'
import { type Binding, bindUser } from '../kit/http/binding.ts'
import type { Limits, RateLimit } from '../kit/limits/rateLimit.ts'
import type { DecideDeps } from '../screening/screening.ts'
import { createFilter, deleteFilter, listFilters, updateFilter } from './filter/filter.ts'
import { decideHeld, listHeld } from './held.ts'
import { liftPause } from './raid.ts'
import { createRule, deleteRule, listRules, updateRule } from './rules.ts'
import { tryRule } from './try.ts'

/** Each reads a thousand messages. */
const TRIES: RateLimit = { name: 'rules tried by person', most: 20, windowMs: MINUTE_MS }

interface Deps {
  readonly appContext: AppContext
  readonly limits: Limits
  readonly decideDeps: DecideDeps
}

export const moderationRoutes = ({ appContext, limits, decideDeps }: Deps): Binding[] => [
  bindUser(calls.listRules, ({ caller }, { guild_id }) => listRules(appContext.db, caller.userId, guild_id)),
  bindUser(calls.createRule, ({ caller }, input) => createRule(appContext, caller.userId, input)),
  bindUser(calls.updateRule, ({ caller }, input) => updateRule(appContext, caller.userId, input)),
  bindUser(calls.deleteRule, async ({ caller }, input) => {
    await deleteRule(appContext, caller.userId, input)
    return {}
  }),
  bindUser(filters.listFilters, ({ caller }, input) => listFilters(appContext.db, caller.userId, input)),
  bindUser(filters.createFilter, ({ caller }, input) => createFilter(appContext, caller.userId, input)),
  bindUser(filters.updateFilter, ({ caller }, input) => updateFilter(appContext, caller.userId, input)),
  bindUser(filters.deleteFilter, async ({ caller }, input) => {
    await deleteFilter(appContext, caller.userId, input)
    return {}
  }),
  bindUser(calls.liftPause, async ({ caller }, { guild_id }) => {
    await liftPause(appContext, caller.userId, guild_id)
    return {}
  }),
  bindUser(calls.tryRule, async ({ caller }, input) => {
    await limits.use(TRIES, caller.userId)
    return tryRule(appContext, caller.userId, input)
  }),
  bindUser(calls.listGuildHeld, async ({ caller }, { guild_id }) => ({
    items: await listHeld(appContext.db, caller.userId, guild_id),
  })),
  bindUser(calls.decideGuildHeld, async ({ caller }, input) => {
    await decideHeld(decideDeps, caller.userId, input)
    return {}
  }),
]
