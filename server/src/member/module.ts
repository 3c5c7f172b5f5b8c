/**
 * What the server has of members: their lists and acts, the index of their names, the end of mutes, and who
 * came and went.
 */
import type { GuildId, UserId } from '@guildhall/wire/id.ts'
import { type AppContext, EVERY_MINUTE, type Module, untilNone, work } from '../kit/module.ts'
import { endMutes, endMutesJob } from './moderation.ts'
import { indexSomeMembers } from './nameSearch.ts'
import { PresenceEvents } from './presenceEvents.ts'
import { Rosters } from './rosters.ts'
import { memberRoutes, membershipRoutes, moderationRoutes } from './routes.ts'

export function memberModule({ live, jobs, log }: AppContext): Module {
  const rosters = new Rosters(live)
  return {
    routes: [
      ...memberRoutes({ live, rosters }),
      ...membershipRoutes({ live }),
      ...moderationRoutes({ live, jobs }),
    ],
    jobs: [
      work(endMutesJob, ({ guild_id, user_id }) => endMutes(live, guild_id as GuildId, user_id as UserId)),
    ],
    schedules: [
      {
        name: 'index-members',
        cron: EVERY_MINUTE,
        // After an upgrade members are found soon.
        atStart: true,
        run: (signal) => untilNone(() => indexSomeMembers(live.db), signal),
      },
    ],
    start() {
      const presenceEvents = new PresenceEvents(live, log)
      return () => presenceEvents.close()
    },
    close: () => rosters.close(),
  }
}
