import { viewGuild } from '@guildhall/wire/channel/channel.ts'
import type { GuildId } from '@guildhall/wire/id.ts'
import { type Onboarding, viewOnboarding } from '@guildhall/wire/onboarding/onboarding.ts'
import { useEffect } from 'react'
import { cache, invalidateRoute, type RouteQuery, useRouteQuery } from '../kit/routeQuery.ts'

/**
 * What newcomers of a guild are shown. It follows the guild: what makes its answer outdated makes this one
 * so. Here, and not beside the events, because rooms load those before anything is shown.
 */
export function useOnboarding(guildId: GuildId): RouteQuery<Onboarding> {
  useEffect(() => {
    const input = { guild_id: guildId }
    // Nobody followed what was asked before.
    if (cache.getQueryState(['GET', viewOnboarding.path, input])?.data) invalidateRoute(viewOnboarding, input)
    return cache.getQueryCache().subscribe(({ type, query, ...event }) => {
      const isOutdated = type === 'updated' && 'action' in event && event.action.type === 'invalidate'
      if (isOutdated && query.queryKey[1] === viewGuild.path) invalidateRoute(viewOnboarding, input)
    })
  }, [guildId])
  return useRouteQuery(viewOnboarding, { guild_id: guildId })
}
