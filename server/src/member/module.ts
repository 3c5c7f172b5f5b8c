/**
 * What the server has of members: their lists and acts, the index of their names, the end of mutes, and who
 * came and went.
 */
import type { GuildId, UserId } from '@guildhall/wire/id.ts'
import { EVERY_MINUTE, type Module, type ModuleContext, untilNone, work } from '../kit/module.ts'
import { endMutes, endMutesJob } from './moderation.ts'
import { indexSomeMembers } from './nameSearch.ts'
import { PresenceEvents } from './presenceEvents.ts'
import { type PruneDeps, pruneJob, runPrune } from './prune/prune.ts'
import { Rosters } from './rosters.ts'
import { memberRoutes, membershipRoutes, moderationRoutes, noteRoutes, pruneRoutes } from './routes.ts'
import type { ViewDeps } from './view.ts'

export function memberModule(
  { appContext, jobs, log }: ModuleContext,
  { boostersOf, buffSince }: Pick<PruneDeps, 'boostersOf'> & Pick<ViewDeps, 'buffSince'>,
): Module {
  const rosters = new Rosters(appContext)
  const prune: PruneDeps = { appContext, rosters, jobs, boostersOf }
  return {
    routes: [
      ...memberRoutes({ appContext, rosters }),
      ...membershipRoutes({ appContext, buffSince }),
      ...moderationRoutes({ appContext, jobs }),
      ...noteRoutes({ appContext }),
      ...pruneRoutes(prune),
    ],
    jobs: [
      work(endMutesJob, ({ guild_id, user_id }) =>
        endMutes(appContext, guild_id as GuildId, user_id as UserId),
      ),
      work(pruneJob, (data, signal) => runPrune(prune, data, signal)),
    ],
    schedules: [
      {
        name: 'index-members',
        cron: EVERY_MINUTE,
        // After an upgrade members are found soon.
        atStart: true,
        run: (signal) => untilNone(() => indexSomeMembers(appContext.db), signal),
      },
    ],
    start() {
      const presenceEvents = new PresenceEvents(appContext, log)
      return () => presenceEvents.close()
    },
    close: () => rosters.close(),
  }
}
