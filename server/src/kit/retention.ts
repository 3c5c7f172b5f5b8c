/** How long the database keeps what housekeeping deletes. */
import { DAY_MS } from '@guildhall/wire/unit.ts'

/** Events of the log. A client resumes within five minutes; the rest is for a node that was disconnected. */
export const EVENTS_KEPT_MS = DAY_MS
/** A file that nothing shows, since it was uploaded or since the last message that showed it was edited. */
export const UNUSED_FILES_KEPT_MS = DAY_MS
/** The files of a message that waits for staff. */
export const HELD_FILES_KEPT_MS = 90 * DAY_MS
/** Held messages that staff decided on: their author's page asks for the decision. */
export const HELD_KEPT_MS = 30 * DAY_MS
/** Counts of attempts, expired codes and ended sessions. */
export const ATTEMPTS_KEPT_MS = DAY_MS
/** Errors of pages. */
export const CLIENT_ERRORS_KEPT_MS = 30 * DAY_MS
/** Counts by day of how guilds grow: the longest range that is shown, and the one before it. */
export const COUNTED_DAYS_KEPT_MS = 180 * DAY_MS
/** The audit logs of guilds. */
export const AUDIT_KEPT_MS = 90 * DAY_MS
/** The security log. */
export const SECURITY_KEPT_MS = 180 * DAY_MS
