/** Housekeeping: scheduled jobs that delete expired rows and files, index members for the name search, and count the days. */
import type { GuildId, UserId } from '@guildhall/wire/id.ts'
import { HOUR_MS } from '@guildhall/wire/unit.ts'
import { deleteWordsJob, tellGuildsJob } from '../account/account.ts'
import type { Assets } from '../asset/asset.ts'
import type { Auth } from '../auth/auth.ts'
import type { Captcha } from '../captcha/captcha.ts'
import { JOURNAL_STORED_MS, trimJournals } from '../gateway/handoff/sessionStore.ts'
import { indexSomeMembers } from '../guild/guild.ts'
import type { Db } from '../kit/db.ts'
import { trimEvents } from '../kit/events.ts'
import type { JobHandler, Jobs } from '../kit/jobs.ts'
import type { Log } from '../kit/log.ts'
import { CLIENT_ERRORS_KEPT_MS, EVENTS_KEPT_MS, SECURITY_KEPT_MS } from '../kit/retention.ts'
import { trimSecurityEvents } from '../kit/securityLog.ts'
import { deleteBannedJob, endMutesJob } from '../member/member.ts'
import { deleteExpiredEphemeral } from '../message/ephemeral.ts'
import { emptyOldCase, tellReportersJob } from '../report/report.ts'
import { trimClientErrors } from '../site/site.ts'
import { keepNumbers } from '../staff/staff.ts'
import { type Chore, chore, type NO_DATA } from './chore.ts'

const deleteLostUploads = chore('delete-lost-uploads')
const deleteUnusedFiles = chore('delete-unused-files')
const deleteOldAttempts = chore('delete-old-attempts')
const deleteOldEvents = chore('delete-old-events')
const deleteOldJournals = chore('delete-old-journals')
const deleteOldSecurityEvents = chore('delete-old-security-events')
const deleteOldClientErrors = chore('delete-old-client-errors')
const emptyOldReports = chore('empty-old-reports')
const deleteOldHeld = chore('delete-old-held')
const indexMembers = chore('index-members')
const countDays = chore('count-days')
const endSuspensions = chore('end-suspensions')

/** Messages of somebody banned that are deleted in one transaction. */
const DELETED_AT_ONCE = 50

const HOURLY = '7 * * * *'
const EVERY_FEW_MINUTES = '*/10 * * * *'
const EVERY_MINUTE = '* * * * *'

export interface HousekeepingDeps {
  readonly db: Db
  readonly jobs: Jobs
  readonly assets: Pick<Assets, 'deleteUnused' | 'deleteLostUploads' | 'deleteLocalLeftovers'>
  readonly auth: Pick<Auth, 'forgetOld'>
  readonly captcha: Pick<Captcha, 'forgetOld'>
  /** Deletes the words of a deleted account. */
  readonly deleteWords: (userId: UserId, signal: AbortSignal) => Promise<unknown>
  /** Tells the guilds of a person after one how the person is called and looks. */
  readonly tellGuilds: (userId: UserId, after: GuildId, signal: AbortSignal) => Promise<void>
  /** Tells people whose suspension is over, some of them; returns how many. */
  readonly endSuspensions: () => Promise<number>
  /** Tells those who reported something that it was decided. */
  readonly tellReporters: (caseId: string, signal: AbortSignal) => Promise<void>
  /** Tells a guild that the mutes of somebody are over. */
  readonly endMutes: (guildId: GuildId, userId: UserId) => Promise<void>
  /** Deletes at most `limit` messages of somebody in a guild; returns how many. */
  readonly deleteBanned: (
    it: { readonly authorId: UserId; readonly guildId: GuildId; readonly since: number },
    limit: number,
  ) => Promise<number>
  /** Deletes some held messages that were decided long ago; returns how many. */
  readonly trimHeld: () => Promise<number>
  readonly log: Log
}

/** Schedules the jobs and runs their turns on this node. Returns how to stop what is no job. */
export async function startHousekeeping(it: HousekeepingDeps): Promise<() => void> {
  const { db, jobs, assets, auth, captcha } = it
  await jobs.work(
    deleteWordsJob,
    async ({ user_id }, signal) => void (await it.deleteWords(user_id as UserId, signal)),
  )
  await jobs.work(tellGuildsJob, ({ user_id, after }, signal) =>
    it.tellGuilds(user_id as UserId, after as GuildId, signal),
  )
  await jobs.work(tellReportersJob, ({ case_id }, signal) => it.tellReporters(case_id, signal))
  await jobs.work(endMutesJob, ({ guild_id, user_id }) => it.endMutes(guild_id as GuildId, user_id as UserId))
  await jobs.work(deleteBannedJob, ({ guild_id, user_id, since }, signal) => {
    const whose = { guildId: guild_id as GuildId, authorId: user_id as UserId, since }
    return untilNone(() => it.deleteBanned(whose, DELETED_AT_ONCE), signal)
  })
  const chores: readonly (readonly [Chore, cron: string, JobHandler<typeof NO_DATA>])[] = [
    [
      deleteLostUploads,
      EVERY_FEW_MINUTES,
      (_data, signal) => untilNone(() => assets.deleteLostUploads(), signal),
    ],
    [deleteUnusedFiles, EVERY_FEW_MINUTES, (_data, signal) => untilNone(() => assets.deleteUnused(), signal)],
    [
      deleteOldAttempts,
      HOURLY,
      async () => void (await Promise.all([auth.forgetOld(), captcha.forgetOld()])),
    ],
    [
      deleteOldEvents,
      HOURLY,
      async () => void (await Promise.all([trimEvents(db, EVENTS_KEPT_MS), deleteExpiredEphemeral(db)])),
    ],
    [deleteOldSecurityEvents, HOURLY, () => trimSecurityEvents(db, SECURITY_KEPT_MS)],
    [deleteOldClientErrors, HOURLY, () => trimClientErrors(db, CLIENT_ERRORS_KEPT_MS)],
    [emptyOldReports, HOURLY, (_data, signal) => untilNone(() => emptyOldCase(db), signal)],
    [deleteOldHeld, HOURLY, (_data, signal) => untilNone(it.trimHeld, signal)],
    [deleteOldJournals, EVERY_MINUTE, async () => void (await trimJournals(db, JOURNAL_STORED_MS))],
    [countDays, EVERY_MINUTE, (_data, signal) => keepNumbers(db, signal)],
    [endSuspensions, EVERY_MINUTE, (_data, signal) => untilNone(() => it.endSuspensions(), signal)],
    [indexMembers, EVERY_MINUTE, (_data, signal) => untilNone(() => indexSomeMembers(db), signal)],
  ]
  await Promise.all(
    chores.map(async ([kind, cron, handler]) => {
      await jobs.work(kind, handler)
      await jobs.schedule(kind, cron, {})
    }),
  )
  // After an upgrade members are found soon, and a killed process leaves no uploads for an hour.
  for (const kind of [indexMembers, deleteLostUploads, countDays]) await jobs.send(db, kind, {})
  return sweepLocalDisk(it)
}

/** Works batch by batch until one has done nothing; other work runs in between. */
async function untilNone(batch: () => Promise<number>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await batch()) > 0) await new Promise(setImmediate)
}

/** Half-received files lie on the disk of the node that received them, so every node deletes its own. */
function sweepLocalDisk({ assets, log }: HousekeepingDeps): () => void {
  const sweep = () =>
    assets
      .deleteLocalLeftovers()
      .catch((error: unknown) => log.warn({ err: error }, 'half-received files were not deleted'))
  void sweep()
  const timer = setInterval(sweep, HOUR_MS).unref()
  return () => clearInterval(timer)
}
