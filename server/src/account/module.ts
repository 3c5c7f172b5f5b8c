/** What the server has of accounts as a whole: their calls, and what is told and deleted afterwards. */
import type { GuildId, UserId } from '@guildhall/wire/id.ts'
import type { FileAddresses } from '../asset/asset.ts'
import type { Auth } from '../auth/auth.ts'
import { type AppContext, type Module, work } from '../kit/module.ts'
import {
  deleteMessagesJob,
  deleteMessagesOf,
  messageDeletionQueue,
  notifyGuilds,
  notifyGuildsJob,
  type OwnReports,
} from './account.ts'
import { accountRoutes } from './routes.ts'

export const accountModule = (
  { live, jobs }: AppContext,
  input: {
    readonly auth: Auth
    readonly addresses: FileAddresses
    /** What somebody reported, for the copy of their data. */
    readonly ownReports: OwnReports
  },
): Module => ({
  routes: accountRoutes({ ...input, live, deletion: messageDeletionQueue(jobs) }),
  jobs: [
    work(
      deleteMessagesJob,
      async ({ user_id }, signal) => void (await deleteMessagesOf(live, user_id as UserId, signal)),
    ),
    work(notifyGuildsJob, ({ user_id, after }, signal) =>
      notifyGuilds(live, user_id as UserId, after as GuildId, signal),
    ),
  ],
})
