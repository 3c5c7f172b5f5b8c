/** What the server has of accounts as a whole: their calls, and what is told and deleted afterwards. */
import type { GuildId, UserId } from '@guildhall/wire/id.ts'
import type { FileAddresses } from '../asset/asset.ts'
import type { Auth } from '../auth/auth.ts'
import { type Module, type ModuleContext, work } from '../kit/module.ts'
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
  { appContext, jobs }: ModuleContext,
  input: {
    readonly auth: Auth
    readonly addresses: FileAddresses
    /** What somebody reported, for the copy of their data. */
    readonly ownReports: OwnReports
  },
): Module => ({
  routes: accountRoutes({ ...input, appContext, deletion: messageDeletionQueue(jobs) }),
  jobs: [
    work(
      deleteMessagesJob,
      async ({ user_id }, signal) => void (await deleteMessagesOf(appContext, user_id as UserId, signal)),
    ),
    work(notifyGuildsJob, ({ user_id, after }, signal) =>
      notifyGuilds(appContext, user_id as UserId, after as GuildId, signal),
    ),
  ],
})
