/** What belongs to no noun and is deleted by the clock: events, journals of connections, the security log. */
import { JOURNAL_STORED_MS, trimJournals } from '../gateway/handoff/sessionStore.ts'
import { trimEvents } from '../kit/events/events.ts'
import { EVERY_MINUTE, HOURLY, type Module, type ModuleContext } from '../kit/module.ts'
import { EVENTS_KEPT_MS, SECURITY_KEPT_MS } from '../kit/retention.ts'
import { trimSecurityEvents } from '../kit/securityLog.ts'
import { deleteExpiredEphemeral } from '../message/message.ts'

export const housekeeping = ({ appContext: { db } }: ModuleContext): Module => ({
  schedules: [
    {
      name: 'delete-old-events',
      cron: HOURLY,
      // Messages that only their events show end with them.
      run: () => Promise.all([trimEvents(db, EVENTS_KEPT_MS), deleteExpiredEphemeral(db)]),
    },
    {
      name: 'delete-old-security-events',
      cron: HOURLY,
      run: () => trimSecurityEvents(db, SECURITY_KEPT_MS),
    },
    { name: 'delete-old-journals', cron: EVERY_MINUTE, run: () => trimJournals(db, JOURNAL_STORED_MS) },
  ],
})
