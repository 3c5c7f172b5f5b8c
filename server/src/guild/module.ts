/** What the server has of guilds: their calls and badge, and the index of their members. */
import { fileEndpoints } from '../kit/http/endpoints.ts'
import { type AppContext, EVERY_MINUTE, type Module, untilNone } from '../kit/module.ts'
import { guildBadge, indexSomeMembers } from './guild.ts'
import { guildRoutes } from './routes.ts'

export const guildModule = ({ live }: AppContext): Module => ({
  routes: guildRoutes({ live }),
  endpoints: fileEndpoints(['/api/v3/badge/guild'], (_path, query) => guildBadge(live, query)),
  chores: [
    {
      name: 'index-members',
      cron: EVERY_MINUTE,
      // After an upgrade members are found soon.
      atStart: true,
      run: (signal) => untilNone(() => indexSomeMembers(live.db), signal),
    },
  ],
})
